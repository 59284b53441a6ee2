"""Operations about minutes: lists by kind of meeting, one meeting's details, agenda, bills, files, speeches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter, itemgetter
from typing import Final

from kopa_hf.sandbox.politics.bill import Bill
from kopa_hf.sandbox.politics.billcolumns import BILL
from kopa_hf.sandbox.politics.bills import agenda, bill_by_id, meetings_of
from kopa_hf.sandbox.politics.committees import PLENARY, PLENARY_MINUTES_CODE, Committee
from kopa_hf.sandbox.politics.listing import Columns, Pool, alike, as_day, chosen, rows, serve, through
from kopa_hf.sandbox.politics.meetings import (
    AUDIT_KIND,
    BUDGET_KIND,
    INQUIRY_KIND,
    PLENARY_KIND,
    SPECIAL_KIND,
    SUB_KIND,
    WHOLE_KIND,
    Meeting,
    clock,
    meeting_by_id,
    meetings,
)
from kopa_hf.sandbox.politics.members import Member, members, roster
from kopa_hf.sandbox.politics.otherbills import nominations
from kopa_hf.sandbox.politics.terms import TERMS, eraco
from kopa_hf.sandbox.query import Handler, Query, RefusedError, Reply
from kopa_hf.sandbox.world import World

_LAST_MEETINGS: Final = 40
SITE: Final = "https://record.sandbox.invalid/assembly/"


def _flag(mark: str) -> Callable[[World, Meeting], str]:
    return lambda world, meeting: "Y" if meeting.mark == mark else "N"


MEETING: Final[Columns] = {
    **alike("CONF_ID CONFER_NUM", lambda w, m: m.id),
    "ERACO": lambda w, m: eraco(m.term),
    **alike("DAE_NUM CT1", lambda w, m: str(m.term)),
    "SESS": lambda w, m: m.session.label,
    "DGR": lambda w, m: f"제{m.order}차",
    **alike("SES_NUM CT2", lambda w, m: str(m.session.number)),
    **alike("DEGREE_NUM CT3", lambda w, m: str(m.order)),
    **alike("CONF_DT CONF_DATE TAKING_DATE", lambda w, m: m.day.isoformat()),
    **alike("CONF_KND CLASS_NAME", lambda w, m: m.kind),
    **alike("CMIT_NM COMM_NAME", lambda w, m: m.body),
    "CMIT_CD": lambda w, m: m.minutes_code,
    "DEPT_CD": lambda w, m: m.committee.code if m.committee else PLENARY[0],
    **alike("TITLE CONF_NM", lambda w, m: m.title),
    "SB_CMIT_NM": lambda w, m: m.sub_name,
    "SB_CMIT_CD": lambda w, m: m.sub_code,
    "CONF_PLC": lambda w, m: m.place,
    "BG_PTM": lambda w, m: clock(m.begins),
    "ED_PTM": lambda w, m: clock(m.begins + m.lasts),
    "CONF_PTM": lambda w, m: f"{m.lasts // 60}시간 {m.lasts % 60}분",
    "DOWN_URL": lambda w, m: f"{SITE}{m.id}.hwp",
    "VOD_LINK_URL": lambda w, m: f"https://vod.sandbox.invalid/{m.id}",
    "LINK_URL": lambda w, m: f"https://vod.sandbox.invalid/{m.id}",
    "CONF_LINK_URL": lambda w, m: f"{SITE}summary/{m.id}",
    "PDF_LINK_URL": lambda w, m: f"{SITE}{m.id}.pdf",
    "BILL_URL": lambda w, m: f"{SITE}agenda/{m.id}",
    "PDF_FILE_ID": lambda w, m: f"{7_000_000 + int(m.id)}",
    "VODCOMM_CODE": lambda w, m: m.minutes_code[-3:],
    "HR_HRG_YN": lambda w, m: "Y" if m.id in _hearing_ids(w) else "N",
    "PBHRG_YN": _flag("공청회"),
    "HRG_YN": _flag("청문회"),
    "SITG_YN": _flag("연석회의"),
    "RMND_SPH_YN": _flag("취임연설"),
    "RDJM_SPH_YN": _flag("시정연설"),
    "FRNGUS_SPH_YN": _flag("외빈연설"),
}
"""Column → value of a meeting."""


def _hearing_ids(world: World) -> frozenset[str]:
    """Meetings at which a nominee was heard."""

    def build(w: World) -> frozenset[str]:
        stages = (n.bill.review for term in TERMS for n in nominations(w, term))
        return frozenset(stage.presented.id for stage in stages if stage.presented)

    return world.table("politics.hearing_ids", build)


def held(select: Callable[[World, Meeting], bool]) -> Pool:
    """Meetings that a condition selects, the latest first; kept after the first call."""

    def pool(world: World, query: Query) -> Sequence[Meeting]:
        return world.table(
            f"politics.held.{query.operation}", lambda w: tuple(m for m in reversed(meetings(w)) if select(w, m))
        )

    return pool


def _marked(mark: str) -> Handler:
    return serve(MEETING, held(lambda w, m: m.mark == mark))


def _kind(*kinds: str) -> Handler:
    return serve(MEETING, held(lambda w, m: m.kind in kinds))


def _one(world: World, query: Query) -> Sequence[Meeting]:
    found = meeting_by_id(world, query.get("CONF_ID"))
    return (found,) if found else ()


# agenda


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a meeting's agenda."""

    meeting: Meeting
    number: int
    name: str
    bill: Bill | None


