"""First stage of filtering: rules that need no judgement.

Malformed questions, calls made twice, trajectories that came before, programs that do
not settle, and what another day or another execution would answer otherwise.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from kopa_hf.bench.expressions import ProgramError, walk
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.export import row_of
from kopa_hf.edge.meaning import meaning_of
from kopa_hf.edge.trajectory import Trajectory
from kopa_hf.errors import DataError
from kopa_hf.execution.episode import canonical_json
from kopa_hf.execution.executor import Executor

MAX_QUESTION: Final = 420
_QUOTED: Final = re.compile(r"'[^']*'")
_API_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]*[A-Za-z0-9]")
_BROKEN: Final = re.compile(r"[{}<>|\\$]|\bNone\b|\bnull\b|''|  ")
_ENDING: Final = re.compile(r"[.?!]$")
_RELATIVE_DAY: Final = re.compile(r"오늘|어제|그제|내일|이번 ?[주달]|지난 ?[주달해]|작년|올해|현재 시각|지금")
"""Days that move with the day of asking."""
_REAL_TIME: Final = "실시간"
_TIMES: Final = frozenset({"date", "month", "year", "time"})


@dataclass(slots=True)
class Memory:
    """What earlier trajectories of a run looked like; shared by all rounds of filtering."""

    seen: set[str] = field(default_factory=set)
    """Identities and questions."""
    templates: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Kept trajectories by structure and phrasing template."""


def broken_rule(trajectory: Trajectory, executor: Executor, config: EdgeConfig, memory: Memory) -> str | None:
    """The rule that a trajectory breaks, None for none; makes its row on the way."""
    question = trajectory.question
    reason = malformed(question) or _redundant(trajectory, memory) or _passing(trajectory, executor)
    if reason is not None:
        return reason
    try:
        trajectory.row = row_of(trajectory, executor, config)
    except ProgramError:
        return "erroneous: its program does not settle"
    except DataError:
        return "erroneous: the row's layout refuses it"
    if trajectory.row.golden_actions != trajectory.golden_actions:
        return "non-reproducible: another execution makes other calls"
    memory.seen.update((_identity(trajectory), question))
    return None


def malformed(question: str) -> str | None:
    """Why a text is no clean Korean question; None where it is one."""
    if not re.search(r"[가-힣]", question) or _BROKEN.search(question) or not _ENDING.search(question):
        return "malformed: the question is no clean Korean sentence"
    if len(question) > MAX_QUESTION:
        return "malformed: the question is too long"
    if _API_WORD.search(_QUOTED.sub("", question)):
        return "malformed: the question names a field of the API"
    return None


def _redundant(trajectory: Trajectory, memory: Memory) -> str | None:
    calls = [canonical_json([a["name"], a["arguments"]]) for a in trajectory.golden_actions]
    if len(set(calls)) < len(calls):
        return "redundant: a call is made twice"
    if _identity(trajectory) in memory.seen or trajectory.question in memory.seen:
        return "duplicate: the same calls or the same question came before"
    return None


def _identity(trajectory: Trajectory) -> str:
    calls = [canonical_json([a["name"], a["arguments"]]) for a in trajectory.golden_actions]
    return canonical_json([calls, trajectory.answer])


def _passing(trajectory: Trajectory, executor: Executor) -> str | None:
    """What is true today only: relative days, the clock, services of the moment asked without a time."""
    said = _QUOTED.sub("", trajectory.question)
    if any("$clock" in found for found in walk(trajectory.program)) or "get_current_date" in trajectory.tools:
        return "non-reproducible: it depends on the day it runs"
    if _RELATIVE_DAY.search(said):
        return "non-reproducible: the question names no fixed day"
    for action in trajectory.golden_actions:
        if action["name"] in executor.catalog:
            tool = executor.catalog.get(action["name"])
            timed = any(p.name in action["arguments"] and meaning_of(p).kind in _TIMES for p in tool.inputs)
            if _REAL_TIME in tool.title and not timed:
                return "non-reproducible: a service of the moment is asked without a time"
    return None


def over_share(trajectory: Trajectory, memory: Memory, wanted: int, share: float) -> bool:
    """True where one more row of its template would carry more than `share` of the structure's rows."""
    count = memory.templates[trajectory.structure, trajectory.phrasing] + 1
    return count > max(1, int(share * wanted))
