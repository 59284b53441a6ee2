"""Is a snapshot whole? Every row and body against its seal, every answer read once more, no key in any of it."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from kopa_hf.catalog.registry import Catalog
from kopa_hf.errors import CatalogError, DataError
from kopa_hf.execution.keys import Keyring
from kopa_hf.execution.reading import answer_of
from kopa_hf.execution.recorded import ANSWERS, Recorded, request_of, signature_print
from kopa_hf.execution.snapshot import Snapshot
from kopa_hf.platforms.failures import is_failure
from kopa_hf.platforms.wires import wire_for

SHOWN: Final = 100
"""Problems that are kept in words."""


@dataclass(slots=True)
class Checked:
    """What a check found."""

    answers: int = 0
    failures: int = 0
    problems: list[str] = field(default_factory=list)
    """In words; the first ones."""
    count: int = 0
    """Problems in all."""
    outdated: int = 0
    """Answers whose tool has another signature in today's catalog; no damage."""
    unknown: int = 0
    """Answers of tools that the catalog does not know, which may be another catalog's; no damage."""
    keys: int = 0
    """Keys that were looked for."""

    @property
    def whole(self) -> bool:
        """True where nothing is wrong."""
        return not self.count

    def note(self, problem: str) -> None:
        """One more problem."""
        self.count += 1
        if len(self.problems) < SHOWN:
            self.problems.append(problem)


def check_snapshot(
    snapshot: Snapshot,
    catalog: Catalog,
    keys: Keyring | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Checked:
    """Read everything once. `keys`: those that must not stand in it, beside none that the file could tell of."""
    found = Checked(keys=len(keys) if keys is not None else 0)
    current = {tool.name: signature_print(tool) for tool in catalog}
    try:
        for problem in snapshot.structure():
            found.note(problem)
        total = len(snapshot)
        names = [head.request for head in snapshot.heads()]
    except DataError as error:
        found.note(str(error))
        return found
    for name in names:
        found.answers += 1
        try:
            answer = snapshot.get(name)
        except DataError as error:
            found.note(str(error))
            continue
        if answer is None:
            found.note(f"{name[:80]}: listed, and cannot be found")
            continue
        problem = _problem(answer, keys)
        if problem:
            found.note(f"{name[:80]}: {problem}")
        if answer.tool not in current:
            found.unknown += 1
        else:
            found.outdated += current[answer.tool] != answer.signature
        if progress is not None and (found.answers % 100 == 0 or found.answers == total):
            progress(found.answers, total)
    _check_failures(snapshot, keys, found)
    return found


def _problem(answer: Recorded, keys: Keyring | None) -> str:
    asked = request_of(answer.request)
    if asked is None or asked[0] != answer.tool:
        return "it is filed under another tool, or under no request"
    try:
        wire_for(answer.wire)
    except CatalogError as error:
        return str(error)
    try:
        datetime.datetime.strptime(answer.observed, "%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        return f"{answer.observed[:40]!r} is no moment"
    if answer.outcome not in ANSWERS:
        return f"{answer.outcome[:40]} is no answer"
    told = answer_of(answer)
    if told.outcome != answer.outcome:
        return f"it reads as {told.outcome}, not as {answer.outcome}"
    if keys is None:
        return ""
    shown = keys.shown_in(f"{answer.request}\n{answer.content_type}".encode(), answer.body)
    shown = tuple(dict.fromkeys((*shown, *keys.encoded_in(answer.body.decode("latin-1")))))
    return f"the key {', '.join(shown)} stands in it" if shown else ""


def _check_failures(snapshot: Snapshot, keys: Keyring | None, found: Checked) -> None:
    try:
        for failed in snapshot.failures():
            found.failures += 1
            asked: Any = request_of(failed.request)
            if asked is None or asked[0] != failed.tool:
                found.note(f"{failed.request[:80]}: this failure is filed under no request")
            if not is_failure(failed.outcome, failed.failure):
                found.note(f"{failed.request[:80]}: {failed.outcome[:40]} is no {failed.failure[:40]} failure")
            if keys is not None and keys.shown_in(f"{failed.request}\n{failed.message}".encode()):
                found.note(f"{failed.request[:80]}: a key stands in this failure")
    except DataError as error:
        found.note(str(error))
