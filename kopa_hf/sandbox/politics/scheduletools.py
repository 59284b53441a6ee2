"""Operations about schedules: of the house, its committees, its members and its chairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from kopa_hf.sandbox.politics.english import COMMITTEES
from kopa_hf.sandbox.politics.events import (
    ChairDay,
    Event,
    Press,
    chair_days,
    hosts,
    press_conferences,
    seminars,
    speaker,
    speakers,
    vice_speakers,
)
from kopa_hf.sandbox.politics.listing import Columns, Pool, alike, serve
from kopa_hf.sandbox.politics.meetings import AUDIT_KIND, PLENARY_KIND, SUB_KIND, WHOLE_KIND, Meeting, clock, meetings
from kopa_hf.sandbox.politics.members import members, members_by_code
from kopa_hf.sandbox.politics.minutestools import MEETING, held, items_of
from kopa_hf.sandbox.politics.terms import TERMS, eraco, sessions, unit_code
from kopa_hf.sandbox.query import Handler, Query
from kopa_hf.sandbox.world import World

SITE: Final = "https://schedule.sandbox.invalid/"


def _agenda_text(world: World, meeting: Meeting) -> str:
    return "\r\n".join(f"{item.number}. {item.name}" for item in items_of(world, meeting))


SITTING: Final[Columns] = {
    **MEETING,
    **alike("MEETING_DATE MEETTING_DATE SCH_DT", lambda w, m: m.day.isoformat()),
    **alike("MEETING_TIME MEETTING_TIME SCH_TM", lambda w, m: clock(m.begins)),
    "MEETINGSESSION": lambda w, m: str(m.session.number),
    "CHA": lambda w, m: str(m.order),
    **alike("DEGREE CONF_DGR", lambda w, m: f"제{m.order}차"),
    "CONF_SESS": lambda w, m: m.session.label,
    "CONF_DIV": lambda w, m: "소위원회" if m.sub is not None else m.session.kind if m.committee is None else "전체회의",
    **alike("COMMITTEE_NAME CMIT_NM", lambda w, m: m.body),
    "HR_DEPT_CD": lambda w, m: MEETING["DEPT_CD"](w, m),
    "UNIT_CD": lambda w, m: unit_code(m.term),
    "UNIT_NM": lambda w, m: eraco(m.term),
    **alike("LINK_URL LINK_URL2", lambda w, m: SITE + m.id),
    **alike("ANGUN CONTS", _agenda_text),
    "SCH_KIND": lambda w, m: "본회의" if m.committee is None else "위원회",
    "SCH_CN": lambda w, m: m.title,
    **alike("EV_INST_NM EV_PLC", lambda w, m: None),
}
"""A meeting as schedules print it; session and number are bare digits in the plenary's schedule."""

ENGLISH: Final[Columns] = {
    **SITTING,
    "CONF_SCH_DIV": lambda w, m: "Plenary" if m.committee is None else "Committee",
    "SESS": lambda w, m: f"{m.session.number}th",
    "DGR": lambda w, m: str(m.order),
    "CMIT_NM": lambda w, m: COMMITTEES[m.committee.name] if m.committee else "Plenary Session",
}


# seminars, press, chairs


def _office(world: World, event: Event) -> str:
    return f"{'·'.join(m.name for m in hosts(world, event))} 의원실"


