"""Plans of live jobs: what is counted, and that the presets fit their days."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from kopa_hf.bench.task import load_tasks
from kopa_hf.catalog.registry import load_catalog
from kopa_hf.cli.planning import plan_evaluation, plan_grounding, plan_refinement, plan_synthesis
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.execution.keys import KEY_NAMES, Keyring
from kopa_hf.execution.live import Live, LiveSettings
from kopa_hf.execution.plan import Plan
from kopa_hf.hub.loading import embedded_rows
from kopa_hf.sandbox.keys import sandbox_key


class WholeGraph(list[str]):
    """A graph of all tools, as far as a plan looks at it."""

    history: ClassVar[list[Any]] = []


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    keys = Keyring({name: sandbox_key(name) for name in KEY_NAMES})
    found = Live(LiveSettings(keys=keys, via="http://127.0.0.1:9", state=tmp_path))
    yield found
    found.close()


def graph() -> Any:
    return WholeGraph(tool.name for tool in load_catalog())


def test_the_one_day_preset_fits_one_day_s_quotas_on_every_platform(live: Live) -> None:
    config = EdgeConfig.preset("one-day")
    plans = [plan(live, load_catalog(), graph(), config) for plan in (plan_refinement, plan_synthesis)]
    together = {name: sum(p.calls for plan in plans for p in plan.platforms(live) if p.platform == name)
                for name in {p.platform for plan in plans for p in plan.platforms(live)}}  # fmt: skip
    assert sum(together.values()) > 1000
    for plan in plans:
        assert {p.days for p in plan.platforms(live)} == {1}
    for name in ("seoul", "gyeonggi", "expressway"):
        assert together[name] <= live.limits.of(name).day
    assert together["assembly"] <= live.limits.of("assembly").day


def test_the_paper_preset_takes_days_and_says_so(live: Live) -> None:
    plan = plan_refinement(live, load_catalog(), graph(), EdgeConfig.preset("paper"))
    assert max(p.days for p in plan.platforms(live)) > 10


def test_local_and_writing_tools_and_those_without_an_address_ask_nobody(live: Live) -> None:
    plan, tool = Plan(), load_catalog().get("search_assembly_bills")
    plan.add(live, load_catalog().get("collect_pages"))
    plan.add(live, replace(tool, read=False))
    live.codes.learn([])  # the portal was asked and named no address
    plan.add(live, replace(tool, endpoint=replace(tool.endpoint, code_unresolved=True)))
    assert plan.calls == 0
    plan.add(live, tool, 3)
    assert [(p.platform, p.calls, p.days) for p in plan.platforms(live)] == [("assembly", 3, 1)]


def test_a_plan_names_what_has_no_key(tmp_path: Path) -> None:
    found, plan = Live(LiveSettings(keys=Keyring(), state=tmp_path)), Plan()
    plan.add(found, load_catalog().get("search_assembly_bills"))
    assert "KOPA_ASSEMBLY_KEY" in plan.keyless["assembly (assembly)"]
    found.close()


def test_models_are_planned_with_all_they_may_call_and_scripts_with_their_calls(live: Live) -> None:
    rows = embedded_rows()[:3]
    scripted = plan_evaluation(live, load_catalog(), rows, ["policy:gold"], 2)
    model = plan_evaluation(live, load_catalog(), rows, ["http://127.0.0.1:8000/v1#m"], 2)
    assert scripted.calls > 0
    allowed = 2 * sum(row.max_allowed_calls for row in rows)
    assert abs(model.calls - allowed) <= len(model.platforms(live)) * len(rows)


def test_grounding_asks_the_platforms_of_its_tasks(live: Live) -> None:
    platforms = {p.platform for p in plan_grounding(live, load_catalog(), load_tasks()).platforms(live)}
    assert platforms <= {p for row in embedded_rows() for p in row.platforms} | {"krx", "dart", "assembly"}
    assert platforms