def items_of(world: World, meeting: Meeting) -> tuple[Item, ...]:
    """What a meeting dealt with: speeches and hearings first, then its bills; never empty."""
    kept: dict[str, tuple[Item, ...]] = world.table("politics.items", lambda _: {})
    if meeting.id not in kept:
        kept[meeting.id] = _items(world, meeting)
    return kept[meeting.id]


def _items(world: World, meeting: Meeting) -> tuple[Item, ...]:
    heads = [meeting.mark] if meeting.mark else []
    if meeting.kind == AUDIT_KIND and meeting.committee:
        heads.append(f"{meeting.committee.ministry} 등에 대한 국정감사")
    if meeting.kind == INQUIRY_KIND:
        heads.append("기관보고 및 증인 신문")
    treated = agenda(world, meeting)
    if not heads and not treated:
        heads.append("현안보고")
    names: list[tuple[str, Bill | None]] = [*((head, None) for head in heads), *((b.name, b) for b in treated)]
    return tuple(Item(meeting, place, name, bill) for place, (name, bill) in enumerate(names, 1))


ITEM: Final[Columns] = {
    **through(MEETING, attrgetter("meeting")),
    "SUB_NAME": lambda w, i: f"{i.number}. {i.name}",
    **alike("SUB_NUM BLL_NO", lambda w, i: str(i.number)),
    "BLL_NM": lambda w, i: i.name,
    "BLL_LV": lambda w, i: "1",
}
"""An item with its meeting's columns."""


def _itemised(select: Callable[[World, Meeting], bool]) -> Handler:
    """One row per agenda item; meetings are filtered by their own columns before their items are made."""
    pool = held(select)
    own = {name: column for name, column in MEETING.items() if name not in ("SUB_NAME", "SUB_NUM")}

    def handle(world: World, query: Query) -> Reply:
        kept = chosen(world, query, pool(world, query), own)
        items = [item for meeting in kept for item in items_of(world, meeting)]
        last = {name: ITEM[name] for name in ("SUB_NAME", "SUB_NUM")}
        return rows(world, query, chosen(world, query, items, last), ITEM)

    return handle


def _agenda(world: World, query: Query) -> Sequence[Item]:
    return [item for meeting in _one(world, query) for item in items_of(world, meeting)]


# bills and meetings


