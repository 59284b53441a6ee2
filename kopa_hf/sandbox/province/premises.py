"""Businesses and facilities: who stands where, since when, and whether it still runs.

A trade is numbered 시군 by 시군, and everything about its n-th premises follows from the number, so
that a register of 280,000 restaurants costs what its asked page costs. Lists that overlap (all
restaurants and those of one kind, merchants that take the local currency, libraries under three
services) read the same premises.
"""

from __future__ import annotations

import bisect
import datetime
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Final, Protocol

from kopa_hf.sandbox.places import Neighbourhood
from kopa_hf.sandbox.province.municipalities import Shares, Sigun, Spot, hoods, shares, siguns, spot_in, telephone
from kopa_hf.sandbox.rng import Stream, mix, permuted
from kopa_hf.sandbox.world import LAST_DAY, World

_HEADS: Final = (
    "가온", "누리", "다온", "라온", "마루", "바름", "아람", "자람", "타래", "파랑", "하람", "미르", "도담", "푸름", "보담", "예솔",
    "윤슬", "초아", "다솜", "나래", "두레", "이든", "해든", "온새", "늘찬", "새길", "너울", "노을", "단미", "여울", "물결", "별하",
    "산들", "소담", "아리", "은가", "꽃담", "솔찬", "가랑", "고운", "달보드레", "시나브로", "모도리", "한울", "바람꽃", "이슬",
)  # fmt: skip
_SECOND: Final = (
    "", "", "", "", "빛", "솔", "결", "샘", "들", "별", "울", "봄", "길", "뜰", "숲", "벗", "터", "골", "재", "내",
)  # fmt: skip


_ORDER: Final = 0x6767
_KEPT: Final = 2_000


_CHAINS: Final = ("food.", "shop.", "sport.", "car.", "stay.hotel", "fun.singing", "fun.cinema", "fun.kids")
"""Trades with branches: …카페 매탄점."""


@dataclass(frozen=True, slots=True)
class Trade:
    """One kind of business or facility."""

    key: str
    label: str
    """As registers print it: 중국식, 일반호텔."""
    names: tuple[str, ...]
    """What names end in. A name with {동} takes its neighbourhood's name, one with {시군} its 시군's."""
    total: int
    """How many there ever were in the whole province, at scale 1."""
    gone: float = 0.0
    """Share of them that has closed since."""
    since: int = 1985
    per_sigun: bool = False
    """The same number in every 시군 (fire stations), not by inhabitants."""


@dataclass(frozen=True, slots=True)
class Premises:
    """One business or facility."""

    trade: Trade
    index: int
    """Its number within the trade."""
    sigun: Sigun
    name: str
    spot: Spot
    telephone: str
    opened: datetime.date
    closed: datetime.date | None
    paused: bool
    """Out of business for a while (휴업)."""
    identity: int
    """Seed of further words and codes."""
    measure: int
    """Seed of figures."""

    @property
    def running(self) -> bool:
        """True where it neither closed nor pauses."""
        return self.closed is None and not self.paused


class Numbers(Protocol):
    """Some numbers of a register, in order."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> int: ...

    def __iter__(self) -> Iterator[int]: ...


class Register:
    """The premises of some trades as one list, by number or by 시군."""

    def __init__(self, world: World, trades: Sequence[Trade]) -> None:
        self.world = world
        self.trades = tuple(trades)
        self.shares = [_shares(world, trade) for trade in self.trades]
        self._ends = tuple(accumulate(share.total for share in self.shares))
        self._lately: dict[int, Premises] = {}

    def __len__(self) -> int:
        return self._ends[-1]

    def at(self, number: int) -> Premises:
        """The n-th over all trades; those asked for lately are kept, since pages are asked for again."""
        found = self._lately.get(number)
        if found is None:
            if len(self._lately) >= _KEPT:
                self._lately.clear()
            found = self._lately[number] = premises(self.world, *self.place(number))
        return found

    @cached_property
    def hoods(self) -> tuple[str, ...]:
        """The neighbourhood of each, without making the rest of it."""
        places = (
            (trade, index)
            for trade, share in zip(self.trades, self.shares, strict=True)
            for index in range(share.total)
        )
        return tuple(_hood(self.world, trade, i, _shares(self.world, trade).sigun_at(i)).name for trade, i in places)

    def place(self, number: int) -> tuple[Trade, int]:
        """Trade and number within it of the n-th."""
        position = bisect.bisect_right(self._ends, number)
        return self.trades[position], number - (self._ends[position - 1] if position else 0)

    def numbers(self, sigun: Sigun | None) -> NumberRuns:
        """The numbers of one 시군's premises, or of all."""
        if sigun is None:
            return NumberRuns((range(len(self)),))
        runs = []
        for position, share in enumerate(self.shares):
            start = self._ends[position - 1] if position else 0
            span = share.span(sigun)
            runs.append(range(start + span.start, start + span.stop))
        return NumberRuns(tuple(run for run in runs if run))


