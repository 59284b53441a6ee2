"""Reading a Korean question with nothing but the signatures of the offered tools beside it.

What is found are spans: titles of tools, literals with the words in front of them, and
what a clause says about columns (an extreme, a threshold, a sum). Nothing here knows
how the question came about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, cast

from kopa_hf.catalog.tool import Field, Parameter, Tool
from kopa_hf.edge.columns import spoken_label
from kopa_hf.edge.mentions import spoken_platform, spoken_title

LiteralKind = Literal["text", "date", "month", "year", "term", "place"]

_LITERALS: Final = re.compile(
    r"'(?P<text>[^']+)'"
    r"|(?P<date>\d{4}년 \d{1,2}월 \d{1,2}일)"
    r"|(?P<month>\d{4}년 \d{1,2}월)"
    r"|(?P<year>(?:19|20)\d\d년)"
    r"|제(?P<term>\d{1,2})대"
    r"|(?P<place>[가-힣]{1,9}(?:시|군|구|도))(?=의 |에 있는 | 지역의 )"
)
_SEARCHED: Final = re.compile(r"(으로|로) 검색")
LARGEST: Final = "큰|많은|높은|넓은|긴|늦은"
SMALLEST: Final = "작은|적은|낮은|좁은|짧은|이른"
_SUPERLATIVE: Final = re.compile(rf"가장 (?P<word>{LARGEST}|{SMALLEST})")
_NUMBER: Final = r"(?P<number>[+-]?\d[\d,]*(?:\.\d+)?)"
_MOST: Final = re.compile(r"(가장 자주 나오는|가장 많이 나오는|건수가 가장 많은) ?")
_HEAD: Final = re.compile(r"맨 앞 (?P<rows>[\d,]+)건 가운데")


@dataclass(frozen=True, slots=True)
class Titled:
    """A place where the question names a tool's data."""

    tool: Tool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Said:
    """A literal of the question."""

    kind: LiteralKind
    text: str
    """Without quotes: 2026년 1월 5일, 가온, 22 of a term."""
    start: int
    end: int
    before: str
    """The words in front of it, up to the literal or title before."""
    searched: bool = False
    """True where records are searched for by it."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What a clause says about one column."""

    column: Field
    operation: Literal["max", "min", "ge", "le", "gt", "eq", "most_frequent"]
    value: str = ""
    end: int = 0
    """Where in the clause it ends."""


def find_titles(question: str, tools: Iterable[Tool]) -> list[Titled]:
    """Titles in order of appearance; of overlapping ones the longest.

    Tools of one title are told apart by the platform that stands nearest in front.
    """
    found: list[Titled] = []
    for tool in tools:
        title = spoken_title(tool)
        start = question.find(title)
        while start >= 0:
            found.append(Titled(tool, start, start + len(title)))
            start = question.find(title, start + 1)
    found.sort(key=lambda t: (t.start - t.end, t.start))
    kept: list[Titled] = []
    for titled in found:
        rivals = [t for t in kept if t.start < titled.end and titled.start < t.end]
        if not rivals:
            kept.append(titled)
        elif (rivals[0].start, rivals[0].end) == (titled.start, titled.end) and (
            _platform_near(question, titled) > _platform_near(question, rivals[0])
        ):
            kept[kept.index(rivals[0])] = titled
    return sorted(kept, key=lambda t: t.start)


def _platform_near(question: str, titled: Titled) -> int:
    """Where the tool's platform is named last in front of the title, else behind it in brackets; -1: nowhere."""
    name = spoken_platform(titled.tool)
    if question[titled.end :].lstrip("' 자료").startswith(f"({name})"):
        return titled.end
    return question.rfind(name, 0, titled.start)


