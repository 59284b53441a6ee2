"""The judge that asks a language model about every candidate edge.

The model reads what an imported specification has: names, titles, descriptions, types,
formats, choices. Its answer is checked against the two signatures before it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from kopa_hf.agent.models import Message
from kopa_hf.catalog.tool import Field, Parameter, Tool
from kopa_hf.edge.consulting import Consultant, Question
from kopa_hf.edge.feasibility import Binding, Judge, Judgement, compiled, is_fixed_choice
from kopa_hf.edge.meaning import meaning_of

PROMPT_VERSION: Final = 1
MAX_COLUMNS: Final = 120
"""Fields or inputs of one tool that the model reads; the rest is counted in a line."""

INSTRUCTIONS: Final = """\
You judge links between API tools. A link takes values from the records that the SOURCE tool returns and passes them \
to inputs of the TARGET tool. Say from the two signatures alone whether that can work.

Answer with one JSON object and nothing else:
{"score": 0.0, "bindings": [{"parameter": "…", "field": "…"}], "defaults": {"…": "…"}}

score, between 0 and 1: how likely it is that the target answers with records when it is called with a value from a \
source record. 1: surely the same thing in the same form. About 0.5: the same kind of thing, but perhaps another \
code system or form. Below 0.3: not worth a trial. 0: no field fits any input; bindings is then [].

bindings: which input of the target (parameter) is filled from which field of the source.
- Bind by meaning, not by spelling: SIGUN_NM, REGION_NM and rgn all mean "region name" and bind to each other. So do \
corp_nm and 회사명, or BILL_ID and 의안아이디.
- A name is no code: a region's name does not fill a region's code, a bill's title does not fill a bill's ID. Two \
codes or numbers of different things never bind, however alike they are called.
- Measures (amounts, counts, rates), long texts and links fill nothing. Dates fill dates of the same kind of event.
- Types and formats must fit: 6 digits never fill an input of 8 digits.
- Bind every required input that a field fits. Of the optional inputs bind at most one, the one that says best which \
entity is meant, and only where no required input does.
- Never bind an input with listed choices.

defaults: for required inputs that no field fits, a value that a caller could send: one of the listed choices, or a \
plausible value in the input's format. Leave out optional inputs, keys, paging and answer formats."""


class ModelJudge:
    """Judgements of a language model, one question per pair."""

    def __init__(self, consultant: Consultant, fallback: Judge | None = None) -> None:
        """`fallback` judges pairs on which the model's answers stay malformed; None: such pairs are left out."""
        self.consultant = consultant
        self.fallback = fallback
        self.name = f"{consultant.name} (prompt {PROMPT_VERSION})" + (f", else {fallback.name}" if fallback else "")

    @property
    def errors(self) -> int:
        """Pairs on which the model gave no usable judgement."""
        return self.consultant.malformed + self.consultant.faults

    def judge(self, source: Tool, target: Tool) -> Judgement:
        """One judgement; raises ValueError where the model gave none that could be used."""
        (judgement,) = self.judge_all([(source, target)], total=1)
        if judgement is None:
            raise ValueError(f"{self.name} gave no usable judgement on {source.name} -> {target.name}")
        return judgement

    def judge_all(
        self, pairs: Iterable[tuple[Tool, Tool]], *, total: int, progress: Callable[[int, int], None] | None = None
    ) -> list[Judgement | None]:
        """Judgements in the pairs' order, None where there is none; many are asked for at once."""
        return self.consultant.ask_all(
            (self._question(source, target) for source, target in pairs), total=total, progress=progress
        )

    def close(self) -> None:
        """Close what keeps the answers."""
        self.consultant.close()

    def _question(self, source: Tool, target: Tool) -> Question[Judgement]:
        def check(answer: Any) -> Judgement:
            return read_judgement(answer, source, target)

        if self.fallback is None:
            return Question(judge_messages(source, target), check)
        fallback = self.fallback
        return Question(judge_messages(source, target), check, lambda: fallback.judge(source, target))


def judge_messages(source: Tool, target: Tool) -> list[Message]:
    """The conversation that asks about one pair."""
    asked = [
        f"SOURCE {_head(source)}",
        "Fields of its records:",
        *_lines([_field_line(field) for field in source.fields]),
        "",
        f"TARGET {_head(target)}",
        "Inputs:",
        *_lines([_input_line(p) for p in _open_inputs(target)]),
    ]
    return [{"role": "system", "content": INSTRUCTIONS}, {"role": "user", "content": "\n".join(asked)}]


