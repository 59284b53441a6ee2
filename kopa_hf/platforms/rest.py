"""Imported REST services: one adapter for whatever a description tells.

Where rows, total and cursor stand is in the operation's reading plan (`catalog.reading_plan`); without
one they are looked for. Nested objects become columns with dots (`owner.name`), so that a record is
flat. The outcome is told by the HTTP status; an error that comes with status 200 is recognised.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import httpx

from kopa_hf.catalog.pointer import pointer_parts
from kopa_hf.catalog.reading_plan import ERRORS, FLAGS, ReadingPlan
from kopa_hf.catalog.tool import Tool
from kopa_hf.catalog.usual_names import ROWS, TOTALS, named
from kopa_hf.platforms.base import Answer, Record
from kopa_hf.platforms.body import Document, read_document
from kopa_hf.platforms.codes import outcome_of_saying, says_maintenance
from kopa_hf.platforms.failures import Outcome
from kopa_hf.platforms.rest_facts import Facts
from kopa_hf.platforms.rest_requests import write_request
from kopa_hf.platforms.shapes import count_of, message_of, text_of

DEPTH: Final = 3
"""Objects in objects that become columns; what lies deeper stays one value."""
_CODES: Final = ("code", "errorCode", "error_code", "status")
_FINE: Final = frozenset({"", "0", "00", "000", "0000", "200", "ok", "success"})
"""Codes and sentences that say nothing is wrong."""
_FAILED: Final = frozenset({"error", "errors", "fail", "failed", "failure", "false", "ng"})
"""What a flag (`FLAGS`) of an answer says that is none."""
_MESSAGES: Final = (
    "message",
    "detail",
    "error_description",
    "title",
    "msg",
    "reason",
    "description",
    "error",
    "errors",
)
_VERDICT: Final = frozenset({*FLAGS, *_MESSAGES, *_CODES, "timestamp", "path"})
"""Members of an answer that holds no record."""
_SAID: Final = frozenset({"auth", "quota", "rate_limit", "maintenance", "timeout"})
"""What an error's sentence may say more exactly than its status."""


class RestAdapter:
    """The wire `rest`."""

    name = "rest"
    refuses_first = True
    facts_in_headers = True

    def build_request(self, tool: Tool, arguments: Mapping[str, str], key: str | None) -> httpx.Request:
        """A ready request; without a key the key's place is left out."""
        return write_request(tool, arguments, key)

    def parse(
        self, body: bytes, *, http_status: int = 200, content_type: str | None = None, operation: str | None = None
    ) -> Answer:
        """Status first, then the body by the operation's plan. Never raises."""
        plan, facts = ReadingPlan.of(operation), Facts.of(content_type)
        document = read_document(body, content_type)
        try:
            value = _content(document)
            if not 200 <= http_status < 300:
                return _refused(document, value, http_status, plan)
            if document.kind in ("json", "xml"):
                return _read(value, plan, facts)
        except RecursionError:
            return Answer("not_a_response", message="The answer is nested too deep.", wrong_shape=True)
        return _without_structure(document, http_status, plan)


def _content(document: Document) -> Any:
    """The value of a body; of XML what stands in its root."""
    if document.kind == "xml" and isinstance(document.value, dict):
        return next(iter(document.value.values()), None)
    return document.value if document.kind == "json" else None


def _read(value: Any, plan: ReadingPlan, facts: Facts) -> Answer:
    said = _error_in(value, plan)
    if said is not None:
        return said
    rows = _rows(value, plan)
    total = _total(value, plan)
    if rows is None and _says_failed(value):
        return _failure(value)
    if rows is None and _says_none(value, plan, total):
        rows = []
    if rows is None:
        return Answer(
            "not_a_response", message="The answer lacks the rows that its description promises.", wrong_shape=True
        )
    cursor = _cursor(value, plan)
    records = [record for row in rows if (record := _record(row))]
    if not records and _says_failed(value):
        return _failure(value)
    if not records and plan.writes:
        records = [{"done": True}]
    return Answer(
        "ok" if records else "no_data",
        records,
        facts.total if total is None else total,
        cursor=cursor or facts.cursor,
    )


