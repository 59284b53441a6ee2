"""Quarterly statistics of financial institutions: staff, summary balance sheets, ratios, business; one row per item.

All sectors answer alike; the columns of code, name and figure are named differently in every
operation, so they are read from its signature.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final, NamedTuple

from kopa_hf.catalog.tool import Tool
from kopa_hf.sandbox.market.daily import in_order
from kopa_hf.sandbox.market.institutions import Institution, institutions
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.world import World

_MONTHS: Final = tuple(f"{year}{month:02d}" for year in range(2025, 2020, -1) for month in (12, 9, 6, 3))[1:]
"""Quarters with figures, newest first: the last one of 2025 is not out yet."""
_MILLION: Final = 1_000_000


class Item(NamedTuple):
    """One line of a table."""

    code: str
    name: str
    weight: int
    """Per mille of the whole that it is part of; 0: the whole itself. For ratios: hundredths of a typical value."""


class Table(NamedTuple):
    """What an operation's rows are about."""

    title: str
    items: tuple[Item, ...]
    ratio: bool = False
    per_size: float = 1.0
    """The whole, in units of the institution's size: assets in won, heads, …"""


_STAFF: Final = (Item("A", "임원", 40), Item("B", "직원", 960), Item("C", "합계", 0))
_ASSETS: Final = (
    Item("A", "자산총계", 0), Item("A1", "현금 및 예치금", 70), Item("A2", "유가증권", 210), Item("A3", "대출채권", 640),
    Item("A4", "유형자산", 20), Item("A5", "기타자산", 60),
)  # fmt: skip
_RATIOS: Final = (
    Item("A", "자기자본비율", 1580),
    Item("A1", "기본자본비율", 1410),
    Item("A2", "단순자기자본비율", 780),
)
_BUSINESS: Final = (Item("A", "합계", 0), Item("B", "대출금", 700), Item("C", "유가증권", 200), Item("D", "기타", 100))
_TABLES: Final[tuple[tuple[str, Table], ...]] = (
    ("GeneInfo", Table("임직원현황", _STAFF, per_size=0.08)),
    ("FinaInfo", Table("요약재무상태표(자산)", _ASSETS, per_size=1_000 * _MILLION)),
    ("KeyManaIndi", Table("자본적정성", _RATIOS, ratio=True)),
    ("MajoBusiActi", Table("영업규모", _BUSINESS, per_size=800 * _MILLION)),
    ("PresReleStat", Table("자본비율", _RATIOS, ratio=True)),
    ("getTrusBusiTrusFee", Table("신탁보수", _BUSINESS, per_size=2 * _MILLION)),
    ("getTrusBusi", Table("신탁 인원현황", _STAFF, per_size=0.002)),
    ("getDeriBusi", Table("파생상품거래현황", _BUSINESS, per_size=300 * _MILLION)),
)
_TRUSTS: Final = {
    "getTrusBusiBank": "DomeBank",
    "getTrusBusiSecu": "SecuComp",
    "getTrusBusiInsu": "LifeInsuComp",
    "getTrusBusiRealEstaTrus": "RealEstaTrusComp",
    "getTrusBusiTrusFee": "RealEstaTrusComp",
    "getDeriBusiTrusBusi": "DomeBank",
    "getDeriBusiTrusExclTota": "SecuComp",
}


class _Columns(NamedTuple):
    """Which columns of a signature hold the item's code, name, figures and share."""

    code: str
    name: str
    figures: tuple[str, ...]
    share: str


@cache
def _columns(tool: Tool) -> _Columns:
    own = [f.name for f in tool.fields if f.name not in ("title", "basYm", "crno", "fncoCd", "fncoNm")]
    code = next(name for name in own if re.search(r"[Cc]d$", name))
    name = next((name for name in own if re.search(r"[Cc]dNm$", name)), "")
    share = next((name for name in own if re.search(r"CmpsRto(?:Ctt)?$", name)), "")
    return _Columns(code, name, tuple(n for n in own if n not in (code, name, share)), share)


def table_of(operation: str) -> Table:
    """The table that an operation answers with."""
    return next(table for part, table in _TABLES if part in operation)


