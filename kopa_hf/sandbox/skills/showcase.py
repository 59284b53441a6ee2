"""What the agency shows: job television, artisans' works, occupations, and outreach in the regions."""

from __future__ import annotations

import datetime
from typing import Any, Final

from kopa_hf.sandbox.query import Handler, Query, Record, Reply
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.skills.artisans import MAJORS, Artisan, artisans
from kopa_hf.sandbox.skills.fields import FIELDS, REGIONS
from kopa_hf.sandbox.skills.shaping import day, listed, table
from kopa_hf.sandbox.world import LAST_DAY, World

_DAYS: Final = "월화수목금토일"
_SHOWS: Final = (
    "장인의 하루",
    "내일을 잡아라",
    "기술의 손끝",
    "청년 취업 상담소",
    "새로운 일터",
    "자격증 길라잡이",
    "해외로 가는 길",
)
_KINDS: Final = ("본방", "재방", "특집", "신규")
_THINGS: Final = ("찻사발", "소반", "나전함", "목가구", "금속 조형", "한복", "은 세공품", "석등")
_STUFFS: Final = ("백자토", "느티나무", "옻칠", "황동", "명주", "은", "화강암")
_DEVICES: Final = (("PC", 55), ("모바일", 40), ("기타", 5))


def _slot(world: World, row: tuple[int, int]) -> Record:
    weekday, number = row
    seed = world.identity("showcase", "slot", weekday, number)
    kind = _KINDS[0] if number % 3 == 0 else seed.choice(_KINDS)
    return {
        "programWeek": "1", "airWhatday": _DAYS[weekday], "airYn": "Y" if number == 4 else "N", "airType": kind,
        "airTime": f"{6 + number:02d}", "airMinute": "00" if number % 2 == 0 else "30",
    }  # fmt: skip


def _show(world: World, number: int) -> Record:
    name = _SHOWS[number % len(_SHOWS)]
    start = LAST_DAY - datetime.timedelta(days=300 * (number // len(_SHOWS)) + 40 + number)
    season = 9 - number // len(_SHOWS)
    return {
        "programKey": str(501 + number), "programNm": f"{name} {season}", "airYn": "Y" if number < len(_SHOWS) else "N",
        "airStartDt": day(start), "airEndDt": day(start + datetime.timedelta(days=180)),
        "airDtDesc": f"매주 {_DAYS[number % 7]}요일",
        "makePurpose": "일자리와 기술을 쉽게 알린다.", "programDesc": f"{name}: 현장에서 일하는 사람을 만나는 방송",
    }  # fmt: skip


def api_usage(world: World, query: Query) -> Reply:
    """직업방송 API 통계: the day's calls by kind of device."""
    when = query.get("stDt").replace("-", "")

    def known(row: tuple[str, int]) -> dict[str, Any]:
        count = world.measure("showcase", "calls", query.get("openapiKey"), when, row[0]).between(2, 9) * row[1]
        return {"deviceType": row[0], "cnt": str(count)}

    return listed(query, _DEVICES if when.isdecimal() and "2015" < when <= day(LAST_DAY) else (), known)


def works(world: World) -> list[tuple[int, Artisan]]:
    """Works by number, with who made them."""
    return list(enumerate(artisans(world)[::3]))


def _work(world: World, row: tuple[int, Artisan]) -> Record:
    number, artisan = row
    thing = _THINGS[number % len(_THINGS)]
    return {
        "writeNo": str(2_001 + number), "memberNo": artisan.number, "writeTitle": f"{artisan.name}의 {thing}",
        "productNo": str(7_001 + number), "productTitle": f"{artisan.name}의 {thing}",
        "imgFile": f"https://sandbox.invalid/works/{number + 1}.jpg",
        "homepage": f"https://sandbox.invalid/artisan/{artisan.number}",
        "productSize": f"{10 + number % 50} x {10 + number % 40} cm",
        "productMaterial": _STUFFS[number % len(_STUFFS)],
    }  # fmt: skip


def _occupation(world: World, number: int) -> Record:
    field = FIELDS[number]
    return {"mainCode": field.large_code, "mainCodeNm": field.large_name, "secCode": field.code, "name": field.name}


def _requests(world: World) -> list[tuple[int, int]]:
    return [(major, region) for major in range(len(MAJORS)) for region in range(len(REGIONS))]


def _request(world: World, row: tuple[int, int]) -> Record:
    return {"codelabel": MAJORS[row[0]][1], "area": REGIONS[row[1]][1]}


def _outreach(world: World, region: int) -> Record:
    seed = world.measure_seed("showcase", "outreach", region)
    schools = 4 + mix(seed, 0) % 60
    teachers = schools + mix(seed, 1) % 80
    pupils = str(teachers * (20 + mix(seed, 2) % 15))
    counts = {"memberKor": str(schools), "teacherNumber": str(teachers), "studentNumber": pupils}
    return {"branchNm": REGIONS[region][1], **counts}


HANDLERS: Final[dict[str, Handler]] = {
    "getAirList": table(lambda world: [(d, n) for d in range(7) for n in range(18)], _slot, airWhatday="airWhatday"),
    "getProgramList": table(lambda world: range(5 * len(_SHOWS)), _show, programNm="~programNm"),
    "getApiStastics": api_usage,
    "request_skillartwork_info": table(works, _work, ownerName="~writeTitle"),
    "request_product_list": table(works, _work),
    "request_product_view": table(works, _work, queryNo="productNo"),
    "request_skillkecocode_info": table(lambda world: range(len(FIELDS)), _occupation, codeName="~mainCodeNm"),
    "hopeConApply_list": table(_requests, _request),
    "report_organ": table(lambda world: range(len(REGIONS)), _outreach, branchNm="branchNm"),
}
