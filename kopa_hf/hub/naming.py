"""Whether a dataset's name means a folder here or a repository on the Hub; a slip in a path never asks the Hub."""

from __future__ import annotations

import re
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from kopa_hf.errors import DataError
from kopa_hf.user_path import user_path

_REPOSITORY: Final = re.compile(r"[\w][\w.-]*/[\w][\w.-]*", re.ASCII)
_NEAR: Final = 3
"""Names that are offered in place of one that is not there."""


def dataset_source(source: str | Path, *, owner: str) -> Path | str:
    """The folder that a name means, as a `Path`, or the Hub's OWNER/NAME, as text.

    On the Hub is only what reads OWNER/NAME where OWNER is no folder here; datasets of `owner` are asked for
    there even then. Raises `DataError`, with names that come near, for a path at which there is nothing, and for
    an empty name, which as a path would be the working folder.
    """
    if isinstance(source, str) and not source.strip():
        raise DataError("The name of the dataset is empty (a variable without a value?). For this folder, say `.`.")
    path = user_path(source)
    if path.exists():
        return path
    if isinstance(source, str) and _REPOSITORY.fullmatch(source):
        first = source.partition("/")[0]
        if first == owner or not Path(first).is_dir():
            return source
    raise not_there(path)


def not_there(path: Path, otherwise: str = "A dataset on the Hub reads OWNER/NAME.") -> DataError:
    """The error for a path at which there is nothing: from where on it is wrong, and what comes near.

    otherwise: the sentence about what else the name could have been.
    """
    there, missing = path.parent, path
    while not there.is_dir() and there != there.parent:
        there, missing = there.parent, there
    found = [entry.name for entry in _entries(there) if not entry.name.startswith(".")]
    near = [str(there / name) for name in get_close_matches(missing.name, found, _NEAR, 0.6)]
    hint = f" Did you mean {', '.join(near)}?" if near else ""
    where = "" if missing == path else f"; there is no {missing}"
    return DataError(f"{path} does not exist{where}.{hint} {otherwise}")


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []
