"""Branch offices of the agency, the districts they answer for, and the exam places they run."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.sandbox.places import District, districts, neighbourhoods, street_address
from kopa_hf.sandbox.query import Handler, Query, Reply
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.skills.fields import REGIONS
from kopa_hf.sandbox.skills.shaping import day, listed
from kopa_hf.sandbox.world import LAST_DAY, World

_SIDES: Final = ("", "동부", "서부", "남부", "북부")
_BRANCHES: Final = {"A101": 3, "A102": 2, "A108": 5, "A109": 2, "A111": 2, "A112": 2, "A113": 2, "A114": 3, "A115": 2}
"""Regions with more than one branch."""
_PLACES: Final = ("시험센터", "공업고등학교", "중학교", "직업전문학교", "기술교육원")
_WORDS: Final = ("가람", "나래", "다솜", "라온", "마루", "보람", "새벽", "아라", "은하", "초롱", "한별", "여울")
_LOST: Final = (
    ("전자기기", "이어폰"),
    ("의류", "외투"),
    ("필기구", "필통"),
    ("지갑", "카드지갑"),
    ("가방", "손가방"),
    ("기타", "우산"),
)


@dataclass(frozen=True, slots=True)
class Branch:
    """One branch office (지사)."""

    code: str
    """Two digits."""
    name: str
    region: int
    """Position in `fields.REGIONS`."""
    seat: District
    districts: tuple[District, ...]
    address: str
    postcode: str
    phone: str


@dataclass(frozen=True, slots=True)
class ExamPlace:
    """A school or centre where a branch holds exams."""

    branch: Branch
    name: str
    kind: str
    address: str
    phone: str
    rooms: int
    usable: int
    computers: bool


def branches(world: World) -> tuple[Branch, ...]:
    """All branches, by code."""
    return world.table("skills.branches", _build)


def branch_of_region(world: World, region: int) -> Branch:
    """The first branch of a region."""
    return next(branch for branch in branches(world) if branch.region == region)


def branch(world: World, code: str) -> Branch | None:
    """The branch of a code."""
    return next((b for b in branches(world) if b.code == code), None)


def exam_places(world: World) -> tuple[ExamPlace, ...]:
    """All exam places, branch by branch."""
    return world.table("skills.exam_places", lambda w: tuple(p for b in branches(w) for p in _places(w, b)))


def _build(world: World) -> tuple[Branch, ...]:
    found: list[Branch] = []
    for region, (code, short, province, _) in enumerate(REGIONS):
        every, parts = districts(province), _BRANCHES.get(code, 1)
        for part in range(parts):
            own = every[len(every) * part // parts : len(every) * (part + 1) // parts]
            stream = world.identity("skills", "branch", code, part)
            seat = stream.choice(own)
            found.append(
                Branch(
                    code=f"{len(found) + 1:02d}",
                    name=f"{short}{_SIDES[part]}지사" if part or parts == 1 else f"{short}지역본부",
                    region=region,
                    seat=seat,
                    districts=own,
                    address=_address(stream, seat),
                    postcode=f"{stream.between(1000, 63999):05d}",
                    phone=_phone(stream),
                )
            )
    return tuple(found)


def _places(world: World, branch: Branch) -> list[ExamPlace]:
    stream = world.identity("skills", "places", branch.code)
    found = []
    for number in range(world.count(stream.between(8, 26))):
        kind = _PLACES[0] if number == 0 else stream.choice(_PLACES[1:])
        seat = branch.seat if number == 0 else stream.choice(branch.districts)
        own = f"{branch.name.removesuffix('지사')} " if number == 0 else stream.choice(_WORDS)
        rooms = stream.between(4, 40)
        found.append(
            ExamPlace(
                branch=branch,
                name=f"{own}{kind}" if number == 0 else f"{seat.name.split()[0][:2]}{own}{kind}",
                kind="공단 시험센터" if number == 0 else "외부 시험장",
                address=_address(stream, seat),
                phone=_phone(stream),
                rooms=rooms,
                usable=rooms - stream.below(rooms // 2),
                computers=number == 0 or stream.chance(0.3),
            )
        )
    return found


def _address(stream: Stream, seat: District) -> str:
    around = neighbourhoods(seat.code)
    return street_address(stream, stream.choice(around) if around else seat)


def _phone(stream: Stream) -> str:
    return f"0{stream.between(31, 64)}-0{stream.between(100, 999)}-{stream.below(10_000):04d}"


# answers


def list_branches(world: World, query: Query) -> Reply:
    """지사정보."""
    return listed(query, branches(world), _branch)


def _branch(branch: Branch) -> dict[str, Any]:
    return {
        "addr": branch.address,
        "brchNm": branch.name,
        "brchTrthNm": f"한국산업인력공단 {branch.name}",
        "brchUrl": f"https://sandbox.invalid/branch/{branch.code}",
        "bus": f"{branch.seat.name.split()[0]} 정류장에서 걸어서 5분",
        "examMap": f"https://sandbox.invalid/branch/{branch.code}/exam.png",
        "offMap": f"https://sandbox.invalid/branch/{branch.code}/office.png",
        "postNo": branch.postcode,
    }


def list_exam_places(world: World, query: Query) -> Reply:
    """국가자격시험 시험장소 of one branch."""
    return listed(query, [p for p in exam_places(world) if p.branch.code == query.get("brchCd")], _place)


def _place(place: ExamPlace) -> dict[str, Any]:
    return {
        "address": place.address, "brchCd": place.branch.code, "brchNm": place.branch.name,
        "examAreaGbNm": place.kind, "examAreaNm": place.name, "telNo": place.phone,
        "plceLoctGid": f"{place.address.split()[1]} 안내판을 따라 들어오세요.",
        "areaRole": "필기·실기" if place.computers else "필기", "cbtFcltyYnCcd": "Y" if place.computers else "N",
        "fcltyGb": "컴퓨터실" if place.computers else "교실", "fcltyNm": f"{place.name} 본관",
        "totFcltyCnt": str(place.rooms), "usePosbtFcltyCnt": str(place.usable),
    }  # fmt: skip


def list_jurisdictions(world: World, query: Query) -> Reply:
    """시군구별 관할지사."""
    rows = [(b, d) for b in branches(world) for d in b.districts]
    return listed(
        query, rows, lambda row: {"brchNm": row[0].name, "sido": row[1].province.name, "sigungu": row[1].name}
    )


def list_lost_things(world: World, query: Query) -> Reply:
    """자격시험 중 분실물."""
    code = query.get("brchCd")
    places = [p for p in exam_places(world) if not code or p.branch.code == code]
    rows = [(p, n) for p in places for n in range(world.identity("skills", "lost", p.name, p.branch.code).below(4))]

    def known(row: tuple[ExamPlace, int]) -> dict[str, Any]:
        place, number = row
        stream = world.identity("skills", "lost thing", place.name, place.branch.code, number)
        kind, thing = stream.choice(_LOST)
        lost = LAST_DAY - datetime.timedelta(days=stream.between(3, 330))
        noted = lost + datetime.timedelta(days=stream.below(3))
        where = {"lossPlce": place.name, "lossDt": day(lost), "regDt": day(noted)}
        return {"brchNm": place.branch.name, "lossKind": kind, "lossNm": thing, **where}

    return listed(query, rows, known)


HANDLERS: Final[dict[str, Handler]] = {
    "InquiryBrchSVC/getList": list_branches,
    "InquiryExamAreaSVC/getList": list_exam_places,
    "InquiryTestSiteSVC/getList": list_exam_places,
    "InquiryJrctSVC/getList": list_jurisdictions,
    "InquiryExamLossSVC/getList": list_lost_things,
}
