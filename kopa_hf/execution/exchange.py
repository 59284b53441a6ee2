"""One request and what came back: a result, and what only whoever repeats requests needs to know."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

import httpx

from kopa_hf.execution.result import CallResult


@dataclass(frozen=True, slots=True)
class Exchange:
    """One try of a call."""

    result: CallResult
    retry_after: float | None = None
    """Seconds that the service asked to wait."""
    broke: type[httpx.HTTPError] | None = None
    """How the connection failed, where no answer came."""
    of_request: bool = False
    """True where a failure is of this one request, as payment that only some take is."""


def retry_after(text: str | None) -> float | None:
    """Seconds of a Retry-After header, which holds a number or a date; None where it holds neither."""
    if text is None:
        return None
    text = text.strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.UTC)
    return max((moment - datetime.datetime.now(datetime.UTC)).total_seconds(), 0.0)