class NumberRuns:
    """Some ranges of numbers read as one sequence."""

    __slots__ = ("_ends", "runs")

    def __init__(self, runs: tuple[range, ...]) -> None:
        self.runs = runs
        self._ends = tuple(accumulate(len(run) for run in runs))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __getitem__(self, index: int) -> int:
        run = bisect.bisect_right(self._ends, index)
        return self.runs[run][index - (self._ends[run - 1] if run else 0)]

    def __iter__(self) -> Iterator[int]:
        for run in self.runs:
            yield from run


class Mixed:
    """Things in an order of no meaning, so that a list's first page is not all of one 시군."""

    __slots__ = ("_numbers",)

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, index: int) -> int:
        if index >= len(self._numbers):
            raise IndexError(index)
        return self._numbers[permuted(index, len(self._numbers), _ORDER)]

    def __iter__(self) -> Iterator[int]:
        return (self._numbers[position] for position in _order(len(self._numbers)))


@lru_cache(maxsize=16)
def _order(size: int) -> array[int]:
    """The order of so many things, for those who go through all of them again and again."""
    return array("L", (permuted(index, size, _ORDER) for index in range(size)))


def register(world: World, trades: Sequence[Trade]) -> Register:
    """The register of some trades; kept by the world."""
    key = "+".join(trade.key for trade in trades)
    return world.table(f"province.register.{key}", lambda w: Register(w, trades))


@lru_cache(maxsize=512)
def _seed(identity_seed: int, key: str) -> int:
    """What a trade's names, places and lives are drawn from, by number."""
    return World(identity_seed).identity("province", key).u64()


@lru_cache(maxsize=512)
def _measure(identity_seed: int, value_seed: int, key: str) -> int:
    """The same for its figures."""
    return World(identity_seed, value_seed).measure_seed("province", key)


def life_of(world: World, trade: Trade, index: int) -> tuple[datetime.date, datetime.date | None, bool]:
    """Opening day, closing day, pausing: drawn by number alone."""
    draw = mix(_seed(world.identity_seed, trade.key), 4 * index)
    span = (LAST_DAY - datetime.date(trade.since, 1, 2)).days
    # the larger of two even draws: most places are young
    opened = LAST_DAY - datetime.timedelta(days=1 + min(draw % span, (draw >> 20) % span))
    fate = ((draw >> 40) & 0xFFFF) / 65536
    if fate < trade.gone:
        return opened, opened + datetime.timedelta(days=(draw >> 33) % ((LAST_DAY - opened).days + 1)), False
    return opened, None, bool(trade.gone) and fate > 0.993


def name_of(world: World, trade: Trade, index: int) -> str:
    """An invented name; branches and facilities carry a real neighbourhood's."""
    sigun = _shares(world, trade).sigun_at(index)
    draw = mix(_seed(world.identity_seed, trade.key), 4 * index + 1)
    tail, head = trade.names[draw % len(trade.names)], _HEADS[(draw >> 8) % len(_HEADS)]
    if "{" in tail:
        tail = tail.replace("{동}", _hood(world, trade, index, sigun).name).replace("{말}", head)
        return tail.replace("{시군}", sigun.name.removesuffix("시").removesuffix("군"))
    name = f"{head}{_SECOND[(draw >> 16) % len(_SECOND)]}{tail}"
    if (draw >> 24) % 4 or not trade.key.startswith(_CHAINS):
        return name
    return f"{name} {_hood(world, trade, index, sigun).name.removesuffix('동')}점"


def _shares(world: World, trade: Trade) -> Shares:
    return shares(world.count(trade.total, len(siguns()) if trade.per_sigun else 12), trade.per_sigun)


def _hood(world: World, trade: Trade, index: int, sigun: Sigun) -> Neighbourhood:
    names = hoods(sigun.position)
    return names[mix(_seed(world.identity_seed, trade.key), 4 * index + 2) % len(names)]


def premises(world: World, trade: Trade, index: int) -> Premises:
    """The n-th premises of a trade."""
    sigun = _shares(world, trade).sigun_at(index)
    stream = Stream(mix(_seed(world.identity_seed, trade.key), 4 * index + 3))
    return Premises(
        trade,
        index,
        sigun,
        name_of(world, trade, index),
        spot_in(stream, sigun, _hood(world, trade, index, sigun)),
        telephone(stream, sigun),
        *life_of(world, trade, index),
        stream.u64(),
        mix(_measure(world.identity_seed, world.value_seed, trade.key), index),
    )


def running(world: World, trades: Sequence[Trade], sigun: Sigun | None = None) -> Numbers:
    """Numbers (in the trades' register) of premises that still run; kept per 시군."""
    where = sigun.code if sigun is not None else "all"
    key = "+".join(trade.key for trade in trades)

    def build(world: World) -> Numbers:
        book = register(world, trades)
        if all(not trade.gone for trade in trades):
            return book.numbers(sigun)
        found = []
        for number in book.numbers(sigun):
            _, closed, paused = life_of(world, *book.place(number))
            if closed is None and not paused:
                found.append(number)
        return found

    return world.table(f"province.running.{key}.{where}", build)
