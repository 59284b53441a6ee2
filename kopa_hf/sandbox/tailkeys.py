"""Key fields of generated lists, bound to the world's entities so that they join with hand-made tools."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import World

KeyMaker = Callable[[World, Stream], Any]
"""Draws one entity from the stream and gives the field's value of it. Fields of one record share the stream."""

_HOMES: Final[dict[str, str]] = {"assembly": "kopa_hf.sandbox.politics"}
"""Wire → module with `TAIL_KEYS: dict[field name, KeyMaker]`."""


@cache
def _makers(wire: str) -> dict[str, KeyMaker]:
    from importlib import import_module

    home = _HOMES.get(wire)
    if home is None:
        return {}
    makers: dict[str, KeyMaker] = import_module(home).TAIL_KEYS
    return makers


def key_value(world: World, wire: str, field: str, stream: Stream) -> Any:
    """The value of a field that belongs to an entity; None for fields that do not."""
    maker = _makers(wire).get(field)
    return None if maker is None else maker(world, stream)
