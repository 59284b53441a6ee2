"""Runs a policy over rows: sessions, faults, log, resume, report.

Every rollout is one line of a JSONL log, written when it is finished. A run that
starts over an existing log keeps what was scored and runs faults again, so nothing
is lost on Ctrl-C. The log holds what scoring needs, and what the model was answered;
`rescore` reads it without a model or a backend.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from kopa_hf.agent.models import ModelError
from kopa_hf.agent.session import Session
from kopa_hf.bench.metrics import Metrics, summarize, summarize_by
from kopa_hf.bench.policies import Policy
from kopa_hf.bench.response import Judge
from kopa_hf.bench.rows import Row, is_held_out
from kopa_hf.bench.scoring import Fault, Score, score_rollout
from kopa_hf.bench.together import ConcurrentPolicy, Played, sampling_seed, side_by_side
from kopa_hf.errors import BackendError, BudgetError, DataError
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.result import CallResult

LOG_VERSION: Final = 1

Progress = Callable[[int, int], None]
"""Called with (rollouts done, rollouts in all)."""


@dataclass(frozen=True, slots=True)
class Rollout:
    """One finished run of one task."""

    row_id: str
    number: int
    """0-based among the row's rollouts."""
    answer: str | None
    score: Score
    calls: int


_Job = tuple[Row, int]
"""A row and the rollout's number."""

Watch = Callable[[Rollout], None]
"""Called with every rollout as it ends, those kept from a log included."""


@dataclass(frozen=True, slots=True)
class PolicyReport:
    """What a policy came to on a set of rows."""

    policy: str
    metrics: Metrics
    by_domain: dict[str, Metrics]
    by_structure: dict[str, Metrics]
    by_exposure: dict[str, Metrics]
    """`held_out`: tasks on platforms that training data leaves out; `seen`: the others."""
    rollouts: list[Rollout] = field(repr=False)

    @property
    def pass_at_1(self) -> float:
        """0 where nothing could be scored."""
        return self.metrics.pass_at_1 or 0.0

    @property
    def failures(self) -> dict[str, int]:
        """Reason code → rollouts that carry it, most frequent first."""
        counts: dict[str, int] = {}
        for rollout in self.rollouts:
            for code in dict.fromkeys(reason.partition(": ")[0] for reason in rollout.score.reasons):
                counts[code] = counts.get(code, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


@dataclass(frozen=True, slots=True)
class LoggedCall:
    """A call as the log has it: everything scoring reads, and no record."""

    call_id: str
    name: str
    arguments: Any
    result: CallResult
    step: int
    executed: bool
    result_id: str | None


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
) -> PolicyReport:
    """Run every row `rollouts` times and score it.

    `seed` and the rollout's number make the stream of injected faults and what a model
    samples with, so a run can be repeated exactly. With `log`, finished rollouts of an
    earlier, interrupted run are kept, except faults, which are run again. Policies that
    wait for a model server run `concurrency` rollouts at once; the report, in the order
    of the rows, is the same at any number, and only the log's lines stand as they ended.
    """
    jobs = [(row, number) for row in rows for number in range(rollouts)]
    run = _Run(policy.name, _settings(policy), executor, seed, token_budget, judge, log, watch, progress, len(jobs))
    kept = {(r.row_id, r.number): r for r in _resumable(run, rows)}
    for key in [(row.id, number) for row, number in jobs if (row.id, number) in kept]:
        run.note(kept[key])
    due = [(row, number) for row, number in jobs if (row.id, number) not in kept]
    if isinstance(policy, ConcurrentPolicy):
        asyncio.run(_play_side_by_side(policy, due, run, concurrency))
    else:
        _play_in_turn(policy, due, run)
    return report(policy.name, rows, [run.done[row.id, number] for row, number in jobs], seed=seed)


