"""`kopa bench`: the tasks themselves."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from kopa_hf.cli.file_path import FilePath
from kopa_hf.cli.grid import grid
from kopa_hf.cli.live import Backend, backend_options
from kopa_hf.cli.output import clip, interrupted_says, json_option, print_json, print_table, progress
from kopa_hf.cli.rescore import rescore
from kopa_hf.cli.result_card import card
from kopa_hf.cli.solving import answer, audit, handout
from kopa_hf.cli.task_option import chosen_tasks, task_option
from kopa_hf.execution.executor import Executor
from kopa_hf.sandbox.world import World

if TYPE_CHECKING:
    from kopa_hf.bench.rows import Row
    from kopa_hf.bench.run_log import RunLog


@click.group()
def bench() -> None:
    """The benchmark's tasks: list, validate, ground, export."""


seed_option = click.option("--seed", default=0, show_default=True, help="Which entities the tasks are about.")
world_options = (
    click.option("--identity-seed", default=0, show_default=True, help="World: who exists."),
    click.option("--values-seed", default=0, show_default=True, help="World: which figures they have."),
)


@bench.command("list")
@click.option("--changes", is_flag=True, help="The changelog and the errata instead of the tasks.")
@json_option
def list_tasks(changes: bool, as_json: bool) -> None:
    """Name, version, domain, answer type and question of every task."""
    from kopa_hf.bench.task import load_tasks

    if changes:
        _list_changes(as_json)
        return
    tasks = load_tasks()
    if as_json:
        print_json(
            [
                {
                    "name": t.name,
                    "version": t.version,
                    "fingerprint": t.fingerprint,
                    "domain": t.domain,
                    "answer_type": t.answer_type,
                }
                for t in tasks
            ]
        )
    else:
        rows = [(t.name, t.version, t.domain, t.answer_type, clip(t.question, 80)) for t in tasks]
        print_table(rows, ("task", "version", "domain", "answer", "question (with slots)"))


def _list_changes(as_json: bool) -> None:
    from dataclasses import asdict

    from kopa_hf.bench.changes import load_changes

    log = load_changes()
    if as_json:
        print_json(asdict(log))
        return
    for release in log.releases:
        click.echo(f"{release.version} ({release.date}): {release.text}")
        for change in release.changes:
            version = f" -> {change.version}" if change.version else ""
            click.echo(f"  {change.kind} {change.task or 'rules'}{version}: {change.text} Scores {change.scores}.")
    click.echo("\nErrata")
    for erratum in log.errata:
        click.echo(f"  {erratum.task or 'several tasks'} (found by {erratum.found_by}): {erratum.problem}")
        state = (
            f"Corrected in {erratum.corrected_in}. {erratum.correction}" if erratum.corrected_in else "Not corrected."
        )
        click.echo(f"    Effect: {erratum.effect}. {state}")


@bench.command()
@seed_option
@world_options[0]
@world_options[1]
@task_option
@json_option
def validate(seed: int, identity_seed: int, values_seed: int, names: tuple[str, ...], as_json: bool) -> None:
    """Prove every task: gold gives its answer, doing nothing does not, every literal has a source.

    Exit code 1: a task has a problem.
    """
    from kopa_hf.bench.audit import validate_tasks

    tasks = chosen_tasks(names)
    with Executor(world=World(identity_seed, values_seed)) as executor, progress("validating", quiet=as_json) as tick:
        problems = validate_tasks(executor, seed=seed, tasks=tasks if names else None, progress=tick)
    if as_json:
        print_json([{"task": p.task, "check": p.check, "problem": p.text} for p in problems])
    elif problems:
        print_table([(p.task, p.check, p.text) for p in problems], ("task", "check", "problem"))
    else:
        click.echo(f"{len(tasks)} task{'s, each' if len(tasks) > 1 else ''} proves itself.")
    if problems:
        raise click.exceptions.Exit(1)


@bench.command()
@seed_option
@world_options[0]
@world_options[1]
@task_option
@click.option("--output", type=FilePath(), help="Write the instance as a dataset folder.")
@backend_options
@json_option
def ground(
    seed: int,
    identity_seed: int,
    values_seed: int,
    names: tuple[str, ...],
    output: Path | None,
    backend: Backend,
    as_json: bool,
) -> None:
    """Make an instance of every task on a world, the live services or a snapshot, and list what cannot be grounded."""
    from kopa_hf.bench.task import ground_tasks
    from kopa_hf.cli.planning import plan_grounding
    from kopa_hf.hub.folder import check_replaceable

    tasks = chosen_tasks(names)
    if output is not None:
        check_replaceable(output)
    if not backend.is_sandbox and (identity_seed or values_seed):
        raise click.UsageError("--identity-seed and --values-seed choose a sandbox world; elsewhere there is only one.")
    # a live job that stops goes on from what it was told; a finished one leaves nothing behind
    answers = None if output is None or backend.name != "live" else output.with_name(f"{output.name}.answers.sqlite3")
    with backend.open(world=World(identity_seed, values_seed), answers=answers) as executor:
        backend.start(executor, lambda live: plan_grounding(live, executor.catalog, tasks), quiet=as_json)
        grounding = ground_tasks(executor, seed, tasks)
    if output is not None:
        write_bench(grounding.rows, output)
    if answers is not None:
        answers.unlink(missing_ok=True)
    if as_json:
        print_json({"rows": [r.id for r in grounding.rows], "failed": [list(pair) for pair in grounding.failed]})
        return
    rows = [(row.provenance["task"], clip(row.prompt[-1]["content"], 70), row.answer) for row in grounding.rows]
    print_table(rows, ("task", "question", "answer"))
    for name, reason in grounding.failed:
        click.echo(f"not grounded: {name}: {reason}")
    if output is not None:
        click.echo(f"\nwritten to {output}")


