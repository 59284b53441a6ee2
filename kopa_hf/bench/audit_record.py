"""The audit of the published tasks: who solved and read them, what the first pass found, what was corrected.

`data/audit/record.yaml` holds the findings, `data/audit/transcripts.jsonl` the solvers' calls and
answers on the tasks as they stand; `kopa bench audit` makes the latter.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal

from kopa_hf.bench.transcript import Transcript
from kopa_hf.errors import DataError

_CAUSES: Final = ("", "task", "solver")


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedTask:
    """What the audit came to on one task."""

    task: str
    agreed: bool
    """The first blind answer agreed with the gold."""
    cause: Literal["", "task", "solver"] = ""
    """Whose mistake a disagreement was."""
    finding: str = ""
    """What solver or reader found."""
    correction: str = ""
    """What was changed in the task; empty where nothing had to be."""
    agreed_after: bool | None = None
    """A later blind answer, where there was a second pass."""

    def __post_init__(self) -> None:
        if self.cause not in _CAUSES:
            raise DataError(f"Audit record, {self.task}: cause {self.cause!r} is none of task, solver.")
        if not self.agreed and not (self.cause and self.finding):
            raise DataError(f"Audit record, {self.task}: a disagreement needs a cause and a finding.")

    @property
    def agrees(self) -> bool:
        """Gold and the latest blind answer agree."""
        return self.agreed if self.agreed_after is None else self.agreed_after


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRecord:
    """One audit of all tasks."""

    date: str
    solver: str
    """What kind solved, as it was: a model or a person, and how much it saw."""
    reader: str
    """What kind read each task against the tool descriptions."""
    tasks: tuple[AuditedTask, ...]

    @property
    def first_pass(self) -> int:
        """Tasks on which the first blind answer agreed with the gold."""
        return sum(task.agreed for task in self.tasks)

    @property
    def agree_now(self) -> int:
        """Tasks on which gold and the latest blind answer agree."""
        return sum(task.agrees for task in self.tasks)

    @property
    def corrected(self) -> tuple[AuditedTask, ...]:
        """Tasks that the audit changed."""
        return tuple(task for task in self.tasks if task.correction)

    @property
    def open(self) -> tuple[AuditedTask, ...]:
        """Tasks on which gold and blind answer still differ, the solver being wrong."""
        return tuple(task for task in self.tasks if not task.agrees)


@lru_cache(maxsize=1)
def load_audit() -> AuditRecord:
    """The record that ships with the tasks; `DataError` says what in it is wrong."""
    import yaml

    try:
        content = yaml.safe_load(_source("record.yaml"))
        return AuditRecord(**{**content, "tasks": tuple(_task(entry) for entry in content["tasks"])})
    except (TypeError, KeyError, yaml.YAMLError) as error:
        raise DataError(f"The audit record cannot be read: {error}.") from error


def load_transcripts() -> list[Transcript]:
    """The solvers' transcripts, one per task, in the order of the file."""
    return [Transcript.from_dict(json.loads(line)) for line in _source("transcripts.jsonl").splitlines()]


def read_collected(path: Path) -> list[Transcript]:
    """Transcripts of a file that `kopa bench audit --output` wrote; DataError names the line that is none."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            found.append(Transcript.from_dict(json.loads(line)))
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(f"{path}, line {number} is no transcript.") from error
    return found


def _source(name: str) -> str:
    return (files("kopa_hf.bench") / "data" / "audit" / name).read_text(encoding="utf-8")


def _task(entry: Any) -> AuditedTask:
    unknown = set(entry) - {f.name for f in fields(AuditedTask)}
    if unknown:
        raise DataError(f"Audit record, {entry.get('task')}: unknown keys {', '.join(sorted(unknown))}.")
    return AuditedTask(**entry)
