"""The monitoring system of remote training: institutions, courses, patterns of abuse and the system's own books.

Its tables are long and dull; a row is drawn from its number, and where columns count parts of a
whole the whole is their sum.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any, Final

from kopa_hf.sandbox.places import districts, street_address
from kopa_hf.sandbox.query import Handler, Query, Record, Reply
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.skills.fields import REGIONS
from kopa_hf.sandbox.skills.shaping import listed
from kopa_hf.sandbox.skills.words import NAME_WORDS
from kopa_hf.sandbox.world import LAST_DAY, World

AGENCIES: Final = 420
COURSES: Final = 1_800
_PATTERNS: Final = (
    "같은 주소 접속",
    "짧은 시간 반복 학습",
    "심야 연속 학습",
    "대리 시험 의심",
    "과제 복사 의심",
    "진도 건너뛰기",
)
_TOPICS: Final = (
    "사무자동화",
    "외국어 회화",
    "산업안전",
    "회계실무",
    "고객응대",
    "설비보전",
    "데이터분석",
    "품질관리",
    "인사노무",
    "식품위생",
)
_SUBTOPICS: Final = ("입문", "기본", "심화", "실무", "사례")
_EVALUATIONS: Final = ("시험", "과제", "토론", "진도")
_MENUS: Final = ("훈련기관 현황", "부정훈련 탐지", "통계", "만족도 조사", "코드 관리", "공지사항")
_REASONS: Final = ("접속 장애", "정전", "본인인증 오류")
_SURVEYS: Final = ("과정 만족도", "강사 만족도", "운영 만족도")


def agency_id(number: int) -> str:
    """The id of a training institution."""
    return f"AG{10_001 + number}"


def agency_name(number: int) -> str:
    """Its name: invented, and different for each."""
    first, second = NAME_WORDS[number % len(NAME_WORDS)], NAME_WORDS[number // len(NAME_WORDS) % len(NAME_WORDS)]
    tail = "" if number < len(NAME_WORDS) ** 2 else str(1 + number // len(NAME_WORDS) ** 2)
    return f"{first}{second}원격훈련원{tail}"


def course_id(number: int) -> str:
    """The id of a course."""
    return f"CR{100_001 + number}"


def course_name(number: int) -> str:
    """Its name."""
    topic = _TOPICS[number % len(_TOPICS)]
    return (
        f"{NAME_WORDS[number // len(_TOPICS) % len(NAME_WORDS)]} {topic} {_SUBTOPICS[number // 140 % len(_SUBTOPICS)]}"
    )


def pattern_id(number: int) -> str:
    """The id of a pattern of abuse."""
    return f"PT{101 + number}"


class _Row:
    """What a row may be made of: draws of its own, days, and the world's people and courses."""

    __slots__ = ("day", "identity", "measure", "number", "world")

    def __init__(self, world: World, name: str, number: int) -> None:
        self.world = world
        self.number = number
        self.identity: Stream = world.identity("elearning", name, number)
        self.measure: Stream = world.measure("elearning", name, number)
        self.day = LAST_DAY - datetime.timedelta(days=self.identity.between(1, 1_500))

    def stamp(self, later: int = 0) -> str:
        """2024-03-04 10:20:30."""
        moment = self.day + datetime.timedelta(days=later)
        hour, minute = 9 + self.number % 9, self.number * 7 % 60
        return f"{moment:%Y-%m-%d} {hour:02d}:{minute:02d}:{self.number % 60:02d}"

    def date(self, later: int = 0) -> str:
        """20240304."""
        return f"{self.day + datetime.timedelta(days=later):%Y%m%d}"

    def agency(self) -> int:
        """An institution."""
        return self.identity.below(AGENCIES)

    def course(self) -> int:
        """A course."""
        return self.identity.below(COURSES)

    def user(self) -> str:
        """A trainee's number."""
        return str(self.identity.between(200_001, 260_000))

    def count(self, most: int) -> int:
        """A figure with a long tail."""
        return self.measure.octave(1, most)


def _offices(row: _Row) -> Record:
    short = REGIONS[row.identity.below(len(REGIONS))][1]
    side = row.identity.choice(("동부", "서부", "남부", "북부"))
    return {
        "ORG_NM": f"{short}지방고용청", "IR_ORG_NM": f"{short}{side}지청", "HIR_CTR_NM": f"{short}{side}고용센터",
        "IR_BR_ORG_NM": f"{short}지부지사", "TRPR_NM": course_name(row.course()), "IF_SEQ": str(row.number + 1),
        "NCS_NM4": course_name(row.course()).split()[1], "OFFICE_CD": f"{100 + row.number % 17}",
        "OFFICE_DTL_CD": f"{1_001 + row.number}", "OFFICE_DTL_NM": f"{short}{side}지청",
        "OFFICE_ORDER": str(row.number + 1),
        "REG_ID": "admin", "JURI_GOVE": f"{short}{side}고용센터",
    }  # fmt: skip


