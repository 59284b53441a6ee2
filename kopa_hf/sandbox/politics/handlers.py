"""Handlers of the Assembly's operations: pick entities, filter by the given parameters, write their columns."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

from kopa_hf.catalog.tool import Tool
from kopa_hf.sandbox.politics.bills import LAW, Bill, all_bills, bill_by_id, bill_by_number, bills
from kopa_hf.sandbox.politics.columns import BILL, MEETING, MEMBER, eraco, notice_ends
from kopa_hf.sandbox.politics.committees import committees
from kopa_hf.sandbox.politics.meetings import Meeting, meeting_by_id, meetings, meetings_of
from kopa_hf.sandbox.politics.members import TERMS, Member, members
from kopa_hf.sandbox.politics.votes import choice, voted_bills
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Reply, Rows
from kopa_hf.sandbox.world import LAST_DAY, World

T = TypeVar("T")
_LONG_AGO: Final = datetime.date.min

EXACT: Final = (
    "_ID",
    "_CD",
    "_NO",
    "AGE",
    "ERACO",
    "_NUM",
    "NUMBER",
    "_KIND",
    "DIV_NM",
    "GBN_NM",
    "RES_NM",
    "SESS",
    "DGR",
)
"""Column endings that are compared whole; dates by their beginning, all else by containment."""


def fits(name: str, value: Any, wanted: str) -> bool:
    """Whether a column's value passes a parameter."""
    text = "" if value is None else str(value)
    if name.endswith(EXACT):
        return text == wanted
    if name.endswith(("_DT", "_DATE", "DATE")):
        return text.startswith(wanted) or text.replace("-", "").startswith(wanted)
    return wanted in text


def term_of(query: Query, *names: str) -> int | None:
    """The term that a parameter names; None where none is given. Another spelling than the tool's is refused."""
    for name in names:
        text = query.get(name)
        if not text:
            continue
        for term in TERMS:
            if text == {"ERACO": eraco(term), "UNIT_CD": f"1000{term}"}.get(name, str(term)):
                return term
        return 0
    return None


def chosen(items: Iterable[T], query: Query, columns: dict[str, Callable[..., Any]], *given: Any) -> list[T]:
    """Items whose columns fit every parameter that has a column of its name."""
    tests = [
        (name, columns[name], value.strip())
        for name, value in query.parameters.items()
        if name in columns and value.strip()
    ]
    return [item for item in items if all(fits(name, column(*given, item), value) for name, column, value in tests)]


def names_of(query: Query) -> tuple[str, ...]:
    """Columns of the asked operation."""
    tool: Tool | None = query.tool
    return tuple(field.name for field in tool.fields) if tool is not None else ()


# bills


def _selected(
    world: World, operation: str, term: int | None, select: Callable[[World, Bill], bool]
) -> tuple[Bill, ...]:
    """The bills that an operation is about, of one term or of all; kept, for they never change."""
    return world.table(
        f"politics.pool.{operation}.{term or 'all'}",
        lambda w: tuple(b for b in (all_bills(w) if term is None else bills(w, term)) if select(w, b)),
    )


def _bill_list(select: Callable[[World, Bill], bool]) -> Handler:
    def handler(world: World, query: Query) -> Reply:
        if query.get("BILL_ID"):
            found = bill_by_id(world, query.get("BILL_ID"))
            pool: Sequence[Bill] = (found,) if found else ()
        elif query.get("BILL_NO"):
            found = bill_by_number(world, query.get("BILL_NO"))
            pool = (found,) if found else ()
        else:
            term = term_of(query, "AGE", "ERACO")
            pool = _selected(world, query.operation, term, select) if term is None or term in TERMS else ()
        reference = query.get("BILL_ID_REF")
        kept = [b for b in chosen(pool, query, BILL, world) if select(world, b) and reference in ("", b.alternative)]
        return Rows.mapped(kept, lambda bill: bill_record(world, bill, names_of(query)))

    return handler


def bill_record(world: World, bill: Bill, names: Sequence[str]) -> Record:
    """A bill under an operation's columns."""
    return {name: BILL[name](world, bill) if name in BILL else None for name in names}


def _voted_list(world: World, query: Query) -> Reply:
    term = term_of(query, "AGE")
    pool = voted_bills(world, term) if term in TERMS else ()
    kept = chosen(pool, query, BILL, world)
    return Rows.mapped(kept, lambda bill: bill_record(world, bill, names_of(query)))


