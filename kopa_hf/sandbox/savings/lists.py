"""Handlers of lists: institutions and their insured products, paying branches, bonds, books, reports, money lent."""

from __future__ import annotations

import datetime
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from kopa_hf.sandbox.calendar import add_months, compact, is_business_day
from kopa_hf.sandbox.places import districts, neighbourhoods, street_address
from kopa_hf.sandbox.query import Handler, Query, Record, RefusedError, Reply, Rows
from kopa_hf.sandbox.savings.common import containing, equal, month_of, numbered
from kopa_hf.sandbox.savings.institutions import (
    BANK,
    INVESTMENT,
    LIFE,
    MERCHANT,
    NON_LIFE,
    SAVINGS,
    FailedBank,
    Institution,
    failed_banks,
    institutions,
    of_sector,
)
from kopa_hf.sandbox.telephones import telephone
from kopa_hf.sandbox.world import LAST_DAY, World

_SORTS: Final[dict[str, tuple[str, ...]]] = {
    BANK: ("정기예금", "정기적금", "자유적금", "보통예금", "주택청약예금", "외화정기예금"),
    SAVINGS: ("정기예금", "정기적금", "자유적립예금", "보통예금", "표지어음"),
    INVESTMENT: ("위탁자예수금", "저축자예수금", "원금보장형 신탁", "개인형퇴직연금"),
    LIFE: ("저축보험", "연금보험", "종신보험", "교육보험"),
    NON_LIFE: ("저축성보험", "상해보험", "운전자보험", "장기간병보험"),
    MERCHANT: ("발행어음", "표지어음"),
}
_WORDS: Final = (
    "가득", "꿈나무", "나눔", "다솜", "든든", "딱좋은", "매일", "모두", "무럭", "보너스", "새싹", "생활", "시작",
    "알찬", "으뜸", "차곡", "첫걸음", "참좋은", "튼튼", "하루", "행복", "희망",
)  # fmt: skip
_PRODUCTS: Final = {BANK: 190, SAVINGS: 46, INVESTMENT: 22, LIFE: 240, NON_LIFE: 170, MERCHANT: 12}
"""Products of an institution of each sector, on average."""


@dataclass(frozen=True, slots=True)
class Product:
    """One product that is, or was, insured."""

    firm: Institution
    name: str
    registered_on: datetime.date
    dropped_on: datetime.date | None
    """Last day of sale; None: still sold."""


def product(world: World, firm: Institution, number: int) -> Product:
    """The product of a number at an institution."""
    stream = world.identity("savings", "product", firm.index, number)
    sort = stream.choice(_SORTS[firm.sector])
    name = f"{stream.choice(_WORDS)}{stream.choice(_WORDS) if stream.chance(0.5) else ''} {sort}"
    if stream.chance(0.35):
        name += f" {stream.between(2, 12)}호"
    registered = datetime.date(stream.between(2005, 2025), stream.between(1, 12), stream.between(1, 28))
    dropped = registered + datetime.timedelta(days=stream.between(200, 5000))
    still = stream.chance(0.4) or dropped > LAST_DAY
    return Product(firm, name, registered, None if still else dropped)