def _rows(value: Any, plan: ReadingPlan) -> list[Any] | None:
    """The rows as they come; None where the described place is not there."""
    if plan.rows is not None:
        place, mapped = (plan.rows[:-2], True) if plan.rows.endswith("/*") else (plan.rows, False)
        found, there = _at(value, place)
        if not there:
            return None
        if mapped and isinstance(found, dict):
            return [
                {"key": name, **(item if isinstance(item, dict) else {"value": item})} for name, item in found.items()
            ]
        return _listed(found)
    if isinstance(value, dict):
        for name in ROWS:
            if isinstance(value.get(name), list):
                return _listed(value[name])
    return _listed(value)


def _says_none(value: Any, plan: ReadingPlan, total: int | None) -> bool:
    """True for an empty result without the place of its rows: none are counted, null stands for them, or they may lack."""
    if total == 0 and outcome_of_saying(_message(value)) in (None, "no_data"):
        return True
    if not _is_fine(value):
        return False
    inner = value
    for name in pointer_parts(plan.rows.removesuffix("/*") if plan.rows else ""):
        if inner is None or inner == "":
            return True
        if not isinstance(inner, dict):
            return False
        if name not in inner:
            described = plan.beside.split(",") if plan.beside is not None else None
            return described is not None and (not inner or any(other in inner for other in described))
        inner = inner[name]
    return False


def _is_fine(value: Any) -> bool:
    """False where an answer says that something is wrong, by a flag, a code or a sentence."""
    if isinstance(value, dict) and any(value.get(flag) is False for flag in ("success", "ok")):
        return False
    return all((told or "").casefold() in _FINE for told in (_code(value), _message(value)))


def _says_failed(value: Any) -> bool:
    """True for an answer whose own flag says that it is none."""
    if not isinstance(value, dict):
        return False
    told = [value.get(flag) for flag in FLAGS]
    return any(flag is False or (text_of(flag) or "").casefold() in _FAILED for flag in told)


def _only_a_verdict(value: Mapping[str, Any], plan: ReadingPlan) -> bool:
    """True where the whole answer would be a record, and is nothing but a failed flag with its code and words."""
    if plan.rows and plan.rows != "/*":
        return False
    described = plan.faults.split(",") if plan.faults else []
    told = {name for name, item in value.items() if item not in (None, "", [], {})}
    return _says_failed({name: value.get(name) for name in FLAGS if name not in described}) and told <= _VERDICT


def _failure(value: Any) -> Answer:
    message = _message(value)
    return Answer(
        outcome_of_saying(message) or "server", code=_code(value), message=message or "The service says that it failed."
    )


def _listed(found: Any) -> list[Any]:
    if isinstance(found, list):
        return found
    return [] if found is None or found == "" else [found]


def _record(row: Any) -> Record:
    """A flat record of one row; scalars stand under `value`."""
    if not isinstance(row, dict):
        return {} if row is None else {"value": row}
    record: Record = {}
    _flatten(row, "", record, 0)
    return record


def _flatten(row: Mapping[str, Any], prefix: str, record: Record, depth: int) -> None:
    for name, item in row.items():
        column = f"{prefix}{name}"
        if isinstance(item, dict) and depth < DEPTH:
            _flatten(item, f"{column}.", record, depth + 1)
        else:
            record[column] = item


def _total(value: Any, plan: ReadingPlan) -> int | None:
    if plan.total is not None:
        return count_of(_at(value, plan.total)[0])
    if plan.rows is None and isinstance(value, dict):
        return next((count for told in named(value, TOTALS) if (count := count_of(told)) is not None), None)
    return None


def _cursor(value: Any, plan: ReadingPlan) -> str | None:
    """The next page's cursor; out of an address where it comes as one."""
    if plan.cursor is None:
        return None
    text = text_of(_at(value, plan.cursor)[0])
    return cursor_of(text, plan.parameter) if text else None


def cursor_of(text: str, parameter: str | None) -> str | None:
    """A cursor as it is, or the value that a next page's address gives a parameter; never an address, which may hold a key.

    A slash alone makes no address: a cursor in base64 may begin with one.
    """
    try:
        asked = parse_qs(urlsplit(text).query) if "://" in text or text.startswith(("/", "?")) else {}
    except ValueError:  # no address after all, but something like one
        return None
    found = asked.get(parameter or "", [])
    return found[0] if found else None if asked or "://" in text else text


