"""KRX operations on bonds: government, general, small-lot, socially responsible, and bond indices."""

from __future__ import annotations

import datetime
from array import array
from dataclasses import dataclass
from functools import partial
from typing import Final

from kopa_hf.sandbox.calendar import add_months, compact, trading_days
from kopa_hf.sandbox.finance.companies import companies, isin_of
from kopa_hf.sandbox.finance.krxday import asked_position
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.rng import bell, mix
from kopa_hf.sandbox.world import World


@dataclass(frozen=True, slots=True)
class Bond:
    """One bond; its price follows its yield over the years left."""

    isin: str
    name: str
    issuer: str
    years: int
    issued_on: datetime.date
    coupon: int
    """Thousandths of a percent a year."""

    @property
    def redeemed_on(self) -> datetime.date:
        """Maturity."""
        return add_months(self.issued_on, 12 * self.years)


_TERMS: Final = (2, 3, 5, 10, 20, 30)


def government_bonds(world: World) -> tuple[Bond, ...]:
    """Treasury bonds, named as the market names them: 국고03250-2703(24-3)."""

    def build(w: World) -> tuple[Bond, ...]:
        stream = w.identity("finance", "treasury")
        found = []
        for year in (2022, 2023, 2024, 2025):
            for number, years in enumerate(_TERMS, 1):
                issued = datetime.date(year, stream.choice((3, 6, 9)), 10)
                coupon = stream.between(22, 34) * 125
                end = add_months(issued, 12 * years)
                name = f"국고{coupon:05d}-{end:%y%m}({year % 100}-{number})"
                code = f"035{stream.below(90) + 10}{'GABCDEFHJ'[year % 9]}{number}"
                found.append(
                    Bond(isin_of(code[:6], "1", f"{number}{year % 10}"), name, "대한민국", years, issued, coupon)
                )
        return tuple(found)

    return world.table("finance.treasury", build)


def corporate_bonds(world: World, kind: str, count: int) -> tuple[Bond, ...]:
    """Bonds of invented companies; `kind` names the list they stand in."""

    def build(w: World) -> tuple[Bond, ...]:
        pool = [c for c in companies(w) if c.listed]
        stream = w.identity("finance", "bonds", kind)
        found = []
        for number in range(w.count(count, 8)):
            company = stream.choice(pool)
            issued = datetime.date(stream.between(2021, 2023), stream.between(1, 12), stream.between(1, 28))
            series = stream.between(1, 90)
            code = f"{stream.below(900_000) + 100_000:06d}"
            coupon = stream.between(300, 620) * 10
            found.append(
                Bond(
                    isin_of(code, "6", f"{number % 100:02d}"),
                    f"{company.name}{series}",
                    company.name,
                    stream.choice((3, 4, 5, 7)),
                    issued,
                    coupon,
                )
            )
        return tuple(found)

    return world.table(f"finance.bonds.{kind}", build)


def _rates(world: World) -> array[float]:
    """The market's three-year yield per trading day, in percent."""

    def build(w: World) -> array[float]:
        seed = w.measure_seed("finance", "rates")
        path, rate = array("d"), 3.3
        for position in range(len(trading_days())):
            rate += bell(mix(seed, position)) * 0.03 + (3.1 - rate) * 0.005
            path.append(rate)
        return path

    return world.table("finance.rates", build)


def _yield(world: World, bond: Bond, position: int) -> float:
    extra = (
        0.0
        if bond.issuer == "대한민국"
        else 0.7 + mix(world.measure_seed("finance", "spread", bond.isin), 0) % 200 / 100
    )
    return _rates(world)[position] + (min(bond.years, 20) - 3) * 0.02 + extra


def _price(bond: Bond, rate: float, position: int) -> float:
    """Price per 10,000 won of face by the years left, first order in the yield."""
    left = max((bond.redeemed_on - trading_days()[position]).days, 1) / 365
    return max(10_000 + (bond.coupon / 1_000 - rate) * 100 * min(left, 14), 4_000)


