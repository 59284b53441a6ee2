"""RESPONSE: is the final answer right?

Typed comparison decides (`bench.compare`). Three kinds need more than a value:
yes or no counts only with the value that decides it, *no data* only after the
lookup that shows it, and a question back only if it names what is missing.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from kopa_hf.bench.actions import RunCall, argument_slips, tool_schemas
from kopa_hf.bench.answers import compare
from kopa_hf.bench.golden import LOCAL_NAMES, golden_path
from kopa_hf.bench.reasons import reason
from kopa_hf.bench.rows import Row
from kopa_hf.bench.segments import boxed_text, boxed_texts, candidate_texts
from kopa_hf.catalog.active import active_catalog
from kopa_hf.catalog.canonical import normal_arguments
from kopa_hf.errors import UnknownToolError

Judge = Callable[[Row, str], bool]
"""Decides an open answer; whatever it raises is the judge's fault, not the model's."""

_BOXES: Final = 3
"""Different boxes that an answer may hold; the last one counts. One with more lists what it has seen."""
_LISTED: Final = 12
"""Values that what decides may list where one is asked for; beyond, it lists what was seen."""
_SEEN: Final = 100
"""Places where a list goes on in a whole answer without a box: lines inside the values can hide how long the list is."""
_PARTS: Final = re.compile(r"(?<!\d)[,、，]|[,、，](?!\d{3}(?!\d))|[;；]|\s[/·|]\s")
"""What parts listed values: not the comma in 1,680."""
_SIGNED: Final = re.compile(r"(?:낮|적|짧|작|줄)[가-힣]{0,3}면\s?음수")
"""낮았으면 음수로 답해 줘: who then writes 3도 낮았습니다 has not written 3."""
_ASKING: Final = re.compile(r"[?？]|알려|말씀|입력|지정|확인해|주세요|주십시오|주시|필요합니다|필요해요|바랍니다|궁금")


def response_reasons(row: Row, calls: Sequence[RunCall], answer: str | None) -> list[str]:
    """Why the answer is not right; empty where it is. Open answers are not for this function."""
    text = (answer or "").strip()
    if not text:
        return [reason("empty_answer")]
    if text.count("\\boxed") > _BOXES and (boxes := len({box.strip() for box in boxed_texts(text)})) > _BOXES:
        return [reason("ambiguous", f"{boxes} different boxes")]
    if row.answer_type == "ask":
        return _ask_reasons(row, text)
    if row.answer_type == "no_data":
        return _no_data_reasons(row, calls, text)
    found = _boolean_reasons(row, text) if row.answer_type == "boolean" else _value_reasons(row, text)
    return found or _evidence_reasons(row, calls)


def comparison_context(row: Row) -> dict[str, Any]:
    """What `compare` must know beside the two values: unit, day, tolerance, and whether the sign tells the direction."""
    context: dict[str, Any] = {}
    if row.answer_unit:
        context["unit"] = row.answer_unit
    if row.answer_type == "region" and row.system_state.get("current_date"):
        context["as_of"] = row.system_state["current_date"]
    if row.program.get("tolerance") is not None:
        context["tolerance"] = row.program["tolerance"]
    if row.answer_type in ("number", "amount") and any(
        _SIGNED.search(str(message.get("content", ""))) for message in row.prompt[-1:]
    ):
        context["signed"] = True
    return context


def _value_reasons(row: Row, text: str) -> list[str]:
    gold: Any = json.loads(row.answer) if row.answer_type in ("set", "list") else row.answer
    context = comparison_context(row)
    verdict = compare(row.answer_type, gold, text, **context)
    if not verdict.equal:
        return [_reason_of(verdict.reason)]
    if row.answer_type in ("set", "list") or len(_PARTS.findall(text)) + text.count("\n") < _LISTED:
        return []
    decisive = next((s for s in candidate_texts(text) if compare(row.answer_type, gold, s, **context).equal), text)
    boxed = boxed_text(text) is not None
    if not boxed and (seen := len(_PARTS.findall(text))) > _SEEN:
        return [reason("ambiguous", f"a text that lists {seen} values and marks none")]
    listed = 1 + _listed(decisive, boxed) - _listed(str(gold), False)
    return [reason("ambiguous", f"a list of {listed} values where one is asked for")] if listed > _LISTED else []


def _listed(text: str, boxed: bool) -> int:
    """Places where a list goes on; lines count in a box alone, since prose may go on for many."""
    return len(_PARTS.findall(text)) + (text.strip().count("\n") if boxed else 0)


def _reason_of(why: str) -> str:
    """The comparison's own word, filed under one of the report's heads."""
    if why.startswith("ambiguous"):
        return reason("ambiguous", why)
    if why.startswith(("unreadable", "no_value", "no value", "empty")):
        return reason("unreadable", why)
    return reason("wrong_answer", why)


def _boolean_reasons(row: Row, text: str) -> list[str]:
    r"""예/아니오 and its deciding value: `\boxed{예, 1,680원}`, or 예 in the box and the value in the prose."""
    inside = boxed_text(text)
    head, comma, rest = (inside or "").partition(",")
    verdict = compare("boolean", row.answer, head if comma else text)
    if not verdict.equal:
        return [_reason_of(verdict.reason)]
    deciding: Mapping[str, Any] = row.program
    if deciding.get("deciding_value") is None:
        return []
    unit = deciding.get("deciding_unit")
    context = {"unit": unit} if unit else {}
    source = rest if comma else text.replace("\\boxed{" + (inside or "") + "}", " ")
    decided = compare(deciding.get("deciding_kind") or "number", deciding["deciding_value"], source, **context)
    return [] if decided.equal else [reason("missing_deciding_value", decided.reason)]


def _no_data_reasons(row: Row, calls: Sequence[RunCall], text: str) -> list[str]:
    verdict = compare("no_data", row.answer, text)
    if not verdict.equal:
        return [_reason_of(verdict.reason)]
    schemas = tool_schemas(row)
    for index in row.program.get("decisive") or range(len(row.golden_actions)):
        action = row.golden_actions[index]
        if not any(_is_lookup(action, call, schemas) for call in calls):
            return [reason("decisive_lookup_missing", action["name"])]
    return []


def _is_lookup(action: Mapping[str, Any], call: RunCall, schemas: Mapping[str, Mapping[str, Any]]) -> bool:
    """The call asked what the golden action asks, or over a longer period, and it came back empty.

    Type slips are forgiven here. Nothing in a longer period is nothing in the one that was asked for,
    and how many rows a page may hold changes nothing where there are none.
    """
    if call.name != action["name"] or not call.executed or not isinstance(call.arguments, dict):
        return False
    slips = argument_slips(action, call.arguments, schemas.get(call.name))
    kinds = [slip.partition(" ")[::2] for slip in slips]
    harmless = all(
        kind == "type"
        or (kind in ("value", "superfluous") and _role(call.name, arg) in ("size", "format"))
        or (kind == "value" and _is_wider(action, call.arguments, arg))
        for kind, arg in kinds
    )
    return harmless and call.result.outcome == "no_data"


def _role(tool: str, parameter: str) -> str | None:
    """What a tool's parameter is for, e.g. `size` for the rows of a page; None where the catalog does not know."""
    try:
        parameters = active_catalog().get(tool).parameters
    except UnknownToolError:
        return None
    return next((p.role for p in parameters if p.name == parameter), None)


