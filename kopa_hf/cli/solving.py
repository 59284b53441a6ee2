"""`kopa bench handout | answer | audit`: solve tasks without their gold, and see how far solvers and gold agree."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kopa_hf.cli.file_path import FilePath
from kopa_hf.cli.output import clip, json_option, print_json, print_table
from kopa_hf.execution.executor import Executor

if TYPE_CHECKING:
    from kopa_hf.bench.transcript import Transcript


@click.command()
@click.argument("folder", type=FilePath())
@click.option("--data", type=FilePath(), help="A benchmark folder; default: the embedded tasks.")
@click.option("--task", "tasks", multiple=True, help="Only this task or row id; may be repeated.")
def handout(folder: Path, data: Path | None, tasks: tuple[str, ...]) -> None:
    """Write one transcript per task into FOLDER: question, tools, state and limit, and no gold.

    A solver reads the file, works with `kopa call NAME KEY=VALUE --transcript FILE` and ends with
    `kopa bench answer FILE TEXT`; `kopa bench audit FOLDER` compares.
    """
    from kopa_hf.bench.transcript import Transcript
    from kopa_hf.cli.evaluate import bench_rows

    rows = bench_rows(data)
    known = {name: row for row in rows for name in (row.id, str(row.provenance.get("task")))}
    unknown = [name for name in tasks if name not in known]
    if unknown:
        raise click.UsageError(f"No task {', '.join(unknown)}; `kopa bench list` names them.")
    folder.mkdir(parents=True, exist_ok=True)
    chosen = [known[name] for name in tasks] if tasks else rows
    for row in chosen:
        Transcript.of(row).begin(folder / f"{row.id}.jsonl")
    click.echo(f"{len(chosen)} tasks handed out into {folder}")


@click.command()
@click.argument("transcript", type=FilePath())
@click.argument("text")
@click.option("--solver", default="", help="Who or what answers, e.g. 'model' or 'person'; kept in the file.")
def answer(transcript: Path, text: str, solver: str) -> None:
    """Give the final answer TEXT to a handed-out task. It cannot be changed, and nothing is said about it."""
    from kopa_hf.bench.transcript import read_transcript

    read_transcript(transcript).close(transcript, text, solver)
    click.echo("noted")


@click.command()
@click.argument("folder", required=False, type=FilePath())
@click.option("--data", type=FilePath(), help="The benchmark folder that was handed out.")
@click.option("--output", type=FilePath(), help="Collect the answered transcripts in this JSONL file.")
@json_option
def audit(folder: Path | None, data: Path | None, output: Path | None, as_json: bool) -> None:
    """Replay the transcripts in FOLDER and score their answers: where solver and gold differ, one of them is wrong.

    Without FOLDER: the published audit, whose transcripts come with the package. FOLDER may be a file that
    --output has written, too. Exit code 1: a solver's answer differs from the gold.
    """
    import json

    from kopa_hf.bench.worlds import world_of
    from kopa_hf.cli.evaluate import bench_rows

    rows = {row.id: row for row in bench_rows(data)}
    found = _transcripts(folder)
    if not found:
        raise click.UsageError(f"No transcripts in {folder}; `kopa bench handout {folder}` writes them.")
    stale = [t.row for t in found if t.row not in rows]
    done = [t for t in found if t.answer is not None and t.row in rows]
    with Executor(world=world_of(rows.values())) as executor:
        scores = [(t, rows[t.row], t.score(rows[t.row], executor)) for t in done]
    if output is not None:
        lines = [json.dumps(t.to_dict(), ensure_ascii=False) + "\n" for t in done]
        output.write_text("".join(lines), encoding="utf-8")
    agree = sum(score.reward == 1.0 for _, _, score in scores)
    if as_json:
        print_json(
            {
                "answered": len(done),
                "agree": agree,
                "open": len(found) - len(done) - len(stale),
                "stale": stale,
                "tasks": [
                    {"row": t.row, "task": row.provenance.get("task"), "agrees": s.reward == 1.0,
                     "answer": t.answer, "gold": row.answer, "reasons": list(s.reasons)}
                    for t, row, s in scores
                ],
            }
        )  # fmt: skip
    else:
        differ = [(t, row, s) for t, row, s in scores if s.reward != 1.0]
        table = [
            (str(row.provenance.get("task")), clip(t.answer or "", 60), clip(row.answer, 40), "; ".join(s.reasons))
            for t, row, s in differ
        ]
        if table:
            print_table(table, ("task", "solver", "gold", "reasons"))
        words = f"{agree} of {len(done)} answers agree with the gold"
        words += f", {len(found) - len(done) - len(stale)} not answered" if len(found) > len(done) + len(stale) else ""
        words += f", {len(stale)} of tasks that have changed since" if stale else ""
        click.echo(words)
    if folder is None and not as_json:
        from kopa_hf.bench.audit_record import load_audit

        record = load_audit()
        click.echo(
            f"at the first pass: {record.first_pass} of {len(record.tasks)}; {len(record.corrected)} tasks were corrected "
            f"({record.date})\nsolver: {record.solver}\nreader: {record.reader}"
        )
    if agree < len(done):
        raise click.exceptions.Exit(1)


def _transcripts(folder: Path | None) -> list[Transcript]:
    """Of a folder of handed-out files, of one file of many transcripts, or the published ones."""
    from kopa_hf.bench.audit_record import load_transcripts, read_collected
    from kopa_hf.bench.transcript import read_transcript

    if folder is None:
        return load_transcripts()
    if folder.is_file():
        return read_collected(folder)
    return [read_transcript(path) for path in sorted(folder.glob("*.jsonl"))]
