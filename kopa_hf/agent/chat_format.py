"""How one model's conversations are written and its turns are read: its chat template, proven on a probe.

A template is tried in the ways templates differ (arguments as objects or as text,
calls of one turn together or one after the other, our reader or the response template
that Transformers or TRL have for it); the first that carries the probe unchanged is
used, and where none does, nothing runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from kopa_hf.agent.call_text import before_calls, split_thinking
from kopa_hf.agent.models import Message
from kopa_hf.agent.template import PROBE_TOOL, UNREAD, Carried, TemplateError, check_template
from kopa_hf.agent.tool_prompt import plain_messages, without_system
from kopa_hf.agent.trimming import dump
from kopa_hf.agent.turns import Turn, classify_turn

Tools = Sequence[Mapping[str, Any]]

_SYSTEM: Final = "견본지침"
_ANSWER: Final = "견본답변"
_ARGUMENTS: Final[tuple[Literal["object", "text"], ...]] = ("object", "text")
_BEHIND: Final = "\0"
_OPEN_THOUGHTS: Final = ("<think>", "<thinking>", "<thought>")


@dataclass(frozen=True, slots=True)
class ChatFormat:
    """A tokenizer's chat template and the form in which it carries tool calls."""

    tokenizer: Any = field(repr=False)
    name: str = "The chat template"
    """What messages call the template."""
    template_args: Mapping[str, Any] = field(default_factory=dict)
    """Variables that the template takes, e.g. enable_thinking."""
    arguments: Literal["object", "text"] = "object"
    """Arguments as objects, or as their JSON text where the template concatenates them."""
    at_once: bool = True
    """False: calls of one turn are written as turns of their own, each with its result."""
    reader: Literal["own", "response_template"] = "own"
    """Who reads calls out of a turn: `call_text`, or the tokenizer's response template."""
    bare: bool = False
    """True: the template's own calls have no wrapper."""
    tool_prompt: bool = False
    """True: tools stand in the messages, in our own words, because the template cannot carry them."""
    system: bool = True
    """False: the template takes no system message; its text opens the first user message."""

    @property
    def settings(self) -> dict[str, Any]:
        """What of the format a result hangs on, as plain JSON."""
        settings: dict[str, Any] = {"tool_prompt": self.tool_prompt, "reader": self.reader}
        return {**settings, **({"template_args": dict(self.template_args)} if self.template_args else {})}

    def render(self, messages: Sequence[Mapping[str, Any]], tools: Tools, *, open_turn: bool = True) -> str:
        """The conversation as text; `open_turn` adds the head of the assistant's next turn."""
        written: list[Message] = [dict(message) for message in messages]
        if self.tool_prompt:
            written, tools = plain_messages(written, tools), ()
        else:
            written = self._written_calls(written)
        if not self.system:
            written = without_system(written)
        text = self.tokenizer.apply_chat_template(
            written, tools=list(tools) or None, tokenize=False, add_generation_prompt=open_turn, **self.template_args
        )
        return str(text)

    def read(self, text: str, tools: Tools, *, prompt: str = "") -> Message:
        """The assistant message in generated text, OpenAI style; thinking goes into `reasoning_content`.

        A turn whose calls cannot be read keeps its text, so that whoever classifies it
        finds the same break; nothing is repaired.
        """
        thought = next((tag for tag in _OPEN_THOUGHTS if prompt.rstrip().endswith(tag)), "")
        reasoning, visible = split_thinking(thought + text)
        message: Message = {"role": "assistant", "content": visible}
        if reasoning:
            message["reasoning_content"] = reasoning
        if not tools:
            return message
        if self.reader == "response_template" and not self.tool_prompt:
            return {**message, **self._read_by_template(text, tools, prompt)}
        turn = classify_turn(visible, tools)
        if turn.outcome == "called" and (self.bare or not turn.wrong_channel):
            return {**message, "content": before_calls(visible), "tool_calls": _calls(turn)}
        return message

    def generated(self, turn: str) -> str:
        """A rendered turn without the head that the template writes for the model, as its response template says."""
        from transformers.utils.chat_parsing.response_templates import load_response_template

        return str(load_response_template(self.tokenizer.response_template).truncate_past_last_anchor(turn))

    @property
    def end_of_turn(self) -> int | None:
        """Id of the token with which the template closes an assistant's turn; None where no single token does."""
        messages = ({"role": "user", "content": "견본"}, {"role": "assistant", "content": _ANSWER})
        try:
            text = self.render(messages, (), open_turn=False)
        except Exception:  # noqa: BLE001 - a template may refuse a conversation this short
            return None
        behind = text.rpartition(_ANSWER)[2].lstrip() if text.count(_ANSWER) == 1 else ""
        added = self.tokenizer.get_added_vocab()
        found = [token for token in added if behind.startswith(token)]
        return int(added[max(found, key=len)]) if found else None

    def _written_calls(self, messages: Sequence[Message]) -> list[Message]:
        """Calls and results as the template wants them; ids become nine letters, which every template takes."""
        ids: dict[str, str] = {}
        written: list[Message] = []
        for message in messages:
            if message.get("tool_calls"):
                calls = [self._written_call(call, ids) for call in message["tool_calls"]]
                written.append({**message, "tool_calls": calls})
            elif message["role"] == "tool":
                written.append({**message, "tool_call_id": _short(message.get("tool_call_id"), ids)})
            else:
                written.append(message)
        return written if self.at_once else list(_one_by_one(written))

    def _written_call(self, call: Mapping[str, Any], ids: dict[str, str]) -> dict[str, Any]:
        function = dict(call["function"])
        if self.arguments == "text":
            function["arguments"] = dump(function["arguments"])
        return {"id": _short(call.get("id"), ids), "type": "function", "function": function}

    def _read_by_template(self, text: str, tools: Tools, prompt: str) -> Message:
        """Content and calls as the response template finds them; a call that is not closed is none."""
        from transformers.utils.chat_parsing import ResponseParser

        try:
            parser = ResponseParser(self.tokenizer.response_template, prefix=prompt, tools=list(tools))
            # a last mark is only taken as such where something follows it
            closed = parser.feed(text + _BEHIND)
            message, late = parser.finalize()
        except (ValueError, TypeError, KeyError) as error:
            return {"tool_calls": [{"unreadable": str(error)[:200]}]}
        # what only the end of the text closes was cut short by the model
        if any(event["type"] == "region_close" and event["field"] == "tool_calls" for event in late):
            return {"tool_calls": [{"unreadable": "the call is not closed"}]}
        if any(isinstance(call["function"].get("arguments"), str) for call in message.get("tool_calls") or ()):
            return {"tool_calls": [{"unreadable": "the arguments are a text that holds the object"}]}
        said = [event for event in (*closed, *late) if event["type"] == "region_close"]
        # text before and after the calls: the parser keeps the last of it only
        content = [str(event["value"]).replace(_BEHIND, "").strip() for event in said if event["field"] == "content"]
        found: Message = {"content": "\n".join(filter(None, content))}
        return {**found, "tool_calls": message["tool_calls"]} if message.get("tool_calls") else found


