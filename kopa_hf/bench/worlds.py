"""Which sandbox world rows were made on: their answers hold there and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kopa_hf.bench.rows import Row
from kopa_hf.errors import DataError
from kopa_hf.sandbox.world import WORLD_VERSION, World, default_world


def told_world(provenance: object) -> World | None:
    """The world that a row names, where it is another than the default one.

    Raises `DataError` for a world version that this program does not hold, and for what is no world.
    """
    told = provenance.get("world") if isinstance(provenance, Mapping) else None
    if not isinstance(told, Mapping) or not told:
        return None
    if told.get("version", WORLD_VERSION) != WORLD_VERSION:
        raise DataError(
            f"The rows were made on version {told['version']} of the sandbox, this program holds version {WORLD_VERSION}: "
            "make them again."
        )
    default = default_world().seeds
    seeds: dict[str, Any] = {name: told.get(name, default[name]) for name in default}
    if seeds == default:
        return None
    if not all(_fits(name, value) for name, value in seeds.items()):
        raise DataError(f"The rows name {dict(told)!r} as their sandbox world, which is none: make them again.")
    return World(**seeds)


def _fits(name: str, value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return value > 0 if name == "scale" else isinstance(value, int)


def world_of(rows: Iterable[Row]) -> World | None:
    """The world that rows were made on, to run them there; None: the default one. Raises `DataError` where they differ."""
    return common_world(row.provenance for row in rows)


def common_world(provenances: Iterable[object]) -> World | None:
    """`world_of` rows with these provenances."""
    found = {repr(world): world for world in map(told_world, provenances)}
    if len(found) > 1:
        raise DataError("The rows were made on different sandbox worlds; run those of one world at a time.")
    return next(iter(found.values()), None)


def refuse_other_worlds(rows: Iterable[Mapping[str, Any]]) -> None:
    """Raise `DataError` for a record of another world, where only the default one answers."""
    for row in rows:
        if told_world(row.get("provenance")) is not None:
            raise DataError(
                f"Row {row.get('id', '?')} was made on another sandbox world, and the default one would answer here. "
                "`kopa eval --data FOLDER` opens the rows' own world."
            )
