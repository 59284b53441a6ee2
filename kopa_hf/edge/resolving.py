"""The independent solver: a question, the offered tools and an executor; no program, no golden call, no answer.

It reads titles, literals, conditions and question words, plans calls from them,
executes them within the row's own limits, and says what it found, or why it gave up.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.agent.session import Session
from kopa_hf.bench.expressions import as_decimal, plain_number
from kopa_hf.catalog.tool import Field, Tool
from kopa_hf.edge.executing import Found, Hands, UnsolvedError, only_text
from kopa_hf.edge.junctions import distinct_values
from kopa_hf.edge.labels import spoken_label
from kopa_hf.edge.reading import (
    FIGURE,
    LARGEST,
    SMALLEST,
    Said,
    asked_of_both,
    find_conditions,
    find_literals,
    find_titles,
    first_of_two,
    head_rows,
    in_unit_of,
    labelled,
    last_label,
    shared_sentence,
    without_ending,
)
from kopa_hf.edge.things import ANY_ROW, row_noun
from kopa_hf.errors import UnknownToolError
from kopa_hf.execution.executor import Executor

_ORDERED: Final = re.compile(r"차례로|차례대로|순서대로")
_THRESHOLD: Final = re.compile(
    rf"(?P<label>[^.]*?)(?:이|가) (?P<bound>{FIGURE})(?P<unit>[^\s\d]{{0,6}}?) ?"
    r"(?P<how>이상이면|미만이면|이상인 경우에는|에 못 미치면|이상인지)"
)
_OTHERWISE: Final = re.compile(r"그렇지 않으면|, 미만이면|, 그 이상이면|그 밖의 경우에는|아니면|, 맞으면|맞으면")
_COMBINED: Final[dict[str, re.Pattern[str]]] = {
    "sum": re.compile(r"(더한 값|합친 값|의 합)(?!계)"),
    "difference": re.compile(r"차이"),
    "larger": re.compile(r"더 큰|큰 쪽"),
}
_SUMMED: Final = re.compile(r"(의)? ?합계$|(을|를) 모두 합한 값$")
_OF_EACH: Final = re.compile(r"모두|전부|빠짐없이|각각|각 |별로|마다")
"""Words for asking the same of several things."""
_BESIDE: Final = re.compile(r"( 국회|인 경우)?(와|과) ")
"""Between two values of one input."""
_PRINTED_NUMBER: Final = re.compile(r"[+-]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?%?")
_EXTREME_OF: Final = re.compile(rf"가장 (?P<word>{LARGEST}|{SMALLEST}) (?P<rest>.+)$")


@dataclass(frozen=True, slots=True)
class Resolved:
    """What the solver found."""

    answer: Any = None
    """Text, or a list of texts; None where it gave up."""
    problem: str = ""
    calls: tuple[tuple[str, Mapping[str, Any]], ...] = ()

    def text(self) -> str | None:
        """As the answer column would hold it."""
        if self.answer is None or isinstance(self.answer, str):
            return self.answer
        return json.dumps(self.answer, ensure_ascii=False)


def resolve(
    question: str, tools: Sequence[str], executor: Executor, *, max_calls: int | None = None, token_budget: int = 2000
) -> Resolved:
    """Solve one question; never raises on what it says or what services answer."""
    known: dict[str, Tool] = {}
    for name in tools:
        try:
            known[name] = executor.catalog.get(name)
        except UnknownToolError:
            return Resolved(problem=f"the tool {name} does not exist")
    session = Session(executor, list(known.values()), max_allowed_calls=max_calls, token_budget=token_budget)
    try:
        answer = _Solver(question, known, session).answer()
    except UnsolvedError as error:
        return Resolved(problem=str(error))
    made = tuple((call.name, call.arguments) for call in session.calls if isinstance(call.arguments, dict))
    return Resolved(answer, calls=made)


class _Solver:
    def __init__(self, question: str, tools: Mapping[str, Tool], session: Session) -> None:
        cut = shared_sentence(question)
        self.question = question[:cut].rstrip()
        self.hands = Hands(session, tools)
        self.titles = find_titles(self.question, [tool for tool in tools.values() if tool.platform != "local"])
        self.literals = find_literals(self.question, self.titles)
        self.for_all = find_literals(question[cut:], [])
        if not self.titles:
            raise UnsolvedError("the question names no data")

    def answer(self) -> Any:
        """Dispatch on what kind of question it is."""
        branch = _THRESHOLD.search(self.question)
        if branch and _OTHERWISE.search(self.question, branch.end()) and len(self.titles) >= 3:
            return self._branch()
        tail = self.clause(len(self.titles) - 1)
        sides = self._sides()
        if len(self.titles) == 1 and sides:
            return self._contrast(sides)
        if len(self.titles) == 2 and sides and "차이" in tail:
            return self._compared(sides)
        if len(self.titles) == 2 and (self.for_all or self._independent()):
            return self._joined()
        if _ORDERED.search(tail) and len(self.titles) >= 3:
            return self._shared()
        found = self._chain(len(self.titles) - 1)
        return self.ask(found, tail, self.said(len(self.titles) - 1))

    # parts of the question

    def clause(self, index: int) -> str:
        """The words behind a title, up to the next one."""
        end = self.titles[index + 1].start if index + 1 < len(self.titles) else len(self.question)
        return self.question[self.titles[index].end : end]

    def said(self, index: int) -> list[Said]:
        """Literals behind a title, up to the next one."""
        end = self.titles[index + 1].start if index + 1 < len(self.titles) else len(self.question)
        return [
            said
            for said in self.literals
            if self.titles[index].end <= said.start < end
            # records are counted by it: no input of a call
            and not _counts(self.question[said.end :].removeprefix("인"), self.titles[index].tool)
        ]

    def _chain(self, last: int) -> Found:
        """Calls along the titles, the one at `last` included."""
        found = self._begin(0)
        for index in range(1, last + 1):
            clause = self.clause(index - 1)
            narrowed = self.hands.narrow(found, clause, self._used(found))
            found = self.hands.follow(narrowed, self.titles[index].tool, clause, self.said(index))
        return found

    def _begin(self, index: int, extra: Sequence[Said] = ()) -> Found:
        rows = head_rows(self.clause(index))
        return self.hands.begin(self.titles[index].tool, [*self.said(index), *extra], rows)

    def _used(self, found: Found) -> list[Said]:
        """Literals that a call's arguments carry."""
        given = {str(v) for call in found.calls if isinstance(call.arguments, dict) for v in call.arguments.values()}
        return [said for said in self.literals if said.text in given]

    # what is asked

    def ask(self, found: Found, clause: str, said: Sequence[Said]) -> str | list[str]:
        """The value that a clause asks of what was found."""
        clause = without_ending(clause)
        fields = found.tool.fields
        several = len(found.calls) > 1
        if "건수의 합계" in clause or _counts(clause, found.tool, r"(을|를) 모두 합한 값$", anywhere=True):
            return str(found.total)
        if "전체 건수" in clause or _counts(clause, found.tool, before="전체 ", anywhere=True):
            return str(found.total)
        used = {s.text for s in self._used(found)}
        conditions = [c for c in find_conditions(clause, fields) if not (c.operation == "eq" and c.value in used)]
        counted = next((c for c in conditions if c.operation == "eq" and _counts(clause[c.end :], found.tool)), None)
        if counted is not None:
            where = {"where_field": counted.column.name, "where_op": "eq", "where_value": counted.value}
            return self.hands.value(self.hands.whole(found), operation="count", **where)
        column = _asked_column(clause, found.tool)
        if column is None:
            raise UnsolvedError("what is asked for is not clear")
        if re.search(r"가장 자주 나오는 [^ ]", clause):
            return self.hands.value(self.hands.whole(found), operation="most_frequent", field=column.name)
        if _SUMMED.search(clause) and not spoken_label(column).endswith("합계"):
            return self._sum(found, column.name)
        extreme = next((c for c in reversed(conditions) if c.operation in ("max", "min")), None)
        own = _EXTREME_OF.search(clause)
        if extreme is None and own is not None and own["rest"].endswith(spoken_label(column)):
            extreme_operation = "max" if re.fullmatch(LARGEST, own["word"]) else "min"
            reduced = self.hands.reduce(self.hands.whole(found), operation=extreme_operation, field=column.name)
            return only_text(reduced.records, column.name)
        if extreme is not None:
            if several:
                return _leading(found.records, extreme.column.name, column.name)
            arguments = {"operation": extreme.operation, "field": extreme.column.name}
            return only_text(self.hands.reduce(self.hands.whole(found), **arguments).records, column.name)
        if several and _OF_EACH.search(self.question):
            return distinct_values(found.records, column.name)
        return only_text(found.records, column.name)

    def _sum(self, found: Found, name: str) -> str:
        if len(found.calls) == 1 and len(found.records) != 1:
            return self.hands.value(self.hands.whole(found), operation="sum", field=name)
        numbers = [as_decimal(record.get(name)) for record in found.records]
        return plain_number(sum(n for n in numbers if n is not None))  # type: ignore[arg-type]

    # questions of several answers

    def _shared(self) -> list[str]:
        left, right = len(self.titles) - 2, len(self.titles) - 1
        before = self._chain(left - 1)
        clause = self.clause(left - 1)
        narrowed = self.hands.narrow(before, clause, self._used(before))
        answers = []
        for index in (left, right):
            found = self.hands.follow(narrowed, self.titles[index].tool, clause, self.said(index))
            text = self.clause(index)
            asked = self.ask(found, first_of_two(text) if index == left else text, self.said(index))
            answers.append(_plain(asked))
        return answers

    def _independent(self) -> bool:
        """True where two tools are asked for something each, with no link between them."""
        tail, middle = self.clause(1), self.clause(0)
        joined = re.search(r"(와|과) ([^와과]*의 )?'?$", middle)
        combined = any(pattern.search(tail) for pattern in _COMBINED.values())
        return joined is not None and bool(_ORDERED.search(tail) or combined)

    def _joined(self) -> Any:
        own = self.said(1)
        first, second = self._begin(0, self.for_all), self._begin(1, self.for_all)
        tail = self.clause(1)
        one = str(self.ask(first, first_of_two(self.clause(0)), self.said(0)))
        how = next((name for name in ("sum", "difference") if _COMBINED[name].search(tail)), "list")
        if _ORDERED.search(tail):
            how = "list"
        cut = _COMBINED[how].search(tail) if how != "list" else None
        other = str(
            self.ask(
                second,
                re.sub(r"(을|를|의|과|와)? ?(비교했을 때|사이의)?\s?그?$", "", tail[: cut.start()]) if cut else tail,
                own,
            )
        )
        return [_plain(one), _plain(other)] if how == "list" else _combined(how, one, other)

    def _sides(self) -> tuple[Said, Said] | None:
        """Two literals that stand side by side: 시군명 '가온시'와 '나온시'."""
        for one, other in zip(self.literals, self.literals[1:], strict=False):
            if one.kind == other.kind and _BESIDE.fullmatch(self.question[one.end : other.start]):
                return one, other
        return None

    def _contrast(self, sides: tuple[Said, Said]) -> Any:
        one, other = sides
        twin = Said(other.kind, other.text, other.start, other.end, one.before)
        tail = self.clause(0)
        cut = max(other.end - self.titles[0].end, 0)
        clause = tail[cut:]
        common = [said for said in self.said(0) if said not in sides]
        named = next((said for said in common if said.kind == "text"), None)
        if one.kind == "date" and named is not None and re.search(rf"'{re.escape(named.text)}'(인|의| )", tail):
            return self._two_days(sides, named, tail)
        answers = []
        for side in (one, twin):
            found = self.hands.begin(self.titles[0].tool, [side, *common])
            answers.append(str(self.ask(found, asked_of_both(clause), common)))
        how = "larger" if _COMBINED["larger"].search(clause) else "difference"
        return _combined(how, *answers)

    def _two_days(self, sides: tuple[Said, Said], named: Said, tail: str) -> str:
        """One named thing in the lists of two days."""
        tool = self.titles[0].tool
        columns = [c for c in tool.fields if labelled(named, c)]
        column = last_label(asked_of_both(tail), tool.fields)
        if len(columns) != 1 or column is None:
            raise UnsolvedError("what is compared is not clear")
        answers = []
        for side in sides:
            found = self.hands.begin(tool, [side])
            where = {"where_field": columns[0].name, "where_op": "eq", "where_value": named.text}
            reduced = self.hands.reduce(self.hands.whole(found), operation="filter", **where)
            answers.append(only_text(reduced.records, column.name))
        return _combined("difference", *answers)

    def _compared(self, sides: tuple[Said, Said]) -> str:
        one, other = sides
        twin = Said(other.kind, other.text, other.start, other.end, one.before)
        common = [said for said in self.said(0) if said not in sides]
        answers = []
        for side in (one, twin):
            begun = self.hands.begin(self.titles[0].tool, [side, *common])
            found = self.hands.follow(begun, self.titles[1].tool, self.clause(0), self.said(1))
            answers.append(str(self.ask(found, asked_of_both(self.clause(1)), self.said(1))))
        return _combined("difference", *answers)

    def _branch(self) -> str:
        """A measure decides which of the last two titles is asked."""
        left, right = len(self.titles) - 2, len(self.titles) - 1
        begun = self._begin(0, self.for_all)
        judged, words = begun, self.clause(0)
        if left == 2:
            judged, words = self.hands.follow(begun, self.titles[1].tool, self.clause(0), self.said(1)), self.clause(1)
        threshold = _THRESHOLD.search(words)
        if threshold is None:
            raise UnsolvedError("the condition is not clear")
        deciding = re.sub(r"(을|를) 보고, 그 값$", "", words[: threshold.end("label")])
        number = as_decimal(self.ask(judged, deciding, self.said(0)))
        bound = as_decimal(in_unit_of(_asked_column(without_ending(deciding), judged.tool), threshold["bound"]))
        if number is None or bound is None:
            raise UnsolvedError("the condition is not clear")
        first_is_less = threshold["how"] in ("미만이면", "에 못 미치면")
        index = left if (number >= bound) != first_is_less else right
        text = self.clause(index)
        other = _OTHERWISE.search(text)
        asked = text[: other.start()] if other and index == left else text
        return str(self.ask(self._taken(begun, index), asked, self.said(index)))

    def _taken(self, begun: Found, index: int) -> Found:
        """The answer of a branch: of a tool that the first answer leads to, or of one that takes the same value."""
        if self.for_all:
            return self._begin(index, self.for_all)
        return self.hands.follow(begun, self.titles[index].tool, self.clause(0), self.said(index))


