"""대학알리미: handlers of comparisons, regional tables, standings and lists of universities."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.calendar import compact
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.universities import classification, cooperation
from kopa_hf.sandbox.universities.answers import LOADED, fitted, year_of
from kopa_hf.sandbox.universities.figures import FIRST_YEAR, LAST_YEAR, Figures, figures
from kopa_hf.sandbox.universities.indicators import (
    INDICATORS,
    Indicator,
    Number,
    nationwide,
    of,
    regional,
    zones,
)
from kopa_hf.sandbox.universities.university import University, universities, university_by_code
from kopa_hf.sandbox.world import World


def _comparison(stem: str) -> Handler:
    group = INDICATORS[stem]

    def answer(world: World, query: Query) -> Reply:
        year, code, asked = year_of(query), query.get("schlId"), query.get("indctId")
        if year is None:
            return NO_ROWS
        one = university_by_code(world, code) if code else None
        held = universities(world) if not code else (one,) if one is not None else ()
        rows = [
            _compared(world, indicator, university, year)
            for university in held
            for indicator in group
            if asked in ("", indicator.code)
        ]
        return fitted(query, rows)

    return answer


def _compared(world: World, indicator: Indicator, university: University, year: int) -> Record:
    return {
        "indctId": indicator.code,
        "indctVal1": of(world, indicator, university, year),
        "indctYr": str(year),
        "schlDivNm": university.kind_name,
        "schlEstbNm": university.founder_name,
        "schlId": university.code,
        "schlKrnNm": university.name,
        "svyYr": str(year),
    }


def _regional(stem: str) -> Handler:
    group = INDICATORS[stem]

    def answer(world: World, query: Query) -> Reply:
        division, asked = query.get("schlDivCd"), query.get("indctId")
        rows = []
        for indicator in group:
            if asked not in ("", indicator.code):
                continue
            for zone, name in zones():
                table = regional(world, indicator, division, zone)
                if table[-1][1]:
                    rows.append(_region(indicator, division, name, table))
        return fitted(query, rows)

    return answer


_NTH: Final = ("First", "Second", "Third")


def _region(indicator: Indicator, division: str, name: str, table: list[tuple[int, int, str]]) -> Record:
    """Both ways in which regional tables are printed: named columns, or pairs of a name and a value."""
    row: Record = {"indctId": indicator.code, "schlDivCd": division, "znNm": name, "znNmRmk": "지역"}
    pairs = [("지역", name)]
    for nth, (year, count, value) in zip(_NTH, table, strict=True):
        row |= {f"indct{nth}SchlCntRmk": "학교수", f"indct{nth}SvyYr": str(year)}
        row |= {f"indct{nth}SchlCnt": str(count), f"indct{nth}Val": value}
        pairs += [(f"{year}년 학교수", str(count)), (f"{year}년 {indicator.name}", value)]
    for number, (label, value) in enumerate(pairs, start=1):
        row |= {f"fieldType{number}": label, f"fieldVal{number}": value}
    return row


def _standing(indicator: Indicator, *values: Number) -> Handler:
    """A university beside the mean of its kind: what the rate is made of, and the rate as the fourth value."""

    def answer(world: World, query: Query) -> Reply:
        year, university = year_of(query), university_by_code(world, query.get("schlId"))
        if year is None or university is None:
            return NO_ROWS
        held = figures(world, university, year)
        row: Record = {f"indctVal{number}": str(value(held)) for number, value in enumerate(values, start=1)}
        own, mean = of(world, indicator, university, year), nationwide(world, indicator, university.division, year)
        grade = 1 if float(own) >= float(mean) else 2
        row |= {"schlId": university.code, "schlKrnNm": university.name, "indctVal4": own, "indctAvg": mean}
        row |= {"indctImg": f"https://sandbox.invalid/grade{grade}.png", "svyYr": str(year), "apyYr": str(year - 1)}
        return fitted(query, [row | {"indctId": indicator.code}])

    return answer


def _papers(f: Figures) -> int:
    return f.papers_home + f.papers_abroad


_PAPERS: Final = Indicator("309", "전임교원 1인당 논문", "편", _papers, lambda f: f.faculty * 100, 1, 2)
_STANDINGS: Final[dict[str, Handler]] = {
    "getNoticeFullTimeFacultyResearchCrntSt": _standing(
        _PAPERS, lambda f: f.faculty, lambda f: f.papers_home // 100, lambda f: f.papers_abroad // 100
    ),
    "getNoticeFullTimeFacultyEnsureRate": _standing(
        INDICATORS["FullTimeFacultyEnsureCrntSt"][0], lambda f: f.faculty_due, lambda f: f.faculty, lambda f: f.enrolled
    ),
    "getNoticeFreshmanDrafteesRate": _standing(
        INDICATORS["FreshmanEnsureCrntSt"][0], lambda f: f.places, lambda f: f.entered
    ),
    "getNoticeEnrolledStudentDrafteesRate": _standing(
        INDICATORS["EnrolledStudentEnsureRate"][0], lambda f: f.capacity, lambda f: f.enrolled, lambda f: f.on_leave
    ),
    "getNoticeGraduateEmploymentRate": _standing(
        INDICATORS["GraduateEnterFindJobCrntSt"][1],
        lambda f: f.employable,
        lambda f: f.employed,
        lambda f: f.further,
    ),
    "getNoticeStudentsWastageRate": _standing(
        INDICATORS["DropOutStudentCrntSt"][0], lambda f: f.on_roll, lambda f: f.dropped
    ),
}


def _entry(university: University, year: int) -> Record:
    return {
        "svyYr": str(year),
        "schlId": university.code,
        "schlKrnNm": university.name,
        "clgcpDivCd": "100001",
        "clgcpDivNm": "본교",
        "schlDivCd": university.division,
        "schlDivNm": university.division_name,
        "schlFullNm": f"{university.name} _본교",
        "znCd": university.zone,
        "znNm": university.zone_name,
        "estbDivCd": university.founder,
        "estbDivNm": university.founder_name,
        "schlKndCd": university.kind,
        "schlKndNm": university.kind_name,
    }


def search_universities(world: World, query: Query) -> Reply:
    """getUniversityCode and both search lists."""
    year = year_of(query)
    if year is None:
        return NO_ROWS
    rows = []
    for university in universities(world):
        row = _entry(university, year)
        exact = ("schlId", "clgcpDivCd", "schlDivCd", "schlKndCd", "znCd", "estbDivCd")
        if query.get("schlKrnNm") in university.name and all(query.get(n) in ("", row[n]) for n in exact):
            rows.append(row)
    return fitted(query, rows)


def _named(world: World, query: Query) -> list[University]:
    """Universities by a part of their name, and by code where it is given."""
    name, code = query.get("schlKrnNm"), query.get("schlId")
    return [u for u in universities(world) if name in u.name and code in ("", u.code)]


def profiles(world: World, query: Query) -> Reply:
    """getSchoolInfo."""
    year = year_of(query)
    if year is None:
        return NO_ROWS
    rows: list[Record] = [
        {
            "lstUpdtDtm": LOADED,
            "pbnfAreaCd": university.district.province.code,
            "pbnfAreaNm": university.district.province.name,
            "postNo": university.postcode,
            "postNoAdrs": university.address,
            "psbsDivNm": "본교",
            "schlDivNm": university.division_name,
            "schlEngNm": university.english,
            "schlEstbDivNm": university.founder_name,
            "schlEstbDt": compact(university.founded),
            "schlId": university.code,
            "schlKndNm": university.kind_name,
            "schlNm": university.name,
            "schlRepFxNoCtnt": university.phone(1),
            "schlRepTpNoCtnt": university.phone(0),
            "schlUrlAdrs": university.homepage,
            "svyYr": str(year),
        }
        for university in _named(world, query)
    ]
    return fitted(query, rows)


def disclosed_years(world: World, query: Query) -> Reply:
    """The years that can be asked for, the newest first."""
    return Rows.of([{"yearVal": str(year)} for year in range(LAST_YEAR, FIRST_YEAR - 1, -1)])


HANDLERS: Final[dict[str, Handler]] = {
    **{f"getComparison{stem}": _comparison(stem) for stem in INDICATORS if stem != "GraduateEnterFindJobCrntSt"},
    **{f"getRegional{stem}": _regional(stem) for stem in INDICATORS},
    **_STANDINGS,
    "getUniversityCode": search_universities,
    "getComparisonUniversitySearchList": search_universities,
    "getNoticeUniversitySearchList": search_universities,
    "getSchoolInfo": profiles,
    "getComparisonPubYear": disclosed_years,
    "getNoticeSvyYear": disclosed_years,
    **classification.HANDLERS,
    **cooperation.HANDLERS,
}
