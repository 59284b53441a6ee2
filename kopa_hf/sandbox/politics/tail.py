"""Key columns of the Assembly's generated lists: they join with the hand-made tools."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kopa_hf.sandbox.politics.bills import Bill, all_bills
from kopa_hf.sandbox.politics.columns import BILL, MEETING, MEMBER
from kopa_hf.sandbox.politics.committees import committees
from kopa_hf.sandbox.politics.meetings import Meeting, meetings
from kopa_hf.sandbox.politics.members import Member, members
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import World

KeyMaker = Callable[[World, Stream], Any]


def _bill(world: World, stream: Stream) -> Bill:
    table = all_bills(world)
    return table[stream.below(len(table))]


def _member(world: World, stream: Stream) -> Member:
    table = members(world, 22)
    return table[stream.below(len(table))]


def _meeting(world: World, stream: Stream) -> Meeting:
    table = meetings(world)
    return table[stream.below(len(table))]


_BILL_KEYS: Final = (
    "BILL_ID",
    "BILL_NO",
    "BILL_NAME",
    "BILL_NM",
    "AGE",
    "ERACO",
    "CURR_COMMITTEE_ID",
    "CURR_COMMITTEE",
)
_MEMBER_KEYS: Final = (
    "HG_NM",
    "HJ_NM",
    "MONA_CD",
    "NAAS_CD",
    "NAAS_NM",
    "POLY_NM",
    "PLPT_NM",
    "ORIG_NM",
    "UNIT_CD",
    "UNIT_NM",
)
_MEETING_KEYS: Final = ("CONF_ID", "SESS", "DGR", "CONF_DT", "DAE_NUM")


def _bill_key(name: str) -> KeyMaker:
    return lambda world, stream: BILL[name](world, _bill(world, stream))


def _member_key(name: str) -> KeyMaker:
    return lambda world, stream: MEMBER[name](world, _member(world, stream))


def _meeting_key(name: str) -> KeyMaker:
    return lambda world, stream: MEETING[name](_meeting(world, stream))


TAIL_KEYS: dict[str, KeyMaker] = {
    **{name: _bill_key(name) for name in _BILL_KEYS},
    **{name: _member_key(name) for name in _MEMBER_KEYS},
    **{name: _meeting_key(name) for name in _MEETING_KEYS},
    "CMIT_NM": lambda w, s: committees(w)[s.below(len(committees(w)))].name,
    "CMIT_CD": lambda w, s: committees(w)[s.below(len(committees(w)))].minutes_code,
    "HR_DEPT_CD": lambda w, s: committees(w)[s.below(len(committees(w)))].code,
    "COMMITTEE_NAME": lambda w, s: committees(w)[s.below(len(committees(w)))].name,
}
