"""How commands print: tables for people, JSON for machines, progress on long work."""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import click

from kopa_hf.values.printable import printable

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


_UNESCAPED = re.compile(r"[\x7f-\x9f]")
"""Controls that JSON writes as they are."""


def print_json(value: Any) -> None:
    """One JSON document on standard output, raw Hangul."""
    text = json.dumps(value, ensure_ascii=False, indent=2, default=str)
    click.echo(_UNESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def width(text: str) -> int:
    """Columns that a terminal needs: Hangul and other wide signs take two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def clip(text: str, columns: int) -> str:
    """`text` cut to at most `columns` terminal columns, on one line."""
    text = " ".join(printable(text).split())
    if width(text) <= columns:
        return text
    kept = ""
    for char in text:
        if width(kept) + width(char) > columns - 1:
            break
        kept += char
    return kept + "…"


def print_table(
    rows: Iterable[Sequence[Any]], header: Sequence[str] = (), *, indent: str = "", err: bool = False
) -> None:
    """Aligned columns; a column of numbers is right-aligned."""
    table = [[printable(str(cell)) for cell in row] for row in rows]
    lines = [[printable(str(name)) for name in header], *table] if header else table
    if not lines:
        return
    widths = [max(width(line[i]) for line in lines) for i in range(len(lines[0]))]
    right = [bool(table) and all(_is_number(row[i]) for row in table) for i in range(len(lines[0]))]
    for line in lines:
        cells = [
            " " * (widths[i] - width(cell)) + cell if right[i] else cell + " " * (widths[i] - width(cell))
            for i, cell in enumerate(line)
        ]
        click.echo((indent + "  ".join(cells)).rstrip(), err=err)


def _is_number(cell: str) -> bool:
    return bool(cell) and cell.replace(",", "").replace(".", "").replace("%", "").replace("-", "").strip().isdigit()


@contextmanager
def interrupted_says(text: str) -> Iterator[None]:
    """What Ctrl-C inside leaves behind, where it is not the checkpoint that `main` speaks of; exit code 130."""
    try:
        yield
    except (KeyboardInterrupt, click.Abort):
        click.echo(f"Interrupted. {text}", err=True)
        raise click.exceptions.Exit(130) from None


class Advance(Protocol):
    """Called with how much is done, and optionally of how much and what."""

    def __call__(self, done: int, total: int | None = None, note: str = "") -> None: ...


@contextmanager
def progress(label: str, total: int | None = None, *, quiet: bool = False) -> Iterator[Advance]:
    """A bar with an estimate on a terminal; a line at the end otherwise."""
    if quiet or not sys.stderr.isatty():
        yield lambda done, total=None, note="": None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, TextColumn("{task.fields[note]}"), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total, note="")

        def advance(done: int, total: int | None = None, note: str = "") -> None:
            bar.update(task, completed=done, total=total or bar.tasks[0].total, note=note)

        yield advance
