"""The stand-in for an Airflow installation, running, and the catalog that its public description gives."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kopa_hf.catalog.folder import write_service
from kopa_hf.catalog.openapi import import_openapi

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "own_apis"
DESCRIPTION = EXAMPLE / "airflow_rest_v1.yaml"
OVERRIDES = EXAMPLE / "airflow_rest_v1.kopa.yaml"
KEY = "reader:open-sesame"


def stand_in() -> Any:
    """The module of the stand-in: it is a script, no package."""
    spec = importlib.util.spec_from_file_location("airflow_stand_in", EXAMPLE / "service.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def serving() -> Iterator[str]:
    """The address of a running stand-in."""
    server = stand_in().serve()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/api/v1"
    finally:
        server.shutdown()
        server.server_close()


def write_catalog(folder: Path, address: str, **options: Any) -> Path:
    """The folder with the catalog."""
    made = import_openapi(DESCRIPTION, server=address, overrides=OVERRIDES, **options)
    write_service(folder, made.name, made.tools, made.service, made.allowed)
    return folder
