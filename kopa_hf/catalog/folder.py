"""A catalog of one's own: a folder of tools that were imported, and what is said about the services behind them.

`NAME.jsonl` holds the tools of one service in the format of the built-in catalog, one a line,
with platform NAME. `NAME.json` beside it says how the service is reached (`kind`: rest or mcp);
it names environment variables, never secrets. `allow.txt` names the writing tools that may run.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from kopa_hf.catalog.local import PLATFORMS, local_tools
from kopa_hf.catalog.registry import Catalog, read_tools
from kopa_hf.catalog.tool import Tool
from kopa_hf.errors import CatalogError, DataError

KINDS: Final = ("rest", "mcp")
"""Ways in which a service of one's own is reached; also the names of their wires."""
ALLOWED: Final = "allow.txt"
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")
_TAKEN: Final = frozenset({*PLATFORMS, "local", "neis", "schoolinfo", "edss", "data_go_kr"})
"""Names whose keys belong to the providers of the built-in catalog."""


def load_folder(path: str | Path) -> Catalog:
    """The tools of a folder; `CatalogError` or `DataError` says which file cannot be used, and why."""
    folder = Path(path)
    if not folder.is_dir():
        raise DataError(f"{folder} is no folder. `kopa tools import openapi FILE --output {folder}` makes one.")
    files = sorted(folder.glob("*.jsonl"))
    if not files:
        raise DataError(f"{folder} holds no catalog (NAME.jsonl). `kopa tools import openapi FILE --output {folder}`")
    tools: list[Tool] = []
    services: dict[str, Mapping[str, Any]] = {}
    for file in files:
        name = check_name(file.stem)
        services[name] = _read_service(file.with_suffix(".json"))
        tools += _tools_of(file)
    local = {tool.name for tool in local_tools()}
    clash = next((tool.name for tool in tools if tool.name in local), None)
    if clash is not None:
        raise CatalogError(f"{folder}: {clash!r} is the name of a local tool. Import it under another name.")
    allowed = read_allowed(folder)
    unknown = sorted(allowed - {tool.name for tool in tools})
    if unknown:
        raise CatalogError(f"{folder / ALLOWED} names {', '.join(unknown)}, which the catalog lacks.")
    return Catalog(tools, services=services, allowed=allowed)


def check_name(name: str) -> str:
    """A service's name, which is also that of its key; `CatalogError` for one that is taken or unusable."""
    if not _NAME.fullmatch(name):
        raise CatalogError(f"{name!r} is no name of a service: a letter, then letters, digits and _, in lower case.")
    if name in _TAKEN:
        raise CatalogError(
            f"{name} is a provider of the built-in catalog, and its key is for nobody else. Use another."
        )
    return name


def read_allowed(folder: Path) -> frozenset[str]:
    """Names of the writing tools that may run; none where nothing was allowed."""
    try:
        lines = (folder / ALLOWED).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return frozenset()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{folder / ALLOWED} cannot be read ({error}).") from error
    names = (line.partition("#")[0].strip() for line in lines)
    return frozenset(name for name in names if name)


def write_service(
    folder: Path, name: str, tools: Iterable[Tool], service: Mapping[str, Any], allowed: Iterable[str] = ()
) -> Path:
    """Write one service's tools and connection, and add to what may write; the path of its tools."""
    from kopa_hf.catalog.saving import tool_line

    check_name(name)
    path = folder / f"{name}.jsonl"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _replace(path.with_suffix(".json"), json.dumps(service, ensure_ascii=False, indent=2) + "\n")
        _replace(path, "".join(tool_line(tool) + "\n" for tool in tools))
        names = sorted(read_allowed(folder) | set(allowed))
        if names:
            _replace(folder / ALLOWED, "".join(f"{text}\n" for text in names))
    except OSError as error:
        raise DataError(f"{folder} cannot be written: {error.strerror or error}.") from error
    return path


def _replace(path: Path, text: str) -> None:
    fresh = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)


def _tools_of(file: Path) -> list[Tool]:
    tools = list(read_tools(file, remedy="Import it again."))
    stray = next((tool for tool in tools if tool.platform != file.stem or tool.wire not in KINDS), None)
    if stray is not None:
        raise CatalogError(
            f"{file}: {stray.name} has platform {stray.platform!r} and wire {stray.wire!r}; "
            f"here the platform is {file.stem!r} and the wire one of {', '.join(KINDS)}."
        )
    return tools


def _read_service(path: Path) -> Mapping[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(f"{path}, which says how the service is reached, cannot be read ({error}).") from error
    if not isinstance(content, dict) or content.get("kind") not in KINDS:
        raise DataError(f"{path} must be an object whose kind is {' or '.join(KINDS)}.")
    return content