EVENT: Final[Columns] = {
    "SCH_KIND": lambda w, e: "국회행사",
    **alike("SCH_CN TITLE EV_TTL", lambda w, e: e.title),
    **alike("SCH_DT SDATE", lambda w, e: e.day.isoformat()),
    "HOST_DT": lambda w, e: f"{e.day.isoformat()} {clock(e.begins)}",
    **alike("SCH_TM STIME", lambda w, e: f"{clock(e.begins)}~{clock(e.ends)}"),
    "EV_DTM": lambda w, e: f"{e.day.isoformat()} {clock(e.begins)}",
    **alike("CONF_DIV CMIT_NM CONF_SESS CONF_DGR", lambda w, e: None),
    **alike("EV_INST_NM NAME HOST_INS_NAME", _office),
    "NAAS_NM": lambda w, e: hosts(w, e)[0].name,
    **alike("EV_PLC LOCATION HOST_PLACE_NAME", lambda w, e: e.place),
    **alike("LINK LINK_URL DETAIL_VIEW_URL", lambda w, e: f"https://seminar.sandbox.invalid/{e.seed % 1_000_000:06d}"),
    "DESCRIPTION": lambda w, e: f"주최: {_office(w, e)}\r\n발제: {speakers(e, 'first', 1)}",
    "SEMINAR_DIV_CODE": lambda w, e: e.title.rsplit(" ", 1)[-1],
    "ATTENDANCE_NAME1": lambda w, e: speakers(e, "first", 1 + e.seed % 2),
    "ATTENDANCE_NAME2": lambda w, e: speakers(e, "second", 2 + e.seed % 4),
}
PRESS: Final[Columns] = {
    "TAKING_DATE": lambda w, p: p.day.isoformat(),
    "OPEN_TIME": lambda w, p: clock(p.minutes),
    "TITLE": lambda w, p: p.title,
    "PERSON": lambda w, p: p.speaker.name,
    "REC_TIME": lambda w, p: f"00:{p.seconds // 60:02d}:{p.seconds % 60:02d}",
    "LINK_URL": lambda w, p: f"https://vod.sandbox.invalid/press/{p.day:%Y%m%d}{p.minutes:04d}",
    "USE_START_DT": lambda w, p: f"{p.day.isoformat()} {clock(p.minutes)}",
    "USER_NM": lambda w, p: p.speaker.name,
    "POLY_NM": lambda w, p: p.speaker.party,
    "CONT": lambda w, p: p.title,
}
CHAIR: Final[Columns] = {
    **alike("SCH_DT SCHEDULEDATE", lambda w, c: c.day.isoformat()),
    **alike("SCH_TM SCHEDULETIME", lambda w, c: clock(c.minutes)),
    "CHM_DIV": lambda w, c: c.chair,
    **alike("SCH_CN CONTENTS", lambda w, c: c.text),
}
_CHAIR_ENTRY: Final[Columns] = {
    **CHAIR,
    "SCH_KIND": lambda w, c: "의장단",
    **alike("CONF_DIV CMIT_NM CONF_SESS CONF_DGR EV_PLC", lambda w, c: None),
    "EV_INST_NM": lambda w, c: f"국회{c.chair}실",
}


def _entry(name: str) -> Callable[[World, Any], Any]:
    tables: dict[type, Columns] = {Meeting: SITTING, Event: EVENT, ChairDay: _CHAIR_ENTRY}
    return lambda world, entry: tables[type(entry)][name](world, entry)


ENTRY: Final[Columns] = {name: _entry(name) for name in _CHAIR_ENTRY if name in EVENT}
"""Anything in the house's common schedule: a meeting, a seminar or an entry of the chairs' diary."""


def _entries(world: World, query: Query) -> Sequence[Any]:
    """Everything that is announced, the latest day first."""

    def build(w: World) -> tuple[Any, ...]:
        found: list[Any] = [*seminars(w), *reversed(meetings(w)), *chair_days(w)]
        return tuple(sorted(found, key=lambda entry: entry.day, reverse=True))

    return world.table("politics.entries", build)


# one member's meetings


def _member_meetings(select: Callable[[Meeting], bool]) -> Pool:
    """Meetings of the bodies to which a member belongs, the latest first."""

    def pool(world: World, query: Query) -> Sequence[Meeting]:
        code = query.get("NAAS_CD")
        seats: dict[int, set[int]] = {}
        for term in TERMS if code in members_by_code(world) else ():
            for member in members(world, term):
                if member.code == code:
                    seats[term] = {committee.index for committee, _ in member.posts}
        return [
            m
            for m in reversed(meetings(world))
            if m.term in seats and select(m) and (m.committee is None or m.committee.index in seats[m.term])
        ]

    return pool