def product_count(world: World, firm: Institution) -> int:
    """How many products an institution has registered."""
    usual = _PRODUCTS[firm.sector]
    return world.identity("savings", "products", firm.index).between(usual // 3, usual * 5 // 3)


def _products(world: World, query: Query) -> Reply:
    firms = equal(institutions(world), query, regnNm=lambda i: i.sector, fncIstNm=lambda i: i.name)
    wanted = query.get("prdNm")
    if wanted:
        every = [product(world, firm, n) for firm in firms for n in range(product_count(world, firm))]
        return numbered([item for item in every if wanted in item.name], _product_row)
    ends = list(accumulate(product_count(world, firm) for firm in firms))

    def row(index: int) -> Record:
        place = bisect_right(ends, index)
        item = product(world, firms[place], index - (ends[place - 1] if place else 0))
        return {"num": str(index + 1), **_product_row(item)}

    return Rows(ends[-1] if ends else 0, row)


def _product_row(item: Product) -> Record:
    return {
        "fncIstNm": item.firm.name,
        "prdNm": item.name,
        "prdSalDscnDt": compact(item.dropped_on) if item.dropped_on else "",
        "regDate": compact(item.registered_on),
    }


def _companies(world: World, query: Query) -> Reply:
    found = equal(institutions(world), query, regnNm=lambda i: i.sector, fncIstNm=lambda i: i.name)
    return numbered(found, lambda firm: {"fncIstNm": firm.name})


def _insured(world: World, query: Query) -> Reply:
    found = equal(institutions(world), query, fncsecDscdNm=lambda i: i.sector, fnccmpNm=lambda i: i.name)

    def row(firm: Institution) -> Record:
        return {
            "fncsecDscdNm": firm.sector,
            "fnccmpNm": firm.name,
            "fncIstAdr": firm.address,
            "cttpc": firm.telephone,
            "hmpgUrladr": firm.homepage,
            "isrgTgtYn": "Y",
        }

    return numbered(found, row)


# branches that pay for the fund


def _branches(world: World) -> tuple[tuple[Institution, str, str, str], ...]:
    """Bank, branch, telephone, address: the first eight domestic banks pay in every other district."""
    found = []
    for firm in of_sector(world, BANK)[:8]:
        for place in districts():
            stream = world.identity("savings", "branch", firm.index, place.code)
            if not stream.chance(0.45):
                continue
            town = stream.choice(neighbourhoods(place.code))
            number = telephone(stream, place.province.code)
            found.append((firm, f"{town.name}지점", number, street_address(stream, town)))
    return tuple(found)


def _paying_branches(world: World, query: Query) -> Reply:
    every = world.table("savings.branches", _branches)
    found = equal(every, query, pymtAgncIstNm=lambda b: b[0].name, pymtAgncBrchNm=lambda b: b[1])

    def row(branch: tuple[Institution, str, str, str]) -> Record:
        firm, name, number, address = branch
        return {"pymtAgncIstNm": firm.name, "pymtAgncBrchNm": name, "chrpnTelnoCont": number, "adr": address}

    return numbered(found, row)


# bonds


@dataclass(frozen=True, slots=True)
class Bond:
    """One bond of a fund."""

    kind: str
    fund: str
    number: str
    issued_on: datetime.date
    years: int
    rate: int
    """Hundredths of a percent."""
    amount: int
    """Hundred millions of won."""


def _bonds(fund: str, kind: str, first: int, last: int) -> Handler:
    """The bonds that a fund issued from one year to another."""

    def build(world: World) -> tuple[Bond, ...]:
        found = []
        for year in range(first, last + 1):
            count = world.identity("savings", "bonds", fund, year).between(3, 9)
            for number in range(1, count + 1):
                stream = world.identity("savings", "bond", fund, year, number)
                day = datetime.date(year, stream.between(1, 12), stream.between(1, 28))
                while not is_business_day(day):
                    day += datetime.timedelta(days=1)
                rate = stream.between(180, 460) if year < 2015 or year > 2021 else stream.between(120, 260)
                found.append(
                    Bond(
                        kind,
                        fund,
                        f"{year}{number:03d}",
                        day,
                        stream.choice((1, 2, 3, 5)),
                        rate,
                        stream.between(10, 90) * 100,
                    )
                )
        return tuple(found)

    def row(bond: Bond) -> Record:
        return {
            "dpsmBndKdcdNm": bond.kind,
            "bndNo": bond.number,
            "fundCdNm": bond.fund,
            "isueDt": compact(bond.issued_on),
            "matuDt": compact(add_months(bond.issued_on, bond.years * 12)),
            "iamtRt": f"{bond.rate / 100:.2f}",
            "bndIsueAmt": str(bond.amount * 100_000_000),
        }

    def handler(world: World, query: Query) -> Reply:
        every = world.table(f"savings.bonds.{fund}", build)
        return numbered(equal(every, query, bndKdcdNm=lambda b: b.kind, bndNo=lambda b: b.number), row)

    return handler


# books and reports

_SUBJECTS: Final = (
    "예금보험제도", "차등보험료", "부실금융회사 정리", "파산재단 관리", "예금자보호", "금융안정", "목표기금", "착오송금 반환지원", "보험료율", "위기대응계획",
)  # fmt: skip
_FORMS: Final = ("이해", "연차보고서", "운영 실무", "해외 사례", "동향", "연구", "길잡이", "백서")


def _books(world: World, query: Query) -> Reply:
    def build(world: World) -> list[Record]:
        found = []
        for number in range(world.count(640, 20)):
            stream = world.identity("savings", "book", number)
            year = stream.between(1997, 2025)
            form = stream.weighted((("단행본", 7), ("연속간행물", 2), ("비도서", 1)))
            found.append(
                {
                    "bookNm": f"{stream.choice(_SUBJECTS)} {stream.choice(_FORMS)} {year}",
                    "wrpeNm": stream.weighted((("예금보험공사", 6), ("예금보험연구센터", 3), ("정리연구모임", 1))),
                    "clamCont": f"{year % 100:02d}-{stream.between(1, 12):02d}-n.{stream.between(1, 9)}-DI",
                    "publCmpyNm": "예금보험공사",
                    "publYr": str(year),
                    "datFmNm": form,
                    "langNm": stream.weighted((("KOR", 9), ("ENG", 1))),
                    "isueNatlNm": "(Seoul)",
                    "inptDt": f"{year}{stream.between(1, 12):02d}{stream.between(1, 28):02d}",
                }
            )
        return sorted(found, key=lambda book: (book["inptDt"], book["bookNm"]), reverse=True)

    every = world.table("savings.books", build)
    return numbered(containing(every, query, bookNm=lambda b: b["bookNm"], wrpeNm=lambda b: b["wrpeNm"]), lambda b: b)


def _reports(world: World, query: Query) -> Reply:
    """This service alone has no running number; a month is compared with the day of registration."""

    def build(world: World) -> list[Record]:
        found = []
        for number in range(world.count(168, 12)):
            stream = world.identity("savings", "report", number)
            day = LAST_DAY - datetime.timedelta(days=stream.below(3600))
            subject, form = stream.choice(_SUBJECTS), stream.choice(_FORMS)
            found.append(
                {
                    "title": f"{day.year}년 {subject} {form}",
                    "contents": f"{subject}에 관한 {form} 자료로, {day.year}년 {day.month}월까지의 내용을 담았습니다.",
                    "jursDept": stream.choice(("예금보험연구센터", "예금정책부", "리스크총괄부", "금융정리부")),
                    "regDate": compact(day),
                    "inqCnt": str(world.measure("savings", "report", number).octave(3, 4000)),
                }
            )
        return sorted(found, key=lambda report: (report["regDate"], report["title"]), reverse=True)

    month = month_of(query, "baseYm")
    found = containing(world.table("savings.reports", build), query, title=lambda r: r["title"])
    found = equal(found, query, regDate=lambda r: r["regDate"])
    return Rows.of([report for report in found if report["regDate"].startswith(month)])


# money lent and brought back


def _support(world: World, query: Query) -> Reply:
    """The latest December first: which institution the money for a failed one went through."""
    month_of(query, "baseYm")

    def build(world: World) -> list[Record]:
        banks: list[FailedBank] = list(failed_banks(world))
        buyers = of_sector(world, SAVINGS)
        found = []
        for year in range(LAST_DAY.year - 1, 2014, -1):
            for bank in banks:
                buyer = buyers[world.identity("savings", "buyer", bank.index).below(len(buyers))]
                found.append(
                    {
                        "baseYm": f"{year}12",
                        "bzrgtClsfNm": SAVINGS,
                        "fncIstNm": buyer.name,
                        "spprFnccmpNm": bank.name,
                        "spprFnccmpRsluMthoNm": bank.resolution,
                    }
                )
        return found

    names = ("baseYm", "bzrgtClsfNm", "fncIstNm", "spprFnccmpNm", "spprFnccmpRsluMthoNm")
    every = world.table("savings.support", build)
    wanted = {name: query.get(name) for name in names if query.get(name)}
    return numbered([r for r in every if all(r[name] == value for name, value in wanted.items())], lambda r: r)


# the redemption fund's days

_ACCOUNTS: Final = (("01", "수입"), ("02", "지출"))


def _fund_days(world: World, query: Query) -> Reply:
    """Business days of a fiscal year, both accounts a day; without running number."""
    year = query.get("fsclYy")
    if len(year) != 4 or not year.isascii() or not year.isdigit():
        raise RefusedError("value", "fsclYy")
    month_of(query, "exeYm")
    if not 2003 <= int(year) <= LAST_DAY.year:
        return Rows.of(())
    first = datetime.date(int(year), 1, 1)
    days = [first + datetime.timedelta(days=offset) for offset in range(366)]
    open_days = [day for day in days if day.year == int(year) and day <= LAST_DAY and is_business_day(day)]
    rows = [
        {
            "fsclYy": year,
            "exeYm": f"{day:%Y%m}",
            "exeDt": compact(day),
            "offcCd": "079",
            "offcNm": "금융위원회",
            "fsclCd": "589",
            "fsclNm": "예금보험기금채권상환기금",
            "acctCd": code,
            "acctNm": name,
        }
        for day in open_days
        for code, name in _ACCOUNTS
    ]
    wanted = {name: query.get(name) for name in rows[0] if query.get(name)} if rows else {}
    return Rows.of([row for row in rows if all(row[name] == value for name, value in wanted.items())])


HANDLERS: Final[dict[str, Handler]] = {
    "getProductList202008": _products,
    "getCompanyList202008": _companies,
    "getInsurgTrgetFnltInfoList": _insured,
    "getDpstInsrncAmountPymntVrscSpotSttusList": _paying_branches,
    "getRpayEndwCditPblicteSttusList": _bonds("상환기금", "예금보험기금채권상환기금채권", 2003, 2025),
    "getCditPblicteSttusList": _bonds("예보기금 특별계정", "예금보험기금특별계정채권", 2011, 2025),
    "getPblctIslndsList": _books,
    "getPblicteReprtInfoList2": _reports,
    "getFnncCmpnyFundSpprDtfl": _support,
    "GetDalyRdmptnFundExetAcrsSttus": _fund_days,
}
