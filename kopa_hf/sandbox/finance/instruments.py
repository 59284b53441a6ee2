"""KRX operations beside stocks: indices, funds and notes, equity warrants, commodities, ESG.

Everything on one trading day hangs together: an ETF follows its index, an ELW its share.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.sandbox.finance.bonds import HANDLERS as BONDS
from kopa_hf.sandbox.finance.companies import Company, listed_on_market
from kopa_hf.sandbox.finance.derivatives import HANDLERS as DERIVATIVES
from kopa_hf.sandbox.finance.indices import Index, day_range, indices, level, turnover, values
from kopa_hf.sandbox.finance.krxday import on_day, printed_day, quote, walk
from kopa_hf.sandbox.finance.prices import closes
from kopa_hf.sandbox.query import Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.world import World

_BRANDS: Final = ("가온", "누리빛", "다온", "라온", "마루", "아람")
_WARRANT_BRANDS: Final = ("가온", "누리", "다온", "라온")


# indices


def _index_record(world: World, index: Index, position: int) -> Record:
    close, before = level(world, index, position), level(world, index, max(position - 1, 0))
    opened, high, low = day_range(world, index, position)
    volume, value = turnover(world, index, position)
    return {
        "BAS_DD": printed_day(position),
        "IDX_CLSS": index.family,
        "IDX_NM": index.name,
        "CLSPRC_IDX": f"{close:.2f}",
        "CMPPREVDD_IDX": f"{close - before:.2f}",
        "FLUC_RT": f"{(close - before) * 100 / before:.2f}",
        "OPNPRC_IDX": f"{opened:.2f}",
        "HGPRC_IDX": f"{high:.2f}",
        "LWPRC_IDX": f"{low:.2f}",
        "ACC_TRDVOL": str(volume),
        "ACC_TRDVAL": str(value),
        "MKTCAP": str(values(world, index)[position]),
    }


def _index_daily(family: str) -> Handler:
    return on_day(
        lambda world, _, position: Rows.mapped(
            indices(world, family), lambda index: _index_record(world, index, position)
        )
    )


_DERIVATIVE_INDICES: Final = (
    ("선물지수", "코스피 200 선물지수", 1180.0), ("선물지수", "코스닥 150 선물지수", 1010.0), ("선물지수", "미국달러선물지수", 1120.0),
    ("선물지수", "국채선물 3년지수", 1540.0), ("선물지수", "국채선물 10년지수", 1720.0), ("옵션지수", "코스피 200 커버드콜지수", 2250.0),
    ("옵션지수", "코스피 200 프로텍티브풋지수", 1480.0), ("옵션지수", "코스피 200 변동성지수", 17.0),
)  # fmt: skip


def _derivative_indices(world: World, query: Query, position: int) -> Reply:
    def make(item: tuple[str, str, float]) -> Record:
        family, name, start = item
        path = walk(world, name, start, 0.011)
        seed = mix(world.measure_seed("finance", "quote", name), position)
        close, change, rate, opened, high, low = quote(path[max(position - 1, 0)], path[position], seed, 2)
        return {
            "BAS_DD": printed_day(position),
            "IDX_CLSS": family,
            "IDX_NM": name,
            "CLSPRC_IDX": close,
            "CMPPREVDD_IDX": change,
            "FLUC_RT": rate,
            "OPNPRC_IDX": opened,
            "HGPRC_IDX": high,
            "LWPRC_IDX": low,
        }

    return Rows.mapped(_DERIVATIVE_INDICES, make)


# funds, notes, warrants


@dataclass(frozen=True, slots=True)
class Fund:
    """An ETF or ETN on an index."""

    code: str
    name: str
    index: Index
    factor: float
    """2.0 for a doubled fund, -1.0 for an inverse one."""


_FACTORS: Final = ((1.0, ""), (2.0, " 레버리지"), (-1.0, " 인버스"))


def _funds(world: World, note: bool) -> tuple[Fund, ...]:
    def build(w: World) -> tuple[Fund, ...]:
        pool = [i for family in ("KRX", "KOSPI", "KOSDAQ") for i in indices(w, family)]
        stream = w.identity("finance", "notes" if note else "funds")
        funds = []
        for number in range(w.count(60 if note else 120, 8)):
            index, (factor, word) = (
                stream.choice(pool),
                stream.weighted([(f, 6 if f[0] == 1.0 else 1) for f in _FACTORS]),
            )
            name = f"{stream.choice(_BRANDS)} {index.name}{word}{' ETN' if note else ''}"
            code = f"{(500_000 if note else 300_000) + number * 10 + stream.below(10):06d}"
            funds.append(Fund(code, name, index, factor))
        return tuple(funds)

    return world.table("finance.notes" if note else "finance.funds", build)


def _fund_price(world: World, fund: Fund, position: int) -> float:
    path = values(world, fund.index)
    ratio = path[position] / path[0]
    power = {2.0: ratio * ratio, -1.0: 1 / ratio}.get(fund.factor, ratio)
    return max(10_000 * power, 500)


def _fund_record(world: World, fund: Fund, position: int, note: bool) -> Record:
    worth = _fund_price(world, fund, position)
    before = _fund_price(world, fund, max(position - 1, 0))
    seed = mix(world.measure_seed("finance", "fund", fund.code), position)
    close, change, rate, opened, high, low = quote(before // 5 * 5, worth // 5 * 5, seed, 0)
    units = 100_000 * (1 + world.measure("finance", "units", fund.code).below(400))
    volume = seed >> 24 & 0x3FFFF
    index_close, index_before = level(world, fund.index, position), level(world, fund.index, max(position - 1, 0))
    record: Record = {
        "BAS_DD": printed_day(position),
        "ISU_CD": fund.code,
        "ISU_NM": fund.name,
        "TDD_CLSPRC": close,
        "CMPPREVDD_PRC": change,
        "FLUC_RT": rate,
        "PER1SECU_INDIC_VAL" if note else "NAV": f"{worth:.2f}",
        "TDD_OPNPRC": opened,
        "TDD_HGPRC": high,
        "TDD_LWPRC": low,
        "ACC_TRDVOL": str(volume),
        "ACC_TRDVAL": str(volume * int(close)),
        "MKTCAP": str(units * int(close)),
        "INDIC_VAL_AMT" if note else "INVSTASST_NETASST_TOTAMT": str(int(units * worth)),
        "LIST_SHRS": str(units),
        "IDX_IND_NM": fund.index.name,
        "OBJ_STKPRC_IDX": f"{index_close:.2f}",
        "CMPPREVDD_IDX": f"{index_close - index_before:.2f}",
        "FLUC_RT_IDX": f"{(index_close - index_before) * 100 / index_before:.2f}",
    }
    if note and fund.factor != 1.0:  # notes on strategies print no index
        record |= {"OBJ_STKPRC_IDX": "-", "CMPPREVDD_IDX": "-", "FLUC_RT_IDX": "-"}
    return record


def _fund_daily(note: bool) -> Handler:
    return on_day(
        lambda world, _, position: Rows.mapped(
            _funds(world, note), lambda fund: _fund_record(world, fund, position, note)
        )
    )


def _esg_funds(world: World, query: Query, position: int) -> Reply:
    def make(fund: Fund) -> Record:
        full = _fund_record(world, fund, position, note=False)
        names = ("TDD_CLSPRC", "CMPPREVDD_PRC", "FLUC_RT", "LIST_SHRS", "ACC_TRDVOL", "ACC_TRDVAL")
        return {"BAS_DD": full["BAS_DD"], "ISU_ABBRV": full["ISU_NM"]} | {name: full[name] for name in names}

    return Rows.mapped(_funds(world, note=False)[::8], make)


def _esg_indices(world: World, query: Query, position: int) -> Reply:
    def make(index: Index) -> Record:
        close, before = level(world, index, position), level(world, index, max(position - 1, 0))
        volume, value = turnover(world, index, position)
        return {
            "BAS_DD": printed_day(position),
            "IDX_NM": f"{index.name} ESG",
            "CLSPRC_IDX": f"{close:.2f}",
            "PRV_DD_CMPR": f"{close - before:.2f}",
            "UPDN_RATE": f"{(close - before) * 100 / before:.2f}",
            "TRD_ISU_CNT": str(len(index.members)),
            "ACC_TRDVOL": str(volume // 1_000),
            "ACC_TRDVAL": str(value // 1_000_000),
        }

    return Rows.mapped(indices(world, "KRX")[:8], make)


def _equity_warrants(world: World, query: Query, position: int) -> Reply:
    pool = listed_on_market(world, "Y")
    stream = world.identity("finance", "elw")
    # (underlying, number, call): fixed by the identity, so codes survive a new value seed
    series = [(stream.choice(pool), number, stream.chance(0.55)) for number in range(world.count(260, 8))]

    def make(item: tuple[Company, int, bool]) -> Record:
        company, number, call = item
        path = closes(world, company)
        spot, before = path[position], path[max(position - 1, 0)]
        sign = 1 if call else -1

        def worth(price: int) -> int:
            return max((sign * (price - path[0]) + path[0] // 5) // 20 // 5 * 5, 5)

        close, change = worth(spot), worth(spot) - worth(before)
        volume = mix(world.measure_seed("finance", "elw", number), position) % 90_000
        traded = volume > 20_000
        units = 1_000_000 * (5 + number % 20)
        return {
            "BAS_DD": printed_day(position),
            "ISU_CD": f"5{number % 10}J{number:03d}",
            "ISU_NM": f"{_WARRANT_BRANDS[number % 4]}{number:03d}{company.name}{'콜' if call else '풋'}",
            "TDD_CLSPRC": str(close),
            "CMPPREVDD_PRC": str(change),
            "TDD_OPNPRC": str(close - change if traded else 0),
            "TDD_HGPRC": str(max(close, close - change) if traded else 0),
            "TDD_LWPRC": str(min(close, close - change) if traded else 0),
            "ACC_TRDVOL": str(volume if traded else 0),
            "ACC_TRDVAL": str(volume * close if traded else 0),
            "MKTCAP": str(units * close),
            "LIST_SHRS": str(units),
            "ULY_NM": company.name,
            # this one column carries thousands separators
            "ULY_PRC": f"{spot:,}",
            "CMPPREVDD_PRC_ULY": str(spot - before),
            "FLUC_RT_ULY": f"{(spot - before) * 100 / before:.2f}",
        }

    return Rows.mapped(series, make)


# commodities

_COMMODITIES: Final[dict[str, tuple[tuple[str, str, float, float], ...]]] = {
    "gold_bydd_trd": (
        ("04020000", "금 99.99_1Kg", 86_900.0, 0.008),
        ("04020100", "미니금 99.99_100g", 87_400.0, 0.008),
    ),
    "ets_bydd_trd": tuple((f"KAU{year}", f"배출권 {year}년", 9_000.0 + year * 10, 0.017) for year in (23, 24, 25, 26)),
}


def _commodity(world: World, query: Query, position: int) -> Reply:
    def make(item: tuple[str, str, float, float]) -> Record:
        code, name, start, noise = item
        path = walk(world, code, start, noise)
        seed = mix(world.measure_seed("finance", "quote", code), position)
        before, after = path[max(position - 1, 0)] // 10 * 10, path[position] // 10 * 10
        close, change, rate, opened, high, low = quote(before, after, seed, 0)
        volume = (seed >> 20) % 180_000 + 10
        head: dict[str, Any] = {"BAS_DD": printed_day(position), "ISU_CD": code, "ISU_NM": name}
        prices = {"TDD_OPNPRC": opened, "TDD_HGPRC": high, "TDD_LWPRC": low}
        change_of = {"TDD_CLSPRC": close, "CMPPREVDD_PRC": change, "FLUC_RT": rate}
        return head | change_of | prices | {"ACC_TRDVOL": str(volume), "ACC_TRDVAL": str(volume * int(close))}

    return Rows.mapped(_COMMODITIES[query.operation], make)


def _oil(world: World, query: Query, position: int) -> Reply:
    def make(item: tuple[str, float]) -> Record:
        name, start = item
        price = walk(world, f"oil {name}", start, 0.006)[position]
        volume = mix(world.measure_seed("finance", "oil", name), position) % 3_000_000
        return {
            "BAS_DD": printed_day(position),
            "OIL_NM": name,
            "WT_AVG_PRC": f"{price:.2f}",
            "WT_DIS_AVG_PRC": f"{price * 0.994:.2f}",
            "ACC_TRDVOL": str(volume),
            "ACC_TRDVAL": str(int(volume * price)),
        }

    return Rows.mapped((("휘발유", 1_580.0), ("경유", 1_430.0), ("등유", 1_120.0)), make)


HANDLERS: dict[str, Handler] = {
    "krx_dd_trd": _index_daily("KRX"),
    "kospi_dd_trd": _index_daily("KOSPI"),
    "kosdaq_dd_trd": _index_daily("KOSDAQ"),
    "drvprod_dd_trd": on_day(_derivative_indices),
    "etf_bydd_trd": _fund_daily(note=False),
    "etn_bydd_trd": _fund_daily(note=True),
    "elw_bydd_trd": on_day(_equity_warrants),
    "oil_bydd_trd": on_day(_oil),
    "gold_bydd_trd": on_day(_commodity),
    "ets_bydd_trd": on_day(_commodity),
    "esg_etp_info": on_day(_esg_funds),
    "esg_index_info": on_day(_esg_indices),
    **BONDS,
    **DERIVATIVES,
}
