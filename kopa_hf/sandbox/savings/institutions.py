"""Insured financial institutions: banks, securities firms, insurers, a merchant bank, savings banks.

Names are invented. Securities firms that file with DART are the companies of that world, with the
same names and register numbers; all others have numbers of their own below theirs.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.finance.companies import Company, companies
from kopa_hf.sandbox.people import person_name
from kopa_hf.sandbox.places import District, districts, street_address
from kopa_hf.sandbox.rng import Stream, permuted, seed_of
from kopa_hf.sandbox.telephones import telephone
from kopa_hf.sandbox.world import World

BANK: Final = "은행"
INVESTMENT: Final = "금융투자"
LIFE: Final = "생명보험"
NON_LIFE: Final = "손해보험"
MERCHANT: Final = "종합금융"
SAVINGS: Final = "저축은행"

SECTORS: Final = (
    (BANK, 55, ("은행",)),
    (INVESTMENT, 118, ("자산운용", "투자자문", "선물", "투자증권")),
    (LIFE, 22, ("생명보험", "라이프생명보험")),
    (NON_LIFE, 18, ("손해보험", "화재해상보험")),
    (MERCHANT, 1, ("종합금융",)),
    (SAVINGS, 79, ("저축은행",)),
)
"""Sector (금융권역), number of institutions, endings of names."""
FAILED: Final = 31
"""Savings banks that were closed."""

_STEMS: Final = (
    "가람누리", "강나루", "고운빛", "구름재", "그린내", "금빛들", "나루터", "낙안", "너나들이", "늘봄", "다래",
    "단비", "달오름", "도란", "동트는", "두루빛", "든솔", "마중", "맑은샘", "머루", "모아", "무지개", "물레",
    "미리벌", "바다빛", "반디", "밝은누리", "버들", "별무리", "보늬", "볕뉘", "봄내음", "사랑채", "산돌림",
    "새나루", "새벽녘", "샛별", "서리풀", "소나무숲", "솔바람", "수리", "숲정이", "시나브로", "싱그런", "아리솔",
    "아침햇살", "안다미로", "애오라지", "어울림", "여름지기", "예그린", "오름", "온누리", "옹달", "우듬지", "윤빛",
    "으뜸", "이랑", "자작나무", "잔별", "조약돌", "징검돌", "차오름", "참누리", "초롱빛", "큰나루", "타래실",
    "토리", "튼실", "파란들", "푸실", "풀잎", "하늬벌", "한울타리", "함초롬", "해밀", "햇무리", "호수빛", "흰여울",
    "희나리",
)  # fmt: skip
_SEATS: Final = ("11", "41", "26", "27", "28", "29", "30", "43", "44", "47", "48", "46", "52", "51", "31", "50")
_COURTS: Final = ("1101", "1301", "1201", "1801", "1501", "1601", "2101")


@dataclass(frozen=True, slots=True)
class Institution:
    """One institution."""

    index: int
    code: str
    """금융기관코드, seven digits."""
    name: str
    """As all lists print it; unique."""
    sector: str
    register_no: str
    """법인등록번호, 13 digits."""
    place: District
    address: str
    telephone: str
    homepage: str
    company: Company | None
    """The company of DART's world that this is; None: not there."""


@dataclass(frozen=True, slots=True)
class FailedBank:
    """A savings bank whose business was stopped, and its bankruptcy estate."""

    index: int
    name: str
    register_no: str
    place: District
    stopped_on: datetime.date
    transferred_on: datetime.date
    """When its contracts went to another institution (계약이전결정일)."""
    resolution: str
    bankrupt_on: datetime.date | None
    """None: resolved without bankruptcy."""
    trustee: str
    closed: bool
    """The estate is wound up (종결)."""
    special_account: bool
    """Paid by the fund's special account, for failures since 2011."""

    @property
    def estate(self) -> str:
        """Who sells the assets: 파산재단 이름."""
        return f"파산재단 {self.name}"


def institutions(world: World) -> tuple[Institution, ...]:
    """All institutions, sector by sector."""
    return world.table("savings.institutions", _build)


def of_sector(world: World, sector: str) -> tuple[Institution, ...]:
    """The institutions of one sector."""
    return world.table(
        f"savings.institutions.{sector}",
        lambda w: tuple(i for i in institutions(w) if i.sector == sector),
    )


