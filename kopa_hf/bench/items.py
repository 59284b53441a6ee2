"""Answers that are several items: how they are split, and when two such answers are the same."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

from kopa_hf.bench.segments import final_block, plain_latex, unwrapped
from kopa_hf.bench.verdicts import DIFFERENT, EQUAL, Context, Verdict, as_text
from kopa_hf.values import ValueFailure
from kopa_hf.values.date import read_date
from kopa_hf.values.number import read_quantity
from kopa_hf.values.text import fold_width, normalize_text, strip_closing
from kopa_hf.values.unit import unit_scale

_COMMA: Final = r",(?![0-9]{3}(?![0-9]))|、|，"
_MARKS: Final = (";", "·", "/", "→", ">")
_WORDS: Final = (
    r"\s및\s",
    r"\s그리고\s",
    r"(?<=[가-힣A-Za-z0-9)%℃㎡㎞」』’”'\"])[와과]\s",
    r"(?<=[가-힣A-Za-z0-9)])(?:이)?랑\s",
)
_BULLET: Final = re.compile(
    r"^\s*(?:[-*•]|[0-9]{1,2}[.)](?=\s)|[0-9]{1,2}\s?위\s*[:.]?(?=\s)|[①-⑳]|\([0-9]{1,2}\)(?=\s))\s*"
)
_TOPIC: Final = re.compile(r"(?<=[가-힣A-Za-z0-9)])(?:은|는|이|가)\s+|[:：]\s+")
_QUOTES: Final = " \"'`*“”‘’「」『』"
# what prose puts behind the last item: … 순입니다, … 두 곳입니다, …가 있습니다
_AFTER_LAST: Final = re.compile(
    r"(?:\s+순(?:서)?(?:대로)?|(?:\s+(?:등\s*)?(?:모두\s*|총\s*)?(?:[0-9]{1,3}|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열)\s?"
    r"(?:곳|개|명|건|종|가지|개사|개교|개소))|(?:이|가)\s*있)(?:입니다|이다|임|습니다|다)?[.\s]*$"
)
# … (총 2곳): how many they are, said behind them
_COUNT: Final = re.compile(
    r"\s*\((?:총|모두|전체)?\s*(?P<count>[0-9]{1,3})\s?(?:곳|개|명|건|종|가지|개사|개교|개소)\)(?:입니다|이다|임)?[.\s]*$"
)
_NUMBERED: Final = (r"\s*(?=[①-⑳])", r"\s+(?=\([0-9]{1,2}\)\s)")
_LINE: Final = 60
_MAX_ITEMS: Final = 5000


def compare_items(*, ordered: bool) -> Callable[[Any, Any, Context], Verdict]:
    """Kinds `list` (order counts) and `set` (neither order nor repeats count)."""

    def check(gold: Any, given: Any, context: Context) -> Verdict:
        wanted = _whole_list(gold)
        if wanted is None:
            wanted = split_items(as_text(gold))
        if isinstance(given, str) and not given.strip():
            return Verdict(False, "empty")
        key, golden = _gold(tuple(wanted), str(context["unit"])[:40] if context.get("unit") else None, ordered)
        readings = list(_readings(given, wanted))
        if not any(readings) and wanted:
            return Verdict(False, "no_value: no items in the answer")
        return EQUAL if any(_keys(found, key, ordered) == golden for found in readings) else DIFFERENT

    return check


def split_items(text: str, like: Sequence[str] = ()) -> list[str]:
    """Items of a text with commas, bullets, 와/과/및 between them; a mark that items of `like` hold is no separator."""
    text = re.sub(r"^\s*[\[({]|[\])}]\s*\.?\s*$", "", strip_closing(normalize_text(text)))
    separator = _separator(tuple(like))
    parts = [_BULLET.sub("", part).strip(_QUOTES) for part in separator.split(text)]
    return [part for part in parts if part][:_MAX_ITEMS]


def _separator(like: tuple[str, ...]) -> re.Pattern[str]:
    held = "\n".join(f"{item} " for item in like)
    found = [r"\n"]
    if not re.search(_COMMA, held):
        found.append(_COMMA)
    found += [mark for mark in _NUMBERED if not re.search(mark, held)]
    found += [re.escape(mark) for mark in _MARKS if mark not in held]
    found += [word for word in _WORDS if not any(re.search(word, item) for item in like)]
    return re.compile("|".join(found))


def _whole_list(value: Any) -> list[str] | None:
    """A Python list or a JSON array as texts; None for other text."""
    if isinstance(value, str):
        text = value.strip()
        if not (text.startswith("[") and text.endswith("]")):
            return None
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return None
    if isinstance(value, set | frozenset):
        return sorted(as_text(item) for item in value)
    if isinstance(value, list | tuple):
        return [as_text(item) for item in value]
    return None


def _readings(given: Any, wanted: Sequence[str]) -> Iterator[list[str]]:
    """The items as they may be meant: those of the whole final part, or of what it says of its topic."""
    if isinstance(given, str):
        given = unwrapped(as_text(given))
    whole = _whole_list(given)
    if whole is not None:
        yield whole
        return
    text = plain_latex(final_block(as_text(given)))
    if text.count("[") != text.count("]") and not any("[" in item or "]" in item for item in wanted):
        return  # a list that was cut off
    whole = _whole_list(text)
    yield whole if whole is not None else split_items(text, wanted)
    lines = _bare_lines(as_text(given))
    if len(lines) > 1 and len(wanted) > 1:
        yield split_items("\n".join(lines), wanted)
    tail = text[-60:]
    count = _COUNT.search(tail)
    if count is not None:
        counted = split_items(text[: len(text) - len(tail) + count.start()], wanted)
        yield from [counted] if len(counted) == int(count["count"]) else []
    shorter = text[: len(text) - len(tail)] + _AFTER_LAST.sub("", tail)
    if shorter != text:
        yield split_items(shorter, wanted)
    for topic in list(_TOPIC.finditer(text))[:20]:
        said = text[topic.end() :]
        whole = _whole_list(strip_closing(said))
        yield whole if whole is not None else split_items(said, wanted)
        if shorter != text and topic.end() < len(shorter):
            yield split_items(shorter[topic.end() :], wanted)
    if not wanted and text.strip(_QUOTES + ".") in ("없음", "없습니다", "{}", "[]", "∅"):
        yield []


def _bare_lines(text: str) -> list[str]:
    """An answer whose every line is an item and nothing else; empty where a line says more."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    plain = all(len(line) <= _LINE and not re.search(r"[.!?:：,\\]|(?:다|요)$", line) for line in lines)
    return lines if plain and len(lines) <= _MAX_ITEMS else []


