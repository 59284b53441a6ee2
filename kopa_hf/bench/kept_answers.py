"""Answers on disk: one JSON line per item, which an interrupted run goes on from and which can be scored again."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kopa_hf.bench.asking import A, Agent, Answered, Asked, answer_all
from kopa_hf.bench.bfcl.scoring import Mode
from kopa_hf.errors import DataError
from kopa_hf.values.json_line import json_line

Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Run:
    """What all results of one file have in common."""

    model: str
    mode: Mode
    data: str
    """Fingerprint of the data."""
    settings: Mapping[str, Any]
    """What else than its name a model's answers hang on."""


def result_line(run: Run, entry: Asked, result: Any, notes: Sequence[str]) -> Line:
    """One result; `id` and `result` are named as in BFCL's official result files."""
    return {
        "id": entry.id,
        "result": result,
        "category": entry.category,
        "model": run.model,
        "mode": run.mode,
        "data": run.data,
        "settings": dict(run.settings),
        "notes": list(notes),
    }


def read_results(path: Path) -> list[Line]:
    """The lines of a results file, an official one too; a last line that was cut short is left out."""
    try:
        texts = _lines(path)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error}") from error
    lines = []
    for number, text in enumerate(texts, start=1):
        try:
            line = json.loads(text.decode("utf-8"))
        except ValueError as error:  # what was cut inside a character is no UTF-8 either
            if number == len(texts):
                break
            raise DataError(f"{path}, line {number} is no JSON: {error}") from error
        if not isinstance(line, dict) or not {"id", "result"} <= line.keys():
            raise DataError(f"{path}, line {number} holds no result (id and result).")
        lines.append(line)
    return lines


def _lines(path: Path) -> list[bytes]:
    """Lines that end with a line feed: answers may hold the other signs that `splitlines` takes for an end."""
    content = path.read_bytes().removeprefix(codecs.BOM_UTF8)  # some editors put a byte order mark in front
    return content.removesuffix(b"\n").split(b"\n") if content else []


def cut_short(path: Path) -> bool:
    """Whether the last line of a results file was not written whole."""
    lines = _lines(path)
    try:
        return bool(lines) and not isinstance(json.loads(lines[-1].decode("utf-8")), dict)
    except ValueError:
        return True


def go_on_from(path: Path, run: Run) -> set[str]:
    """Ids that a results file has already. Raises `DataError` where its results belong to another run."""
    if not path.exists():
        return set()
    lines = read_results(path)
    for line in lines:
        found = Run(line.get("model", ""), line.get("mode", "fc"), line.get("data", ""), line.get("settings") or {})
        if found != run:
            raise DataError(f"{path} holds results of another run: {_difference(found, run)}. Name another file.")
    _mend_end(path)
    return {line["id"] for line in lines}


def _mend_end(path: Path) -> None:
    """Take off the line that was being written when the run stopped, which would swallow the next one."""
    content = path.read_bytes()
    cut, whole = cut_short(path), content.endswith(b"\n")
    if not content or (whole and not cut):
        return
    try:
        with path.open("r+b") as file:
            if cut:
                file.truncate(content.removesuffix(b"\n").rfind(b"\n") + 1)
            else:
                file.seek(0, 2)
                file.write(b"\n")
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror}.") from error


def _difference(found: Run, run: Run) -> str:
    """The first thing that two runs do not have in common."""
    pairs = [(name, getattr(found, name), getattr(run, name)) for name in ("model", "mode", "data", "settings")]
    name, theirs, ours = next(pair for pair in pairs if pair[1] != pair[2])
    return f"{name} {theirs!r} there, {ours!r} now"


async def ask_and_keep(
    agent: Agent[A],
    entries: Sequence[A],
    run: Run,
    output: Path | None = None,
    concurrency: int = 8,
    tick: Callable[[int], None] = lambda done: None,
) -> tuple[list[Line], list[Answered[A]]]:
    """Lines of the items that were answered, also in `output` as they come, and those that could not be asked."""
    lines: list[Line] = []
    faults: list[Answered[A]] = []
    async with aclosing(answer_all(agent, entries, concurrency)) as answered:
        async for found in answered:
            if found.solved is None:
                faults.append(found)
            else:
                line = result_line(run, found.entry, found.solved.result, found.solved.notes)
                lines.append(line)
                if output is not None:
                    output.parent.mkdir(parents=True, exist_ok=True)
                    with output.open("a", encoding="utf-8") as file:
                        file.write(json_line(line))
            tick(len(lines) + len(faults))
    return lines, faults
