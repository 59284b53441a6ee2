"""What is held when: sessions, plenary and committee meetings, hearings; and what happened to bills on a day."""

from __future__ import annotations

import calendar
import datetime
from collections.abc import Callable, Sequence
from typing import Any, Final

from kopa_hf.sandbox.politics.bills import LAW, NOMINATION, Bill, all_bills, bills
from kopa_hf.sandbox.politics.columns import BILL, MEETING, eraco, spelled
from kopa_hf.sandbox.politics.committees import committees
from kopa_hf.sandbox.politics.handlers import bill_record, fits, names_of, term_of
from kopa_hf.sandbox.politics.meetings import Meeting, meeting_by_id, meetings, session_number
from kopa_hf.sandbox.politics.members import TERMS, members
from kopa_hf.sandbox.politics.votes import voted_bills
from kopa_hf.sandbox.politics.ways import SPAN
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.world import World

Column = Callable[[Meeting], Any]


def agenda(meeting: Meeting) -> str:
    """What a meeting treats, in one line."""
    more = f" 등 {len(meeting.bills)}건" if len(meeting.bills) > 1 else ""
    return f"{meeting.bills[0].name}{more}"


SCHEDULE: Final[dict[str, Column]] = {
    **MEETING,
    **dict.fromkeys(("MEETINGSESSION", "CONF_SESS"), MEETING["SESS"]),
    **dict.fromkeys(("CHA", "DEGREE", "CONF_DGR"), MEETING["DGR"]),
    **dict.fromkeys(("MEETTING_DATE", "MEETING_DATE", "SCH_DT"), lambda m: m.day.isoformat()),
    **dict.fromkeys(("MEETTING_TIME", "MEETING_TIME"), lambda m: m.begins),
    "SCH_TM": lambda m: f"{m.begins}~{m.ends}",
    "SCH_KIND": lambda m: "위원회" if m.committee else "본회의",
    "CONF_DIV": lambda m: "전체회의" if m.committee else "본회의",
    **dict.fromkeys(("SCH_CN", "CONTS", "ANGUN"), agenda),
    **dict.fromkeys(("CMIT_NM", "COMMITTEE_NAME"), lambda m: m.committee.name if m.committee else None),
    "HR_DEPT_CD": MEETING["DEPT_CD"],
    "UNIT_CD": lambda m: f"1000{m.term}",
    "UNIT_NM": lambda m: eraco(m.term),
    "CONF_NM": MEETING["TITLE"],
    **dict.fromkeys(("LINK_URL", "LINK_URL2"), MEETING["DOWN_URL"]),
}
"""Columns of the tools that print meetings as a calendar; a column that is not here is null."""


def _given(query: Query, columns: Sequence[str]) -> list[tuple[str, str]]:
    return [(name, value.strip()) for name, value in query.parameters.items() if value.strip() and name in columns]


def _rows(found: Sequence[Meeting], query: Query) -> Reply:
    kept = list(found)
    for name, wanted in _given(query, tuple(SCHEDULE)):
        kept = [m for m in kept if fits(name, SCHEDULE[name](m), wanted)]
    names = names_of(query)
    return Rows.mapped(kept, lambda m: {name: SCHEDULE[name](m) if name in SCHEDULE else None for name in names})


def _calendar(select: Callable[[Meeting], bool]) -> Handler:
    return lambda world, query: _rows([m for m in meetings(world) if select(m)], query)


def _of_member(*, plenary: bool) -> Handler:
    """Meetings of a member's committee, or of the plenary, in the terms that the member served."""

    def handler(world: World, query: Query) -> Reply:
        code = query.get("NAAS_CD")
        seats = {m.term: m.committee.index for term in TERMS for m in members(world, term) if m.code == code}
        own = Query(query.operation, {n: v for n, v in query.parameters.items() if n != "NAAS_CD"}, query.tool)
        if plenary:
            return _rows([m for m in meetings(world) if m.committee is None and m.term in seats], own)
        found = [m for m in meetings(world) if m.committee and seats.get(m.term) == m.committee.index]
        return _rows(found, own)

    return handler


def _sessions(world: World, query: Query) -> Reply:
    """One session a month: that is how meetings count them. The month of the change has one of each term."""
    found: list[Record] = []
    for term in reversed(TERMS):
        first, last = SPAN[term]
        day = last.replace(day=1)
        while day >= first.replace(day=1):
            ends = day.replace(day=calendar.monthrange(day.year, day.month)[1])
            own = {
                "ERACO": eraco(term),
                "SESS": f"제{session_number(day)}회",
                "SESS_BG_DT": max(day, first).isoformat(),
                "SESS_ED_DT": min(ends, last).isoformat(),
            }
            found.append({name: own.get(name) for name in names_of(query)})
            day = (day - datetime.timedelta(days=1)).replace(day=1)
    return Rows.of(found)


def _agenda_items(world: World, query: Query) -> Reply:
    meeting = meeting_by_id(world, query.get("CONF_ID"))
    if meeting is None:
        return NO_ROWS
    names, rows = names_of(query), []
    for place, bill in enumerate(meeting.bills, start=1):
        own = {"BLL_NO": str(place), "BLL_NM": bill.name, "BLL_LV": "1"}
        rows.append({n: own[n] if n in own else MEETING[n](meeting) for n in names})
    return Rows.of(rows)