def _counts(
    text: str, tool: Tool, behind: str = r"(?![가-힣]{2})", *, before: str = "", anywhere: bool = False
) -> bool:
    """True where a text goes on with the number of the tool's records: 건수, 교습소 수, 자료 건수."""
    noun = re.escape(row_noun(tool))
    number = rf"{before}(({noun}|{ANY_ROW})(의)? (건수|수)|건수){behind}"
    return (re.search if anywhere else re.match)(number, text.lstrip()) is not None


def _asked_column(clause: str, tool: Tool) -> Field | None:
    """The column that a clause asks for; the name of a record is the column that is called after it."""
    label = _SUMMED.sub("", clause)
    named = re.search(r"([가-힣]+)의 이름$", label)
    told = [c for c in tool.fields if named is not None and spoken_label(c) == f"{named[1]}명"]
    return told[0] if len(told) == 1 else last_label(label, tool.fields)


def _plain(answer: Any) -> str:
    """A number without separators and percent sign, as lists of answers hold it; other texts as they are."""
    text = str(answer)
    return text.replace(",", "").removesuffix("%") if _PRINTED_NUMBER.fullmatch(text) else text


def _leading(records: Sequence[Mapping[str, Any]], by: str, name: str) -> str:
    """The name in the record that leads by a measure."""
    ranked = [(number, record) for record in records if (number := as_decimal(record.get(by))) is not None]
    most = max((number for number, _ in ranked), default=None)
    return only_text([record for number, record in ranked if number == most], name)


_ARITHMETIC: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "sum": lambda a, b: a + b,
    "difference": lambda a, b: abs(a - b),
    "larger": max,
}


def _combined(how: str, *texts: str) -> str:
    numbers = [as_decimal(text) for text in texts]
    if None in numbers:
        raise UnsolvedError("what is compared is no number")
    return plain_number(_ARITHMETIC[how](*numbers))
