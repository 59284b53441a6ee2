"""Typed Korean values: grammars, normal forms, formats."""

from __future__ import annotations


class ValueFailure(ValueError):  # noqa: N818  # a failure to read, not a bug
    """Text that is no value of the asked kind; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
