"""A door for a model that puts questions in other words, and the guard at it.

A rephrased question must hold every literal of the template's text (names, days, months,
numbers with their units, titles, columns, directions of comparisons) and no other. What
does not is pointed out to the model; after its last attempt the template's text stays.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from kopa_hf.catalog.registry import Catalog
from kopa_hf.edge.columns import spoken_label
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.consulting import Consultant, Question, open_consultant
from kopa_hf.edge.mentions import spoken_title
from kopa_hf.edge.opinions import leaks, says
from kopa_hf.edge.rules import malformed
from kopa_hf.edge.trajectory import Funnel, Trajectory
from kopa_hf.values import date as dates
from kopa_hf.values import number as numbers
from kopa_hf.values.unit import unit_at

REPHRASINGS: Final = "rephrasings.sqlite3"
"""File of the run's folder that keeps what the model wrote."""
_QUOTED: Final = re.compile(r"['‘“\"]([^'’”\"]+)['’”\"]")
_NUMBER: Final = re.compile(r"(?<![\d.,])[+-]?\d[\d,]*(?:\.\d+)?")
_LATIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_UNITS: Final = re.compile(r"(?<=\d)\s?[A-Za-z]{1,3}\b")
"""Latin units behind numbers; they are compared with their numbers."""
_NUMERAL_FROM: Final = 10
"""Numbers written in Hangul count from here on; 두 회사, 한 곳 are ordinary words."""
_DIRECTIONS: Final[dict[str, re.Pattern[str]]] = {
    "이상": re.compile(r"이상"),
    "이하": re.compile(r"이하"),
    "미만": re.compile(r"미만|못 미치"),
    "초과": re.compile(r"초과"),
    "보다 늦은": re.compile(r"보다 늦|이후|뒤에"),
    "가장 큰 쪽": re.compile(r"(가장|제일) (큰|많은|높은|넓은|긴|늦은|많이|자주)|최대|최고|최신"),
    "가장 작은 쪽": re.compile(r"(가장|제일) (작은|적은|낮은|좁은|짧은|이른)|최소|최저"),
    "합계": re.compile(r"합계|더한|합친|합을|합은|총합"),
    "차이": re.compile(r"차이|격차"),
}

PROMPT: Final = """\
너는 한국어 질문을 자연스럽게 다듬는 편집자이다. 주어진 질문을 뜻은 그대로 두고 사람이 실제로 물어볼 법한 다른 문장으로 바꾸어 쓴다.
- 따옴표 안의 이름, 날짜, 연도, 숫자와 단위, 자료 이름, 항목 이름은 한 글자도 바꾸지 않고 모두 남긴다. 새로 더하지도 않는다.
- 찾는 순서와 조건(이상, 이하, 미만, 가장 큰, 가장 이른 등)을 바꾸지 않는다. 답이나 중간에 찾아야 할 값을 추측해 넣지 않는다.
- 높임말과 반말은 원문을 따른다. 한두 문장으로 쓰고 마침표나 물음표로 끝낸다.
다른 말 없이 JSON 객체 하나로만 답한다: {"question": "바꾸어 쓴 질문"}"""


@dataclass(frozen=True, slots=True)
class Literals:
    """Everything in a question that may not change."""

    names: Counter[str]
    """Quoted texts."""
    days: Counter[Any]
    """Days and months, whatever their spelling."""
    numbers: Counter[tuple[Fraction, str]]
    """Numbers with the unit behind them."""
    words: frozenset[str]
    """Latin words outside of quotes."""
    directions: Counter[str]


def literals(text: str) -> Literals:
    """The literals of a question, read with the grammars that answers are scored by."""
    names: Counter[str] = Counter(_QUOTED.findall(text))
    rest = unquoted = numbers.fold(_QUOTED.sub(" ", text))
    days: Counter[Any] = Counter()
    spans = [*dates.scan_months(rest), *dates.scan_dates(rest)]
    for day, (start, end) in spans:
        days[day] += 1
        rest = rest[:start] + "◦" * (end - start) + rest[end:]
    found: Counter[tuple[Fraction, str]] = Counter()
    for match in _NUMBER.finditer(rest):
        hit, value = unit_at(rest, match.end()), Fraction(match.group().replace(",", ""))
        found[(value, "") if hit is None else (value * hit.factor, hit.base)] += 1
    for quantity in numbers.scan(_NUMBER.sub("◦", rest)):
        if quantity.value >= _NUMERAL_FROM:
            found[quantity.value, quantity.unit or ""] += 1
    directions = Counter({name: len(pattern.findall(rest)) for name, pattern in _DIRECTIONS.items()})
    return Literals(names, days, found, frozenset(_LATIN.findall(_UNITS.sub("", unquoted))), +directions)


