"""Multi-turn entries: the calls of every turn are executed, then states and results are compared with the answer key's.

Follows `multi_turn_checker` of bfcl-eval 2026.3.23 (Apache-2.0).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kopa_hf.bench.bfcl.backends import ApiCall, Apis, gold_call
from kopa_hf.bench.bfcl.entries import Entry
from kopa_hf.bench.bfcl.strict import RIGHT, Outcome

Step = Sequence[ApiCall]
"""Calls that were made together."""


def check_turns(entry: Entry, turns: Sequence[Sequence[Step]], root: Path, *, strict: str | None = None) -> Outcome:
    """Whether the steps of each turn reach what the answer key reaches.

    turns: by turn, its steps with at least one readable call. root: where `bfcl_eval`
    lies. Results of earlier turns count, too; surplus calls are free as long as the
    state after each turn is the answer key's. strict: a model's name; texts that mention a
    method are altered as the official runner alters them for that model.
    """
    if len(turns) != len(entry.gold):
        return Outcome(False, "multi_turn:force_terminated")
    given = Apis.of(entry, root, model=strict)
    wanted = Apis.of(entry, root, model=None if strict is None else f"{strict}_ground_truth")
    answered: list[str] = []
    for steps, gold in zip(turns, entry.gold, strict=True):
        for step in steps:
            answered += given.execute(step)
        expected = wanted.execute([gold_call(text) for text in gold])
        if not gold:
            # nothing can be done in this turn; what was done all the same shows in the next one
            continue
        if not steps:
            return Outcome(False, "multi_turn:empty_turn_model_response")
        if any(not same_state(given.instances[name], wanted.instances[name]) for name in entry.classes):
            return Outcome(False, "multi_turn:instance_state_mismatch")
        if not _contains(answered, expected):
            return Outcome(False, "multi_turn:execution_response_mismatch")
    return RIGHT


def same_state(one: Any, other: Any) -> bool:
    """Equal public attributes."""
    return all(getattr(one, name) == value for name, value in vars(other).items() if not name.startswith("_"))


def _contains(answered: Sequence[str], expected: Sequence[str]) -> bool:
    """Whether every expected result was answered, as often as expected, in any order."""
    left = list(answered)
    for result in expected:
        if result not in left:
            return False
        left.remove(result)
    return True
