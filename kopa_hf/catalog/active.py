"""The catalog in force: the ten platforms', or one of one's own where a command or the environment names its folder.

`load_catalog()` always gives the ten platforms. Whoever looks a name up for a row, a score or a
request asks here instead, so that rows made on another catalog are understood. A folder is put
in force through the environment too: processes started from here then work on it as well.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from kopa_hf.catalog.folder import load_folder
from kopa_hf.catalog.registry import Catalog, load_catalog

VARIABLE: Final = "KOPA_CATALOG"
"""Names the folder of the catalog in force; unset or empty: the ten platforms."""


_in_force: list[Catalog] = []
"""The catalog in force, once somebody asked for it: looking into the environment at every request would be slow."""


def active_catalog() -> Catalog:
    """The catalog in force."""
    if not _in_force:
        folder = os.environ.get(VARIABLE)
        _in_force.append(load_folder(folder) if folder else load_catalog())
    return _in_force[0]


def is_own() -> bool:
    """True where a catalog of one's own is in force; reads no catalog."""
    return bool(_in_force[0].services) if _in_force else bool(os.environ.get(VARIABLE))


def restore_catalog(before: str | None) -> None:
    """Give the environment what it named before; that folder is read when it is asked for, and not now."""
    if before is None:
        os.environ.pop(VARIABLE, None)
    else:
        os.environ[VARIABLE] = before
    _in_force.clear()


def use_catalog(folder: str | Path | None) -> Path | None:
    """Put a folder's catalog in force (None: the ten platforms again); returns the folder before.

    The folder is read at once, so errors in it come from here.
    """
    before = os.environ.get(VARIABLE)
    catalog = load_catalog() if folder is None else load_folder(folder)
    if folder is None:
        os.environ.pop(VARIABLE, None)
    else:
        # absolute, for processes that work elsewhere
        os.environ[VARIABLE] = str(Path(folder).absolute())
    _in_force[:] = [catalog]
    return Path(before) if before else None
