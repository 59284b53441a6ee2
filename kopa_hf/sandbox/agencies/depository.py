"""The depository's figures by period, and the look-ups that turn names and codes into its issuer numbers.

Everything else of the depository follows from the signatures.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from typing import Any, Final

from kopa_hf.catalog.tool import Field, Parameter, Tool
from kopa_hf.sandbox.agencies.securities import listed
from kopa_hf.sandbox.calendar import compact
from kopa_hf.sandbox.finance.companies import Company
from kopa_hf.sandbox.finance.prices import shares
from kopa_hf.sandbox.market.shares import customer_no
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Reply, Rows
from kopa_hf.sandbox.world import LAST_DAY, World

_FIRST: Final = "20150101"
_PERIODS: Final = {"YYYY": 4, "YYYYMM": 6, "YYYYMMDD": 8}
"""Format of a parameter that says when → its digits."""
_COUNTS: Final = re.compile(r"건수|종목수|회사수|기업수|발행사수|Secncnt", re.IGNORECASE)
_MARKETS: Final = {"Y": "유가증권시장", "K": "코스닥시장", "N": "코넥스시장"}
_MARKET_CODES: Final = {"Y": "11", "K": "12", "N": "13"}

# Figures by period


def by_period(world: World, query: Query) -> Reply:
    """One row for the year, month or day that is asked for; one a month where a span is."""
    tool = query.tool
    assert tool is not None  # the catalog has every operation below
    when = [p for p in tool.inputs if p.format in _PERIODS]
    asked = [_digits(p, query.get(p.name)) for p in when]
    last = f"{LAST_DAY:%Y%m%d}"
    if len(when) == 2:
        periods = [m for m in _months(*asked) if _FIRST[:6] <= m <= last[:6]]
    else:
        periods = [p for p in asked if _FIRST[: len(p)] <= p <= last[: len(p)]]
    kept = tuple(f"{p.name}={query.get(p.name)}" for p in tool.inputs if p not in when and query.get(p.name))
    kept = tuple(text for text in kept if not text.startswith(("pageNo=", "numOfRows=")))
    return Rows.of([_row(world, tool, period, kept) for period in periods])


def _digits(parameter: Parameter, text: str) -> str:
    if not text.isdigit() or len(text) != _PERIODS[parameter.format or ""]:
        raise RefusedError("value", parameter.name)
    return text


def _months(first: str, last: str) -> list[str]:
    """Every month between two days or months, both included."""
    year, month = int(first[:4]), int(first[4:6])
    found: list[str] = []
    while f"{year:04d}{month:02d}" <= last[:6] and len(found) < 600:
        found.append(f"{year:04d}{month:02d}")
        year, month = (year + 1, 1) if month >= 12 else (year, month + 1)
    return found


def _row(world: World, tool: Tool, period: str, kept: tuple[str, ...]) -> Record:
    return {
        f.name: period[: _PERIODS[f.format]] if f.format in _PERIODS else _figure(world, tool, f, period, kept)
        for f in tool.fields
    }


def _figure(world: World, tool: Tool, field: Field, period: str, kept: tuple[str, ...]) -> str:
    """A size of its own per column, a share of it per choice, and what the period makes of it: 85 to 115%."""
    key = ("agencies", "figure", tool.endpoint.operation, field.name)
    counted = _COUNTS.search(field.label) or _COUNTS.search(field.name)
    size = world.identity(*key).octave(*((40, 9_000) if counted else (2_000_000, 4_000_000_000)))
    share = world.identity(*key, *kept).between(20, 95) if kept else 100
    return str(size * share // 100 * world.measure(*key, *kept, period).between(85, 115) // 100)


# Issuers


def _search(parameter: str, text_of: Callable[[Company], str]) -> Callable[[World, Query], list[Company]]:
    """Listed companies whose name, share or code holds what is asked for."""

    def found(world: World, query: Query) -> list[Company]:
        wanted = query.get(parameter)
        return [c for c in listed(world) if wanted in text_of(c)] if wanted else []

    return found


def _exact(parameter: str, value_of: Callable[[Company], str]) -> Callable[[World, Query], list[Company]]:
    def found(world: World, query: Query) -> list[Company]:
        return [c for c in listed(world) if value_of(c) == query.get(parameter)]

    return found


def _list_of(
    find: Callable[[World, Query], list[Company]], columns: Callable[[World, Company], dict[str, Any]]
) -> Handler:
    """A handler: who is found, with what the signature names of an issuer's columns."""

    def answer(world: World, query: Query) -> Reply:
        tool = query.tool
        assert tool is not None  # the catalog has every operation below
        names = [f.name for f in tool.fields]

        def row(company: Company) -> Record:
            known = columns(world, company)
            return {name: known[name] for name in names}

        companies = find(world, query)
        return Rows.mapped(companies, row) if companies else NO_ROWS

    return answer


