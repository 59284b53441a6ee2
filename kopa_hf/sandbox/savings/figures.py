"""Handlers of figures: overviews of insurers and others, deposits of a sector, the fund, savings banks' quarters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kopa_hf.sandbox.query import Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.rng import bell, mix
from kopa_hf.sandbox.savings.common import equal, month_of, months, numbered
from kopa_hf.sandbox.savings.institutions import (
    BANK,
    INVESTMENT,
    LIFE,
    MERCHANT,
    NON_LIFE,
    SAVINGS,
    Institution,
    of_sector,
)
from kopa_hf.sandbox.world import World

_FIRST_YEAR: Final = 2015
_SECTORS: Final = (BANK, INVESTMENT, LIFE, NON_LIFE, MERCHANT, SAVINGS, "신용협동조합", "공통")
_SIZES: Final = (60, 14, 22, 9, 1, 7, 2, 3)
"""How much each sector has put into the fund, in hundred billions of won."""


# overviews by quarter


def _overview(sector: str, cells: Callable[[World, Institution, str], Record], trade: str = "") -> Handler:
    """Quarters of a sector's firms (of one trade in it), the latest first."""

    def handler(world: World, query: Query) -> Reply:
        month_of(query, "baseYm")
        quarters = [m for m in reversed(months(_FIRST_YEAR, 3)) if query.get("baseYm") in ("", m)]
        firms = [firm for firm in of_sector(world, sector) if firm.name.endswith(trade)]
        firms = equal(firms, query, dvsnNm=_short, crpno=lambda i: i.register_no)

        def row(pair: tuple[str, Institution]) -> Record:
            month, firm = pair
            head = {"baseYm": month, "dvsnNm": _short(firm), "crpno": firm.register_no}
            return head | cells(world, firm, month)

        return numbered([(month, firm) for month in quarters for firm in firms], row)

    return handler


def _short(firm: Institution) -> str:
    """What the overviews call an institution: its name without its trade."""
    for ending in ("생명보험", "손해보험", "화재해상보험"):
        if firm.name.endswith(ending) and firm.name != ending:
            return firm.name.removesuffix(ending)
    return firm.name