def _pattern(row: _Row) -> Record:
    number = row.identity.below(60)
    name = f"{_PATTERNS[number % len(_PATTERNS)]} {1 + number // len(_PATTERNS)}형"
    found = row.count(400)
    return {
        "ILL_PTRN_ID": pattern_id(number), "TT_INP_ERR_ID": f"ER{row.number + 1:06d}",
        "TT_INP_ID": f"TI{row.number // 3 + 1:05d}",
        "INP_ID": f"IN{row.number + 1:05d}", "INP_STD_DT": row.date(), "AGENT_ID": agency_id(row.agency()),
        "TT_CNT": str(found),
        "TT_REG_CNT": str(found * 10), "INVEST_DIV": row.identity.choice(("정기", "수시")), "PTRN_NAME": name,
        "PTRN_CNT": str(found), "STD_CNT": str(row.identity.choice((10, 20, 50))),
        "AGENT_CNT": str(min(found, row.count(40))),
        "INP_STD_MONTH": row.date()[:6], "TTL": f"{name} 찾기", "QRY": f"SELECT * FROM PATTERN_{number + 101}",
        "SEQ": str(row.number + 1), "DD": f"{1 + row.number % 28:02d}", "HH": f"{row.number % 24:02d}",
        "MM": f"{row.number * 5 % 60:02d}",
    }  # fmt: skip


def _people(row: _Row) -> Record:
    return {
        "USER_ID": row.user(), "LOGIN_DATE": row.stamp(), "LOGIN_CNT": str(row.count(300)), "SEQ": str(row.number + 1),
        "URL": f"/monitor/page{1 + row.number % 40}", "REG_DT": row.date(), "IP_STAT_ID": f"IP{row.number + 1:05d}",
        "CNCT_DT": row.date(), "TOTAL": str(row.count(900)), "COUNT": str(row.count(5_000)),
        "MENU_NM": row.identity.choice(_MENUS),
        "STATUS": row.identity.choice(("조회", "내려받기", "수정")), "USER_STATUS": row.identity.choice(("Y", "N")),
        "PRIVATE_CODE": row.identity.choice(("민원 처리", "통계 작성", "점검")), "UPT_DT": row.date(2),
        "OPERATORID": row.user(), "HISTORYIDX": str(row.number + 1),
        "HISTORYTYPE": row.identity.choice(("I", "U", "D")),
        "TARGETTBL": row.identity.choice(("AGENT", "COURSE", "ATTEND")),
        "TARGETIDX": str(row.identity.between(1, 9_999)),
    }  # fmt: skip


