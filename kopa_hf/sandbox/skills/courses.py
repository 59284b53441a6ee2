"""Qualifications that are earned by a course (과정평가형) or an apprenticeship (일학습병행): standards and providers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from kopa_hf.sandbox.finance.companies import companies
from kopa_hf.sandbox.skills.fields import REGIONS
from kopa_hf.sandbox.skills.ncs import LARGE, Unit, duties_of, units_of
from kopa_hf.sandbox.skills.qualifications import Qualification, technical
from kopa_hf.sandbox.skills.words import NAME_WORDS
from kopa_hf.sandbox.world import World

Way = Literal["C", "W"]
"""C: by a course, W: by an apprenticeship; qualgbCd's letters."""

_LARGE_OF_FIELD: Final = {
    "16": "15", "17": "16", "18": "17", "19": "18", "20": "19", "21": "20", "22": "21", "23": "22", "24": "24",
    "25": "23", "26": "23",
}  # fmt: skip
"""Job fields and competency standards number the same trades differently."""
BASIC_SKILLS: Final = (
    "의사소통능력", "수리능력", "문제해결능력", "자기개발능력", "자원관리능력", "대인관계능력", "정보능력", "기술능력", "조직이해능력", "직업윤리",
)  # fmt: skip
_SCHOOLS: Final = ("직업전문학교", "기술교육원", "폴리텍센터", "공업고등학교", "인재개발원")


@dataclass(frozen=True, slots=True)
class Provider:
    """A training institution or company that runs courses."""

    index: int
    way: Way
    name: str
    region: int
    """Position in `fields.REGIONS`."""
    courses: tuple[Qualification, ...]
    since: int


def qualifications_by(world: World, way: Way) -> tuple[Qualification, ...]:
    """Those that can be earned this way, by code."""

    def build(world: World) -> tuple[Qualification, ...]:
        return tuple(q for q in technical(world) if (q.course_based if way == "C" else q.work_study))

    return world.table(f"skills.way.{way}", build)


def large_category(q: Qualification) -> tuple[str, str]:
    """Code and name of the competency standards' large category of a qualification."""
    code = _LARGE_OF_FIELD.get(q.field.large_code, q.field.large_code)
    return code, dict(LARGE)[code]


def units_for(world: World, q: Qualification) -> tuple[tuple[Unit, bool], ...]:
    """(unit, demanded) of a qualification: two duties of its large category, the first one demanded."""
    around = duties_of(world, large_category(q)[0])
    picked = world.identity("skills", "standard", q.index).sample(around, 2)
    return tuple((unit, place == 0) for place, duty in enumerate(picked) for unit in units_of(world, duty))


def qualifications_of_unit(world: World, unit: Unit | None) -> Sequence[Qualification]:
    """Qualifications whose standard has the unit; all with a standard where none is named."""
    held = tuple(q for q in technical(world) if q.course_based or q.work_study)
    if unit is None:
        return held
    table: dict[str, list[Qualification]] = world.table("skills.by_duty", lambda w: _by_duty(w, held))
    return table.get(unit.duty.code, [])


def _by_duty(world: World, held: Sequence[Qualification]) -> dict[str, list[Qualification]]:
    found: dict[str, list[Qualification]] = {}
    for q in held:
        for code in dict.fromkeys(unit.duty.code for unit, _ in units_for(world, q)):
            found.setdefault(code, []).append(q)
    return found


def standard_of(world: World, q: Qualification) -> dict[str, Any]:
    """Version and hours of a qualification's standard; the parts add up to the sum."""
    units = units_for(world, q)
    basic = 40
    demanded = sum(unit.hours for unit, must in units if must)
    elective = sum(unit.hours for unit, must in units if not must)
    version = f"V{1 + q.index % 3}"
    return {
        "organStdVerCd": version,
        "ogztnStdrVerCd": version,
        "organStdNm": f"{q.name} 편성기준",
        "outln": f"{q.name} 과정은 {q.field.duty}를 배우는 과정이다.",
        "eduTrngTrgt": f"{q.field.name} 분야의 일을 스스로 할 수 있는 사람을 기른다.",
        "eduTrngStdTmSum": str(basic + demanded + elective),
        "jobBasisAbltStdTm": str(basic),
        "mandAbltUnitStdTm": str(demanded),
        "selAbltUnitStdTm": str(elective),
    }


def providers(world: World, way: Way) -> tuple[Provider, ...]:
    """Who runs courses: institutions for C, companies for W."""
    return world.table(f"skills.providers.{way}", lambda w: _providers(w, way))


def _providers(world: World, way: Way) -> tuple[Provider, ...]:
    taught = qualifications_by(world, way)
    if way == "W":
        stream = world.identity("skills", "apprentices")
        names = [c.name for c in companies(world) if stream.chance(0.4)]
    else:
        names = _institutions(world)
    found = []
    for index, name in enumerate(names):
        stream = world.identity("skills", "provider", way, index)
        region = stream.weighted([(n, weight) for n, (*_, weight) in enumerate(REGIONS)])
        courses = tuple(stream.sample(taught, stream.weighted(((1, 6), (2, 3), (3, 2), (5, 1)))))
        found.append(Provider(index, way, name, region, courses, stream.between(2016, 2024)))
    return tuple(found)


def _institutions(world: World) -> list[str]:
    stream = world.identity("skills", "institutions")
    names = [f"{a}{b}{kind}" for a in NAME_WORDS for b in ("", "새길", "큰솔", "밝은") for kind in _SCHOOLS]
    return stream.sample(names, world.count(260))
