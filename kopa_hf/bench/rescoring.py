"""Old runs scored again: with today's rules, against the tasks they ran on, and no others.

A rollout answers the question that it was asked. Where today's tasks still hold that
very row, or only changes since that the changelog calls comparable, its new score
stands beside fresh ones. Where the task has changed otherwise, or the run was on
another world, it is scored against the row that its log kept, and marked as not
comparable; without such a row it keeps its old score.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal

from kopa_hf._version import __version__
from kopa_hf.bench.changes import Changelog, load_changes
from kopa_hf.bench.response import Judge
from kopa_hf.bench.rollouts import PolicyReport, Rollout, report
from kopa_hf.bench.rows import Row, row_fingerprint
from kopa_hf.bench.run_log import Line, RowKey, RunLog, agent_key, read_run_log, scored_again

Standing = Literal["same", "changed", "other version", "other instance", "gone"]
"""same: today's row. changed: since changed in comparable ways. other version: in others.
other instance: the same task about other entities or figures. gone: today's tasks lack it."""
_COMPARABLE: Final[tuple[Standing, ...]] = ("same", "changed")


@dataclass(frozen=True, slots=True)
class Rescored:
    """One rollout of a log, before and after."""

    agent: str
    line: Line
    """Its last line in the log."""
    standing: Standing
    why: str
    """What is other than today; empty where nothing is."""
    row: Row | None
    """What it was scored against; None where nothing is known of it."""
    rollout: Rollout | None
    """With the new score; None without a row."""

    @property
    def task(self) -> str:
        """The template's name; the row's id where it has none."""
        return str(self.line.get("task") or self.line["row"])

    @property
    def comparable(self) -> bool:
        """Whether the new score may stand beside those of today's tasks."""
        return self.standing in _COMPARABLE

    @property
    def old(self) -> float | None:
        """The logged reward; None where there was none."""
        reward: float | None = self.line["score"]["reward"]
        return reward

    @property
    def new(self) -> float | None:
        """Today's reward; the old one where nothing can be scored against."""
        return self.old if self.rollout is None else self.rollout.score.reward

    def to_line(self) -> Line:
        """The log's line with the new score, and what it was before."""
        was = self.line.get("rescored", {}).get("was") or {k: self.line["score"][k] for k in ("status", "reward")}
        mark = {"by": __version__, "standing": self.standing, "was": was}
        score = self.line["score"] if self.rollout is None else self.rollout.score.to_dict()
        return {**self.line, "score": score, "rescored": mark}


@dataclass(frozen=True, slots=True)
class Rescoring:
    """A log, scored again."""

    log: RunLog
    rollouts: list[Rescored]
    rows: list[Row] = field(repr=False)
    """Today's."""

    def reports(self) -> dict[str, PolicyReport]:
        """Agent → report over its comparable rollouts; agents without one are left out."""
        found: dict[str, list[Rollout]] = {}
        for rescored in self.rollouts:
            if rescored.comparable and rescored.rollout is not None:
                found.setdefault(rescored.agent, []).append(rescored.rollout)
        return {agent: report(agent, self._compared, group) for agent, group in found.items()}

    @property
    def left_out(self) -> list[Rescored]:
        """Rollouts that are in no report."""
        return [rescored for rescored in self.rollouts if not rescored.comparable]

    def lines(self) -> list[Line]:
        """The new log: rows as they were, every rollout once."""
        kept = [line for line in self.log.lines if "ran" in line]
        return kept + [rescored.to_line() for rescored in self.rollouts]

    @property
    def _compared(self) -> list[Row]:
        rows = {row.id: row for row in self.rows}
        rows |= {r.row.id: r.row for r in self.rollouts if r.row is not None and r.comparable}
        return list(rows.values())


def rescore_log(
    log: RunLog, rows: Iterable[Row], *, judge: Judge | None = None, changes: Changelog | None = None
) -> Rescoring:
    """Every rollout of a log under today's rules; `rows` are today's tasks, or those of the run."""
    today = _Today(list(rows), log.rows(), load_changes() if changes is None else changes)
    names, numbers = _agents(log.last), _numbers(log.last)
    found = []
    for line in log.last:
        standing, why, row = today.place(line)
        rollout = None
        if row is not None:
            rollout = replace(scored_again(line, row, judge), number=numbers[agent_key(line)][_run(line)])
        found.append(Rescored(names[agent_key(line)], line, standing, why, row, rollout))
    return Rescoring(log, found, today.rows)


def rescore(log: Path, rows: Iterable[Row], *, judge: Judge | None = None) -> dict[str, PolicyReport]:
    """Agent → report over the rollouts of a log that compare with `rows`, under today's rules."""
    return rescore_log(read_run_log(log), rows, judge=judge).reports()


class _Today:
    """Today's tasks, as a logged rollout is held against them."""

    def __init__(self, rows: list[Row], ran: Mapping[RowKey, Row], changes: Changelog) -> None:
        self.rows = rows
        self._by_id = {row.id: row for row in rows}
        self._by_task = {row.provenance["task"]: row for row in rows if row.provenance.get("task")}
        self._fingerprints = {row.id: row_fingerprint(row) for row in rows}
        self._ran = ran
        self._changes = changes

    def place(self, line: Mapping[str, Any]) -> tuple[Standing, str, Row | None]:
        """(standing, why, the row to score against)."""
        same = self._by_id.get(line["row"])
        # logs of before fingerprints were kept have the id and the version only
        printed = line.get("fingerprint") or self._fingerprints.get(line["row"])
        if same and printed == self._fingerprints[same.id] and line["task_version"] == same.version:
            return "same", "", same
        ran = self._ran.get((line["row"], line.get("fingerprint") or ""))
        now = same or self._by_task.get(line.get("task"))
        if now is None:
            return "gone", "not among these tasks", ran
        was, version = line["task_version"], now.version
        if was == version:
            if line.get("task_fingerprint") == now.provenance.get("fingerprint"):
                return "other instance", "about other entities or figures", ran
            return "other version", f"changed since, still called version {version}", ran
        since = self._changes.since(str(line.get("task")), was)
        if since is None:
            return "other version", f"version {was}, now {version}; the changelog does not know it", ran
        comparable = bool(since) and all(change.scores == "comparable" for change in since)
        why = f"version {was}, now {version}: " + " ".join(change.text for change in since)
        if comparable and (same or ran):
            return "changed", why, same or ran
        return "other version", why, ran


def _agents(lines: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], str]:
    """Names of agents: a model that ran under several settings is one agent for each."""
    keys = list(dict.fromkeys(map(agent_key, lines)))
    policies = [policy for policy, _ in keys]
    return {key: key[0] if policies.count(key[0]) == 1 else f"{key[0]} {key[1]}" for key in keys}


def _run(line: Mapping[str, Any]) -> tuple[int, int]:
    return line["seed"], line["rollout"]


def _numbers(lines: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], dict[tuple[int, int], int]]:
    """Agent → (seed, rollout) → number: runs with several seeds are further runs of the same tasks, seed by seed."""
    runs: dict[tuple[str, str], set[tuple[int, int]]] = {}
    for line in lines:
        runs.setdefault(agent_key(line), set()).add(_run(line))
    return {agent: {run: number for number, run in enumerate(sorted(found))} for agent, found in runs.items()}
