"""Work across borders: Koreans employed abroad (월드잡플러스), foreign workers under the permit system (고용허가제)."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any, Final

from kopa_hf.sandbox.query import Handler, Query, RefusedError, Reply
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.skills.results import apportion, uneven
from kopa_hf.sandbox.skills.rounds import PLANNED_YEAR
from kopa_hf.sandbox.skills.shaping import day, listed
from kopa_hf.sandbox.world import World

SENDING: Final = (
    ("KH", "캄보디아", "Cambodia"), ("NP", "네팔", "Nepal"), ("VN", "베트남", "Viet Nam"), ("MM", "미얀마", "Myanmar"),
    ("ID", "인도네시아", "Indonesia"), ("TH", "태국", "Thailand"), ("PH", "필리핀", "Philippines"), ("LK", "스리랑카", "Sri Lanka"),
    ("UZ", "우즈베키스탄", "Uzbekistan"), ("MN", "몽골", "Mongolia"), ("BD", "방글라데시", "Bangladesh"), ("PK", "파키스탄", "Pakistan"),
    ("CN", "중국", "China"), ("KG", "키르기스스탄", "Kyrgyzstan"), ("TL", "동티모르", "Timor-Leste"), ("LA", "라오스", "Laos"),
)  # fmt: skip
"""Countries that send workers: (code, Korean name, English name)."""
DESTINATIONS: Final = (
    ("일본", 34), ("미국", 27), ("베트남", 8), ("싱가포르", 7), ("독일", 5), ("호주", 4), ("중국", 4), ("캐나다", 3), ("인도네시아", 3),
    ("아랍에미리트", 2), ("말레이시아", 2), ("뉴질랜드", 1),
)  # fmt: skip
OCCUPATIONS: Final = (
    ("사무·서비스", 40), ("정보기술", 20), ("기계·금속", 10), ("전기·전자", 9), ("의료", 8), ("건설·토목", 7), ("화학·바이오", 6),
)  # fmt: skip
INDUSTRIES: Final = (("01", "제조업"), ("02", "건설업"), ("03", "농축산업"), ("04", "어업"), ("05", "서비스업"))
_FIRST: Final = 2018
_LAST: Final = 2025


def employed(world: World, year: int, month: int) -> list[int]:
    """New employees abroad in a month, by destination."""
    seed = world.measure_seed("skills", "abroad", year, month)
    slump = 60 if year in (2020, 2021) else 100
    count = (330 + 12 * (year - _FIRST) + mix(seed, 0) % 160) * slump // 100
    return apportion(count, uneven([weight for _, weight in DESTINATIONS], seed), seed)


def _year(world: World, year: int) -> list[int]:
    months = [employed(world, year, month) for month in range(1, 13)]
    return [sum(column) for column in zip(*months, strict=True)]


def _months(query: Query) -> Iterator[tuple[int, int]]:
    """Year and month from `fromYearMonth` to `toYearMonth`, as far as there are figures."""
    first, last = query.get("fromYearMonth"), query.get("toYearMonth")
    for name, text in (("fromYearMonth", first), ("toYearMonth", last)):
        if not (text.isascii() and text.isdigit() and len(text) == 6 and 1 <= int(text[4:]) <= 12):
            raise RefusedError("value", name)
    for year in range(_FIRST, _LAST + 1):
        for month in range(1, 13):
            if first <= f"{year}{month:02d}" <= last:
                yield year, month


def _years(query: Query) -> list[int]:
    wanted = query.get("searchYear")
    return [year for year in range(_FIRST, _LAST + 1) if wanted in ("", str(year))]


def employed_by_month(world: World, query: Query) -> Reply:
    """월별 나라별 해외취업자."""
    rows = [(*when, nation) for when in _months(query) for nation in range(len(DESTINATIONS))]
    return listed(query, rows, lambda row: _monthly(row, employed(world, row[0], row[1])[row[2]]))


def trained_by_month(world: World, query: Query) -> Reply:
    """Those of them who went through a training course."""
    rows = [(*when, nation) for when in _months(query) for nation in range(len(DESTINATIONS))]

    def known(row: tuple[int, int, int]) -> dict[str, Any]:
        seed = world.measure_seed("skills", "trained", *row)
        return _monthly(row, employed(world, row[0], row[1])[row[2]] * (25 + mix(seed, 0) % 35) // 100)

    return listed(query, rows, known)


def _monthly(row: tuple[int, int, int], count: int) -> dict[str, Any]:
    year, month, nation = row
    when = {"joYear": str(year), "joMonth": f"{month:02d}", "cnt": str(count)}
    return {**when, "prcerEpmtNationNm": DESTINATIONS[nation][0]}


def _plain_months(purpose: str, share: int) -> Handler:
    def answer(world: World, query: Query) -> Reply:
        """A figure per month that follows the number of the employed."""

        def known(row: tuple[int, int]) -> dict[str, Any]:
            seed = world.measure_seed("skills", purpose, *row)
            count = sum(employed(world, *row)) * (share + mix(seed, 0) % 20) // 100
            return {"joYear": str(row[0]), "joMonth": f"{row[1]:02d}", "cnt": str(count)}

        return listed(query, list(_months(query)), known)

    return answer


def nations_by_year(world: World, query: Query) -> Reply:
    """나라별 해외취업자, 나라별 정착지원금."""
    nation = query.get("searchNationNm")
    rows = [(year, name) for year in _years(query) for name, _ in DESTINATIONS if nation in name]
    return listed(query, rows, lambda row: {"joYear": str(row[0]), "prcerEpmtNationNm": row[1], "wrkNationNm": row[1]})


def occupations_by_year(world: World, query: Query) -> Reply:
    """직종별 해외취업자: the year's employees once more, by occupation."""
    wanted = query.get("searchKscoNm")
    rows = [(year, n) for year in _years(query) for n, (name, _) in enumerate(OCCUPATIONS) if wanted in name]

    def known(row: tuple[int, int]) -> dict[str, Any]:
        year, number = row
        seed = world.measure_seed("skills", "occupations", year)
        counts = apportion(sum(_year(world, year)), uneven([weight for _, weight in OCCUPATIONS], seed), seed)
        return {"joYear": str(year), "strnEpmtKscoNm": OCCUPATIONS[number][0], "cnt": str(counts[number])}

    return listed(query, rows, known)


