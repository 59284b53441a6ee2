"""Hand-written tasks: templates whose entities are picked from the backend in use.

A task is one YAML file under `data/tasks`. Its selector calls tools and chooses
records, seeded; the choices fill the slots of the question and of the golden
program. Where the data does not settle the answer, another choice is tried; a
task that cannot be grounded is listed with the reason and never scored.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import islice
from typing import Any, Final

from kopa_hf.agent.session import Session
from kopa_hf.bench.canary import CANARY
from kopa_hf.bench.derivation import underivable, unreadable
from kopa_hf.bench.expressions import ProgramError, evaluate, matching
from kopa_hf.bench.korean import fill
from kopa_hf.bench.leaks import leaks
from kopa_hf.bench.policies import Policy, shortcuts
from kopa_hf.bench.program import GoldenCall, RunScope, literal
from kopa_hf.bench.rendering import RowPlan, render_row
from kopa_hf.bench.rows import Row
from kopa_hf.bench.runner import open_session
from kopa_hf.bench.scoring import score_rollout
from kopa_hf.errors import DataError, TaskError
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.result import CallResult
from kopa_hf.platforms.base import Record

TRIES: Final = 120
"""Choices of entities that are tried before a task counts as not groundable."""


class GroundingError(TaskError):
    """The backend has no entities on which the task has a settled answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One template. `slots` stand as `{path:particle pair}` in the texts and as `$slot` in the program."""

    name: str
    """File name without suffix."""
    version: str
    """Raised whenever a score can change."""
    domain: str
    structure: str
    """SEQ, FAN, DRV, SEM, CMP, COND or MIXED."""
    question: str
    program: Mapping[str, Any]
    offered: Sequence[str]
    """Golden tools and tempting distractors, in the order a model sees them."""
    answer_type: str
    answer_unit: str = ""
    reply: str = ""
    selector: Sequence[Mapping[str, Any]] = ()
    reward_basis: Sequence[str] = ("RESPONSE",)
    headroom: float = 2.45
    system_state: Mapping[str, Any] = field(default_factory=lambda: {"current_date": "2026-01-30"})

    @property
    def fingerprint(self) -> str:
        """16 hex digits of the task's content without name and version; comments and layout of its file do not count."""
        content = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("name", "version")}
        text = json.dumps(content, ensure_ascii=False, sort_keys=True, default=str)
        return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]

    def ground(self, executor: Executor, seed: int = 0) -> Row:
        """An instance on this backend; raises `GroundingError` with the last reason.

        Entities are chosen anew where the data does not settle the answer, where the question
        holds it, where a solver could not see what the golden path uses, or where a shortcut happens to be right.
        """
        memory: dict[str, CallResult] = {}
        reasons: list[str] = []
        for attempt in range(TRIES):
            try:
                slots = self._select(executor, _stream(self.name, seed, attempt), memory)
                row = render_row(self._plan(slots, seed), executor)
                doubts = [*leaks(row), *unreadable(row), *underivable(row)]
                doubts += [f"{p.name} passes by chance" for p in shortcuts(row) if _passes(p, row, executor)]
                if not doubts:
                    return row
                reasons.append(doubts[0])
            except ProgramError as error:
                reasons.append(str(error))
        raise GroundingError(f"Task {self.name} cannot be grounded with seed {seed}: {reasons[-1]}")

    def _plan(self, slots: Mapping[str, Any], seed: int) -> RowPlan:
        return RowPlan(
            question=fill(self.question, slots).strip(),
            tools=self.offered,
            program={**self.program, "slots": literal(dict(slots))},
            answer_type=self.answer_type,
            answer_unit=self.answer_unit,
            reply=self._reply(slots),
            reward_basis=self.reward_basis,
            system_state=self.system_state,
            headroom=self.headroom,
            structure=self.structure,
            domain=self.domain,
            version=self.version,
            provenance={
                "task": self.name,
                "fingerprint": self.fingerprint,
                "seed": seed,
                "kind": "hand-written",
                "canary": CANARY,
            },
        )

    def _reply(self, slots: Mapping[str, Any]) -> str:
        """Slots filled now; the answer's own places stay for when it is known."""
        kept = {name: "{" + name + "}" for name in ("answer", "deciding")}
        return fill(self.reply, {**slots, **kept})

    def _select(self, executor: Executor, rng: random.Random, memory: dict[str, CallResult]) -> dict[str, Any]:
        session = Session(executor, [], system_state=self.system_state)
        slots: dict[str, Any] = {}
        scope = RunScope(slots, session.episode.clock)
        for step in self.selector:
            if "call" in step:
                scope.done[str(step["call"])] = [_look_up(step, scope, executor, memory)]
            elif "pick" in step:
                slots[str(step["pick"])] = rng.choice(step["of"])
            elif "choose" in step:
                slots[str(step["choose"])] = _choose(step, scope, rng)
            elif "set" in step:
                slots.update({name: literal(evaluate(value, scope)) for name, value in step["set"].items()})
            elif evaluate(step["require"], scope) is not True:
                raise ProgramError(f"The choice does not meet {step['require']}.")
        return slots