@bench.command()
@click.argument("log", type=FilePath())
@click.option("--data", type=FilePath(), help="The benchmark folder of the run; default: what the log ran on.")
@click.option("--language", type=click.Choice(["ko", "en"]), default="ko", show_default=True)
def failures(log: Path, data: Path | None, language: Literal["ko", "en"]) -> None:
    """Say what went wrong in the runs of LOG, and why: by cause, and task by task (Markdown)."""
    from kopa_hf.bench.failures import failure_report
    from kopa_hf.bench.rescoring import rescore_log
    from kopa_hf.bench.run_log import read_run_log

    found = read_run_log(log)
    rows = run_rows(found, data)
    rescoring = rescore_log(found, rows)
    for report in rescoring.reports().values():
        click.echo(failure_report(report, rows, language))
    if rescoring.left_out:
        click.echo(f"{len(rescoring.left_out)} rollout(s) ran on tasks that are not known here.", err=True)


@bench.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG...", type=FilePath())
@click.option("--data", type=FilePath(), help="The benchmark folder of the runs; default: the embedded tasks.")
@click.option("--output", type=FilePath(), help="Write leaderboard.md and leaderboard.png into this folder.")
def leaderboard(logs: tuple[Path, ...], data: Path | None, output: Path | None) -> None:
    """Rank the agents of one or more logs of `kopa eval` (Markdown, and a picture with --output)."""
    from kopa_hf.bench.leaderboard import leaderboard as rank
    from kopa_hf.bench.leaderboard import leaderboard_figure
    from kopa_hf.cli.evaluate import bench_rows

    board = rank(logs, bench_rows(data))
    click.echo(board.markdown())
    if output is not None:
        leaderboard_figure(board, output / "leaderboard.png")
        (output / "leaderboard.md").write_text(board.markdown(), encoding="utf-8")
        click.echo(f"written to {output}")


def run_rows(log: RunLog, data: Path | None) -> list[Row]:
    """What a log's rollouts ran on: its own rows; of older logs, which keep none, those of DATA or the embedded tasks."""
    from kopa_hf.cli.evaluate import bench_rows

    kept = list(log.rows().values()) if data is None else []
    return kept or bench_rows(data)


@bench.command("inspect")
@click.argument("log", type=FilePath())
@click.option("--data", type=FilePath(), help="The benchmark folder of the run; default: what the log ran on.")
@click.option("--output", default="logs", show_default=True, type=FilePath(), help="Folder for the files.")
def inspect_log(log: Path, data: Path | None, output: Path) -> None:
    """Write the runs of LOG as Inspect logs, one .eval file per agent: inspect view --log-dir OUTPUT."""
    from kopa_hf.bench.inspect_log import require_inspect, write_inspect_logs
    from kopa_hf.bench.run_log import read_run_log

    require_inspect()
    for path in write_inspect_logs(log, run_rows(read_run_log(log), data), output):
        click.echo(path)


@bench.command()
@click.argument("output", type=FilePath())
@click.option("--quick", is_flag=True, help="Leave out the table of scripted policies, which takes most of the time.")
def export(output: Path, quick: bool) -> None:
    """Write the published instance as a dataset folder OUTPUT that `load_dataset` reads, card and picture included."""
    from kopa_hf.hub.loading import embedded_rows

    with interrupted_says("The folder is written whole or not at all; the same command begins anew."):
        rows = embedded_rows()
        write_bench(rows, output, scored=not quick)
    click.echo(f"{len(rows)} tasks in {output}")


def write_bench(rows: Iterable[Row], output: Path, *, scored: bool = False, **facts: Any) -> None:
    """The benchmark's folder: default, held_out and one config per domain; `scored` puts the policies' table on it."""
    from kopa_hf.bench.worlds import world_of
    from kopa_hf.hub.benchmark_card import benchmark_facts
    from kopa_hf.hub.cards import benchmark_entry, dataset_card
    from kopa_hf.hub.folder import check_replaceable, row_table, write_folder
    from kopa_hf.hub.loading import in_config

    check_replaceable(output)  # before the minutes that the policies take
    tasks = list(rows)
    configs = ["default", "held_out", *sorted({row.domain for row in tasks})]
    tables = [row_table([row for row in tasks if in_config(row, name)], config=name, split="test") for name in configs]
    tables = [table for table in tables if table.records]
    with Executor(world=world_of(tasks)) as executor, progress("scripted policies", quiet=not scored) as tick:
        found = benchmark_facts(tasks, executor, scored=scored, progress=tick)
    write_folder(
        tables,
        output,
        lambda files: dataset_card("kopa-bench", {"test": tasks}, files, **{**found.facts, **facts}),
        benchmark=benchmark_entry("kopa-bench", [table.config for table in tables]),
        assets=found.assets,
    )


for _command in (handout, answer, audit, rescore, card, grid):
    bench.add_command(_command)
