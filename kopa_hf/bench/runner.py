"""Runs a policy over rows: sessions, faults, log, resume, report.

Every rollout is written to the log when it is finished. A run that starts over an
existing log keeps what was scored and runs faults again, so nothing is lost on
Ctrl-C; where only a judge is missing or failed, the judge alone is asked again.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from kopa_hf.agent.models import ModelError
from kopa_hf.agent.session import Session
from kopa_hf.bench.log_lock import hold_log
from kopa_hf.bench.policies import Policy
from kopa_hf.bench.response import Judge
from kopa_hf.bench.rollouts import PolicyReport, Rollout, report
from kopa_hf.bench.rows import Row, row_fingerprint
from kopa_hf.bench.run_log import (
    Line,
    RowKey,
    append_lines,
    log_line,
    mend_torn_end,
    read_run_log,
    row_line,
    scored_again,
)
from kopa_hf.bench.scoring import Fault, Score, score_rollout
from kopa_hf.bench.together import ConcurrentPolicy, Played, sampling_seed, side_by_side
from kopa_hf.errors import BackendError, BudgetError, ModelServerError
from kopa_hf.execution.executor import Executor

_FINISHED: Final = ("scored", "unscored", "judge_fault")
"""Statuses in which nothing of the agent's own run is missing."""

Progress = Callable[[int, int], None]
"""Called with (rollouts done, rollouts in all)."""

_DEAD: Final = 5
"""Rollouts at the start of a run that must all fail alike before the run stops: such a server answers nobody."""
_LASTING: Final = ("auth", "connection", "request", "not_a_response")
"""Faults of a model server that waiting does not mend."""

_Job = tuple[Row, int]
"""A row and the rollout's number."""

Watch = Callable[[Rollout], None]
"""Called with every rollout as it ends, those kept from a log included."""


def evaluate(
    policy: Policy,
    rows: Sequence[Row],
    executor: Executor,
    *,
    rollouts: int = 1,
    seed: int = 0,
    token_budget: int = 2000,
    judge: Judge | None = None,
    log: Path | None = None,
    progress: Progress | None = None,
    watch: Watch | None = None,
    concurrency: int = 1,
    command: str | None = None,
) -> PolicyReport:
    """Run every row `rollouts` times and score it.

    `seed` and the rollout's number make the stream of injected faults and what a model
    samples with, so a run can be repeated exactly. With `log`, finished rollouts of an
    earlier, interrupted run are kept, except faults, which are run again. Policies that
    wait for a model server run `concurrency` rollouts at once; the report, in the order
    of the rows, is the same at any number, and only the log's lines stand as they ended.
    `command`: the command line that asked for the run, for the log to name; no keys in it.
    Raises `ModelServerError` where the model's server fails from the start and for good,
    and `DataError` where another run is writing the log.
    """
    with nullcontext() if log is None else hold_log(log):
        return _evaluate(
            policy, rows, _Run(policy.name, _settings(policy), executor, seed, token_budget, judge, log, watch, progress, command),
            rollouts, concurrency,
        )  # fmt: skip


def _evaluate(
    policy: Policy | ConcurrentPolicy, rows: Sequence[Row], run: _Run, rollouts: int, concurrency: int
) -> PolicyReport:
    jobs = [(row, number) for row in rows for number in range(rollouts)]
    run.total = len(jobs)
    kept = {(r.row_id, r.number): r for r in _resumable(run, rows)}
    for key in [(row.id, number) for row, number in jobs if (row.id, number) in kept]:
        run.note(kept[key])
    due = [(row, number) for row, number in jobs if (row.id, number) not in kept]
    if isinstance(policy, ConcurrentPolicy):
        asyncio.run(_play_side_by_side(policy, due, run, concurrency))
    else:
        _play_in_turn(policy, due, run)
    return report(policy.name, rows, [run.done[row.id, number] for row, number in jobs], seed=run.seed)


def _play_in_turn(policy: Policy, jobs: Sequence[_Job], run: _Run) -> None:
    for row, number in jobs:
        session = run.open(row, number)
        with _ending() as end:
            answer = policy.run(row, session)
            end.played = Played(answer, tuple(getattr(policy, "notes", ())))
        run.close(row, number, session, end, run.score(row, session, end))


async def _play_side_by_side(policy: ConcurrentPolicy, jobs: Sequence[_Job], run: _Run, concurrency: int) -> None:
    async def play(job: _Job) -> tuple[Session, _End, Score]:
        row, number = job
        session = run.open(row, number)
        with _ending() as end:
            end.played = await policy.arun(row, session, sampling_seed(run.seed, number, row.id))
        if run.judge is not None and row.answer_type == "judge":
            # a judge waits for a server of its own; the other rollouts need not
            return session, end, await asyncio.to_thread(run.score, row, session, end)
        return session, end, run.score(row, session, end)

    try:
        async with aclosing(side_by_side(jobs, play, concurrency)) as ended:
            async for (row, number), (session, end, score) in ended:
                run.close(row, number, session, end, score)
    finally:
        await policy.aclose()


def open_session(row: Row, executor: Executor, *, token_budget: int = 2000, stream: str = "") -> Session:
    """A fresh episode of a row, exactly as trainers and evaluators give it."""
    return Session(
        executor,
        row.tools,
        system_state=row.system_state,
        seed=row.id,
        max_allowed_calls=row.max_allowed_calls,
        token_budget=token_budget,
        stream=stream,
    )


