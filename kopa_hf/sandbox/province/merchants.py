"""Shops that take the local currency or deliver through the province's service.

They are premises of the food and retail registers: what a licence says about a place (name, address, closed
or not) its merchant record says too.
"""

from __future__ import annotations

import bisect
import datetime
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from kopa_hf.sandbox.province.columns import Column, compact, digits, pick
from kopa_hf.sandbox.province.lists import asked_sigun, writer_of
from kopa_hf.sandbox.province.municipalities import Sigun, shares, siguns
from kopa_hf.sandbox.province.premises import Mixed, Numbers, Premises, Trade, life_of, name_of, register, running
from kopa_hf.sandbox.province.trades import GYM, PHARMACY, RESTAURANTS, SINGING, SNACK_BARS
from kopa_hf.sandbox.query import NO_ROWS, Query, Reply, Rows
from kopa_hf.sandbox.world import World

MERCHANTS: Final = 224_958
"""Merchants of the local currencies at scale 1."""
_SHOPS: Final[tuple[Trade, ...]] = (*RESTAURANTS, *SNACK_BARS, PHARMACY, GYM, SINGING)
_BEGAN: Final = datetime.date(2019, 4, 1)
"""When the local currencies began."""
_FEW: Final = 8
_TAX: Final = ("계속사업자", "폐업자", "휴업자")

_INDUSTRY: Final[dict[str, tuple[str, str]]] = {
    "food": ("7101", "일반휴게음식"),
    "health": ("5001", "약국"),
    "sport": ("6002", "레저업소"),
    "fun": ("6003", "문화·취미"),
}

_COLUMNS: Final[dict[str, Column]] = {
    "INDUTYPE_CD": lambda p: _INDUSTRY[p.trade.key.partition(".")[0]][0],
    "INDUTYPE_NM": lambda p: _INDUSTRY[p.trade.key.partition(".")[0]][1],
    "BIZCOND_NM": lambda p: p.trade.label,
    "REGION_MNY_NM": lambda p: f"{p.sigun.name.removesuffix('시').removesuffix('군')}페이",
    "BRNHSTRM_MNY_USE_POSBL_YN": lambda p: pick(p, 140, "NNY"),
    "CARD_MNY_USE_POSBL_YN": lambda p: "Y",
    "MOBILE_MNY_USE_POSBL_YN": lambda p: pick(p, 141, "NY"),
    "FRCS_NO": lambda p: digits(p, 142, 9),
    "LEAD_TAX_MAN_STATE": lambda p: _TAX[_state(p)],
    "LEAD_TAX_MAN_STATE_CD": lambda p: f"0{(1, 3, 2)[_state(p)]}",
    "CLSBIZ_DAY": lambda p: compact(p.closed),
}


def _state(place: Premises) -> int:
    return 1 if place.closed is not None else 2 if place.paused else 0


class _Merchants:
    """Numbers of the shops' register: of each few neighbours in it those that run, then those that closed lately.

    Hardly any closed before there was a local currency. Neighbours are looked through when one of them is asked for.
    """

    __slots__ = ("_book", "_ends", "_few", "_numbers")

    def __init__(self, world: World, sigun: Sigun | None) -> None:
        self._book = register(world, _SHOPS)
        share = shares(min(world.count(MERCHANTS, 2), len(self._book) * 2 // 3))
        places = siguns() if sigun is None else (sigun,)
        self._numbers: list[Numbers] = [self._book.numbers(place) for place in places]
        self._ends = list(
            accumulate(min(len(share.span(p)), len(n)) for p, n in zip(places, self._numbers, strict=True))
        )
        self._few: dict[tuple[int, int], list[int]] = {}

    def __len__(self) -> int:
        return self._ends[-1]

    def __getitem__(self, index: int) -> int:
        position = bisect.bisect_right(self._ends, index)
        block, place = divmod(index - (self._ends[position - 1] if position else 0), _FEW)
        few = self._few.get((position, block)) or self._choose(position, block)
        return few[place]

    def __iter__(self) -> Iterator[int]:
        return (self[index] for index in range(len(self)))

    def _choose(self, position: int, block: int) -> list[int]:
        total = self._ends[position] - (self._ends[position - 1] if position else 0)
        first, last = block * _FEW, min((block + 1) * _FEW, total)
        numbers = self._numbers[position]
        neighbours = range(first * len(numbers) // total, last * len(numbers) // total)
        ranked = sorted((self._gone(numbers[place]), numbers[place]) for place in neighbours)
        return self._few.setdefault((position, block), sorted(number for _, number in ranked[: last - first]))

    def _gone(self, number: int) -> int:
        """0 for a shop that runs, 1 for one that closed since the currency began, more for one long gone."""
        _, closed, _ = life_of(self._book.world, *self._book.place(number))
        return 0 if closed is None else 1 + max((_BEGAN - closed).days, 0)


def merchants(world: World, query: Query) -> Reply:
    """지역화폐 가맹점; by 시군 and by part of the shop's name."""
    possible, sigun = asked_sigun(query)
    if not possible:
        return NO_ROWS
    where = sigun.code if sigun is not None else "all"
    chosen = world.table(f"province.merchants.{where}", lambda w: _Merchants(w, sigun))
    numbers: Numbers = Mixed(chosen) if sigun is None else chosen
    book, write = register(world, _SHOPS), writer_of(query, _COLUMNS)
    wanted = query.get("CMPNM_NM")
    if not wanted:
        return Rows(len(numbers), lambda index: write(book.at(numbers[index])))
    names: Sequence[str] = world.table(
        f"province.merchants.names.{where}", lambda w: [name_of(w, *book.place(number)) for number in chosen]
    )
    kept = [number for number, name in zip(chosen, names, strict=True) if wanted in name]
    return Rows.mapped(kept, lambda number: write(book.at(number)))


def delivery(world: World, query: Query) -> Reply:
    """배달특급 가맹점: every fifth restaurant that runs."""
    possible, sigun = asked_sigun(query)
    if not possible:
        return NO_ROWS
    book, every = register(world, RESTAURANTS), running(world, RESTAURANTS, sigun)
    fifths: Numbers = range(0, len(every) - 4, 5)
    order = Mixed(fifths) if sigun is None else fifths
    write = writer_of(query, {})
    return Rows(len(order), lambda index: write(book.at(every[order[index]])))
