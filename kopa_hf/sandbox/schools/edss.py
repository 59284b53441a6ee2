"""교육데이터플랫폼 (EDSS): the ministry's statistics of the same schools, a row a school, grades in column names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kopa_hf.sandbox.places import provinces
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.schools.enrolment import FIRST_YEAR, LAST_YEAR, PARTS, Enrolment, enrolment
from kopa_hf.sandbox.schools.offices import SHORT
from kopa_hf.sandbox.schools.school import ELEMENTARY, HIGH, LEVEL_NAMES, SPECIAL, School, schools, schools_of
from kopa_hf.sandbox.schools.staff import teachers, total_of
from kopa_hf.sandbox.world import World

_COURSE: Final = {"E": "elsc", "M": "mdsc", "H": "hgsc"}
Columns = Callable[[World, School, int], Record]


def _province(school: School, *, short: bool) -> str:
    """The tables do not agree on how to spell a province: 경북 here, 경상북도 there."""
    return SHORT[school.district.province.code] if short else school.district.province.name


def _head(school: School, year_name: str, year: int, *, short: bool) -> Record:
    return {
        year_name: str(year),
        "opnId": f"{mix(school.seed, 90) % 16**10:010X}",
        "schlNm": school.name,
        "scsmTypeNm": LEVEL_NAMES[school.level],
        "ctpvNm": _province(school, short=short),
    }


def _table(columns: Columns, *, year_name: str = "crtrYr", short: bool = True) -> Handler:
    """A table of one year: the asked one, else the newest."""

    def answer(world: World, query: Query) -> Reply:
        text = query.get(year_name, str(LAST_YEAR))
        year = int(text) if text.isdigit() else 0
        if not FIRST_YEAR <= year <= LAST_YEAR:
            return NO_ROWS
        asked = query.get("ctpvNm")
        names = SHORT if short else {p.code: p.name for p in provinces()}
        code = next((code for code, name in names.items() if name == asked), "")
        found = schools_of(world, code) if asked else schools(world)
        blank = {f.name: None if f.type == "string" else 0 for f in query.tool.fields} if query.tool else {}

        def row(school: School) -> Record:
            given = _head(school, year_name, year, short=short) | columns(world, school, year)
            return {**blank, **given} if not blank else {**blank, **{n: v for n, v in given.items() if n in blank}}

        return Rows.mapped(found, row)

    return answer


def _attributes(world: World, school: School, year: int) -> Record:
    return {"fndnSeNm": school.founder, "mschBrncSeNm": "분교" if school.branch else "본교"}


def _overview(world: World, school: School, year: int) -> Record:
    pupils = enrolment(world, school, year)
    # every answer counts the heads of all schools, which are drawn one by one
    counted: dict[tuple[int, int], int] = world.table("schools.heads", lambda _: {})
    count = counted.get((school.index, year))
    if count is None:
        count = counted[school.index, year] = total_of(teachers(world, school, pupils)).total
    return {"kescSchlStdntNope": pupils.pupils, "kescSchlClasCnt": pupils.classes, "kescSchlSctcNope": count}


def _classes(world: World, school: School, year: int) -> Record:
    pupils = enrolment(world, school, year)
    ordinary = sum(g.classes for g in pupils.grades)
    row: Record = {"kescClasCnt": pupils.classes, "spclWkClasCnt": pupils.special[0]}
    if school.level == SPECIAL:
        for part in PARTS[SPECIAL]:
            course = _COURSE[part]
            row |= {f"{course}CrsGrdr{g.number}FstnClasCnt": g.classes for g in pupils.of(part)}
            row[f"{course}CrsClasCnt"] = sum(g.classes for g in pupils.of(part))
        return row
    if school.branch:
        # a handful of pupils learn together, whatever their grade
        return row | {"dblsClasCnt": ordinary}
    kind = "FstnClasCnt" if school.level == ELEMENTARY else "WkClasCnt"
    row["fstnClasCnt"] = ordinary
    return row | {f"grdr{g.number}{kind}": g.classes for g in pupils.grades}


def _students(world: World, school: School, year: int) -> Record:
    pupils = enrolment(world, school, year)
    row: Record = {"scclNm": LEVEL_NAMES[school.level], "kescStdntNope": pupils.pupils, "fstuNope": pupils.girls}
    row |= {"sclsStdntNope": pupils.special[1], "sclsFstuNope": pupils.special[2]}
    ordinary, girls = sum(g.pupils for g in pupils.grades), sum(g.girls for g in pupils.grades)
    if school.level == SPECIAL:
        for grade in pupils.grades:
            place = f"{_COURSE[grade.part]}CrsGrdr{grade.number}"
            row |= {f"{place}StdntNope": grade.pupils, f"{place}FstuNope": grade.girls}
    elif school.branch:
        row |= {"dblsClasStdntNope": ordinary, "dblsClasFstuNope": girls}
    else:
        if school.level == ELEMENTARY:
            row |= {"fstnClasStdntNope": ordinary, "fstnClasFstuNope": girls}
        kind = "FstnClas" if school.level == ELEMENTARY else "Wk"
        for grade in pupils.grades:
            row |= {
                f"grdr{grade.number}{kind}StdntNope": grade.pupils,
                f"grdr{grade.number}{kind}FstuNope": grade.girls,
            }
    return row | _outcomes(world, school, pupils)


def _outcomes(world: World, school: School, pupils: Enrolment) -> Record:
    """Who left last February and where to; who was wanted, applied and came this March."""
    left, girls = pupils.graduates()
    stream = world.measure("schools", "outcomes", school.index, pupils.year)
    onward = 1000 if school.level == ELEMENTARY else 997
    if school.level == HIGH:
        onward = stream.between(350, 520) if "특성화" in school.high_kind else stream.between(640, 860)
    further, further_girls = left * onward // 1000, girls * onward // 1000
    working = stream.between(300, 620) if "특성화" in school.high_kind else 60
    employed, employed_girls = 0, 0
    if school.level == HIGH:
        employed, employed_girls = (left - further) * working // 1000, (girls - further_girls) * working // 1000
    came = sum(g.pupils for g in pupils.grades if g.number == 1)
    row: Record = {"grstNope": left, "fmalGrstNope": girls, "adstNope": further, "fmalAdstNope": further_girls}
    row |= {"empmNope": employed, "fmalEmpmNope": employed_girls, "mtcltnTrgtNope": came}
    if school.level == HIGH:
        wanted = came + stream.below(came // 8 + 2)
        row |= {"mtcltnPscpNope": wanted, "mtcltnAplcNope": came + stream.below(came // 4 + 2)}
    return row


def _special(world: World, school: School, year: int) -> Record:
    special = enrolment(world, school, year).special
    return {
        "sggNm": school.district.name,
        "edofNm": school.supervisor[0],
        "sclsStdntNope": special[1],
        "sclsCnt": special[0],
    }


def school_codes(world: World, query: Query) -> Reply:
    """Both codes of every school: the statistics' and the standard one."""

    def row(school: School) -> Record:
        return {
            "schlKediCd": school.kedi,
            "neisSchlCd": school.code,
            "schlNm": school.name,
            "stdgSggNm": school.district.name,
            "stdgCtpvNm": school.district.province.name,
            "sigunKediCd": f"{school.kedi[:2]}{int(school.district.code[2:]) // 5:03d}",
            "flctnSeCd": "0",
            "flctnBfafSchlCd": None,
            "nwcrExsCdscCd": "0",
            "schlRdnmAddr": school.road_address,
        }

    return Rows.mapped(schools(world), row)


def school_locations(world: World, query: Query) -> Reply:
    """Where every school stands, under the statistics' code."""

    def row(school: School) -> Record:
        latitude, longitude = school.position
        return {
            "schlCd": school.kedi,
            "lat": latitude,
            "lot": longitude,
            "schlAddr": school.neighbourhood.full_name,
            "schlRdnmAddr": school.road_address,
            "zip": school.postcode,
        }

    return Rows.mapped(schools(world), row)


HANDLERS: Final[dict[str, Handler]] = {
    "SA00202400011": _table(_attributes),
    "SA00202400012": _table(_overview),
    "SA00202400013": _table(_classes),
    "SA00202400014": _table(_students),
    "SA00202400023": _table(_special, year_name="trgtYr", short=False),
    "SA00202400040": school_codes,
    "SA00202400041": school_locations,
}
