"""Companies as the regulator describes them: outline, relatives, owners, officers. The persons and figures are DART's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from kopa_hf.sandbox.calendar import compact
from kopa_hf.sandbox.finance.accounts import books
from kopa_hf.sandbox.finance.banks import AUDITORS, BANKS
from kopa_hf.sandbox.finance.companies import MARKETS, Company, companies
from kopa_hf.sandbox.finance.holdings import holders
from kopa_hf.sandbox.finance.officers import officers
from kopa_hf.sandbox.finance.periodic import LINES, Report
from kopa_hf.sandbox.finance.prices import shares
from kopa_hf.sandbox.market.daily import in_order
from kopa_hf.sandbox.market.filters import select
from kopa_hf.sandbox.query import Handler, Query, Reply
from kopa_hf.sandbox.world import World

AS_OF: Final = "20251231"
"""The last closing day: what the yearly lists are about."""
YEARS: Final = (2022, 2023, 2024)
"""Business years whose annual reports were filed."""
_MARKETS: Final = {"Y": ("P", "유가"), "K": ("A", "코스닥"), "N": ("N", "코넥스"), "E": ("E", "기타")}
_FINANCE: Final = frozenset({"증권", "캐피탈", "홀딩스"})
"""Lines of business that the regulator counts as financial companies."""


def financial(world: World) -> tuple[Company, ...]:
    """Companies under the regulator's supervision, by register number."""

    def build(w: World) -> tuple[Company, ...]:
        found = [c for c in companies(w) if c.industry in _FINANCE and c.reporting]
        return tuple(sorted(found, key=lambda c: c.jurir_no))

    return world.table("market.financial", build)


def reporting(world: World) -> tuple[Company, ...]:
    """Companies that file reports, by register number."""

    def build(w: World) -> tuple[Company, ...]:
        return tuple(sorted((c for c in companies(w) if c.reporting), key=lambda c: c.jurir_no))

    return world.table("market.reporting", build)


def annual(world: World, company: Company, year: int = YEARS[-1]) -> Report:
    """A company's annual report, for figures that DART prints too."""
    return Report(world, company, year, "11011", "")


def staff(world: World, company: Company) -> tuple[int, int, str]:
    """(heads, average pay in won, average years) of the last annual report."""
    if not company.reporting:
        heads = world.measure("market", "staff", company.index).octave(3, 400)
        return heads, world.measure("market", "pay", company.index).between(28, 70) * 1_000_000, "4.0"
    lines = LINES["empSttus"](annual(world, company))
    heads = sum(int(str(line["sm"]).replace(",", "")) for line in lines)
    paid = sum(int(str(line["fyer_salary_totamt"]).replace(",", "")) for line in lines)
    return heads, paid // max(heads, 1), str(lines[0]["avrg_cnwk_sdytrn"])


