"""한국도로공사: SUCCESS or ERROR in the body, rows under a key that differs by operation.

`pageSize` is the number of pages, not their size, and codes come padded with
blanks. The sister portal ITS and the older address behind data.go.kr answer in
their own envelopes.
"""

from __future__ import annotations

from typing import Any, Final

from kopa_hf.platforms.adapter import Adapter
from kopa_hf.platforms.base import Answer, Record
from kopa_hf.platforms.codes import outcome_of_saying
from kopa_hf.platforms.data_go_kr import read_agency
from kopa_hf.platforms.failures import Outcome
from kopa_hf.platforms.shapes import answer_of_rows, count_of, failed, is_blank, message_of, rows_of, text_of

_ENVELOPE: Final = frozenset(
    {"code", "message", "count", "pageNo", "numOfRows", "pageSize", "coordtype", "datacount", "exception"}
)
_ECHOES: Final = frozenset({"pageNo", "numOfRows"})


class ExpresswayAdapter(Adapter):
    """A missing parameter is named in the message, one at a time."""

    name = "expressway"
    format_parameter = "type"
    headers = {"Accept": "application/json"}

    def read(self, value: Any, operation: str | None) -> Answer | None:
        if not isinstance(value, dict):
            return None
        root = value
        for name in ("data", "response"):  # the XML roots of this portal and of ITS
            if len(value) == 1 and isinstance(value.get(name), dict):
                root = value[name]
        if "header" in root:
            return read_agency(value)
        code, message = text_of(root.get("code")), message_of(root.get("message"))
        if code is None and isinstance(root.get("exception"), dict):
            return failed("server", None, message_of(root["exception"].get("message")))
        if code is not None and code.upper() != "SUCCESS":
            return failed(_outcome_of_error(message), code, message)
        total = count_of(root.get("count", root.get("datacount")))
        if code is None and total is None:
            return None
        rows = _rows(root)
        return None if rows is None else answer_of_rows(rows, total, code, message)

    def outcome_of_status(self, http_status: int) -> Outcome | None:
        """400 is the firewall's "Request Blocked": the client is turned away, not the parameters."""
        return "auth" if http_status == 400 else super().outcome_of_status(http_status)


def _outcome_of_error(message: str | None) -> Outcome:
    outcome = outcome_of_saying(message)
    # ERROR with a sentence about something absent means a parameter; nothing found is SUCCESS with count 0
    return "bad_param" if outcome in (None, "no_data") else outcome


def _rows(root: dict[str, Any]) -> list[Record] | None:
    rest = {name: item for name, item in root.items() if name not in _ENVELOPE}
    name = next((n for n, item in rest.items() if isinstance(item, list | dict)), None)
    if name is None:
        return [] if all(is_blank(item) for item in rest.values()) else None
    rows = rows_of(rest[name])
    return None if rows is None else [_trimmed(row) for row in rows]


def _trimmed(row: Record) -> Record:
    """A row without padding, and without the page parameters that some services repeat in it as null."""
    return {
        name: item.rstrip(" ") if isinstance(item, str) else item
        for name, item in row.items()
        if name not in _ECHOES or not is_blank(item)
    }
