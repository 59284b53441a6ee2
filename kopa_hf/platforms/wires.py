"""One door to the adapters: by name, made once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from kopa_hf.errors import CatalogError
from kopa_hf.platforms.adapter import Adapter
from kopa_hf.platforms.assembly import AssemblyAdapter
from kopa_hf.platforms.base import Answer, Wire
from kopa_hf.platforms.dart import DartAdapter
from kopa_hf.platforms.data_go_kr import DataGoKrAdapter, HrdkAdapter, KdicAdapter
from kopa_hf.platforms.edss import EdssAdapter
from kopa_hf.platforms.expressway import ExpresswayAdapter
from kopa_hf.platforms.gyeonggi import GyeonggiAdapter
from kopa_hf.platforms.krx import KrxAdapter
from kopa_hf.platforms.law import LawAdapter
from kopa_hf.platforms.mcp import McpAdapter
from kopa_hf.platforms.neis import NeisAdapter
from kopa_hf.platforms.rest import RestAdapter
from kopa_hf.platforms.schoolinfo import SchoolinfoAdapter
from kopa_hf.platforms.seoul import SeoulAdapter

_ADAPTERS: Final[dict[str, type[Adapter]]] = {
    adapter.name: adapter
    for adapter in (
        DartAdapter,
        KrxAdapter,
        KdicAdapter,
        ExpresswayAdapter,
        SeoulAdapter,
        GyeonggiAdapter,
        AssemblyAdapter,
        LawAdapter,
        NeisAdapter,
        SchoolinfoAdapter,
        EdssAdapter,
        HrdkAdapter,
        DataGoKrAdapter,
    )
}
WIRES: Final = tuple(_ADAPTERS)
"""Names of the platforms' wire families."""
_IMPORTED: Final[dict[str, Callable[[], Wire]]] = {McpAdapter.name: McpAdapter, RestAdapter.name: RestAdapter}
IMPORTED_WIRES: Final = tuple(_IMPORTED)
"""Names of the ways in which imported services are reached."""


@cache
def wire_for(name: str) -> Wire:
    """The adapter of a wire family. Raises `CatalogError` for a name that none has."""
    adapter = _ADAPTERS.get(name) or _IMPORTED.get(name)
    if adapter is None:
        raise CatalogError(f"Unknown wire {name!r}. Known: {', '.join((*WIRES, *IMPORTED_WIRES))}.")
    return adapter()


def parse_answer(
    wire: str,
    body: bytes,
    *,
    http_status: int = 200,
    content_type: str | None = None,
    operation: str | None = None,
) -> Answer:
    """Read one body as the named wire would; never raises, whatever the body is.

    `operation`: the service or method name, where an envelope is named after it.
    """
    return wire_for(wire).parse(body, http_status=http_status, content_type=content_type, operation=operation)
