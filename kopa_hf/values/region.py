"""Names of the 17 provinces and metropolitan cities, their short forms, and since when each name holds.

Codes are those of the administrative standard code (first two digits).
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from typing import Final

from kopa_hf.values import ValueFailure
from kopa_hf.values.text import normalize_text


@dataclass(frozen=True, slots=True)
class RegionName:
    """One official name and the days on which it is in force."""

    region: str
    """Key of the region, equal over its names."""
    name: str
    short: tuple[str, ...]
    code: str
    since: datetime.date | None = None
    """First day; None: always, as far as this table goes."""
    until: datetime.date | None = None
    """Last day; None: still in force."""


_GANGWON: Final = datetime.date(2023, 6, 11)
_JEONBUK: Final = datetime.date(2024, 1, 18)
_DAY: Final = datetime.timedelta(days=1)

REGIONS: Final[tuple[RegionName, ...]] = (
    RegionName("서울", "서울특별시", ("서울", "서울시"), "11"),
    RegionName("부산", "부산광역시", ("부산", "부산시"), "26"),
    RegionName("대구", "대구광역시", ("대구", "대구시"), "27"),
    RegionName("인천", "인천광역시", ("인천", "인천시"), "28"),
    # 광주 is a city of 경기 too, so the bare name is no name of this one
    RegionName("광주광역시", "광주광역시", (), "29"),
    RegionName("대전", "대전광역시", ("대전", "대전시"), "30"),
    RegionName("울산", "울산광역시", ("울산", "울산시"), "31"),
    RegionName("세종", "세종특별자치시", ("세종", "세종시"), "36"),
    RegionName("경기", "경기도", ("경기",), "41"),
    RegionName("강원", "강원도", ("강원",), "42", until=_GANGWON - _DAY),
    RegionName("강원", "강원특별자치도", ("강원", "강원자치도"), "51", since=_GANGWON),
    RegionName("충북", "충청북도", ("충북",), "43"),
    RegionName("충남", "충청남도", ("충남",), "44"),
    RegionName("전북", "전라북도", ("전북",), "45", until=_JEONBUK - _DAY),
    RegionName("전북", "전북특별자치도", ("전북", "전북자치도"), "52", since=_JEONBUK),
    RegionName("전남", "전라남도", ("전남",), "46"),
    RegionName("경북", "경상북도", ("경북",), "47"),
    RegionName("경남", "경상남도", ("경남",), "48"),
    RegionName("제주", "제주특별자치도", ("제주", "제주도"), "50"),
    RegionName("경기 광주시", "경기도 광주시", (), "41610"),
)  # fmt: skip

AMBIGUOUS: Final[frozenset[str]] = frozenset(
    {"광주", "광주시", "고성", "고성군", "중구", "동구", "서구", "남구", "북구", "강서구"}
)
"""Names that more than one place bears."""


def read_region(text: str, as_of: datetime.date | None = None) -> str:
    """The region's key; `as_of` demands a name in force on that day. Unknown and ambiguous names fail."""
    name = " ".join(normalize_text(text).split())
    if name in AMBIGUOUS:
        raise ValueFailure(f"ambiguous: {name} is the name of several places")
    spelled = [region for region in REGIONS if name == region.name or name in region.short]
    in_force = [region for region in spelled if _in_force(region, as_of)]
    if in_force:
        return in_force[0].region
    if spelled:
        raise ValueFailure(f"{name} is no name in force on {as_of}")
    if re.fullmatch(r"[가-힣]+(?:\s[가-힣]+)*", name):
        return name
    raise ValueFailure(f"{name[:40]!r} is no name of a region")


def _in_force(region: RegionName, day: datetime.date | None) -> bool:
    if day is None:
        return True
    return (region.since is None or region.since <= day) and (region.until is None or day <= region.until)
