"""Names of places, their short forms, and the days on which each name holds.

The table stands in `data/regions.tsv`: the 17 provinces and metropolitan cities,
every city, county and district below them, and the names that renamed ones bore
before. A name that several places bear (광주, 고성군, 중구) is ambiguous unless
its province stands before it.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Final

from kopa_hf.values import ValueFailure
from kopa_hf.values.denial import is_denied
from kopa_hf.values.text import normalize_text, strip_closing


@dataclass(frozen=True, slots=True)
class RegionName:
    """One official name and the days on which it is in force."""

    region: str
    """Key of the place, equal over all names it has borne."""
    name: str
    code: str
    """Administrative standard code: two digits for a province, five below it."""
    since: datetime.date | None = None
    """First day; None: always, as far as this table goes."""
    until: datetime.date | None = None
    """Last day; None: still in force."""

    def in_force(self, day: datetime.date | None) -> bool:
        """Whether the name holds on the day; None asks for no day."""
        if day is None:
            return True
        return (self.since is None or self.since <= day) and (self.until is None or day <= self.until)


_SHORT: Final[dict[str, tuple[str, ...]]] = {
    "서울특별시": ("서울", "서울시"), "부산광역시": ("부산", "부산시"), "대구광역시": ("대구", "대구시"),
    "인천광역시": ("인천", "인천시"), "광주광역시": ("광주", "광주시"), "대전광역시": ("대전", "대전시"),
    "울산광역시": ("울산", "울산시"), "세종특별자치시": ("세종", "세종시"), "경기도": ("경기",), "강원도": ("강원",),
    "강원특별자치도": ("강원", "강원자치도"), "충청북도": ("충북",), "충청남도": ("충남",), "전라북도": ("전북",),
    "전북특별자치도": ("전북", "전북자치도"), "전라남도": ("전남",), "경상북도": ("경북",), "경상남도": ("경남",),
    "제주특별자치도": ("제주", "제주도"),
}  # fmt: skip
_WORD: Final = re.compile(r"[가-힣]+")
_PARTICLE: Final = re.compile(
    r"(?:입니다|이다|이며|이고|이었습니다|였습니다|에서는|에서|에는|에|으로|로|의|은|는|이|가|을|를|과|와|도|만|임|다|예요|이에요)$"
)
_FORMER: Final = re.compile(r"(?:구|옛|舊)[.\s]*$")


@cache
def region_names() -> tuple[RegionName, ...]:
    """Every name in the table, by code."""
    text = files("kopa_hf.values").joinpath("data/regions.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(RegionName(place, name, code, _day(since), _day(until)) for place, name, code, since, until in rows)


def _day(text: str) -> datetime.date | None:
    return datetime.date.fromisoformat(text) if text else None


@cache
def _spellings() -> dict[str, tuple[RegionName, ...]]:
    """Names by spelling, blanks dropped."""
    index: dict[str, list[RegionName]] = {}
    for region in region_names():
        for spelled in _spelled(region.name):
            index.setdefault(spelled, []).append(region)
    return {spelled: tuple(regions) for spelled, regions in index.items()}


def _spelled(name: str) -> Iterable[str]:
    province, _, rest = name.partition(" ")
    heads = (province, *_SHORT[province])
    if not rest:
        return heads
    parts = rest.split(" ")
    locals_ = {"".join(parts), parts[-1]}
    # 수원 for 수원시, 강남 for 강남구; 중 for 중구 is no name
    locals_ |= {"".join([*parts[:-1], parts[-1][:-1]])} if len(parts[-1]) > 2 else set()
    if len(parts) > 1:
        locals_.add(parts[0][:-1] + parts[1])
    bare = {local for local in locals_ if local not in heads}
    return {*bare, *(head + local for head in heads for local in locals_)}


def read_region(text: str, as_of: datetime.date | None = None) -> str:
    """The key of the place that the whole text names; `as_of` demands a name in force on that day.

    A Hangul name that the table lacks (a village, a ward) stands for itself. Ambiguous names fail.
    """
    name = " ".join(strip_closing(normalize_text(text)).split()).strip("\"'“”‘’*` ")
    known = _spellings().get(name.replace(" ", ""))
    if known is not None:
        return _settled(name, known, as_of)
    if len(name) <= 60 and re.fullmatch(r"[가-힣]+[0-9]*(?:\s?[가-힣·0-9]+)*", name):
        return name
    raise ValueFailure(f"{name[:40]!r} is no name of a region")


def is_known_region(text: str) -> bool:
    """Whether the table has the whole text as a spelling of some name."""
    return normalize_text(text).replace(" ", "") in _spellings()


def _settled(name: str, known: tuple[RegionName, ...], as_of: datetime.date | None) -> str:
    places = {region.region for region in known if region.in_force(as_of)}
    if len(places) == 1:
        return places.pop()
    if places:
        raise ValueFailure(f"ambiguous: {name} is the name of several places")
    raise ValueFailure(f"{name} is no name in force on {as_of}")


def scan_regions(text: str, as_of: datetime.date | None = None) -> Iterator[str | ValueFailure]:
    """Every known name in prose, the longest first at each word: its key, or why it is none.

    구 강원도 and 서울이 아니라 are skipped.
    """
    words = list(_WORD.finditer(normalize_text(text)))
    index, source = _spellings(), normalize_text(text)
    position = 0
    while position < len(words):
        taken = 1
        for count in (3, 2, 1):
            run = words[position : position + count]
            if len(run) < count or not all(source[a.end() : b.start()].isspace() for a, b in pairwise(run)):
                continue
            name = "".join(word.group() for word in run)
            known = index.get(name)
            while known is None and len(name) <= 40 and (particle := _PARTICLE.search(name)):
                name = name[: particle.start()]  # one at a time: the 도 of 강원도입니다 belongs to the name
                known = index.get(name)
            if known is None:
                continue
            taken = count
            if not _FORMER.search(source[: run[0].start()][-4:]) and not is_denied(source, run[-1].end()):
                try:
                    yield _settled(name, known, as_of)
                except ValueFailure as failure:
                    yield failure
            break
        position += taken