# sessions, broadcasts


SESSION: Final[Columns] = {
    "ERACO": lambda w, s: eraco(s.term),
    "SESS": lambda w, s: s.label,
    "SESS_BG_DT": lambda w, s: s.begins.isoformat(),
    "SESS_ED_DT": lambda w, s: s.ends.isoformat(),
}


def _channels(world: World, query: Query) -> Sequence[str]:
    return ("본회의", *(name.removesuffix("위원회")[:4] for name in COMMITTEES))


BROADCAST: Final[Columns] = {
    "CMIT_NM": lambda w, channel: channel,
    "CONF_NM": lambda w, channel: None,
    "LBRD_STAT": lambda w, channel: None,
}
"""Nothing is on air: the world's today has no meeting."""


# past speakers


def _chairs(world: World, query: Query) -> Sequence[tuple[int, str, str]]:
    found: list[tuple[int, str, str]] = []
    for term in reversed(TERMS):
        found.append((term, "의장", speaker(world, term).name))
        found.extend((term, "부의장", member.name) for member in vice_speakers(world, term))
    return found


PAST_CHAIR: Final[Columns] = {
    "DIV": lambda w, c: c[1],
    "CHM_PN": lambda w, c: c[2],
    "CHM_APTM_YS": lambda w, c: f"{2020 + 4 * (c[0] - 21)}.06.05 ~ {2022 + 4 * (c[0] - 21)}.05.29",
    "CHM_RMK": lambda w, c: None,
    "UNIT_NM": lambda w, c: eraco(c[0]),
}


def _press(world: World, query: Query) -> Sequence[Press]:
    return press_conferences(world)


def _seminars(world: World, query: Query) -> Sequence[Event]:
    return seminars(world)


def _speaker_only(world: World, query: Query) -> Sequence[ChairDay]:
    return world.table("politics.speaker_days", lambda w: tuple(c for c in chair_days(w) if c.chair == "의장"))


HANDLERS: Final[dict[str, Handler]] = {
    "ALLSCHEDULE": serve(ENTRY, _entries),
    "nekcaiymatialqlxr": serve(SITTING, held(lambda w, m: m.kind == PLENARY_KIND)),
    "OEUJQB0012145514537": serve(SITTING, held(lambda w, m: m.kind == WHOLE_KIND)),
    "nrsldhjpaemrmolla": serve(SITTING, held(lambda w, m: m.committee is not None and m.kind != AUDIT_KIND)),
    "O27DU0000960M511942": serve(SITTING, held(lambda w, m: m.committee is not None and m.full)),
    "O4UN9N000961PS11812": serve(SITTING, held(lambda w, m: m.kind == SUB_KIND)),
    "OKBFLN000963SS13091": serve(SITTING, held(lambda w, m: m.mark == "공청회")),
    "OOWY4R001216HX11451": serve(ENGLISH, held(lambda w, m: m.full and m.term == TERMS[-1])),
    "OOWY4R001216HX11415": serve(SITTING, _member_meetings(lambda m: m.kind == PLENARY_KIND)),
    "OOWY4R001216HX11417": serve(SITTING, _member_meetings(lambda m: m.committee is not None)),
    "OOWY4R001216HX11501": serve(EVENT, _seminars),
    "O67B1I001080WL10254": serve(EVENT, _seminars),
    "OQ0A0T0011366V19103": serve(EVENT, _seminars),
    "OZY6M30010164K11655": serve(PRESS, _press),
    "OI75DS001208ZW14781": serve(PRESS, _press),
    "OOWY4R001216HX11431": serve(CHAIR, lambda world, query: chair_days(world)),
    "OTM7PV000945R113521": serve(CHAIR, _speaker_only),
    "BILLSESSPROD": serve(SESSION, lambda world, query: tuple(reversed(sessions(world)))),
    "WEBCASTREALTIEM": serve(BROADCAST, _channels),
    "O6P4Y5001146KI12348": serve(PAST_CHAIR, _chairs),
}
