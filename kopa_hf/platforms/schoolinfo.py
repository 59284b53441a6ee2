"""학교알리미: one address, `apiType` picks the item; success and failure differ in `resultCode`."""

from __future__ import annotations

from typing import Any

from kopa_hf.platforms.adapter import Adapter
from kopa_hf.platforms.base import Answer
from kopa_hf.platforms.codes import outcome_of_saying
from kopa_hf.platforms.shapes import answer_of_rows, failed, message_of, rows_of, text_of


class SchoolinfoAdapter(Adapter):
    """Failures say in a sentence what is wrong, "no data" included."""

    name = "schoolinfo"

    def read(self, value: Any, operation: str | None) -> Answer | None:
        if not isinstance(value, dict):
            return None
        code, message = text_of(value.get("resultCode")), message_of(value.get("resultMsg"))
        if code is None:
            return None
        if code.lower() != "success":
            outcome = outcome_of_saying(message)
            if outcome == "no_data":
                return Answer("no_data", code=code, message=message)
            return failed(outcome or "bad_param", code, message)
        rows = rows_of(value.get("list"))
        return None if rows is None else answer_of_rows(rows, None, code, message)
