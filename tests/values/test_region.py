"""Places: one key for every spelling, names only while they hold, ambiguous names never guessed."""

from __future__ import annotations

import datetime
import re

import pytest

from kopa_hf.values import ValueFailure
from kopa_hf.values.region import is_known_region, read_region, region_names, scan_regions


def test_the_table_has_every_province_and_district_of_the_day() -> None:
    day = datetime.date(2026, 1, 30)
    current = [region for region in region_names() if region.in_force(day)]
    provinces = [region for region in current if " " not in region.name]
    districts = [region for region in current if region.name.count(" ") == 1]
    assert len(provinces) == 17
    assert len(districts) == 226 + 2  # and the two cities of 제주, which govern no district of their own


def test_codes_are_unique_and_begin_with_their_province() -> None:
    names = region_names()
    assert len({region.code for region in names}) == len(names)
    province = {region.name: region.code for region in names if len(region.code) == 2}
    for region in names:
        assert re.fullmatch(r"[0-9]{2}|[0-9]{5}", region.code)
        assert region.code[:2] == province[region.name.split(" ")[0]]


def test_no_two_names_of_one_place_hold_on_one_day() -> None:
    for day in (
        datetime.date(2018, 6, 30),
        datetime.date(2023, 6, 10),
        datetime.date(2023, 6, 11),
        datetime.date(2024, 1, 18),
    ):
        held = [region.region for region in region_names() if region.in_force(day)]
        assert len(held) == len(set(held))


@pytest.mark.parametrize(
    ("text", "key"),
    [("서울", "서울"), ("서울시", "서울"), ("서울특별시입니다.", "서울"), ("강남", "서울 강남구"), ("수원시", "경기 수원시"), ("수원 장안구", "경기 수원시 장안구"),
     ("경기 광주", "경기 광주시"), ("경기도 광주시", "경기 광주시"), ("광주광역시", "광주광역시"), ("제주", "제주"), ("제주시", "제주 제주시"), ("부산진구", "부산 부산진구"),
     ("강원 고성", "강원 고성군"), ("전북자치도", "전북"), ("경북 군위군", "대구 군위군"), ("역삼동", "역삼동"), ("서울 중구", "서울 중구")],
)  # fmt: skip
def test_a_name_is_read_as_its_place(text: str, key: str) -> None:
    assert read_region(text) == key


@pytest.mark.parametrize("text", ["광주", "광주시", "고성", "고성군", "중구", "동구", "서구", "남구", "북구", "강서구"])
def test_a_name_of_several_places_is_ambiguous(text: str) -> None:
    with pytest.raises(ValueFailure, match="ambiguous"):
        read_region(text)


@pytest.mark.parametrize(
    ("old", "new", "first"),
    [("강원도", "강원특별자치도", "2023-06-11"), ("전라북도", "전북특별자치도", "2024-01-18"), ("강원도 춘천시", "강원특별자치도 춘천시", "2023-06-11"),
     ("경상북도 군위군", "대구광역시 군위군", "2023-07-01"), ("인천광역시 남구", "인천광역시 미추홀구", "2018-07-01")],
)  # fmt: skip
def test_a_renamed_place_bears_one_name_a_day(old: str, new: str, first: str) -> None:
    day = datetime.date.fromisoformat(first)
    before = day - datetime.timedelta(days=1)
    assert read_region(old, before) == read_region(new, day) == read_region(old) == read_region(new)
    for name, wrong in ((old, day), (new, before)):
        with pytest.raises(ValueFailure, match="no name in force"):
            read_region(name, wrong)


@pytest.mark.parametrize("text", ["", "abc", "서울#", "12", "\ud800", "가" * 100])
def test_what_is_no_name_is_refused(text: str) -> None:
    with pytest.raises(ValueFailure):
        read_region(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [("가장 많은 곳은 강원특별자치도입니다.", ["강원"]), ("서울특별시 강남구와 부산 해운대구이다", ["서울 강남구", "부산 해운대구"]),
     ("강원특별자치도(구 강원도)", ["강원"]), ("경기도에서는 줄고 있다", ["경기"]), ("제주도에서", ["제주"]), ("없는 동네", [])],
)  # fmt: skip
def test_prose_is_scanned_for_known_names(text: str, found: list[str]) -> None:
    assert list(scan_regions(text)) == found


def test_only_names_of_the_table_are_known() -> None:
    assert is_known_region("경기도 수원시")
    assert not is_known_region("역삼동")
