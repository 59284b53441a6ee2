"""How much each service may be asked: what is documented, and where nothing is, a cautious number of ours.

The table is `data/limits.json`; a file of the same shape (JSON or TOML) overrides single
numbers, for accounts that were granted more.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final, Literal

from kopa_hf.catalog.folder import KINDS as OWN_WIRES
from kopa_hf.catalog.tool import Tool
from kopa_hf.errors import BackendError
from kopa_hf.execution.keys import GATEWAY

_GATEWAY_WIRES: Final = frozenset({GATEWAY, "kdic", "hrdk"})
_MONTH: Final = 30
"""Days over which a monthly quota is spread when a day's share of it is wanted."""


@dataclass(frozen=True, slots=True)
class Limit:
    """What one provider's key may do. None: no such limit."""

    per_day: int | None = None
    """Requests a Korean calendar day."""
    per_month: int | None = None
    """Requests a Korean calendar month."""
    per_minute: int | None = None
    per_second: int | None = None
    concurrency: int = 4
    """Requests under way at the same time."""
    scope: Literal["key", "service"] = "key"
    """`service`: the quota is counted apart for every service of the provider."""
    documented: bool = False
    """False: the provider publishes no number, and this one is our caution."""
    note: str = ""

    @property
    def day(self) -> int:
        """Requests that fit one day; a monthly quota counts by its thirtieth part."""
        shares = [self.per_day, self.per_month // _MONTH if self.per_month is not None else None]
        return min((share for share in shares if share is not None), default=10**9)

    @property
    def words(self) -> str:
        """The quota for people: `10,000 a day`."""
        parts = [
            f"{number:,} a {period}"
            for number, period in ((self.per_day, "day"), (self.per_month, "month"))
            if number is not None
        ]
        return (", ".join(parts) or "none") + (" a service" if self.scope == "service" else "")

    def days_for(self, calls: int) -> int:
        """Days that so many requests of one quota take."""
        return math.ceil(calls / max(self.day, 1))


@dataclass(frozen=True, slots=True)
class Quota:
    """The counter that one request falls under."""

    name: str
    """The provider: a key name."""
    counter: str
    """What is counted together: the provider, or one of its services."""
    limit: Limit


class Limits:
    """The limit of every provider."""

    def __init__(self, table: Mapping[str, Limit]) -> None:
        self._table = dict(table)

    @classmethod
    def default(cls) -> Limits:
        """As shipped."""
        return cls(_shipped())

    @classmethod
    def load(cls, file: str | Path | None = None) -> Limits:
        """The shipped table under the numbers of a file."""
        if file is None:
            return cls.default()
        path = Path(file)
        try:
            text = path.read_text(encoding="utf-8-sig")
            given = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
            table = {**_shipped()}
            for name, numbers in given.items():
                table[name] = _merged(table.get(name, Limit(documented=True)), numbers)
        except OSError as error:
            raise BackendError(f"Limits file {path} cannot be read: {error.strerror}.") from error
        except (ValueError, TypeError, AttributeError) as error:
            raise BackendError(
                f"Limits file {path}: {error}. It maps a provider to numbers, as in  [dart]  per_day = 20000"
            ) from error
        return cls(table)

    def with_services(self, services: Mapping[str, Mapping[str, Any]]) -> Limits:
        """The table with what a catalog of one's own says of its services (`limits`) where nothing else does."""
        table = dict(self._table)
        for name, service in services.items():
            try:
                table.setdefault(name, _of_own(service.get("limits") or {}))
            except (ValueError, TypeError, AttributeError) as error:
                raise BackendError(f"Limits of the service {name}: {error}.") from error
        return Limits(table)

    def quota_of(self, tool: Tool) -> Quota:
        """The counter of a tool's requests."""
        name = provider_of(tool)
        limit = self._table.get(name, Limit(per_day=1000))
        return Quota(name, name if limit.scope == "key" else f"{name}:{_service(tool)}", limit)

    def of(self, name: str) -> Limit:
        """The limit of a provider."""
        return self._table.get(name, Limit(per_day=1000))


def provider_of(tool: Tool) -> str:
    """Who counts a tool's requests: the wire, the gateway for all behind it, or a service of one's own."""
    if tool.wire in OWN_WIRES:
        return tool.platform
    return GATEWAY if tool.wire in _GATEWAY_WIRES else tool.wire


def _service(tool: Tool) -> str:
    """Host and path of a service, without its operation."""
    address = tool.endpoint.url.partition("?")[0].partition("://")[2]
    return address.rpartition("/")[0]


def _of_own(numbers: Mapping[str, Any]) -> Limit:
    """What a user wrote of a service of one's own counts as known; without a quota ours is a cautious one."""
    told = "per_day" in numbers or "per_month" in numbers
    return _merged(Limit(per_day=None if told else 1000, documented=told), numbers)


def _merged(limit: Limit, numbers: Mapping[str, Any]) -> Limit:
    known = {field.name for field in fields(Limit)}
    unknown = sorted(numbers.keys() - known)
    if unknown:
        raise ValueError(f"unknown setting {unknown[0]!r}; known: {', '.join(sorted(known))}")
    for name, value in numbers.items():
        whole = isinstance(value, int) and not isinstance(value, bool) and value > 0
        if name in ("per_day", "per_month", "per_minute", "per_second", "concurrency") and not whole:
            raise ValueError(f"{name} must be a whole number above 0")
    return replace(limit, **numbers)


@cache
def _shipped() -> dict[str, Limit]:
    text = resources.files("kopa_hf.execution").joinpath("data/limits.json").read_text(encoding="utf-8")
    return {name: _merged(Limit(), numbers) for name, numbers in json.loads(text).items()}
