"""The row layout that both datasets share, and the checks that keep it loadable.

Columns, order and types are stable from here on. Three traps shape the checks:
`datasets` parses a bare string in a `Json()` column on its way back (a stock
code would lose its zeros), reads most floats back with another last digit, and
cannot read integers of more than 64 bits. Such values go into text instead.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from kopa_hf.errors import DataError
from kopa_hf.execution.episode import canonical_json

if TYPE_CHECKING:
    from datasets import Features

Message = dict[str, Any]

ANSWER_TYPES: Final[tuple[str, ...]] = (
    "number", "amount", "code", "date", "month", "time", "region", "text", "set", "list", "boolean", "no_data",
    "ask", "judge",
)  # fmt: skip
REWARD_BASES: Final[tuple[str, ...]] = ("RESPONSE", "ENVIRONMENT")
ROLES: Final[tuple[str, ...]] = ("system", "user", "assistant", "tool")

HELD_OUT_PLATFORMS: Final[frozenset[str]] = frozenset({"seoul", "dart", "krx"})
"""Platforms that published training data leaves out; a row that needs one of them is held out."""

RESERVED_COLUMNS: Final[frozenset[str]] = frozenset(
    {"messages", "environments", "trainer_state", "log_extra", "log_metric", "prompts", "completions",
     "completion_ids", "images"}
)  # fmt: skip
"""Names that TRL's trainers use themselves; a dataset with one of them breaks."""

_JSON_COLUMNS: Final[tuple[str, ...]] = ("tools", "golden_actions", "program", "system_state", "provenance")
_TEXT_COLUMNS: Final[tuple[str, ...]] = (
    "id", "environment", "answer", "answer_type", "answer_unit", "structure", "domain", "version", "license",
)  # fmt: skip
_ID_COLUMNS: Final[tuple[str, ...]] = (
    "prompt", "tools", "environment", "answer", "answer_type", "answer_unit", "reward_basis", "golden_actions",
    "system_state", "max_allowed_calls",
)  # fmt: skip


_EXACT_FLOAT: Final = 1e9
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
"""Sixteenths below this bound are what the JSON column was seen to return exactly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One task or trajectory, in the column order of the published datasets."""

    id: str
    """From content (`row_id`); also the seed of the row's episode."""
    prompt: list[Message]
    completion: list[Message]
    """The golden conversation: assistant turns with `tool_calls`, tool results, the final answer."""
    tools: list[dict[str, Any]]
    """JSON schemas of the offered tools, the OpenAI way."""
    environment: str
    """Key of the toolset: equal for rows that offer the same tools."""
    answer: str
    """Set and list as a JSON array of texts, boolean as 예/아니오; empty for ask, judge and no_data."""
    answer_type: str
    answer_unit: str = ""
    reward_basis: list[str] = field(default_factory=lambda: ["RESPONSE"])
    golden_actions: list[dict[str, Any]] = field(default_factory=list)
    """Objects with name, arguments, value_compare_args, step."""
    program: dict[str, Any] = field(default_factory=dict)
    """How the answer is computed (`bench.program`), with the cached state hash and deciding value."""
    system_state: dict[str, Any] = field(default_factory=dict)
    max_allowed_calls: int = 0
    structure: str = "SEQ"
    hops: int = 0
    """Steps on the longest dependency path."""
    domain: str = ""
    platforms: list[str] = field(default_factory=list)
    version: str = "0.1"
    license: str = "CC-BY-4.0"
    provenance: dict[str, Any] = field(default_factory=dict)


def is_held_out(row: Row) -> bool:
    """Whether the row needs a platform that training data leaves out."""
    return bool(HELD_OUT_PLATFORMS & set(row.platforms))


COLUMNS: Final[tuple[str, ...]] = tuple(f.name for f in dataclasses.fields(Row))


def features() -> Features:
    """The `datasets.Features` of the default config; imports `datasets` on first use."""
    from datasets import Features, Json, List, Value

    text = Value("string")
    plain = {"role": text, "content": text}
    turn = {**plain, "tool_calls": List(Json()), "tool_call_id": text, "name": text}
    special: dict[str, Any] = {
        "prompt": List(plain),
        "completion": List(turn),
        "tools": List(Json()),
        "reward_basis": List(text),
        "golden_actions": Json(),
        "program": Json(),
        "system_state": Json(),
        "max_allowed_calls": Value("int64"),
        "hops": Value("int64"),
        "platforms": List(text),
        "provenance": Json(),
    }
    return Features({name: special.get(name, text) for name in COLUMNS})


