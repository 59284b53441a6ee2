"""Schools, departments and employers as Q-Net keeps them; the agency's pages, posts, laws and deliveries."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Final

from kopa_hf.sandbox.places import districts, neighbourhoods
from kopa_hf.sandbox.query import Handler, Record
from kopa_hf.sandbox.skills.branches import branches
from kopa_hf.sandbox.skills.fields import FIELDS, SERIES
from kopa_hf.sandbox.skills.ncs import LARGE
from kopa_hf.sandbox.skills.qualifications import Qualification, technical
from kopa_hf.sandbox.skills.shaping import day, names_of, table
from kopa_hf.sandbox.skills.words import NAME_WORDS
from kopa_hf.sandbox.statutes.laws import ACT, Edition, Law, current_editions
from kopa_hf.sandbox.universities.university import universities
from kopa_hf.sandbox.world import LAST_DAY, World

_DEPARTMENTS: Final = tuple(f"{subject}학과" for field in FIELDS for subject in field.subjects[:1])
_CASES: Final = (("자격취소", 3), ("자격정지", 7))
_RESULTS: Final = (("배송완료", ""), ("반송", "수취인 부재"), ("반송", "주소 불명"))
_CONTENTS: Final = (
    "원서접수 안내",
    "수험자 유의사항",
    "자격증 발급 안내",
    "응시자격 자가진단",
    "가답안 공개",
    "시험장 안내",
)
_DEPTS: Final = ("기획운영국", "국가자격국", "출제실", "정보화지원국")


def _university(world: World, number: int) -> Record:
    """Q-Net keeps the universities' names and gives them numbers of its own."""
    name = universities(world)[number].name
    return {"univcd": str(30_001 + number), "univCd": str(30_001 + number), "univnm": name, "univNm": name}


def _departments(world: World) -> list[tuple[int, int]]:
    return [
        (number, department)
        for number in range(len(universities(world)))
        for department in world.identity("campus", "departments", number).sample(range(len(_DEPARTMENTS)), 12)
    ]


def _department(world: World, row: tuple[int, int]) -> Record:
    field = FIELDS[row[1]]
    return {
        **_university(world, row[0]), "udeptcd": f"D{row[1] + 1:03d}", "udeptnm": _DEPARTMENTS[row[1]],
        "udeptmdobligcd": field.code, "udeptmdoblignm": field.name, "udeptobligcd": field.large_code,
        "udeptoblignm": field.large_name,
    }  # fmt: skip


def _series(world: World, row: tuple[str, int]) -> Record:
    return {**_department(world, (0, row[1])), "seriescd": row[0], "seriesnm": SERIES[row[0]]}


def _curricula(world: World) -> list[tuple[int, int, int]]:
    return [
        (number, year, grade)
        for number in range(len(universities(world)))
        for year in (2024, 2025)
        for grade in range(1, 5)
    ]


def _curriculum(world: World, row: tuple[int, int, int]) -> Record:
    university = _university(world, row[0])
    name = f"{university['univnm']} {row[1]} {row[2]}학년 교과과정.pdf"
    return {
        **university,
        "univNm": university["univnm"],
        "grade": str(row[2]),
        "gradeYy": str(row[1]),
        "atchFileNm": name,
    }


def _employer(world: World, number: int) -> Record:
    name = f"{NAME_WORDS[number % len(NAME_WORDS)]}{NAME_WORDS[number // len(NAME_WORDS) % len(NAME_WORDS)]}기술"
    share = 100 if number % 3 else 50
    return {
        "compnm": f"{name} {number // 196 + 1}공장" if number >= 196 else name, "rcoginsticd": f"R{number // 12 + 1:03d}",
        "rcoginstinm": f"{NAME_WORDS[number // 12 % len(NAME_WORDS)]}협회 {number // 168 + 1}", "crerRcogRate": str(share),
        "rcogInstiCd": f"R{number + 1:03d}", "rcogInstiNm": f"{NAME_WORDS[number % len(NAME_WORDS)]}협회 {number // 14 + 1}",
        "validTermStartDt": "20230101", "validTermEndDt": "20271231",
    }  # fmt: skip