@dataclass(frozen=True, slots=True)
class Grounding:
    """The instances of a set of tasks on one backend."""

    rows: list[Row]
    failed: list[tuple[str, str]]
    """(task, reason) of those that this backend cannot ground; they are not scored."""


def ground_tasks(executor: Executor, seed: int = 0, tasks: Iterable[Task] | None = None) -> Grounding:
    """One row per task that can be grounded, in task order."""
    rows: list[Row] = []
    failed: list[tuple[str, str]] = []
    for task in tasks if tasks is not None else load_tasks():
        try:
            rows.append(task.ground(executor, seed))
        except GroundingError as error:
            failed.append((task.name, str(error)))
    return Grounding(rows, failed)


@lru_cache(maxsize=1)
def load_tasks() -> tuple[Task, ...]:
    """The built-in tasks, by name."""
    folder = files("kopa_hf.bench") / "data" / "tasks"
    sources = sorted((f for f in folder.iterdir() if f.name.endswith(".yaml")), key=lambda f: f.name)
    return tuple(read_task(source) for source in sources)


def read_task(source: Traversable) -> Task:
    """A task from its file; `DataError` names the file and what is wrong in it."""
    import yaml

    try:
        values = yaml.safe_load(source.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise DataError(f"Task file {source.name} is no YAML: {error}") from error
    if not isinstance(values, dict):
        raise DataError(f"Task file {source.name} must hold one mapping.")
    known = {f.name for f in fields(Task)}
    unknown = [key for key in values if key not in known or key == "name"]
    if unknown:
        raise DataError(
            f"Task file {source.name}: unknown keys {', '.join(unknown)}; known: {', '.join(sorted(known))}."
        )
    try:
        return Task(name=source.name.removesuffix(".yaml"), **values)
    except TypeError as error:
        raise DataError(f"Task file {source.name}: {error}.") from error


def _passes(policy: Policy, row: Row, executor: Executor) -> bool:
    session = open_session(row, executor)
    answer = policy.run(row, session)
    return score_rollout(row, session.calls, session.state_hash, answer).reward == 1.0


def _stream(task: str, seed: int, attempt: int) -> random.Random:
    digest = hashlib.sha256(f"{task}/{seed}/{attempt}".encode()).digest()
    return random.Random(int.from_bytes(digest[:8], "big"))


def _look_up(step: Mapping[str, Any], scope: RunScope, executor: Executor, memory: dict[str, CallResult]) -> GoldenCall:
    """A selector's call; `all_pages` collects them. Equal calls of one grounding are made once."""
    name, arguments = str(step["name"]), literal(evaluate(step.get("arguments") or {}, scope))
    remembered = f"{name} {arguments!r} {step.get('all_pages')}"
    if remembered not in memory:
        session = Session(executor, [name, "collect_pages"])
        session.call(name, arguments)
        first = session.calls[-1]
        if step.get("all_pages") and first.result_id is not None:
            session.call("collect_pages", {"result_id": first.result_id})
        memory[remembered] = session.calls[-1].result
    result = memory[remembered]
    if result.outcome not in ("ok", "no_data"):
        raise ProgramError(f"Selector: {name} answered {result.outcome}: {result.message}.")
    return GoldenCall(str(step["call"]), name, arguments, (), 0, "", "", result, None)


def _choose(step: Mapping[str, Any], scope: RunScope, rng: random.Random) -> Any:
    """One record (or `count` of them) of an earlier call that meets `where`.

    `distinct`: different in that field. `unique`: no other record's field contains the
    value, so that a search by it finds one record only.
    """
    everything = scope.records(str(step["from"]))
    records = list(filter(matching(step.get("where") or {}, scope), everything))
    if "distinct" in step:
        records = list({str(r[step["distinct"]]): r for r in records}.values())
    count = step.get("count")
    wanted = count or 1
    if len(records) < wanted:
        raise ProgramError(f"Selector: {len(records)} records to choose {step['choose']} from, {wanted} are due.")
    shuffled: Iterable[Record] = rng.sample(records, len(records) if "unique" in step else wanted)
    if "unique" in step:
        shuffled = (r for r in shuffled if _stands_alone(r, everything, step["unique"]))
    chosen = list(islice(shuffled, wanted))
    if len(chosen) < wanted:
        raise ProgramError(f"Selector: {len(chosen)} records have a {step['unique']} of their own, {wanted} are due.")
    kept = [_kept(record, step.get("fields")) for record in chosen]
    return kept if count else kept[0]


def _stands_alone(record: Record, everything: Sequence[Record], name: str) -> bool:
    value = str(record.get(name))
    return sum(value in str(other.get(name)) for other in everything) == 1


def _kept(record: Record, names: Sequence[str] | None) -> Record:
    """Only what the task names, so that a row does not carry whole records."""
    missing = [name for name in names or () if name not in record]
    if missing:
        raise ProgramError(f"Selector: the record has no {', '.join(missing)}; it has {', '.join(record)}.")
    return {name: record[name] for name in names} if names else dict(record)
