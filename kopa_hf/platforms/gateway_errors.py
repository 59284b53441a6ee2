"""The data.go.kr gateway's own error, which any service behind it may answer.

It is XML even where JSON was asked for. In the newer gateway `errMsg` and
`returnAuthMsg` have swapped roles, so the sentence is the one that is not the
constant.
"""

from __future__ import annotations

from typing import Any

from kopa_hf.platforms.base import Answer
from kopa_hf.platforms.codes import GATEWAY, outcome_of_saying
from kopa_hf.platforms.failures import Outcome
from kopa_hf.platforms.shapes import count_of, failed, message_of, only_root, text_of

_CONSTANT = "SERVICE ERROR"


def read_gateway_error(value: Any) -> Answer | None:
    """The error in a `cmmMsgHeader` with a `returnReasonCode`; None for any other shape."""
    if not isinstance(value, dict):
        return None
    root = only_root(value)
    if root is not None and root[0] != "cmmMsgHeader":
        value = root[1]
    if not isinstance(value, dict):
        return None
    header = value.get("cmmMsgHeader", value)
    if not isinstance(header, dict) or "returnReasonCode" not in header:
        return None
    code = text_of(header["returnReasonCode"])
    sentences = [text for name in ("returnAuthMsg", "errMsg") if (text := message_of(header.get(name)))]
    message = next((text for text in sentences if text.replace("_", " ").upper() != _CONSTANT), None)
    message = message or (sentences[0] if sentences else None)
    return failed(gateway_outcome(code, message), code, message)


def gateway_outcome(code: str | None, message: str | None) -> Outcome:
    """The gateway's table first; its sentence only for numbers that the table lacks."""
    number = count_of(code)
    outcome = GATEWAY.get(number) if number is not None else None
    return outcome or outcome_of_saying(message) or "server"
