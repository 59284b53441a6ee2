"""Skilled artisans (숙련기술인) and skills competitions."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.sandbox.people import person_name
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.skills.fields import REGIONS
from kopa_hf.sandbox.skills.qualifications import AGENCY, Qualification, technical
from kopa_hf.sandbox.skills.shaping import day, listed
from kopa_hf.sandbox.world import World

TYPES: Final = (
    ("01", "대한민국명장", 20),
    ("02", "우수숙련기술자", 40),
    ("03", "기능한국인", 15),
    ("04", "숙련기술전수자", 25),
)
MAJORS: Final = (
    ("M01", "기계", ("기계가공", "금형", "판금제관")), ("M02", "재료", ("용접", "주조", "표면처리")),
    ("M03", "전기·전자", ("전기", "전자기기", "자동제어")),
    ("M04", "정보통신", ("정보기술", "통신설비")), ("M05", "건설", ("미장", "조적", "건축목공", "조경")), ("M06", "섬유", ("한복", "양복", "편물")),
    ("M07", "공예", ("도자기", "목칠공예", "석공예", "귀금속")), ("M08", "서비스", ("제과제빵", "요리", "미용")),
)  # fmt: skip
TRADES: Final = tuple(trade for *_, trades in MAJORS for trade in trades)
CONTESTS: Final = (("지방", 4), ("전국", 10))
"""Kind of contest and the month in which it is held."""
_FIRST: Final = 2016
_THIS: Final = 2025
_ARTISANS: Final = 1_900


@dataclass(frozen=True, slots=True)
class Artisan:
    """One skilled artisan."""

    number: str
    name: str
    region: int
    type: int
    major: int
    trade: str
    year: int
    certificates: tuple[Qualification, ...]


def artisans(world: World) -> tuple[Artisan, ...]:
    """All artisans, by number."""
    return world.table("skills.artisans", lambda w: tuple(_artisan(w, n) for n in range(w.count(_ARTISANS))))


def _artisan(world: World, index: int) -> Artisan:
    stream = world.identity("skills", "artisan", index)
    held = technical(world)
    major = stream.below(len(MAJORS))
    return Artisan(
        number=str(10_001 + index),
        name=person_name(stream),
        region=stream.weighted([(n, weight) for n, (*_, weight) in enumerate(REGIONS)]),
        type=stream.weighted([(n, weight) for n, (*_, weight) in enumerate(TYPES)]),
        major=major,
        trade=stream.choice(MAJORS[major][2]),
        year=stream.between(1998, 2025),
        certificates=tuple(stream.sample(held, stream.between(1, 4))),
    )


def _trade_code(major: int, trade: str) -> str:
    return f"{MAJORS[major][0]}{MAJORS[major][2].index(trade) + 1:02d}"


def _known(artisan: Artisan) -> Record:
    type_code, type_name, _ = TYPES[artisan.type]
    major_code, major_name, _ = MAJORS[artisan.major]
    region_code, region_name, *_ = REGIONS[artisan.region]
    return {
        "meiNo": artisan.number, "meiNm": artisan.name, "selectionYear": str(artisan.year),
        "typeCd": type_code, "typeNm": type_name, "cdTypeNm": type_name,
        "areaCd": region_code, "areaNm": region_name, "majorCd": major_code, "majorNm": major_name,
        "cateCd": _trade_code(artisan.major, artisan.trade), "cdCateNm": artisan.trade,
    }  # fmt: skip


def _filtered(world: World, query: Query) -> list[Artisan]:
    wanted = {name: value for name in ("typeCd", "areaCd", "majorCd", "cateCd") if (value := query.get(name))}
    if not wanted:
        return list(artisans(world))
    return [a for a in artisans(world) if all(_known(a)[name] == value for name, value in wanted.items())]


def list_artisans(world: World, query: Query) -> Reply:
    """숙련기술인 목록."""
    return listed(query, _filtered(world, query), _known)


def one_artisan(world: World, query: Query) -> Reply:
    """숙련기술인 상세."""
    return listed(query, [a for a in artisans(world) if a.number == query.get("queryNo")], _known)


def certificates_of(world: World, query: Query) -> Reply:
    """What an artisan is certified for."""
    found = next((a for a in artisans(world) if a.number == query.get("queryNo")), None)
    if found is None:
        return NO_ROWS
    return listed(query, found.certificates, lambda q: {"certNm": q.name, "certOrg": AGENCY})


def artisan_statistics(world: World, query: Query) -> Reply:
    """A row per kind, region and field that has artisans."""
    groups: dict[tuple[int, int, int], Artisan] = {}
    for artisan in _filtered(world, query):
        groups.setdefault((artisan.type, artisan.region, artisan.major), artisan)
    return listed(query, [groups[key] for key in sorted(groups)], _known)


# competitions


def contest_events(world: World, query: Query) -> Reply:
    """기능경기대회 직종별 일정: the national contest in one place, the local ones everywhere."""
    year, kind, area, trade = (query.get(name) for name in ("year", "type", "areaNm", "jobNm"))
    rows = [
        (y, k, region, major, job)
        for y in range(_FIRST, _THIS + 1)
        if year in ("", str(y))
        for k in range(len(CONTESTS))
        if kind in ("", CONTESTS[k][0])
        for region in (range(len(REGIONS)) if k == 0 else (_host(world, y),))
        if area in ("", REGIONS[region][1])
        for major in range(len(MAJORS))
        for job in MAJORS[major][2]
        if trade in job
    ]

    def known(row: tuple[int, int, int, int, str]) -> dict[str, Any]:
        y, k, region, major, job = row
        start = datetime.date(y, CONTESTS[k][1], 1 + world.identity("skills", "contest", y, k).below(8))
        return {
            "year": str(y), "type": CONTESTS[k][0], "areaNm": REGIONS[region][1], "jobCd": _trade_code(major, job),
            "jobNm": job, "startDt": day(start), "endDt": day(start + datetime.timedelta(days=4 + 2 * k)),
            "competNo": f"제{y - 1965}회",
        }  # fmt: skip

    return listed(query, rows, known)


def _host(world: World, year: int) -> int:
    return world.identity("skills", "host", year).below(len(REGIONS))


def entrants(world: World, query: Query) -> Reply:
    """지방기능경기대회 참가자 통계: those due to come, who came, and who stayed to the end."""
    area, trade = query.get("competNm"), query.get("jobNm")
    rows = [
        (region, job)
        for region in range(len(REGIONS))
        if area in ("", REGIONS[region][1])
        for _, _, trades in MAJORS
        for job in trades
        if trade in job
    ]

    def known(row: tuple[int, str]) -> dict[str, Any]:
        region, job = row
        seed = world.measure_seed("skills", "entrants", region, job)
        due = 4 + mix(seed, 0) % 40
        absent = mix(seed, 1) % (due // 4 + 1)
        came = due - absent
        gave_up = mix(seed, 2) % (came // 5 + 1)
        out = mix(seed, 3) % 2 if came - gave_up > 4 else 0
        counts = {
            "totalCnt": due, "attendCnt": came, "notattendCnt": absent, "giveupCnt": gave_up, "disqualifiedCnt": out,
            "silcham_cnt": came - gave_up - out,
        }  # fmt: skip
        return {"compet_nm": REGIONS[region][1], "jobNm": job, **{name: str(count) for name, count in counts.items()}}

    return listed(query, rows, known)


HANDLERS: Final[dict[str, Handler]] = {
    "requestmeisterinfo": list_artisans,
    "request_meister_list": list_artisans,
    "getMeisterInfoList": list_artisans,
    "requestmeisterdetailinfo": certificates_of,
    "request_meister_view": one_artisan,
    "getMeisterPtcond": artisan_statistics,
    "requestskillcontestinfo": contest_events,
    "request_skillcontest_info": contest_events,
    "entryPlayer_list": entrants,
}
