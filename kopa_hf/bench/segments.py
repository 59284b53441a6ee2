r"""Which part of a whole answer counts: \boxed{}, then a final-answer marker, then the last sentences."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

_ENDS: Final = r"[*_`\s]*(?:은|는|:|：|=|is\b)[\s:：*_`]*"
_MARKER: Final = re.compile(
    rf"(?:최종\s*(?:답변|답안|답|결과|결론)|final\s+answer)[*_`]*(?:{_ENDS}|\s*\n\s*|\s+(?=[0-9\"'“‘\[(]))"
    rf"|(?:(?<![가-힣])정답|(?<![가-힣])결론|(?<![가-힣])답(?:변|안)?|(?<![a-z])answer){_ENDS}",
    re.I,
)
_SENTENCE: Final = re.compile(r"(?:(?<=[!?。])|(?<=[^0-9\s]\.)|(?<=[0-9]\.)(?!\s*[0-9]))[ \t]+|\s*\n\s*")
# dots that end no sentence: those of a day, whatever follows it, and whatever stands in quotes or brackets
_DOTTED_DAY: Final = re.compile(
    r"(?<![0-9])(?:(?:1[89]|20|21)[0-9]{2}\s?\.\s?[0-9]{1,2}\s?\.(?:\s?[0-9]{1,2}\s?\.)?|['’]?[0-9]{2}(?:\s?\.\s?[0-9]{1,2}){2}\s?\.)[ \t]*"
)
_ENCLOSED: Final = re.compile(
    r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|‘[^’\n]{1,300}’|「[^」\n]{1,300}」|『[^』\n]{1,300}』|《[^》\n]{1,300}》|〈[^〉\n]{1,300}〉"
    r"|(?<![A-Za-z0-9가-힣])'[^'\n]{1,300}'|\([^()\n]{1,300}\)|\[[^\[\]\n]{1,300}\]|\b(?:No|Vol|vs|cf)\.[ \t]+",
    re.I,
)
# 1. … 2. … and 가. … 나. …: numbering, where it counts up
_NUMBERING: Final = re.compile(
    r"(?:^|(?<=\s))(?:(?P<digits>[0-9]{1,2})|(?P<letter>[가나다라마바사아자차카타파하]))\.[ \t]+", re.M
)
_LETTERS: Final = "가나다라마바사아자차카타파하"
_BULLET: Final = re.compile(
    r"\s*(?:(?:[-*•]|[0-9]{1,2}[.)])\s+\S|[*_]{0,2}[0-9]{1,2}\s?(?:위|등|순위)[*_]{0,2}(?:\s*[:：]|\s)\s*\S)"
)
_BOXED: Final = re.compile(r"\\boxed\s*\{|\\?[{}]")
_LATEX_TEXT: Final = re.compile(r"\\(?:text|textbf|mathrm|mathbf|mathsf|operatorname)\s*\{([^{}]*)\}")
_FRACTION: Final = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_LANGUAGE: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ \t\r"
_SPACES: Final = re.compile(r"\\[,;:! ]|\\quad\b")


def boxed_text(text: str) -> str | None:
    r"""What the last complete \boxed{} holds, braces balanced; None where there is none. Linear in the text."""
    boxes = boxed_texts(text)
    return boxes[-1] if boxes else None


def boxed_texts(text: str) -> list[str]:
    r"""What all complete \boxed{} hold, in the order in which they open; linear in the text."""
    if "\\boxed" not in text:
        return []
    open_braces: list[int | None] = []  # where a box's content begins; None for other braces
    found: list[tuple[int, int]] = []
    for match in _BOXED.finditer(text):
        token = match.group()
        if token.endswith("{"):
            open_braces.append(match.end() if token.startswith("\\boxed") else None)
        elif open_braces:
            start = open_braces.pop()
            if start is not None:
                found.append((start, match.start() + token.startswith("\\")))
    return [text[start:end] for start, end in sorted(found)]


def unwrapped(text: str) -> str:
    """An answer without the code fence at its end, and what stands under the one key of a JSON object there.

    A box counts wherever it stands, so an answer with one is left as it is.
    """
    if "\\boxed" in text:
        return text
    body, before = text.strip(), ""
    if body.endswith("```") and body.count("```") % 2 == 0:
        start = body.rfind("```", 0, -3)
        before, inner = body[:start], body[start + 3 : -3]
        language, line, rest = inner.partition("\n")
        body = (rest if line and not language.strip(_LANGUAGE) else inner).strip()
    elif not body.startswith("{"):
        return text
    return f"{before}{_under_one_key(body)}"


def _under_one_key(text: str) -> str:
    """{"answer": "5건"} as 5건; other text as it is. A list stays JSON."""
    if not (text.startswith("{") and text.endswith("}")):
        return text
    try:
        found = json.loads(text, parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        return text
    value = next(iter(found.values())) if len(found) == 1 else None
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    return value if isinstance(value, str) else text


def candidate_texts(text: str) -> Iterator[str]:
    """The part that counts. Only where neither box nor marker stands there, more than one: sentences, the last first."""
    boxed = boxed_text(text)
    if boxed is not None:
        yield boxed.strip()
        return
    text = unwrapped(text)
    end = None
    for marker in _MARKER.finditer(text):
        end = marker.end()
    if end is not None and text[end:].strip(" \n\t*_`."):
        yield text[end:].strip().strip("*").strip()
        return
    yield from reversed(_sentences(text.strip()))


def _sentences(text: str) -> list[str]:
    """Sentences and lines, without stars and blanks around them."""
    kept = _spans_within_sentences(text)
    parts, start, index = [], 0, 0
    for end in _SENTENCE.finditer(text):
        while index < len(kept) and kept[index][1] < end.end():
            index += 1
        inside = index < len(kept) and kept[index][0] < end.start()
        if inside and "\n" not in end.group():
            continue
        parts.append(text[start : end.start()])
        start = end.end()
    stripped = (part.strip(" *\t") for part in [*parts, text[start:]])
    return [part for part in stripped if part]


def _spans_within_sentences(text: str) -> list[tuple[int, int]]:
    """Where no sentence ends, in order and merged; a span takes in the blank behind its last dot."""
    spans = [match.span() for match in _DOTTED_DAY.finditer(text)]
    spans += [match.span() for match in _ENCLOSED.finditer(text)]
    spans += _counted_up(text)
    merged: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged


def _counted_up(text: str) -> list[tuple[int, int]]:
    """The numbers of a list that counts from one up; a single `7.` may as well end a sentence."""
    found = []
    for group, first in (("digits", "1"), ("letter", "가")):
        run: list[tuple[int, int]] = []
        due = first
        for match in _NUMBERING.finditer(text):
            if match[group] == due:
                run.append(match.span())
                due = str(int(due) + 1) if group == "digits" else _LETTERS[_LETTERS.index(due) + 1 :][:1]
        found += run if len(run) > 1 else []
    return found


def final_block(text: str) -> str:
    """The part of an answer that lists items: what `candidate_texts` gives first, or the bullets at its end."""
    text = unwrapped(text)
    first = next(candidate_texts(text), "")
    bullets: list[str] = []
    for line in reversed(text.strip().splitlines()):
        if not _BULLET.match(line):
            break
        bullets.append(line)
    return "\n".join(reversed(bullets)) if len(bullets) > 1 and first in bullets[0] else first


def plain_latex(text: str) -> str:
    r"""Text without the LaTeX that models put around values: \text{명}, 1{,}234, \%, \frac{1}{3}, \{…\}."""
    if "\\" not in text and "$" not in text and "{" not in text:
        return text
    text = _FRACTION.sub(r"\1/\2", _LATEX_TEXT.sub(r"\1", text))
    text = (
        text.replace("{,}", ",")
        .replace("\\%", "%")
        .replace("\\_", "_")
        .replace("\\&", "&")
        .replace("\\$", "\ue000")
        .replace("\\times", "×")
    )
    text = _SPACES.sub(" ", text.replace("\\!", "").replace("\\,", ""))
    for mark in ("\\(", "\\)", "\\[", "\\]", "\\left", "\\right", "\\{", "\\}"):
        text = text.replace(mark, "")
    if text.count("$") % 2 == 0:  # a lone one is a dollar
        text = text.replace("$", "")
    return text.replace("\ue000", "$").strip()
