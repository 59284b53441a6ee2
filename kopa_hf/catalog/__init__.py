"""Tool signatures: data, loading, argument checks, exports."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

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
    "Bound": "kopa_hf.catalog.arguments",
    "Catalog": "kopa_hf.catalog.registry",
    "Tool": "kopa_hf.catalog.tool",
    "bind_arguments": "kopa_hf.catalog.arguments",
    "canonical_request": "kopa_hf.catalog.canonical",
    "load_catalog": "kopa_hf.catalog.registry",
    "local_tools": "kopa_hf.catalog.local",
    "tool_callable": "kopa_hf.catalog.callables",
    "tool_schema": "kopa_hf.catalog.callables",
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


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
