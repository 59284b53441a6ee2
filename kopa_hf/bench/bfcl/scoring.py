"""What one output earns: the leaderboard's verdict (`strict`) and the value-typed one (`typed`), side by side.

An output has the official result files' shape, so that either tool can score the other's:
single turn `[{name: argument text}, …]` or the text that was said instead; multi-turn a list
of turns, each a list of such steps.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from kopa_hf.agent.turns import TurnOutcome, classify_turn
from kopa_hf.bench.bfcl.backends import ApiCall
from kopa_hf.bench.bfcl.categories import is_multi_turn, is_relevance
from kopa_hf.bench.bfcl.decoding import DecodeError, call_like, calls_of_message, calls_of_text
from kopa_hf.bench.bfcl.docs import tool_schemas
from kopa_hf.bench.bfcl.entries import Entry
from kopa_hf.bench.bfcl.multi_turn import check_turns
from kopa_hf.bench.bfcl.strict import RIGHT, Call, Outcome, check_calls, offered_name
from kopa_hf.bench.bfcl.typed import check_values

Mode = Literal["fc", "prompt"]
"""fc: calls in the call channel of a chat endpoint. prompt: functions in the system prompt, calls as text."""
Step = str | list[dict[str, str]]
"""One message of a model: its calls, else its text."""


@dataclass(frozen=True, slots=True)
class Score:
    """Both verdicts on one output."""

    strict: Outcome
    typed: Outcome
    turn: TurnOutcome | None = None
    """What a single-turn output was; None for multi-turn."""
    wrong_channel: bool = False
    """Calls that stood in the text although there was a channel for them: calls for `typed`, none for `strict`."""


def score(entry: Entry, mode: Mode, result: Any, root: Path | None = None, *, model: str = "model") -> Score:
    """Score one output. `root`: where `bfcl_eval` lies; only multi-turn entries need it.

    model: the evaluated model's name, on which the official verdict hangs in rare multi-turn cases.
    """
    if is_multi_turn(entry.category):
        if root is None:
            raise ValueError("multi-turn entries need the folder of the simulated APIs")
        return _score_turns(entry, mode, result, root, model)
    seen = read_step(entry, mode, result)
    return Score(strict_single(entry, mode, result), _typed_single(entry, mode, seen), seen.outcome, seen.wrong_channel)


def strict_single(entry: Entry, mode: Mode, result: Any) -> Outcome:
    """The official verdict on a single-turn output."""
    if is_relevance(entry.category):
        try:
            # these categories are read as Python in every language
            called = bool(_decoded(result, mode, "python"))
        except DecodeError:
            called = False
        wanted = not entry.category.endswith("irrelevance")
        kind = "relevance_error:decoder_failed" if wanted else "irrelevance_error:decoder_success"
        return RIGHT if called is wanted else Outcome(False, kind)
    try:
        calls = _decoded(result, mode, entry.language)
    except DecodeError:
        return Outcome(False, "ast_decoder:decoder_failed")
    underscored = mode == "fc"
    return check_calls(entry.functions, calls, entry.gold, entry.category, entry.language, underscored=underscored)


def strict_turns(entry: Entry, mode: Mode, result: Any, root: Path, model: str) -> Outcome:
    """The official verdict on a multi-turn output."""
    if not isinstance(result, list) or not all(isinstance(turn, list) for turn in result):
        return Outcome(False, "multi_turn:inference_error")
    if len(result) != len(entry.gold):
        return Outcome(False, "multi_turn:force_terminated")
    return check_turns(entry, [_executable(turn, mode) for turn in result], root, strict=model)


@dataclass(frozen=True, slots=True)
class Seen:
    """A step as `typed` reads it."""

    outcome: TurnOutcome
    calls: list[Call]
    wrong_channel: bool = False
    text: str = ""
    """What was said, where nothing was called."""


def read_step(entry: Entry, mode: Mode, step: Any) -> Seen:
    """What one step is: calls, an answer, a broken call, or nothing."""
    if mode == "fc":
        tools = tool_schemas(entry.functions, entry.language)
        turn = classify_turn(_message(step), tools)
        return Seen(turn.outcome, turn.calls, turn.wrong_channel, turn.text)
    text = step if isinstance(step, str) else ""
    try:
        calls = _decoded(text, mode, entry.language)
    except DecodeError:
        calls = []
    if calls:
        return Seen("called", calls)
    if not text.strip("`\n []"):
        return Seen("empty", [])
    if call_like(text, [function["name"] for function in entry.functions]):
        return Seen("unparsable", [])
    return Seen("abstained", [], text=text)


def _message(step: Any) -> dict[str, Any]:
    if isinstance(step, str):
        return {"role": "assistant", "content": step}
    calls: Any = step if step is not None else []
    if _is_calls(calls):
        calls = [{"function": {"name": name, "arguments": text}} for call in calls for name, text in call.items()]
    return {"role": "assistant", "content": "", "tool_calls": calls}


def _typed_single(entry: Entry, mode: Mode, seen: Seen) -> Outcome:
    """A call that cannot be read is no refusal, and a refusal says something."""
    if is_relevance(entry.category):
        if entry.category.endswith("irrelevance"):
            if seen.outcome != "abstained":
                return Outcome(False, seen.outcome)
            return RIGHT if has_words(seen.text) else Outcome(False, "no_words")
        if seen.outcome != "called":
            return Outcome(False, seen.outcome)
        return RIGHT if all(_is_offered(entry, mode, call) for call in seen.calls) else Outcome(False, "wrong_call")
    if seen.outcome != "called":
        return Outcome(False, seen.outcome)
    return check_values(entry.functions, seen.calls, entry.gold, entry.language, underscored=mode == "fc")


def has_words(text: str) -> bool:
    """Whether a person could read it: some word, and no sign of broken or random bytes."""
    broken = any(unicodedata.category(char) in ("Cc", "Cn", "Co", "Cs") and char not in "\n\r\t" for char in text)
    return not broken and "\ufffd" not in text and re.search(r"[^\W\d_]{2}", text) is not None


def _is_offered(entry: Entry, mode: Mode, call: Call) -> bool:
    """A call of an offered function with what it requires, and nothing that it does not know."""
    name, arguments = call
    for function in entry.functions:
        if offered_name(function["name"], mode == "fc") == name:
            parameters = function["parameters"]
            return set(parameters.get("required", ())) <= arguments.keys() <= parameters["properties"].keys()
    return False


def _score_turns(entry: Entry, mode: Mode, result: Any, root: Path, model: str) -> Score:
    strict = strict_turns(entry, mode, result, root, model)
    if strict.error in ("multi_turn:inference_error", "multi_turn:force_terminated"):
        return Score(strict, strict)
    wrong_channel = False
    for turn, gold in zip(result, entry.gold, strict=True):
        last = read_step(entry, mode, turn[-1] if turn else "")
        wrong_channel |= last.wrong_channel
        if not gold and last.outcome != "called" and (last.outcome != "abstained" or not has_words(last.text)):
            # nothing can be done in this turn: a question or a refusal is due
            kind = "no_words" if last.outcome == "abstained" else last.outcome
            return Score(strict, Outcome(False, kind), None, wrong_channel)
    typed = check_turns(entry, [_executable(turn, mode) for turn in result], root)
    return Score(strict, typed, None, wrong_channel)


def _decoded(result: Any, mode: Mode, language: Any) -> list[Call]:
    if mode == "prompt":
        if not isinstance(result, str):
            raise DecodeError("no text")
        return calls_of_text(result, language)
    if isinstance(result, str):
        if result:
            raise DecodeError("text instead of calls")
        return []
    if not _is_calls(result):
        raise DecodeError("neither calls nor text")
    return calls_of_message([pair for call in result for pair in call.items()])


def _is_calls(step: Any) -> bool:
    """Whether a step has the shape of calls: a list of objects, function → argument text."""
    return isinstance(step, list) and all(isinstance(call, dict) for call in step)


def _executable(steps: Sequence[Any], mode: Mode) -> list[list[ApiCall]]:
    """The steps of a turn that are calls; any other step is passed over, as the official runner does."""
    found: list[list[ApiCall]] = []
    for step in steps:
        try:
            calls = api_calls(step, mode)
        except DecodeError:
            continue
        if calls:
            found.append(calls)
    return found


def api_calls(step: Any, mode: Mode) -> list[ApiCall]:
    """The calls of one step, ready to run. Raises `DecodeError` where there are none to read."""
    if mode == "fc":
        return [ApiCall(name, arguments) for name, arguments in _decoded(step, mode, "python")]
    return [ApiCall(n, {k: _runnable(v) for k, v in args.items()}) for n, args in _decoded(step, mode, "python")]


def _runnable(value: Any) -> Any:
    """The official runner takes an object of nothing but objects for a call, and writes an object's names as text."""
    if isinstance(value, Mapping):
        if all(isinstance(one, Mapping) for one in value.values()):
            if not value:
                raise DecodeError("an empty object stands where a call is expected")
            name = next(iter(value))
            return ApiCall(str(name), {str(k): _runnable(v) for k, v in value[name].items()})
        return {str(name): _runnable(one) for name, one in value.items()}
    return value
