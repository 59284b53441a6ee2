"""Columns that the province's lists share: addresses, 시군, names, licences, staff."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from kopa_hf.sandbox.province.premises import Premises
from kopa_hf.sandbox.rng import bell, mix

T = TypeVar("T")
Column = Callable[[Premises], object]
"""One column of a premises' record, as the service's JSON holds it."""

DATA_DAY: Final = datetime.date(2026, 1, 15)
"""When most registers were last handed in."""


def pick(place: Premises, salt: int, options: Sequence[T]) -> T:
    """One of the options, by the premises' identity; different salts draw apart."""
    return options[mix(place.identity, salt) % len(options)]


def digits(place: Premises, salt: int, count: int) -> str:
    """A number of so many digits that does not begin with 0."""
    low = 10 ** (count - 1)
    return str(low + mix(place.identity, salt) % (9 * low))


def figure(place: Premises, salt: int, low: int, high: int) -> int:
    """A figure in [low, high], small ones more often."""
    draw = mix(place.measure, salt)
    span = high - low + 1
    return low + min(draw % span, (draw >> 24) % span)


def area(place: Premises, salt: int, middle: float) -> str:
    """Square metres with two decimals, around a middle value."""
    return f"{max(middle * (1 + bell(mix(place.measure, salt)) * 0.4), middle * 0.15):.2f}"


def compact(day: datetime.date | None) -> str | None:
    """20240502, or nothing."""
    return None if day is None else f"{day:%Y%m%d}"


def staff(place: Premises) -> tuple[int, int]:
    """Men and women who work there."""
    return figure(place, 11, 0, 6), figure(place, 12, 1, 9)


def state(words: tuple[str, str, str]) -> Column:
    """What a service calls a place that runs, has closed, or pauses."""
    runs, closed, pauses = words

    def column(place: Premises) -> str:
        return closed if place.closed is not None else pauses if place.paused else runs

    return column


OPEN: Final = ("영업", "폐업", "휴업")
RUNNING: Final = ("운영중", "폐업 등", "휴업 등")
IN_BUSINESS: Final = ("영업중", "폐업", "휴업")


def _name(place: Premises) -> str:
    return place.name


def _phone(place: Premises) -> str:
    return place.telephone


def _zip(place: Premises) -> str:
    return place.spot.zip_code


def _road(place: Premises) -> str:
    return place.spot.road


def _lot(place: Premises) -> str:
    return place.spot.lot


def person(place: Premises) -> str:
    """Who runs it: surname only, the rest is masked as public lists do."""
    return pick(place, 21, "김이박최정강조윤장임") + "○○"


_SNACK_BARS: Final = frozenset(
    "food." + key for key in ("coffee", "convenience", "tearoom", "truck", "kids", "snackother")
)


def _sanitation(place: Premises) -> str:
    """What the sanitation register calls the trade."""
    if place.trade.key.startswith("stay."):
        return "숙박업(일반)"
    return "휴게음식점" if place.trade.key in _SNACK_BARS else "일반음식점"


