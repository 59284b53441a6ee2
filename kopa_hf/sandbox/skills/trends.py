"""How applications turn out, cut along sex, age and region: the trend table of one or all qualifications."""

from __future__ import annotations

from typing import Any, Final

from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Reply
from kopa_hf.sandbox.skills.fields import AGES, REGIONS, SEXES
from kopa_hf.sandbox.skills.qualifications import Qualification, technical
from kopa_hf.sandbox.skills.results import apportion, uneven, year_tally
from kopa_hf.sandbox.skills.rounds import LAST_YEAR
from kopa_hf.sandbox.skills.shaping import has_results, listed, matching, names_of, year_of
from kopa_hf.sandbox.world import World

_AXES: Final[dict[str, tuple[str, tuple[tuple[str, int], ...]]]] = {
    "1": ("성별", SEXES),
    "2": ("연령별", AGES),
    "3": ("지역별", tuple((name, weight) for _, name, _, weight in REGIONS)),
}
"""trendDiv → (name, groups with weights)."""


def application_trends(world: World, query: Query) -> Reply:
    """시험접수 동향: written applicants of a year who withdrew, stayed away, sat the exam and passed it."""
    year, axis = year_of(query, default=LAST_YEAR), query.get("trendDiv")
    if not has_results(year):
        return NO_ROWS
    axes = [row for key, row in _AXES.items() if axis in ("", key, row[0])]
    held = [q for q in matching(technical(world), query) if year_tally(world, q, year).applied]
    rows = [(q, name, groups, n) for q in held for name, groups in axes for n in range(len(groups))]

    def known(row: tuple[Qualification, str, tuple[tuple[str, int], ...], int]) -> dict[str, Any]:
        q, name, groups, number = row
        tally = year_tally(world, q, year)
        seed = world.measure_seed("skills", "trend", name, q.index, year)
        weights = uneven([weight for _, weight in groups], seed)
        withdrew = (tally.applied - tally.taken) // 3

        def share(count: int, turn: int) -> int:
            return apportion(count, weights, seed + turn)[number]

        passed = share(tally.passed, 0)
        counts = {
            "passManCnt": passed,
            "exameeCnt": passed + share(tally.taken - tally.passed, 1),
            "cnclManCnt": share(withdrew, 2),
            "abseManCnt": share(tally.applied - tally.taken - withdrew, 3),
        }
        cut = {"dtlTrendClsifNm": name, "dtlTrendDtlClsifNm": groups[number][0]}
        return {**names_of(q), **cut, **{name: str(count) for name, count in counts.items()}}

    return listed(query, rows, known)


HANDLERS: Final[dict[str, Handler]] = {"InquiryRecpTotPtcondSVC/getTrendList": application_trends}
