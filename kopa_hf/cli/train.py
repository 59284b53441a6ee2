"""`kopa train`: what is checked before a run; the runs themselves are started by `accelerate launch`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from kopa_hf.cli.catalog_option import CATALOG
from kopa_hf.cli.file_path import Name, Source
from kopa_hf.cli.output import json_option, print_json, print_table, progress


@click.group()
def train() -> None:
    """Checks before training, and the shipped presets.

    Training itself: accelerate launch --config_file FILE -m kopa_hf.train.grpo --config PRESET (or …train.sft).
    """


@train.command()
@click.argument("dataset", required=False, type=Source())
@click.option("--split", type=Name(), help="Split of the rows; default: train, of the embedded tasks test.")
@click.option(
    "--tokenizer",
    metavar="MODEL",
    type=Source(),
    help="Folder or Hub name; default: a tiny tokenizer, made on the spot.",
)
@click.option(
    "--chat-template", metavar="NAME", type=Name(), help="A template that TRL knows, in place of the tokenizer's own."
)
@click.option("--rows", default=4, show_default=True, type=click.IntRange(1), help="Rows to play.")
@click.option(
    "--max-completion-length", type=click.IntRange(1), help="Tokens of a rollout; default: as many as gold needs."
)
@click.option(
    "--max-errors",
    default=0.25,
    show_default=True,
    type=click.FloatRange(0, 1),
    help="Calls that may fail, as a share.",
)
@CATALOG
@json_option
def doctor(
    dataset: str | None,
    split: str | None,
    tokenizer: str | None,
    chat_template: str | None,
    rows: int,
    max_completion_length: int | None,
    max_errors: float,
    as_json: bool,
) -> None:
    """Prove that the trainer's own path pays gold 1 and silence 0, on rows of DATASET.

    Without arguments: a tiny model and the embedded tasks, offline. Exit code 1: a check failed.
    """
    from kopa_hf.errors import KopaError
    from kopa_hf.train.dataset import EMBEDDED
    from kopa_hf.train.preflight import Check, Plan, check_apart

    plan = Plan(
        dataset=dataset or EMBEDDED,
        split=split or ("train" if dataset else "test"),
        tokenizer=tokenizer,
        template=chat_template,
        max_completion_length=max_completion_length,
        rows=rows,
        max_errors=max_errors,
    )
    try:
        checks = check_apart(plan)
    except KopaError as error:
        checks = [Check("preflight", False, str(error))]
    if as_json:
        print_json([asdict(check) for check in checks])
    else:
        for check in checks:
            click.echo(f"{'ok  ' if check.passed else 'FAIL'}  {check.name}: {check.says}")
    if not all(check.passed for check in checks):
        raise click.exceptions.Exit(1)


@train.command()
@click.argument("dataset", required=False, type=Source())
@click.option("--split", type=Name(), help="Split of the rows; default: train, of the embedded tasks test.")
@click.option(
    "--rows", default=300, show_default=True, type=click.IntRange(1), help="Rows, spread over the structures."
)
@CATALOG
@json_option
def integrity(dataset: str | None, split: str | None, rows: int, as_json: bool) -> None:
    """Prove that no row of DATASET pays a habit: forms without values, repeated calls, copied numbers.

    Without arguments: the embedded tasks. Exit code 1: a row pays one.
    """
    from kopa_hf.bench.habits import play_habits, spread_rows
    from kopa_hf.bench.rows import row_from_dict
    from kopa_hf.bench.worlds import world_of
    from kopa_hf.execution.executor import Executor
    from kopa_hf.execution.opening import open_in_force
    from kopa_hf.train.dataset import EMBEDDED, load_rows

    name = dataset or EMBEDDED
    loaded = load_rows(name, split or ("train" if dataset else "test"))
    picked = spread_rows([row_from_dict(record) for record in loaded], rows)
    world = world_of(picked)
    opened = open_in_force() if world is None else Executor(world=world)
    with opened as executor, progress("rows", len(picked), quiet=as_json) as tick:
        habits = play_habits(picked, executor, progress=tick)
    paid = sorted({row for habit in habits for row in habit.paid})
    if as_json:
        print_json(
            {"dataset": Path(name).name, "rows": len(picked), "paid": paid, "habits": [asdict(h) for h in habits]}
        )
    else:
        print_table(
            [[h.calls, h.answer, h.rollouts, len(h.paid), h.unscored] for h in habits],
            ("calls", "answer", "rollouts", "paid", "unscored"),
        )
        click.echo(f"{len(picked)} rows, {sum(h.rollouts for h in habits)} rollouts, {len(paid)} rows pay a habit")
        for row in paid:
            click.echo(f"  {row}")
    if paid:
        raise click.exceptions.Exit(1)


@train.command()
def presets() -> None:
    """List the shipped presets, each with what it is for."""
    import kopa_hf.train

    for path in sorted((Path(kopa_hf.train.__file__).parent / "presets").glob("*.yaml")):
        click.echo(f"{path}\n  {path.read_text(encoding='utf-8').splitlines()[0].lstrip('# ')}")
