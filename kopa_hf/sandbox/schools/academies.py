"""학원 and 교습소: some 100,000 of them by district, each made when its row is asked for."""

from __future__ import annotations

import bisect
import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.places import District, districts
from kopa_hf.sandbox.rng import Stream, mix
from kopa_hf.sandbox.schools.offices import office_of
from kopa_hf.sandbox.schools.school import weight_of
from kopa_hf.sandbox.world import World

ACADEMIES: Final = 100_000
_STEMS: Final = (
    "가온", "누리", "다온", "라온", "마루", "바름", "아람", "자람", "차온", "하람", "미르", "도담", "푸름", "보담", "예솔", "윤슬",
    "초아", "다솜", "가람", "나래", "두레", "이든", "해든", "온새", "늘찬", "새길", "너울", "단미", "여울", "별하", "산들", "소담",
)  # fmt: skip
_FIELDS: Final = (
    (("입시.검정 및 보습", "보통교과", "보습", "보습학원"), 46), (("예능(대)", "예능(중)", "음악", "음악학원"), 17),
    (("예능(대)", "예능(중)", "미술", "미술학원"), 13), (("국제화", "외국어", "실용외국어", "어학원"), 12),
    (("직업기술", "산업서비스", "미용", "미용학원"), 4), (("직업기술", "일반서비스", "조리", "요리학원"), 3),
    (("독서실", "독서실", "독서실", "독서실"), 3), (("기타(대)", "기타(중)", "기타", "교육원"), 2),
)  # fmt: skip
"""(field, track, course, ending of the name), weight."""


@dataclass(frozen=True, slots=True)
class Academy:
    """One 학원 or 교습소."""

    number: int
    district: District
    kind: str
    name: str
    field: tuple[str, str, str]
    opened: datetime.date
    registered: datetime.date
    closed_for_now: datetime.date | None
    places: int
    fee: int
    address: str
    boarding: bool

    @property
    def designation(self) -> str:
        """지정번호, unique in the country."""
        return str(1_000_000_000 + self.number)

    @property
    def zone(self) -> str:
        """행정구역명: the city or district right below the province."""
        return self.district.name.split(" ")[0]


def starts(world: World) -> tuple[int, ...]:
    """Position of the first academy of every district, and the total at the end."""

    def build(world: World) -> tuple[int, ...]:
        stream = world.identity("schools", "academies")
        weights = [weight_of(d) ** 2 * (40 + stream.below(120)) for d in districts()]
        total, whole = world.count(ACADEMIES, len(weights)), sum(weights)
        found = [0]
        for weight in weights:
            found.append(found[-1] + max(total * weight // whole, 1))
        return tuple(found)

    return world.table("schools.academies", build)


def numbers_of(world: World, office: str, zone: str = "") -> list[range]:
    """Spans of academies below an office, of one zone or all."""
    begin = starts(world)
    spans = []
    for position, district in enumerate(districts()):
        if office_of(district.province.code).code == office and zone in district.name.split(" ")[0]:
            spans.append(range(begin[position], begin[position + 1]))
    return spans


def field_of(world: World, number: int) -> tuple[str, str, str, str]:
    """What an academy teaches, and how its name ends; cheap, so that filters can walk through all."""
    point = mix(
        world.table("schools.academy_fields", lambda w: w.identity("schools", "academy", "field").u64()), number
    )
    point %= sum(weight for _, weight in _FIELDS)
    for field, weight in _FIELDS:
        point -= weight
        if point < 0:
            return field
    raise AssertionError("the weights sum up to the range of the draw")


def academy(world: World, number: int) -> Academy:
    """The academy of a number."""
    district = districts()[bisect.bisect_right(starts(world), number) - 1]
    stream = world.identity("schools", "academy", number)
    *field, ending = field_of(world, number)
    small = stream.chance(0.3)
    opened = datetime.date(1990, 1, 2) + datetime.timedelta(days=stream.below(13000))
    places = stream.between(3, 9) if small else stream.octave(12, 400)
    # what a place costs is a figure, not part of who the academy is
    fee = Stream(mix(world.measure_seed("schools", "academy fees"), number)).between(8, 60) * 10_000
    road = f"{district.full_name} {stream.choice(_STEMS)}로 {stream.between(1, 400)}"
    return Academy(
        number,
        district,
        "교습소" if small else "학원",
        f"{stream.choice(_STEMS)}{stream.choice(_STEMS)}{'교습소' if small else ending}",
        (field[0], field[1], field[2]),
        opened,
        opened + datetime.timedelta(days=stream.below(30)),
        datetime.date(2025, 1, 1) + datetime.timedelta(days=stream.below(300)) if stream.chance(0.02) else None,
        places,
        fee,
        road,
        stream.chance(0.004),
    )