@dataclass(slots=True)
class _End:
    """How a rollout ended: played to its end, or spoiled by a fault."""

    played: Played = field(default_factory=lambda: Played(None))
    fault: Fault | None = None
    why: str = ""
    """What failed: of a model server `kind: text`."""


@dataclass(slots=True)
class _Run:
    """What the rollouts of one policy have in common, and those that have ended."""

    policy: str
    settings: dict[str, Any]
    """Under which settings the policy runs; what ran under others is not resumed."""
    executor: Executor
    seed: int
    token_budget: int
    judge: Judge | None
    log: Path | None
    watch: Watch | None
    progress: Progress | None
    command: str | None = None
    total: int = 0
    done: dict[tuple[str, int], Rollout] = field(default_factory=dict)
    logged: set[RowKey] = field(default_factory=set)
    """Rows that the log holds."""
    failed: int | None = 0
    """Rollouts so far, all spoiled by a lasting fault of the model's server; None: one was not."""

    def open(self, row: Row, number: int) -> Session:
        """A session for one rollout; nothing in it hangs on the others."""
        return open_session(row, self.executor, token_budget=self.token_budget, stream=f"{self.seed}/{number}")

    def score(self, row: Row, session: Session, end: _End) -> Score:
        """What a rollout that has ended earned."""
        answer, notes = end.played.answer, end.played.notes
        return score_rollout(
            row, session.calls, session.state_hash, answer, judge=self.judge, fault=end.fault, notes=notes
        )

    def close(self, row: Row, number: int, session: Session, end: _End, score: Score) -> None:
        """Write a rollout down, and count it."""
        rollout = Rollout(
            row.id, number, end.played.answer, score, len(session.calls),
            requests=sum(call.result.requests for call in session.calls),
            wrong_channel=end.played.wrong_channel,
            fault=end.why,
        )  # fmt: skip
        line = log_line(self.policy, row, self.seed, rollout, session, end.played.notes, judge_name(self.judge))
        told = {} if self.command is None else {"command": self.command}
        self.write(row, {**line, "settings": self.settings, **told})
        self.note(rollout)
        self.give_up(end)

    def give_up(self, end: _End) -> None:
        """Raise where the model's server has done nothing but fail."""
        if self.failed is None:
            return
        self.failed = self.failed + 1 if end.why.partition(": ")[0] in _LASTING else None
        if self.failed == _DEAD:
            kept = "" if self.log is None else f" What was scored is kept in {self.log.name}; the same command goes on."
            raise ModelServerError(
                f"{self.policy}: the first {_DEAD} rollouts all failed at the model's server, so the run was stopped. "
                f"The last fault: {end.why}.{kept}"
            )

    def write(self, row: Row, line: Line) -> None:
        """A rollout's line, behind that of its row where this is the row's first."""
        if self.log is None:
            return
        key = (row.id, row_fingerprint(row))
        append_lines(self.log, [line] if key in self.logged else [row_line(row), line])
        self.logged.add(key)

    def note(self, rollout: Rollout) -> None:
        """Count a rollout, and show that it has ended."""
        self.done[rollout.row_id, rollout.number] = rollout
        if self.watch is not None:
            self.watch(rollout)
        if self.progress is not None:
            self.progress(len(self.done), self.total)


@contextmanager
def _ending() -> Iterator[_End]:
    """Notes the end of what runs inside. A model server or backend that fails makes a fault, never a wrong answer."""
    end = _End()
    try:
        yield end
    except ModelError as error:
        end.fault, end.why = "model_fault", f"{error.kind}: {error.message}"
    except BudgetError:  # the job's own end, no fault of the backend
        raise
    except (BackendError, OSError) as error:
        end.fault, end.why = "backend_fault", f"{type(error).__name__}: {error}"[:300]


def _settings(policy: Policy | ConcurrentPolicy) -> dict[str, Any]:
    """As the log gives them back."""
    return json.loads(json.dumps(getattr(policy, "settings", {})))


def judge_name(judge: Judge | None) -> str | None:
    """Who judges, as the log says it."""
    return None if judge is None else str(getattr(judge, "name", type(judge).__name__))


def _resumable(run: _Run, rows: Sequence[Row]) -> list[Rollout]:
    """Finished rollouts of the same policy, settings, seed and task versions; the log's torn end is cut off.

    A verdict that a judge has given stands; one that is due is asked for now, and written down.
    """
    log = run.log
    if log is None or not log.exists():
        return []
    known = {row.id: row for row in rows}
    found = read_run_log(log, resuming=True)
    mend_torn_end(log, found)
    run.logged.update(found.rows())
    kept = []
    for line in found.last:
        row = known.get(line["row"])
        if row is None or line["policy"] != run.policy or line["seed"] != run.seed:
            continue
        if line.get("settings", {}) != run.settings or not _ran_on(line, row):
            continue
        due = row.answer_type == "judge" and line["score"]["status"] in ("unscored", "judge_fault")
        rollout = scored_again(line, row, run.judge if due else None)
        if due and rollout.score.status != line["score"]["status"]:
            run.write(row, {**line, "score": rollout.score.to_dict(), "judge": judge_name(run.judge)})
        if rollout.score.status in _FINISHED:
            kept.append(rollout)
    return kept


def _ran_on(line: Line, row: Row) -> bool:
    """The rollout's row is this one in everything that is scored; logs of before fingerprints have the version only."""
    return line["task_version"] == row.version and line.get("fingerprint") in (None, row_fingerprint(row))