def _outline(world: World, company: Company) -> dict[str, Any]:
    heads, pay, served = staff(world, company)
    market = _MARKETS[company.corp_cls]
    listed = compact(company.listed_on) if company.listed_on is not None else ""
    city, _, rest = company.address.partition(" ")
    district, _, road = rest.rpartition(" ")[0].rpartition(" ")
    return {
        "crno": company.jurir_no,
        "corpNm": company.legal_name,
        "corpEnsnNm": company.english_name,
        "enpPbanCmpyNm": company.name,
        "enpRprFnm": company.ceo,
        "corpRegMrktDcd": market[0],
        "corpRegMrktDcdNm": market[1],
        "corpDcd": "",
        "corpDcdNm": "",
        "bzno": company.bizr_no,
        "enpOzpno": "",
        "enpBsadr": f"{city} {district} {road}".strip(),
        "enpDtadr": rest.rpartition(" ")[2],
        "enpHmpgUrl": company.homepage,
        "enpTlno": company.phone,
        "enpFxno": company.fax,
        "sicNm": f"{company.industry} 관련 업종",
        "enpEstbDt": compact(company.founded),
        "enpStacMm": f"{company.closing_month:02d}",
        "enpXchgLstgDt": listed if company.corp_cls == "Y" else "",
        "enpKosdaqLstgDt": listed if company.corp_cls == "K" else "",
        "enpKrxLstgDt": listed if company.corp_cls == "N" else "",
        "smenpYn": "N" if company.corp_cls == "Y" else "Y",
        "enpMntrBnkNm": BANKS[company.index % len(BANKS)],
        "enpEmpeCnt": str(heads),
        "empeAvgCnwkTermCtt": served,
        "enpPn1AvgSlryAmt": str(pay),
        "actnAudpnNm": AUDITORS[(company.index + YEARS[-1] // 3) % len(AUDITORS)] if company.reporting else "",
        "audtRptOpnnCtt": "적정" if company.reporting else "",
        "enpMainBizNm": f"{company.industry} 사업",
        "fssCorpUnqNo": company.corp_code,
        "fssCorpChgDtm": f"{company.modified_on:%Y/%m/%d}",
        "fstOpegDt": "20200408",
        "lastOpegDt": compact(company.modified_on),
    }


def _known(company: Company) -> dict[str, str]:
    return {"crno": company.jurir_no, "corpNm": company.legal_name}


def outlines(world: World, query: Query) -> Reply:
    """기업개요: every company of the world; the name is asked for in full or in part."""
    found = companies(world)
    name = query.get("corpNm")
    if name:  # this service looks for the name inside, without the form of the company
        found = tuple(c for c in found if name in c.legal_name or name == c.name)
        query = Query(query.operation, {n: v for n, v in query.parameters.items() if n != "corpNm"}, query.tool)
    return select(query, found, _known, lambda company: in_order(query, _outline(world, company)))


def _financial_outline(world: World, company: Company) -> dict[str, Any]:
    cells = _outline(world, company)
    renamed = {
        "fncoNm": company.name,
        "fncoEnsnNm": company.english_name,
        "isinCd": company.isin,
        "isinCdNm": f"{company.name}보통주" if company.listed else "",
        "fncoRprNm": company.ceo,
        "fncoAdr": company.address,
        "fncoHmpgUrl": company.homepage,
        "fncoTlno": company.phone,
        "fncoFxno": company.fax,
        "sicCd": company.induty_code,
        "fncoEstbDt": cells["enpEstbDt"],
        "fncoStacMm": cells["enpStacMm"],
        "fncoXchgLstgDt": cells["enpXchgLstgDt"],
        "fncoKosdaqLstgDt": cells["enpKosdaqLstgDt"],
        "fncoKrxLstgDt": cells["enpKrxLstgDt"],
        "fncoSmenpYn": cells["smenpYn"],
        "fncoEmpeCnt": cells["enpEmpeCnt"],
        "fncoEmpeAvgSlryAmt": cells["enpPn1AvgSlryAmt"],
        "fncoMainBizNm": cells["enpMainBizNm"],
        "mntrFcnFncoCdNm": cells["enpMntrBnkNm"],
    }
    return {"basDt": AS_OF, **cells, **renamed}


def financial_outlines(world: World, query: Query) -> Reply:
    """금융회사 기업개요."""
    return select(
        query,
        financial(world),
        lambda company: {"basDt": AS_OF, "crno": company.jurir_no, "fncoNm": company.name},
        lambda company: in_order(query, _financial_outline(world, company)),
    )


class _Pair(NamedTuple):
    """A company and one line of what belongs to it."""

    company: Company
    year: int
    cells: dict[str, Any]


Lines = Callable[[World, Company, int], Sequence[dict[str, Any]]]


def per_year(pool: Callable[[World], Sequence[Company]], lines: Lines) -> Handler:
    """A list of lines per company and closing day, newest year first; only the companies asked for are looked at."""

    def pairs_of(world: World, chosen: Sequence[Company]) -> tuple[_Pair, ...]:
        return tuple(
            _Pair(company, year, line)
            for company in chosen
            for year in reversed(YEARS)
            for line in lines(world, company, year)
        )

    def handle(world: World, query: Query) -> Reply:
        number = query.get("crno")
        if number:
            pairs = pairs_of(world, [company for company in pool(world) if company.jurir_no == number])
        else:
            pairs = world.table(f"market.lines.{query.operation}", lambda w: pairs_of(w, pool(w)))
        return select(
            query,
            pairs,
            lambda pair: {"basDt": f"{pair.year}1231", "crno": pair.company.jurir_no, **pair.cells},
            lambda pair: in_order(query, {"basDt": f"{pair.year}1231", "crno": pair.company.jurir_no, **pair.cells}),
        )

    return handle


def _group(world: World, company: Company) -> list[Company]:
    """Companies whose names share the first part: one business group."""

    def build(w: World) -> dict[str, list[Company]]:
        groups: dict[str, list[Company]] = {}
        for each in companies(w):
            groups.setdefault(each.name.removesuffix(each.industry), []).append(each)
        return groups

    groups = world.table("market.groups", build)
    return [c for c in groups[company.name.removesuffix(company.industry)] if c.index != company.index]


def _affiliates(world: World, company: Company, _: int) -> list[dict[str, Any]]:
    return [
        {"afilCmpyNm": c.name, "afilCmpyCrno": c.jurir_no, "lstgYn": "Y" if c.listed else "N"}
        for c in _group(world, company)
    ]


def _subsidiaries(world: World, company: Company, year: int) -> list[dict[str, Any]]:
    if not company.consolidated:
        return []
    found = []
    for c in _group(world, company):
        if c.listed:
            continue
        sheet = books(world, c, year, 12, consolidated=False)
        assert sheet is not None  # the years are within the books'
        found.append(
            {
                "sbrdEnpNm": c.name,
                "sbrdEnpEstbDt": compact(c.founded),
                "sbrdEnpAdr": c.address,
                "sbrdEnpMainBizCtt": f"{c.industry} 사업",
                "sbrdEnpLtstEbzyrTastAmt": str(sheet.assets),
                "dntRltBsisCtt": "의결권의 과반수 소유",
                "mainSbrdEnpYnCtt": "해당" if sheet.assets > 75_000_000_000 else "미해당",
            }
        )
    return found


def _owners(financial_names: bool) -> Lines:
    stock, share = (
        ("fncoEoteStckCnt", "fncoEoteShrRatCtt") if financial_names else ("sthdEoteStckCnt", "sthdEoteShrRatCtt")
    )

    def lines(world: World, company: Company, year: int) -> list[dict[str, Any]]:
        total = shares(world, company)
        return [
            {
                "sthdSqno": str(number),
                "sthdFnm": holder.name,
                "maxSthdRltNm": holder.relation,
                "stckCsfNm": "보통주",
                stock: str(holder.shares),
                share: f"{holder.shares * 100 / total:.2f}",
            }
            for number, holder in enumerate(holders(world, company, year), 1)
        ]

    return lines


_OWN_COMMON: Final = ("ownOnskCnt", "exutOwnOnskCnt", "onskOwnStckCnt")
_OWN_PREFERRED: Final = ("ownPfstCnt", "exutOwnPfstCnt", "pfstOwnStckCnt")


def _officers(world: World, company: Company, year: int) -> list[dict[str, Any]]:
    owned = str(holders(world, company, year)[0].shares)
    return [
        {
            "dataSqno": str(number),
            "exutFnm": o.name,
            "exutBornYm": f"{o.born:%Y%m}",
            "exutJbttNm": o.title,
            "rgstExutYn": "N" if o.registered == "미등기" else "Y",
            "rgstExutCtt": o.registered,
            "fltmsvYn": "Y" if o.full_time else "N",
            "fltmsvCtt": "상근" if o.full_time else "비상근",
            "exutChrgBzwrNm": o.job,
            "chrgBzwrCtt": o.job,
            "exutMainCrrCtt": o.career,
            "mainCrrCtt": o.career,
            "exutHdfTermCtt": f"{max((year - o.since.year), 0)}년",
            "exutJbttXpryDt": compact(o.until),
            "exutTrmXpryDt": compact(o.until),
            "sexCd": "M" if o.sex == "남" else "F",
            "sexCdNm": o.sex,
            **dict.fromkeys(_OWN_COMMON, owned if o.is_owner else "0"),
            **dict.fromkeys(_OWN_PREFERRED, "0"),
        }
        for number, o in enumerate((o for o in officers(world, company) if o.since.year <= year), 1)
    ]


def _representatives(world: World, company: Company, year: int) -> list[dict[str, Any]]:
    return [
        {
            "fncoNm": company.name,
            "ceoFnm": o.name,
            "ceoJbttNm": o.title,
            "rgstExutYn": "Y",
            "ceoFltmsvYn": "Y",
            "ceoChrgBzwrCtt": o.job,
            "ceoMainCrrCtt": o.career,
            "ownOnskCnt": str(holders(world, company, year)[0].shares) if o.is_owner else "0",
            "ownPfstCnt": "0",
            "maxSthdRltNm": "본인" if o.is_owner else "",
            "ceoHdfTermCtt": f"{max((year - o.since.year), 0)}년",
            "ceoTrmXpryDt": compact(o.until),
        }
        for o in officers(world, company)
        if o.title == "대표이사" and o.since.year <= year
    ]


def _pay(world: World, company: Company, year: int) -> list[dict[str, Any]]:
    """Heads times the average is the sum, for directors, outside directors and auditors."""
    board = [o for o in officers(world, company) if o.since.year <= year]
    cells: dict[str, Any] = {}
    for stem, kind, low, high in (
        ("rgstDrtr", "사내이사", 120, 900),
        ("otdr", "사외이사", 30, 80),
        ("audpn", "감사", 40, 120),
    ):
        heads = sum(o.registered == kind for o in board)
        average = world.measure("market", "pay", company.index, year, stem).between(low, high) * 1_000_000
        cells |= {f"{stem}Cnt": str(heads), f"{stem}TrmrAmt": str(heads * average), f"{stem}AvgRmrAmt": str(average)}
    return [cells | {"corpAudtNopeCnt": cells["audpnCnt"]}]


def market_of(company: Company) -> str:
    """유가증권시장상장법인, …: how disclosures name a company's kind."""
    return {"KOSPI": "유가증권시장", "KOSDAQ": "코스닥시장", "KONEX": "코넥스시장"}.get(
        MARKETS.get(company.corp_cls, ""), "기타법인"
    )


HANDLERS: dict[str, Handler] = {
    "getCorpOutline_V2": outlines,
    "getFnCoOutl": financial_outlines,
    "getAffiliate_V2": per_year(companies, _affiliates),
    "getConsSubsComp_V2": per_year(reporting, _subsidiaries),
    "getStockholderInfo": per_year(reporting, _owners(financial_names=False)),
    "getFnCoStocHoldInfo": per_year(financial, _owners(financial_names=True)),
    "getExecutivesInfo": per_year(reporting, _officers),
    "getFnCoExecInfo": per_year(financial, _officers),
    "getFnCoReprDireInfo": per_year(financial, _representatives),
    "getExecRemuStat": per_year(reporting, _pay),
    "getFnCoExecRemuStat": per_year(financial, _pay),
}
