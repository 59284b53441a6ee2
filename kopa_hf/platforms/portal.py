"""The portals built alike: rows in `row`, status in `RESULT`, and a bare `RESULT` when nothing came.

열린국회정보, 나이스 and 경기 wrap a list of sections (`head`, `row`), 서울 an object; XML
gives both as objects. One reading serves them all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from kopa_hf.platforms.adapter import Adapter
from kopa_hf.platforms.base import Answer, Record
from kopa_hf.platforms.codes import PORTAL, outcome_of_saying
from kopa_hf.platforms.shapes import answer_of_rows, count_of, failed, message_of, rows_of, text_of

ENVELOPE: Final = frozenset({"RESULT", "head", "row", "list_total_count", "api_version", "errorMessage"})


@dataclass(slots=True)
class Sections:
    """What was found in an envelope."""

    code: str | None = None
    message: str | None = None
    total: int | None = None
    rows: list[Record] | None = field(default=None)
    """None: no `row` anywhere."""
    broken: bool = False
    """True: `row` holds something that cannot be rows."""

    def take(self, node: Any) -> Sections:
        """Collect from an object, or from a list of sections."""
        for part in node if isinstance(node, list) else (node,):
            if not isinstance(part, dict):
                continue
            for name, item in part.items():
                if name == "row":
                    rows = rows_of(item)
                    if rows is None:
                        self.broken = True
                    else:
                        self.rows = rows if self.rows is None else self.rows + rows
                elif name == "head":
                    self.take(item)
                elif name == "list_total_count":
                    self.total = count_of(item)
                elif name in ("RESULT", "errorMessage"):
                    self.take_result(item)
        return self

    def take_result(self, result: Any) -> None:
        """Read a status object; 서울 also spells its keys in lower case or with the prefix `RESULT.`."""
        if not isinstance(result, dict):
            return
        for name, item in result.items():
            last = name.rpartition(".")[2].upper()
            if last == "CODE":
                self.code = text_of(item) or self.code
            elif last == "MESSAGE":
                self.message = message_of(item) or self.message
            elif last == "TOTAL" and self.total is None:
                self.total = count_of(item)

    @property
    def found(self) -> bool:
        """True where anything documented was there."""
        return self.code is not None or self.rows is not None or self.total is not None


class PortalAdapter(Adapter):
    """Codes INFO-… and ERROR-… with HTTP 200."""

    format_parameter: str | None = "Type"

    def read(self, value: Any, operation: str | None) -> Answer | None:
        if not isinstance(value, dict):
            return None
        sections = Sections().take(value)
        wrapper = _wrapper(value, operation)
        if wrapper is not None:
            sections.take(value[wrapper])
        self.take_more(value, wrapper, sections)
        if sections.broken or not sections.found:
            return None
        if sections.code is None and sections.rows is None:
            return None
        return self.answer(sections)

    def take_more(self, value: dict[str, Any], wrapper: str | None, sections: Sections) -> None:
        """Room for a portal's special shapes."""

    def answer(self, sections: Sections) -> Answer:
        """By code; a success without rows is no data."""
        outcome = "ok" if sections.code is None else PORTAL.get(sections.code.upper())
        if outcome is None:
            outcome = outcome_of_saying(sections.message) or "server"
        if outcome == "ok":
            return answer_of_rows(sections.rows or [], sections.total, sections.code, sections.message)
        if outcome == "no_data":
            return Answer("no_data", [], sections.total, sections.code, sections.message)
        return failed(outcome, sections.code, sections.message)


def _wrapper(value: dict[str, Any], operation: str | None) -> str | None:
    """The key that the service's answer stands under; not always the operation's name."""
    if operation and operation not in ENVELOPE and operation in value:
        return operation
    return next((name for name in value if name not in ENVELOPE and isinstance(value[name], dict | list)), None)