def _proposers(world: World, query: Query) -> Reply:
    bill = bill_by_id(world, query.get("BILL_ID"))
    if bill is None:
        return NO_ROWS
    people = [] if bill.lead is None else [("대표발의", bill.lead), *(("공동발의", m) for m in bill.partners)]
    names = names_of(query)

    def record(role: str, name: str, party: str | None, hanja: str | None) -> Record:
        own = {"PPSR_NM": name, "PPSR_POLY_NM": party, "PPSR_CH_NM": hanja, "REP_DIV": role}
        return {key: own[key] if key in own else BILL[key](world, bill) if key in BILL else None for key in names}

    if not people:
        return Rows.of([record("제출", bill.proposer, None, None)])
    return Rows.of([record(role, m.name, m.party, m.hanja) for role, m in people])


def _member_votes(world: World, query: Query) -> Reply:
    bill = bill_by_id(world, query.get("BILL_ID"))
    if bill is None or not bill.voted or str(bill.term) != query.get("AGE"):
        return NO_ROWS
    names = names_of(query)

    def record(member: Member) -> Record:
        own: dict[str, Any] = {
            "MEMBER_NO": member.number,
            "POLY_CD": member.party_code,
            "ORIG_CD": f"{member.index + 1:03d}",
            "VOTE_DATE": f"{bill.plenary_done:%Y%m%d} 14{member.index % 60:02d}00" if bill.plenary_done else None,
            "RESULT_VOTE_MOD": choice(world, bill, member),
            "DEPT_CD": member.office,
            "DISP_ORDER": member.index + 1,
            "SESSION_CD": str(meetings_of(world, bill)[-1].session) if meetings_of(world, bill) else None,
            "CURRENTS_CD": "1",
        }
        return {
            name: own[name]
            if name in own
            else MEMBER[name](world, member)
            if name in MEMBER
            else BILL[name](world, bill)
            for name in names
        }

    given = {name: value.strip() for name, value in query.parameters.items() if value.strip() and name in names}
    rows = (record(member) for member in members(world, bill.term))
    return Rows.of([row for row in rows if all(fits(n, row[n], v) for n, v in given.items())])


# members and committees


def _member_list(*terms: int) -> Handler:
    def handler(world: World, query: Query) -> Reply:
        pool = [m for term in terms for m in members(world, term)]
        kept = chosen(pool, query, MEMBER, world)
        return Rows.mapped(kept, lambda m: {n: MEMBER[n](world, m) if n in MEMBER else None for n in names_of(query)})

    return handler


def _all_members(world: World, query: Query) -> Reply:
    """Everybody once, with the latest term."""
    latest = {m.code: m for term in TERMS for m in members(world, term)}
    kept = chosen(sorted(latest.values(), key=lambda m: (m.name, m.code)), query, MEMBER, world)
    return Rows.mapped(kept, lambda m: {n: MEMBER[n](world, m) if n in MEMBER else None for n in names_of(query)})


def _career(world: World, query: Query) -> Reply:
    """One row per person and term."""
    return _member_list(*reversed(TERMS))(world, query)


def _committee_list(world: World, query: Query) -> Reply:
    rows: list[Record] = []
    for committee in committees(world):
        seats = [m for m in members(world, 22) if m.committee.index == committee.index]
        chair = next((m for m in seats if m.role == "위원장"), None)
        whips = [m for m in seats if m.role == "간사"]
        own: Record = {
            "CMT_DIV_CD": "001",
            "CMT_DIV_NM": "상임위원회",
            "HR_DEPT_CD": committee.code,
            "COMMITTEE_NAME": committee.name,
            "HG_NM": f"{chair.name} ({chair.party})" if chair else None,
            "HG_NM_LIST": ",".join(f"{m.name} ({m.party})" for m in whips),
            "LIMIT_CNT": len(seats) + committee.index % 2,
            "CURR_CNT": len(seats),
            "POLY99_CNT": sum(m.party not in ("새봄당", "한길당") for m in seats),
            "POLY_CNT": sum(m.party in ("새봄당", "한길당") for m in seats),
        }
        if all(fits(n, own.get(n), v.strip()) for n, v in query.parameters.items() if n in own and v.strip()):
            rows.append({name: own.get(name) for name in names_of(query)})
    return Rows.of(rows)