def figure(world: World, table: Table, of: Institution, month: str, item: Item, column: str) -> int | float:
    """A figure of an institution's quarter: the parts of a table add up to its whole; a ratio stands alone."""
    seed = world.measure_seed("market", "supervision", table.title, of.code, column, month)
    if table.ratio:
        drift = mix(world.measure_seed("market", "ratio", of.code), ord(item.name[0])) % 400 - 200
        return max(item.weight + drift + mix(seed, item.weight) % 60, 30) / 100
    whole = int(of.size * table.per_size * (900 + mix(seed, 0) % 200) / 1000) + 1
    parts = [i for i in table.items if i.weight]
    amounts = [whole * i.weight // 1000 for i in parts]
    amounts[-1] = whole - sum(amounts[:-1])
    return dict(zip(parts, amounts, strict=True)).get(item, whole)


def _handler(sector: str) -> Handler:
    def answer(world: World, query: Query) -> Reply:
        tool = query.tool
        table = table_of(query.operation)
        if tool is None or (query.get("title") and query.get("title") not in table.title):
            return NO_ROWS
        months = [month for month in _MONTHS if query.get("basYm") in ("", month)]
        everybody, items = institutions(world, sector), table.items
        columns = _columns(tool)

        def at(index: int) -> Record:
            rest, line = divmod(index, len(items))
            quarter, who = divmod(rest, len(everybody))
            return _record(world, query, table, columns, everybody[who], months[quarter], items[line])

        return Rows(len(months) * len(everybody) * len(items), at)

    return answer


def _record(
    world: World, query: Query, table: Table, columns: _Columns, of: Institution, month: str, item: Item
) -> Record:
    cells: dict[str, Any] = {
        "title": table.title,
        "basYm": month,
        "crno": of.register_no,
        "fncoCd": of.code,
        "fncoNm": of.name,
        columns.code: item.code,
        columns.name: item.name,
    }
    for column in columns.figures:
        amount = figure(world, table, of, month, item, column)
        cells[column] = f"{amount:.2f}" if table.ratio else str(amount)
    if columns.share:
        share = item.weight / 10 if item.weight else 100.0
        cells[columns.share] = f"{share:.2f}"
    return in_order(query, cells)


_ANSWERED: Final = {
    "AgriCoop": "GeneInfo FinaInfo KeyManaIndi",
    "InstFinaComp": "GeneInfo FinaInfo KeyManaIndi MajoBusiActi",
    "MutuSaviBank": "GeneInfo FinaInfo KeyManaIndi",
    "InveAdviComp": "GeneInfo FinaInfo",
    "SecuComp": "GeneInfo FinaInfo KeyManaIndi MajoBusiActi PresReleStat",
    "MercBank": "GeneInfo FinaInfo KeyManaIndi",
    "AsseManaComp": "GeneInfo FinaInfo KeyManaIndi",
    "ForeBankBran": "GeneInfo FinaInfo KeyManaIndi",
    "CredUnio": "GeneInfo KeyFinaInfo KeyManaIndi",
    "CredCardComp": "GeneInfo FinaInfo KeyManaIndi MajoBusiActi",
    "NewTechVentCapiComp": "GeneInfo FinaInfo KeyManaIndi MajoBusiActi",
    "FishCoop": "GeneInfo FinaInfo KeyManaIndi",
    "NonlInsuComp": "GeneInfo FinaInfo KeyManaIndi",
    "FutuComp": "GeneInfo FinaInfo KeyManaIndi MajoBusiActi PresReleStat",
    "LifeInsuComp": "GeneInfo MajoBusiActi KeyManaIndi",
    "ForeCoop": "GeneInfo FinaInfo KeyManaIndi",
    "RealEstaTrusComp": "GeneInfo FinaInfo KeyManaIndi",
    "LeasComp": "GeneInfo FinaInfo KeyManaIndi PresReleStat",
    "FinaHoldComp": "GeneInfo FinaInfo KeyManaIndi",
    "DomeBank": "GeneInfo FinaInfo KeyManaIndi MajoBusiActi",
}
"""Sector → the statistics that it has."""

HANDLERS: dict[str, Handler] = {
    **{f"get{sector}{kind}": _handler(sector) for sector, kinds in _ANSWERED.items() for kind in kinds.split()},
    **{operation: _handler(sector) for operation, sector in _TRUSTS.items()},
}
