"""Public libraries and the books of the city's own library."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

from kopa_hf.sandbox.city.answers import contains, equal, table
from kopa_hf.sandbox.city.ground import any_neighbourhood, boroughs, point, shares
from kopa_hf.sandbox.city.words import HEADS, latin, names, phone
from kopa_hf.sandbox.people import person_name
from kopa_hf.sandbox.places import street_address
from kopa_hf.sandbox.query import Handler, Query, Record, Rows
from kopa_hf.sandbox.world import World

LIBRARIES: Final = 214
BOOKS: Final = 24_600
_CLOSED: Final = ("매주 월요일", "매월 둘째, 넷째 월요일", "매주 금요일", "매월 첫째 화요일")
_KINDS: Final = (("공공도서관", 7), ("작은도서관", 2), ("교육청도서관", 1))
_THEMES: Final = (
    ("000", "읽기"), ("100", "마음"), ("300", "마을"), ("400", "별"), ("500", "부엌"), ("600", "그림"), ("700", "우리말"),
    ("800", "이야기"), ("813", "소설"), ("900", "옛길"),
)  # fmt: skip
_FORMS: Final = ("의 시간", "를 걷다", "의 발견", "에게 묻다", "의 모든 것", " 산책", " 수업", " 입문")


def libraries(world: World) -> tuple[Record, ...]:
    """All columns of a library; the services show parts of them."""

    def build(world: World) -> tuple[Record, ...]:
        count = world.count(LIBRARIES, 25)
        pool = iter(names(world, "libraries", count))
        found: list[Record] = []
        for borough, part in zip(boroughs(), shares(count), strict=True):
            for _ in range(part):
                stream = world.identity("city", "library", len(found))
                latitude, longitude = point(stream, borough)
                kind = stream.weighted(_KINDS)
                found.append(
                    {
                        "LBRRY_SEQ_NO": str(1001 + len(found)),
                        "LBRRY_NAME": f"{next(pool)}도서관",
                        "GU_CODE": f"{borough.number:04d}",
                        "CODE_VALUE": borough.name,
                        "ADRES": street_address(stream, any_neighbourhood(stream, borough)),
                        "TEL_NO": phone(stream),
                        "HMPG_URL": f"https://{latin(stream)}lib.invalid",
                        "OP_TIME": f"평일 09:00~{stream.choice(('18', '20', '22'))}:00, 주말 09:00~17:00",
                        "FDRM_CLOSE_DATE": stream.choice(_CLOSED),
                        "LBRRY_SE_NAME": kind,
                        "XCNTS": f"{latitude:.7f}",
                        "YDNTS": f"{longitude:.7f}",
                    }
                )
        return tuple(found)

    return world.table("city.libraries", build)


def _hours(world: World) -> Iterable[Record]:
    columns = ("LBRRY_SEQ_NO", "LBRRY_NAME", "GU_CODE", "CODE_VALUE", "ADRES", "FDRM_CLOSE_DATE", "TEL_NO", "XCNTS")
    for record in libraries(world):
        yield {name: record[name] for name in (*columns, "YDNTS")}


def _titles(world: World) -> tuple[str, ...]:
    """Every book's title, by its number."""

    def build(world: World) -> tuple[str, ...]:
        return tuple(_title(world, number)[0] for number in range(world.count(BOOKS, 100)))

    return world.table("city.books", build)


def _title(world: World, number: int) -> tuple[str, str]:
    """(title, class number)."""
    stream = world.identity("city", "book", number)
    code, theme = stream.choice(_THEMES)
    form = stream.choice(_FORMS)
    if form == "를 걷다" and theme not in ("이야기",):
        form = "을 걷다" if (ord(theme[-1]) - 0xAC00) % 28 else form
    return f"{stream.choice(HEADS)} {theme}{form}{f' {stream.between(2, 5)}' if stream.chance(0.15) else ''}", code


def isbn(number: int) -> str:
    """13 digits with the check digit; the publisher's part is one that does not exist."""
    body = f"9791199{number % 100_000:05d}"
    total = sum(int(digit) * (1 + 2 * (place % 2)) for place, digit in enumerate(body))
    return body + str(-total % 10)


def _book(world: World, number: int) -> Record:
    title, code = _title(world, number)
    stream = world.identity("city", "book more", number)
    author, press = person_name(stream), f"{stream.choice(HEADS)}책방"
    year, lent = stream.between(1998, 2025), world.measure("city", "book lent", number).chance(0.3)
    room = stream.choice((("A1", "일반자료실"), ("B1", "서울자료실"), ("C1", "디지털자료실")))
    return {
        "TITLE": title,
        "BIB_TYPE_NAME": "단행본",
        "AUTHOR": f"{author} 지음",
        "CTRLNO": str(500_001 + number),
        "PUBLER": press,
        "NBOOK_YN": "Y" if year >= 2025 else "N",
        "CALL_NO": f"{code}-{author[0]}{number % 900 + 100}",
        "CLASS_NO": code,
        "PUBLER_YEAR": str(year),
        "LANG": "kor",
        "LANG_NAME": "한국어",
        "CONTRY": "KR",
        "CONTRY_NAME": "대한민국",
        "EDITON": "",
        "PAGE": f"{stream.between(120, 640)} p.",
        "ISBN": isbn(number),
        "APPEND_INFO": "",
        "LOCA": "MA",
        "LOCA_NAME": "서울도서관",
        "CREATE_DATE": f"{min(year + 1, 2025)}{stream.between(1, 12):02d}{stream.between(1, 28):02d}",
        "SUB_LOCA": room[0],
        "SUB_LOCA_NAME": room[1],
        "LOAN_STATUS": "2" if lent else "1",
        "LOAN_STATUS_NAME": "대출중" if lent else "대출가능",
        "BIB_TYPE": "ba",
    }


def _books(world: World, query: Query) -> Rows:
    wanted = query.get("TITLE")
    if not wanted:
        return Rows(len(_titles(world)), partial(_book, world))
    found = [number for number, title in enumerate(_titles(world)) if wanted in title]
    return Rows.mapped(found, partial(_book, world))


def _popular(world: World) -> Iterable[Record]:
    """The 300 most lent books, most lent first."""
    lent = [(world.measure("city", "book loans", n).octave(1, 400), n) for n in range(min(3_000, len(_titles(world))))]
    for count, number in sorted(lent, key=lambda pair: (-pair[0], pair[1]))[:300]:
        book = _book(world, number)
        yield {
            "TITLE": book["TITLE"],
            "AUTHOR": book["AUTHOR"],
            "CONTROLNO": book["CTRLNO"],
            "PUBLISHER": book["PUBLER"],
            "CLASS_NO": book["CLASS_NO"],
            "PUBLISHER_YEAR": book["PUBLER_YEAR"],
            "CNT": str(count),
            "ISBN": book["ISBN"],
        }


def _new(world: World) -> Iterable[Record]:
    for number in range(min(3_000, len(_titles(world)))):
        book = _book(world, number)
        if book["NBOOK_YN"] == "Y":
            yield {name: book[name] for name in ("TITLE", "ISBN", "AUTHOR")}


HANDLERS: Final[dict[str, Handler]] = {
    "SeoulPublicLibraryInfo": table("libraries", libraries),
    "SeoulLibraryTimeInfo": table("libraries.hours", _hours, {"LBRRY_SEQ_NO": equal, "LBRRY_NAME": contains}),
    "SeoulLibraryBookSearchInfo": _books,
    "SeoulLibraryBookRentNumInfo": table("books.popular", _popular),
    "SeoulLibNewArrivalInfo": table("books.new", _new),
}
