"""A catalog of one's own: a folder of tools that were imported, and what is said about the services behind them.

`NAME.jsonl` holds the tools of one service in the format of the built-in catalog, one a line,
with platform NAME. `NAME.json` beside it says how the service is reached (`kind`: rest or mcp);
it names environment variables, never secrets. `allow.txt` names the writing tools that may run.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from kopa_hf.catalog.local import PLATFORMS, local_tools
from kopa_hf.catalog.origin import origin
from kopa_hf.catalog.registry import Catalog, read_tools
from kopa_hf.catalog.tool import Tool
from kopa_hf.errors import CatalogError, DataError
from kopa_hf.whole_file import whole_files

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
        tools += _tools_of(file, services[name])
    local = {tool.name for tool in local_tools()}
    clash = next((tool.name for tool in tools if tool.name in local), None)
    if clash is not None:
        raise CatalogError(f"{folder}: {clash!r} is the name of a local tool. Import it under another name.")
    allowed = read_allowed(folder)
    unknown = sorted(allowed - {tool.name for tool in tools})
    if unknown:
        raise CatalogError(
            f"{folder / ALLOWED} names {', '.join(unknown)}, which the catalog lacks. Take the line out of that file."
        )
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
        # some editors put a mark before UTF-8, which is no part of the first name
        lines = (folder / ALLOWED).read_text(encoding="utf-8-sig").splitlines()
    except FileNotFoundError:
        return frozenset()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{folder / ALLOWED} cannot be read ({error}). Save it as UTF-8, one name a line.") from error
    names = (line.partition("#")[0].strip() for line in lines)
    return frozenset(name for name in names if name)


def names_of_others(folder: str | Path, name: str) -> set[str]:
    """Names of tools that a folder holds of services other than `name`: every name in it must be unique."""
    files = [file for file in sorted(Path(folder).glob("*.jsonl")) if file.stem != name]
    remedy = "Import it again: `{}`, or take the service's files away."
    return {tool.name for file in files for tool in read_tools(file, remedy=remedy.format(_command(file, {})))}


def write_service(
    folder: Path,
    name: str,
    tools: Iterable[Tool],
    service: Mapping[str, Any],
    allowed: Iterable[str] = (),
    *,
    replace: bool = False,
) -> Path:
    """Write one service's tools and connection, and what may write (`read_allowed` tells); the path of its tools.

    A service that is there already under this name must be the same one, at the same address or command: its key would
    go elsewhere otherwise. With `replace` another one takes its place and inherits no permission. A permission that was
    given before stays where the tool behind it still does the same; one that no tool answers to is dropped.
    Where something is wrong, also in what the folder would then be, everything in it stays as it was.
    """
    from kopa_hf.catalog.saving import tool_line

    check_name(name)
    path, made = folder / f"{name}.jsonl", list(tools)
    _check_same(path, name, service, replace=replace)
    others = names_of_others(folder, name)
    given = set(allowed)
    _check_names(folder, made, others, given)
    before = read_allowed(folder)
    deeds = set() if replace else {_deed(tool) for tool in _tools_before(path)}
    kept = {tool.name for tool in made if tool.name in before and not tool.read and _deed(tool) in deeds}
    names = (before & others) | kept | given
    steps: list[tuple[Path, str | None]] = [
        (path.with_suffix(".json"), json.dumps(service, ensure_ascii=False, indent=2) + "\n"),
        (path, "".join(tool_line(tool) + "\n" for tool in made)),
    ]
    if before - names:  # at no time may what is new run by a permission of what was there
        steps.insert(0, (folder / ALLOWED, _permissions(before & names)))
    if names - before:
        steps.append((folder / ALLOWED, _permissions(names)))
    new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with whole_files(steps):
            load_folder(folder)
    except OSError as error:
        raise DataError(f"{folder} cannot be written: {error.strerror or error}.") from error
    finally:
        if new and not path.exists():
            with suppress(OSError):
                folder.rmdir()
    return path


def _check_same(path: Path, name: str, service: Mapping[str, Any], *, replace: bool) -> None:
    """Refuse to put another service under a name that is taken."""
    file = path.with_suffix(".json")
    if replace or not (file.exists() or path.exists()):
        return
    before = _read_service(file)
    there, told = _place(before), _place(service)
    if (before["kind"], there) != (service.get("kind"), told):
        raise CatalogError(  # one address may be asked in two ways, by tools that do quite different things
            f"{path.parent} has a service {name} already, at {there}; this one is at {told}, and would get its key and "
            "permissions. Name it otherwise (--name), or put it in the other's place (--replace)."
        )


def _check_names(folder: Path, tools: list[Tool], others: set[str], allowed: set[str]) -> None:
    known = {tool.name for tool in local_tools()} | others
    for tool in tools:
        if tool.name in known:
            raise CatalogError(f"{folder}: there is a tool {tool.name!r} already. Names must be unique.")
        known.add(tool.name)
    strange = sorted(allowed - {tool.name for tool in tools})
    if strange:
        raise CatalogError(f"{folder / ALLOWED} cannot name {', '.join(strange)}: no tool is called so.")


def _place(service: Mapping[str, Any]) -> str:
    """Where a service is: its address, or the command that starts it."""
    command = service.get("command")
    words = shlex.join(map(str, command)) if isinstance(command, list) and command else ""
    return words or str(service.get("server") or service.get("url") or "no address")


def _deed(tool: Tool) -> tuple[str, ...]:
    """What a call of a tool does: a permission is for this, and not for whatever has its name next."""
    endpoint = tool.endpoint
    return tool.name, tool.wire, endpoint.method, endpoint.url, endpoint.operation if tool.wire == "mcp" else ""


def _tools_before(path: Path) -> list[Tool]:
    """Tools of an earlier import; none where its file is damaged, which this import mends."""
    try:
        return list(read_tools(path)) if path.exists() else []
    except (CatalogError, DataError):
        return []


def _permissions(names: Iterable[str]) -> str | None:
    """What allow.txt holds; None where there is no such file."""
    return "".join(f"{name}\n" for name in sorted(names)) or None


def _tools_of(file: Path, service: Mapping[str, Any]) -> list[Tool]:
    again = f"`{_command(file, service)}`"
    tools = list(read_tools(file, remedy=f"Import it again: {again}."))
    stray = next((tool for tool in tools if tool.platform != file.stem or tool.wire not in KINDS), None)
    if stray is not None:
        raise CatalogError(
            f"{file}: {stray.name} has platform {stray.platform!r} and wire {stray.wire!r}; "
            f"here the platform is {file.stem!r} and the wire one of {', '.join(KINDS)}."
        )
    for tool in tools:
        _check_place(tool, file, service, again)
    return tools


def _check_place(tool: Tool, file: Path, service: Mapping[str, Any], again: str) -> None:
    """Refuse a tool that would be asked elsewhere than its service stands: that is where the service's key may go."""
    if tool.wire != service["kind"]:
        raise CatalogError(
            f"{file}: {tool.name} is of wire {tool.wire}, and {file.with_suffix('.json')} describes a service of kind "
            f"{service['kind']}. Import it again: {again}."
        )
    if tool.wire != "rest":
        return  # such a tool has no address: its program or server is what NAME.json says
    try:
        stands, asked = origin(str(service.get("server", ""))), origin(tool.endpoint.url)
    except ValueError as error:
        raise CatalogError(f"{file}: the address of {tool.name} cannot be used ({error}).") from error
    if asked != stands or not all(stands) or "{" in stands[1]:
        raise CatalogError(
            f"{file}: {tool.name} would be asked at {'://'.join(asked)}, but {file.with_suffix('.json')} says that its "
            f"service stands at {'://'.join(stands) if all(stands) else 'no address'}, and its key is for nobody else. "
            f"Where you trust both, import it again: {again}."
        )


def _command(file: Path, service: Mapping[str, Any]) -> str:
    """The command that writes a service's tools anew, as far as the folder knows it."""
    if service.get("kind") == "mcp":
        what = "mcp COMMAND|URL"  # of NAME.json; not shown, since a command may hold what looks like a secret
    else:
        told = service.get("description")
        described = told.partition(" sha256:")[0] if isinstance(told, str) else ""
        what = f"openapi {shlex.quote(described) if described else 'FILE'}"
    return f"kopa tools import {what} --output {shlex.quote(str(file.parent))} --name {file.stem}"


def _read_service(path: Path) -> Mapping[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(
            f"{path}, which says how the service is reached, cannot be read ({error}). "
            f"Import it again: `{_command(path, {})} --replace`, or take the service's files away."
        ) from error
    if not isinstance(content, dict) or content.get("kind") not in KINDS:
        raise DataError(
            f"{path} must be an object whose kind is {' or '.join(KINDS)}. "
            f"Import it again: `{_command(path, {})} --replace`, or take the service's files away."
        )
    return content
