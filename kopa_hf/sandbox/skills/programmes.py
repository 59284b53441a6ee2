"""월드잡플러스: overseas companies, openings, training courses, internships, fairs, grants and their figures."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any, Final

from kopa_hf.sandbox.people import person_name
from kopa_hf.sandbox.query import Handler, Query, Record, Reply
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.skills.abroad import DESTINATIONS, OCCUPATIONS
from kopa_hf.sandbox.skills.fields import REGIONS
from kopa_hf.sandbox.skills.shaping import day, listed, table
from kopa_hf.sandbox.world import LAST_DAY, World

_FIRST: Final = 2018
_LAST: Final = 2025
_HEADS: Final = (
    "Blue",
    "North",
    "Green",
    "River",
    "Star",
    "Maple",
    "Stone",
    "Cloud",
    "Bright",
    "Silver",
    "Harbor",
    "Cedar",
)
_TAILS: Final = ("Works", "Systems", "Foods", "Logistics", "Care", "Labs", "Trading", "Hotel", "Motors", "Design")
_INDUSTRIES: Final = ("제조업", "정보통신업", "숙박·음식점업", "도매·소매업", "보건업", "운수·창고업")
_CENTRES: Final = ("서울센터", "부산센터", "대구센터", "광주센터", "대전센터", "인천센터")
_STEPS: Final = ("회원가입", "상담", "이력서 등록", "알선", "면접", "취업")
INTERNSHIPS: Final = (
    "글로벌무역인턴",
    "한미연수취업",
    "플랜트현장인턴",
    "해외한인기업인턴",
    "농식품해외인턴",
    "관광서비스인턴",
)
_COURSES: Final = (
    "소프트웨어 개발자 과정",
    "호텔 서비스 과정",
    "기계설계 과정",
    "물류관리 과정",
    "간호 보조 과정",
    "무역사무 과정",
)
_STATES: Final = ("모집", "연수중", "수료", "중도탈락")
_STORIES: Final = ("첫 출근까지의 준비", "면접에서 배운 것", "낯선 도시에 자리 잡기", "언어를 넘은 협업")
_GUIDES: Final = ("비자와 체류", "이력서와 면접", "생활 정보", "노동법과 세금")
_NEWS: Final = ("채용박람회 열려", "취업비자 제도 바뀌어", "청년 인턴 모집 시작", "정착지원금 신청 안내")
_SOURCES: Final = ("월드잡플러스", "해외통신원", "무역관")


def companies(world: World) -> range:
    """Overseas companies, by number."""
    return range(world.count(640))


def company_name(number: int) -> str:
    """An invented company abroad."""
    head, tail = _HEADS[number % len(_HEADS)], _TAILS[number // len(_HEADS) % len(_TAILS)]
    batch = number // (len(_HEADS) * len(_TAILS))
    return f"{head}{tail}" + (f" {batch + 1}" if batch else "")


def _nation(world: World, *key: object) -> str:
    return world.identity("worldjob", "nation", *key).weighted(DESTINATIONS)


def _occupation(world: World, *key: object) -> str:
    return world.identity("worldjob", "occupation", *key).weighted(OCCUPATIONS)


def _company(world: World, number: int) -> Record:
    stream = world.identity("worldjob", "company", number)
    return {
        "entNm": company_name(number), "epmtKsicNm": stream.choice(_INDUSTRIES),
        "nation": _nation(world, "company", number),
        "occupation": _occupation(world, "company", number),
        "joNmprCo": str(world.measure("worldjob", number).octave(1, 63)),
    }  # fmt: skip


def _opening(world: World, number: int) -> Record:
    company = world.identity("worldjob", "opening", number).below(len(companies(world)))
    known = _company(world, company)
    known["occupation"] = _occupation(world, "opening", number)
    return {**known, "rctntcSj": f"[{known['nation']}] {known['entNm']} {known['occupation']} 채용"}


def _course(world: World, number: int) -> Record:
    known = _company(world, number % len(companies(world)))
    return {**known, "strnCrseNm": f"{known['nation']} {_COURSES[number % len(_COURSES)]} {1 + number // 6}기"}


def _internship(world: World, row: tuple[int, int, str]) -> Record:
    year, term, name = row
    seed = world.measure_seed("worldjob", "interns", *row)
    applied = 60 + mix(seed, 0) % 340
    return {
        "itrnBsnsNm": name, "itrnExcYear": str(year), "itrnClsnNm": f"{term}기",
        "itrnClsnNo": str((year - _FIRST) * 2 + term),
        "applied": applied, "joined": applied * (20 + mix(seed, 1) % 50) // 100,
    }  # fmt: skip


def _internships(world: World) -> list[tuple[int, int, str]]:
    return [(year, term, name) for year in range(_FIRST, _LAST + 1) for term in (1, 2) for name in INTERNSHIPS]


def _interns(key: str) -> Handler:
    def known(world: World, row: tuple[int, int, str]) -> Record:
        record = _internship(world, row)
        return {**record, "cnt": str(record[key])}

    return table(_internships, known, searchItrnNm="~itrnBsnsNm")


def _fair(world: World, number: int) -> Record:
    stream = world.identity("worldjob", "fair", number)
    start = LAST_DAY - datetime.timedelta(days=stream.between(5, 2_300))
    region = stream.choice(REGIONS)[1]
    nation = _nation(world, "fair", number)
    school = f"{region} {stream.choice(('가람', '나래', '다솜', '라온', '마루'))}대학교"
    return {
        "explYear": str(start.year), "explSj": f"{start.year}년 {nation} 해외취업설명회", "school": school,
        "host": f"{region}센터", "expoStartDt": day(start),
        "expoEndDt": day(start + datetime.timedelta(days=stream.below(3))),
        "expoName": f"온라인 {nation} 취업설명회", "joExpoNo": str(3_001 + number),
        "joExpoName": f"{nation} 출국 전 오리엔테이션 {number + 1}회",
        "acadeYear": str(start.year), "acadeTypeNm": stream.choice(("K-Move 스쿨", "청해진", "단기 특강")),
        "acadePlace": f"{region}센터", "course": _COURSES[number % len(_COURSES)],
    }  # fmt: skip


def _post(world: World, number: int) -> Record:
    stream = world.identity("worldjob", "post", number)
    when = LAST_DAY - datetime.timedelta(days=stream.between(1, 1_500))
    nation = _nation(world, "post", number)
    reads = str(world.measure("worldjob", "post", number).octave(8, 8_191))
    return {
        "bbsNationNm": nation, "bbscttRdcnt": reads, "newsRdcnt": reads,
        "story": f"{nation}: {stream.choice(_STORIES)}",
        "bbscttSj": f"{nation} 멘토가 답하다: {stream.choice(_STORIES)}", "writer": person_name(stream),
        "newsSj": f"{nation} {stream.choice(_NEWS)}", "newsOriginNm": stream.choice(_SOURCES),
        "bbsSj": f"{stream.choice(_NEWS)} ({when.year})", "bbsUrl": f"https://sandbox.invalid/worldjob/{number + 1}",
        "bbsRgstDt": day(when), "ctstSj": f"{when.year}년 해외인턴 체험수기 공모전", "ctstYear": str(when.year),
    }  # fmt: skip


def _mentors(world: World) -> range:
    return range(world.count(310))


def _mentor(world: World, number: int) -> Record:
    return {
        "mtrgTrgetNationNm": _nation(world, "mentor", number),
        "mberNm": person_name(world.identity("worldjob", "mentor", number)),
    }


def _guide(world: World, row: tuple[str, str]) -> Record:
    nation, topic = row
    return {
        "guideName": f"{nation} {topic} 안내서", "guidePdf": f"https://sandbox.invalid/guide/{topic.split('와')[0]}.pdf",
        "visaNationNm": nation, "visaNationUrl": "https://sandbox.invalid/visa",
    }  # fmt: skip


def _nations(world: World) -> list[tuple[str, str]]:
    return [(nation, _GUIDES[0]) for nation, _ in DESTINATIONS]


def _years(query: Query) -> list[int]:
    wanted = query.get("searchYear")
    return [year for year in range(_FIRST, _LAST + 1) if wanted in ("", str(year))]


def training_states(world: World, query: Query) -> Reply:
    """해외연수 참여자의 상태별 통계."""
    rows = [(year, state) for year in _years(query) for state in _STATES]
    return listed(query, rows, lambda row: {"strnYear": str(row[0]), "strnPrgsNm": row[1]})


def training_rates(world: World, query: Query) -> Reply:
    """해외연수 취업자 건수: by country or by occupation."""
    groups = {"": DESTINATIONS, "1": DESTINATIONS, "2": OCCUPATIONS}.get(query.get("searchType"), ())
    rows = [(y, name) for y in _years(query) for name, _ in groups]

    def known(row: tuple[int, str]) -> dict[str, Any]:
        return {"baseColumn": row[1], "baseCnt": str(world.measure("worldjob", "rates", *row).octave(4, 511))}

    return listed(query, rows, known)


def jobseekers(world: World, query: Query) -> Reply:
    """지역센터별 단계별 구직자: every step has fewer people than the one before."""
    rows = [(centre, step) for centre in _CENTRES for step in range(len(_STEPS))]

    def known(row: tuple[str, int]) -> dict[str, Any]:
        seed = world.measure_seed("worldjob", "seekers", row[0])
        count = 4_000 + mix(seed, 0) % 9_000
        for turn in range(1, row[1] + 1):
            count = count * (35 + mix(seed, turn) % 50) // 100
        return {"areaGbnNm": row[0], "areaGbnStep": _STEPS[row[1]], "areaGbnCnt": str(count)}

    return listed(query, rows, known)


def placements(world: World, query: Query) -> Reply:
    """기간별 알선인원."""
    rows = [(year, month) for year in _years(query) for month in range(1, 13)]

    def known(row: tuple[int, int]) -> dict[str, Any]:
        return {
            "rctntcDt": f"{row[0]}-{row[1]:02d}",
            "recommCnt": str(600 + world.measure("worldjob", "placed", *row).below(1_900)),
        }

    return listed(query, rows, known)


def grants(world: World, query: Query) -> Reply:
    """정착지원금: by occupation and year, or by round."""
    wanted = query.get("searchKscoNm")
    rows = [(y, name, turn) for y in _years(query) for name, _ in OCCUPATIONS if wanted in name for turn in (1, 2, 3)]
    assert query.tool is not None
    if query.tool.field("epmtKscoNm") is not None:
        rows = [row for row in rows if row[2] == 1]
    else:
        rows = [row for row in rows if row[1] == OCCUPATIONS[0][0]]

    def known(row: tuple[int, str, int]) -> dict[str, Any]:
        count = world.measure("worldjob", "grants", *row).between(20, 400)
        when = {"joYear": str(row[0]), "sbsdRqstDe": str(row[0]), "sbsdRqstStepNm": f"{row[2]}차"}
        return {**when, "epmtKscoNm": row[1], "sinCntStep1": str(count)}

    return listed(query, rows, known)


def _numbers(size: int) -> Callable[[World], range]:
    return lambda world: range(world.count(size))


_FILTERS: Final = {"searchEntNm": "~entNm", "searchNationNm": "~nation", "searchKscoNm": "~occupation"}

HANDLERS: Final[dict[str, Handler]] = {
    "openApi7": table(_numbers(40), _post, searchSj="~bbsSj"),
    "openApi12": _interns("joined"),
    "openApi11": _interns("applied"),
    "openApi9": table(_internships, _internship, searchYear="itrnExcYear", searchCtsNm="~itrnBsnsNm"),
    "openApi10": table(_numbers(24), _post, searchYear="ctstYear"),
    "openApi32": table(_numbers(420), _post, serachNationNm="~bbsNationNm", searchBbscttSj="~story"),
    "openApi18": table(_numbers(260), _post, searchSj="~bbscttSj", searchQuestRealmNm="~writer"),
    "openApi6": table(_numbers(900), _post, searchSj="~newsSj", searchOriginNm="~newsOriginNm"),
    "openApi17": table(_mentors, _mentor, searchNationNm="~mtrgTrgetNationNm", searchMberNm="~mberNm"),
    "openApi29": table(
        _numbers(340), _fair, searchYear="explYear", searchExplSj="~explSj", searchUnivNm="~school", searchLocNm="~host"
    ),
    "openApi28": table(_numbers(280), _fair, searchYear="explYear", searchExplSj="~explSj", searchLocNm="~host"),
    "openApi26": table(_numbers(90), _fair, searchExpoNm="~expoName"),
    "openApi33": table(_numbers(70), _fair),
    "openApi27": table(
        _numbers(120),
        _fair,
        searchAcadeType="~acadeTypeNm",
        searchYear="acadeYear",
        searchAcadePlace="~acadePlace",
        searchAcadeCourse="~course",
    ),
    "openApi22": table(
        _numbers(85), _company, searchEntNm="~entNm", searchNationNm="~nation", searchKsicNm="~epmtKsicNm"
    ),
    "openApi21": table(companies, _company, searchEntNm="~entNm", searchNationNm="~nation", searchKsicNm="~epmtKsicNm"),
    "openApi15": table(companies, _company, searchEntNm="~entNm"),
    "openApi31": table(_numbers(3_200), _opening, searchRctntcSj="~rctntcSj", **_FILTERS),
    "openApi30": table(_numbers(460), _opening, searchRctntcSj="~rctntcSj", **_FILTERS),
    "openApi4": table(_numbers(520), _course, searchCrseNm="~strnCrseNm", **_FILTERS),
    "openApi5": table(
        lambda world: [(n, g) for n, _ in DESTINATIONS for g in _GUIDES], _guide, searchType="~guideName"
    ),
    "openApi8": table(_nations, _guide, searchNationNm="~visaNationNm"),
    "openApi3": training_states,
    "openApi23": training_rates,
    "openApi2": jobseekers,
    "openApi1": placements,
    "openApi20": grants,
    "openApi13": grants,
}
