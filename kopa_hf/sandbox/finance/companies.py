"""Companies: names, codes and register numbers, all invented, with true formats and check digits."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.calendar import business_day_from
from kopa_hf.sandbox.people import address, person_name
from kopa_hf.sandbox.rng import Stream, permuted, seed_of
from kopa_hf.sandbox.world import World

COMPANIES: Final = 1500
_LISTED: Final = (("Y", 150), ("K", 230), ("N", 40))
"""corp_cls and number of companies; all others are E (not listed)."""
_REPORTING: Final = 180
"""Unlisted companies that file periodic reports."""

MARKETS: Final = {"Y": "KOSPI", "K": "KOSDAQ", "N": "KONEX"}

_HEADS: Final = (
    "가온", "누리", "다온", "라온", "마루", "바름", "사람", "아람", "자람", "차온", "타래", "파랑", "하람", "미르", "도담", "푸름",
    "보담", "시나", "예솔", "윤슬", "초아", "다솜", "가람", "나래", "두레", "이든", "해든", "온새", "늘찬", "새길", "너울", "노을",
    "단미", "여울", "물결", "별하", "산들", "소담", "아리", "은가",
)  # fmt: skip
_TAILS: Final = ("빛", "솔", "결", "샘", "들", "별", "찬", "울", "담", "봄", "길", "뜰", "숲", "돌", "벗", "참")
_HEADS_EN: Final = (
    "GAON", "NURI", "DAON", "RAON", "MARU", "BAREUM", "SARAM", "ARAM", "JARAM", "CHAON", "TARAE", "PARANG", "HARAM",
    "MIR", "DODAM", "PUREUM", "BODAM", "SINA", "YESOL", "YUNSEUL", "CHOA", "DASOM", "GARAM", "NARAE", "DURE", "IDEUN",
    "HAEDEUN", "ONSAE", "NEULCHAN", "SAEGIL", "NEOUL", "NOEUL", "DANMI", "YEOUL", "MULGYEOL", "BYEOLHA", "SANDEUL",
    "SODAM", "ARI", "EUNGA",
)  # fmt: skip
_TAILS_EN: Final = (
    "BIT", "SOL", "GYEOL", "SAEM", "DEUL", "BYEOL", "CHAN", "UL", "DAM", "BOM", "GIL", "TTEUL", "SUP", "DOL", "BEOT",
    "CHAM",
)  # fmt: skip

INDUSTRIES: Final = (
    ("전자", "ELECTRONICS", "264", "전기전자", 8), ("반도체", "SEMICONDUCTOR", "261", "전기전자", 7),
    ("바이오", "BIO", "701", "의약품", 9), ("제약", "PHARM", "212", "의약품", 6), ("화학", "CHEMICAL", "201", "화학", 6),
    ("소프트", "SOFT", "582", "서비스업", 8), ("시스템", "SYSTEMS", "620", "서비스업", 6),
    ("건설", "CONSTRUCTION", "411", "건설업", 5), ("식품", "FOODS", "107", "음식료품", 4), ("철강", "STEEL", "241", "철강금속", 3),
    ("기계", "MACHINERY", "292", "기계", 5), ("모터스", "MOTORS", "303", "운수장비", 4), ("물류", "LOGISTICS", "529", "운수창고업", 3),
    ("에너지", "ENERGY", "351", "전기가스업", 3), ("통신", "TELECOM", "612", "통신업", 2), ("증권", "SECURITIES", "661", "증권", 2),
    ("캐피탈", "CAPITAL", "649", "금융업", 2), ("유통", "RETAIL", "471", "유통업", 4), ("섬유", "TEXTILE", "131", "섬유의복", 2),
    ("제지", "PAPER", "171", "종이목재", 2), ("게임즈", "GAMES", "582", "서비스업", 4), ("엔터", "ENTER", "591", "서비스업", 3),
    ("로보틱스", "ROBOTICS", "292", "기계", 3), ("소재", "MATERIALS", "204", "화학", 4), ("홀딩스", "HOLDINGS", "649", "금융업", 3),
    ("테크", "TECH", "262", "전기전자", 6),
)  # fmt: skip
"""(name part, English, KSIC code as DART prints it, KRX sector, weight)."""

_KOSDAQ_BOARDS: Final = ("우량기업부", "중견기업부", "벤처기업부", "기술성장기업부", "관리종목(소속부없음)")


@dataclass(frozen=True, slots=True)
class Company:
    """One company; measures (shares, prices, accounts) are drawn elsewhere from its index."""

    index: int
    corp_code: str
    name: str
    """As lists print it; unique."""
    legal_name: str
    """As the register prints it, with (주) or 주식회사."""
    english_name: str
    corp_cls: str
    """Y KOSPI, K KOSDAQ, N KONEX, E other."""
    stock_code: str
    """Short code, 6 digits; empty for unlisted companies."""
    isin: str
    """Standard code, 12 characters; empty for unlisted companies."""
    jurir_no: str
    bizr_no: str
    ceo: str
    address: str
    homepage: str
    phone: str
    fax: str
    induty_code: str
    industry: str
    sector: str
    board: str
    """KOSDAQ department (소속부); '-' on the other markets."""
    founded: datetime.date
    listed_on: datetime.date | None
    closing_month: int
    modified_on: datetime.date
    par_value: int
    reporting: bool
    """Files periodic reports."""
    consolidated: bool
    """Has subsidiaries, so consolidated statements exist."""

    @property
    def listed(self) -> bool:
        """True for the three exchange markets."""
        return self.corp_cls != "E"


def companies(world: World) -> tuple[Company, ...]:
    """All companies, in order of their index."""
    return world.table("finance.companies", _build)


def company_by_code(world: World, corp_code: str) -> Company | None:
    """The company of a DART code."""
    by_code = world.table("finance.by_corp_code", lambda w: {c.corp_code: c for c in companies(w)})
    return by_code.get(corp_code)


def listed_on_market(world: World, corp_cls: str) -> tuple[Company, ...]:
    """Listed companies of one market, in order of their short codes, as the exchange prints them."""
    return world.table(
        f"finance.market.{corp_cls}",
        lambda w: tuple(sorted((c for c in companies(w) if c.corp_cls == corp_cls), key=lambda c: c.stock_code)),
    )


def _build(world: World) -> tuple[Company, ...]:
    total = world.count(COMPANIES, 60)
    names = _names(world, total)
    classes = _classes(world, total)
    return tuple(_company(world, index, total, names[index], classes[index]) for index in range(total))


def _names(world: World, total: int) -> list[tuple[str, str, int]]:
    """(name, English name, industry) per company; groups of up to six companies share the first part."""
    stream = world.identity("finance", "names")
    weights = [(number, industry[4]) for number, industry in enumerate(INDUSTRIES)]
    stems = [(h, t) for h in range(len(_HEADS)) for t in range(len(_TAILS))]
    stems = stream.sample(stems, len(stems))
    found: list[tuple[str, str, int]] = []
    taken: set[str] = set()
    turn = 0
    while len(found) < total:
        head, tail = stems[turn % len(stems)]
        turn += 1
        for _ in range(stream.weighted(((1, 5), (2, 3), (3, 2), (5, 1), (6, 1)))):
            industry = stream.weighted(weights)
            name = _HEADS[head] + _TAILS[tail] + INDUSTRIES[industry][0]
            if turn > 4 * len(stems):  # a scaled-up world runs out of words
                name += str(turn)
            if name not in taken and len(found) < total:
                taken.add(name)
                english = f"{_HEADS_EN[head]}{_TAILS_EN[tail]} {INDUSTRIES[industry][1]}"
                found.append((name, english, industry))
    return found


def _classes(world: World, total: int) -> list[str]:
    """corp_cls per company, mixed; the first letters of the alphabet are not all listed."""
    scale = total / COMPANIES
    classes = [letter for letter, count in _LISTED for _ in range(max(4, round(count * scale)))]
    classes += ["R"] * round(_REPORTING * scale)
    classes += ["E"] * (total - len(classes))
    return world.identity("finance", "classes").sample(classes[:total], total)


def _company(world: World, index: int, total: int, named: tuple[str, str, int], kind: str) -> Company:
    stream = world.identity("finance", "company", index)
    codes = seed_of("codes", world.identity_seed)
    name, english, industry = named
    corp_cls = "E" if kind == "R" else kind
    listed = corp_cls != "E"
    stock_code = f"{permuted(index, 49_000, codes) * 10 + 10_000:06d}" if listed and total < 49_000 else ""
    founded = datetime.date(stream.between(1965, 2015), stream.between(1, 12), stream.between(1, 28))
    listed_on = _listing_day(stream, founded) if listed else None
    office = address(stream)
    area = "02" if office.startswith("서울") else f"0{stream.between(31, 64)}"
    slug = english.split()[0].lower() + INDUSTRIES[industry][1].lower()[:4]
    ceo = person_name(stream) + (f", {person_name(stream)}" if stream.chance(0.15) else "")
    return Company(
        index=index,
        corp_code=f"{100_000 + permuted(index, max(1_780_000, total), codes + 11):08d}",
        name=name,
        legal_name=f"{name}(주)" if stream.chance(0.7) else f"주식회사 {name}",
        english_name=f"{english} CO.,LTD.",
        corp_cls=corp_cls,
        stock_code=stock_code,
        isin=isin_of(stock_code) if stock_code else "",
        jurir_no=_jurir_no(stream, 100_000 + permuted(index, max(900_000, total), codes + 22)),
        bizr_no=_bizr_no(permuted(index, 7_990_000, codes + 33)),
        ceo=ceo,
        address=office,
        homepage=f"www.{slug}.example",
        phone=f"{area}-0{stream.between(100, 999)}-{stream.below(10000):04d}",
        fax=f"{area}-0{stream.between(100, 999)}-{stream.below(10000):04d}",
        induty_code=INDUSTRIES[industry][2],
        industry=INDUSTRIES[industry][0],
        sector=INDUSTRIES[industry][3],
        board=stream.choice(_KOSDAQ_BOARDS[:4]) if corp_cls == "K" else "일반기업부" if corp_cls == "N" else "-",
        founded=founded,
        listed_on=listed_on,
        closing_month=12 if listed or kind == "R" else stream.weighted(((12, 17), (3, 1), (6, 2))),
        modified_on=datetime.date(stream.between(2017, 2025), stream.between(1, 12), stream.between(1, 28)),
        par_value=stream.weighted(((500, 6), (100, 3), (5000, 2), (1000, 1))),
        reporting=listed or kind == "R",
        consolidated=(listed or kind == "R") and stream.chance(0.72),
    )


def _listing_day(stream: Stream, founded: datetime.date) -> datetime.date:
    """Some time after foundation; one company in twenty came to the market after the first day with prices."""
    if stream.chance(0.05):
        return business_day_from(
            datetime.date(stream.choice((2024, 2025)), stream.between(2, 11), stream.between(3, 26))
        )
    year = stream.between(max(founded.year + 3, 1988), 2023)
    return business_day_from(datetime.date(year, stream.between(1, 12), stream.between(1, 28)))


def isin_of(short_code: str, kind: str = "7", suffix: str = "00") -> str:
    """The standard code of a Korean security: KR, kind, short code, suffix, check digit (ISO 6166)."""
    body = f"KR{kind}{short_code}{suffix}"
    digits = "".join(str(int(char, 36)) for char in body)
    total = 0
    for position, char in enumerate(reversed(digits)):
        value = int(char) * (2 if position % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return body + str(-total % 10)


def _jurir_no(stream: Stream, serial: int) -> str:
    """Corporate register number: court office, kind 11, serial, check digit (weights 1 2 1 2 …)."""
    body = (
        f"{stream.choice(('1101', '1301', '1311', '1201', '1801', '1501', '1601', '2101'))}11{serial % 1_000_000:06d}"
    )
    total = sum(int(char) * (1 + position % 2) for position, char in enumerate(body))
    return body + str(-total % 10)


def _bizr_no(number: int) -> str:
    """Business register number, 10 digits with the tax office's check digit."""
    body = f"{101 + number // 10_000}81{number % 10_000:04d}"
    digits = [int(char) for char in body]
    total = sum(d * w for d, w in zip(digits, (1, 3, 7, 1, 3, 7, 1, 3, 5), strict=True)) + digits[8] * 5 // 10
    return body + str(-total % 10)
