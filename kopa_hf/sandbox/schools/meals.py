"""What a school eats: dishes with allergy numbers, origin, calories and nutrients, for every day with lessons."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.rng import Stream, mix
from kopa_hf.sandbox.schools.enrolment import enrolment
from kopa_hf.sandbox.schools.school import HIGH, School
from kopa_hf.sandbox.schools.terms import school_days, school_year
from kopa_hf.sandbox.world import World

MEALS: Final = {"1": "조식", "2": "중식", "3": "석식"}
_RICE: Final = (
    "쌀밥",
    "현미밥",
    "흑미밥",
    "보리밥",
    "기장밥",
    "차조밥",
    "수수밥",
    "콩밥 (5)",
    "카레라이스 (2.5.6.10.13)",
)
_SOUPS: Final = (
    "된장찌개 (5.6)", "미역국 (5.6)", "콩나물국 (5.6)", "육개장 (5.6.16)", "순두부국 (5.6.9)", "북엇국 (1.5.6)", "어묵국 (1.5.6)",
    "김치찌개 (5.9.10)", "감자국 (5.6)", "만둣국 (1.5.6.10.16)",
)  # fmt: skip
_MAINS: Final = (
    "제육볶음 (5.6.10.13)", "닭갈비 (5.6.13.15)", "생선가스 (1.5.6)", "불고기 (5.6.13.16)", "돈가스 (1.2.5.6.10.12)",
    "오징어볶음 (5.6.13.17)", "두부조림 (5.6)", "달걀찜 (1)", "떡갈비 (5.6.10.16)", "고등어구이 (7)",
)  # fmt: skip
_SIDES: Final = (
    "시금치나물 (5.6)", "콩나물무침 (5.6)", "멸치볶음 (5.6.13)", "오이무침", "감자조림 (5.6.13)", "도라지나물", "진미채볶음 (5.6.17)",
    "숙주나물 (5)", "김구이", "잡채 (5.6.10)",
)  # fmt: skip
_KIMCHI: Final = ("배추김치 (9)", "깍두기 (9)", "총각김치 (9)", "열무김치 (9)", "백김치 (9)")
_SWEETS: Final = ("우유 (2)", "사과", "배", "귤", "요구르트 (2)", "바나나", "포도", "식혜", "참외", "수박")
_ORIGINS: Final = (
    "쌀 : 국내산",
    "김치류 : 국내산",
    "쇠고기(종류) : 국내산(한우)",
    "돼지고기 : 국내산",
    "닭고기 : 국내산",
)


@dataclass(frozen=True, slots=True)
class Meal:
    """One meal of one day."""

    day: datetime.date
    kind: str
    """1, 2, 3."""
    dishes: str
    served: int
    kilocalories: float
    nutrients: str
    origins: str


def meal_kinds(school: School) -> tuple[str, ...]:
    """Lunch everywhere; boarding high schools serve all three."""
    boarding = school.level == HIGH and ("특수목적" in school.high_kind or mix(school.seed, 30) % 100 < 12)
    return ("1", "2", "3") if boarding else ("2",)


def meal_slots(school: School, years: tuple[int, ...]) -> tuple[tuple[datetime.date, str], ...]:
    """(day, kind) of every meal of the given school years."""
    kinds = meal_kinds(school)
    return tuple((day, kind) for year in years for day in school_days(school, year) for kind in kinds)


def meal(world: World, school: School, day: datetime.date, kind: str) -> Meal:
    """The meal of a day: dishes are who the school is, figures are measures."""
    dishes = Stream(mix(school.seed, day.toordinal() * 4 + int(kind)))
    parts = [dishes.choice(pool) for pool in (_RICE, _SOUPS, _MAINS, _SIDES, _KIMCHI, _SWEETS)]
    figures = Stream(mix(world.measure_seed("schools", "meals", school.index), day.toordinal() * 4 + int(kind)))
    pupils = enrolment(world, school, school_year(day)).pupils
    share = 100 if kind == "2" else 35
    nutrients = (
        ("탄수화물(g)", figures.between(750, 1300)), ("단백질(g)", figures.between(220, 480)),
        ("지방(g)", figures.between(120, 350)), ("칼슘(mg)", figures.between(1500, 5200)), ("철분(mg)", figures.between(28, 110)),
    )  # fmt: skip
    return Meal(
        day,
        kind,
        "<br/>".join(parts),
        pupils * share // 100,
        figures.between(5200, 9400) / 10,
        "<br/>".join(f"{name} : {value / 10:.1f}" for name, value in nutrients),
        "<br/>".join(_ORIGINS[: 3 + dishes.below(3)]),
    )
