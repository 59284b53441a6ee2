"""What the lists share: searching by word, ranges of days and numbers, the index of initials, order, numbering."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeVar

from kopa_hf.sandbox.query import NO_ROWS, Query, Record, Rows

T = TypeVar("T")
Test = Callable[[T, str], bool]
"""Whether an item fits a parameter's value."""

_INITIALS: Final = (
    "ga", "ga", "na", "da", "da", "ra", "ma", "ba", "ba", "sa", "sa", "a", "ja", "ja", "cha", "ka", "ta", "pa", "ha",
)  # fmt: skip
"""Index word of each of the 19 initial consonants."""


def contains(text: str, wanted: str) -> bool:
    """Whether a text holds a word; blanks do not count, and `*` holds for everything."""
    if wanted == "*" or wanted in text:
        return True
    return (" " in text or " " in wanted) and wanted.replace(" ", "") in text.replace(" ", "")


def within(value: str, wanted: str) -> bool:
    """Whether a day or number lies in `20240101~20241231`; one value alone must be equal."""
    first, last = _ends(wanted)
    if last is None:
        return value.lstrip("0") == first
    if len(value) < 8 and value.isdigit():
        return int(first or 0) <= int(value) <= int(last or 10**9)
    return (first or "0") <= value <= (last or "9")


@lru_cache(maxsize=256)
def _ends(wanted: str) -> tuple[str, str | None]:
    """First and last of a span; of a single value itself, less leading zeros, and None. Long lists ask for each item."""
    first, tilde, last = wanted.partition("~")
    return (first.strip(), last.strip()) if tilde else (wanted.strip().lstrip("0"), None)


def initial_of(text: str) -> str:
    """ga, na, …: where a name stands in the index."""
    first = text[:1]
    return _INITIALS[(ord(first) - 0xAC00) // 588] if "가" <= first <= "힣" else ""


def chosen(items: Sequence[T], query: Query, tests: Mapping[str, Test[T]]) -> Sequence[T]:
    """The items that fit every parameter that filters."""
    active = [(tests[name], value.strip()) for name, value in query.parameters.items() if name in tests]
    active = [(test, value) for test, value in active if value]
    for test, value in active:
        items = [item for item in items if test(item, value)]
    return items


def ordered(items: Sequence[T], query: Query, keys: Mapping[str, Callable[[T], Any]]) -> Sequence[T]:
    """The items in the asked order. `keys`: what `l`, `d`, `n`, `ef`, `r` sort by; the items come by name."""
    wanted = query.get("sort", "lasc")
    for suffix, backwards in (("asc", False), ("des", True)):
        kind = wanted.removesuffix(suffix)
        if kind != wanted and kind in keys and wanted != "lasc":
            return sorted(items, key=keys[kind], reverse=backwards)
    return items


def numbered(items: Sequence[T], make: Callable[[T], Record]) -> Rows:
    """Rows with their position in the result first."""
    if not items:
        return NO_ROWS
    return Rows(len(items), lambda index: {"id": str(index + 1), **make(items[index])})


def single(record: Record | None) -> Rows:
    """A document, or nothing."""
    return NO_ROWS if record is None else Rows.of((record,))


def fitted(record: Record, query: Query) -> Record:
    """The columns that the signature lists, in its order; a list adds the position itself."""
    if query.tool is None:
        return record
    return {f.name: record.get(f.name, "") for f in query.tool.fields if f.name != "id"}


def trimmed(record: Record, query: Query) -> Record:
    """Only the columns that `fields` names; everything where it names none of them."""
    wanted = {name.strip() for name in query.get("fields").split(",") if name.strip()}
    kept = {name: value for name, value in record.items() if name in wanted}
    return kept or record


def dotted(day: str) -> str:
    """2024.01.31 for 20240131."""
    return f"{day[:4]}.{day[4:6]}.{day[6:]}" if len(day) == 8 else day


def link(page: str, **given: str) -> str:
    """A link as rows carry it, less the caller's key: /DRF/lawService.do?target=…"""
    return f"/DRF/{page}.do?" + "&".join(f"{name}={value}" for name, value in given.items())