def _open_inputs(tool: Tool) -> list[Parameter]:
    """Inputs that mean something: keys, paging and formats are filled without asking."""
    return [p for p in tool.parameters if p.role == "input"]


def _head(tool: Tool) -> str:
    return f"{tool.name}: {' '.join(tool.title.split())}. {' '.join(tool.description.split())}"


def _lines(lines: Sequence[str]) -> list[str]:
    left = len(lines) - MAX_COLUMNS
    return [*lines[:MAX_COLUMNS], *([f"- … and {left} more"] if left > 0 else [])]


def _field_line(field: Field) -> str:
    facts = [field.type, *([f"format {field.format}"] if field.format else []), *([field.unit] if field.unit else [])]
    return f"- {field.name} ({', '.join(facts)}): {field.label}"


def _input_line(parameter: Parameter) -> str:
    facts = [parameter.type, "required" if parameter.required else "optional"]
    if parameter.format:
        facts.append(f"format {parameter.format}")
    if parameter.default is not None:
        facts.append(f"default {parameter.default}")
    words = "; ".join(dict.fromkeys(text for text in (parameter.label, parameter.description) if text))
    return f"- {parameter.name} ({', '.join(facts)}): {words}{_choices(parameter)}"


def _choices(parameter: Parameter) -> str:
    if not parameter.enum:
        return ""
    labels = parameter.enum_labels or ("",) * len(parameter.enum)
    pairs = [f"{value} {label}".strip() for value, label in zip(parameter.enum[:MAX_COLUMNS], labels, strict=False)]
    return f" [choices: {', '.join(pairs)}]"


def read_judgement(answer: Any, source: Tool, target: Tool) -> Judgement:
    """The judgement in a model's answer; ValueError says what about it cannot be used."""
    if not isinstance(answer, Mapping):
        raise ValueError("the answer must be a JSON object")
    score = answer.get("score")
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
        raise ValueError(f"score must be a number between 0 and 1, not {_short(score)}")
    bindings = _read_bindings(answer.get("bindings"), float(score), source, target)
    proposals = _read_defaults(answer.get("defaults"), target)
    return compiled(target, float(score), bindings, proposals)


def _read_bindings(told: Any, score: float, source: Tool, target: Tool) -> list[Binding]:
    if not isinstance(told, list):
        raise ValueError(f"bindings must be a list, not {_short(told)}")
    bindings: dict[str, Binding] = {}
    for item in told:
        if not isinstance(item, Mapping) or not {"parameter", "field"} <= item.keys():
            raise ValueError(f'each binding must be {{"parameter": …, "field": …}}, not {_short(item)}')
        name, field = item["parameter"], item["field"]
        parameter = target.parameter(name) if isinstance(name, str) else None
        if parameter is None or parameter.role != "input":
            raise ValueError(f"the target has no input {_short(name)}")
        if not isinstance(field, str) or source.field(field) is None:
            raise ValueError(f"the source has no field {_short(field)}")
        if is_fixed_choice(parameter):
            raise ValueError(f"{name} has listed choices and is never bound")
        if name in bindings:
            raise ValueError(f"{name} is bound twice")
        bindings[name] = Binding(name, field, round(score, 4), meaning_of(parameter).generic)
    return list(bindings.values())


def _read_defaults(told: Any, target: Tool) -> dict[str, str]:
    if told is None:
        return {}
    if not isinstance(told, Mapping):
        raise ValueError(f"defaults must be an object, not {_short(told)}")
    values: dict[str, str] = {}
    for name, value in told.items():
        parameter = target.parameter(name)
        if parameter is None:
            raise ValueError(f"the target has no input {_short(name)}")
        if value is None or isinstance(value, list | dict):
            raise ValueError(f"the default of {name} must be one value, not {_short(value)}")
        text = str(value).lower() if isinstance(value, bool) else str(value).strip()
        if parameter.enum and text not in parameter.enum:
            raise ValueError(f"{_short(value)} is no choice of {name}")
        if text and parameter.role == "input":
            values[name] = text
    return values


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
