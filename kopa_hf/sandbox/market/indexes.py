"""Indices by day with what the exchange does not print: the year's range, the change since last year, how many shares."""

from __future__ import annotations

from typing import Any, Final

from kopa_hf.sandbox.calendar import compact, trading_days
from kopa_hf.sandbox.finance.indices import Index, indices, values
from kopa_hf.sandbox.market.daily import DailyTable, daily
from kopa_hf.sandbox.market.exchange import INDEX_PRICES, exchange, steady
from kopa_hf.sandbox.query import Handler, Record
from kopa_hf.sandbox.world import World

_FAMILIES: Final = {"KOSPI": "kospi_dd_trd", "KOSDAQ": "kosdaq_dd_trd", "KRX": "krx_dd_trd"}
_BASES: Final = {"KOSPI": ("19800104", "100"), "KOSDAQ": ("19960701", "1000"), "KRX": ("20050103", "1000")}


def _all(world: World, _: int) -> tuple[tuple[int, Index], ...]:
    """(row in the family's list, index)."""

    def build(w: World) -> tuple[tuple[int, Index], ...]:
        return tuple((row, index) for family in _FAMILIES for row, index in enumerate(indices(w, family)))

    return world.table("market.indices", build)


def _names(item: tuple[int, Index]) -> dict[str, Any]:
    index = item[1]
    started, base = _BASES[index.family]
    return {
        "idxNm": index.name,
        "idxCsf": f"{index.family}시리즈",
        "epyItmsCnt": str(len(index.members)),
        "basPntm": started,
        "basIdx": base,
    }


def _figures(world: World, item: tuple[int, Index], position: int) -> dict[str, Any]:
    row, index = item
    record = exchange(world, _FAMILIES[index.family], position).slice(row, row + 1)[0]
    cells: dict[str, Any] = {name: record[theirs] for name, theirs in INDEX_PRICES.items()}
    cells |= {"trqu": record["ACC_TRDVOL"], "trPrc": record["ACC_TRDVAL"], "lstgMrktTotAmt": record["MKTCAP"]}
    return cells | _year(world, index, position)


def _year(world: World, index: Index, position: int) -> dict[str, str]:
    """The year's highest and lowest close up to the day, and the change since the last close of the year before."""
    days, path = trading_days(), values(world, index)
    year = days[position].year
    first = next(p for p in range(position, -1, -1) if p == 0 or days[p - 1].year < year)
    span = range(first, position + 1)
    top, bottom = max(span, key=lambda p: path[p]), min(span, key=lambda p: path[p])
    level = [round(path[p] * index.base / path[0], 2) for p in (position, max(first - 1, 0), top, bottom)]
    return {
        "lsYrEdVsFltRg": f"{level[0] - level[1]:.2f}",
        "lsYrEdVsFltRt": f"{(level[0] - level[1]) * 100 / level[1]:.2f}",
        "yrWRcrdHgst": f"{level[2]:.2f}",
        "yrWRcrdHgstDt": compact(days[top]),
        "yrWRcrdLwst": f"{level[3]:.2f}",
        "yrWRcrdLwstDt": compact(days[bottom]),
    }


_BOND_INDEX: Final = {
    f"{ours}Idx{side}": f"{theirs}_IDX{suffix}"
    for ours, theirs in (
        ("totBnf", "TOT_EARNG"),
        ("nPrc", "NETPRC"),
        ("zrRinv", "ZERO_REINVST"),
        ("clRinv", "CALL_REINVST"),
        ("mrktPrc", "MKT_PRC"),
    )
    for side, suffix in (("Clpr", ""), ("Vs", "_CMPPREVDD"))
} | {"durt": "AVG_DURATION", "cnvt": "AVG_CONVEXITY_PRC", "ytm": "BND_IDX_AVG_YD"}


def _numbered(names: dict[str, str], column: str, stem: str) -> Any:
    """A code for things that the exchange lists by name only."""

    def more(record: Record) -> dict[str, Any]:
        text = str(record[names[column]])
        return {stem: f"ESG{sum(map(ord, text)) % 9000 + 1000}"}

    return more


_ESG_INDEX: Final = {"esgIdxNm": "IDX_NM", "idxCmpsItmsCnt": "TRD_ISU_CNT"}
_ESG_PRODUCT: Final = {"esgScrtPrdNm": "ISU_ABBRV", "lstgAnnt": "LIST_SHRS"}

HANDLERS: dict[str, Handler] = {
    "getStockMarketIndex": daily(DailyTable(_all, _names, _figures)),
    "getBondMarketIndex": daily(steady(("bon_dd_trd",), {"idxNm": "BND_IDX_GRP_NM"}, _BOND_INDEX)),
    "getDerivationProductMarketIndex": daily(steady(("drvprod_dd_trd",), {"idxNm": "IDX_NM"}, INDEX_PRICES)),
    "getESGIdxInfo": daily(
        steady(
            ("esg_index_info",),
            _ESG_INDEX,
            {
                "esgIdxClpr": "CLSPRC_IDX",
                "pvddVsIcdrAmt": "PRV_DD_CMPR",
                "pvddVsIcdrRto": "UPDN_RATE",
                "esgIdxTrqu": "ACC_TRDVOL",
                "trMnpb": "ACC_TRDVAL",
            },
            _numbered(_ESG_INDEX, "esgIdxNm", "esgIdxId"),
        )
    ),
    "getESGPrdInfo": daily(
        steady(
            ("esg_etp_info",),
            _ESG_PRODUCT,
            {
                "esgScrtPrdClpr": "TDD_CLSPRC",
                "pvddVsIcdrAmt": "CMPPREVDD_PRC",
                "pvddVsIcdrRto": "FLUC_RT",
                "esgScrtPrdTrqu": "ACC_TRDVOL",
                "trMnpb": "ACC_TRDVAL",
            },
            _numbered(_ESG_PRODUCT, "esgScrtPrdNm", "esgScrtPrdCd"),
        )
    ),
}