def _training(row: _Row) -> Record:
    course, agency = row.course(), row.agency()
    parts = [row.count(400) for _ in range(5)]
    place = row.identity.choice(districts())
    progress = row.measure.between(40, 100)
    courses, classes = 1 + row.count(60), row.count(300)
    attended = classes * row.measure.between(5, 40)
    return {
        "COURSE_ID": course_id(course), "CLASS_ID": f"CL{row.number + 1:06d}", "USER_ID": row.user(),
        "ATTEND_ID": f"AT{row.number + 1:07d}", "SUBMIT_DT": row.date(), "PROGRESS_RATE": f"{progress}.00",
        "TOTAL_SCORE": str(min(progress, row.measure.between(45, 100))), "NAME": course_name(course),
        "EVAL_TYPE": _EVALUATIONS[course % len(_EVALUATIONS)], "SUBMIT_DUE_DT": row.date(14),
        "TOTAL_EDU_TIME": str(8 + course % 9 * 4), "VALID_FLAG": "N" if course % 30 == 0 else "Y",
        "SURVEY_CATE_NAME": _SURVEYS[row.number % 3],
        "SURVEY_TITLE": f"{course_name(course)} {_SURVEYS[row.number % 3]} 조사",
        "SURVEY_TARGET": "수료생", "SURVEY_CNT": str(row.count(800)), "INP_STD_MONTH": row.date()[:6], "CATEGORY": "M",
        "CAPTCHA_CNT": str(sum(parts)), **{f"CAPTCHA_{n:02d}": str(part) for n, part in enumerate(parts, 1)},
        "AGENT_ID": agency_id(agency), "COM_NAME": agency_name(agency),
        "POST_NUM": f"{1_000 + agency * 137 % 60_000:05d}",
        "ADDR": street_address(row.identity, place), "EXAM_SEQ": str(row.number + 1), "EXAM_PLACE": agency_name(agency),
        "EXAM_DATE": row.stamp()[:10], "EXAM_CODE": row.identity.choice(_REASONS), "EXAM_CODE_DTL": "훈련생 신청으로 다시 응시함",
        "CNT_COURSE_ALL": str(courses), "CNT_CLASS_ALL": str(classes), "CNT_ATTEND_ALL": str(attended),
        "CNT_ATTEND_PASS_ALL": str(attended * row.measure.between(50, 95) // 100),
    }  # fmt: skip


def _books(row: _Row) -> Record:
    good, bad = 500 + row.count(60_000), row.count(300)
    inserted, deleted, updated, failed = row.count(9_000), row.count(90), row.count(900), row.count(30)
    states = {f"IMPROVE_YN_{n}": "Y" if row.identity.chance(0.8) else "N" for n in range(1, 25)}
    return {
        "CLEAN_DATE": row.stamp()[:10], "NOR_CNT": str(good), "ERR_CNT": str(bad), "TOT_CNT": str(good + bad),
        "INSERT_CNT": str(inserted), "DELETE_CNT": str(deleted), "UPDATE_CNT": str(updated), "ERROR_CNT": str(failed),
        "COLUMN_ID": f"COL_{row.number + 1:03d}", "DATA_TYPE": row.identity.choice(("VARCHAR2", "NUMBER", "DATE")),
        "SHOW_YN": "Y", "USE_YN": "Y", "SEARCH_YN": "Y" if row.identity.chance(0.5) else "N",
        "SEQ": str(row.number + 1),
        "PRC_ID": f"PRC_{row.number % 20 + 1:02d}", "EXEC_CONDITION": "매일 02시",
        "STATE": "성공" if row.identity.chance(0.95) else "실패",
        "REMARKS": "-", "AGENT_TYPE": row.identity.choice(("자체 시설", "임차 시설")),
        "SERVER_MANAGE": row.identity.choice(("자체", "위탁")),
        "IMPROVE_SEQ": str(row.number + 1), "CODE_ID": f"GRP{row.number // 8 + 1:03d}",
        "CODE": f"{row.number % 8 + 1:02d}",
        "CODE_NM": f"{_MENUS[row.number % len(_MENUS)]} {row.number % 8 + 1}", "CODE_ORDER": str(row.number % 8 + 1),
        "USE_FG": "Y",
        "FAILURE_SEQ": str(row.number + 1), "SYSTEM_NAME": row.identity.choice(("본인인증", "학습관리", "캡차", "자료수집")) + "시스템",
        "CAPTCHA_YN": "Y" if row.identity.chance(0.3) else "N", "MENU_NO": str(row.number + 1),
        "MENU_NM": _MENUS[row.number % 6],
        "PROGRM_FILE_NM": f"Menu{row.number + 1}", "UPPER_MENU_NO": str(row.number // 6),
        "MENU_ORDR": str(row.number % 6 + 1),
        "TRIGGER_SEQ": str(row.number + 1), "AGENT_ID": agency_id(row.agency()), "BIG_CTG": "수신", "MID_CTG": "수강정보",
        "SML_CTG": row.identity.choice(("진도", "성적", "출석")), "ISSUE_SEQ": str(row.number + 1), "ISSUE_DATE": row.stamp(),
        "ANALYSIS_DATE": row.stamp(1), "RESTORE_DATE": row.stamp(2), "JURI_GOVE": "본부", **states,
    }  # fmt: skip


def _table(name: str, size: int, make: Callable[[_Row], Record]) -> Handler:
    def answer(world: World, query: Query) -> Reply:
        """Rows by number, each drawn for itself."""

        def known(number: int) -> dict[str, Any]:
            row = _Row(world, name, number)
            return {"REG_DATE": row.stamp(), "UPT_DATE": row.stamp(1), "SEQ": str(number + 1), **make(row)}

        return listed(query, range(world.count(size)), known)

    return answer


_TABLES: Final[tuple[tuple[Callable[[_Row], Record], dict[str, int]], ...]] = (
    (
        _pattern,
        {
            "patternInfo": 8_200, "illPtrnInfo": 60, "ccinpInfo": 2_300, "ptrnSummaryInfo": 700, "ttinpInfo": 1_500,
            "scheduleInfo": 180,
        },
    ),
    (
        _people,
        {
            "lomsUserLoginInfo": 24_000, "accessLogInfo": 18_000, "ipStatInfo": 6_400, "mgrHistoryInfo": 900,
            "privateLogInfo": 3_100, "trackerInfo": 2_000, "attchFileInfo": 1_200,
        },
    ),
    (
        _training,
        {
            "attendResultInfo": 42_000, "surveyInfo": 1_600, "captchaMstInfo": 30_000, "tbCaptchaInfo": 120,
            "scoreInfo": 2_400, "courseInfo": COURSES, "zipcodeNewInfo": AGENCIES, "examMngInfo": 350,
            "stAgentYearlyInfo": 1_300,
        },
    ),
    (
        _books,
        {
            "cleanAgentInfo": 1_400, "cleanMetaInfo": 1_400, "tableDescInfo": 240, "batchInfo": 800,
            "consultMngInfo": 300,
            "improveMngInfo": 90, "codeDtlInfo": 320, "failureMngInfo": 140, "menuInfo": 48, "triggerMngInfo": 260,
            "issueMonitorInfo": 500, "initDataUploadInfo": 30,
        },
    ),
    (
        _offices,
        {"ifHrd001Info": 420, "ifHrd019Info": 1_900, "ifHrd021Info": 1_100, "ifHrd023Info": 700, "officeInfo": 68},
    ),
)  # fmt: skip
"""What rows are made of, and operation → number of rows."""

HANDLERS: Final[dict[str, Handler]] = {
    operation: _table(operation, size, make) for make, sizes in _TABLES for operation, size in sizes.items()
}
