"""Tool signatures: data, loading, argument checks, exports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kopa_hf._lazy import lazy_exports

if TYPE_CHECKING:
    from kopa_hf.catalog.arguments import Bound as Bound
    from kopa_hf.catalog.arguments import bind_arguments as bind_arguments
    from kopa_hf.catalog.callables import tool_callable as tool_callable
    from kopa_hf.catalog.callables import tool_schema as tool_schema
    from kopa_hf.catalog.canonical import canonical_request as canonical_request
    from kopa_hf.catalog.local import local_tools as local_tools
    from kopa_hf.catalog.registry import Catalog as Catalog
    from kopa_hf.catalog.registry import load_catalog as load_catalog
    from kopa_hf.catalog.tool import Tool as Tool

_HOMES = {
    "Bound": "arguments",
    "Catalog": "registry",
    "Tool": "tool",
    "bind_arguments": "arguments",
    "canonical_request": "canonical",
    "load_catalog": "registry",
    "local_tools": "local",
    "tool_callable": "callables",
    "tool_schema": "callables",
}

__all__ = [
    "Bound",
    "Catalog",
    "Tool",
    "bind_arguments",
    "canonical_request",
    "load_catalog",
    "local_tools",
    "tool_callable",
    "tool_schema",
]

__getattr__, __dir__ = lazy_exports(__name__, _HOMES)
