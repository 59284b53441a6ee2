"""Stray animals in the care of the 시군's shelters, from the notice to what became of them."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.province.columns import person
from kopa_hf.sandbox.province.lists import asked_sigun
from kopa_hf.sandbox.province.municipalities import Sigun, shares, spot_in
from kopa_hf.sandbox.province.premises import Mixed, Numbers, Premises, register
from kopa_hf.sandbox.province.trades import ANIMAL_SHELTER
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Reply, Rows
from kopa_hf.sandbox.world import LAST_DAY, World

ANIMALS: Final = 6_420
_PERIOD: Final = 180
"""Days back from the world's today that the service shows."""
_NOTICE: Final = 10
_DOGS: Final = ("믹스견", "말티즈", "푸들", "진도견", "시츄", "포메라니안")
_CATS: Final = ("한국 고양이", "코리안숏헤어", "페르시안")
_ENDS: Final = (
    ("종료(입양)", 32),
    ("종료(반환)", 14),
    ("종료(자연사)", 24),
    ("종료(안락사)", 16),
    ("종료(기증)", 4),
)


@dataclass(frozen=True, slots=True)
class Animal:
    """One animal."""

    number: int
    sigun: Sigun
    shelter: Premises
    species: str
    received: datetime.date
    until: datetime.date
    """Last day of the notice."""
    state: str


def animals(world: World) -> tuple[Animal, ...]:
    """All of them, 시군 by 시군."""
    return world.table("province.animals", lambda w: tuple(_animal(w, n) for n in range(w.count(ANIMALS, 62))))


def _animal(world: World, number: int) -> Animal:
    sigun = shares(world.count(ANIMALS, 62)).sigun_at(number)
    stream = world.identity("province", "animal", number)
    shelter = stream.choice(_shelters(world, sigun))
    received = LAST_DAY - datetime.timedelta(days=stream.below(_PERIOD))
    until = received + datetime.timedelta(days=_NOTICE)
    state = "보호중" if until >= LAST_DAY or stream.chance(0.18) else stream.weighted(_ENDS)
    species = f"[개] {stream.choice(_DOGS)}" if stream.chance(0.7) else f"[고양이] {stream.choice(_CATS)}"
    return Animal(number, sigun, shelter, species, received, until, state)


def _shelters(world: World, sigun: Sigun) -> tuple[Premises, ...]:
    book = register(world, (ANIMAL_SHELTER,))
    return world.table(
        f"province.shelters.{sigun.code}", lambda w: tuple(book.at(number) for number in book.numbers(sigun))
    )


def _record(world: World, found: Animal) -> Record:
    stream = world.identity("province", "animal", found.number, "looks")
    home = found.shelter
    heaviest = 62 if found.species.startswith("[고양이]") else 240
    image = f"https://sandbox.invalid/gg/animals/{found.number:06d}.jpg"
    return {
        "SIGUN_CD": found.sigun.code,
        "SIGUN_NM": found.sigun.name,
        "ABDM_IDNTFY_NO": f"4{found.sigun.position:02d}{found.received:%Y%m}{found.number:05d}",
        "THUMB_IMAGE_COURS": image.replace(".jpg", "_s.jpg"),
        "RECEPT_DE": f"{found.received:%Y%m%d}",
        "DISCVRY_PLC_INFO": f"{spot_in(stream, found.sigun).neighbourhood.name} 부근",
        "SPECIES_NM": found.species,
        "COLOR_NM": stream.choice(("흰색", "갈색", "검정색", "흰색·갈색", "회색")),
        "AGE_INFO": f"{found.received.year - stream.below(9)}(년생)",
        "BDWGH_INFO": f"{world.measure('province', 'animal', found.number).between(4, heaviest) / 10:.1f}(Kg)",
        "PBLANC_IDNTFY_NO": f"경기-{found.sigun.name.removesuffix('시').removesuffix('군')}-{found.received.year}-{found.number:05d}",
        "PBLANC_BEGIN_DE": f"{found.received:%Y%m%d}",
        "PBLANC_END_DE": f"{found.until:%Y%m%d}",
        "IMAGE_COURS": image,
        "STATE_NM": found.state,
        "SEX_NM": stream.choice("MFQ"),
        "NEUT_YN": stream.choice("YNU"),
        "SFETR_INFO": stream.choice(("온순함", "겁이 많음", "활발함", "목줄 있음", "다리를 절뚝임")),
        "SHTER_NM": home.name,
        "SHTER_TELNO": home.telephone,
        "PROTECT_PLC": home.spot.road,
        "JURISD_INST_NM": found.sigun.full_name,
        "CHRGPSN_NM": person(home),
        "CHRGPSN_CONTCT_NO": home.telephone,
        "PARTCLR_MATR": None,
        "REFINE_LOTNO_ADDR": home.spot.lot,
        "REFINE_ROADNM_ADDR": home.spot.road,
        "REFINE_ZIP_CD": home.spot.zip_code,
        "REFINE_WGS84_LOGT": home.spot.longitude,
        "REFINE_WGS84_LAT": home.spot.latitude,
    }


def _animals(world: World, query: Query) -> Reply:
    possible, sigun = asked_sigun(query)
    if not possible:
        return NO_ROWS
    share = shares(world.count(ANIMALS, 62))
    numbers: Numbers = Mixed(range(share.total)) if sigun is None else share.span(sigun)
    begin, end = _day(query, "PBLANC_BEGIN_DE"), _day(query, "PBLANC_END_DE")
    state, species, shelter = query.get("STATE_NM"), query.get("SPECIES_NM"), query.get("SHTER_NM")
    every = animals(world)
    kept = [
        found
        for found in (every[number] for number in numbers)
        if (begin is None or found.received == begin)
        and (end is None or found.until == end)
        and found.state.startswith(state)
        and species in found.species
        and shelter in found.shelter.name
    ]
    return Rows.mapped(kept, lambda found: _record(world, found))


def _day(query: Query, name: str) -> datetime.date | None:
    text = query.get(name)
    if not text:
        return None
    try:
        return datetime.datetime.strptime(text, "%Y%m%d").date()
    except ValueError:
        raise RefusedError("value", name) from None


HANDLERS: Final[dict[str, Handler]] = {"AbdmAnimalProtect": _animals}
