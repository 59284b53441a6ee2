"""Which chat model a name stands for: an address with a model's name, or a model on this machine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from kopa_hf.agent.models import EndpointModel
from kopa_hf.agent.transformers_model import LocalSettings, TransformersModel
from kopa_hf.errors import DataError
from kopa_hf.user_path import user_path

__all__ = ["LocalSettings", "is_path", "open_model", "require_address"]


def open_model(
    name: str,
    *,
    sampling: Mapping[str, Any] | None = None,
    local: LocalSettings | None = None,
    tools: bool = True,
) -> EndpointModel | TransformersModel:
    """The model behind `http://HOST/v1#MODEL`, or in a folder or GGUF file.

    An endpoint's key, where it wants one, comes from OPENAI_API_KEY. `tools` False: the
    model is only asked for plain text, so its chat template need not carry calls.
    """
    if name.startswith(("http://", "https://")):
        base, hash_sign, model = name.partition("#")
        if not hash_sign or not model:
            raise DataError(f"{name}: add the model's name after '#', e.g. http://127.0.0.1:8000/v1#Qwen/Qwen3.5-4B")
        require_address(base)
        key = os.environ.get("OPENAI_API_KEY")
        return EndpointModel(base.rstrip("/"), model, api_key=key, sampling=dict(sampling or {}))
    return TransformersModel.load(user_path(name), sampling=sampling, local=local, tools=tools)


def require_address(base: str) -> None:
    """Raise `DataError` for what no request can be sent to."""
    try:
        parts = urlsplit(base)
        fits = bool(parts.hostname) and parts.port != 0  # the port is read, and checked, on access
        httpx.URL(base)
    except (ValueError, httpx.InvalidURL):
        fits = False
    if not fits:
        raise DataError(f"{base} is no address; it takes a host and a port from 1 to 65535: http://127.0.0.1:8000/v1")


def is_path(name: str) -> bool:
    """Whether a name means a model on this machine: it is there, or is written as a path."""
    return name.endswith(".gguf") or name.startswith(("/", "./", "../", "~")) or Path(name).exists()
