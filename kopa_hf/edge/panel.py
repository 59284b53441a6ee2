"""Second and third stage of filtering with models: two judges, a solver, and what happens when answers differ.

Each judge is asked about every row on its own; nothing tells it what the other said.
A solver works through the row as an agent would. Where its answer is another one, both
judges see both answers, in an order that the row's id decides, without being told whose is whose.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from kopa_hf.agent.models import Message, ModelError
from kopa_hf.agent.session import ExecutedCall, Session
from kopa_hf.bench.model_policy import ModelPolicy, policy_named
from kopa_hf.bench.rows import Row
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.consulting import PATIENCE, Consultant, Question, open_consultant
from kopa_hf.edge.opinions import Opinion, row_of
from kopa_hf.edge.refinement import run_coroutine, run_together
from kopa_hf.edge.store import Store, content_key
from kopa_hf.edge.trajectory import Trajectory
from kopa_hf.errors import BackendError, DataError
from kopa_hf.execution.executor import Executor

REVIEWS: Final = "reviews.sqlite3"
"""File of the run's folder that keeps what judges and solver said."""
_SHOWN: Final = 700
"""Characters of one tool's answer that a judge reads."""

REVIEW: Final = """\
You check one task of a data set that trains agents to call Korean public data APIs. You see the question, the calls \
of the reference solution with the beginning of each answer, and the reference answer. Judge three things, strictly \
and independently of each other:

gradable: one definite answer is due that a program can compare (a number, a date, a name, a short list). Not \
gradable: opinions, long prose, several right answers, an answer that the calls do not support.
leaks: the question states the answer itself, or a value that a call has to find out first (a code, an id).
decorative: numbers of calls that could be left out without changing how the answer is found (their results are not \
used, or they repeat what the question already says). [] where every call is needed.

Answer with one JSON object and nothing else:
{"gradable": true, "leaks": false, "decorative": [], "reason": "one short sentence"}"""

ARBITRATE: Final = """\
Two solvers worked on the same question with the same tools and reached different answers. You see the question and, \
for each, its calls with the beginning of each answer, and what it answered. Decide which answer is right, from the \
question and the data alone.

Answer with one JSON object and nothing else:
{"right": "A", "reason": "one short sentence"}
right is "A", "B", "both" (they mean the same) or "neither"."""

Verdict = Literal["stored", "found", "both", "neither"]


@dataclass(slots=True)
class ModelReviewer:
    """One judge that is a model."""

    consultant: Consultant

    @property
    def name(self) -> str:
        """Told in funnels and provenance."""
        return self.consultant.name

    def review_all(
        self, trajectories: Sequence[Trajectory], progress: Callable[[int, int], None] | None = None
    ) -> list[Opinion | None]:
        """Opinions in the trajectories' order; None where the model gave none that could be used."""
        questions = (Question([*_head(REVIEW), _user(_task_text(t))], _read_opinion(t)) for t in trajectories)
        return self.consultant.ask_all(questions, total=len(trajectories), progress=progress)

    def arbitrate(self, cases: Sequence[tuple[Trajectory, Attempt]]) -> list[Verdict | None]:
        """Which of two answers is right, per case."""
        return self.consultant.ask_all([_arbitration(trajectory, attempt) for trajectory, attempt in cases])


@dataclass(frozen=True, slots=True)
class Attempt:
    """How a solver fared with one row."""

    answer: str | None
    calls: tuple[dict[str, Any], ...] = ()
    """Name, arguments, step and text of every executed call that brought something back."""
    fault: str = ""
    """Set where the solver's server failed; no fault of the row's."""


@dataclass(slots=True)
class ModelSolver:
    """A model that works through rows as an agent; its attempts are kept by row."""

    policy: ModelPolicy
    store: Store
    concurrency: int = 16

    @property
    def name(self) -> str:
        """Told in funnels and provenance."""
        return self.policy.name

    def solve_all(self, rows: Iterable[Row], executor: Executor, token_budget: int) -> list[Attempt]:
        """Attempts in the rows' order."""
        numbered = iter(enumerate(rows))
        found: dict[int, Attempt] = {}
        silent = 0

        async def work() -> None:
            nonlocal silent
            for number, row in numbered:
                attempt = found[number] = await self._attempt(row, executor, token_budget)
                silent = silent + 1 if attempt.fault else 0
                # what is on the way at once fails together; rows are no worse for a server that went away
                if silent >= max(PATIENCE, 2 * self.concurrency):
                    raise self._down(attempt.fault)

        async def all_of_them() -> None:
            try:
                await run_together([work() for _ in range(self.concurrency)])
            finally:
                await self.policy.aclose()

        run_coroutine(all_of_them())
        faults = [attempt.fault for attempt in found.values() if attempt.fault]
        if faults and len(faults) == len(found):
            raise self._down(faults[0])
        return [found[number] for number in range(len(found))]

    def _down(self, fault: str) -> BackendError:
        where = f" in {self.store.path}" if self.store.path else ""
        return BackendError(
            f"The solver {self.name!r} does not answer ({fault}). {len(self.store)} answers are kept{where}; "
            "run the same command again and only the rest is asked."
        )

    async def _attempt(self, row: Row, executor: Executor, token_budget: int) -> Attempt:
        key = content_key("attempt", self.name, row.id)
        kept = self.store.get(key)
        if kept is not None:
            content = json.loads(kept)
            return Attempt(content["answer"], tuple(content["calls"]))
        session = Session(
            executor,
            row.tools,
            system_state=row.system_state,
            seed=row.id,
            max_allowed_calls=row.max_allowed_calls,
            token_budget=token_budget,
        )
        try:
            played = await self.policy.arun(row, session, 0)
        except ModelError as fault:
            return Attempt(None, fault=str(fault))
        attempt = Attempt(played.answer, tuple(_told(call) for call in session.calls if call.result.ok))
        content = {"answer": attempt.answer, "calls": list(attempt.calls)}
        self.store.put({key: json.dumps(content, ensure_ascii=False).encode("utf-8")})
        return attempt


