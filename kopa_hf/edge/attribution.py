"""An executor whose answers name the source that a row was made with.

An agent reads in every answer where it comes from, so rows made live say `live`. The same answers out of a snapshot
say `replay`; a verification compares what was answered, and its budget of tokens must count the same words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from kopa_hf.bench.rows import Row
from kopa_hf.catalog.tool import Tool
from kopa_hf.execution.episode import Episode
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.result import CallResult, Source

_SOURCES: Final[dict[str, Source]] = {"sandbox": "sandbox", "live": "live", "replay": "replay"}


def attributed(executor: Executor, row: Row) -> Executor:
    """The executor, with the source that the row's provenance names where that is another one."""
    source = _SOURCES.get(str(row.provenance.get("backend")))
    return executor if source in (None, executor.source) else AttributingExecutor(executor, source)


class AttributingExecutor(Executor):
    """Another executor's answers under the name of another source; it shares everything and leaves closing to that one."""

    def __init__(self, executor: Executor, source: Source) -> None:
        self.__dict__.update(executor.__dict__)
        self._executor = executor
        self._named = source

    def call_sync(
        self,
        tool: Tool | str,
        arguments: Mapping[str, Any],
        *,
        episode: Episode | None = None,
        attempt: int = 0,
        stream: str = "",
    ) -> CallResult:
        """`Executor.call_sync` of the other executor."""
        tool = self.catalog.get(tool) if isinstance(tool, str) else tool
        # a local tool's own calls come through here again
        ask = super().call_sync if tool.platform == "local" else self._executor.call_sync
        result = ask(tool, arguments, episode=episode, attempt=attempt, stream=stream)
        return replace(result, source=self._named) if result.source == self.source else result

    def close(self) -> None:
        """Nothing is held open here."""
