"""교육데이터플랫폼 (EDSS): POST with JSON; the key goes into a header for the gateway and into the body
for the application behind it, and the service id is repeated in the body.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import httpx

from kopa_hf.catalog.tool import Tool
from kopa_hf.platforms.adapter import Adapter
from kopa_hf.platforms.base import Answer
from kopa_hf.platforms.codes import outcome_of_saying, outcome_of_status
from kopa_hf.platforms.keys import plain_key
from kopa_hf.platforms.shapes import answer_of_rows, count_of, failed, message_of, rows_of, text_of

_COUNT = re.compile(r"조회 ?건수\s*:\s*([\d,]+)")
_STATUS = re.compile(r"\d{3}")


class EdssAdapter(Adapter):
    """Counts are words inside a sentence: "[조회건수 : 1,652 건]"."""

    name = "edss"

    def build_request(self, tool: Tool, arguments: Mapping[str, str], key: str | None) -> httpx.Request:
        service = tool.endpoint.operation or tool.endpoint.url.rpartition("/")[2]
        body: dict[str, Any] = {"apiId": service}
        if key:
            body["userApiAthkCn"] = plain_key(key)
        body["srhParam"] = dict(arguments)
        return self._writer.write(tool, arguments, key, body=body)

    def read(self, value: Any, operation: str | None) -> Answer | None:
        if not isinstance(value, dict):
            return None
        if text_of(value.get("loc")) in ("GATEWAY", "PROVIDER"):
            # the gateway echoes the request's headers, key included: only its sentence is taken over
            message = message_of(value.get("message"))
            return failed(outcome_of_saying(message) or "auth", None, message)
        status, message = text_of(value.get("msgCd")), message_of(value.get("msgCn"))
        number = _STATUS.match(status) if status is not None else None
        if number is None:
            return None
        code = number.group()
        said = outcome_of_status(int(code))
        if said is not None:
            late = said == "server" and outcome_of_saying(f"{status} {message}") == "timeout"
            return failed("timeout" if late else said, code, message)
        rows = rows_of(value.get("resultData"))
        if rows is None:
            return None
        counted = _COUNT.search(message or "")
        return answer_of_rows(rows, count_of(counted.group(1)) if counted else None, code, message)