PAIR: Final[Columns] = {
    **through(MEETING, itemgetter(0)),
    **{
        name: column
        for name, column in through(BILL, itemgetter(1)).items()
        if name in ("BILL_ID", "BILL_NM", "BILL_NAME", "LINK_URL")
    },
}
"""A meeting and a bill that it dealt with."""


def _minutes_by_bill(world: World, query: Query) -> Sequence[tuple[Meeting, Bill]]:
    bill = bill_by_id(world, query.get("BILL_ID"))
    return [(meeting, bill) for meeting in meetings_of(world, bill)] if bill else []


def _meeting_bills(world: World, query: Query) -> Sequence[tuple[Meeting, Bill]]:
    bill_id, conf_id = query.get("BILL_ID"), query.get("CONF_ID")
    if not bill_id and not conf_id:
        raise RefusedError("missing", "CONF_ID")
    pool = _one(world, query) if conf_id else [m for m, _ in _minutes_by_bill(world, query)]
    return [(m, bill) for m in pool for bill in agenda(world, m) if bill_id in ("", bill.id)]


# files and speeches


@dataclass(frozen=True, slots=True)
class File:
    """A file that belongs to a meeting's minutes."""

    meeting: Meeting
    number: int
    kind: str
    text: str


def _files(kind: str, share: float, most: int, texts: tuple[str, ...]) -> Pool:
    def build(world: World) -> tuple[File, ...]:
        found = []
        for meeting in reversed(meetings(world)):
            stream = world.identity("politics", "files", kind, meeting.id)
            if meeting.full and stream.chance(share):
                for number in range(1, stream.between(1, most) + 1):
                    found.append(File(meeting, number, kind, f"{stream.choice(texts)}({meeting.body})"))
        return tuple(found)

    def pool(world: World, query: Query) -> Sequence[File]:
        return world.table(f"politics.files.{query.operation}", build)

    return pool


FILE: Final[Columns] = {
    **through(MEETING, attrgetter("meeting")),
    "FILE_KND": lambda w, f: f.kind,
    "FILE_CN": lambda w, f: f.text,
    "DOWN_URL": lambda w, f: f"{SITE}file/{f.meeting.id}_{f.number}",
}


@dataclass(frozen=True, slots=True)
class Speech:
    """One member's words at a meeting."""

    meeting: Meeting
    speaker: Member
    seconds: int


def _speeches(world: World, query: Query) -> Sequence[Speech]:
    """Speeches of a day; without one (the wire demands it) those of the last meetings."""
    day = as_day(query.get("TAKING_DATE"))
    every = meetings(world)
    found = []
    for meeting in [m for m in every if m.day.isoformat() == day] if day else every[:-_LAST_MEETINGS:-1]:
        people = _present(world, meeting)
        stream = world.identity("politics", "speeches", meeting.id)
        for member in stream.sample(people, stream.between(4, 12)):
            found.append(Speech(meeting, member, stream.between(60, 900)))
    return found


def _present(world: World, meeting: Meeting) -> list[Member]:
    if meeting.committee is None:
        return list(members(world, meeting.term))
    return [member for member, _ in roster(world, meeting.term, meeting.committee)]


SPEECH: Final[Columns] = {
    **through(MEETING, attrgetter("meeting")),
    "ESSENTIAL_PERSON": lambda w, s: s.speaker.name,
    "REC_TIME": lambda w, s: f"{s.seconds // 3600:02d}:{s.seconds // 60 % 60:02d}:{s.seconds % 60:02d}",
}


# bodies


@dataclass(frozen=True, slots=True)
class Body:
    """A body that keeps minutes in a term."""

    term: int
    kind: str
    committee: Committee | None
    sub: Meeting | None


def _bodies(world: World, query: Query) -> Sequence[Body]:
    def build(w: World) -> tuple[Body, ...]:
        found: dict[tuple[int, str, int, int], Body] = {}
        for meeting in meetings(w):
            place = -1 if meeting.committee is None else meeting.committee.index
            key = (meeting.term, meeting.kind, place, -1 if meeting.sub is None else meeting.sub)
            if key not in found:
                sub = meeting if meeting.sub is not None else None
                found[key] = Body(meeting.term, meeting.kind, meeting.committee, sub)
        return tuple(found[key] for key in sorted(found, key=lambda k: (-k[0], *k[1:])))

    return world.table("politics.bodies", build)