# meetings


def _meeting_rows(kept: Sequence[Meeting], query: Query) -> Reply:
    names = names_of(query)
    return Rows.mapped(kept, lambda m: {n: MEETING[n](m) if n in MEETING else None for n in names})


def _meeting_list(select: Callable[[Meeting], bool]) -> Handler:
    return lambda world, query: _meeting_rows([m for m in chosen(meetings(world), query, MEETING) if select(m)], query)


def _minutes_details(world: World, query: Query) -> Reply:
    meeting = meeting_by_id(world, query.get("CONF_ID"))
    return _meeting_rows([meeting], query) if meeting else NO_ROWS


def _minutes_by_bill(world: World, query: Query) -> Reply:
    bill = bill_by_id(world, query.get("BILL_ID"))
    if bill is None:
        return NO_ROWS
    names = names_of(query)
    own = {"BILL_ID": bill.id, "BILL_NM": bill.name}
    kept = meetings_of(world, bill)
    return Rows.mapped(kept, lambda m: {n: own[n] if n in own else MEETING[n](m) for n in names})


def _meeting_bills(world: World, query: Query) -> Reply:
    bill_id, conf_id = query.get("BILL_ID"), query.get("CONF_ID")
    if conf_id:
        meeting = meeting_by_id(world, conf_id)
        pool = [meeting] if meeting else []
    elif bill_id:
        bill = bill_by_id(world, bill_id)
        pool = list(meetings_of(world, bill)) if bill else []
    else:
        raise RefusedError("missing", "CONF_ID")
    pairs = [(m, b) for m in pool for b in m.bills if bill_id in ("", b.id)]
    names = names_of(query)

    def record(pair: tuple[Meeting, Bill]) -> Record:
        meeting, bill = pair
        return {n: BILL[n](world, bill) if n in BILL else MEETING[n](meeting) for n in names}

    return Rows.mapped(pairs, record)


HANDLERS: dict[str, Handler] = {
    "TVBPMBILL11": _bill_list(lambda w, b: True),
    "BILLRCP": _bill_list(lambda w, b: True),
    "BILLINFODETAIL": _bill_list(lambda w, b: True),
    "OOWY4R001216HX11440": _bill_list(lambda w, b: True),
    "OS46YD0012559515463": _bill_list(lambda w, b: b.sort == LAW),
    "BILLJUDGE": _bill_list(lambda w, b: True),
    "nzmimeepazxkubdpn": _bill_list(lambda w, b: b.lead is not None),
    "nwbqublzajtcqpdae": _bill_list(lambda w, b: b.result is None),
    "OY18U4001075AG16626": _bill_list(lambda w, b: b.sort == LAW and b.result is None and b.referred is not None),
    "nzpltgfqabtcpsmai": _bill_list(lambda w, b: b.result is not None),
    "OOWY4R001216HX11492": _bill_list(lambda w, b: b.presented is not None),
    "OOWY4R001216HX11493": _bill_list(lambda w, b: b.judiciary_done is not None),
    "nknalejkafmvgzmpt": _bill_list(lambda w, b: (notice_ends(b) or _LONG_AGO) >= LAST_DAY),
    "nohgwtzsamojdozky": _bill_list(lambda w, b: _LONG_AGO < (notice_ends(b) or _LONG_AGO) < LAST_DAY),
    "ncocpgfiaoituanbr": _voted_list,
    "nwbpacrgavhjryiph": _voted_list,
    "OOWY4R001216HX11460": _proposers,
    "OPR1MQ000998LC12535": _member_votes,
    "nwvrqwxyaytdsfvhu": _member_list(22),
    "ALLNAMEMBER": _all_members,
    "nktulghcadyhmiqxi": _member_list(22),
    "ORNDP7000993P115502": _career,
    "OAJPOY0010182J19421": _career,
    "nxrvzonlafugpqjuh": _committee_list,
    "nzbyfwhwaoanttzje": _meeting_list(lambda m: m.committee is None),
    "ncwgseseafwbuheph": _meeting_list(lambda m: m.committee is not None),
    "OOWY4R001216HX11520": _minutes_details,
    "OOWY4R001216HX11526": _minutes_by_bill,
    "OOWY4R001216HX11525": _meeting_bills,
}
