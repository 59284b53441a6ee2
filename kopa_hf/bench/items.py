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
from kopa_hf.values.text import fold_width, normalize_text, squeezed, strip_closing
from kopa_hf.values.unit import ORDINALS, unit_scale

_COMMA: Final = r",(?![0-9]{3}(?![0-9]))|、|，"
_MARKS: Final = (";", "·", "/", "→", ">")
_WORDS: Final = (
    r"\s및\s",
    r"\s그리고\s",
    r"\sand\s",
    r"(?<=[가-힣A-Za-z0-9)%℃㎡㎞」』’”'\"])[와과]\s",
    r"(?<=[가-힣A-Za-z0-9)])(?:이)?랑\s",
)
_BULLET: Final = re.compile(
    r"^\s*(?:[-*•]|[0-9]{1,2}[.)](?=\s)|[0-9]{1,2}\s?위\s*[:.]?(?=\s)|[①-⑳]|\([0-9]{1,2}\)(?=\s))\s*"
)
# 1위: 가온, 2위는 나래; 첫째 가온, 둘째 나래: the rank decides where an item stands, not the place at which it is named
_RANK: Final = re.compile(
    r"(?:(?P<digits>[0-9]{1,2})\s?(?:위|등|순위|번째)|(?P<word>첫|두|세|네|다섯|둘|셋|넷)\s?(?:번째|째))[*_]{0,2}"
    r"(?:\s*[:：.]\s*[*_]{0,2}\s*|(?:은|는|이|가)?\s+)(?=\S)"
)
_NUMBER: Final = re.compile(r"(?P<digits>[0-9]{1,2})[.)]\s+(?=\S)")
_RANKS: Final = {"첫": 1, "두": 2, "둘": 2, "세": 3, "셋": 3, "네": 4, "넷": 4, "다섯": 5}
# 가온(5건), 가온: 5건, 가온 5건: behind a name, how many there are of it
_COUNTED: Final = re.compile(
    r"[*_`]{0,3}(?:\s*\((?P<held>[0-9][^()]{0,20})\)|(?:\s*[:：]\s*|\s+(?=[0-9]))[*_]{0,2}(?P<said>[0-9][^:：]{0,20}))$"
)
_IN_TURN: Final = re.compile(r"^\s*(?:차례로|차례대로|순서대로|각각)\s*[:：,]?\s+(?=\S)")
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
        if any(_keys(found, key, ordered) == golden for found in readings):
            return EQUAL
        names = (_uncounted(found, wanted) for found in readings)
        return EQUAL if any(found and _keys(found, key, ordered) == golden for found in names) else DIFFERENT

    return check


def split_items(text: str, like: Sequence[str] = ()) -> list[str]:
    """Items of a text with commas, bullets, 와/과/및 between them; a mark that items of `like` hold is no separator."""
    text = _unbracketed(strip_closing(normalize_text(text)))
    if not any(_IN_TURN.match(item) for item in like):
        text = _IN_TURN.sub("", text)
    parts = [part for part in _separator(tuple(like)).split(text) if part.strip()]
    ranked = None if any(_RANK.match(item) for item in like) else _by_rank(parts)
    parts = [_BULLET.sub("", part) for part in parts] if ranked is None else ranked
    return [part for part in (part.strip(_QUOTES) for part in parts) if part][:_MAX_ITEMS]


def _unbracketed(text: str) -> str:
    """(가온, 나래) and [가온, 나래] without their brackets, also half ones; (주)가온, 나래(주) as it stands."""
    text = text.strip()
    depth, closes = 0, []
    for index, char in enumerate(text):
        depth += (char in "[({") - (char in "])}")
        if depth <= 0:
            closes.append(index)
    if depth == 0 and (not closes or min(closes) < len(text) - 1):
        return text  # what opens at the start, if anything, closes before the end
    return re.sub(r"^\s*[\[({]|[\])}]\s*\.?\s*$", "", text)


def _by_rank(parts: Sequence[str]) -> list[str] | None:
    """Items that all bear a rank of their own, in the order of the ranks and without them; None for others."""
    parts = [part.lstrip(" \t-*•_") for part in parts]
    found = [_RANK.match(part) or _NUMBER.match(part) for part in parts[:100]]
    ranks = [int(match["digits"] or _RANKS[match["word"]]) for match in found if match is not None]
    if len(parts) < 2 or len(ranks) != len(parts) or len(set(ranks)) != len(ranks):
        return None
    rests = [part[match.end() :] for part, match in zip(parts, found, strict=True) if match is not None]
    return [rest for _, rest in sorted(zip(ranks, rests, strict=True))]


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
    rank = _RANK.search(text[:2000])
    for topic in list(_TOPIC.finditer(text))[:20]:
        if rank and topic.end() > rank.start():
            return  # behind 2위: the rest of the list would stand in the order in which it is named
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
        return lambda item: _day(item) or ("text", squeezed(item))
    base, scale = unit_scale(unit)

    # where neither the field nor gold names a unit, any will do
    united = base is not None or any(_unit_of(item) for item in wanted)

    def number(item: str) -> Hashable | None:
        # a leading zero marks a code; without a digit a name such as 이사 is none
        if re.match(r"\s*-?0[0-9]", item) or not re.search(r"[0-9]", item) or re.match(r"\W*(?:약|대략)\s?[0-9]", item):
            return None
        try:
            found = read_quantity(fold_width(item))
        except ValueFailure:
            return None
        value = found.value if found.unit is not None or found.scaled else found.value * scale
        return ("number", value, (found.unit or base) if united else None)

    if wanted and all(number(item) is not None for item in wanted):
        return lambda item: number(item) or ("text", squeezed(item))
    return lambda item: ("text", squeezed(item))


def _uncounted(items: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """가온(5건), 나래(3건) as 가온, 나래; empty where a gold item holds a number or a bracket, or an item has no count, or there is one alone.

    Of what is counted there must be some: 가온(0건) says that there is none.
    """
    if len(items) < 2 or any(re.search(r"[():：0-9]", item) for item in wanted):
        return []
    names = [_without_count(item) for item in items]
    return [name for name in names if name] if all(names) else []


def _without_count(item: str) -> str | None:
    tail = item[-_LINE:]
    found = _COUNTED.search(tail)
    if found is None or not item[: len(item) - len(tail) + found.start()].strip():
        return None
    try:
        count = read_quantity(found["held"] or found["said"])
    except ValueFailure:
        return None
    bears = count.unit is not None and not count.unit.startswith("?") and count.unit not in ORDINALS
    return item[: len(item) - len(tail) + found.start()] if bears and count.value > 0 else None


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
