"""What the expressway's handlers share: filters, and numbers as the service spells them."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from kopa_hf.sandbox.calendar import parse_compact
from kopa_hf.sandbox.query import Query, RefusedError

T = TypeVar("T")
Column = Callable[[Any], str]


def chosen(items: Iterable[T], query: Query, **columns: Column) -> list[T]:
    """Items whose columns equal the parameters of the same names; parameters without a value do not choose."""
    tests = [(column, query.get(name)) for name, column in columns.items() if query.get(name)]
    return [item for item in items if all(column(item).strip() == wanted for column, wanted in tests)]


def containing(items: Iterable[T], query: Query, **columns: Column) -> list[T]:
    """Items whose columns contain the parameters of the same names."""
    tests = [(column, query.get(name)) for name, column in columns.items() if query.get(name)]
    return [item for item in items if all(wanted in column(item) for column, wanted in tests)]


def day_of(query: Query, name: str, default: datetime.date) -> datetime.date:
    """A YYYYMMDD parameter; `default` where it is absent."""
    text = query.get(name)
    if not text:
        return default
    day = parse_compact(text)
    if day is None:
        raise RefusedError("value", name)
    return day


def hour_of(query: Query, name: str, default: int) -> int:
    """An HH parameter."""
    text = query.get(name)
    if not text:
        return default
    if not text.isascii() or not text.isdigit() or len(text) > 2 or int(text) > 23:
        raise RefusedError("value", name)
    return int(text)


def option_of(query: Query, name: str, options: str, default: str) -> str:
    """A one-letter parameter; any other letter is refused."""
    text = query.get(name) or default
    if len(text) != 1 or text not in options:
        raise RefusedError("value", name)
    return text


def degrees(value: float) -> str:
    """A coordinate with six decimals."""
    return f"{value:.6f}"