def _life_cells(world: World, firm: Institution, month: str) -> Record:
    """Amounts in 억원; assets are debts and capital, a profit is what insuring and investing leave after tax."""
    size = world.measure("savings", "life", firm.index).octave(9_000, 2_400_000)
    noise = mix(world.measure_seed("savings", "life", firm.index), int(month))
    age = (int(month[:4]) - _FIRST_YEAR) * 4 + int(month[4:]) // 3
    assets = int(size * (1 + age * 0.008) * (1 + 0.01 * bell(noise)))
    capital = assets * (70 + noise % 60) // 1000
    insuring, investing = int(assets * 0.004 * bell(mix(noise, 1))), int(assets * (0.022 + 0.004 * bell(mix(noise, 2))))
    left = insuring + investing
    return {
        "inspnl": str(insuring),
        "ivstPnl": str(investing),
        "cnprfNprf": str(left * 76 // 100 if left > 0 else left),
        "incoPrmfee": str(int(assets * 0.09)),
        "astTsum": str(assets),
        "debtTsum": str(assets - capital),
        "cptTsum": str(capital),
        "npfastRto": f"{0.02 + noise % 40 / 100:.2f}",
        "credMrktRiskRto": f"{2 + noise % 300 / 100:.2f}",
        "rskPrmfeeddthinsIbamtRto": f"{62 + noise % 4000 / 100:.1f}",
        "lqdtRto": f"{140 + noise % 20_000 / 100:.2f}",
        "iebalRto": f"{45 + noise % 3500 / 100:.2f}",
    }


# deposits of a sector by month: insured and not insured are the whole


def _trend(sector: str, kinds: tuple[tuple[str, int, int], ...]) -> Handler:
    """`kinds`: what a column is called after tgt, excd and sum, its size in 백만원, its insured permille."""

    def row(world: World, month: str) -> Record:
        record: Record = {"calcBaseYm": month}
        for name, size, insured in kinds:
            noise = bell(mix(world.measure_seed("savings", "trend", sector, name), int(month)))
            grown = (int(month[:4]) - _FIRST_YEAR) * 12 + int(month[4:])
            whole = int(size * (1 + grown * 0.004) * (1 + 0.006 * noise))
            covered = whole * insured // 1000
            record |= {f"tgt{name}": str(covered), f"excd{name}": str(whole - covered), f"sum{name}": str(whole)}
        return record

    def handler(world: World, query: Query) -> Reply:
        month_of(query, "calcBaseYm")
        wanted = [m for m in reversed(months(_FIRST_YEAR)) if query.get("calcBaseYm") in ("", m)]
        columns = {field.name for field in query.tool.fields} if query.tool is not None else set()

        def printed(month: str) -> Record:
            # the guide names only some columns of a kind
            return {name: value for name, value in row(world, month).items() if not columns or name in columns}

        return numbered(wanted, printed)

    return handler


# the insurance fund


def _fund_sources(world: World, query: Query) -> Reply:
    """What each sector has paid in up to a month; amounts only grow."""
    month_of(query, "baseTm")
    wanted = [m for m in reversed(months(_FIRST_YEAR)) if query.get("baseTm") in ("", m)]
    return numbered(
        [(month, place) for month in wanted for place in range(len(_SECTORS))], lambda p: _fund_row(world, *p)
    )


def _fund_row(world: World, month: str, place: int) -> Record:
    stream = world.measure("savings", "fund", place)
    size = _SIZES[place] * stream.between(90, 110) * 1_000_000_000
    grown = (int(month[:4]) - _FIRST_YEAR) * 12 + int(month[4:])
    premium = size * (1000 + grown * 6) // 1000 + grown * 7_654_321
    return {
        "baseYr": month[:4],
        "baseMn": month[4:],
        "fndMakDvsnNm": _SECTORS[place],
        "prmfeeAmt": str(premium),
        "sscrAmt": str(stream.between(500, 9_000) * 1_000_000),
        "spprFundRtrvAmt": str(grown * stream.between(0, 40) * 10_000_000),
        "mnivBnfAmt": str(premium * 18 // 100),
        "etcAmt": str(stream.between(10, 900) * 1_000_000),
    }


# savings banks by quarter


def savings_quarter(world: World, bank: Institution, month: str) -> tuple[str, str, str]:
    """Average deposit rate, BIS ratio and arrears of a savings bank, in percent."""
    own = world.measure("savings", "bank", bank.index)
    level, strength, trouble = own.between(-25, 35), own.between(-250, 900), own.between(-180, 520)
    noise = mix(world.measure_seed("savings", "bank", bank.index), int(month))
    # rates of interest went up from 2022 on
    year = int(month[:4])
    usual = 320 if 2022 <= year < 2024 else 290 if year >= 2024 else 195
    rate = usual + level + noise % 21 - 10
    bis = 1_350 + strength + mix(noise, 1) % 121 - 60
    arrears = max(40, 480 + trouble + (140 if year >= 2023 else 0) + mix(noise, 2) % 161 - 80)
    return f"{rate / 100:.2f}", f"{bis / 100:.2f}", f"{arrears / 100:.2f}"


def _savings_finances(world: World, query: Query) -> Reply:
    """The oldest quarter first."""
    month_of(query, "ym")
    quarters = [m for m in months(_FIRST_YEAR, 3) if query.get("ym") in ("", m)]
    banks = of_sector(world, SAVINGS)

    def row(index: int) -> Record:
        quarter, place = divmod(index, len(banks))
        bank, month = banks[place], quarters[quarter]
        rate, bis, arrears = savings_quarter(world, bank, month)
        return {
            "num": str(index + 1),
            "ym": month,
            "finIstCd": bank.code,
            "finIstNm": bank.name,
            "dpsAvgIrt": rate,
            "bisTotCptRto": bis,
            "ovduRt": arrears,
        }

    return Rows(len(quarters) * len(banks), row)


def _no_cells(world: World, firm: Institution, month: str) -> Record:
    """Of these sectors no more is known than which quarters and firms there are."""
    return {}


HANDLERS: Final[dict[str, Handler]] = {
    "getLfinsOvrlPstaList": _overview(LIFE, _life_cells),
    "getPrpinsOvrlPstaList": _overview(NON_LIFE, _no_cells),
    "getBkOvrlPstaList": _overview(BANK, _no_cells),
    "getSccpOvrlPstaList": _overview(INVESTMENT, _no_cells, "증권"),
    "getInsurgFnltBkDpstTrendList": _trend(
        BANK, (("OndmDpsamt", 560_000_000, 861), ("SvtpDpsamt", 1_900_000_000, 874))
    ),
    "getInsurgFnltSvbkDpstTrendList": _trend(
        SAVINGS, (("OndmDpsamt", 3_100_000, 942), ("SvtpDpsamt", 61_000_000, 958))
    ),
    "getInsurgFnltLfinsDpstTrendList": _trend(LIFE, (("SvlinsPramt", 214_000_000, 902),)),
    "getInsurgFnltPrpinsDpstTrendList": _trend(NON_LIFE, (("FrinsAmt", 2_900_000, 713),)),
    "getInsurgFnltFnsivDpstTrendList": _trend(INVESTMENT, (("EtrsDepamt", 38_000_000, 887),)),
    "GetDpstInsrncEndwMakeSttusList": _fund_sources,
    "getFinanceStateList": _savings_finances,
}