def find_literals(question: str, titles: Sequence[Titled]) -> list[Said]:
    """Literals outside of titles, in order."""
    found: list[Said] = []
    edge = 0
    spans = [(t.start - 1, t.end + 1) for t in titles]
    for match in _LITERALS.finditer(_masked(question, titles)):
        if any(start < match.start() < end for start, end in spans):
            continue
        kind = match.lastgroup or "text"
        behind = max([edge, *[end for _, end in spans if end <= match.start()]])
        before, searched = question[behind : match.start()], _SEARCHED.match(question, match.end()) is not None
        found.append(Said(cast(LiteralKind, kind), match[kind], match.start(), match.end(), before, searched))
        edge = match.end()
    return found


def _masked(question: str, titles: Sequence[Titled]) -> str:
    """The question with titles (and quotes around them) blanked, positions kept."""
    text = list(question)
    for titled in titles:
        quoted = question[titled.start - 1 : titled.start] == "'" and question[titled.end : titled.end + 1] == "'"
        start, end = (titled.start - 1, titled.end + 1) if quoted else (titled.start, titled.end)
        text[start:end] = "◦" * (end - start)
    return "".join(text)


def labelled(said: Said, column: Field | Parameter) -> bool:
    """True where the words in front of a literal name the column."""
    label = re.sub(r"\s*(코드|ID)$", "", spoken_label(column))
    return bool(re.search(rf"(?:^|[\s,'◦]){re.escape(label)}(?:이|가)?\s?$", said.before))


def find_conditions(clause: str, columns: Sequence[Field]) -> list[Condition]:
    """Extremes and thresholds that a clause states of the columns, in order."""
    found: list[Condition] = []
    for column in columns:
        label = re.escape(spoken_label(column))
        subject = rf"(?<![가-힣A-Za-z0-9]){label}(?:이|가) "
        for match in re.finditer(subject + _SUPERLATIVE.pattern, clause):
            operation: Literal["max", "min"] = "max" if re.fullmatch(LARGEST, match["word"]) else "min"
            found.append(Condition(column, operation, end=match.end()))
        for match in re.finditer(subject + _NUMBER + r"[^\s\d]* ?(?P<side>이상|이하)인", clause):
            found.append(Condition(column, "ge" if match["side"] == "이상" else "le", match["number"], match.end()))
        for match in re.finditer(subject + r"(?P<day>\d{4}년 \d{1,2}월 \d{1,2}일)보다 늦은", clause):
            found.append(Condition(column, "gt", match["day"], match.end()))
        for match in re.finditer(subject + r"'(?P<value>[^']+)'인", clause):
            found.append(Condition(column, "eq", match["value"], match.end()))
    # of two names that end together the longer one is meant
    longest = {c.end: max(len(spoken_label(o.column)) for o in found if o.end == c.end) for c in found}
    return sorted((c for c in found if len(spoken_label(c.column)) == longest[c.end]), key=lambda c: c.end)


def says_most_frequent(clause: str, conditions: Sequence[Condition]) -> bool:
    """True where the most frequent value of something is meant, not the largest of a column called …건수."""
    found = _MOST.search(clause)
    largest = any(c.operation == "max" and spoken_label(c.column).endswith("건수") for c in conditions)
    return found is not None and not (largest and found[1].startswith("건수"))


def head_rows(clause: str) -> int | None:
    """How many rows at the beginning are meant, where not all are."""
    found = _HEAD.search(clause)
    return int(found["rows"].replace(",", "")) if found else None


def last_label(clause: str, columns: Sequence[Field]) -> Field | None:
    """The column that a clause names last, the longest name where several end together; None for none or a draw."""
    best: tuple[int, int] = (-1, 0)
    named: list[Field] = []
    for column in columns:
        label = spoken_label(column)
        position = _last_whole(clause, label)
        if position < 0:
            continue
        rank = (position + len(label), len(label))
        if rank > best:
            best, named = rank, [column]
        elif rank == best:
            named.append(column)
    return named[0] if len(named) == 1 else None


def _last_whole(clause: str, label: str) -> int:
    """Where a label stands last with no letter in front; -1 for nowhere."""
    position = clause.rfind(label)
    while position > 0 and clause[position - 1].isalnum():
        position = clause.rfind(label, 0, position)
    return position
