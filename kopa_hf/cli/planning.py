"""How many calls each live job is going to make, before it makes any.

Jobs find out as they go what they ask next, so these are upper estimates; the budget
(`--max-calls`) is what holds.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from kopa_hf.catalog.registry import Catalog
from kopa_hf.execution.live import Live
from kopa_hf.execution.plan import Plan

if TYPE_CHECKING:
    from kopa_hf.bench.rows import Row
    from kopa_hf.bench.task import Task
    from kopa_hf.edge.config import EdgeConfig
    from kopa_hf.edge.graph import ToolGraph

_PAGES: Final = 10
"""Requests that one `collect_pages` is taken to make."""
_CHECKS: Final = 3
"""A grounded task is executed once and tried with at most two wrong ways."""
_SKETCHES: Final = 8
"""Sketches executed for one row that survives, as seen on small graphs."""
_EXECUTIONS: Final = 3
"""Times that a surviving row is executed again: filter, solver, export."""


def plan_refinement(live: Live, catalog: Catalog, graph: ToolGraph, config: EdgeConfig) -> Plan:
    """Every path as long as it may be, a control call per edge, and the fresh executions of the edge rates."""
    plan, edges = Plan(), len(graph)
    paths = max(config.iterations - len(graph.history), 0) * config.paths
    rated = min(config.rate_edges or edges, edges)
    controls = min(paths * config.max_edges, edges) + rated
    calls = paths * (config.max_edges + 1) + 2 * rated * config.fresh_executions + controls
    plan.spread(live, [catalog.get(name) for name in graph], calls)
    return plan


def plan_refresh(live: Live, catalog: Catalog, graph: ToolGraph, older_than: datetime.date) -> Plan:
    """Source, target and a control call for each new trial of a stale edge."""
    from kopa_hf.edge.refreshing import TRIALS, stale_edges

    plan, stale = Plan(), stale_edges(graph, older_than)
    names = sorted({name for edge in stale for name in (edge.source, edge.target)})
    if names:
        plan.spread(live, [catalog.get(name) for name in names], 3 * TRIALS * len(stale))
    return plan


def plan_synthesis(live: Live, catalog: Catalog, graph: ToolGraph, config: EdgeConfig) -> Plan:
    """The wanted rows times what one costs."""
    plan, length = Plan(), config.max_edges + 1
    calls = config.rows * length * (_SKETCHES + _EXECUTIONS)
    plan.spread(live, [catalog.get(name) for name in graph], calls)
    return plan


def plan_grounding(live: Live, catalog: Catalog, tasks: Sequence[Task]) -> Plan:
    """The golden calls of the tasks' published instances, and the calls that choose entities."""
    from kopa_hf.hub.loading import embedded_rows

    plan, names = Plan(), {task.name for task in tasks}
    for row in embedded_rows():
        if row.provenance["task"] in names:
            _add_actions(plan, live, catalog, row.golden_actions, _CHECKS)
    for task in tasks:
        _add_actions(plan, live, catalog, [step for step in task.selector if "call" in step], 1)
    return plan


def plan_evaluation(live: Live, catalog: Catalog, rows: Sequence[Row], agents: Sequence[str], rollouts: int) -> Plan:
    """Golden calls for scripted agents; all the calls that a row allows for models."""
    from kopa_hf.bench.policies import POLICIES

    plan = Plan()
    models = sum(agent.removeprefix("policy:") not in POLICIES for agent in agents)
    scripted = len(agents) - models
    for row in rows:
        if scripted:
            _add_actions(plan, live, catalog, row.golden_actions, scripted * rollouts)
        if models:
            offered = [catalog.get(tool["function"]["name"]) for tool in row.tools]
            plan.spread(live, offered, row.max_allowed_calls * models * rollouts)
    return plan


def _add_actions(plan: Plan, live: Live, catalog: Catalog, actions: Iterable[Any], times: int) -> None:
    last = None
    for action in actions:
        tool = catalog.get(str(action["name"]))
        if tool.name == "collect_pages" and last is not None:
            plan.add(live, last, _PAGES * times)
            continue
        plan.add(live, tool, times * (_PAGES if action.get("all_pages") else 1))
        if tool.platform != "local":
            last = tool