_CLASSES: Final = (
    PLENARY_KIND,
    "상임위원회",
    SPECIAL_KIND,
    BUDGET_KIND,
    SUB_KIND,
    AUDIT_KIND,
    INQUIRY_KIND,
    WHOLE_KIND,
)

BODY: Final[Columns] = {
    "TH": lambda w, b: str(b.term),
    "CLASS_ID": lambda w, b: str(_CLASSES.index(b.kind) + 1),
    "CLASS_NM": lambda w, b: b.kind,
    "CMIT_NM": lambda w, b: b.committee.name if b.committee else PLENARY[1],
    "CMIT_CD": lambda w, b: b.committee.minutes_code if b.committee else PLENARY_MINUTES_CODE,
    "SUB_CMIT_CD": lambda w, b: b.sub.sub_code if b.sub else None,
    "SUB_CMIT_NM": lambda w, b: b.sub.sub_name if b.sub else None,
}


HANDLERS: Final[dict[str, Handler]] = {
    "nzbyfwhwaoanttzje": _itemised(lambda w, m: m.kind == PLENARY_KIND),
    "ncwgseseafwbuheph": _itemised(lambda w, m: m.committee is not None and m.kind not in (AUDIT_KIND, INQUIRY_KIND)),
    "O8WI650012155G10023": _itemised(lambda w, m: m.kind == WHOLE_KIND),
    "VCONFPHCONFLIST": _marked("공청회"),
    "OOWY4R001216HX11510": _marked("청문회"),
    "OOWY4R001216HX11511": _marked("연석회의"),
    "OOWY4R001216HX11513": _marked("시정연설"),
    "OOWY4R001216HX11512": _marked("취임연설"),
    "OOWY4R001216HX11514": _marked("외빈연설"),
    "VCONFAPIGCONFLIST": _kind(AUDIT_KIND),
    "OOWY4R001216HX11508": _kind(INQUIRY_KIND),
    "OOWY4R001216HX11505": _kind(BUDGET_KIND),
    "OOWY4R001216HX11506": _kind(SPECIAL_KIND),
    "OOWY4R001216HX11519": _kind(SUB_KIND),
    "VCONFCFRMCONFLIST": serve(MEETING, held(lambda w, m: m.id in _hearing_ids(w))),
    "OOWY4R001216HX11520": serve(MEETING, _one),
    "OOWY4R001216HX11524": serve(ITEM, _agenda),
    "OOWY4R001216HX11526": serve(PAIR, _minutes_by_bill),
    "OOWY4R001216HX11525": serve(PAIR, _meeting_bills),
    "OOWY4R001216HX11424": serve(MEETING, held(lambda w, m: m.kind != SUB_KIND)),
    "OVW2NU000937WK15521": serve(MEETING, held(lambda w, m: m.committee is not None and m.sub is None)),
    "O3VTTM0010223D15681": serve(SPEECH, _speeches),
    "OU8JBT0015343C14378": serve(BODY, _bodies),
    "OOWY4R001216HX11516": serve(FILE, _files("부록", 0.5, 3, ("보고사항", "출석위원 명단", "표결 내역", "의안 원문"))),
    "OOWY4R001216HX11517": serve(FILE, _files("서면질의답변서", 0.25, 3, ("서면질의 답변서", "추가 답변자료"))),
    "OOWY4R001216HX11522": serve(FILE, _files("제안설명서", 0.3, 4, ("제안설명서", "검토보고서"))),
    "OOWY4R001216HX11521": serve(FILE, _files("시청각자료", 0.12, 2, ("발표자료", "영상자료"))),
    "OOWY4R001216HX11523": serve(FILE, _files("시정조치 결과보고서", 0.08, 1, ("시정조치 결과보고서",))),
}
