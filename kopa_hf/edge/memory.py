"""How often Python looks for cycles while long runs fill the memory with what stays."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

NEW_OBJECTS: Final = 100_000
"""New containers after which the youngest are looked through; Python's own number is 700."""


@contextmanager
def rare_collections() -> Iterator[None]:
    """Within the block cycles are looked for rarely: tables and graphs stay, so looking through them finds nothing."""
    before = gc.get_threshold()
    gc.set_threshold(max(NEW_OBJECTS, before[0]) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
