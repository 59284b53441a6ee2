"""Stated values: two tools that take one (SEM), one tool that takes two (CMP), a figure that decides (COND)."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from kopa_hf.catalog.tool import Parameter
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.draft import DraftError
from kopa_hf.edge.sharing import compose_contrast, compose_fork, compose_joined
from kopa_hf.edge.stating import input_key
from kopa_hf.edge.story import Sketch
from kopa_hf.edge.workshop import Workshop
from kopa_hf.execution.episode import DEFAULT_DATE

from . import bill_service as bills


@pytest.fixture(scope="module")
def shop() -> Workshop:
    from kopa_hf.catalog.local import local_tools

    tools = {tool.name: tool for tool in bills.TOOLS}
    return Workshop(bills.graph(), tools, local_tools(), bills.executor(), EdgeConfig(), DEFAULT_DATE)


def sketches(compose: Callable[[Workshop, random.Random, str], Sketch], shop: Workshop) -> list[Sketch]:
    found = []
    for seed in range(60):
        try:
            found.append(compose(shop, random.Random(seed), ""))
        except DraftError:
            continue
    return found


def steps(sketch: Sketch) -> list[int]:
    return [action["step"] for action in sketch.draft.ordered()]


def test_inputs_that_take_the_same_values_have_one_key() -> None:
    name = Parameter("BILL_NAME", "의안명")
    assert input_key(name) == input_key(Parameter("BILL_NM", "의안명"))
    assert input_key(name) != input_key(Parameter("HG_NM", "의원명"))
    assert input_key(Parameter("BILL_ID", "의안ID")) is None  # nobody says a code
    assert input_key(Parameter("pIndex", "페이지", role="page")) is None
    assert input_key(Parameter("PAGING_YN", "페이징 여부", enum=("Y", "N"))) is None
    assert input_key(Parameter("YN", "공개여부", enum=("Y", "N"))) != input_key(
        Parameter("ST", "공개여부", enum=("1",))
    )


def test_two_tools_are_asked_about_one_stated_value_side_by_side(shop: Workshop) -> None:
    found = sketches(compose_joined, shop)
    assert found
    for sketch in found:
        (shared,) = sketch.story.details["shared"]
        first, second = sketch.draft.actions[0], next(a for a in sketch.draft.actions[1:] if a["step"] == 1)
        assert first["name"] != second["name"]
        assert first["arguments"]["BILL_NAME"] == second["arguments"]["BILL_NAME"] == shared.value
        assert (sketch.structure, sketch.junctions) == ("SEM", [])


def test_one_tool_is_asked_about_two_stated_values_and_the_figures_compared(shop: Workshop) -> None:
    found = sketches(compose_contrast, shop)
    assert found
    for sketch in found:
        left, right = sketch.story.details["sides"]
        assert left.text != right.text
        ordered = sketch.draft.ordered()
        assert [a["name"] for a in ordered[:2]] == [ordered[0]["name"]] * 2
        assert steps(sketch)[:2] == [1, 1]
        assert ordered[-1]["name"] == "evaluate_expression"
        assert sketch.ask.kind in ("difference", "larger")


def test_a_figure_decides_which_of_two_tools_is_asked(shop: Workshop) -> None:
    found = sketches(compose_fork, shop)
    assert found
    for sketch in found:
        waiting = [action for action in sketch.draft.ordered() if "when" in action]
        signs = {action["when"]["$compare"][1] for action in waiting}
        assert signs == {">=", "<"}
        deciding = [action["step"] for action in sketch.draft.actions if "when" not in action]
        assert min(action["step"] for action in waiting) > max(deciding)
        assert len({a["name"] for a in sketch.draft.actions if a["name"].startswith("list_")}) == 3
