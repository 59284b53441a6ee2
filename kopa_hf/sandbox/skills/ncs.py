"""National competency standards (NCS): four levels of categories, duties, units and elements.

Names and codes of the 24 large categories are the official ones; everything below is invented.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.world import World

LARGE: Final = (
    ("01", "사업관리"), ("02", "경영·회계·사무"), ("03", "금융·보험"), ("04", "교육·자연·사회과학"), ("05", "법률·경찰·소방·교도·국방"),
    ("06", "보건·의료"), ("07", "사회복지·종교"), ("08", "문화·예술·디자인·방송"), ("09", "운전·운송"), ("10", "영업판매"),
    ("11", "경비·청소"), ("12", "이용·숙박·여행·오락·스포츠"), ("13", "음식서비스"), ("14", "건설"), ("15", "기계"), ("16", "재료"),
    ("17", "화학·바이오"), ("18", "섬유·의복"), ("19", "전기·전자"), ("20", "정보통신"), ("21", "식품가공"),
    ("22", "인쇄·목재·가구·공예"), ("23", "환경·에너지·안전"), ("24", "농림어업"),
)  # fmt: skip
DEGREE: Final = "27"
"""Number of the newest revision (차수)."""
_MIDDLE: Final = ("기획", "운영", "제작", "지원", "관리")
_SMALL: Final = ("설계", "개발", "시공", "정비", "분석", "서비스")
_STEMS: Final = (
    "가람", "나래", "다솜", "라온", "마루", "보람", "새벽", "아라", "은하", "초롱", "한별", "미리내", "도담", "여울",
)  # fmt: skip
_TASKS: Final = (
    "요구사항 확인", "자료 조사", "계획 수립", "도면 검토", "재료 준비", "기본 설계", "상세 설계", "작업 수행", "장비 운용", "품질 점검",
    "안전 관리", "성능 시험", "유지 보수", "결과 보고", "고객 응대",
)  # fmt: skip
_STEPS: Final = ("준비하기", "수행하기", "점검하기", "정리하기")


@dataclass(frozen=True, slots=True)
class Duty:
    """A sub-category (세분류), which is one duty."""

    code: str
    """Eight digits: large, middle, small and sub-category."""
    name: str
    large_name: str
    middle_name: str
    small_name: str
    service_no: str
    units: int

    @property
    def parts(self) -> tuple[str, str, str, str]:
        """The four two-digit codes."""
        return self.code[:2], self.code[2:4], self.code[4:6], self.code[6:]


@dataclass(frozen=True, slots=True)
class Unit:
    """A competency unit (능력단위)."""

    duty: Duty
    number: str
    """Two digits within the duty."""
    code: str
    """Classification number (ncsClCd): 2001010101_23v4."""
    name: str
    level: int
    """1 (simple) to 8 (expert)."""
    elements: int
    hours: int


def duties(world: World) -> tuple[Duty, ...]:
    """All duties, by code."""
    return world.table("skills.ncs", _build)


def duty_of(world: World, code: str) -> Duty | None:
    """The duty of an eight-digit code."""
    table = world.table("skills.ncs.codes", lambda w: {d.code: d for d in duties(w)})
    return table.get(code)


def duties_of(world: World, large: str) -> tuple[Duty, ...]:
    """The duties of a large category."""
    return world.table(f"skills.ncs.{large}", lambda w: tuple(d for d in duties(w) if d.code.startswith(large)))


def units_of(world: World, duty: Duty) -> tuple[Unit, ...]:
    """The units of a duty, by number."""
    stream = world.identity("skills", "ncs units", duty.code)
    tasks = stream.sample(_TASKS, duty.units)
    found = []
    for number, task in enumerate(tasks, 1):
        code = f"{duty.code}{number:02d}_{stream.between(14, 24)}v{stream.between(1, 5)}"
        level = stream.between(2, 6)
        found.append(Unit(duty, f"{number:02d}", code, f"{duty.name} {task}", level, stream.between(2, 4), 15 * level))
    return tuple(found)


def every_unit(world: World) -> tuple[Unit, ...]:
    """All units, by code."""
    return world.table("skills.ncs.units", lambda w: tuple(u for d in duties(w) for u in units_of(w, d)))


def unit_of(world: World, code: str) -> Unit | None:
    """The unit of a classification number; its version may be left out."""
    duty = duty_of(world, code[:8])
    if duty is None or len(code) < 10:
        return None
    return next((u for u in units_of(world, duty) if code in (u.code, u.code[:10])), None)


def element_name(unit: Unit, number: int) -> str:
    """The name of an element (능력단위요소), numbered from 1."""
    return f"{unit.name} {_STEPS[number - 1]}"


def _build(world: World) -> tuple[Duty, ...]:
    found: list[Duty] = []
    for large, large_name in LARGE:
        head = large_name.split("·")[0].removesuffix("관리")
        stream = world.identity("skills", "ncs", large)
        for m, middle in enumerate(stream.sample(_MIDDLE, world.count(stream.between(2, 5))), 1):
            for s, small in enumerate(stream.sample(_SMALL, world.count(stream.between(2, 5))), 1):
                for d, stem in enumerate(stream.sample(_STEMS, stream.between(2, 6)), 1):
                    found.append(
                        Duty(
                            code=f"{large}{m:02d}{s:02d}{d:02d}",
                            name=f"{stem}{head}{small}",
                            large_name=large_name,
                            middle_name=f"{head}{middle}",
                            small_name=f"{head}{middle}{small}",
                            service_no=f"SVC{20_150_000 + len(found) + 1}",
                            units=stream.between(6, 13),
                        )
                    )
    return tuple(found)
