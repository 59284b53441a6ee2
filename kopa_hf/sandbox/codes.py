"""Which code system a field or parameter belongs to.

The table is data (`data/hazards.json`, beside the rates of faults): per wire, names under `*` hold for every operation,
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
def hazards() -> dict[str, Any]:
    """The one file of what makes the world hard: `faults`, `systems` (each with a word on it), `wires`."""
    text = resources.files("kopa_hf.sandbox").joinpath("data/hazards.json").read_text(encoding="utf-8")
    table: dict[str, Any] = json.loads(text)
    return table


def systems() -> dict[str, str]:
    """Every code system with a word on what its values look like."""
    found: dict[str, str] = hazards()["systems"]
    return found


def system_of(wire: str, operation: str, side: Side, name: str) -> str | None:
    """The code system of one field or parameter; None where nothing is known."""
    names: dict[str, dict[str, str | None]] = hazards()["wires"].get(wire, {}).get(side, {})
    own = names.get(operation, {})
    return own[name] if name in own else names.get("*", {}).get(name)