def _keys(items: Sequence[str], key: Callable[[str], Hashable], ordered: bool) -> Hashable:
    found = [key(item) for item in items]
    return tuple(found) if ordered else frozenset(found)


@lru_cache(maxsize=1024)
def _gold(wanted: tuple[str, ...], unit: str | None, ordered: bool) -> tuple[Callable[[str], Hashable], Hashable]:
    """How items are read, and the gold ones so read. Remembered: every rollout of a task is held against the same gold."""
    key = _key_for(wanted, unit)
    return key, _keys(wanted, key, ordered)


def _key_for(wanted: Sequence[str], unit: str | None) -> Callable[[str], Hashable]:
    """How items are told apart: as days or numbers where all gold items are some, else as text without blanks."""
    if wanted and all(_day(item) is not None for item in wanted):
        return lambda item: _day(item) or ("text", _squeezed(item))
    base, scale = unit_scale(unit)

    # where neither the field nor gold names a unit, any will do
    united = base is not None or any(_unit_of(item) for item in wanted)

    def number(item: str) -> Hashable | None:
        # a leading zero marks a code; without a digit a name such as 이사 is none
        if re.match(r"\s*-?0[0-9]", item) or not re.search(r"[0-9]", item):
            return None
        try:
            found = read_quantity(fold_width(item))
        except ValueFailure:
            return None
        value = found.value if found.unit is not None or found.scaled else found.value * scale
        return ("number", value, (found.unit or base) if united else None)

    if wanted and all(number(item) is not None for item in wanted):
        return lambda item: number(item) or ("text", _squeezed(item))
    return lambda item: ("text", _squeezed(item))


def _unit_of(item: str) -> str | None:
    try:
        return read_quantity(fold_width(item)).unit
    except ValueFailure:
        return None


def _day(item: str) -> Hashable | None:
    try:
        return read_date(item)
    except ValueFailure:
        return None


def _squeezed(text: str) -> str:
    return "".join(normalize_text(text).split())
