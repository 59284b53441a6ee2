"""Lines of results files as scores: ours, and those of the official runner."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kopa_hf.bench.bfcl.categories import CATEGORIES, OLD_NAMES, is_multi_turn
from kopa_hf.bench.bfcl.entries import Entry
from kopa_hf.bench.bfcl.scoring import Mode, Score, score
from kopa_hf.bench.bfcl.summary import Mark
from kopa_hf.errors import DataError

_OFFICIAL_FAULT: Final = "Error during inference:"


@dataclass(frozen=True, slots=True)
class Scored:
    """One result with its score."""

    entry: Entry
    score: Score
    line: Mapping[str, Any]


def score_results(
    lines: Iterable[Mapping[str, Any]], entries: Mapping[str, Entry], root: Path | None, mode: Mode | None = None
) -> list[Scored]:
    """Scores of result lines. `mode`: for lines that do not say theirs, as official ones do not."""
    scored = []
    seen: set[str] = set()
    for line in lines:
        entry = entries.get(line["id"])
        if entry is None:
            raise DataError(f"The data has no entry {line['id']!r}.")
        if entry.id in seen:
            raise DataError(f"There are two results of {entry.id!r}; score one run at a time.")
        seen.add(entry.id)
        way = line.get("mode") or mode
        if way not in ("fc", "prompt"):
            raise DataError("These results do not say how they were made. Add --mode fc or --mode prompt.")
        found = score(
            entry,
            way,
            line["result"],
            root if is_multi_turn(entry.category) else None,
            model=line.get("model", "model"),
        )
        scored.append(Scored(entry, found, line))
    return scored


def marks(scored: Iterable[Scored], verdict: str) -> list[Mark]:
    """Marks of one of the verdicts, `strict` or `typed`."""
    return [Mark(getattr(one.score, verdict).valid, one.entry.category) for one in scored]


def category_of(line: Mapping[str, Any]) -> str:
    """The category that a result line names, else the one that its id begins with, by V3's names, too."""
    if line.get("category") in CATEGORIES:
        return str(line["category"])
    identity = str(line["id"])
    names = {**{old: name for name, old in OLD_NAMES.items()}, **{name: name for name in CATEGORIES}}
    found = [name for name in names if identity.startswith(f"{name}_")]
    if not found:
        raise DataError(f"{identity!r} is no entry of a supported category.")
    return names[max(found, key=len)]


def without_faults(lines: Iterable[Mapping[str, Any]]) -> tuple[list[Mapping[str, Any]], list[str]]:
    """Lines that hold an answer, and what the others say, for which the official runner's server failed.

    Only official files hold such lines: ours leave an entry out that could not be asked, and say how they were made
    (`mode`), so that a model cannot choose to be unscored.
    """
    answered, faults = [], []
    for line in lines:
        result = line["result"]
        if "mode" not in line and isinstance(result, str) and result.startswith(_OFFICIAL_FAULT):
            faults.append(f"{line['id']}: {result}")
        else:
            answered.append(line)
    return answered, faults