def check_rephrased(text: str, trajectory: Trajectory, kept: Sequence[str]) -> None:
    """Raise ValueError, in words for the model, where a text may not stand for the trajectory's question.

    `kept` are titles and columns that must stand in it letter by letter.
    """
    before, after = literals(trajectory.question), literals(text)
    compared: list[tuple[str, Counter[Any], Counter[Any]]] = [
        ("quoted names", before.names, after.names),
        ("dates", before.days, after.days),
        ("numbers with units", before.numbers, after.numbers),
        ("comparisons (이상, 가장 큰, 합계 …)", before.directions, after.directions),
    ]
    for what, old, new in compared:
        if old != new:
            raise ValueError(f"{what} must stay as they are: lost {_listed(old - new)}, added {_listed(new - old)}")
    added = sorted(after.words - before.words)
    if added:
        raise ValueError(f"these words are new: {', '.join(added)}")
    lost = [name for name in kept if name not in text]
    if lost:
        raise ValueError(f"these names of data and columns must stay letter by letter: {', '.join(lost)}")
    reason = malformed(text)
    if reason is not None:
        raise ValueError(reason)
    told = Trajectory(**{**_fields_for_leaks(trajectory), "question": text})
    if leaks(told) or any(says(text, value) for value in trajectory.intermediate):
        raise ValueError("it says a value that has to be looked up")


def _fields_for_leaks(trajectory: Trajectory) -> dict[str, Any]:
    names = ("structure", "program", "answer_type", "answer")
    return {name: getattr(trajectory, name) for name in names}


def _listed(found: Counter[Any]) -> str:
    def said(item: Any) -> str:
        if isinstance(item, tuple) and isinstance(item[0], Fraction):
            return f"{float(item[0]):g}{item[1]}"
        return str(item)

    return ", ".join(said(item) for item in found) or "nothing"


def names_to_keep(trajectory: Trajectory, catalog: Catalog) -> list[str]:
    """Titles of the tools that are called, and the columns that the question names."""
    tools = [catalog.get(name) for name in trajectory.tools if catalog.get(name).platform != "local"]
    titles = [title for tool in tools if (title := spoken_title(tool)) in trajectory.question]
    rest = trajectory.question
    for title in sorted(titles, key=len, reverse=True):
        rest = rest.replace(title, "◦")
    rest = _QUOTED.sub("◦", rest)
    labels = {spoken_label(field) for tool in tools for field in tool.fields}
    labels |= {spoken_label(parameter) for tool in tools for parameter in tool.inputs}
    named = [label for label in sorted(labels) if len(label) >= 2 and _whole(label, rest)]
    return list(dict.fromkeys([*titles, *named]))


def _whole(label: str, text: str) -> bool:
    return bool(re.search(rf"(?<![가-힣A-Za-z0-9]){re.escape(label)}(?=이 |가 |을 |를 |은 |는 |의 |과 |와 | |$)", text))


def rephrase(
    trajectories: Sequence[Trajectory],
    consultant: Consultant,
    catalog: Catalog,
    *,
    funnel: Funnel | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Put the trajectories' questions in the model's words where it keeps their literals; the others stay as they are."""
    questions = (_question(trajectory, names_to_keep(trajectory, catalog)) for trajectory in trajectories)
    found = consultant.ask_all(questions, total=len(trajectories), progress=progress)
    changed = 0
    for trajectory, text in zip(trajectories, found, strict=True):
        if text is not None and text != trajectory.question:
            trajectory.drafted, trajectory.question = trajectory.question, text
            changed += 1
    if funnel is not None:
        funnel.note("questions rephrased", changed)
        funnel.note("questions left in the template's words", len(trajectories) - changed)


def _question(trajectory: Trajectory, kept: Sequence[str]) -> Question[str]:
    def read(content: Any) -> str:
        text = content.get("question")
        if not isinstance(text, str) or not text.strip():
            raise ValueError('"question" must be a text')
        text = " ".join(text.split())
        check_rephrased(text, trajectory, kept)
        return text

    asked = f"질문: {trajectory.question}\n그대로 남길 자료와 항목 이름: {', '.join(kept)}"
    return Question([{"role": "system", "content": PROMPT}, {"role": "user", "content": asked}], read)


def open_rephraser(config: EdgeConfig, folder: Path | None = None) -> Consultant | None:
    """The model that the settings name; None where questions stay as the templates have them."""
    if not config.rephrase:
        return None
    cache = None if folder is None else folder / REPHRASINGS
    return open_consultant(config.rephrase, cache=cache, concurrency=config.model_concurrency)
