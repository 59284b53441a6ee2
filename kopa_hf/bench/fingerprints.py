"""Which content each version of each task has: `data/fingerprints.json`.

A task that changes under the same version would make old scores look comparable, so
the content of a version is recorded once and held against the task file from then on.
`python -m kopa_hf.bench.fingerprints` records new versions.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from kopa_hf.bench.task import Task, load_tasks

_NAME: Final = "fingerprints.json"

Recorded = dict[str, dict[str, str]]
"""Task → version → fingerprint."""


@lru_cache(maxsize=1)
def load_fingerprints() -> Recorded:
    """The built-in record."""
    text = (files("kopa_hf.bench") / "data" / _NAME).read_text(encoding="utf-8")
    found: Recorded = json.loads(text)
    return found


def changed_unnoticed(tasks: Iterable[Task], recorded: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Tasks whose content is not what their version was recorded with, or not recorded; one text each."""
    found = []
    for task in tasks:
        known = recorded.get(task.name, {}).get(task.version)
        if known is None:
            found.append(
                f"{task.name}: version {task.version} is not recorded; run python -m kopa_hf.bench.fingerprints"
            )
        elif known != task.fingerprint:
            found.append(
                f"{task.name} has changed but is still version {task.version}; raise it and log the change in changes.yaml"
            )
    return found


def record(tasks: Iterable[Task], recorded: Mapping[str, Mapping[str, str]], replaced: Iterable[str] = ()) -> Recorded:
    """The record with new versions added; what a version had stays, but for the `replaced` tasks."""
    again = set(replaced)
    found = {name: dict(versions) for name, versions in recorded.items()}
    for task in tasks:
        versions = found.setdefault(task.name, {})
        if task.version not in versions or task.name in again:
            versions[task.version] = task.fingerprint
    return dict(sorted(found.items()))


def main() -> None:
    """Write the record beside the tasks."""
    parser = argparse.ArgumentParser(description="Record the content of new task versions.")
    parser.add_argument("--replace", nargs="*", default=[], metavar="TASK", help="tasks whose version nobody has yet")
    replaced = parser.parse_args().replace
    target = Path(__file__).parent / "data" / _NAME
    before: Recorded = json.loads(target.read_text(encoding="utf-8")) if target.is_file() else {}
    text = json.dumps(record(load_tasks(), before, replaced), indent=1)
    target.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
