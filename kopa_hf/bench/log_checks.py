"""Whether a log's line is one that a run has written: every field that scoring reads, of its type."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, get_args

from kopa_hf.bench.reasons import TEXTS
from kopa_hf.bench.scoring import Status

_Check = tuple[Callable[[Any], bool], str]


def _is(*kinds: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))


def _codes(value: Any) -> bool:
    texts = isinstance(value, list) and all(isinstance(item, str) for item in value)
    return texts and all(item.partition(": ")[0] in TEXTS for item in value)


_TEXT: Final[_Check] = (_is(str), "text")
_MAYBE_TEXT: Final[_Check] = (_is(str, type(None)), "text or null")
_NUMBER: Final[_Check] = (_is(int), "a whole number")
_MAYBE_NUMBER: Final[_Check] = (_is(int, type(None)), "a whole number or null")
_RATE: Final[_Check] = (_is(int, float, type(None)), "a number or null")
_REASONS: Final[_Check] = (_codes, "a list of known reasons")

_LINE: Final[Mapping[str, _Check]] = {
    "policy": _TEXT, "row": _TEXT, "task_version": _TEXT, "seed": _NUMBER, "rollout": _NUMBER, "answer": _MAYBE_TEXT,
    "state_hash": _TEXT, "calls": (_is(list), "a list"), "score": (_is(dict), "an object"),
}  # fmt: skip
_MORE: Final[Mapping[str, _Check]] = {
    "fingerprint": _MAYBE_TEXT, "task": _MAYBE_TEXT, "task_fingerprint": _MAYBE_TEXT, "wrong_channel": _NUMBER,
    "settings": (_is(dict, type(None)), "an object"), "notes": _REASONS, "judge": _MAYBE_TEXT, "fault": _MAYBE_TEXT,
    "rescored": (_is(dict), "an object"), "command": _MAYBE_TEXT,
}  # fmt: skip
_CALL: Final[Mapping[str, _Check]] = {
    "call_id": _TEXT, "name": _TEXT, "arguments": (lambda value: True, "anything"), "outcome": _TEXT,
    "failure": _MAYBE_TEXT, "total": _MAYBE_NUMBER, "page": _MAYBE_NUMBER, "page_size": _MAYBE_NUMBER,
    "message": _MAYBE_TEXT, "requests": _NUMBER, "step": _NUMBER, "executed": (_is(bool), "true or false"),
    "result_id": _MAYBE_TEXT,
}  # fmt: skip
_SCORE: Final[Mapping[str, _Check]] = {
    "status": (lambda value: value in get_args(Status), "a known status"), "reward": _RATE, "response": _RATE,
}  # fmt: skip


def line_problem(line: Any) -> str:
    """What a rollout's line lacks or holds of a wrong type, the first such thing; empty where it is sound."""
    return next(_problems(line), "")


def _problems(line: Any) -> Iterator[str]:
    yield from _wrong(line, _LINE, "")
    yield from _wrong({name: line[name] for name in _MORE if name in line}, _MORE, "", required=False)
    for number, call in enumerate(line["calls"], start=1):
        if not isinstance(call, dict):
            yield f"call {number} is no object"
            continue
        yield from _wrong(call, _CALL, f"call {number}: ")
    yield from _wrong(line["score"], _SCORE, "score: ")
    if "reasons" in line["score"]:
        yield from _wrong(line["score"], {"reasons": _REASONS}, "score: ")


def _wrong(
    values: Mapping[str, Any], checks: Mapping[str, _Check], where: str, *, required: bool = True
) -> Iterator[str]:
    for name, (fits, what) in checks.items():
        if name not in values:
            if required:
                yield f"{where}{name!r} is missing"
        elif not fits(values[name]):
            yield f"{where}{name!r} must be {what}"
