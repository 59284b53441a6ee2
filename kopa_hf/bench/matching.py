"""A largest one-to-one matching, so that the order of calls never decides which of them counts."""

from __future__ import annotations

from collections.abc import Sequence


def largest_matching(options: Sequence[Sequence[int]]) -> tuple[int | None, ...]:
    """Per wanted thing one of its options, none of them given twice, for as many as possible (Kuhn's algorithm).

    Options are tried in their order, and a wanted thing that is placed once stays placed.
    """
    taken: dict[int, int] = {}
    for wanted in range(len(options)):
        _augment(wanted, options, taken, set())
    of_wanted = {wanted: option for option, wanted in taken.items()}
    return tuple(of_wanted.get(wanted) for wanted in range(len(options)))


def _augment(wanted: int, options: Sequence[Sequence[int]], taken: dict[int, int], seen: set[int]) -> bool:
    """One augmenting path; `taken` maps options to wanted things."""
    for option in options[wanted]:
        if option in seen:
            continue
        seen.add(option)
        if option not in taken or _augment(taken[option], options, taken, seen):
            taken[option] = wanted
            return True
    return False
