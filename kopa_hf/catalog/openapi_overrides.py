"""What the user says beside a description: names, labels, paging, the place of rows; one small YAML file.

Everything in it is optional. It goes before what the description says, and before what is guessed from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from kopa_hf.catalog.openapi_document import parse_document
from kopa_hf.errors import DataError

_PAGING: Final = frozenset({"page", "size", "style", "first", "default_size", "max_size", "total", "cursor"})
_AUTH: Final = frozenset({"in", "name", "scheme"})
_NEVER_EMPTY: Final = ("name", "server")
_KINDS: Final[dict[str, type]] = {"str": str, "bool": bool}


class OverridesError(DataError):
    """What the user says beside a description cannot be meant; unlike an odd operation it ends the import."""


@dataclass(frozen=True, slots=True)
class OfTool:
    """What is said of one operation, under its operationId or `METHOD /path`."""

    name: str = ""
    title: str = ""
    description: str = ""
    records: str | None = None
    """JSON pointer to the rows; empty: the whole answer."""
    total: str | None = None
    cursor: str | None = None
    paging: Mapping[str, Any] | bool | None = None
    """Parts of the paging; false: none."""
    read: bool | None = None
    """True for an operation that asks by POST and changes nothing."""
    skip: bool = False
    labels: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Overrides:
    """The whole file."""

    name: str = ""
    """Name of the service: of its files, its key and its quota."""
    server: str = ""
    auth: Mapping[str, str] | str | bool | None = None
    """`in`, `name` and `scheme` of the key, the name of one of the description's schemes, or false: none."""
    paging: Mapping[str, Any] | bool | None = None
    """For every operation that takes these parameters."""
    words: Mapping[str, str] = field(default_factory=dict)
    """Korean for words of names: dag: 워크플로."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Whole labels by name of column or input."""
    units: Mapping[str, str] = field(default_factory=dict)
    limits: Mapping[str, int] = field(default_factory=dict)
    """per_day, per_second, concurrency, … as a limits file has them."""
    only: tuple[str, ...] = ()
    """Operations to import; none named: all."""
    skip: tuple[str, ...] = ()
    allow_write: tuple[str, ...] = ()
    tools: Mapping[str, OfTool] = field(default_factory=dict)

    def of(self, operation_id: str, method: str, path: str) -> OfTool:
        """What is said of one operation."""
        found = self.tools.get(operation_id) if operation_id else None
        return found or self.tools.get(f"{method.upper()} {path}") or OfTool()

    def wanted(self, operation_id: str, method: str, path: str) -> bool:
        """False for an operation that is to be left out."""
        names = {operation_id, f"{method.upper()} {path}"} - {""}
        return not (names & set(self.skip)) and (not self.only or bool(names & set(self.only)))


def read_overrides(path: Path | None) -> Overrides:
    """The file, checked; `DataError` names what is wrong in it."""
    if path is None:
        return Overrides()
    try:
        content = parse_document(path.read_bytes(), str(path))
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error
    given = _checked(content, Overrides, str(path))
    told = given.get("tools", {})
    if not isinstance(told, dict):
        raise DataError(f"{path}: tools must map operations to what is said of them.")
    tools = {str(name): OfTool(**_checked(part, OfTool, f"{path}, tools.{name}")) for name, part in told.items()}
    return Overrides(**{**given, "tools": tools})


def _checked(content: Any, kind: type, where: str) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise DataError(f"{where} must be a mapping of settings.")
    known = {part.name: part for part in fields(kind)}
    unknown = sorted(str(name) for name in content if name not in known)
    if unknown:
        raise DataError(f"{where}: unknown {', '.join(unknown)}; there are {', '.join(known)}.")
    return {name: _value(name, value, str(known[name].type), f"{where}: {name}") for name, value in content.items()}


def _value(name: str, value: Any, annotation: str, where: str) -> Any:
    if name == "paging":
        return value if value is False else _mapping(value, where, _PAGING)
    if name == "auth":
        return value if value is False or isinstance(value, str) else _mapping(value, where, _AUTH)
    if name == "tools":
        return value
    if annotation.startswith("tuple"):
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise DataError(f"{where} must be a list of names.")
        return tuple(value)
    if annotation.startswith("Mapping"):
        return _mapping(value, where, None)
    wanted = _KINDS["bool" if annotation.startswith("bool") else "str"]
    if not isinstance(value, wanted):
        raise DataError(f"{where} must be {'true or false' if wanted is bool else 'a text'}.")
    if name in _NEVER_EMPTY and not str(value).strip():
        raise DataError(f"{where} is empty. Leave the line out for what the description says.")
    return value


def _mapping(value: Any, where: str, known: frozenset[str] | None) -> dict[str, Any]:
    if not isinstance(value, dict) or not all(isinstance(item, str | int) for item in value.values()):
        raise DataError(f"{where} must map names to values.")
    unknown = sorted(str(name) for name in value if known is not None and name not in known)
    if unknown:
        raise DataError(f"{where}: unknown {', '.join(unknown)}; there are {', '.join(sorted(known or ()))}.")
    return {str(name): item for name, item in value.items()}