def _share_of_year(purpose: str, share: int) -> Handler:
    def answer(world: World, query: Query) -> Reply:
        """A figure per year: a share of the employed."""

        def known(year: int) -> dict[str, Any]:
            seed = world.measure_seed("skills", purpose, year)
            count = sum(_year(world, year)) * (share + mix(seed, 0) % 8) // 100
            return {"joYear": str(year), "cnt": str(count)}

        return listed(query, _years(query), known)

    return answer


# the permit system


def sending_countries(world: World, query: Query) -> Reply:
    """고용허가제 송출국."""
    return listed(query, SENDING, lambda row: {"natCd": row[0], "natHanNm": row[1], "natEngNm": row[2]})


def country_industries(world: World, query: Query) -> Reply:
    """나라별 업종: what a country's workers may be tested for."""
    rows = [
        (country, industry)
        for country in SENDING
        for n, industry in enumerate(INDUSTRIES)
        if n == 0 or world.identity("skills", "industry", country[0], n).chance(0.5)
    ]
    return listed(query, rows, lambda r: {"regnOfceId": r[0][0], "jobCd": r[1][0], "codeKorNm": r[1][1]})


def language_exams(world: World, query: Query) -> Reply:
    """한국어능력시험 시행계획: application, exam, announcement in this order."""
    rows = [
        (year, number, country) for year in range(2023, PLANNED_YEAR + 1) for country in SENDING for number in (1, 2)
    ]

    def known(row: tuple[int, int, tuple[str, str, str]]) -> dict[str, Any]:
        year, number, country = row
        stream = world.identity("skills", "language exam", year, number, country[0])
        start = datetime.date(year, 1 if number == 1 else 7, 1) + datetime.timedelta(days=stream.between(5, 60))
        end = start + datetime.timedelta(days=3)
        exam = end + datetime.timedelta(days=stream.between(30, 45))
        return {
            "examYr": str(year), "examNot": str(number), "examKind": "CBT" if stream.chance(0.6) else "UBT",
            "examNm": f"{country[1]} 제{number}회 한국어능력시험", "receiptStartDate": day(start),
            "receiptEndDate": day(end), "examStDate": day(exam),
            "passAnnounceDate": day(exam + datetime.timedelta(days=stream.between(10, 20))),
        }  # fmt: skip

    return listed(query, rows, known)


HANDLERS: Final[dict[str, Handler]] = {
    "openApi37": employed_by_month,
    "openApi40": trained_by_month,
    "openApi38": _plain_months("postings", 210),
    "openApi39": _plain_months("grants paid", 40),
    "openApi16": nations_by_year,
    "openApi19": nations_by_year,
    "openApi14": occupations_by_year,
    "openApi24": _share_of_year("returned", 8),
    "openApi25": _share_of_year("left", 6),
    "getApiNatTbList": sending_countries,
    "getApiNationJobList": country_industries,
    "getApiCbtExamNotList": language_exams,
}
