"""What changed between versions of the tasks, and which errors were found in them: `data/changes.yaml`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final, Literal, TypeVar

from kopa_hf.bench.task import Task
from kopa_hf.errors import DataError

KINDS: Final[tuple[str, ...]] = ("added", "changed", "removed", "scoring")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change of one task, or of the rules."""

    kind: Literal["added", "changed", "removed", "scoring"]
    text: str
    scores: Literal["comparable", "not comparable"]
    """Whether results from before and after may stand in one table."""
    task: str = ""
    """Empty: all tasks."""
    version: str = ""
    """The task's version from this change on; empty for removed tasks and rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """One published state of the tasks."""

    version: str
    date: str
    text: str
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Erratum:
    """One error that was found in a task."""

    task: str
    """Empty: more than one."""
    found_by: str
    """Kind of the finder: author, reader, solver, user."""
    problem: str
    effect: str
    """What the error did to scores."""
    corrected_in: str = ""
    """Release; empty while it stands."""
    correction: str = ""


@dataclass(frozen=True, slots=True)
class Changelog:
    """Releases, newest first, and errata."""

    releases: tuple[Release, ...]
    errata: tuple[Erratum, ...]

    def version_of(self, task: str) -> str | None:
        """The task's version as logged: that of its last entry; None where only its first release knows it."""
        logged = (c.version for r in self.releases for c in r.changes if c.task == task and c.kind != "scoring")
        return next(logged, None)

    def since(self, task: str, version: str) -> tuple[Change, ...] | None:
        """The task's changes after `version`, newest first; None where the log does not know that version of it."""
        later: list[Change] = []
        for change in (c for r in self.releases for c in r.changes if c.task == task and c.kind != "scoring"):
            if change.version == version:
                return tuple(later)
            later.append(change)
        return tuple(later) if self.releases and version == self.releases[-1].version else None


@lru_cache(maxsize=1)
def load_changes() -> Changelog:
    """The benchmark's own log of releases and errata; `DataError` where its file is damaged."""
    import yaml

    text = (files("kopa_hf.bench") / "data" / "changes.yaml").read_text(encoding="utf-8")
    return read_changes(yaml.safe_load(text))


def read_changes(values: Mapping[str, Any]) -> Changelog:
    """A log from its data; `DataError` names the entry that is wrong."""
    releases = []
    for entry in values["releases"]:
        changes = tuple(_record(Change, change, f"release {entry.get('version')}") for change in entry["changes"])
        for change in changes:
            if change.kind not in KINDS or change.scores not in ("comparable", "not comparable"):
                raise DataError(
                    f"changes.yaml, {change.task or 'rules'}: kind {change.kind!r}, scores {change.scores!r}."
                )
        releases.append(_record(Release, {**entry, "changes": changes}, "releases"))
    return Changelog(tuple(releases), tuple(_record(Erratum, entry, "errata") for entry in values["errata"]))


def unlogged(tasks: Iterable[Task], log: Changelog) -> list[str]:
    """Tasks whose version the log does not have, and entries on tasks that do not exist; one text each."""
    versions = {task.name: task.version for task in tasks}
    first = log.releases[-1].version if log.releases else ""
    found = []
    for name, version in versions.items():
        logged = log.version_of(name) or first
        if version != logged:
            found.append(f"{name} is at version {version}, the log at {logged}; add what changed to changes.yaml")
    removed = {c.task for r in log.releases for c in r.changes if c.kind == "removed"}
    named = [c.task for r in log.releases for c in r.changes] + [erratum.task for erratum in log.errata]
    found += [f"the log names {name}, which is no task" for name in named if name and name not in {*versions, *removed}]
    return found


_T = TypeVar("_T", Change, Release, Erratum)


def _record(kind: type[_T], values: Mapping[str, Any], where: str) -> _T:
    known = {f.name for f in fields(kind)}
    if not set(values) <= known:
        raise DataError(f"changes.yaml, {where}: unknown keys {', '.join(sorted(set(values) - known))}.")
    try:
        return kind(**values)
    except TypeError as error:
        raise DataError(f"changes.yaml, {where}: {error}.") from error