COMMON: Final[dict[str, Column]] = {
    "SIGUN_NM": lambda p: p.sigun.name,
    "SIGUN_CD": lambda p: p.sigun.code,
    "SIGUNGU_NM": lambda p: p.sigun.name,
    "SIGNGU_NM": lambda p: p.sigun.name,
    "REGION_NM": lambda p: p.sigun.name,
    "SIDO_NM": lambda p: "경기도",
    "REFINE_ROADNM_ADDR": _road,
    "REFINE_LOTNO_ADDR": _lot,
    "LOCPLC_ROADNM_ADDR": _road,
    "LOCPLC_LOTNO_ADDR": _lot,
    "LOCPLC_ADDR": _lot,
    "SM_RE_ADDR": _road,
    "DETAIL_ADDR": lambda p: f"{1 + p.index % 4}층",
    "REFINE_ZIP_CD": _zip,
    "REFINE_ZIPNO": _zip,
    "ROADNM_ZIPNO": _zip,
    "ROADNM_ZIP_CD": _zip,
    "LOCPLC_ZIP_CD": _zip,
    "REFINE_WGS84_LAT": lambda p: p.spot.latitude,
    "REFINE_WGS84_LOGT": lambda p: p.spot.longitude,
    "BIZPLC_NM": _name,
    "FACLT_NM": _name,
    "INST_NM": _name,
    "ENTRPS_NM": _name,
    "CMPNM_NM": _name,
    "STR_NM": _name,
    "RESTRT_NM": _name,
    "LIBRRY_NM": _name,
    "PARKPLC_NM": _name,
    "PLAY_FACLT_NM": _name,
    "FISHPLC_NM": _name,
    "HOTSPA_NM": _name,
    "LOGIST_HSCOMPLEX_NM": _name,
    "TURSM_INFO_NM": _name,
    "CNTNTS_TITLE": _name,
    "HOSPTL_NM": _name,
    "HOSPTL_CENTER_NM": _name,
    "POLCSTTN_NM": _name,
    "ALL_INST_NM": _name,
    "INVSTGTN_NM": _name,
    "CONSLTN_CENTER_OPERT_GRP_NM": _name,
    "CITYTOUR_COURSE_NM": _name,
    "TELNO": _phone,
    "TELNO_INFO": _phone,
    "DETAIL_TELNO": _phone,
    "DETAIL_FAXNO": lambda p: f"{p.sigun.dialling}-000-{digits(p, 23, 4)}",
    "LOCPLC_FACLT_TELNO": _phone,
    "CONTCT_NO": _phone,
    "ENTRPS_TELNO": _phone,
    "MANAGE_INST_TELNO": _phone,
    "INST_TELNO": _phone,
    "CENTER_TELNO": _phone,
    "ORG_TELNO": _phone,
    "TASTFDPLC_TELNO": _phone,
    "INVSTGTN_TELNO": _phone,
    "REPRSNT_TELNO": _phone,
    "REPRSNTV_NM": person,
    "ORG_RPRSNTV_NM": person,
    "LICENSG_DE": lambda p: compact(p.opened),
    "ESTB_DE": lambda p: compact(p.opened),
    "FACLT_INSTL_DETAIL_DE": lambda p: compact(p.opened),
    "CLSBIZ_DE": lambda p: compact(p.closed),
    "CLSBIZ_DAY": lambda p: compact(p.closed),
    "BSN_STATE_NM": state(OPEN),
    "YY": lambda p: str(p.opened.year),
    "SUM_YY": lambda p: str(DATA_DAY.year),
    "STD_YY": lambda p: str(DATA_DAY.year - 1),
    "DATA_STD_DE": lambda p: DATA_DAY.isoformat(),
    "MANAGE_NO": lambda p: f"{p.sigun.code}00-101-{p.opened.year}-{p.index % 100000:05d}",
    "MANAGE_INST_NM": lambda p: p.sigun.full_name,
    "JURISD_INST_NM": lambda p: p.sigun.full_name,
    "JURISD_CHARGE_DEPT_NM": lambda p: f"{p.sigun.name} {pick(p, 22, ('노인복지과', '어르신복지과', '사회복지과'))}",
    "BIZREGNO": lambda p: digits(p, 24, 10),
    "LOCPLC_AR": lambda p: area(p, 1, 96),
    "LOCPLC_AR_INFO": lambda p: area(p, 1, 96),
    "TOT_FACLT_SCALE": lambda p: area(p, 1, 96),
    "MULTI_USE_BIZESTBL_YN": lambda p: pick(p, 25, "NNNY"),
    "GRAD_FACLT_DIV_NM": lambda p: pick(
        p, 26, ("상수도전용", "상수도전용", "상수도(음용)지하수(주방용)겸용", "지하수전용")
    ),
    "GRAD_DIV_NM": lambda p: pick(p, 27, ("자율", "우수", "지도", "")) or None,
    "BSNSITE_CIRCUMFR_DIV_NM": lambda p: pick(p, 28, ("주택가주변", "기타", "유흥업소밀집지역", "학교정화(상대)")),
    "SANITTN_BIZCOND_NM": lambda p: p.trade.label,
    "SANITTN_INDUTYPE_NM": _sanitation,
    "BIZCOND_DIV_NM_INFO": lambda p: p.trade.label,
    "MALE_ENFLPSN_CNT": lambda p: str(staff(p)[0]),
    "FEMALE_ENFLPSN_CNT": lambda p: str(staff(p)[1]),
    "TOT_EMPLY_CNT": lambda p: str(sum(staff(p))),
    "HMPG_ADDR": lambda p: f"https://sandbox.invalid/gg/{p.trade.key.replace('.', '/')}/{p.index}",
    "HMPG_URL": lambda p: f"https://sandbox.invalid/gg/{p.trade.key.replace('.', '/')}/{p.index}",
    "RM_MATR": lambda p: None,
    "RM": lambda p: None,
}
"""By name. Names that mean one thing wherever they stand; a list's own columns come before these."""
