"""What the Constitutional Court's and the Anti-Corruption Commission's operations hang on: cases and numbered things.

They are answered from their signatures; the kinds here make lists and details speak of the same things. A case of
the court is one that the law service's decisions know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.entities import Kind
from kopa_hf.sandbox.places import provinces
from kopa_hf.sandbox.statutes.cases import CONSTITUTIONAL
from kopa_hf.sandbox.statutes.decisions import Decision, decisions
from kopa_hf.sandbox.world import World


def fixed(items: Sequence[str]) -> Callable[[World], Sequence[str]]:
    return lambda world: items


def serials(system: str, count: int, first: int = 1, prefix: str = "", width: int = 0) -> Kind:
    """Numbered documents of one list: all that is known of one is its number."""
    numbers = tuple(f"{prefix}{first + i:0{width}d}" for i in range(count))
    return Kind(system, fixed(numbers), {system: str})


# The Constitutional Court and the Anti-Corruption Commission


def _cases(world: World) -> tuple[Decision, ...]:
    return decisions(world, CONSTITUTIONAL)


_HEARINGS: Final = tuple(f"{year}{month:02d}{day:02d}14" for year in (2023, 2024, 2025) for month, day in ((3, 14), (6, 20), (9, 12), (11, 14)))  # fmt: skip
_SENTENCINGS: Final = tuple(f"{year}{month:02d}{25 + month % 4}14" for year in (2023, 2024, 2025) for month in range(1, 13))  # fmt: skip

_COURT: Final = (
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


@dataclass(frozen=True, slots=True)
class Commission:
    """One commission of administrative appeals."""

    code: str
    name: str


def _commissions(world: World) -> tuple[Commission, ...]:
    return world.table(
        "agencies.commissions",
        lambda w: (
            Commission("C0001", "중앙행정심판위원회"),
            *(Commission(f"C{100 + i:04d}", f"{p.name} 행정심판위원회") for i, p in enumerate(provinces())),
        ),
    )


_COMMISSION: Final = (
    Kind(
        "appeal commission",
        _commissions,
        {"acrc.commission_code": lambda c: c.code, "acrc.commission_name": lambda c: c.name},
    ),
    serials("acrc.appeal_no", 6000, 2001, "2024-", 5),
    serials("acrc.faq_no", 9000, 6_000_001),
    serials("acrc.report_case", 400, 1, "C", 5),
    serials("acrc.proposal_no", 500, 1, "1AB-2405-", 6),
    serials("acrc.hearing_no", 700, 1, "1AH-2403-", 6),
    serials("acrc.grievance_no", 1500, 1, "2CA-2402-", 6),
)

_OTHERS: Final = (
    serials("gwangjin.no_smoking_area", 400),
    serials("gwangjin.no_smoking_facility", 900, 10_001),
    serials("gwangjin.smoking_area", 60, 501),
    serials("nile.course_id", 1_800, 10_001),
    serials("kicce.survey_id", 24, 1, "SRVY", 4),
    # the part of the foundation's registers that all its services speak of: what one list names, the others know
    serials("nrf.institution", 90, 1, "INS", 9),
    serials("nrf.journal", 120, 1, "SER", 9),
    serials("nrf.article", 200, 1_000_001, "ART", 9),
    serials("nrf.foreign_school", 60, 1, "FS", 4),
    serials("nrf.project", 200, 1, "2024R1A", 6),
    serials("nrf.programme", 40, 1, "B", 4),
    Kind(
        "heat and power plant",
        lambda world: (("01", "동부지사"), ("02", "서부지사"), ("03", "중앙지사")),
        {"senergy.branch_code": lambda p: p[0], "senergy.branch_name": lambda p: p[1]},
    ),
)
"""Other agencies' numbered things."""

KINDS: Final = (*_COURT, *_COMMISSION, *_OTHERS)