def _revocations(world: World) -> list[tuple[Qualification, int]]:
    return [(q, n) for q in technical(world) for n in range(len(_CASES)) if (q.index + n) % 4 == 0]


def _revocation(world: World, row: tuple[Qualification, int]) -> Record:
    q, number = row
    name, most = _CASES[number]
    stream = world.measure("campus", "revoked", q.index, number)
    years = [stream.below(most) for _ in range(7)]
    columns = {f"{'yy' if n == 1 else 'Yy'}{n}AndspsCnt": str(count) for n, count in enumerate(years, 1)}
    return {
        "grdCd": q.grade, "grdNm": q.grade_name, "jmNm": q.name, "andspsGbNm": name, "statisYy": "2025",
        "andspsCnt": str(sum(years)), **columns,
    }  # fmt: skip


def _zone(world: World, number: int) -> Record:
    place = districts()[number]
    return {
        "dlvrRgnNm": place.full_name, "dlvrSectCd": f"{number + 1:03d}", "startZipCode": f"{1_000 + number * 240:05d}",
        "endZipCode": f"{1_000 + number * 240 + 239:05d}",
    }  # fmt: skip


def _roads(world: World) -> list[tuple[int, int]]:
    return [(place, road) for place in range(len(districts())) for road in range(4)]


def _road(world: World, row: tuple[int, int]) -> Record:
    place, stream = districts()[row[0]], world.identity("campus", "road", *row)
    around = neighbourhoods(place.code)
    name = f"{stream.choice(NAME_WORDS)}로"
    return {
        "sido": place.province.name, "sigungu": place.name, "roadNm": name,
        "roadCd": f"{place.code}{3_000_001 + row[1]}",
        "roadEngNm": f"Road {row[1] + 1}", "sidoEngNm": f"Province {place.province.code}",
        "sigunguEngNm": f"District {place.code}",
        "bldSigunguNm": f"{stream.choice(around).name if around else place.name} {stream.choice(NAME_WORDS)}빌딩",
    }  # fmt: skip