def row_id(content: Row | Mapping[str, Any]) -> str:
    """16 hex digits from what a solver sees and what is scored.

    The golden conversation and the program's cached state are left out: both hold
    values that are seeded with the id.
    """
    values = row_to_dict(content) if isinstance(content, Row) else content
    missing = [name for name in _ID_COLUMNS if name not in values]
    if missing:
        raise DataError(f"An id needs the columns {', '.join(_ID_COLUMNS)}; missing: {', '.join(missing)}.")
    text = canonical_json({name: values[name] for name in _ID_COLUMNS})
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def row_fingerprint(row: Row) -> str:
    """16 hex digits from everything a score of the row hangs on: what the id is made from, and the program.

    Rows with one id may differ here, e.g. where a decisive lookup or an accepted term was mended.
    """
    content = {name: getattr(row, name) for name in (*_ID_COLUMNS, "program")}
    return hashlib.sha256(canonical_json(content).encode("utf-8")).hexdigest()[:16]


def toolset_key(tool_names: Iterable[str]) -> str:
    """The `environment` of a row: equal for the same set of tools, whatever their order."""
    names = sorted(set(tool_names))
    return "tools_" + hashlib.sha256("\n".join(names).encode("utf-8")).hexdigest()[:12]


def row_to_dict(row: Row) -> dict[str, Any]:
    """Column → value, in column order; the values are the row's own, not copies."""
    return {name: getattr(row, name) for name in COLUMNS}


def row_from_dict(values: Mapping[str, Any]) -> Row:
    """A validated row from a dataset's record; extra or missing columns are an error."""
    extra = [name for name in values if name not in COLUMNS]
    missing = [name for name in COLUMNS if name not in values]
    if extra or missing:
        raise DataError(
            f"Row {values.get('id', '?')}: columns differ from the layout"
            + (f"; unknown: {', '.join(extra)}" if extra else "")
            + (f"; missing: {', '.join(missing)}" if missing else "")
            + ". Rebuild the dataset with this version of kopa_hf."
        )
    row = Row(**{**values, "completion": [_lean_message(m) for m in _list_of(values, "completion")]})
    validate_row(row)
    return row


def validate_row(row: Row) -> None:
    """Raise `DataError` that lists every way in which the row leaves the layout."""
    problems = list(_problems(row))
    if problems:
        raise DataError(f"Row {row.id or '?'}: " + "; ".join(problems))


def row_text(row: Row) -> str:
    """The row as one line of JSON (raw Hangul), for JSONL files."""
    return json.dumps(row_to_dict(row), ensure_ascii=False)


def _list_of(values: Mapping[str, Any], name: str) -> list[Any]:
    value = values[name]
    if not isinstance(value, list):
        raise DataError(f"Row {values.get('id', '?')}: {name} must be a list, not {type(value).__name__}.")
    return value


def _lean_message(message: Mapping[str, Any]) -> Message:
    """Parquet fills absent keys of a message with None; a reader sees them as absent again."""
    return {k: v for k, v in message.items() if v is not None or k in ("role", "content")}


def _problems(row: Row) -> Iterator[str]:
    for name in _TEXT_COLUMNS:
        if not isinstance(getattr(row, name), str):
            yield f"{name} must be text"
    for name in ("reward_basis", "platforms"):
        if not _all_of(getattr(row, name), str):
            yield f"{name} must be a list of texts"
    for name in ("max_allowed_calls", "hops"):
        if not isinstance(getattr(row, name), int) or isinstance(getattr(row, name), bool):
            yield f"{name} must be an integer"
    for name in ("tools", "golden_actions"):
        if not _all_of(getattr(row, name), dict):
            yield f"{name} must be a list of objects"
    for name in ("program", "system_state", "provenance"):
        if not isinstance(getattr(row, name), dict):
            yield f"{name} must be an object"
    for name in _JSON_COLUMNS:
        yield from (f"{name}{where}: {what}" for where, what in _unsafe(getattr(row, name)))
    yield from _message_problems(row)
    yield from _answer_problems(row)
    yield from _action_problems(row)


