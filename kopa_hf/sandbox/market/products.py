"""Funds, notes, warrants, futures, options, bonds and commodities by day, copied from the exchange's lists."""

from __future__ import annotations

from typing import Any, Final

from kopa_hf.sandbox.finance.bonds import Bond, trade, traded
from kopa_hf.sandbox.finance.companies import isin_of
from kopa_hf.sandbox.market.daily import DailyTable, daily
from kopa_hf.sandbox.market.exchange import PRICES, changing, steady
from kopa_hf.sandbox.query import Handler, Record
from kopa_hf.sandbox.world import World

_NAMES: Final = {"srtnCd": "ISU_CD", "itmsNm": "ISU_NM"}
_NO_RATE: Final = {name: theirs for name, theirs in PRICES.items() if name != "fltRt"}
_NO_VALUE: Final = {name: theirs for name, theirs in PRICES.items() if name != "mrktTotAmt"}
_DERIVATIVE: Final = {name: theirs for name, theirs in _NO_RATE.items() if name != "mrktTotAmt"}


def _isin(kind: str) -> Any:
    """The standard code that belongs to a short one: KR and the kind of security before it."""

    def more(record: Record) -> dict[str, Any]:
        return {"isinCd": isin_of(f"{record['ISU_CD']}000000"[:6], kind, "00")}

    return more


def _future_names(record: Record) -> dict[str, Any]:
    night = " (야간)" if record.get("MKT_NM") == "야간" and "야간" not in record["ISU_NM"] else ""
    code = str(record["ISU_CD"])
    return {
        "prdCtg": record["PROD_NM"],
        "srtnCd": code,
        "isinCd": isin_of(code[:8], "4", ""),
        "itmsNm": f"{record['ISU_NM']}{night}",
    }


_BOND_MARKETS: Final = ("국채전문유통시장", "일반채권시장", "소액채권시장")


def _bonds(world: World, position: int) -> tuple[tuple[str, Bond], ...]:
    return tuple((market, bond) for market in _BOND_MARKETS for bond in traded(world, market, position))


def _bond_names(item: tuple[str, Bond]) -> dict[str, Any]:
    market, bond = item
    state = market == _BOND_MARKETS[0]
    return {
        "srtnCd": bond.isin[2:11],
        "isinCd": bond.isin,
        "itmsNm": bond.name,
        "mrktCtg": market,
        "xpYrCnt": str(bond.years) if state else "",
    }


def _bond_day(world: World, item: tuple[str, Bond], position: int) -> dict[str, Any]:
    record = trade(world, item[1], position, item[0])
    cells: dict[str, Any] = {name: record[theirs] for name, theirs in _BOND.items()}
    return cells | {"itmsCtg": record.get("GOVBND_ISU_TP_NM", "")}


_BOND: Final = {
    "clprPrc": "CLSPRC",
    "clprVs": "CMPPREVDD_PRC",
    "clprBnfRt": "CLSPRC_YD",
    "mkpPrc": "OPNPRC",
    "mkpBnfRt": "OPNPRC_YD",
    "hiprPrc": "HGPRC",
    "hiprBnfRt": "HGPRC_YD",
    "loprPrc": "LWPRC",
    "loprBnfRt": "LWPRC_YD",
    "trqu": "ACC_TRDVOL",
    "trPrc": "ACC_TRDVAL",
}
_FUTURES: Final = ("fut_bydd_trd", "eqsfu_stk_bydd_trd", "eqkfu_ksq_bydd_trd")
_OPTIONS: Final = ("opt_bydd_trd",)
"""Options on indices; the regulator's list leaves out those on shares."""

HANDLERS: dict[str, Handler] = {
    "getETFPriceInfo": daily(
        steady(
            ("etf_bydd_trd",),
            {**_NAMES, "bssIdxIdxNm": "IDX_IND_NM"},
            {
                **PRICES,
                "nav": "NAV",
                "nPptTotAmt": "INVSTASST_NETASST_TOTAMT",
                "stLstgCnt": "LIST_SHRS",
                "bssIdxClpr": "OBJ_STKPRC_IDX",
            },
            _isin("7"),
        )
    ),
    "getETNPriceInfo": daily(
        steady(
            ("etn_bydd_trd",),
            {**_NAMES, "bssIdxIdxNm": "IDX_IND_NM"},
            {
                **PRICES,
                "indcVal": "PER1SECU_INDIC_VAL",
                "indcValTotAmt": "INDIC_VAL_AMT",
                "lstgScrtCnt": "LIST_SHRS",
                "bssIdxClpr": "OBJ_STKPRC_IDX",
            },
            _isin("G"),
        )
    ),
    "getELWPriceInfo": daily(
        steady(
            ("elw_bydd_trd",),
            {**_NAMES, "udasAstNm": "ULY_NM"},
            {**_NO_RATE, "lstgScrtCnt": "LIST_SHRS", "udasAstClpr": "ULY_PRC"},
            _isin("A"),
        )
    ),
    "getStockFuturesPriceInfo": daily(
        changing(
            _FUTURES,
            _future_names,
            {**_DERIVATIVE, "sptPrc": "SPOT_PRC", "stmPrc": "SETL_PRC", "opnint": "ACC_OPNINT_QTY"},
            even=True,
        )
    ),
    "getOptionsPriceInfo": daily(
        changing(
            _OPTIONS,
            _future_names,
            {**_DERIVATIVE, "nxtDdBsPrc": "NXTDD_BAS_PRC", "iptVlty": "IMP_VOLT", "opnint": "ACC_OPNINT_QTY"},
            even=True,
        )
    ),
    "getBondPriceInfo": daily(DailyTable(_bonds, _bond_names, _bond_day)),
    "getGoldPriceInfo": daily(steady(("gold_bydd_trd",), _NAMES, _NO_VALUE, _isin("D"))),
    "getCertifiedEmissionReductionPriceInfo": daily(steady(("ets_bydd_trd",), _NAMES, _NO_VALUE, _isin("E"))),
    "getOilPriceInfo": daily(
        steady(
            ("oil_bydd_trd",),
            {"oilCtg": "OIL_NM"},
            {
                "wtAvgPrcCptn": "WT_AVG_PRC",
                "wtAvgPrcDisc": "WT_DIS_AVG_PRC",
                "trqu": "ACC_TRDVOL",
                "trPrc": "ACC_TRDVAL",
            },
        )
    ),
}
