"""The benchmark: rows, programs, tasks, scoring, metrics, policies, runner, audit.

Names are loaded on first use, so that importing the package stays cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

_HOME: Final[dict[str, str]] = {
    "Verdict": "answers",
    "compare": "answers",
    "Row": "rows",
    "features": "rows",
    "row_from_dict": "rows",
    "row_id": "rows",
    "row_to_dict": "rows",
    "toolset_key": "rows",
    "validate_row": "rows",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    return list(__all__)
