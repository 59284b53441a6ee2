"""교육데이터플랫폼's two tables of universities: patents, and technology sold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.universities.figures import LAST_YEAR, YEARS, figures
from kopa_hf.sandbox.universities.university import GRADUATE, University, universities
from kopa_hf.sandbox.world import World


def _table(columns: Callable[[World, University, int], Record]) -> Handler:
    def answer(world: World, query: Query) -> Reply:
        text = query.get("exmnYr", str(LAST_YEAR))
        year = int(text) if text.isdigit() else 0
        if year not in YEARS:
            return NO_ROWS
        held = [u for u in universities(world) if u.division != GRADUATE]

        def row(university: University) -> Record:
            head: Record = {"exmnYr": str(year), "schlNm": university.name, "brncYn": "N", "aplcnYr": str(year - 1)}
            return head | columns(world, university, year)

        return Rows.mapped(held, row)

    return answer


def _patents(world: World, university: University, year: int) -> Record:
    """No more patents are granted than were asked for the year's share of."""
    faculty = figures(world, university, year).faculty
    stream = world.measure("universities", "patents", university.index, year)
    home, abroad = faculty * stream.between(2, 40) // 100, faculty * stream.between(0, 9) // 100
    return {
        "dmstPtntApplNocs": home,
        "dmstPtntRegNocs": home * stream.between(40, 90) // 100,
        "ovrsPtntApplNocs": abroad,
        "ovrsPtntRegNocs": abroad * stream.between(20, 80) // 100,
    }


def _transfers(world: World, university: University, year: int) -> Record:
    faculty = figures(world, university, year).faculty
    stream = world.measure("universities", "transfers", university.index, year)
    contracts = faculty * stream.between(0, 12) // 100
    return {"ctrtNocs": contracts, "techBfrImpfAmt": contracts * stream.octave(2, 60) * 1_000_000}


HANDLERS: Final[dict[str, Handler]] = {"SA00202500062": _table(_patents), "SA00202500061": _table(_transfers)}
