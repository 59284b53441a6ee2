"""Every task proves itself: what gold, the baselines and the two failure modes must score, and why.

`validate_rows` runs the scripted policies over grounded rows and reads the rows
themselves; each finding names the task, the rule and what was seen. An empty list
is the proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from kopa_hf.bench.actions import argument_slips, tool_schemas, writing_tools
from kopa_hf.bench.changes import load_changes, unlogged
from kopa_hf.bench.derivation import underivable, unreadable
from kopa_hf.bench.fingerprints import changed_unnoticed, load_fingerprints
from kopa_hf.bench.leaks import leaks
from kopa_hf.bench.policies import FIRST_PAGE_ONLY, GOLD, GOLD_AND_ONE_READ, SKIP_LOOKUP, Policy, baselines
from kopa_hf.bench.rollouts import PolicyReport
from kopa_hf.bench.rows import Row, row_id
from kopa_hf.bench.runner import evaluate, open_session
from kopa_hf.bench.scoring import needs_all_pages, prerequisites, score_rollout
from kopa_hf.bench.task import Task, ground_tasks, load_tasks
from kopa_hf.execution.executor import Executor

Progress = Callable[[int, int], None]
"""Called with (checks done, checks in all)."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One rule that one task breaks."""

    task: str
    check: str
    text: str


def validate_tasks(
    executor: Executor, *, seed: int = 0, tasks: Iterable[Task] | None = None, progress: Progress | None = None
) -> list[Problem]:
    """Ground the tasks (default: all built-in ones) and prove the rows; what cannot be grounded is a problem, too.

    Of built-in tasks it is a problem as well that their content is not what their version was recorded with.
    """
    chosen = None if tasks is None else list(tasks)
    built_in = [task.name for task in load_tasks() if chosen is not None and task in chosen]
    stale = [problem for problem in _version_problems() if chosen is None or problem.task in built_in]
    grounding = ground_tasks(executor, seed, chosen)
    missing = [Problem(name, "grounds", why) for name, why in grounding.failed]
    return stale + missing + validate_rows(grounding.rows, executor, progress=progress)


def _version_problems() -> list[Problem]:
    """Built-in tasks that changed without a new version, or whose version the changelog lacks."""
    tasks = load_tasks()
    found = [*changed_unnoticed(tasks, load_fingerprints()), *unlogged(tasks, load_changes())]
    return [Problem(text.partition(" ")[0].rstrip(":"), "its version is its content's", text) for text in found]


def validate_rows(rows: Sequence[Row], executor: Executor, *, progress: Progress | None = None) -> list[Problem]:
    """All findings over grounded rows, in order of the checks."""
    runs = _expectations(rows)
    problems = [problem for row in rows for problem in _row_problems(row, executor)]
    for done, (policy, expected) in enumerate(runs, start=1):
        problems += _policy_problems(evaluate(policy, rows, executor), rows, expected)
        if progress is not None:
            progress(done, len(runs) + 1)
    problems += _extra_read_problems(rows, executor) + _extra_write_problems(rows, executor)
    if progress is not None:
        progress(len(runs) + 1, len(runs) + 1)
    return problems


def policy_table(rows: Sequence[Row], executor: Executor, policies: Iterable[Policy]) -> dict[str, PolicyReport]:
    """Reports by policy name, in the given order."""
    return {policy.name: evaluate(policy, rows, executor) for policy in policies}


def task_statistics(rows: Sequence[Row]) -> dict[str, float]:
    """Means that the benchmark is compared by: calls, steps, tools offered, headroom, share with parallel calls."""
    if not rows:
        return {}
    acting = [row for row in rows if row.golden_actions]

    def mean(values: list[float]) -> float:
        return sum(values) / len(values) if values else 0.0

    return {
        "tasks": float(len(rows)),
        "calls": mean([len(row.golden_actions) for row in acting]),
        "max_calls": float(max((len(row.golden_actions) for row in rows), default=0)),
        "steps": mean([row.hops for row in acting]),
        "tools": mean([len(row.tools) for row in rows]),
        "headroom": mean([row.max_allowed_calls / len(row.golden_actions) for row in acting]),
        "parallel_share": mean([float(len(row.golden_actions) > row.hops) for row in acting]),
        "with_state": float(sum("ENVIRONMENT" in row.reward_basis for row in rows)),
        "all_pages": float(sum(needs_all_pages(row) for row in rows)),
        "prerequisite": float(sum(bool(prerequisites(row)) for row in rows)),
        "platforms_crossed": float(sum(len(row.platforms) > 1 for row in rows)),
        "no_value": float(sum(row.answer_type in ("ask", "no_data") for row in rows)),
    }


