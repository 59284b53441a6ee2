"""What the services' own codes mean, and what is left to go by when there is no code.

A code means something only inside the shape that carries it: 30 is "key not
registered" at the data.go.kr gateway and "no data" in an agency's own header.
"""

from __future__ import annotations

import re
from typing import Final

from kopa_hf.platforms.failures import Outcome

DART: Final[dict[str, Outcome]] = {
    "000": "ok",
    "010": "auth",  # key not registered
    "011": "auth",  # key suspended
    "012": "auth",  # address not allowed
    "013": "no_data",
    "014": "no_data",  # no such file
    "020": "quota",
    "021": "bad_param",  # more than 100 companies at once
    "100": "bad_param",
    "101": "unknown_operation",  # "improper access": also the answer for a wrong path
    "800": "maintenance",
    "900": "server",
    "901": "auth",  # the key owner's account has lapsed
}

PORTAL: Final[dict[str, Outcome]] = {
    "INFO-000": "ok",
    "INFO-100": "auth",
    "INFO-200": "no_data",
    "INFO-300": "auth",  # use of the key is restricted
    "INFO-500": "server",
    "ERROR-290": "auth",
    "ERROR-300": "bad_param",
    "ERROR-301": "bad_param",
    "ERROR-310": "unknown_operation",
    "ERROR-331": "bad_param",
    "ERROR-332": "bad_param",
    "ERROR-333": "bad_param",
    "ERROR-334": "bad_param",
    "ERROR-335": "bad_param",
    "ERROR-336": "bad_param",
    "ERROR-337": "quota",
    "ERROR-500": "server",
    "ERROR-600": "server",
    "ERROR-601": "server",
}
"""열린국회정보, 나이스, 서울, 경기: one family of codes."""

GATEWAY: Final[dict[int, Outcome]] = {
    1: "server",
    2: "server",
    3: "no_data",
    4: "server",
    5: "timeout",
    10: "bad_param",
    11: "bad_param",
    12: "unknown_operation",
    20: "auth",
    21: "auth",
    22: "quota",
    30: "auth",
    31: "auth",
    32: "auth",
    33: "auth",
    99: "server",
}
"""data.go.kr's gateway, and agencies that follow its numbers."""

_SENTENCES: Final[tuple[tuple[Outcome, tuple[str, ...]], ...]] = (
    # Order matters: a sentence about a key or a parameter often also says that something "is not there".
    ("quota", ("LIMITED[_ ]NUMBER", "트래픽.{0,12}초과", "한도.{0,6}초과", "(?:요청|호출|이용).{0,12}초과", "quota")),
    ("rate_limit", ("rate.?limit", "too many requests")),
    (
        "auth",
        (
            "SERVICE_?KEY",
            "SERVICE_ACCESS_DENIED",
            "UNREGISTERED_IP",
            "UNSIGNED_CALL",
            "API.?KEY",
            "인증.?키",
            "인증.{0,4}실패",
            "사용자 ?정보 ?검증",
            "등록되지 ?않은 ?(?:키|인증)",
            "unauthori[sz]ed",
            "forbidden",
            "access ?denied",
            "request ?blocked",
        ),
    ),
    ("unknown_operation", ("NO_?OPENAPI_?SERVICE", "API not found", "존재하지 ?않는 ?(?:서비스|API)")),
    ("timeout", ("SERVICE_?TIME_?OUT", "time[d]?[-_ ]?out", "시간.{0,4}초과")),
    (
        "maintenance",
        (
            "(?:시스템|서비스|서버|정기|긴급|임시) ?점검",
            "점검 ?(?:중|시간|안내|작업)",
            "maintenance",
            "서비스.{0,6}중단",
        ),
    ),
    ("bad_param", ("INVALID_?REQUEST_?PARAMETER", "NO_?MANDATORY", "필수", "누락")),
    (
        "no_data",
        (
            "NO_?DATA",
            "(?:데이터|자료|결과|정보|내용|내역|건)[이가은는]? ?(?:존재하지 ?않|없)",
            "no (?:data|result)",
        ),
    ),
    ("bad_param", ("parameter", "파라[미메]터", "요청 ?(?:변수|인자)", "입력 ?값", "형식")),
    (
        "server",
        (
            "APPLICATION_?ERROR",
            "DB_?ERROR",
            "HTTP_?ERROR",
            "unexpected error",
            "internal server",
            "exception",
            "(?:시스템|서버|내부) ?(?:오류|에러)",
        ),
    ),
)
_SAYINGS: Final = tuple((outcome, re.compile("|".join(patterns), re.IGNORECASE)) for outcome, patterns in _SENTENCES)
_MAINTENANCE: Final = next(pattern for outcome, pattern in _SAYINGS if outcome == "maintenance")


def outcome_of_saying(text: str | None) -> Outcome | None:
    """The outcome that a sentence speaks of; None where it says nothing known."""
    if text:
        for outcome, pattern in _SAYINGS:
            if pattern.search(text):
                return outcome
    return None


def says_maintenance(text: str) -> bool:
    """True for pages and texts that announce maintenance."""
    return _MAINTENANCE.search(text) is not None


def outcome_of_status(http_status: int) -> Outcome | None:
    """What an HTTP status alone says; None below 400."""
    if http_status < 400:
        return None
    if http_status in (401, 403, 407):
        return "auth"
    if http_status in (404, 405, 410, 501):
        return "unknown_operation"
    if http_status in (408, 504):
        return "timeout"
    if http_status == 429:
        return "rate_limit"
    return "server" if http_status >= 500 else "bad_param"
