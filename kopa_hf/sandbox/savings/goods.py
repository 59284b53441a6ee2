"""What bankruptcy estates sell: real estate, memberships and securities, works of art, everything else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.people import person_name
from kopa_hf.sandbox.places import District, districts, neighbourhoods
from kopa_hf.sandbox.query import Handler, Query, Record, Reply
from kopa_hf.sandbox.savings.common import containing, equal, numbered, span_of
from kopa_hf.sandbox.savings.institutions import FailedBank, estates
from kopa_hf.sandbox.telephones import telephone
from kopa_hf.sandbox.world import World

_PURPOSES: Final[dict[str, tuple[str, ...]]] = {
    "상업용": ("근린생활시설", "상가", "오피스텔", "업무시설"),
    "주거용": ("아파트", "연립주택", "다세대주택", "단독주택"),
    "토지": ("전", "답", "임야", "대지", "잡종지"),
    "산업용": ("공장", "창고", "지식산업센터"),
}
_SPECIAL: Final = ("골프연습장", "사우나", "숙박시설", "노인복지시설", "주유소")
_STATES: Final = (("공매 진행", 5), ("공매 예정", 3), ("수의계약 가능", 2), ("매각 완료", 2))
_MEMBERSHIPS: Final = ("골프회원권", "콘도회원권", "헬스회원권")
_SECURITIES: Final = ("비상장주식", "출자증권", "수익증권")
_CLUBS: Final = ["가람골", "너른들", "달오름", "물안재", "별빛고개", "솔향기", "여울목", "한울", "해맞이", "푸른언덕"]
_TITLES: Final = (
    "고요한 아침", "달항아리", "무제", "물가에서", "바람 소리", "봄의 기억", "비 오는 골목", "산마루", "숲의 노래",
    "옛집", "빈 의자", "항구의 저녁",
)  # fmt: skip
_THINGS: Final = (
    "화물차", "굴착기", "지게차", "인쇄기", "선반", "사무용 가구", "컴퓨터 서버", "주방 설비", "냉동 창고 설비",
    "승용차",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Goods:
    """One thing for sale; columns that its kind lacks are empty."""

    number: str
    """매물관리번호: a letter per kind, year, serial."""
    estate: FailedBank
    name: str
    sort: str
    """매물구분, 용도 or what fits."""
    group: str
    """매물유형, 상위용도 or what fits."""
    place: District
    contact: str
    telephone: str
    recommended: bool
    state: str
    land: float
    building: float
    """Square metres."""
    lowest: int
    """Lowest price of the auction, in won."""
    artist: str = ""


def real_estate(world: World) -> tuple[Goods, ...]:
    """Ordinary real estate first, then special."""
    return world.table("savings.goods.real", lambda w: tuple(_land(w, n) for n in range(w.count(620, 12))))


def memberships(world: World) -> tuple[Goods, ...]:
    """Memberships and securities."""
    return world.table("savings.goods.member", lambda w: tuple(_paper(w, n) for n in range(w.count(160, 8))))


def artworks(world: World) -> tuple[Goods, ...]:
    """Works of art."""
    return world.table("savings.goods.art", lambda w: tuple(_art(w, n) for n in range(w.count(130, 6))))


def other_goods(world: World) -> tuple[Goods, ...]:
    """Machines, cars and the like."""
    return world.table("savings.goods.other", lambda w: tuple(_thing(w, n) for n in range(w.count(90, 6))))


def _make(world: World, letter: str, serial: int, name: str, sort: str, group: str, artist: str = "") -> Goods:
    stream = world.identity("savings", "goods", letter, serial)
    open_estates = [bank for bank in estates(world) if not bank.closed]
    area = world.measure("savings", "goods", letter, serial)
    place = stream.choice(districts())
    return Goods(
        number=f"{letter}{2012 + serial % 13}{serial + 1:05d}",
        estate=stream.choice(open_estates),
        name=name or f"{place.full_name} {stream.choice(neighbourhoods(place.code)).name} {sort}",
        sort=sort,
        group=group,
        place=place,
        contact=f"{person_name(stream)} 과장",
        telephone=telephone(stream, "11"),
        recommended=stream.chance(0.15),
        state=stream.weighted(_STATES),
        land=area.octave(20, 30_000) + area.below(100) / 100,
        building=0.0 if group == "토지" else area.octave(20, 4_000) + area.below(100) / 100,
        lowest=area.octave(800, 9_000_000) * 10_000,
        artist=artist,
    )


def _land(world: World, serial: int) -> Goods:
    stream = world.identity("savings", "land", serial)
    if stream.chance(0.12):
        return _make(world, "S", serial, "", stream.choice(_SPECIAL), "특수부동산")
    group = stream.weighted((("상업용", 4), ("토지", 4), ("주거용", 3), ("산업용", 1)))
    return _make(world, "R", serial, "", stream.choice(_PURPOSES[group]), group)


def _paper(world: World, serial: int) -> Goods:
    stream = world.identity("savings", "paper", serial)
    if stream.chance(0.6):
        sort = stream.choice(_MEMBERSHIPS)
        return _make(world, "M", serial, f"{stream.choice(_CLUBS)} {sort}", sort, "회원권")
    sort = stream.choice(_SECURITIES)
    return _make(world, "M", serial, f"{stream.choice(_CLUBS)}개발 {sort}", sort, "유가증권")


def _art(world: World, serial: int) -> Goods:
    stream = world.identity("savings", "art", serial)
    return _make(world, "A", serial, stream.choice(_TITLES), "미술품", "미술품", artist=person_name(stream))


def _thing(world: World, serial: int) -> Goods:
    stream = world.identity("savings", "thing", serial)
    return _make(world, "E", serial, stream.choice(_THINGS), "동산", "기타")


# handlers


def _special(item: Goods) -> bool:
    return item.number[0] == "S"


def _kind(item: Goods) -> str:
    return "특수부동산" if _special(item) else "일반부동산"


def _between(items: list[Goods], query: Query) -> list[Goods]:
    land, building = span_of(query, "landSqreFrom", "landSqreTo"), span_of(query, "bldSqreFrom", "bldSqreTo")
    return [i for i in items if land[0] <= i.land <= land[1] and building[0] <= i.building <= building[1]]


def _contact_cells(item: Goods) -> Record:
    return {"rfrcNm": item.contact, "mngmIstNm": item.estate.estate}


def _real_estate_list(world: World, query: Query) -> Reply:
    found = equal(
        real_estate(world),
        query,
        rlestDscd=_kind,
        hgrkPurpCont=lambda i: i.group,
        purpNm=lambda i: i.sort,
        sidoNm=lambda i: i.place.province.name,
        gugunNm=lambda i: i.place.name,
        mngmIstNm=lambda i: i.estate.estate,
        progStutNm=lambda i: i.state,
    )
    found = _between(containing(found, query, rfrcNm=lambda i: i.contact), query)

    def row(item: Goods) -> Record:
        return {
            "artslMngmNo": item.number,
            "recmYn": _yes(item.recommended),
            "rfrcNm": item.contact,
            "rfrcTelno": item.telephone,
            "mngmIstNm": item.estate.estate,
            "mngmIstCntplcCont": item.telephone,
            "purpNm": item.sort,
            "rlestDscd": _kind(item),
            "hgrkPurpCont": item.group,
            "sidoNm": item.place.province.name,
            "gugunNm": item.place.name,
            "progStutNm": item.state,
        }

    return numbered(found, row)


def _real_estate_detail(world: World, query: Query) -> Reply:
    """Ordinary real estate only, with where it lies."""

    def row(item: Goods) -> Record:
        return {
            "artslMngmNo": item.number,
            "artslUnqNo": _unique_number(item),
            "pblndCd": _parcel(item),
            "recmYn": _yes(item.recommended),
            "rfrcNm": item.contact,
            "lttdVal": f"{34.5 + int(item.place.code) % 3500 / 1000:.6f}",
            "rfrcTelno": item.telephone,
        }

    return numbered([i for i in _found(real_estate(world), query) if not _special(i)], row)


def _special_detail(world: World, query: Query) -> Reply:
    def row(item: Goods) -> Record:
        return {
            "artslMngmNo": item.number,
            "artslUnqNo": _unique_number(item),
            "pblndCd": _parcel(item),
            "recmYn": _yes(item.recommended),
            "rfrcNm": item.contact,
            "rfrcTelno": item.telephone,
            "mngmIstNm": item.estate.estate,
        }

    return numbered([i for i in _found(real_estate(world), query) if _special(i)], row)


def _found(items: tuple[Goods, ...], query: Query) -> list[Goods]:
    return equal(items, query, artslMngmNo=lambda i: i.number)


def _unique_number(item: Goods) -> str:
    return f"{item.place.code}-{item.number[1:5]}-{item.number[5:]}"


def _parcel(item: Goods) -> str:
    """Code of the parcel (필지): the place and the serial."""
    return f"{item.place.code}{item.number[5:]}"


def _membership_list(world: World, query: Query) -> Reply:
    found = equal(
        memberships(world),
        query,
        artslTpcd=lambda i: i.group,
        artslDscdNm=lambda i: i.sort,
        mngmIstNm=lambda i: i.estate.estate,
        sidoNm=lambda i: i.place.province.name,
        gugunNm=lambda i: i.place.name,
    )
    found = containing(
        found, query, knditNm=lambda i: i.name, rfrcNm=lambda i: i.contact, addressDetail=lambda i: i.place.full_name
    )
    low, high = span_of(query, "lwstPblslBidPrarPrcFrom", "lwstPblslBidPrarPrcTo")

    def row(item: Goods) -> Record:
        return {
            "artslMngmNo": item.number,
            "artslTpcd": item.group,
            "knditNm": item.name,
            "artslDscdNm": item.sort,
            **_contact_cells(item),
            "sidoNm": item.place.province.name,
            "gugunNm": item.place.name,
        }

    return numbered([item for item in found if low <= item.lowest <= high], row)


def _artwork_list(world: World, query: Query) -> Reply:
    found = containing(
        artworks(world),
        query,
        wkartWrpeNmp=lambda i: i.artist,
        artNm=lambda i: i.name,
        rfrcNm=lambda i: i.contact,
        mngmIstNm=lambda i: i.estate.estate,
    )

    def row(item: Goods) -> Record:
        return {"artslMngmNo": item.number, "artNm": item.name, "wkartWrpeNmp": item.artist, **_contact_cells(item)}

    return numbered(found, row)


def _other_list(world: World, query: Query) -> Reply:
    found = containing(
        other_goods(world),
        query,
        knditNm=lambda i: i.name,
        rfrcNm=lambda i: i.contact,
        mngmIstNm=lambda i: i.estate.estate,
    )
    return numbered(found, lambda i: {"artslMngmNo": i.number, "knditNm": i.name, **_contact_cells(i)})


def _membership_detail(world: World, query: Query) -> Reply:
    return numbered(
        _found(memberships(world), query), lambda i: {"artslMngmNo": i.number, "recmYn": _yes(i.recommended)}
    )


def _artwork_detail(world: World, query: Query) -> Reply:
    return numbered(_found(artworks(world), query), lambda i: {"artslMngmNo": i.number, "artNm": i.name})


def _other_detail(world: World, query: Query) -> Reply:
    return numbered(_found(other_goods(world), query), lambda i: {"artslMngmNo": i.number, "knditNm": i.name})


def _yes(value: bool) -> str:
    return "Y" if value else "N"


HANDLERS: Final[dict[str, Handler]] = {
    "getRealEstateList202307": _real_estate_list,
    "getRealEstateDetail202307": _real_estate_detail,
    "getSpecialRealEstateDetail202307": _special_detail,
    "getMemberAndStockList1": _membership_list,
    "getMemberAndStockDetail1": _membership_detail,
    "getSalesArtworkList1": _artwork_list,
    "getSalesArtworkDetail1": _artwork_detail,
    "getSalesEtcList1": _other_list,
    "getSalesEtcDetail1": _other_detail,
}
