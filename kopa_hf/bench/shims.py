"""Sessions that stand between a golden program and the real one, and keep some of its calls back.

Each is a defect that an agent may have: what the program does stays the same, what it
is shown is what such an agent would have seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from kopa_hf.agent.session import Session
from kopa_hf.bench.actions import tool_schemas
from kopa_hf.bench.expressions import as_decimal, plain_number
from kopa_hf.bench.golden import WRITING_TOOLS
from kopa_hf.bench.rows import Row
from kopa_hf.execution.episode import Episode
from kopa_hf.execution.result import CallResult


@dataclass(slots=True)
class _Seen:
    """What a program is shown of one call; the session may not have made it."""

    result: CallResult
    text: str
    result_id: str | None


class _Shim:
    """A session that makes only the calls its subclass lets through."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.calls: list[_Seen] = []

    @property
    def episode(self) -> Episode:
        return self.session.episode

    def call(
        self, name: str, arguments: dict[str, Any] | str, *, call_id: str | None = None, step: int | None = None
    ) -> str:
        seen = self.instead(name, arguments if isinstance(arguments, dict) else {})
        if seen is None:
            text = self.session.call(name, arguments, call_id=call_id, step=step)
            made = self.session.calls[-1]
            seen = _Seen(made.result, text, made.result_id)
        self.calls.append(seen)
        return seen.text

    def instead(self, name: str, arguments: dict[str, Any]) -> _Seen | None:
        """What the program sees in place of the call; None: make it."""
        raise AssertionError("subclasses decide")


class FirstPage(_Shim):
    """`collect_pages` is not called: the first page is taken for the whole."""

    def instead(self, name: str, arguments: dict[str, Any]) -> _Seen | None:
        if name != "collect_pages":
            return None
        return next((seen for seen in self.calls if seen.result_id == arguments.get("result_id")), None)


class TwoPages(_Shim):
    """`collect_pages` is stopped after the second page."""

    def call(
        self, name: str, arguments: dict[str, Any] | str, *, call_id: str | None = None, step: int | None = None
    ) -> str:
        if name == "collect_pages" and isinstance(arguments, dict):
            arguments = {**arguments, "max_pages": 2}
        return super().call(name, arguments, call_id=call_id, step=step)

    def instead(self, name: str, arguments: dict[str, Any]) -> _Seen | None:
        return None


class FirstStep(_Shim):
    """What would follow the first step is not called, and nothing comes back for it."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.first: int | None = None
        self.over = False

    def call(
        self, name: str, arguments: dict[str, Any] | str, *, call_id: str | None = None, step: int | None = None
    ) -> str:
        self.first = step if self.first is None else self.first
        self.over = step != self.first
        return super().call(name, arguments, call_id=call_id, step=step)

    def instead(self, name: str, arguments: dict[str, Any]) -> _Seen | None:
        return _Seen(CallResult(tool=name, arguments=arguments, outcome="no_data"), "{}", None) if self.over else None


class _Guess(dict[str, Any]):
    """A record whose every field holds the same guess."""

    def __init__(self, guess: str) -> None:
        super().__init__()
        self.guess = guess

    def __contains__(self, key: object) -> bool:
        return True

    def __missing__(self, key: str) -> str:
        return self.guess

    def get(self, key: str, default: Any = None) -> Any:
        return self.guess


class NoLookup(_Shim):
    """Prerequisite lookups are not made: the name that the question gives stands in for the code."""

    def __init__(self, session: Session, skipped: Sequence[str]) -> None:
        super().__init__(session)
        self.skipped = frozenset(skipped)

    def instead(self, name: str, arguments: dict[str, Any]) -> _Seen | None:
        if name not in self.skipped:
            return None
        guess = next((str(value) for value in arguments.values()), "")
        result = CallResult(tool=name, arguments=arguments, outcome="ok", records=[_Guess(guess)], value=guess)
        return _Seen(result, "{}", None)


class ReadsOnly(_Shim):
    """Nothing is written."""

    def instead(self, name: str, arguments: dict[str, Any]) -> _Seen | None:
        if name not in WRITING_TOOLS:
            return None
        return _Seen(CallResult(tool=name, arguments=arguments, outcome="ok", value="not written"), "{}", None)


class ChangedWrite(_Shim):
    """The last write goes out with one argument changed."""

    def __init__(self, session: Session, row: Row) -> None:
        super().__init__(session)
        self.left = sum(action["name"] in WRITING_TOOLS for action in row.golden_actions)
        self.schemas = tool_schemas(row)

    def call(
        self, name: str, arguments: dict[str, Any] | str, *, call_id: str | None = None, step: int | None = None
    ) -> str:
        if name in WRITING_TOOLS and isinstance(arguments, dict):
            self.left -= 1
            if self.left == 0:
                arguments = self._changed(name, arguments)
        return super().call(name, arguments, call_id=call_id, step=step)

    def _changed(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        changed = dict(arguments)
        for key, value in reversed(arguments.items()):
            options = self.schemas.get(name, {}).get("properties", {}).get(key, {}).get("enum")
            if options:
                changed[key] = next(option for option in options if option != value)
                return changed
            if isinstance(value, list) and value and isinstance(value[-1], dict):
                last = dict(value[-1])
                column = next(reversed(last))
                last[column] = altered(str(last[column]))
                changed[key] = [*value[:-1], last]
                return changed
        key = next(reversed(arguments))
        changed[key] = altered(str(arguments[key]))
        return changed

    def instead(self, name: str, arguments: dict[str, Any]) -> _Seen | None:
        return None


def altered(text: str) -> str:
    """Another value of the same kind: one more, a digit changed, a word reversed."""
    number = as_decimal(text)
    if number is not None and not (text.startswith("0") and len(text) > 1 and text.isdigit()):
        return plain_number(number + Decimal(1))
    if text and text[-1].isdigit():
        return text[:-1] + str((int(text[-1]) + 1) % 10)
    return text[::-1] if text != text[::-1] else text + "가"