def _play_in_turn(policy: Policy, jobs: Sequence[_Job], run: _Run) -> None:
    for row, number in jobs:
        session = run.open(row, number)
        with _ending() as end:
            answer = policy.run(row, session)
            end.played = Played(answer, tuple(getattr(policy, "notes", ())))
        run.close(row, number, session, end)


async def _play_side_by_side(policy: ConcurrentPolicy, jobs: Sequence[_Job], run: _Run, concurrency: int) -> None:
    async def play(job: _Job) -> tuple[Session, _End]:
        row, number = job
        session = run.open(row, number)
        with _ending() as end:
            end.played = await policy.arun(row, session, sampling_seed(run.seed, number, row.id))
        return session, end

    try:
        async with aclosing(side_by_side(jobs, play, concurrency)) as ended:
            async for (row, number), (session, end) in ended:
                run.close(row, number, session, end)
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


def report(policy: str, rows: Sequence[Row], rollouts: Sequence[Rollout], *, seed: int = 0) -> PolicyReport:
    """Metrics over finished rollouts."""
    scores: dict[str, list[Score]] = {}
    for rollout in sorted(rollouts, key=lambda rollout: rollout.number):
        scores.setdefault(rollout.row_id, []).append(rollout.score)
    return PolicyReport(
        policy=policy,
        metrics=summarize(scores, seed=seed),
        by_domain=summarize_by(rows, scores, lambda row: row.domain, seed=seed),
        by_structure=summarize_by(rows, scores, lambda row: row.structure, seed=seed),
        by_exposure=summarize_by(rows, scores, lambda row: "held_out" if is_held_out(row) else "seen", seed=seed),
        rollouts=list(rollouts),
    )


def rescore(log: Path, rows: Iterable[Row], *, judge: Judge | None = None) -> dict[str, PolicyReport]:
    """Score a log again with today's rules and rows; policy → report. Rows that are gone are left out."""
    known = {row.id: row for row in rows}
    found: dict[str, dict[tuple[str, int], Rollout]] = {}
    for line in read_log(log):
        row = known.get(line["row"])
        if row is not None:
            rollout = scored_again(line, row, judge)
            # a later line of the same rollout is the repeat of a fault
            found.setdefault(line["policy"], {})[(row.id, rollout.number)] = rollout
    return {name: report(name, list(known.values()), list(group.values())) for name, group in found.items()}


def read_log(log: Path) -> list[dict[str, Any]]:
    """The lines of a log; a last line that was cut off by a crash is dropped, any other damage is a `DataError`."""
    if not log.exists():
        raise DataError(f"No log at {log.name}; `kopa eval --log FILE` writes one.")
    lines = log.read_text(encoding="utf-8").split("\n")
    records = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            if record["version"] != LOG_VERSION:
                raise DataError(f"{log.name}, line {number}: log version {record['version']}, this is {LOG_VERSION}.")
            records.append(record)
        except (ValueError, KeyError, TypeError) as error:
            if number == len(lines):
                break
            raise DataError(f"{log.name}, line {number} is damaged ({error}). Remove the line and resume.") from error
    return records


@dataclass(slots=True)
class _End:
    """How a rollout ended: played to its end, or spoiled by a fault."""

    played: Played = field(default_factory=lambda: Played(None))
    fault: Fault | None = None


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
    total: int
    done: dict[tuple[str, int], Rollout] = field(default_factory=dict)

    def open(self, row: Row, number: int) -> Session:
        """A session for one rollout; nothing in it hangs on the others."""
        return open_session(row, self.executor, token_budget=self.token_budget, stream=f"{self.seed}/{number}")

    def close(self, row: Row, number: int, session: Session, end: _End) -> None:
        """Score a rollout and write it down."""
        answer, notes = end.played.answer, end.played.notes
        score = score_rollout(
            row, session.calls, session.state_hash, answer, judge=self.judge, fault=end.fault, notes=notes
        )
        rollout = Rollout(row.id, number, answer, score, len(session.calls))
        if self.log is not None:
            line = log_line(self.policy, row, self.seed, rollout, session, notes)
            _append(self.log, {**line, "settings": self.settings})
        self.note(rollout)

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
    except ModelError:
        end.fault = "model_fault"
    except BudgetError:  # the job's own end, no fault of the backend
        raise
    except (BackendError, OSError):
        end.fault = "backend_fault"


