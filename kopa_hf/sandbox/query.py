"""What a handler is asked and what it gives back, free of any wire protocol."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from kopa_hf.catalog.tool import Tool

if TYPE_CHECKING:
    from kopa_hf.sandbox.world import World

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Query:
    """A request with the wire taken off: no key, no paging parameters, no format."""

    operation: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    """As received, decoded; empty ones are left out. May hold names that the service does not know."""
    tool: Tool | None = None
    """The catalog's signature of the operation; None where a handler exists for an unlisted one."""
    page: int = 1
    size: int = 100
    """For the envelope, which slices `Rows`; handlers do not look at paging."""

    def get(self, name: str, default: str = "") -> str:
        """A parameter's value, stripped; `default` where it is absent or blank."""
        return self.parameters.get(name, "").strip() or default


class Rows:
    """The records of an answer over all pages: a total and a way to make any slice.

    Nothing but the asked slice is made, so a table of 200,000 rows costs what one page costs.
    """

    __slots__ = ("_at", "_items", "total")

    def __init__(self, total: int, at: Callable[[int], Record]) -> None:
        self.total = total
        self._at: Callable[[int], Record] | None = at
        self._items: Sequence[Record] | None = None

    @classmethod
    def of(cls, items: Sequence[Record]) -> Rows:
        """Rows that are already there."""
        rows = cls(len(items), items.__getitem__)
        rows._items = items
        return rows

    @classmethod
    def mapped(cls, items: Sequence[Any], make: Callable[[Any], Record]) -> Rows:
        """One record per item (an entity), made when its page is asked for."""
        return cls(len(items), lambda index: make(items[index]))

    def slice(self, start: int, stop: int) -> list[Record]:
        """Records start … stop-1, cut at the end; none for a start past it."""
        stop = min(stop, self.total)
        if self._items is not None:
            return list(self._items[start:stop])
        assert self._at is not None
        return [self._at(index) for index in range(max(start, 0), stop)]

    def all(self) -> list[Record]:
        """Every record; for services without paging."""
        return self.slice(0, self.total)


NO_ROWS = Rows.of(())


@dataclass(frozen=True, slots=True)
class Groups:
    """The answer of an operation that sends several titled lists with columns of their own (DART DS006)."""

    groups: tuple[tuple[str, Rows], ...]


class Archive:
    """The answer of a download: named files, packed once into a ZIP of fixed bytes."""

    __slots__ = ("_packed", "files")

    def __init__(self, files: Sequence[tuple[str, bytes]]) -> None:
        self.files = tuple(files)
        self._packed: bytes | None = None

    def packed(self) -> bytes:
        """The ZIP; time stamps are fixed, so equal files give equal bytes."""
        if self._packed is None:
            buffer = io.BytesIO()
            with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, content in self.files:
                    entry = zipfile.ZipInfo(name, date_time=(2026, 1, 30, 0, 0, 0))
                    entry.compress_type = zipfile.ZIP_DEFLATED
                    archive.writestr(entry, content)
            self._packed = buffer.getvalue()
        return self._packed


Reply = Rows | Groups | Archive

RefusalKind = Literal["missing", "value", "range", "too_many", "no_file"]


class RefusedError(Exception):
    """A request that the real service would refuse; the envelope writes it in the service's own words.

    `missing`: a required parameter is absent · `value`: a value is malformed · `range`: a window is too wide ·
    `too_many`: more items than allowed · `no_file`: nothing to download.
    """

    def __init__(self, kind: RefusalKind, name: str = "") -> None:
        self.kind: RefusalKind = kind
        self.name = name
        """The parameter at fault."""
        super().__init__(kind, name)


Handler = Callable[["World", Query], Reply]
