"""One taxonomy for every way a call can end.

An *outcome* is what the service said. A *failure* is what it means
for the caller: `structural` (the request or the signature is wrong),
`environmental` (the world is not available now) or `no_data`.
"""

from __future__ import annotations

from typing import Final, Literal

Outcome = Literal[
    "ok",
    "no_data",
    "auth",
    "quota",
    "rate_limit",
    "bad_param",
    "unknown_operation",
    "server",
    "maintenance",
    "timeout",
    "not_a_response",
]
Failure = Literal["no_data", "structural", "environmental"]

FAILURE_OF: Final[dict[str, Failure | None]] = {
    "ok": None,
    "no_data": "no_data",
    "auth": "environmental",
    "quota": "environmental",
    "rate_limit": "environmental",
    "bad_param": "structural",
    "unknown_operation": "structural",
    "server": "environmental",
    "maintenance": "environmental",
    "timeout": "environmental",
    # refined by `Answer.wrong_shape`: a well-formed body of the wrong shape is structural
    "not_a_response": "environmental",
}

RETRYABLE: Final[frozenset[str]] = frozenset({"rate_limit", "server", "timeout", "not_a_response"})
"""Outcomes that another attempt may cure; quota, maintenance and auth never are."""


def is_failure(outcome: str, failure: str) -> bool:
    """True for an outcome that is a failure, together with a class that it can have."""
    if outcome == "not_a_response":
        return failure in ("structural", "environmental")
    return failure in ("structural", "environmental") and FAILURE_OF.get(outcome) == failure