def _message_problems(row: Row) -> Iterator[str]:
    for column in ("prompt", "completion"):
        messages = getattr(row, column)
        if not _all_of(messages, dict) or (column == "prompt" and not messages):
            yield f"{column} must be a list of messages"
            continue
        for index, message in enumerate(messages):
            where = f"{column}[{index}]"
            if message.get("role") not in ROLES:
                yield f"{where}: role {message.get('role')!r} is none of {', '.join(ROLES)}"
            if not isinstance(message.get("content"), str):
                yield f"{where}: content must be text ('' beside tool calls)"
            for call in message.get("tool_calls") or ():
                function = call.get("function") if isinstance(call, dict) else None
                if not isinstance(function, dict) or not isinstance(function.get("arguments"), dict):
                    yield f"{where}: a tool call needs function.name and function.arguments (an object)"
                yield from (f"{where}.tool_calls{path}: {what}" for path, what in _unsafe(call))


def _answer_problems(row: Row) -> Iterator[str]:
    if row.answer_type not in ANSWER_TYPES:
        yield f"answer_type {row.answer_type!r} is none of {', '.join(ANSWER_TYPES)}"
    if not row.reward_basis or any(basis not in REWARD_BASES for basis in row.reward_basis):
        yield f"reward_basis must name {' and/or '.join(REWARD_BASES)}"
    if row.answer_type in ("set", "list"):
        try:
            items = json.loads(row.answer)
        except (TypeError, ValueError):
            items = None
        if not _all_of(items, str):
            yield f"answer of a {row.answer_type} must be a JSON array of texts"
    if row.answer_type == "boolean" and row.answer not in ("예", "아니오"):
        yield "answer of a boolean must be 예 or 아니오"
    if row.answer_type == "ask" and not row.program.get("terms"):
        yield "an ask task must declare program.terms, the names of what is missing"
    if row.answer_type == "judge" and not _all_of(row.program.get("criteria") or None, str):
        yield "a judge task must declare program.criteria, a list of the facts that an answer must state"


def _action_problems(row: Row) -> Iterator[str]:
    # the record is built from untrusted columns, so its annotations are not proof yet
    actions: Any = row.golden_actions
    if not isinstance(actions, list):
        return
    for index, action in enumerate(actions):
        if not isinstance(action, dict):
            continue
        wrong = [
            key
            for key, kind in (("name", str), ("arguments", dict), ("value_compare_args", list), ("step", int))
            if not isinstance(action.get(key), kind)
        ]
        if wrong:
            yield f"golden_actions[{index}]: missing or ill-typed {', '.join(wrong)}"
    if isinstance(row.max_allowed_calls, int) and row.max_allowed_calls < len(row.golden_actions):
        yield f"max_allowed_calls {row.max_allowed_calls} is below the {len(row.golden_actions)} golden actions"


def _all_of(value: object, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(item, kind) for item in value)


def _unsafe(value: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """What a `Json()` column would not give back as it went in."""
    if isinstance(value, str):
        if depth == 0:
            yield path, "a bare string must not go into a JSON column"
        if _SURROGATE.search(value):
            yield path, "text holds a lone surrogate"
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            yield path, "integers beyond 64 bits go in as text"
    elif isinstance(value, float):
        exact = math.isfinite(value) and abs(value) <= _EXACT_FLOAT and (value * 16).is_integer()
        if not exact or (value == 0 and math.copysign(1, value) < 0):
            yield path, f"float {value!r} would come back changed; write it as text"
    elif isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                yield path, f"key {key!r} is no text"
            yield from _unsafe(item, f"{path}.{key}", depth + 1)
    elif isinstance(value, list):
        # an element of List(Json()) is encoded on its own, so a bare string there is parsed as well
        for index, item in enumerate(value):
            yield from _unsafe(item, f"{path}[{index}]", depth + 1 if depth or not isinstance(item, str) else 0)
    else:
        yield path, f"{type(value).__name__} is no JSON value"
