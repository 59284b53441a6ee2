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

from kopa_hf.bench.expressions import plain_number
from kopa_hf.catalog.tool import Field, Parameter, Tool
from kopa_hf.edge.amounts import AMOUNT, read_amount
from kopa_hf.edge.labels import factor_of, spoken_label, unit_of
from kopa_hf.edge.mentions import spoken_platform, spoken_title

LiteralKind = Literal["text", "date", "month", "year", "term", "place"]

_LITERALS: Final = re.compile(
    r"'(?P<text>[^']+)'"
    r"|(?P<date>\d{4}년 \d{1,2}월 \d{1,2}일)"
    r"|(?P<month>\d{4}년 \d{1,2}월)"
    r"|(?P<year>(?:19|20)\d\d년)"
    r"|제(?P<term>\d{1,2})대"
    r"|(?P<place>[가-힣]{1,9}(?:시|군|구|도))(?=의 |에 있는 | 지역)"
)
_SEARCHED: Final = re.compile(r"(으로|로) 검색")
LARGEST: Final = "큰|많은|높은|넓은|긴|늦은"
SMALLEST: Final = "작은|적은|낮은|좁은|짧은|이른"
FIGURE: Final = rf"(?=\d){AMOUNT}|[+-]?\d[\d,]*(?:\.\d+)?"
"""A number as it is said: 6,000억 원, 1,200."""
Operation = Literal["max", "min", "ge", "le", "gt", "eq"]
_CUES: Final[tuple[re.Pattern[str], ...]] = (
    re.compile(rf"[이가] 가장 (?P<word>{LARGEST}|{SMALLEST})"),
    re.compile(rf"[이가] (?P<number>{FIGURE})[^\s\d]* ?(?P<side>이상|이하)(?:인|이고)"),
    re.compile(r"[이가] (?P<day>\d{4}년 \d{1,2}월 \d{1,2}일)보다 늦은"),
    re.compile(r"[이가] '(?P<value>[^']+)'(?:인|이고)"),
)
"""What stands behind a column's name and says which records are meant."""
_MOST: Final = re.compile(r"(가장 자주 나오는|가장 많이 나오는|가장 여러 번 나오는|건수가 가장 많은) ?")
_ON_THE_MAP: Final = re.compile(r"가장 (?P<side>[동서남북])쪽에 있는")
_FOR_ALL: Final = re.compile(r"(단, )?(두|세) 자료 모두 ")
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
    operation: Operation
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
    before = said.before.rstrip(" ")
    label = re.sub(r"\s*(코드|ID)$", "", spoken_label(column))
    bare = before[:-1] if before.endswith(("이", "가")) else before
    # 노선 '가온선' stands for 노선명이 '가온선'
    return any(ends_with(text, said_as) for text in (before, bare) for said_as in (label, label.removesuffix("명")))


def ends_with(text: str, label: str) -> bool:
    """True where a text ends with the label as a word of its own."""
    if not label or not text.endswith(label):
        return False
    before = text[-len(label) - 1 : -len(label)]
    return not (before.isalnum() or before == "_")


def find_conditions(clause: str, columns: Sequence[Field]) -> list[Condition]:
    """Extremes, thresholds and equalities that a clause states of the columns, in order."""
    labels = [(column, spoken_label(column)) for column in columns]
    found: list[Condition] = []
    for match in _ON_THE_MAP.finditer(clause):
        axis, operation = _SIDES[match["side"]]
        found += [Condition(c, operation, end=match.end()) for c, label in labels if label == axis]
    for cue in _CUES:
        for match in cue.finditer(clause):
            head = clause[: match.start()]
            named = [(column, label) for column, label in labels if ends_with(head, label)]
            # of two names that end together the longer one is meant
            longest = max((len(label) for _, label in named), default=0)
            operation, value = _operation(match)
            found += [
                Condition(c, operation, in_unit_of(c, value) if operation in ("ge", "le") else value, match.end())
                for c, label in named
                if len(label) == longest
            ]
    return sorted(found, key=lambda c: c.end)


def in_unit_of(column: Field | None, figure: str) -> str:
    """A spoken figure in the unit of its column: 6,000억 원 of a column in 천원 is 600000000."""
    won = read_amount(figure)
    if won is None:
        return figure
    return plain_number(won / factor_of(unit_of(column) if column is not None else ""))


_SIDES: Final[dict[str, tuple[str, Operation]]] = {
    "북": ("위도", "max"), "남": ("위도", "min"), "동": ("경도", "max"), "서": ("경도", "min"),
}  # fmt: skip


def _operation(match: re.Match[str]) -> tuple[Operation, str]:
    groups = match.groupdict()
    if groups.get("word"):
        return "max" if re.fullmatch(LARGEST, groups["word"]) else "min", ""
    if groups.get("side"):
        return "ge" if groups["side"] == "이상" else "le", groups["number"]
    return ("gt", groups["day"]) if groups.get("day") else ("eq", groups["value"])


def says_most_frequent(clause: str, conditions: Sequence[Condition]) -> bool:
    """True where the most frequent value of something is meant, not the largest of a column called …건수."""
    found = _MOST.search(clause)
    largest = any(c.operation == "max" and spoken_label(c.column).endswith("건수") for c in conditions)
    return found is not None and not (largest and found[1].startswith("건수"))


def shared_sentence(question: str) -> int:
    """Where the sentence begins that says what holds for all data of a question; its length for none."""
    found = _FOR_ALL.search(question)
    return found.start() if found else len(question)


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


def without_ending(clause: str) -> str:
    """The noun phrase of a clause, without particle, question word and verb."""
    text = clause.strip().rstrip(".?")
    for pattern in _ENDINGS:
        shorter = pattern.sub("", text)
        if shorter != text:
            text = shorter
            break
    return text.strip().strip(",").strip()


_ENDINGS: Final[tuple[re.Pattern[str], ...]] = tuple(
    re.compile(pattern)
    for pattern in (
        r"(이|가|은|는|을|를) (각각 )?(누구|언제|어디|얼마|무엇|몇 [가-힣%㎡]{1,3}|뭐|어떻게)[가-힣]*( [가-힣 ]+)?$",
        r"(을|를)( 모두)?( 이)?( 차례로| 차례대로| 순서대로)? ((알려|확인해|찾아|답해) [주줘줄][가-힣 ]*|알고 싶[가-힣]*|[가-힣]{1,3}시오)$",
        r"(과|와|을|를|이|가|은|는|의)$",
    )
)


def first_of_two(clause: str) -> str:
    """The first side of "A와 B": everything up to the particle in front of the second title."""
    found = re.search(r"(과|와) [^과와]*$", clause)
    return clause[: found.start()] if found else clause


def asked_of_both(clause: str) -> str:
    """What a comparison asks of either side."""
    text = re.split(r"(의|를|을)? ?(차이|(?:중|가운데) 더 큰 값)", clause)[0]
    text = re.sub(r"^.*?(비교했을 때|비교할 때)( 둘 중 더 큰)?", "", text)
    larger = re.search(r"더 큰 (.+)$|큰 쪽의 (.+)$", text)
    text = next((part for part in larger.groups() if part), text) if larger else text
    return re.sub(r"^'?(인 경우| 국회)?(의| 사이의| 각각의|을|를)? ", "", text)