def institution_by_name(world: World, name: str) -> Institution | None:
    """The institution of a name, as a whole."""
    by_name = world.table("savings.by_name", lambda w: {i.name: i for i in institutions(w)})
    return by_name.get(name)


def failed_banks(world: World) -> tuple[FailedBank, ...]:
    """All failed savings banks, in order of their failure."""
    return world.table("savings.failed", _build_failed)


def estates(world: World) -> tuple[FailedBank, ...]:
    """Those that went bankrupt."""
    return tuple(bank for bank in failed_banks(world) if bank.bankrupt_on is not None)


def _build(world: World) -> tuple[Institution, ...]:
    found: list[Institution] = []
    taken = {company.name for company in companies(world)}
    for sector, count, endings in SECTORS:
        listed = _securities_firms(world, count) if sector == INVESTMENT else []
        for number in range(world.count(count)):
            stream = world.identity("savings", sector, number)
            company = listed[number] if number < len(listed) else None
            name = (
                company.name if company is not None else _name(stream, endings, taken, foreign=_foreign(sector, number))
            )
            found.append(_institution(world, stream, len(found), name, sector, company))
    return tuple(found)


def _securities_firms(world: World, most: int) -> list[Company]:
    return [company for company in companies(world) if company.industry == "증권"][:most]


def _foreign(sector: str, number: int) -> bool:
    """From the twentieth bank on they are branches of foreign ones."""
    return sector == BANK and number >= 20


def _name(stream: Stream, endings: tuple[str, ...], taken: set[str], *, foreign: bool = False) -> str:
    for attempt in range(200):
        name = stream.choice(_STEMS) + stream.choice(endings)
        if attempt > 60:
            name = stream.choice(_STEMS) + name
        name += " 서울지점" if foreign else ""
        if name not in taken:
            taken.add(name)
            return name
    raise AssertionError("two hundred tries find a free name")


def _institution(
    world: World, stream: Stream, index: int, name: str, sector: str, company: Company | None
) -> Institution:
    place = stream.choice(districts("11" if sector != SAVINGS else stream.choice(_SEATS[:12])))
    slug = f"{'bilms'[index % 5]}{stream.between(100, 999)}"
    return Institution(
        index=index,
        code=f"{10_000 + permuted(index, 9_000, seed_of('savings', world.identity_seed)):07d}",
        name=name,
        sector=sector,
        register_no=company.jurir_no if company is not None else register_number(stream, 10_000 + index),
        place=place,
        address=company.address if company is not None else street_address(stream, place),
        telephone=company.phone if company is not None else telephone(stream, place.province.code),
        homepage=f"http://www.{slug}.example/",
        company=company,
    )


def register_number(stream: Stream, serial: int) -> str:
    """Register number with its check digit (weights 1 2 1 2 …)."""
    body = f"{stream.choice(_COURTS)}11{serial:06d}"
    total = sum(int(char) * (1 + position % 2) for position, char in enumerate(body))
    return body + str(-total % 10)


_RESOLUTIONS: Final = (("제3자 계약이전", 6), ("가교저축은행 계약이전", 5), ("보험금 지급", 2), ("합병", 1))


def _build_failed(world: World) -> tuple[FailedBank, ...]:
    taken = {i.name for i in institutions(world)}
    found = []
    for number in range(FAILED):
        stream = world.identity("savings", "failed", number)
        name = _name(stream, ("저축은행",), taken)
        place = stream.choice(districts(stream.choice(_SEATS[:14])))
        stopped = datetime.date(2003 + number * 12 // FAILED, stream.between(1, 12), stream.between(1, 28))
        transferred = stopped + datetime.timedelta(days=stream.between(60, 300))
        resolution = stream.weighted(_RESOLUTIONS)
        bankrupt = None if resolution == "합병" else transferred + datetime.timedelta(days=stream.between(40, 400))
        found.append((stopped, name, number, stream, place, transferred, resolution, bankrupt))
    found.sort(key=lambda entry: (entry[0], entry[1]))
    return tuple(
        FailedBank(
            index=index,
            name=name,
            register_no=register_number(stream, 20_000 + number),
            place=place,
            stopped_on=stopped,
            transferred_on=transferred,
            resolution=resolution,
            bankrupt_on=bankrupt,
            trustee=person_name(stream),
            closed=bankrupt is not None and stopped.year < 2009 and stream.chance(0.7),
            special_account=stopped.year >= 2011,
        )
        for index, (stopped, name, number, stream, place, transferred, resolution, bankrupt) in enumerate(found)
    )