def _minutes_committees(world: World, query: Query) -> Reply:
    """Committees with minutes, by term: the only place that gives CMIT_CD together with its name."""
    names, rows = names_of(query), []
    for term in reversed(TERMS):
        for committee in committees(world):
            own: Record = {
                "TH": str(term),
                "CLASS_ID": "2",
                "CLASS_NM": "상임위원회",
                "CMIT_NM": committee.name,
                "CMIT_CD": committee.minutes_code,
            }
            if all(fits(n, own.get(n), v) for n, v in _given(query, tuple(own))):
                rows.append({name: own.get(name) for name in names})
    return Rows.of(rows)


# what happened to bills on a day


_STAGES: Final[tuple[tuple[str, str, str, Callable[[Bill], datetime.date | None]], ...]] = (
    ("접수", "의안접수", "접수", lambda b: b.proposed),
    ("위원회 심사", "소관위 회부", "회부", lambda b: b.referred),
    ("위원회 심사", "소관위 상정", "상정", lambda b: b.presented),
    ("위원회 심사", "소관위 처리", "처리", lambda b: b.committee_done),
    ("체계자구 심사", "법사위 처리", "처리", lambda b: b.judiciary_done),
    ("본회의 심의", "본회의 의결", "의결", lambda b: b.plenary_done if b.voted else None),
    ("공포", "공포", "공포", lambda b: b.promulgated),
)
"""(stage, part of it, status, on which day)."""


def _by_day(world: World) -> dict[str, list[tuple[Bill, int]]]:
    found: dict[str, list[tuple[Bill, int]]] = {}
    for bill in all_bills(world):
        for place, (_, _, _, when) in enumerate(_STAGES):
            day = when(bill)
            if day is not None:
                found.setdefault(f"{day:%Y%m%d}", []).append((bill, place))
    return found


def _daily(world: World, query: Query) -> Reply:
    term, names = term_of(query, "AGE"), names_of(query)
    rows: list[Record] = []
    day = query.get("DT").replace("-", "")
    for bill, place in world.table("politics.days", _by_day).get(day, []):
        if bill.term != term:
            continue
        stage, part, status, when = _STAGES[place]
        own: Record = {"DT": spelled(when(bill)), "STAGE": stage, "DTL_STAGE": part, "ACT_STATUS": status}
        own |= {"SEQ": str(len(rows) + 1)}
        record = {n: own[n] if n in own else BILL[n](world, bill) for n in names}
        if all(fits(n, record[n], v) for n, v in _given(query, names) if n != "DT"):
            rows.append(record)
    return Rows.of(rows)


# nominations and lists of bills by stage


def _nominations(world: World, query: Query) -> Reply:
    names = names_of(query)
    term = term_of(query, "AGE")
    pool = all_bills(world) if term is None else bills(world, term) if term in TERMS else ()
    rows = []
    for bill in pool:
        if bill.sort != NOMINATION:
            continue
        own = {
            "APPOINT_GRADE": bill.post,
            "APPOINT_NAME": bill.nominee,
            "SUBMIT_DT": spelled(bill.referred),
            "PRESENT_DT": spelled(bill.presented),
            "PROC_DT": spelled(bill.plenary_done),
            "MP_BOOK_URL": f"https://sandbox.invalid/hearings/{bill.id}",
        }
        record = {n: own[n] if n in own else BILL[n](world, bill) for n in names}
        if all(fits(n, record[n], v) for n, v in _given(query, names)):
            rows.append(record)
    return Rows.of(rows)


def _stage_list(pool: Callable[[World, Query], Sequence[Bill]]) -> Handler:
    def handler(world: World, query: Query) -> Reply:
        names = names_of(query)
        kept = list(pool(world, query))
        for name, wanted in _given(query, tuple(set(names) & BILL.keys())):
            kept = [b for b in kept if fits(name, BILL[name](world, b), wanted)]
        return Rows.mapped(kept, lambda bill: bill_record(world, bill, names))

    return handler


def _before_plenary(world: World, query: Query) -> Sequence[Bill]:
    """Law bills that the judiciary committee has passed on and the plenary has not voted on."""
    return [b for b in bills(world, 22) if b.judiciary_done is not None and b.result is None]


def _of_committees(world: World, query: Query) -> Sequence[Bill]:
    return [b for b in bills(world, 22) if b.sort == LAW and b.kind == "위원장"]


def _recent(world: World, query: Query) -> Sequence[Bill]:
    """What the last four plenaries decided."""
    voted = voted_bills(world, term_of(query, "AGE") or 0)
    last = sorted({b.plenary_done for b in voted if b.plenary_done})[-4:]
    return [b for b in voted if b.plenary_done in last]


HANDLERS: dict[str, Handler] = {
    "BILLSESSPROD": _sessions,
    "ALLSCHEDULE": _calendar(lambda m: True),
    "nekcaiymatialqlxr": _calendar(lambda m: m.committee is None),
    "nrsldhjpaemrmolla": _calendar(lambda m: m.committee is not None),
    "O27DU0000960M511942": _calendar(lambda m: m.committee is not None),
    "OOWY4R001216HX11415": _of_member(plenary=True),
    "OOWY4R001216HX11417": _of_member(plenary=False),
    "OOWY4R001216HX11424": _calendar(lambda m: True),
    "OOWY4R001216HX11524": _agenda_items,
    "OU8JBT0015343C14378": _minutes_committees,
    "O8U5BW001076JT16522": _daily,
    "O4W19G001189TV11044": _nominations,
    "nayjnliqaexiioauy": _stage_list(_before_plenary),
    "OG88RA000978S210177": _stage_list(_of_committees),
    "nxjuyqnxadtotdrbw": _stage_list(_recent),
}
