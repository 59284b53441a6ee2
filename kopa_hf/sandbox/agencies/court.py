"""What the Constitutional Court's operations hang on: its cases, hearings and numbered lists.

They are answered from their signatures; the kinds here make lists and details speak of the same things. A case of
the court is one that the law service's decisions know.
"""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.agencies.numbered import fixed, serials
from kopa_hf.sandbox.entities import Kind
from kopa_hf.sandbox.statutes.cases import CONSTITUTIONAL
from kopa_hf.sandbox.statutes.decisions import Decision, decisions
from kopa_hf.sandbox.world import World


def _cases(world: World) -> tuple[Decision, ...]:
    return decisions(world, CONSTITUTIONAL)


_HEARINGS: Final = tuple(f"{year}{month:02d}{day:02d}14" for year in (2023, 2024, 2025) for month, day in ((3, 14), (6, 20), (9, 12), (11, 14)))  # fmt: skip
_SENTENCINGS: Final = tuple(f"{year}{month:02d}{25 + month % 4}14" for year in (2023, 2024, 2025) for month in range(1, 13))  # fmt: skip

KINDS: Final = (
    Kind(
        "constitutional case",
        _cases,
        {
            "law.detc.no": lambda c: c.number,
            "law.detc.title": lambda c: c.title,
            "ccourt.decision_serial": lambda c: c.serial,
        },
    ),
    Kind("kind of constitutional decision", fixed(("1", "2", "3")), {"ccourt.decision_kind": str}),
    Kind("kind of court statute", fixed(("1", "2", "3", "4")), {"ccourt.statute_kind": str}),
    Kind("field of leading decisions", fixed(tuple(f"C{i:02d}" for i in range(1, 16))), {"ccourt.field_code": str}),
    Kind("hearing", fixed(_HEARINGS), {"ccourt.hearing_time": str}),
    Kind("sentencing", fixed(_SENTENCINGS), {"ccourt.sentencing_time": str}),
    serials("ccourt.leading_no", 900, 1001),
    serials("ccourt.publication_no", 60, 101),
    serials("ccourt.literature_no", 800, 20001),
    serials("ccourt.outline_no", 700, 3001),
    serials("ccourt.statute_no", 250, 5001),
    serials("ccourt.main_hearing_no", 180, 11),
    serials("ccourt.main_decision_no", 600, 701),
)
