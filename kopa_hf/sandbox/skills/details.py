"""The fine print of the competency standards: scope, evaluation, training, positions; the materials made of them."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Any, Final

from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply
from kopa_hf.sandbox.skills.courses import BASIC_SKILLS
from kopa_hf.sandbox.skills.fields import REGIONS
from kopa_hf.sandbox.skills.ncs import LARGE, Duty, Unit, duties, duties_of, duty_of, element_name, every_unit, units_of
from kopa_hf.sandbox.skills.shaping import day, listed, table, year_of
from kopa_hf.sandbox.skills.standards import unit_record
from kopa_hf.sandbox.world import LAST_DAY, World

_SCOPE: Final = (("01", "고려사항"), ("02", "자료 및 관련 서류"), ("03", "장비 및 도구"), ("04", "재료"))
_EVALUATIONS: Final = (
    ("11", "포트폴리오", "과정"), ("12", "문제해결 시나리오", "과정"), ("21", "서술형 시험", "결과"), ("22", "논술형 시험", "결과"),
    ("23", "사례연구", "과정"), ("31", "작업장 평가", "결과"),
)  # fmt: skip
_POSITIONS: Final = (("실무자", 3), ("대리", 4), ("과장", 5), ("부서장", 6))
_CONSIDERATIONS: Final = (("01", "선수학습"), ("02", "훈련시설"), ("03", "교육훈련 교재"), ("04", "관련 자격"))
_FACILITIES: Final = (("강의실", 45, "N"), ("실습실", 90, "Y"), ("준비실", 18, "N"))
_MATERIALS: Final = ("활용 안내서", "학습모듈", "자가진단 도구", "경력개발 경로")
_NEW: Final = (("01", "신산업"), ("02", "신기술"))
_SUBJECTS: Final = ("전문교과", "기초교과", "실무과목")
_STAGES: Final = ("개발", "검토", "고시")


def _unit(world: World, query: Query) -> Unit | None:
    duty = duty_of(world, query.get("dutyCd"))
    if duty is None:
        return None
    return next((u for u in units_of(world, duty) if u.number == query.get("compUnitCd")), None)


def _of_unit(items: Callable[[World, Unit], Sequence[Record]]) -> Handler:
    def answer(world: World, query: Query) -> Reply:
        """What a standard says about one unit of a duty."""
        unit = _unit(world, query)
        return NO_ROWS if unit is None else listed(query, items(world, unit), lambda record: record)

    return answer


def _of_duty(items: Callable[[World, Duty], Sequence[Record]]) -> Handler:
    def answer(world: World, query: Query) -> Reply:
        """What a standard says about a duty as a whole."""
        duty = duty_of(world, query.get("dutyCd"))
        return NO_ROWS if duty is None else listed(query, items(world, duty), lambda record: record)

    return answer


def _scope(world: World, unit: Unit) -> list[Record]:
    return [
        {"itemCd": code, "itemName": name, "itemNo": str(n), "defText": f"{unit.name} 관련 {name} {n}"}
        for code, name in _SCOPE
        for n in (1, 2, 3)
    ]


def _evaluation(world: World, unit: Unit) -> list[Record]:
    chosen = world.identity("ncs", "evaluation", unit.code).sample(_EVALUATIONS, 3)
    return [
        {
            "evalTypeCd": "01" if kind == "과정" else "02", "evalTypeName": f"{kind}평가", "evalMethCd": code,
            "evalMethName": name,
            "evalDesc": f"{unit.name} 수행의 {kind}에 대해 {name} 방법으로 평가한다.",
            "evalMethDstinCd": "01" if kind == "과정" else "02", "evalMethDstinName": f"{kind}평가",
        }
        for code, name, kind in chosen
    ]  # fmt: skip


def _basics(world: World, unit: Unit) -> list[Record]:
    chosen = world.identity("ncs", "basics", unit.code).sample(BASIC_SKILLS, 3)
    return [
        {
            "mainNo": str(n), "mainName": name, "mainDesc": f"일을 하는 데 필요한 {name}이다.", "subNo": f"{n}.{m}",
            "subName": f"{name} 하위 {m}", "subDesc": f"{unit.name}에 필요한 {name}의 한 갈래이다.",
        }
        for n, name in enumerate(chosen, 1)
        for m in (1, 2)
    ]  # fmt: skip


def _facilities(world: World, unit: Unit) -> list[Record]:
    found = []
    for number, (name, area, both) in enumerate(_FACILITIES, 1):
        people = 20 if number < 3 else 0
        found.append(
            {
                "facDstinCd": f"{number:02d}", "facName": name, "cmbntYn": both, "baseNops": str(people or 1),
                "baseArea": str(area),
                "baseNopsExcsArea": f"{area / (people or 1):.2f}", "ptuseDstinCd": "01", "ptuseDstinName": "전용",
            }
        )  # fmt: skip
    return found


def _positions(world: World, duty: Duty) -> list[Record]:
    return [
        {"clposNo": str(n), "clposName": f"{duty.name} {name}", "clposLevel": str(level)}
        for n, (name, level) in enumerate(_POSITIONS, 1)
    ]


def _considerations(world: World, duty: Duty) -> list[Record]:
    return [
        {"itemCd": code, "itemName": name, "itemNo": str(n), "defText": f"{duty.name} 훈련의 {name} {n}"}
        for code, name in _CONSIDERATIONS
        for n in (1, 2)
    ]


def _related(world: World, duty: Duty) -> list[Record]:
    others = [other for other in duties_of(world, duty.parts[0]) if other is not duty]
    chosen = world.identity("ncs", "related", duty.code).sample(others, 4)
    units = [units_of(world, other)[0] for other in chosen]
    return [{**unit_record(unit), "compeUnitFactrName": element_name(unit, 1)} for unit in units]


def _questions(world: World, duty: Duty) -> list[Record]:
    whole = unit_record(units_of(world, duty)[0])
    return [
        {**whole, "clposLevel": str(level), "clposName": name, "gbn": code, "gbnNm": kind}
        for name, level in _POSITIONS
        for code, kind in (("1", "직업기초능력"), ("2", "직무수행능력"))
    ]


# materials


def _per_unit(world: World) -> Sequence[Unit]:
    return every_unit(world)


def _material(world: World, unit: Unit) -> Record:
    return {**unit_record(unit), "module": f"{unit.name} 학습모듈"}


def _positions_of_all(world: World) -> list[Duty]:
    return [duty for duty in duties(world) for _ in _POSITIONS]


def _large(world: World, duty: Duty) -> Record:
    return {"ncsLclasCd": duty.parts[0], "ncsLclasCdnm": duty.large_name}


def _frame(world: World, row: tuple[Duty, int]) -> Record:
    duty, level = row
    return {
        **_large(world, duty), "sqfFldCdnm": duty.middle_name, "jobCdnm": duty.small_name, "dutyNm": duty.name,
        "dutyLevel": str(level),
        "dutyDef": f"{duty.name} 일을 {level}수준에서 수행한다.", "autoResp": "스스로 판단한다." if level > 4 else "지시에 따라 수행한다.",
    }  # fmt: skip


def _file(world: World, number: int) -> Record:
    title = f"{LARGE[number % len(LARGE)][1]} {_MATERIALS[number // len(LARGE) % 4]}"
    return {"fileTitle": f"{title} 이러닝", "fileDescr": f"{title} 온라인 강의 자료"}


def downloads(world: World, query: Query) -> Reply:
    """월별 다운로드 수."""
    wanted = query.get("date").replace("-", "")
    months = [f"{year}{month:02d}" for year in range(2020, 2026) for month in range(1, 13)]

    def known(month: str) -> dict[str, Any]:
        stream = world.measure("ncs", "downloads", month)
        return {
            "compUnitDownCnt": str(stream.between(20_000, 90_000)),
            "modlDownCnt": str(stream.between(9_000, 60_000)),
        }

    return listed(query, [month for month in months if month.startswith(wanted)], known)


def new_units(world: World, query: Query) -> Reply:
    """신기술 능력단위 of a year."""
    year, kind, name = year_of(query, "yyyy"), query.get("ntnlgCompUnitSeCcd"), query.get("jmDepmntNm")
    if not 2019 <= year <= LAST_DAY.year:
        return NO_ROWS
    chosen = world.identity("ncs", "new", year).sample(range(len(every_unit(world))), 60)
    rows = [
        (unit, n)
        for n, unit in enumerate(every_unit(world)[position] for position in chosen)
        if name in unit.duty.middle_name and kind in ("", _NEW[n % 2][0])
    ]

    def known(row: tuple[Unit, int]) -> dict[str, Any]:
        unit, n = row
        code, kind = _NEW[n % 2]
        return {
            "ntnlgCompUnitVerCd": f"{year}V{n % 3 + 1}", "jmDepmntNm": unit.duty.middle_name, "step": _STAGES[n % 3],
            "parttnReqstTyNm": "단독기업형" if n % 3 else "공동훈련센터형", "ntnlgCompUnitSeCcd": code,
            "ntnlgCompUnitSeCcdNm": kind,
            "compUnitNm": unit.name, "ncsClCd": unit.code,
        }  # fmt: skip

    return listed(query, rows, known)


def _briefing(world: World, number: int) -> Record:
    code, region, *_ = REGIONS[number % len(REGIONS)]
    start = LAST_DAY - datetime.timedelta(days=9 * number)
    return {
        "fairNo": str(801 + number), "fairName": f"{start.year}년 {region} NCS 설명회",
        "fairRcrtCnt": str(40 + number % 7 * 20),
        "fairLocCd": code, "fairLocName": region, "fairBeginYmd": day(start), "fairEndYmd": day(start),
        "fairText": f"{region} 지역 기업과 학교를 위한 NCS 활용 설명회이다.",
    }  # fmt: skip


def _subjects(world: World) -> list[tuple[Duty, int]]:
    return [(duty, year) for year in (2022, 2023, 2024, 2025) for duty in duties(world)[::4]]


def _subject(world: World, row: tuple[Duty, int]) -> Record:
    duty, year = row
    return {
        **unit_record(units_of(world, duty)[0]), "lcd": duty.parts[0], "lcdNm": f"{duty.large_name} 교과군",
        "mcd": duty.code[:6],
        "mcdNm": f"{duty.small_name} {_SUBJECTS[int(duty.parts[3]) % 3]}", "year": str(year), "unit": duty.name,
    }  # fmt: skip


_BY_LARGE: Final = {"ncsLclasCd": "ncsLclasCd"}

HANDLERS: Final[dict[str, Handler]] = {
    "ncsScopeInfo": _of_unit(_scope),
    "ncsEvalInfo": _of_unit(_evaluation),
    "ncsSetqInfo": _of_unit(_evaluation),
    "ncsjobInfo": _of_unit(_basics),
    "ncsCompeTrainInfo": _of_unit(_facilities),
    "ncsClposInfo": _of_duty(_positions),
    "ncsTrainCsdrInfo": _of_duty(_considerations),
    "ncsFusInfo": _of_duty(_related),
    "openapi25": _of_duty(_questions),
    "openapi17": table(_per_unit, _material, cdName="~compUnitName", **_BY_LARGE),
    "openapi18": table(_per_unit, _material, cdName="~compUnitName", **_BY_LARGE),
    "openapi19": table(_per_unit, _material, cdName="~compUnitName", **_BY_LARGE),
    "openapi21": table(_per_unit, _material, modulNm="~module", **_BY_LARGE),
    "openapi20": table(duties, _large, **_BY_LARGE),
    "openapi22": table(_positions_of_all, _large, **_BY_LARGE),
    "openapi26": table(lambda world: [(d, n) for d in duties(world) for n in range(2, 7)], _frame, **_BY_LARGE),
    "openapi24": table(lambda world: range(4 * len(LARGE)), _file),
    "openapi23": downloads,
    "openapi14": table(_subjects, _subject, mcdNm="~mcdNm", targYy="year", cdName="~unit"),
    "openapi15": table(lambda world: range(world.count(170)), _briefing, fairLocName="~fairLocName"),
    "ntnlgCompUnitList": new_units,
}
