"""대학알리미's code lists, the classification of majors, and the majors of every university."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.universities.answers import LOADED, fitted, year_of
from kopa_hf.sandbox.universities.fields import Field, fields
from kopa_hf.sandbox.universities.figures import figures
from kopa_hf.sandbox.universities.indicators import ALL
from kopa_hf.sandbox.universities.university import (
    CAMPUSES,
    COLLEGES,
    DIVISIONS,
    FOUNDERS,
    GRADUATE,
    JUNIOR,
    KINDS_OF,
    SENIOR,
    ZONES,
    Major,
    majors,
    universities,
    university_by_code,
)
from kopa_hf.sandbox.world import World

Pairs = Sequence[tuple[str, str]]
_LENGTHS: Final = {f"11000{number}": f"{number}년" for number in range(1, 7)}
_DEGREES: Final = {"120001": "전문학사", "120002": "학사", "120003": "석사", "120004": "박사"}
_DEGREE_OF: Final = {JUNIOR: "120001", SENIOR: "120002", GRADUATE: "120003"}
_SHIFTS: Final = {"130001": "주간", "130002": "야간"}
_STATES: Final = {"140001": "기존", "140002": "신설", "140003": "변경", "140004": "폐과"}
_CHARACTERS: Final = {
    "150001": "일반과정",
    "150002": "계약학과",
    "150003": "주문식교육과정",
    "150004": "산업체위탁과정",
}
_OWN_FIELDS: Final = {
    "160001": "인문사회",
    "160002": "자연과학",
    "160003": "공학",
    "160004": "예체능",
    "160005": "의학",
}
_OWN_OF: Final = {
    "01": "160001", "02": "160001", "03": "160001", "04": "160003", "05": "160002", "06": "160005", "07": "160004",
}  # fmt: skip
_MAIN: Final = "100001"
"""본교."""


def _list_of(pairs: Callable[[], Pairs], *, yearly: bool = False) -> Handler:
    """A list of codes and names; the code is compared whole, the name by containment."""

    def answer(world: World, query: Query) -> Reply:
        if yearly and year_of(query) is None:
            return NO_ROWS
        code, name = query.get("cdid"), query.get("cdnm")
        rows: list[Record] = [{"cdid": c, "cdnm": n} for c, n in pairs() if code in ("", c) and name in n]
        return fitted(query, rows)

    return answer


def _fixed(table: dict[str, str]) -> Handler:
    return _list_of(lambda: tuple(table.items()))


def _level(key: Callable[[Field], tuple[str, str]]) -> Handler:
    return _list_of(lambda: tuple(dict.fromkeys(key(field) for field in fields())), yearly=True)


def hierarchy(world: World, query: Query) -> Reply:
    """getCodeBySeriesSystem."""
    year = year_of(query)
    if year is None:
        return NO_ROWS
    rows: list[Record] = []
    for field in fields():
        row = {"srsLclftCd": field.large, "srsMclftCd": field.middle, "srsSclftCd": field.small}
        if all(query.get(name) in ("", code) for name, code in row.items()):
            rows.append({"svyYr": str(year), **row})
    return fitted(query, rows)


def indicator_codes(world: World, query: Query) -> Reply:
    """getKeyIndicatorCode."""
    code, name, unit = query.get("cdid"), query.get("cdnm"), query.get("rmk")
    rows: list[Record] = [
        {"cdid": one.code, "cdnm": one.name, "rmk": one.unit}
        for one in ALL
        if code in ("", one.code) and name in one.name and unit in ("", one.unit)
    ]
    return fitted(query, rows)


def _major(world: World, major: Major, year: int) -> Record:
    """A major as both lists of majors print it; graduates are the university's, dealt out by places."""
    university, field = major.university, major.field
    graduates = figures(world, university, year).graduates
    own = _OWN_OF[field.large]
    length = f"11000{university.years}"
    degree = _DEGREE_OF[university.division]
    state = "140004" if major.closed else "140001"
    district = university.district
    return {
        "svyYr": str(year),
        "srsSclftCd": field.small,
        "srsMclftCd": field.middle,
        "srsLclftCd": field.large,
        "korSrsSclftNm": field.small_name,
        "korSrsMclftNm": field.middle_name,
        "korSrsLclftNm": field.large_name,
        "schlMjrStatNm": _STATES[state],
        "schlMjrStatCd": state,
        "schlMjrId": major.code,
        "schlMjrCharNm": _CHARACTERS["150001"],
        "schlMjrCharCd": "150001",
        "schlKndNm": university.kind_name,
        "schlKndCd": university.kind,
        "schlId": university.code,
        "schlEstbDivNm": university.founder_name,
        "schlEstbDivCd": university.founder,
        "psbsDivNm": "본교",
        "psbsDivCd": _MAIN,
        "pbnfDgriCrseDivNm": _DEGREES[degree],
        "pbnfDgriCrseDivCd": degree,
        "onsfSrsClftNm": _OWN_FIELDS[own],
        "onsfSrsClftCd": own,
        "mjrUpdtDtm": f"2025{1 + mix(university.seed, 700 + major.number) % 12:02d}15",
        "mjrId": str(500_000 + university.index * 100 + major.number),
        "mjrAreaSignguNm": district.name,
        "mjrAreaSignguCd": district.code,
        "mjrAreaNm": district.province.name,
        "mjrAreaCd": district.province.code,
        "lsnTrmNm": _LENGTHS[length],
        "lsnTrmCd": length,
        "korSchlNm": university.name,
        "schlNm": university.name,
        "korMjrNm": major.name,
        "kediMjrId": major.kedi,
        "grdtNum": str(graduates * major.places // university.size),
        "eschlPscpNum": "0" if major.closed else str(major.places),
        "clgNm": major.college,
        "dghtDivNm": _SHIFTS["130002" if major.night else "130001"],
        "edcCrseLtrCtnt": f"{field.small_name} 개론|{field.small_name} 실습|졸업연구",
        "lstUpdtDtm": LOADED,
        "pwayEmplLtrCtnt": f"{field.middle_name} 분야 기업|연구소|공공기관",
        "stdClftMjrId": field.small,
    }


def university_majors(world: World, query: Query) -> Reply:
    """getUniversityMajorCode."""
    year, university = year_of(query), university_by_code(world, query.get("schlId"))
    if year is None or university is None:
        return NO_ROWS
    asked = query.get("schlMjrId")
    found = [major for major in majors(world, university) if asked in ("", major.code)]
    return fitted(query, [_major(world, major, year) for major in found])


def major_information(world: World, query: Query) -> Reply:
    """getSchoolMajorInfo."""
    year = year_of(query)
    if year is None:
        return NO_ROWS
    name, code = query.get("schlKrnNm"), query.get("schlId")
    held = [u for u in universities(world) if name in u.name and code in ("", u.code)]
    found = [major for university in held for major in majors(world, university)]
    names = [f.name for f in query.tool.fields] if query.tool is not None else None

    def row(major: Major) -> Record:
        whole = _major(world, major, year)
        return whole if names is None else {n: whole.get(n) for n in names}

    return Rows.mapped(found, row)


HANDLERS: Final[dict[str, Handler]] = {
    "getCodeByRegion": _list_of(lambda: tuple((zone, name) for zone, (_, name) in ZONES.items())),
    "getCodeByType": _list_of(lambda: tuple((kind, entry[0]) for kind, entry in KINDS_OF.items())),
    "getCodeByKind": _fixed(DIVISIONS),
    "getCodeByFound": _fixed(FOUNDERS),
    "getCodeByPrincipalSchoolBranchSchool": _fixed(CAMPUSES),
    "getCodeByLessonTerm": _fixed(_LENGTHS),
    "getCodeByDegreeCourse": _fixed(_DEGREES),
    "getCodeByDayAndNight": _fixed(_SHIFTS),
    "getCodeByCollege": _list_of(lambda: tuple((f"1700{n:02d}", name) for n, name in enumerate(COLLEGES, start=1))),
    "getCodeByMajorStatus": _fixed(_STATES),
    "getCodeByMajorCharacter": _fixed(_CHARACTERS),
    "getCodeByOneselfSeries": _fixed(_OWN_FIELDS),
    "getCodeByLargeSeries": _level(lambda f: (f.large, f.large_name)),
    "getCodeByMiddleSeries": _level(lambda f: (f.middle, f.middle_name)),
    "getCodeBySmallSeries": _level(lambda f: (f.small, f.small_name)),
    "getCodeBySeriesSystem": hierarchy,
    "getKeyIndicatorCode": indicator_codes,
    "getUniversityMajorCode": university_majors,
    "getSchoolMajorInfo": major_information,
}
