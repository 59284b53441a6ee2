"""Trajectories become dataset rows; rows are replayed and compared."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from kopa_hf.bench.answers import compare
from kopa_hf.bench.rendering import RowPlan, render_row
from kopa_hf.bench.rows import Row
from kopa_hf.edge.config import PRESETS, EdgeConfig
from kopa_hf.edge.solving import solve
from kopa_hf.edge.trajectory import Trajectory
from kopa_hf.execution.executor import Executor

Progress = Callable[[int, int], None]

PUBLISHABLE: Final[frozenset[str]] = frozenset({"paper"})
"""Presets whose rows may be published: they withhold the platforms of the held-out evaluation."""

_SPLITS: Final = ("train", "validation")


def row_of(trajectory: Trajectory, executor: Executor, config: EdgeConfig) -> Row:
    """The row of one trajectory; raises `ProgramError` where its program does not settle on the backend."""
    plan = RowPlan(
        question=trajectory.question,
        tools=trajectory.offered,
        program=trajectory.program,
        answer_type=trajectory.answer_type,
        answer_unit=trajectory.answer_unit,
        reply=trajectory.reply,
        headroom=config.headroom,
        structure=trajectory.structure,
        domain=trajectory.domain,
        provenance=provenance_of(trajectory, config),
    )
    return render_row(plan, executor, token_budget=config.token_budget)


def provenance_of(trajectory: Trajectory, config: EdgeConfig) -> dict[str, Any]:
    """Where a row comes from, and whether it may be published."""
    withholds = set(PRESETS["paper"]["withhold"]) <= set(config.withhold)
    return {
        "preset": config.name,
        "seed": config.seed,
        "withheld": withholds,
        "withhold": list(config.withhold),
        "publishable": withholds and config.name in PUBLISHABLE,
        "phrasing": trajectory.phrasing,
        "junctions": [
            {
                "kind": junction.kind,
                "source": junction.source,
                "field": junction.field,
                "target": junction.target,
                "parameter": junction.parameter,
                "cardinality": junction.cardinality,
                "reduction": junction.reduction,
            }
            for junction in trajectory.junctions
        ],
    }


def trajectories_to_rows(
    trajectories: Iterable[Trajectory], executor: Executor, config: EdgeConfig
) -> dict[str, list[Row]]:
    """Rows in the two splits `train` and `validation`.

    Trajectories say their split where synthesis parted the tools. Where it did not (the
    graph is too small), rows over the same tools go to the same split, so that validation
    still asks about chains that training has not shown.
    """
    made = list(trajectories)
    rows = [t.row if t.row is not None else row_of(t, executor, config) for t in made]
    if any(t.split != "train" for t in made):
        return {split: [row for row, t in zip(rows, made, strict=True) if t.split == split] for split in _SPLITS}
    splits: dict[str, list[Row]] = {split: [] for split in _SPLITS}
    for row in rows:
        splits["validation" if _place(row) < config.validation_share else "train"].append(row)
    if not splits["validation"] and len({_chain(row) for row in rows}) > 1:
        moved = min((row for row in rows), key=lambda row: (_place(row), row.id))
        splits["validation"] = [row for row in rows if _chain(row) == _chain(moved)]
        splits["train"] = [row for row in rows if _chain(row) != _chain(moved)]
    return splits


def _chain(row: Row) -> str:
    """The platform tools of the golden path as text: an equal chain is an equal text."""
    return " ".join(sorted({action["name"] for action in row.golden_actions}))


def _place(row: Row) -> float:
    digest = hashlib.sha256(_chain(row).encode("utf-8")).digest()
    return int.from_bytes(digest[:8], "big") / float(1 << 64)


@dataclass(slots=True)
class Verification:
    """What replaying a dataset found."""

    rows: int = 0
    problems: dict[str, str] = field(default_factory=dict)
    """Row id → what differs."""

    @property
    def passed(self) -> int:
        """Rows whose replay agrees in calls, texts, state and answer."""
        return self.rows - len(self.problems)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {"rows": self.rows, "passed": self.passed, "problems": dict(self.problems)}


def verify_rows(
    rows: Sequence[Row], executor: Executor, *, token_budget: int = 2000, progress: Progress | None = None
) -> Verification:
    """Replay every row through `KopaEnvironment` under its own budget and compare with what it holds."""
    found = Verification()
    for row in rows:
        found.rows += 1
        problem = _difference(row, executor, token_budget)
        if problem:
            found.problems[row.id] = problem
        if progress is not None and (found.rows % 10 == 0 or found.rows == len(rows)):
            progress(found.rows, len(rows))
    return found


def _difference(row: Row, executor: Executor, token_budget: int) -> str:
    solution = solve(row, executor, token_budget)
    if solution.answer is None:
        return f"the replay ended early: {solution.problem}"
    golden = [{key: action[key] for key in ("name", "arguments", "step")} for action in row.golden_actions]
    if solution.calls != golden:
        return "the replay makes other calls than the golden actions"
    texts = [str(m["content"]) for m in row.completion if m["role"] == "tool"]
    if solution.texts != texts:
        return "a tool answers otherwise than in the completion"
    if solution.state_hash != row.program.get("state_hash"):
        return "the final state differs"
    if not compare(row.answer_type, row.answer, solution.answer, unit=row.answer_unit).equal:
        return f"the replay gives {solution.answer!r}, the row holds {row.answer!r}"
    return ""
