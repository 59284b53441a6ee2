"""What only looks like a call: text that names an offered tool in a form no reader here executes, or breaks off in one.

Such a turn is neither an answer nor a call, so it may pass for neither. Prose that
merely mentions a tool's name is an answer. Every check is linear in the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from typing import Final

JSON_ARGUMENTS: Final = re.compile(r"""["'](?:arguments|parameters|args)["']\s*:""")

_JSON_CALL: Final = re.compile(r"""["'](?:name|function|tool)["']\s*:""")
_CALL_LIST: Final = re.compile(r"""\s*\{\s*["']tool_calls["']\s*:""")
_REACT: Final = re.compile(r"^[ \t]*Action Input[ \t]*:", re.MULTILINE)
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]+")
_WINDOW: Final = 80
"""Characters before and behind a tool's name that decide what it is."""
_KEY: Final = r"(?:name|tool|tool_name|toolName|function|function_name|func|action|api|api_name)"
_IN_OBJECT: Final = re.compile(rf"""[{{,]\s*["']?{_KEY}["']?\s*[:=]\s*["'`]?(?:functions\.)?\Z""")
_ON_LINE: Final = re.compile(rf"""(?:\A|\n)[ \t\-*]*["']?{_KEY}["']?[ \t]*[:=][ \t]*["'`]?\Z""", re.IGNORECASE)
_ARGUMENT_LINE: Final = re.compile(
    r"""(?:^|[{,])[ \t\-*]*["']?(?:arguments|parameters|params|args|input|action_input|tool_input)["']?[ \t]*[:=]""",
    re.IGNORECASE | re.MULTILINE,
)
_CALL_WORD: Final = re.compile(
    r"""(?:\btool[_ ]?calls?|\bfunction[_ ]?calls?|\baction|\bcall|\binvoke)["']?\s*[:=]\s*["'`]?\Z""", re.IGNORECASE
)
_BEHIND_OBJECT: Final = re.compile(r"""["'`]?\s{0,8}(?::\s{0,8}\d{0,6}\s{0,8})?\{|["']\s{0,8}:\s{0,8}\Z""")
_BEHIND_BRACKET: Final = re.compile(r"""["'`]?\s{0,8}\(\s{0,16}(?:[A-Za-z_]\w{0,63}\s{0,8}=(?!=)|["'{\[]|\*\*|\Z)""")
_OPEN_BRACKET: Final = re.compile(r"\s{0,8}\(")
_ALONE: Final = re.compile(r"\(\s{0,8}\)[ \t)]*;?[ \t]*(?:\n|\Z)")
_STATEMENT: Final = re.compile(r"(?:\A|\n)[ \t]*(?:(?:\w{1,64}[ \t]*=[ \t]*)?(?:await[ \t]+)?(?:print\()?)\Z")
_BEHIND_TAG: Final = re.compile(r"\s{0,8}/?>\s{0,8}(?:[<{]|\Z)|\s{1,8}[\w-]{1,64}\s{0,4}=|\s{0,8}/>|\s{0,8}\Z")
_CUT_NAME: Final = re.compile(rf"""[{{,]\s{{0,16}}["']?{_KEY}["']?\s{{0,8}}[:=]\s{{0,8}}["']?([\w.-]{{0,128}})\Z""")
_WRAPPERS: Final = ("<tool_call>", "<function=", "[TOOL_CALLS]", "<|python_tag|>", "<tool_calls>", "<function_call>")
_OPENS: Final = re.compile(r"""\{\s{0,16}(?:["']|\Z)""")
_DECODER: Final = json.JSONDecoder()


def call_like(text: str, offered: Collection[str]) -> str:
    """How the text resembles a call, for whoever reads it; empty where it does not."""
    if _JSON_CALL.search(text) and JSON_ARGUMENTS.search(text):
        return "the text holds something like a call in JSON that cannot be read"
    if _CALL_LIST.match(_unfenced(text)):
        return "the list of calls is broken or cut short"
    if _REACT.search(text):
        return "the call is written as Action / Action Input, which is no known form"
    named = _named(text, offered)
    if named:
        return f"{named} is named as in a call, in a form that cannot be read"
    return "the call is cut short" if cut_short(text, offered) else ""


def cut_short(text: str, offered: Iterable[str]) -> bool:
    """Whether the text ends inside the opening of a call: in its wrapper, or in a tool's name."""
    end = text.rstrip()
    if any(end.endswith(mark[:length]) for mark in _WRAPPERS for length in range(3, len(mark))):
        return True
    cut = _CUT_NAME.search(end[-3 * _WINDOW :])
    return cut is not None and any(name.startswith(cut[1]) for name in offered)


def broken_rest(text: str, offered: Collection[str]) -> str:
    """How the text behind whole calls breaks off in a further one; empty where it is prose."""
    if broken_object(text):
        return "a further call is broken or cut short"
    return call_like(text, offered)


def broken_object(text: str) -> bool:
    """Whether the first object that opens in the text like JSON is no whole JSON."""
    opening = _OPENS.search(text)
    if opening is None:
        return False
    try:
        _DECODER.raw_decode(text, opening.start())
    except (ValueError, RecursionError):
        return True
    return False


def inside_fence(text: str) -> str:
    """The inside of a code fence where the text is nothing else."""
    first, newline, rest = text.partition("\n")
    if not newline or not first.startswith("```") or not rest.endswith("```") or "```" in rest[:-3]:
        return text
    return rest[:-3].strip()


def opens_object(text: str, at: int) -> bool:
    """Whether the brace at `at` opens like JSON, and not like prose."""
    return _OPENS.match(text, at) is not None


def _named(text: str, offered: Collection[str]) -> str:
    """The first offered tool that is named as in a call; empty where none is."""
    last_close, fenced = text.rfind(")"), "```" in text
    with_arguments: bool | None = None
    for token in _TOKEN.finditer(text):
        name = token[0]
        if name not in offered:
            continue
        before = text[max(token.start() - _WINDOW, 0) : token.start()]
        behind = text[token.end() : token.end() + 2 * _WINDOW]
        at_end = token.end() + len(behind) == len(text)
        if _calls(before, behind, cut=last_close < token.end(), fenced=fenced, at_end=at_end):
            return name
        if _ON_LINE.search(before):
            if with_arguments is None:
                with_arguments = _ARGUMENT_LINE.search(text) is not None
            if with_arguments:
                return name
    return ""


def _calls(before: str, behind: str, *, cut: bool, fenced: bool, at_end: bool) -> bool:
    """Whether a tool's name between these texts is called; `cut`: no bracket closes behind it."""
    if _IN_OBJECT.search(before) or _CALL_WORD.search(before):
        return True
    if _BEHIND_OBJECT.match(behind) or _BEHIND_BRACKET.match(behind):
        return True
    if _OPEN_BRACKET.match(behind) and (cut or fenced):
        return True
    if _ALONE.match(behind) and _STATEMENT.search(before):
        return True
    if before.endswith("</"):
        return True
    return before.endswith("<") and (_BEHIND_TAG.match(behind) is not None if behind else at_end)


def _unfenced(text: str) -> str:
    """The text behind a code fence that opens it."""
    first, newline, rest = text.partition("\n")
    return rest if newline and first.startswith("```") else text
