"""Habits that a policy may fall into while it learns, none of which may be paid.

A habit makes calls without following the question (none at all, every tool, the same call again and again) or
makes the golden ones, and then answers without reading: the bare form of an answer, every value in sight, numbers
copied from what came back. The reward of each is the one that training pays.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from kopa_hf.agent.session import Session
from kopa_hf.bench.actions import tool_schemas
from kopa_hf.bench.golden import WRITING_TOOLS
from kopa_hf.bench.rows import Row
from kopa_hf.bench.runner import open_session
from kopa_hf.bench.scoring import score_rollout
from kopa_hf.execution.executor import Executor

_NUMBER: Final = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])")
_QUOTED: Final = re.compile(r"'([^']{1,60})'")

Calls = Callable[[Row, Session], None]
Progress = Callable[[int, int], Any]
"""Called with (rows done, rows in all)."""


def silent(row: Row, session: Session) -> None:
    """No call."""


def every_tool(row: Row, session: Session) -> None:
    """Each offered tool once, its required inputs filled with what the question quotes."""
    for name, schema in tool_schemas(row).items():
        session.call(name, _filled(row, schema))


def first_tool_again(row: Row, session: Session) -> None:
    """The first offered tool with the same arguments, beyond what is allowed."""
    name, schema = next(iter(tool_schemas(row).items()))
    for _ in range(row.max_allowed_calls + 1):
        session.call(name, _filled(row, schema))


def golden_call_again(row: Row, session: Session) -> None:
    """The first golden call with the same arguments, as often as is allowed."""
    action = _reads(row)[0] if _reads(row) else None
    for _ in range(row.max_allowed_calls if action else 0):
        session.call(action["name"], action["arguments"])  # type: ignore[index]


def golden_reads(row: Row, session: Session) -> None:
    """All golden calls that write nothing."""
    for action in _reads(row):
        session.call(action["name"], action["arguments"], step=action["step"])


CALLS: Final[tuple[Calls, ...]] = (silent, every_tool, first_tool_again, golden_call_again, golden_reads)
_BLIND: Final[tuple[Calls, ...]] = (every_tool, first_tool_again)
"""Those that make calls without knowing the golden ones."""
_GOLDEN: Final[tuple[Calls, ...]] = (golden_call_again, golden_reads)
_COPIED: Final = frozenset({"number", "amount", "code"})
"""Kinds of answer that a copied number may be."""

_SAYS_NONE: Final = frozenset({"no data", "all values in the box", "all values in prose"})
"""Answers that say there is none, or hold the message of a service that says so."""

FORMS: Final[dict[str, str]] = {
    "empty box": "\\boxed{}",
    "a word in the box": "답은 \\boxed{값}입니다.",
    "dots in the box": "최종 답: \\boxed{...}",
    "zero": "답은 0입니다. \\boxed{0}",
    "yes": "\\boxed{예}",
    "yes, 0": "\\boxed{예, 0}",
    "no": "\\boxed{아니오}",
    "no data": "해당하는 자료가 없습니다. \\boxed{자료 없음}",
    "a question back": "어느 지역, 기관, 날짜를 말씀하시는지 알려 주세요?",
}
"""Answers that hold a form and no value; said after any calls."""


def answers(session: Session) -> Iterator[tuple[str, str]]:
    """(name, answer): the forms, every value in sight in several spellings, and copied numbers.

    In sight is what the model was shown: the trimmed texts, not the whole results.
    """
    yield from FORMS.items()
    texts = [call.text for call in session.calls]
    values = list(dict.fromkeys(value for text in texts for value in _leaves(json.loads(text))))
    if values:
        joined = ", ".join(values)
        yield "all values in the box", f"\\boxed{{{joined}}}"
        yield "all values in prose", f"조회한 값은 {joined}입니다."
        yield "a box for each value", " ".join(f"\\boxed{{{value}}}" for value in values)
    numbers = [number for text in texts for number in _NUMBER.findall(text)]
    if numbers:
        distinct = list(dict.fromkeys(numbers))
        yield "all numbers in the box", f"\\boxed{{{', '.join(distinct)}}}"
        yield "all numbers in prose", f"결과의 수는 {', '.join(distinct)}입니다."


def copied_numbers(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """(name, answer): one number of what came back, picked without reading."""
    numbers = [number for text in texts for number in _NUMBER.findall(text)]
    if numbers:
        by_size = sorted(numbers, key=float)
        picks = {
            "the first number": numbers[0],
            "the last number": numbers[-1],
            "the largest number": by_size[-1],
            "the smallest number": by_size[0],
            "the most frequent number": Counter(numbers).most_common(1)[0][0],
        }
        for name, number in picks.items():
            yield name, f"답은 {number}입니다. \\boxed{{{number}}}"


@dataclass(slots=True)
class Habit:
    """What one habit earned over the rows."""

    calls: str
    answer: str
    rollouts: int = 0
    paid: list[str] = field(default_factory=list)
    """Ids of the rows that paid it."""
    unscored: int = 0
    """Rollouts without a reward, where a fault of the backend hid the failure."""


def play_habits(rows: Sequence[Row], executor: Executor, progress: Progress | None = None) -> list[Habit]:
    """Every habit on every row. Copying one number counts as a habit only after calls that do not know the golden
    ones: where a chain ends in the one figure that was asked for, saying it is the right answer. So is "no data"
    after the golden lookups where that is what they show, also in the words of the service that has none."""
    found: dict[tuple[str, str], Habit] = {}
    for done, row in enumerate(rows, 1):
        for calls in CALLS:
            session = open_session(row, executor)
            calls(row, session)
            said = [*answers(session), *(copied_numbers(c.text for c in session.calls) if calls in _BLIND else ())]
            for name, answer in said:
                if name in _SAYS_NONE and row.answer_type == "no_data" and calls in _GOLDEN:
                    continue
                habit = found.setdefault((calls.__name__, name), Habit(calls.__name__, name))
                habit.rollouts += 1
                reward = score_rollout(row, session.calls, session.state_hash, answer).reward
                if reward is None:
                    habit.unscored += 1
                elif reward > 0:
                    habit.paid.append(row.id)
        if progress is not None:
            progress(done, len(rows))
    return list(found.values())


def guessed_by(row: Row, executor: Executor) -> str | None:
    """The habit of copying a number, or of saying 0, that this row pays; None where it pays none. For filters of rows."""
    if row.answer_type not in _COPIED:
        return None
    session = open_session(row, executor)
    every_tool(row, session)
    texts = [call.text for call in session.calls]
    # after the first tool alone, and after all: the same call again brings the same numbers
    for of, seen in ((first_tool_again, texts[:1]), (every_tool, texts)):
        for name, answer in (*copied_numbers(seen), ("zero", FORMS["zero"])):
            if score_rollout(row, session.calls, session.state_hash, answer).reward:
                return f"{of.__name__}, {name}"
    return None


def spread_rows(rows: Sequence[Row], number: int) -> list[Row]:
    """At most so many rows, evenly over structures and ids; rows for a judge are left out."""
    sorted_rows = sorted((row for row in rows if row.answer_type != "judge"), key=lambda row: (row.structure, row.id))
    picked = min(number, len(sorted_rows))
    return [sorted_rows[at * len(sorted_rows) // picked] for at in range(picked)]


def _reads(row: Row) -> list[dict[str, Any]]:
    return [action for action in row.golden_actions if action["name"] not in WRITING_TOOLS]


def _filled(row: Row, schema: dict[str, Any]) -> dict[str, Any]:
    """Required arguments, from what the question quotes, its numbers, or a filler."""
    question = str(row.prompt[-1]["content"])
    words = _QUOTED.findall(question) or _NUMBER.findall(question) or ["1"]
    fillers: dict[str, Any] = {"integer": 1, "number": 1, "boolean": True, "array": [{"값": "1"}], "object": {}}
    filled = {}
    for name in schema.get("required", ()):
        kind = schema.get("properties", {}).get(name, {})
        filled[name] = kind["enum"][0] if kind.get("enum") else fillers.get(kind.get("type", "string"), words[0])
    return filled


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    elif value is not None:
        yield str(value)
