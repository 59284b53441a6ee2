"""The published instance, kept beside the tasks: reading it takes milliseconds, grounding all tasks many seconds.

`python -m kopa_hf.bench.frozen` writes it anew after a task or the sandbox has changed. A file
that does not belong to the task files at hand is never read; the tasks are then grounded.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Final

from kopa_hf.bench.rows import Row, row_from_dict, row_text
from kopa_hf.bench.task import ground_tasks
from kopa_hf.errors import DataError
from kopa_hf.execution.executor import Executor
from kopa_hf.sandbox.world import WORLD_VERSION
from kopa_hf.whole_file import write_whole

_NAME: Final = "frozen.jsonl"


def frozen_rows() -> tuple[Row, ...] | None:
    """Every task's published instance; None where the file is missing or was made from other tasks."""
    source = files("kopa_hf.bench") / "data" / _NAME
    if not source.is_file():
        return None
    lines = source.read_text(encoding="utf-8").splitlines()
    if not lines or json.loads(lines[0]) != _head():
        return None
    return tuple(row_from_dict(json.loads(line)) for line in lines[1:])


def published_rows() -> tuple[Row, ...]:
    """One row per task on the default world; tasks that cannot be grounded are an error here."""
    kept = frozen_rows()
    if kept is not None:
        return kept
    with Executor() as executor:
        grounding = ground_tasks(executor)
    if grounding.failed:
        raise DataError("; ".join(reason for _, reason in grounding.failed))
    return tuple(grounding.rows)


def write_frozen(rows: Iterable[Row], target: Path) -> None:
    """Write the rows with what they were made from; whole or not at all."""
    lines = [json.dumps(_head(), sort_keys=True), *map(row_text, rows)]
    write_whole(target, "".join(line + "\n" for line in lines))


def _head() -> dict[str, object]:
    """What the instance hangs on: the task files' content and the world's version."""
    digest = hashlib.sha256()
    folder = files("kopa_hf.bench") / "data" / "tasks"
    for source in sorted((f for f in folder.iterdir() if f.name.endswith(".yaml")), key=lambda f: f.name):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return {"tasks": digest.hexdigest(), "world": WORLD_VERSION}


if __name__ == "__main__":
    with Executor() as _executor:
        _grounding = ground_tasks(_executor)
    for _task, _reason in _grounding.failed:
        raise SystemExit(f"{_task}: {_reason}")
    write_frozen(_grounding.rows, Path(__file__).parent / "data" / _NAME)
    sys.stdout.write(f"{len(_grounding.rows)} rows\n")
