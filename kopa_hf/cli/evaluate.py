"""`kopa eval`: who solves how much."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kopa_hf.cli.command_line import typed_command
from kopa_hf.cli.file_path import FilePath, Source
from kopa_hf.cli.live import Backend, backend_options
from kopa_hf.cli.local_model import declare, local_model_options
from kopa_hf.cli.output import Advance, json_option, print_json, progress
from kopa_hf.cli.scores import print_scores, report_record
from kopa_hf.errors import DataError, ModelServerError
from kopa_hf.sandbox.faults import Faults

if TYPE_CHECKING:
    from kopa_hf.agent.opening import LocalSettings
    from kopa_hf.bench.policies import Policy
    from kopa_hf.bench.rollouts import PolicyReport, Rollout
    from kopa_hf.bench.rows import Row
    from kopa_hf.cli.fresh import Fresh
    from kopa_hf.execution.executor import Executor


_OURS = ("messages", "model", "n", "tools", "stream")
"""Fields of a request that are no matter of sampling."""
_KEY = re.compile(
    r"(?i)(?:.*[_-])?(?:api|access|secret|auth|service|subscription)[_-]?(?:key|token)|token|password|secret|authorization"
)
"""Names of keys: settings stand in logs and on cards."""

judge_option = click.option(
    "--judge",
    metavar="URL",
    type=Source(),
    help="Decides open answers: http://HOST:PORT/v1#MODEL of an OpenAI-compatible server. Off unless asked for.",
)


@click.command("eval")
@click.option(
    "--model",
    "models",
    multiple=True,
    type=Source(),
    metavar="NAME",
    help="http://HOST:PORT/v1#MODEL, a local model's folder or .gguf file, or policy:NAME. Repeatable.",
)
@click.option("--policies", is_flag=True, help="All scripted policies.")
@click.option("--data", type=FilePath(), help="A folder of tasks or of trajectories; default: the embedded tasks.")
@click.option("--config", default="default", show_default=True, help="default, held_out or a domain.")
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many tasks.")
@click.option(
    "--rollouts", default=1, show_default=True, type=click.IntRange(min=1), help="Rollouts per task (4 for pass@4)."
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0, 2**63 - 1), help="Seed of the run.")
@click.option(
    "--concurrency", default=8, show_default=True, type=click.IntRange(1, 512), help="Rollouts of a model at once."
)
@click.option(
    "--sampling", "sampling", multiple=True, metavar="NAME=VALUE", help="How models sample, e.g. temperature=0.7."
)
@click.option(
    "--values-seed",
    metavar="fresh:N",
    help="Score N fresh worlds too (other figures, same entities) and print the gap; or name their seeds: 17,18.",
)
@click.option("--faults", is_flag=True, help="Inject seeded service faults; off unless asked for.")
@click.option(
    "--log",
    type=FilePath(),
    help="JSONL log; an interrupted run goes on from it. FILE.eval: an Inspect log as well, with FILE.jsonl beside it.",
)
@judge_option
@local_model_options
@backend_options
@json_option
def evaluate(
    models: tuple[str, ...],
    policies: bool,
    data: Path | None,
    config: str,
    limit: int | None,
    rollouts: int,
    seed: int,
    concurrency: int,
    sampling: tuple[str, ...],
    values_seed: str | None,
    faults: bool,
    log: Path | None,
    judge: str | None,
    local: LocalSettings,
    backend: Backend,
    as_json: bool,
) -> None:
    """Run agents over the benchmark's tasks and print pass@1 of each.

    Without --model, the four scripted policies: gold, null, first_page_only, skip_lookup. A rollout that
    a service's or the model server's failure spoiled counts in no average. Open answers need --judge, or are
    reported as not judged. Exit code 3: no rollout could be scored.

    Live, tasks must be grounded live first: kopa bench ground --backend live --output FOLDER, then --data FOLDER.
    """
    from kopa_hf.bench.judging import open_judge
    from kopa_hf.bench.model_policy import agents_of
    from kopa_hf.bench.policies import POLICIES, most_frequent_answer
    from kopa_hf.bench.worlds import world_of
    from kopa_hf.cli.fresh import score_fresh
    from kopa_hf.cli.planning import plan_evaluation

    names = [*models, *(POLICIES if policies else ())] or ["gold", "null", "first_page_only", "skip_lookup"]
    rows = bench_rows(data, config)[:limit]
    # what it answers is read off the tasks
    frequent = {"most_frequent_answer", "policy:most_frequent_answer"} & set(names)
    names = [name for name in names if name not in frequent]
    agents = agents_of(names, sampling=read_sampling(sampling), local=local)
    declare(agents, quiet=as_json)
    seeds = _fresh_seeds(values_seed, seed, backend)
    agents += [most_frequent_answer(rows)] if policies or frequent else []
    injected = Faults.default(seed) if faults else None
    log, viewed = _log_files(log)
    settings: dict[str, Any] = {"rollouts": rollouts, "seed": seed, "concurrency": concurrency}
    if log is not None:
        settings["command"] = typed_command()
    if judge is not None:
        settings["judge"] = open_judge(judge)
    if backend.is_live and backend.via is None:
        _require_live_rows(rows)
    world = world_of(rows) if backend.is_sandbox else None
    with backend.open(world=world, faults=injected) as executor:
        if executor.provenance.get("origin") == "live":
            _require_live_rows(rows)
        backend.start(
            executor, lambda live: plan_evaluation(live, executor.catalog, rows, names, rollouts), quiet=as_json
        )
        source = executor.source
        reports = run_agents(agents, rows, executor, settings, log=log, quiet=as_json)
    if log is not None and viewed is not None:
        write_viewed(log, rows, viewed, quiet=as_json)
    fresh = score_fresh(agents, (rows, reports), seeds, settings, faults=injected, log=log, quiet=as_json)
    if as_json:
        found = [report_record(report) for report in reports]
        print_json(found if fresh is None else {"reports": found, "contamination": fresh.to_dict()})
    else:
        _print_reports(reports, fresh, f"{len(rows)} tasks, {rollouts} rollout(s) each, source {source}")
    if rows and all(report.metrics.scored == 0 for report in reports):
        raise click.exceptions.Exit(3)


def _print_reports(reports: Sequence[PolicyReport], fresh: Fresh | None, extent: str) -> None:
    from kopa_hf.cli.fresh import print_gaps

    print_scores(reports)
    if fresh is not None:
        print_gaps(fresh)
    click.echo(f"\n{extent}. Our own tasks: not the paper's, not comparable.")


def run_agents(
    agents: Sequence[Policy],
    rows: Sequence[Row],
    executor: Executor,
    settings: dict[str, Any],
    *,
    log: Path | None,
    quiet: bool,
    where: str = "",
) -> list[PolicyReport]:
    """One report per agent, each under a bar of its own; `where` names the world on it."""
    from kopa_hf.bench.runner import evaluate as run

    reports: list[PolicyReport] = []
    for agent in agents:
        with progress(agent.name + where, len(rows) * settings["rollouts"], quiet=quiet) as tick:
            try:
                reports.append(run(agent, rows, executor, watch=Tally(tick), log=log, **settings))
            except ModelServerError:
                if reports and not quiet:
                    print_scores(reports)  # of the agents before; theirs is done
                raise
    return reports


def _log_files(log: Path | None) -> tuple[Path | None, Path | None]:
    """The log that a run writes and resumes, and the Inspect log that was asked for."""
    from kopa_hf.bench.inspect_log import require_inspect

    if log is None or log.suffix != ".eval":
        return log, None
    require_inspect()  # before hours of work, not after
    return log.with_suffix(".jsonl"), log


def write_viewed(log: Path, rows: Sequence[Row], target: Path, *, quiet: bool) -> None:
    """LOG as `target`, or as one file per agent beside it where several agents ran."""
    from kopa_hf.bench.inspect_log import write_inspect_logs

    paths = write_inspect_logs(log, rows, target.parent)
    if len(paths) == 1:
        paths = [paths[0].replace(target)]
    for path in paths:
        click.echo(f"Inspect log {path}", err=quiet)


def _fresh_seeds(text: str | None, seed: int, backend: Backend) -> list[int]:
    from kopa_hf.bench.contamination import value_seeds

    if text is None:
        return []
    if not backend.is_sandbox:
        raise click.UsageError("--values-seed makes fresh sandbox worlds; elsewhere there is only one.")
    return value_seeds(text, seed)


class Tally:
    """Shows a run while it runs: rollouts done, how many passed, how many a fault spoiled."""

    def __init__(self, tick: Advance) -> None:
        self._tick = tick
        self._done = self._scored = self._passed = self._faults = 0

    def __call__(self, rollout: Rollout) -> None:
        """One more rollout has ended."""
        score = rollout.score
        self._done += 1
        self._scored += score.status == "scored"
        self._passed += score.reward == 1.0
        self._faults += score.status.endswith("_fault")
        faults = f", {self._faults} fault(s)" if self._faults else ""
        self._tick(self._done, note=f"{self._passed} of {self._scored} passed{faults}")


def read_sampling(pairs: Sequence[str]) -> dict[str, Any]:
    """NAME=VALUE pairs; a value is read as JSON where it is some, else taken as text."""
    settings: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise click.UsageError(f"--sampling takes NAME=VALUE, e.g. temperature=0.7, not {pair!r}.")
        try:
            settings[name] = json.loads(text)
        except ValueError:
            settings[name] = text
    key = next((name for name in _names(settings) if _KEY.fullmatch(name)), None)
    if key:
        raise click.UsageError(f"--sampling does not set {key}: a server's key comes from OPENAI_API_KEY.")
    taken = next((name for name in settings if name in _OURS), None)
    if taken:
        raise click.UsageError(
            f"--sampling does not set {taken}: that is the conversation's own, not how a model samples."
        )
    for name in ("temperature", "top_p"):
        value = settings.get(name, 0.0)
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise click.UsageError(f"--sampling {name} takes a number, e.g. {name}=0.7, not {value!r}.")
    return settings


def _names(value: Any) -> Iterator[str]:
    """Names of all members, however deep."""
    if isinstance(value, dict):
        yield from value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _names(part)


def _require_live_rows(rows: Sequence[Row]) -> None:
    """Answers that were computed on an invented world are no answers about the real one."""
    if any(row.provenance.get("origin") != "live" for row in rows):
        raise DataError(
            "These tasks were grounded on invented records, and real answers are asked here. Ground them on the same "
            "backend first: kopa bench ground --backend live --output FOLDER (or record, replay), then kopa eval --data FOLDER."
        )


def bench_rows(data: Path | None, config: str = "default") -> list[Row]:
    """Rows of a benchmark folder, of a folder of trajectories (all its splits), or of the embedded tasks."""
    from kopa_hf.hub.loading import (
        CONFIGS,
        dataset_rows,
        edge_splits,
        embedded_rows,
        in_config,
        load_edge_trajectories,
        load_kopa_bench,
    )

    if data is not None:
        splits = edge_splits(data) if data.is_dir() else []
        if splits and "test" not in splits and config == "default":
            return [row for split in splits for row in dataset_rows(load_edge_trajectories(data, split=split))]
        return dataset_rows(load_kopa_bench(data, config=config))
    if config not in CONFIGS:
        raise DataError(f"The benchmark has no config {config!r}; it has {', '.join(CONFIGS)}.")
    return [row for row in embedded_rows() if in_config(row, config)]