@dataclass(slots=True)
class Panel:
    """Who judges and who solves, where models do; empty: the offline forms do."""

    reviewers: tuple[ModelReviewer, ...] = ()
    solver: ModelSolver | None = None
    store: Store = field(default_factory=lambda: Store(None))

    def close(self) -> None:
        """Close what keeps the answers."""
        for reviewer in self.reviewers:
            reviewer.consultant.close()
        self.store.close()


def open_panel(config: EdgeConfig, folder: Path | None = None) -> Panel | None:
    """The models that the settings name for filtering; None where they name none."""
    if not config.filter_judges and not config.solver:
        return None
    if config.filter_judges and (len(config.filter_judges) != 2 or len(set(config.filter_judges)) != 2):
        named = ", ".join(config.filter_judges)
        raise DataError(f"filter_judges must name two independent judges, that is two models, not {named}.")
    cache = None if folder is None else folder / REVIEWS
    reviewers = tuple(
        ModelReviewer(open_consultant(spec, cache=cache, concurrency=config.model_concurrency))
        for spec in config.filter_judges
    )
    store = Store(cache)
    solver = None
    if config.solver:
        policy = policy_named(config.solver)
        if not isinstance(policy, ModelPolicy):
            raise DataError(f"{config.solver!r} is no model that could solve rows.")
        solver = ModelSolver(policy, store, config.model_concurrency)
    return Panel(reviewers, solver, store)


def _told(call: ExecutedCall) -> dict[str, Any]:
    return {"name": call.name, "arguments": call.arguments, "step": call.step, "text": call.text}


def _head(instructions: str) -> list[Message]:
    return [{"role": "system", "content": instructions}]


def _user(text: str) -> Message:
    return {"role": "user", "content": text}


def _task_text(trajectory: Trajectory) -> str:
    row = row_of(trajectory)
    return f"Question: {trajectory.question}\n\n{_calls_text(_golden(row))}\n\nReference answer: {_answer(row)}"


def _golden(row: Row) -> list[dict[str, Any]]:
    texts = [str(m["content"]) for m in row.completion if m["role"] == "tool"]
    return [{**action, "text": text} for action, text in zip(row.golden_actions, texts, strict=True)]


def _calls_text(calls: Iterable[dict[str, Any]]) -> str:
    lines = []
    for number, call in enumerate(calls, 1):
        arguments = json.dumps(call["arguments"], ensure_ascii=False)
        lines.append(f"Call {number}: {call['name']} {arguments}\n  -> {str(call['text'])[:_SHOWN]}")
    return "\n".join(lines)


def _answer(row: Row) -> str:
    return f"{row.answer}{row.answer_unit} ({row.answer_type})"


def _read_opinion(trajectory: Trajectory) -> Callable[[Any], Opinion]:
    calls = len(trajectory.golden_actions)

    def read(content: Any) -> Opinion:
        gradable, leaking, unneeded = (content.get(key) for key in ("gradable", "leaks", "decorative"))
        if not isinstance(gradable, bool) or not isinstance(leaking, bool):
            raise ValueError("gradable and leaks must be true or false")
        numbers = unneeded if isinstance(unneeded, list) else None
        if numbers is None or not all(isinstance(n, int) and 1 <= n <= calls for n in numbers):
            raise ValueError(f"decorative must be a list of call numbers from 1 to {calls}")
        why = str(content.get("reason") or "no reason given")
        return Opinion("" if gradable else why, why if leaking else "", why if numbers else "")

    return read


def _arbitration(trajectory: Trajectory, attempt: Attempt) -> Question[Verdict]:
    row = row_of(trajectory)
    stored = f"{_calls_text(_golden(row))}\nAnswer: {_answer(row)}"
    found = f"{_calls_text(attempt.calls)}\nAnswer: {attempt.answer}"
    stored_first = int(row.id[:8] or "0", 16) % 2 == 0
    first, second = (stored, found) if stored_first else (found, stored)
    names: dict[str, Verdict] = {"A": "stored" if stored_first else "found", "B": "found" if stored_first else "stored"}

    def read(content: Any) -> Verdict:
        right = content.get("right")
        if right in ("both", "neither"):
            return "both" if right == "both" else "neither"
        if right not in names:
            raise ValueError('right must be "A", "B", "both" or "neither"')
        return names[right]

    text = f"Question: {trajectory.question}\n\nSolver A\n{first}\n\nSolver B\n{second}"
    return Question([*_head(ARBITRATE), _user(text)], read)