def _delivery(world: World, number: int) -> Record:
    when = LAST_DAY - datetime.timedelta(days=number // 3)
    name, reason = _RESULTS[number % 3]
    count = world.measure("campus", "delivery", number).between(300, 900) if not reason else number % 23 + 1
    return {
        "dlvrDt": day(when),
        "dlvrRsltNm": name,
        "retRsnNm": reason or "-",
        "cnt": str(count),
        "month": day(when)[:6],
    }


def _post(world: World, number: int) -> Record:
    when = LAST_DAY - datetime.timedelta(days=3 * number)
    title = f"{when.year}년 {_CONTENTS[number % len(_CONTENTS)]}"
    held = [q for q in technical(world) if q.year_round]
    q = technical(world)[number * 7 % len(technical(world))]
    return {
        "ctsld": str(4_001 + number), "ctsNm": _CONTENTS[number % len(_CONTENTS)], "deptNm": _DEPTS[number % 4],
        "pubYnCcd": "Y", "title": title,
        "fileNm": f"{title}.hwp", "regDttm": f"{when:%Y-%m-%d} 09:00:00",
        "jmNm": held[number % len(held)].name if held else q.name,
        "seriesNm": tuple(SERIES.values())[number % 5], "startDttm": f"{when:%Y-%m-%d} 00:00:00",
        "endDttm": f"{when + datetime.timedelta(days=14):%Y-%m-%d} 23:59:59",
    }  # fmt: skip


def law_of(world: World, q: Qualification) -> Law:
    """The act that a qualification rests on: one of its ministry's."""
    acts = world.table("skills.acts", _acts)
    own = acts.get(q.ministry) or acts[""]
    return own[q.index % len(own)]


def _acts(world: World) -> dict[str, list[Law]]:
    """Acts in force by ministry; all of them under the empty name."""
    found: dict[str, list[Law]] = {"": []}
    for edition in current_editions(world):
        if edition.law.level == ACT:
            found[""].append(edition.law)
            found.setdefault(edition.law.ministry.name, []).append(edition.law)
    return found


def _amendments(world: World) -> list[Edition]:
    used = {law.law_id: law for law in (law_of(world, q) for q in technical(world))}
    return [edition for law in used.values() for edition in law.editions]


def _amendment(world: World, edition: Edition) -> Record:
    return {
        "lawCd": f"L{edition.law.index:04d}", "lawNm": edition.law.name, "amdmtCd": f"A{edition.ordinal + 1:02d}",
        "amdmtDesc": f"{edition.change} ({edition.promulgated} 공포)",
    }  # fmt: skip


def _changed_law(world: World, number: int) -> Record:
    q = technical(world)[number]
    law = law_of(world, q)
    last = law.editions[-1]
    text = f"{last.change} ({last.promulgated} 공포, {last.effective} 시행)"
    return {**names_of(q), "lawNm": law.name, "amdDesc": text, "lgfldNm": q.field.large_name, "slfldNm": q.field.name}


def _member(world: World, number: int) -> Record:
    held = branches(world)
    branch = held[number % len(held)]
    return {
        "brchNm": branch.name, "aprvBrchNm": branch.name, "brchCd": branch.code,
        "aprvStatNm": "승인" if number % 9 else "대기",
        "grupNm": f"{NAME_WORDS[number % len(NAME_WORDS)]}{('공업고', '직업학교', '기업', '군부대')[number % 4]} {number // 14 + 1}",
        "useYn": "Y" if number % 9 else "N",
    }  # fmt: skip


def _extended(world: World, number: int) -> Record:
    held = branches(world)
    branch = held[number % len(held)]
    return {
        "brchNm": branch.name,
        "elgmtRgnNm": branch.districts[number // len(held) % len(branch.districts)].full_name,
        "startDt": f"{2019 + number % 6}0101",
    }


def _hiring(world: World, number: int) -> Record:
    name = LARGE[number % len(LARGE)][1]
    return {
        "orgCoName": f"{NAME_WORDS[number % len(NAME_WORDS)]}{('공사', '공단', '진흥원')[number % 3]} {number // 14 + 1}",
        "recFieldDetl": f"{name} 신입", "ncsCICdNm": name,
    }  # fmt: skip


def _numbers(size: int) -> Callable[[World], range]:
    return lambda world: range(world.count(size))


HANDLERS: Final[dict[str, Handler]] = {
    "InquiryUnivUdeptSVC/getList": table(_departments, _department),
    "InquirySeriesUdeptSVC/getList": table(
        lambda world: [(series, n) for series in ("01", "02", "03", "04") for n in range(len(_DEPARTMENTS))], _series
    ),
    "InquiryUdeptObligSVC/getList": table(lambda world: [(0, n) for n in range(len(_DEPARTMENTS))], _department),
    "InquiryCurriCulumSVC/getList": table(_curricula, _curriculum),
    "InquiryPerInstiSVC/getList": table(_numbers(780), _employer),
    "InquiryRcogInstiSVC/getList": table(_numbers(140), _employer),
    "InquiryAcquAndSpsSVC/getList": table(_revocations, _revocation, grdCd="grdCd", baseYY="statisYy"),
    "InquiryQualDlvrAddrSVC/getAddrList": table(lambda world: range(len(districts())), _zone),
    "InquiryQualDlvrAddrSVC/getAplyList": table(_roads, _road, sido="sido", gun="sigungu", road="~roadNm"),
    "InquiryIssuQualSVC/getList": table(_numbers(1_080), _delivery, baseYYMM="month"),
    "InquiryContentsSVC/getList": table(_numbers(240), _post),
    "InquiryAlwExamSVC/getList": table(_numbers(90), _post),
    "InquiryCustSatiSVC/getList": table(_numbers(40), _post),
    "InquiryLawTransSVC/getList": table(_amendments, _amendment),
    "InquiryChgLawSVC/getList": table(lambda world: range(len(technical(world))), _changed_law),
    "InquiryGrupMemInfoSVC/getList": table(_numbers(520), _member, brchCd="brchCd"),
    "InquiryBrchElgmtRgnSVC/getList": table(lambda world: range(2 * len(branches(world))), _extended),
    "openapi16": table(_numbers(430), _hiring, orgCoName="~orgCoName"),
}
