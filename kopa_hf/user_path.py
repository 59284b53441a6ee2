"""Paths as people write them."""

from __future__ import annotations

import os
from pathlib import Path


def user_path(name: str | Path) -> Path:
    """`name` with its `~` resolved; as in a shell, `~` of a user who is not there is a name as any other."""
    return Path(os.path.expanduser(name))  # pathlib raises RuntimeError for such a user