def _at(value: Any, pointer: str) -> tuple[Any, bool]:
    """(what a JSON pointer names, whether it is there)."""
    for name in pointer_parts(pointer):
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return None, False
    return value, True


def _error_in(value: Any, plan: ReadingPlan) -> Answer | None:
    """An error that comes with status 200: an object that says so and has no rows where they belong."""
    if not isinstance(value, dict):
        return None
    if _only_a_verdict(value, plan):
        return _failure(value)
    columns = plan.faults.split(",") if plan.faults and plan.rows == "" else []
    if any(item is not None for name, item in value.items() if name not in ERRORS):
        failed = next((name for name in ERRORS if value.get(name) and name not in columns), None)
    else:
        failed = next((name for name in ERRORS if value.get(name)), None)
    if failed is None or (plan.rows is not None and plan.rows != "" and _at(value, plan.rows.removesuffix("/*"))[1]):
        return None
    if plan.rows == "" and len(value) > 4:  # a record that has a column of that name
        return None
    message = _message(value)
    return Answer(outcome_of_saying(message) or "server", code=_code(value), message=message)


def _refused(document: Document, value: Any, status: int, plan: ReadingPlan) -> Answer:
    """What a status beyond 2xx means, with the service's own words."""
    message = _message(value) or (message_of(document.text) if document.kind == "text" else None)
    outcome = _outcome(status, message, document, plan)
    told = message or (
        f"HTTP {status}: the service has moved; import it with its new address" if status < 400 else None
    )
    unpaid = status == 402 and outcome_of_saying(told) != "quota"
    return Answer(outcome, code=_code(value), message=told or f"HTTP {status}", of_request=unpaid)


def _outcome(status: int, message: str | None, document: Document, plan: ReadingPlan) -> Outcome:
    said = outcome_of_saying(message)
    if status == 429 or (status == 403 and said in ("quota", "rate_limit")):
        return "quota" if said == "quota" else "rate_limit"
    if status in (401, 403, 407):
        return "auth"
    if status == 402:
        return "quota"
    if status == 404 and plan.keyed and document.kind != "html":
        return "no_data"  # the address is that of one thing, and there is none of it
    if status < 400 or status in (404, 405, 410, 501):
        return "unknown_operation"
    if status in (408, 504):
        return "timeout"
    if status >= 500:
        if says_maintenance(message or document.text[:2000]):
            return "maintenance"
        return said if status == 500 and said in _SAID else "server"
    return "bad_param"


def _without_structure(document: Document, status: int, plan: ReadingPlan) -> Answer:
    """A successful status with an empty body, a text or a page."""
    if document.kind == "empty":
        if plan.writes:
            return Answer("ok", [{"done": True}], 1)
        return (
            Answer("no_data", message=None)
            if status in (204, 205)
            else Answer("not_a_response", message="The answer was empty.")
        )
    if document.kind == "html":
        if says_maintenance(document.text):
            return Answer("maintenance", message="The service shows a maintenance page.")
        return Answer("not_a_response", message="An HTML page came instead of data.")
    if document.kind == "text" and plan.rows == "":
        return Answer("ok", [{"value": document.text}], 1)
    return Answer("not_a_response", message="The answer was cut short or is neither JSON nor XML.")


def _message(value: Any, depth: int = 0) -> str | None:
    """The sentence of an error, in whichever of the usual places it stands."""
    if isinstance(value, list):
        return _message(value[0], depth + 1) if value and depth < 4 else None
    if not isinstance(value, dict):
        return message_of(value) if depth else None
    if depth < 4:
        for name in _MESSAGES:
            found = _message(value.get(name), depth + 1)
            if found:
                return found
    return None


def _code(value: Any) -> str | None:
    """The service's own code, where its error has one."""
    if isinstance(value, dict):
        inner = value.get("error")
        for part in (value, inner if isinstance(inner, dict) else {}):
            for name in _CODES:
                text = text_of(part.get(name))
                if text is not None:
                    return text
    return None
