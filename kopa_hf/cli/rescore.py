"""`kopa bench rescore`: old runs under today's rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kopa_hf.cli.evaluate import bench_rows, judge_option
from kopa_hf.cli.file_path import FilePath
from kopa_hf.cli.output import clip, json_option, print_json, print_table
from kopa_hf.cli.scores import print_scores, report_record
from kopa_hf.errors import DataError

if TYPE_CHECKING:
    from kopa_hf.bench.rescoring import Rescored, Rescoring


@click.command()
@click.argument("log", type=FilePath())
@click.option("--data", type=FilePath(), help="The benchmark folder to compare with; default: the embedded tasks.")
@click.option("--output", type=FilePath(), help="The new log; default: LOG with .rescored in its name.")
@click.option("--in-place", is_flag=True, help="Replace LOG itself.")
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
@judge_option
@json_option
def rescore(
    log: Path, data: Path | None, output: Path | None, in_place: bool, dry_run: bool, judge: str | None, as_json: bool
) -> None:
    """Score the runs of LOG (.jsonl or .eval) again with today's rules, without a model or a backend.

    A rollout is scored against the task it ran on. Where that task has changed since in ways that the changelog does
    not call comparable, or the run was on another world, it is marked and counts in no average.
    """
    from kopa_hf.bench.judging import open_judge
    from kopa_hf.bench.rescoring import rescore_log
    from kopa_hf.bench.run_log import read_run_log

    if in_place + dry_run + (output is not None) > 1:
        raise click.UsageError("--output, --in-place and --dry-run exclude one another.")
    found = read_run_log(log)
    rescoring = rescore_log(found, bench_rows(data), judge=open_judge(judge) if judge else None)
    target = None
    if not dry_run:
        target = log if in_place else output or log.with_name(f"{log.stem}.rescored{log.suffix}")
        _write(log, target, rescoring, in_place=in_place)
    if as_json:
        print_json(_record(rescoring, target))
        return
    print_table(_lines(rescoring), ("agent", "task", "rollouts", "old", "new", "changed", "compared with today"))
    click.echo("")
    reports = list(rescoring.reports().values())
    if reports:
        print_scores(reports)
    if rescoring.left_out:
        click.echo(
            f"\n{len(rescoring.left_out)} rollout(s) are not comparable with these tasks and count in no figure."
        )
    click.echo(f"\nwritten to {target}" if target else "\nnothing was written")


def _write(log: Path, target: Path, rescoring: Rescoring, *, in_place: bool) -> None:
    from kopa_hf.bench.inspect_reading import rewrite_eval
    from kopa_hf.bench.run_log import write_lines

    if target.exists() and not in_place:
        raise DataError(f"{target} exists. Name another file with --output, or replace the log itself with --in-place.")
    if target.suffix != log.suffix:
        raise DataError(f"{target.name}: the new log is of the old one's kind, {log.suffix or 'without ending'}.")
    if log.suffix == ".eval":
        rewrite_eval(log, target, rescoring)
    else:
        write_lines(target, rescoring.lines())


def _groups(rescoring: Rescoring) -> Iterator[tuple[str, str, Sequence[Rescored]]]:
    """Rollouts by agent and task, in the log's order; a task in two standings is two groups."""
    groups: dict[tuple[str, str, str, str], list[Rescored]] = {}
    for rescored in rescoring.rollouts:
        key = (rescored.agent, rescored.task, rescored.standing, str(rescored.line["row"]))
        groups.setdefault(key, []).append(rescored)
    for (agent, task, _, _), group in groups.items():
        yield agent, task, group


def _lines(rescoring: Rescoring) -> Iterator[tuple[str, ...]]:
    for agent, task, group in _groups(rescoring):
        changed = sum(rescored.old != rescored.new for rescored in group)
        first = group[0]
        standing = first.standing if first.comparable else f"not comparable, {first.standing}"
        told = standing + (f": {clip(first.why, 60)}" if first.why else "")
        rates = (_rate([r.old for r in group]), _rate([r.new for r in group]))
        yield (clip(agent, 40), task, str(len(group)), *rates, str(changed or ""), told)


def _rate(rewards: Sequence[float | None]) -> str:
    scored = [reward for reward in rewards if reward is not None]
    return f"{sum(scored) / len(scored):.2f}" if scored else "-"


def _record(rescoring: Rescoring, target: Path | None) -> dict[str, Any]:
    rollouts = [
        {
            "agent": r.agent, "task": r.task, "row": r.line["row"], "seed": r.line["seed"], "rollout": r.line["rollout"],
            "old": r.old, "new": r.new, "standing": r.standing, "comparable": r.comparable, "why": r.why,
        }
        for r in rescoring.rollouts
    ]  # fmt: skip
    reports = [report_record(report) for report in rescoring.reports().values()]
    return {"written": None if target is None else str(target), "rollouts": rollouts, "reports": reports}