def log_line(
    policy: str, row: Row, seed: int, rollout: Rollout, session: Session, notes: Sequence[str]
) -> dict[str, Any]:
    """A rollout as one line of a log: what scoring needs and what the model was answered, as plain JSON."""
    return {
        "version": LOG_VERSION,
        "policy": policy,
        "row": row.id,
        "task": row.provenance.get("task"),
        "task_version": row.version,
        "seed": seed,
        "rollout": rollout.number,
        "answer": rollout.answer,
        "notes": list(notes),
        "state_hash": session.state_hash,
        "calls": [_log_call(call) for call in session.calls],
        "score": rollout.score.to_dict(),
    }


def _log_call(call: Any) -> dict[str, Any]:
    result: CallResult = call.result
    return {
        "call_id": call.call_id,
        "name": call.name,
        "arguments": call.arguments,
        "step": call.step,
        "executed": call.executed,
        "result_id": call.result_id,
        "outcome": result.outcome,
        "failure": result.failure,
        "total": result.total_count,
        "page": result.page,
        "page_size": result.page_size,
        "message": result.message,
        "requests": result.requests,
        "text": call.text,
    }


def _logged_call(line: Mapping[str, Any]) -> LoggedCall:
    result = CallResult(
        tool=line["name"],
        arguments=line["arguments"] if isinstance(line["arguments"], dict) else {},
        outcome=line["outcome"],
        failure=line["failure"],
        total_count=line["total"],
        page=line["page"],
        page_size=line["page_size"],
        message=line["message"],
        requests=line["requests"],
    )
    return LoggedCall(
        line["call_id"], line["name"], line["arguments"], result, line["step"], line["executed"], line["result_id"]
    )


def scored_again(line: Mapping[str, Any], row: Row, judge: Judge | None = None) -> Rollout:
    """The rollout of a log's line, scored with today's rules."""
    calls = [_logged_call(call) for call in line["calls"]]
    status = line["score"]["status"]
    fault: Any = status if status in ("backend_fault", "model_fault") else None
    notes = line.get("notes", ())
    score = score_rollout(row, calls, line["state_hash"], line["answer"], judge=judge, fault=fault, notes=notes)
    return Rollout(row.id, line["rollout"], line["answer"], score, len(calls))


def _settings(policy: Policy | ConcurrentPolicy) -> dict[str, Any]:
    """As the log gives them back."""
    return json.loads(json.dumps(getattr(policy, "settings", {})))


def _resumable(run: _Run, rows: Sequence[Row]) -> list[Rollout]:
    """Finished rollouts of the same policy, settings, seed and task versions; the log's torn end is cut off."""
    log = run.log
    if log is None or not log.exists():
        return []
    known = {row.id: row for row in rows}
    lines = read_log(log)
    _rewrite_if_torn(log, lines)
    rollouts = [
        scored_again(line, known[line["row"]], run.judge)
        for line in lines
        if line["policy"] == run.policy and line["seed"] == run.seed and line["row"] in known
        and line.get("settings", {}) == run.settings and line["task_version"] == known[line["row"]].version
    ]  # fmt: skip
    return [rollout for rollout in rollouts if rollout.score.status in ("scored", "unscored")]


def _rewrite_if_torn(log: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    """A line without its end would swallow the next one."""
    text = log.read_text(encoding="utf-8")
    if text and not text.endswith("\n"):
        fresh = log.with_suffix(log.suffix + ".tmp")
        fresh.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
        os.replace(fresh, log)


def _append(log: Path, line: Mapping[str, Any]) -> None:
    try:
        with log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    except OSError as error:
        raise DataError(f"Cannot write the log {log.name}: {error.strerror}. What it holds is kept.") from error
