"""DART handlers."""

from __future__ import annotations

from kopa_hf.sandbox.query import Handler

HANDLERS: dict[str, Handler] = {}