def task_name(row: Row) -> str:
    """The template behind a row; its id where it has none."""
    return str(row.provenance.get("task") or row.id)


def _expectations(rows: Sequence[Row]) -> list[tuple[Policy, Callable[[Row], float]]]:
    """What each policy must score on each row."""
    expected: list[tuple[Policy, Callable[[Row], float]]] = [
        (GOLD, lambda row: 1.0),
        (FIRST_PAGE_ONLY, lambda row: 0.0 if needs_all_pages(row) else 1.0),
        (SKIP_LOOKUP, lambda row: 0.0 if prerequisites(row) else 1.0),
    ]
    return expected + [(policy, lambda row: 0.0) for policy in baselines(rows)]


def _policy_problems(report: PolicyReport, rows: Sequence[Row], expected: Callable[[Row], float]) -> list[Problem]:
    by_id = {rollout.row_id: rollout for rollout in report.rollouts}
    problems = []
    for row in rows:
        score = by_id[row.id].score
        if score.status == "unscored":
            continue  # an open answer proves nothing without a judge
        if score.reward != expected(row):
            seen = f"reward {score.reward} where {expected(row)} is due; {'; '.join(score.reasons) or score.status}"
            problems.append(Problem(task_name(row), f"policy {report.policy}", seen))
    return problems


def _extra_read_problems(rows: Sequence[Row], executor: Executor) -> list[Problem]:
    """Golden plus one read: fully right, less efficient."""
    golden = {r.row_id: r.score for r in evaluate(GOLD, rows, executor).rollouts}
    more = {r.row_id: r.score for r in evaluate(GOLD_AND_ONE_READ, rows, executor).rollouts}
    return [
        Problem(task_name(row), "an extra read costs efficiency only", f"{more[row.id]} after {golden[row.id]}")
        for row in rows
        if more[row.id].reward != 1.0 or not more[row.id].eff < golden[row.id].eff
    ]


def _extra_write_problems(rows: Sequence[Row], executor: Executor) -> list[Problem]:
    """Golden plus any write must fail; so whoever offers a write tool must score the state."""
    problems = []
    for row in rows:
        writers = writing_tools(row) & set(tool_schemas(row))
        for name in sorted(writers):
            session = open_session(row, executor)
            answer = GOLD.run(row, session)
            surplus = {"platform": "law"} if name == "request_api_key" else {"name": "덤", "rows": [{"값": "1"}]}
            session.call(name, surplus)
            if session.calls[-1].result.ok and score_rollout(row, session.calls, session.state_hash, answer).reward:
                problems.append(Problem(task_name(row), "a surplus write fails", f"{name} after the golden path"))
    return problems


def _row_problems(row: Row, executor: Executor) -> list[Problem]:
    """What a row shows without a run."""
    name = task_name(row)
    found = [Problem(name, "every literal has a source", text) for text in underivable(row)]
    found += [Problem(name, "golden calls fit their tools", text) for text in _signature_problems(row)]
    found += [Problem(name, "the answer is not in the question", text) for text in leaks(row)]
    found += [Problem(name, "the answer can be read from what a model sees", text) for text in unreadable(row)]
    if row_id(row) != row.id:
        found.append(Problem(name, "the id follows from the content", f"{row.id}, but the content gives {row_id(row)}"))
    unknown = [tool["function"]["name"] for tool in row.tools if tool["function"]["name"] not in executor.catalog]
    if unknown:
        found.append(Problem(name, "tools exist", f"the catalog lacks {', '.join(unknown)}"))
    if len(row.tools) <= len({action["name"] for action in row.golden_actions}):
        found.append(Problem(name, "distractors are offered", "only golden tools are offered"))
    return found


def _signature_problems(row: Row) -> list[str]:
    schemas = tool_schemas(row)
    problems = []
    for action in row.golden_actions:
        if action["name"] not in schemas:
            problems.append(f"{action['name']} is not offered")
            continue
        slips = argument_slips(action, action["arguments"], schemas[action["name"]])
        problems += [f"{action['name']}: {slip}" for slip in slips]
    return problems