def trade(world: World, bond: Bond, position: int, market: str) -> Record:
    """A bond's trading day on one of the exchange's bond markets."""
    rate, before = _yield(world, bond, position), _yield(world, bond, max(position - 1, 0))
    seed = mix(world.measure_seed("finance", "bond", bond.isin), position)
    close, last = round(_price(bond, rate, position), 1), round(_price(bond, before, max(position - 1, 0)), 1)
    opened, high, low = close - (seed & 7) / 2, close + (seed >> 3 & 7) / 2, close - 4 - (seed >> 6 & 7) / 2
    left = max((bond.redeemed_on - trading_days()[position]).days, 1) / 365
    volume = (1 + (seed >> 20) % 90) * (1_000_000_000 if market.startswith("국채") else 10_000_000)
    record: Record = {
        "BAS_DD": compact(trading_days()[position]),
        "MKT_NM": market,
        "ISU_CD": bond.isin,
        "ISU_NM": bond.name,
    }
    if market.startswith("국채"):
        fresh = bond.issued_on.year >= trading_days()[position].year - 1
        record |= {"BND_EXP_TP_NM": str(bond.years), "GOVBND_ISU_TP_NM": "지표" if fresh else "경과"}
    record |= {"CLSPRC": f"{close:.1f}", "CMPPREVDD_PRC": f"{close - last:.1f}", "CLSPRC_YD": f"{rate:.3f}"}
    for name, price in (("OPN", opened), ("HG", high), ("LW", low)):
        # a higher price is a lower yield
        record |= {f"{name}PRC": f"{price:.1f}", f"{name}PRC_YD": f"{rate - (price - close) / 100 / min(left, 14):.3f}"}
    return record | {"ACC_TRDVOL": str(volume), "ACC_TRDVAL": str(int(volume * close / 10_000))}


def _alive(bonds: tuple[Bond, ...], position: int) -> list[Bond]:
    day = trading_days()[position]
    return [bond for bond in bonds if bond.issued_on <= day < bond.redeemed_on]


def _trading(market: str, world: World, query: Query) -> Reply:
    position = asked_position(query)
    if position is None:
        return NO_ROWS
    return Rows.mapped(traded(world, market, position), lambda bond: trade(world, bond, position, market))


def traded(world: World, market: str, position: int) -> list[Bond]:
    """Bonds that a market lists on a trading day."""
    if market == "국채전문유통시장":
        return _alive(government_bonds(world), position)
    return _alive(corporate_bonds(world, market, 180 if market == "일반채권시장" else 25), position)


_SRI: Final = ("녹색채권", "사회적채권", "지속가능채권", "지속가능연계채권")


def _responsible(world: World, query: Query) -> Reply:
    position = asked_position(query)
    if position is None:
        return NO_ROWS

    def make(bond: Bond) -> Record:
        amount = (1 + mix(world.measure_seed("finance", "sri", bond.isin), 0) % 40) * 10_000_000_000
        return {
            "BAS_DD": compact(trading_days()[position]),
            "ISUR_NM": bond.issuer,
            "ISU_CD": bond.isin,
            "SRI_BND_TP_NM": _SRI[bond.coupon // 10 % 4],
            "ISU_NM": bond.name,
            "LIST_DD": compact(bond.issued_on),
            "ISU_DD": compact(bond.issued_on),
            "REDMPT_DD": compact(bond.redeemed_on),
            "ISU_RT": f"{bond.coupon / 1_000:.3f}",
            "ISU_AMT": str(amount),
            "LIST_AMT": str(amount),
            "BND_TP_NM": "회사채",
        }

    return Rows.mapped(_alive(corporate_bonds(world, "사회책임투자", 140), position), make)


def _bond_indices(world: World, query: Query) -> Reply:
    position = asked_position(query)
    if position is None:
        return NO_ROWS

    def make(item: tuple[str, float]) -> Record:
        name, duration = item
        first, rate, before = (_rates(world)[p] for p in (0, position, max(position - 1, 0)))

        def total(days: int, at: float) -> float:
            return 100 + days * first / 250 - (at - first) * duration

        record: Record = {"BAS_DD": compact(trading_days()[position]), "BND_IDX_GRP_NM": name}
        for number, part in enumerate(("TOT_EARNG", "NETPRC", "ZERO_REINVST", "CALL_REINVST", "MKT_PRC")):
            carry = 0 if part in ("NETPRC", "MKT_PRC") else position
            level = 100 + number + total(carry, rate)
            change = level - (100 + number + total(max(carry - 1, 0), before))
            record |= {f"{part}_IDX": f"{level:.2f}", f"{part}_IDX_CMPPREVDD": f"{change:.2f}"}
        convexity = duration * duration * 1.3
        return record | {
            "AVG_DURATION": f"{duration:.3f}",
            "AVG_CONVEXITY_PRC": f"{convexity:.3f}",
            "BND_IDX_AVG_YD": f"{rate:.3f}",
        }

    return Rows.mapped((("KRX 채권지수", 5.6), ("KTB 지수", 9.4), ("국고채프라임지수", 7.9)), make)


HANDLERS: dict[str, Handler] = {
    "kts_bydd_trd": partial(_trading, "국채전문유통시장"),
    "bnd_bydd_trd": partial(_trading, "일반채권시장"),
    "smb_bydd_trd": partial(_trading, "소액채권시장"),
    "sri_bond_info": _responsible,
    "bon_dd_trd": _bond_indices,
}
