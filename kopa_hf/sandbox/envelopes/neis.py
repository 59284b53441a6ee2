"""나이스 교육정보 개방 포털: the Assembly portal's envelope with a mode for callers without a key.

Without `KEY` the service answers, but shows the first five rows only; a wrong key is refused. The format
parameter is also understood in lower case. JSON is served as text/html.
"""

from __future__ import annotations

import dataclasses
from typing import Final

from kopa_hf.catalog.tool import Tool
from kopa_hf.sandbox.envelopes.assembly import AssemblyEnvelope
from kopa_hf.sandbox.envelopes.base import Incoming
from kopa_hf.sandbox.keys import valid_key
from kopa_hf.sandbox.query import Query

_SAMPLE_ROWS: Final = 5
_LOWER: Final = {"type": "Type", "key": "KEY"}


class NeisEnvelope(AssemblyEnvelope):
    """See the module."""

    hosts = ("open.neis.go.kr",)

    def complete(self, incoming: Incoming, tool: Tool | None) -> Incoming:
        if not _LOWER.keys() & incoming.parameters.keys():
            return incoming
        named = {_LOWER.get(name, name): value for name, value in incoming.parameters.items()}
        return dataclasses.replace(incoming, parameters={**named, **_proper(incoming)})

    def admits(self, platform: str, key: str | None) -> bool:
        return not key or valid_key(platform, key) or valid_key("neis", key)

    def ask(self, incoming: Incoming, tool: Tool | None) -> Query:
        query = super().ask(incoming, tool)
        if self.key(incoming):
            return query
        return dataclasses.replace(query, page=1, size=min(query.size, _SAMPLE_ROWS))


def _proper(incoming: Incoming) -> dict[str, str]:
    """Parameters in their documented spelling; they win over the lower-case ones."""
    return {name: value for name, value in incoming.parameters.items() if name not in _LOWER}