_BEGIN: Final = re.compile(r"bgn|begin|start|strt|from", re.IGNORECASE)
_END: Final = re.compile(r"end", re.IGNORECASE)


def _is_wider(action: Mapping[str, Any], given: Mapping[str, Any], arg: str) -> bool:
    """A bound of a period that lies outside the golden one: bgn_de earlier, end_de later."""
    asked = str(normal_arguments(action["name"], action["arguments"]).get(arg))
    got = str(normal_arguments(action["name"], given).get(arg))
    if not (len(got) == len(asked) >= 4 and got.isdecimal() and asked.isdecimal()):
        return False
    return bool((_BEGIN.search(arg) and got <= asked) or (_END.search(arg) and got >= asked))


def _ask_reasons(row: Row, text: str) -> list[str]:
    """`terms` is a list: of texts (one must be named), or of lists (one of each must be named)."""
    terms = row.program["terms"]
    groups = terms if all(isinstance(group, list) for group in terms) else [terms]
    plain = _squeezed(text)
    missing = [group for group in groups if not any(_squeezed(term) in plain for term in group)]
    if missing:
        return [reason("missing_term", " / ".join(missing[0]))]
    inside = boxed_text(text)
    if inside is not None and not any(_squeezed(term) in _squeezed(inside) for group in groups for term in group):
        return [reason("answered_instead_of_asking", inside)]
    return [] if _ASKING.search(text) else [reason("not_asking")]


def _evidence_reasons(row: Row, calls: Sequence[RunCall]) -> list[str]:
    """A value that no successful call stands behind is a guess, however right.

    Where the golden path asks a service, a service must have answered.
    """
    if not row.golden_actions:
        return []
    local_only = golden_path(row).local_only
    for call in calls:
        if call.executed and call.result.outcome in ("ok", "no_data") and (local_only or call.name not in LOCAL_NAMES):
            return []
    return [reason("no_evidence")]


def _squeezed(text: str) -> str:
    return "".join(unicodedata.normalize("NFC", text).split())