def find_format(
    tokenizer: Any, *, name: str, tool_prompt: bool = False, template_args: Mapping[str, Any] | None = None
) -> ChatFormat:
    """The form in which a tokenizer's template carries tool calls, proven by `check_template`.

    `tool_prompt` allows our own description of the tools where the template fails.
    Raises `TemplateError` with the reasons of the template's first form.
    """
    plain = ChatFormat(tokenizer, name=name, template_args=template_args or {})
    if not getattr(tokenizer, "chat_template", None):
        raise TemplateError(["the tokenizer has none"], name)
    failed: list[TemplateError] = []
    for form in _forms(with_system(plain), failed):
        try:
            carried = _proven(form)
        except TemplateError as error:
            failed.append(error)
            continue
        return replace(form, bare=carried.bare, at_once=form.at_once and carried.parallel)
    first = failed[0]
    if not tool_prompt:
        problems = [*first.problems, "--tool-prompt describes the tools in our own words instead"]
        raise TemplateError(problems, name) from first
    described = with_system(replace(plain, tool_prompt=True))
    _proven(described)
    return described


def with_system(form: ChatFormat) -> ChatFormat:
    """The form itself where its template carries a system message, else the one that does without."""
    messages = ({"role": "system", "content": _SYSTEM}, {"role": "user", "content": "견본"})
    try:
        carries = form.render(messages, ()).count(_SYSTEM) == 1
    except Exception:  # noqa: BLE001 - a template refuses by raising, and what it raises is its own
        carries = False
    return form if carries else replace(form, system=False)


def _forms(plain: ChatFormat, failed: Sequence[TemplateError]) -> Iterator[ChatFormat]:
    """What a template may want, likeliest first; `failed` holds what became of the forms before."""
    forms = [
        replace(plain, at_once=at_once, arguments=arguments) for at_once in (True, False) for arguments in _ARGUMENTS
    ]
    yield from forms
    # another reader helps where calls are written well in a form that ours does not know
    unread = any(all(problem.startswith(UNREAD) for problem in error.problems) for error in failed)
    if unread and _knows_responses(plain.tokenizer):
        yield from (replace(form, reader="response_template") for form in forms)


def _knows_responses(tokenizer: Any) -> bool:
    """Whether the tokenizer has a response template, its own or the one that TRL keeps for its chat template."""
    if getattr(tokenizer, "response_template", None):
        return True
    try:
        from trl.chat_template_utils import add_response_schema

        add_response_schema(tokenizer)
    except (ImportError, ValueError):
        return False
    return bool(getattr(tokenizer, "response_template", None))


def _proven(form: ChatFormat) -> Carried:
    def render(messages: Sequence[Mapping[str, Any]], tools: Tools) -> str:
        return form.render(messages, tools, open_turn=False)

    def read(text: str) -> Turn:
        if form.reader == "own":
            return classify_turn(text, [PROBE_TOOL])
        return classify_turn(form.read(form.generated(text), [PROBE_TOOL]), [PROBE_TOOL])

    return check_template(render, read=read, name=form.name, at_once=form.at_once)


def _one_by_one(messages: Sequence[Message]) -> Iterator[Message]:
    """Each call as a turn of its own, followed by its result."""
    results = {message["tool_call_id"]: message for message in messages if message["role"] == "tool"}
    for message in messages:
        calls: Sequence[Any] = message.get("tool_calls") or ()
        if len(calls) > 1:
            for call in calls:
                content = message["content"] if call is calls[0] else ""
                yield {**message, "content": content, "tool_calls": [call]}
                if call["id"] in results:
                    yield results.pop(call["id"])
        elif message["role"] != "tool" or results.pop(message["tool_call_id"], None) is not None:
            yield message


def _short(call_id: Any, ids: dict[str, str]) -> str:
    return ids.setdefault(str(call_id), f"call{len(ids):05d}")


def _calls(turn: Turn) -> list[dict[str, Any]]:
    return [{"type": "function", "function": {"name": name, "arguments": arguments}} for name, arguments in turn.calls]