def _date(day: datetime.date | None) -> str:
    return compact(day) if day is not None else ""


def _number_columns(world: World, company: Company) -> dict[str, Any]:
    return {
        "issucoCustno": customer_no(company),
        "issucoNm": company.name,
        "listNm": _MARKETS[company.corp_cls],
    }


def _stock_columns(world: World, company: Company) -> dict[str, Any]:
    return {
        "shotnIsin": company.stock_code,
        "isin": company.isin,
        "issuDt": _date(company.listed_on),
        "issucoCustno": customer_no(company),
        "korSecnNm": f"{company.name}보통주",
        "engSecnNm": f"{company.english_name} Common Stock",
        "secnKacdNm": "보통주",
        "stkKacd": "보통주",
        "eltscYn": "Y",
        "totalStkCnt": str(shares(world, company)),
        "caltotMartTpcd": _MARKETS[company.corp_cls],
    }


def _profile_columns(world: World, company: Company) -> dict[str, Any]:
    listing = _date(company.listed_on)
    return {
        "issucoCustno": customer_no(company),
        "repSecnNm": company.name,
        "engCustNm": company.english_name,
        "engLegFormNm": "Co., Ltd.",
        "bizno": company.bizr_no,
        "ceoNm": company.ceo,
        "shotnIsin": company.stock_code,
        "caltotMartTpcd": _MARKET_CODES[company.corp_cls],
        "caltotMartTpcdNm": _MARKETS[company.corp_cls],
        "agOrgTpcd": "1",
        "agOrgTpcdNm": "예탁결제원",
        "apliDt": listing,
        "apliDtY": listing,
        "dlistDt": "",
        "founDt": _date(company.founded),
        "custXtinDt": "",
        "homepAddr": company.homepage,
        "pval": str(company.par_value),
        "pvalStkqty": str(shares(world, company) * 4),
        "totalStkCnt": str(shares(world, company)),
        "setaccMmdd": f"{company.closing_month:02d}",
        "rostCloseTerm": "15일",
        "rostCloseTermTpcd": "1",
        "rostCloseTermUnitCd": "1",
        "rostCloseTermUnitNm": "일",
        "rostCloseTerms": "15",
    }


_BY_PERIOD: Final = (
    *("getTotIssuStkQty", "getSecSetlCostStatN1", "getRgtXrcInfo", "getBondKindInsetlStat", "getColatRepoAmt"),
    *("getlocalgovernmentIssuStat", "getTrAmtRepoRem", "getCurRepoRem", "getOvsStkSetlCount", "getDRMmbyConvStat"),
    *("getELSIssuRemaInfo", "getELSIssuAmtInfo", "getderivCombiIssuRemaSch", "getMonthlyIssuRedStatusN1"),
    *("getCvreqStat", "getDepoSecCusStat", "getDeriCombiSecIssuStat", "getPledgStat", "getRthingSecSafedpReturnStat"),
    *("getAcnttrStat", "getPartyIndtpListStkCusStat", "getListStkCusStat", "getListBondCusStat"),
    *("getListBondKindCusStat", "getPartyIndtpListBondCusStat", "getPartyIndtpCPCusStat"),
    *("getListderivCombiElecRegiStat", "getEltscStkRegiErasStat", "getCPDepoReturnStat", "getELSIssuRedRemqStat"),
    *("getELWIssuRedRemqStat", "getFutrsubtStkStat", "getDrConvStat", "getOvsBondStat", "getSecucoSecStat"),
    *("getSlbTrStat", "getSlbTrBondColatSetupStat", "getOrgSetlQty", "getBondDepositStat", "getBokBondRepoStat"),
    *("getStkWrntStat", "getListSecSetlStat", "getCdExecStat", "getNbondDepoStat", "getOvsWrtbStat"),
    *("getBondSafedpStat", "getSecDepoStat"),
)

HANDLERS: Final[dict[str, Handler]] = {
    **dict.fromkeys(_BY_PERIOD, by_period),
    "getIssucoCustnoByNm": _list_of(_search("issucoNm", lambda c: c.name), _number_columns),
    "getIssucoCustnoByShortIsin": _list_of(_exact("shortIsin", lambda c: c.stock_code), _number_columns),
    "getStkIsinByNmN1": _list_of(_search("secnNm", lambda c: f"{c.name}보통주"), _stock_columns),
    "getStkIsinByShortIsinN1": _list_of(_exact("shortIsin", lambda c: c.stock_code), _stock_columns),
    "getSecnIssuInfoStock": _list_of(_exact("issucoCustno", customer_no), _stock_columns),
    "getIssucoBasicInfo": _list_of(_exact("issucoCustno", customer_no), _profile_columns),
}
