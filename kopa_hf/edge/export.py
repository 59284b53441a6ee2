"""Trajectories become dataset rows."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable
from typing import Any, Final

from kopa_hf.bench.rendering import RowPlan, render_row
from kopa_hf.bench.rows import Row
from kopa_hf.edge.config import PRESETS, EdgeConfig
from kopa_hf.edge.trajectory import Trajectory
from kopa_hf.execution.executor import Executor

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
        written_out=True,
        headroom=config.headroom,
        structure=trajectory.structure,
        domain=trajectory.domain,
        provenance=provenance_of(trajectory, config, executor),
    )
    return render_row(plan, executor, token_budget=config.token_budget)


def provenance_of(trajectory: Trajectory, config: EdgeConfig, executor: Executor) -> dict[str, Any]:
    """Where a row comes from, how it was put in words, what filtering found, and whether it may be published."""
    withholds = set(PRESETS["paper"]["withhold"]) <= set(config.withhold)
    return {
        "preset": config.name,
        "seed": config.seed,
        "token_budget": config.token_budget,
        "withheld": withholds,
        "withhold": list(config.withhold),
        "publishable": withholds and config.name in PUBLISHABLE,
        "world": _world_of(executor),
        "structure": trajectory.structure,
        "phrasing": trajectory.phrasing,
        "register": trajectory.register,
        "rephrased": bool(trajectory.drafted),
        "chain": [action["name"] for action in trajectory.golden_actions],
        "cardinalities": [junction.cardinality for junction in trajectory.junctions],
        "junctions": [dataclasses.asdict(junction) for junction in trajectory.junctions],
        "filter": dict(trajectory.decisions),
    }


def _world_of(executor: Executor) -> dict[str, Any]:
    """Version, seeds and scale of the world behind the sandbox; empty for other backends."""
    world = getattr(executor.transport, "world", None)
    if world is None:
        return {}
    names = ("version", "identity_seed", "value_seed", "scale")
    return {name: getattr(world, name) for name in names if hasattr(world, name)}


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
