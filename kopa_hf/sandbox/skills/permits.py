"""The permit system's own services (고용허가제): language tests, training before work, support after the return."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Final

from kopa_hf.sandbox.places import districts, street_address
from kopa_hf.sandbox.query import Handler, Record
from kopa_hf.sandbox.skills.abroad import INDUSTRIES, SENDING
from kopa_hf.sandbox.skills.shaping import day, table
from kopa_hf.sandbox.world import LAST_DAY, World

_TRADES: Final = (
    ("용접", "Welding"),
    ("선반", "Lathe work"),
    ("조립", "Assembly"),
    ("포장", "Packing"),
    ("재배", "Growing"),
    ("사육", "Stock raising"),
)
_BOOKS: Final = (
    ("인사하기", "Greetings"), ("길 찾기", "Finding the way"), ("작업 지시", "Orders at work"), ("안전 표지", "Safety signs"),
    ("병원에서", "At the hospital"), ("은행 이용", "At the bank"), ("근로계약", "Labour contracts"),
    ("기숙사 생활", "Life in the dormitory"),
)  # fmt: skip
_PHRASES: Final = (
    ("안전모를 쓰세요.", "Please wear your helmet."), ("이쪽으로 오세요.", "Come this way, please."),
    ("몇 시에 시작합니까?", "When do we start?"),
    ("병원에 가고 싶습니다.", "I want to go to the hospital."), ("월급은 언제 받습니까?", "When do we get paid?"),
)  # fmt: skip
_SITUATIONS: Final = ("일터", "일상")
_LANGUAGES: Final = ("영어", "베트남어", "태국어", "몽골어", "네팔어")
_HOURS: Final = (
    ("1교시", "0900"),
    ("2교시", "1000"),
    ("3교시", "1100"),
    ("4교시", "1300"),
    ("5교시", "1400"),
    ("6교시", "1500"),
)
_COURSES: Final = ("창업 기초", "한국어 통역", "자동차 정비", "전기 설비", "컴퓨터 활용", "소자본 경영")
_WORDS: Final = ("가람", "나래", "다솜", "라온", "마루", "보람", "새벽", "아라", "은하", "초롱")
_SCHOOLING: Final = ("고등학교", "전문대학", "대학교", "중학교 이하")


def _numbers(size: int) -> Callable[[World], range]:
    return lambda world: range(world.count(size))


def _nation(world: World, *key: object) -> tuple[str, str, str]:
    return world.identity("permit", *key).choice(SENDING)


def _test_places(world: World) -> list[tuple[tuple[str, str, str], int]]:
    return [(country, number) for country in SENDING for number in range(1, 4)]


def _test_place(world: World, row: tuple[tuple[str, str, str], int]) -> Record:
    (code, korean, english), number = row
    phone = f"+{world.identity('permit', 'phone', code, number).between(60, 98)}-0-{number:04d}"
    return {
        "natCd": code, "impRegnCd": f"{code}{number:02d}", "evalPlcCd": f"{code}{number:02d}01", "regnOfceNm": korean,
        "examPlacAddr": f"{english} Test Center {number}", "examPlacTelno": phone,
        "agencyKorNm": f"{korean} 접수처 {number}",
        "agencyAddr": f"{english} Registration Office {number}", "agencyTelno": phone,
    }  # fmt: skip


def _jobs(world: World) -> list[tuple[str, tuple[str, str], int]]:
    return [(code, industry, n) for code, *_ in SENDING for industry in INDUSTRIES for n in range(len(_TRADES))]


def _job(world: World, row: tuple[str, tuple[str, str], int]) -> Record:
    code, (industry, _), number = row
    return {"natCd": code, "natItpCd": industry, "natJobsCd": f"{industry}{number + 1:02d}"}


def _book(world: World, number: int) -> Record:
    korean, english = _BOOKS[number % len(_BOOKS)]
    part = number // len(_BOOKS) + 1
    revision = part % 3 + 1
    return {
        "revCd": str(revision), "revNameKor": f"{2012 + 4 * revision}년 개정판",
        "revNameEng": f"{2012 + 4 * revision} edition",
        "codeKorNm": ("듣기", "읽기")[number % 2], "contentsNameKor": f"{korean} {part}",
        "contentsNameEng": f"{english} {part}",
        "idx": str(number + 1), "ssubJectType": ("듣기", "읽기")[number % 2], "title": f"공개문항 {korean} {part}",
        "oneclsType": f"{number % len(_BOOKS) + 1:02d}", "oneclsKorNm": korean, "oneclsEngNm": english,
    }  # fmt: skip


def _lesson(world: World, row: tuple[int, int]) -> Record:
    name, start = _HOURS[row[1]]
    monday = LAST_DAY - datetime.timedelta(days=LAST_DAY.weekday())
    return {"eduDt": day(monday - datetime.timedelta(days=7 * row[0])), "periodNm": name, "eduStHh": start}


def _session(world: World, number: int) -> Record:
    year, turn = 2021 + number // 24, number % 24 + 1
    return {"eduYy": str(year), "eduDe": str(turn), "eduCn": f"{year}년 건설업 취업교육 {turn}차"}


def _job_abroad(world: World, number: int) -> Record:
    _, korean, english = _nation(world, "job", number)
    trade = world.identity("permit", "co", number).choice(("Textile", "Trading", "Motors", "Foods"))
    return {
        "worknational": korean,
        "localCompanyName": f"{english} {trade} {number % 90 + 1}",
        "recruitNum": str(world.identity("permit", "hire", number).octave(1, 63)),
    }  # fmt: skip


def _seeker(world: World, number: int) -> Record:
    stream = world.identity("permit", "seeker", number)
    when = LAST_DAY - datetime.timedelta(days=stream.between(1, 900))
    trades = stream.sample([name for name, _ in _TRADES], 4)
    return {
        "regTime": f"{when:%Y-%m-%d}", "receiptNo": str(70_001 + number), "nationalName": stream.choice(SENDING)[1],
        "worktypeMain1Name": stream.choice(INDUSTRIES)[1],
        **{f"worktypeSub{n}Name": name for n, name in enumerate(trades, 1)},
        "careerMonth": str(stream.between(12, 58)), "vCnt": str(stream.below(3)), "aCnt": str(stream.below(2)),
        "iCnt": str(stream.between(1, 5)),
    }  # fmt: skip


def _schooling(world: World, row: tuple[str, str]) -> Record:
    count = world.measure("permit", "schooling", *row).octave(4, 2_047)
    return {"nationality": row[0], "countNname": row[1], "countValue": str(count)}


def _members(world: World, number: int) -> Record:
    when = LAST_DAY - datetime.timedelta(days=number)
    # members only ever join, so an earlier day never has more of them
    grown = [900 - number // 3, 2_400 - number]
    return {"statCreDt": day(when), "foreignBizCnt": str(max(grown[0], 0)), "foreignEmpCnt": str(max(grown[1], 0))}


def _place(world: World, number: int) -> Record:
    stream = world.identity("permit", "place", number)
    seat = stream.choice(districts())
    phone = f"0{stream.between(31, 64)}-0{stream.between(100, 999)}"
    return {
        "plcNm": f"{seat.name.split()[0]} 교육장", "orgHanNm": f"{_WORDS[number % 10]}취업교육원", "telNo": f"{phone}-1000",
        "faxNo": f"{phone}-1001", "addr": street_address(stream, seat), "etcAd": f"{1 + number % 5}층",
    }  # fmt: skip


def _programme(world: World, number: int) -> Record:
    stream = world.identity("permit", "programme", number)
    when = LAST_DAY - datetime.timedelta(days=stream.between(10, 900))
    name = _COURSES[number % len(_COURSES)]
    return {
        "regDatetime": f"{when:%Y-%m-%d}", "eduName": f"{name} 과정 {number // 6 + 1}기",
        "recruitmentNumber": str(stream.between(1, 6) * 10),
        "educationalInstitutionName": f"{_WORDS[number % 10]}직업전문학교",
        "curriculumIntro": f"{name} 과정을 듣고 귀국 뒤의 일을 준비한다.",
        "curriculumIntroEng": "Prepares trainees for work after their return.", "target": "귀국을 앞둔 외국인근로자",
        "recruitMethod": "전화 접수",
    }  # fmt: skip


def phrases(world: World) -> list[tuple[str, str, int]]:
    """(language, topic, number) of every phrase."""
    return [(tongue, topic, n) for tongue in _LANGUAGES for topic, _ in _BOOKS for n in range(len(_PHRASES))]


def situation_of(phrase: tuple[str, str, int]) -> str:
    """Where a phrase is used."""
    return _SITUATIONS[phrase[2] % len(_SITUATIONS)]


def _phrase(world: World, row: tuple[str, str, int]) -> Record:
    korean, english = _PHRASES[row[2]]
    return {
        "language": row[0], "situation": situation_of(row), "topic": row[1], "korSeq": str(row[2] + 1),
        "korSentence": korean,
        "frgnSentence": english if row[0] == "영어" else f"[{row[0]}] {english}",
        "pronunciation": f"{row[0]} 발음 {row[2] + 1}",
    }  # fmt: skip


HANDLERS: Final[dict[str, Handler]] = {
    "getApiRegnPlcCdTbList": table(_test_places, _test_place),
    "getApiCbtExamPlacList": table(_test_places, _test_place),
    "getApiCbtAgencyList": table(_test_places, _test_place),
    "getApiItpJobsCdTbLis": table(_jobs, _job),
    "getApiQstbookCont": table(_numbers(96), _book, revCd="revCd"),
    "getApiQstbookList": table(lambda world: range(16, 40, 8), _book),
    "getApiQstbookFiles": table(_numbers(96), _book),
    "getApiStdTestBookList": table(lambda world: range(len(_BOOKS)), _book),
    "getApiTbCrclsTmtb": table(lambda world: [(week, n) for week in range(26) for n in range(len(_HOURS))], _lesson),
    "getApiTbBuiEduCourseList": table(lambda world: range(24 * 5), _session),
    "getApiTblRecruit": table(_numbers(620), _job_abroad),
    "getApiEmployment": table(_numbers(410), _job_abroad),
    "getApiMetadataList": table(_numbers(900), _seeker),
    "getApiTblResume": table(_numbers(2_300), _seeker),
    "getApiTblKorcareer": table(lambda world: [(name, s) for _, name, _ in SENDING for s in _SCHOOLING], _schooling),
    "getApiTblFixStatistics": table(_numbers(365), _members),
    "getApiTbEduPlcList": table(_numbers(26), _place),
    "getApiTblEduprogram": table(_numbers(84), _programme),
    "getApiForeignLanguageDb": table(
        phrases, _phrase, searchLanguage="language", searchMain="topic", searchSub="situation"
    ),
}
