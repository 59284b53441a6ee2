"""KRX Open API: rows under `OutBlock_1` and nothing else; the key travels in a header."""

from __future__ import annotations

import re
from typing import Any

from kopa_hf.platforms.adapter import Adapter
from kopa_hf.platforms.base import Answer
from kopa_hf.platforms.codes import outcome_of_saying, outcome_of_status
from kopa_hf.platforms.failures import Outcome
from kopa_hf.platforms.shapes import answer_of_rows, count_of, failed, message_of, only_root, rows_of, text_of

_BLOCK = re.compile(r"OutBlock_\d+")


class KrxAdapter(Adapter):
    """Sources disagree on the HTTP status of a bad key, so the body is asked first."""

    name = "krx"

    def read(self, value: Any, operation: str | None) -> Answer | None:
        if not isinstance(value, dict):
            return None
        root = only_root(value)
        if root is not None and isinstance(root[1], dict) and not _BLOCK.fullmatch(root[0]):
            value = root[1]
        code, message = text_of(value.get("respCode")), message_of(value.get("respMsg"))
        block = next((name for name in value if _BLOCK.fullmatch(name)), None)
        if code is not None and (block is None or code not in ("200", "000", "0")):
            number = count_of(code)
            outcome = self.outcome_of_status(number) if number is not None else None
            return failed(outcome or outcome_of_saying(message) or "server", code, message)
        if block is None:
            return None
        rows = rows_of(value[block])
        return None if rows is None else answer_of_rows(rows, None, code, message)

    def outcome_of_status(self, http_status: int) -> Outcome | None:
        """429 means that the day's calls are used up; waiting a moment does not help."""
        return "quota" if http_status == 429 else outcome_of_status(http_status)
