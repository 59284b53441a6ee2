"""An executor that asks a deterministic backend each call once.

Synthesis looks at the same lists over and over, and every kept trajectory is
executed again by the filters and by the solver: an identical call need not reach
the backend twice. Only answers are kept; a failure is asked for again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from kopa_hf.catalog.tool import Tool
from kopa_hf.edge.observe import request_key
from kopa_hf.execution.episode import Episode
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.result import CallResult

RECORDS_KEPT: Final = 200_000
"""Records held in memory over all answers; the longest unused go first."""
LARGEST_KEPT: Final = 3_000
"""Records of one answer that are worth keeping."""


class RecallingExecutor(Executor):
    """Another executor's answers, remembered.

    It shares backend, catalog and transport with the executor it is made from, and
    leaves closing to that one. A call in an episode that issues or requires keys is
    always executed, since its answer depends on more than its arguments.
    """

    def __init__(self, executor: Executor, *, records: int = RECORDS_KEPT) -> None:
        self.__dict__.update(executor.__dict__)
        self.records = records
        self._remembered: OrderedDict[str, CallResult] = OrderedDict()
        self._held = 0

    def call_sync(
        self,
        tool: Tool | str,
        arguments: Mapping[str, Any],
        *,
        episode: Episode | None = None,
        attempt: int = 0,
        stream: str = "",
    ) -> CallResult:
        """`Executor.call_sync`; an answer that is known is given again."""
        tool = self.catalog.get(tool) if isinstance(tool, str) else tool
        plain = episode is None or not (episode.keys or episode.keys_required)
        if tool.platform == "local" or not plain:
            return super().call_sync(tool, arguments, episode=episode, attempt=attempt, stream=stream)
        key = request_key(tool.name, arguments)
        known = self._remembered.get(key)
        if known is not None:
            self._remembered.move_to_end(key)
            return replace(known, arguments=dict(arguments))
        result = super().call_sync(tool, arguments, episode=episode, attempt=attempt, stream=stream)
        if result.outcome in ("ok", "no_data") and len(result.records) <= LARGEST_KEPT:
            self._keep(key, result)
        return result

    def close(self) -> None:
        """Forget everything; the backend is closed by whoever opened it."""
        self._remembered.clear()
        self._held = 0

    def _keep(self, key: str, result: CallResult) -> None:
        self._remembered[key] = result
        self._held += 1 + len(result.records)
        while self._held > self.records and len(self._remembered) > 1:
            _, oldest = self._remembered.popitem(last=False)
            self._held -= 1 + len(oldest.records)
