"""Handlers of single accounts at savings banks: opened deposits, loans, daily balances."""

from __future__ import annotations

import datetime
from bisect import bisect_right
from itertools import accumulate
from typing import Final

from kopa_hf.sandbox.calendar import compact, filing_days, is_business_day
from kopa_hf.sandbox.places import provinces
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.savings.common import day_of, equal, numbered
from kopa_hf.sandbox.savings.institutions import SAVINGS, Institution, of_sector
from kopa_hf.sandbox.world import LAST_DAY, World

_SORTS: Final = (("정기예금", 8), ("정기적금", 3), ("자유적립예금", 2), ("보통예금", 4))
_CUSTOMERS: Final = (("개인", 9), ("법인", 1))


def _opened(world: World, bank: Institution, day: datetime.date) -> int:
    """Deposit accounts that a bank opens on a day; none on a holiday."""
    if not is_business_day(day) or day > LAST_DAY:
        return 0
    usual = world.measure("savings", "opened", bank.index).octave(4, 90)
    return world.measure("savings", "opened", bank.index, day).between(usual // 2, usual * 3 // 2)


def _deposit(world: World, bank: Institution, day: datetime.date, number: int) -> Record:
    stream = world.identity("savings", "deposit", bank.index, day, number)
    home = bank.place.province.name if stream.chance(0.7) else stream.choice(provinces()).name
    return {
        "svbkNm": bank.name,
        "newDt": compact(day),
        "svbkLctplcNm": bank.place.province.name,
        "dpsAccno": f"{bank.code[-3:]}-{stream.between(10, 49)}-{day:%y%m%d}{number:04d}",
        "custDscdNm": stream.weighted(_CUSTOMERS),
        "accSbjcNm": stream.weighted(_SORTS),
        "custLctplcNm": home,
    }


def _deposits(world: World, query: Query) -> Reply:
    day = day_of(query, "newDt")
    banks = equal(
        of_sector(world, SAVINGS), query, svbkNm=lambda b: b.name, svbkLctplcNm=lambda b: b.place.province.name
    )
    ends = list(accumulate(_opened(world, bank, day) for bank in banks))
    filters = {
        name: query.get(name) for name in ("dpsAccno", "custDscdNm", "accSbjcNm", "custLctplcNm") if query.get(name)
    }

    def at(index: int) -> Record:
        place = bisect_right(ends, index)
        return _deposit(world, banks[place], day, index - (ends[place - 1] if place else 0) + 1)

    total = ends[-1] if ends else 0
    if filters:
        every = [at(index) for index in range(total)]
        return numbered([r for r in every if all(r[n] == v for n, v in filters.items())], lambda r: r)
    return Rows(total, lambda index: {"num": str(index + 1), **at(index)})


def _loans(world: World, query: Query) -> Reply:
    day = day_of(query, "newDt")
    banks = equal(of_sector(world, SAVINGS), query, svbkNm=lambda b: b.name)
    if not banks:
        return NO_ROWS
    bank = banks[0]
    rows = [
        {
            "svbkNm": bank.name,
            "svbkLctplcNm": bank.place.province.name,
            "newDt": compact(day),
            "lnAccno": f"{bank.code[-3:]}-{60 + number % 30}-{day:%y%m%d}{number:04d}",
        }
        for number in range(1, _opened(world, bank, day) // 3 + 1)
    ]
    wanted = query.get("lnAccno")
    return numbered([row for row in rows if wanted in ("", row["lnAccno"])], lambda row: row)


def _balances(world: World, query: Query) -> Reply:
    """Every business day since 2023, the latest first, and on it every bank."""
    banks = equal(of_sector(world, SAVINGS), query, svbkNm=lambda b: b.name)
    days = filing_days()

    def row(index: int) -> Record:
        back, place = divmod(index, len(banks))
        return {"num": str(index + 1), "svbkNm": banks[place].name, "baseDt": compact(days[-1 - back])}

    return Rows(len(banks) * len(days), row)


HANDLERS: Final[dict[str, Handler]] = {
    "getAcnutAcctoRecptnNewSttus": _deposits,
    "getAcnutAcctoCdtlnNewSttus": _loans,
    "getDalyRecptnBlceChange": _balances,
}
