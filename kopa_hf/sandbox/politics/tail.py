"""Key columns of the Assembly's generated lists: they join with the hand-made tools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from kopa_hf.sandbox.politics.billcolumns import BILL
from kopa_hf.sandbox.politics.bills import all_bills
from kopa_hf.sandbox.politics.committees import standing
from kopa_hf.sandbox.politics.listing import Columns
from kopa_hf.sandbox.politics.meetings import meetings
from kopa_hf.sandbox.politics.membercolumns import MEMBER
from kopa_hf.sandbox.politics.members import current_members
from kopa_hf.sandbox.politics.membertools import COMMITTEE
from kopa_hf.sandbox.politics.minutestools import MEETING
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import World

KeyMaker = Callable[[World, Stream], Any]


def _keys(table: Callable[[World], Sequence[Any]], columns: Columns, names: str) -> dict[str, KeyMaker]:
    def maker(name: str) -> KeyMaker:
        column = columns[name]

        def make(world: World, stream: Stream) -> Any:
            entities = table(world)
            return column(world, entities[stream.below(len(entities))])

        return make

    return {name: maker(name) for name in names.split()}


TAIL_KEYS: Final[dict[str, KeyMaker]] = {
    **_keys(all_bills, BILL, "BILL_ID BILL_NO BILL_NAME BILL_NM AGE ERACO CURR_COMMITTEE_ID CURR_COMMITTEE"),
    **_keys(current_members, MEMBER, "HG_NM HJ_NM MONA_CD NAAS_CD NAAS_NM POLY_NM PLPT_NM ORIG_NM UNIT_CD UNIT_NM"),
    **_keys(meetings, MEETING, "CONF_ID SESS DGR CONF_DT DAE_NUM"),
    **_keys(standing, COMMITTEE, "HR_DEPT_CD COMMITTEE_NAME"),
    "CMIT_NM": lambda w, s: standing(w)[s.below(len(standing(w)))].name,
    "CMIT_CD": lambda w, s: standing(w)[s.below(len(standing(w)))].minutes_code,
}
