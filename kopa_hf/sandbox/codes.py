"""Which code system a field or parameter belongs to.

The table is data (`data/code_systems.json`): per wire, names under `*` hold for every operation,
an operation's own entry overrides them, `null` takes a name out. Two things join only where
their systems are equal; what merely looks alike has another one.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any, Literal

Side = Literal["fields", "parameters"]


@cache
def _table() -> dict[str, Any]:
    """All `code_systems*.json` as one: systems are pooled; a wire may stand in several files, by operations."""
    table: dict[str, Any] = {"systems": {}}
    for source in sorted(resources.files("kopa_hf.sandbox").joinpath("data").iterdir(), key=lambda file: file.name):
        if not source.name.startswith("code_systems"):
            continue
        part: dict[str, Any] = json.loads(source.read_text(encoding="utf-8"))
        table["systems"].update(part.pop("systems", {}))
        for wire, sides in part.items():
            for side, operations in sides.items():
                held = table.setdefault(wire, {}).setdefault(side, {})
                for operation, names in operations.items():
                    held.setdefault(operation, {}).update(names)
    return table


def systems() -> dict[str, str]:
    """Every code system with a word on what its values look like."""
    found: dict[str, str] = _table()["systems"]
    return found


def system_of(wire: str, operation: str, side: Side, name: str) -> str | None:
    """The code system of one field or parameter; None where nothing is known."""
    names: dict[str, dict[str, str | None]] = _table().get(wire, {}).get(side, {})
    own = names.get(operation, {})
    return own[name] if name in own else names.get("*", {}).get(name)
