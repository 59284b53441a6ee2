"""The tree of errors that users of the package meet.

Every error says what was wrong, where, and what to do. Foreign errors are
translated once, at the edge, and keep their cause.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kopa_hf._version import __version__


class KopaError(Exception):
    """Base of everything this package raises on purpose."""


class CatalogError(KopaError):
    """A catalog file or a tool's signature is unusable."""


class UnknownToolError(CatalogError):
    """No tool has that name; `suggestions` holds the nearest names, best first."""

    def __init__(self, name: str, suggestions: Sequence[str] = ()) -> None:
        self.name = name
        self.suggestions = tuple(suggestions)
        hint = f" Did you mean {', '.join(self.suggestions)}?" if self.suggestions else ""
        super().__init__(f"Unknown tool {name!r}.{hint} `kopa tools search WORD` lists tools.")

    def __reduce__(self) -> tuple[Any, ...]:  # errors travel between processes
        return type(self), (self.name, self.suggestions)


class ArgumentError(KopaError):
    """Arguments do not fit a tool's signature; `problems` lists each slip on its own."""

    def __init__(self, tool_name: str, problems: Sequence[str]) -> None:
        self.tool_name = tool_name
        self.problems = tuple(problems)
        super().__init__(f"{tool_name}: " + "; ".join(self.problems))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.tool_name, self.problems)


class BackendError(KopaError):
    """A backend is unknown, misconfigured or refuses to start."""


class ModelServerError(BackendError):
    """A model's server fails from the start and for good, so that a run against it has no sense."""


class BudgetError(BackendError):
    """A live job has made the calls it was allowed to, or a service's quota is used up: stop, and go on later."""


class DataError(KopaError):
    """A file (graph, dataset, checkpoint, task data) is missing, cut short or of another version."""


class TaskError(KopaError):
    """A task contradicts itself: its gold does not give its answer, a literal has no source, …"""


def install_advice(extra: str) -> str:
    """How an extra is installed: from a checkout or a wheel, since no package index has this package."""
    return (
        f"In a checkout of kopa_hf: pip install '.[{extra}]'; with a wheel of it: "
        f"pip install './kopa_hf-{__version__}-py3-none-any.whl[{extra}]'"
    )


class MissingExtraError(KopaError):
    """An optional dependency is absent."""

    def __init__(self, package: str, extra: str) -> None:
        self.package, self.extra = package, extra
        super().__init__(f"{package} is not installed. {install_advice(extra)}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.package, self.extra)
