"""What the adapters of all wires share; a family adds its request defaults and its reading of a value."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import httpx

from kopa_hf.catalog.tool import Tool
from kopa_hf.platforms.base import Answer
from kopa_hf.platforms.body import Document, read_document
from kopa_hf.platforms.codes import outcome_of_saying, outcome_of_status, says_maintenance
from kopa_hf.platforms.failures import Outcome
from kopa_hf.platforms.gateway_errors import read_gateway_error
from kopa_hf.platforms.requests import RequestWriter
from kopa_hf.platforms.shapes import message_of

_WHAT_CAME = {
    "empty": "The answer was empty.",
    "html": "An HTML page came instead of data.",
    "broken": "The answer was cut short or is neither JSON nor XML.",
    "zip": "An archive came instead of data.",
    "json": "The answer is JSON of a shape that this service does not document.",
    "xml": "The answer is XML of a shape that this service does not document.",
}


class Adapter(ABC):
    """One wire family. Subclasses override `read`, and `build_request` where a request is special."""

    name: str = ""
    refuses_first: bool = True
    facts_in_headers: bool = False
    format_parameter: str | None = None
    """Query parameter that asks for a format, where a tool's signature does not list it."""
    format_upper: bool = False
    headers: Mapping[str, str] = {}

    def __init__(self) -> None:
        self._writer = RequestWriter(
            format_parameter=self.format_parameter, upper=self.format_upper, headers=self.headers
        )

    def build_request(self, tool: Tool, arguments: Mapping[str, str], key: str | None) -> httpx.Request:
        """A ready request; without a key the key's place is left out."""
        return self._writer.write(tool, arguments, key)

    def parse(
        self, body: bytes, *, http_status: int = 200, content_type: str | None = None, operation: str | None = None
    ) -> Answer:
        """Read a body: shape first, then the service's code, then the HTTP status."""
        document = read_document(body, content_type)
        answer: Answer | None = None
        try:
            if document.kind in ("json", "xml"):
                answer = self.read(document.value, operation) or read_gateway_error(document.value)
            elif document.kind == "zip":
                answer = self.read_archive(body, operation)
            else:
                answer = self.read_text(document)
        except RecursionError:  # nested deeper than any documented answer
            answer = None
        said = self.outcome_of_status(http_status)
        if answer is None:
            return _not_understood(document, said, http_status)
        if said is not None and answer.outcome in ("ok", "no_data"):
            return Answer(said, code=answer.code, message=answer.message or f"HTTP {http_status}")
        return answer

    @abstractmethod
    def read(self, value: Any, operation: str | None) -> Answer | None:
        """Understand a JSON or XML value; None where the shape is not documented for this wire."""

    def read_archive(self, body: bytes, operation: str | None) -> Answer | None:
        """Understand a ZIP; None on wires that never send one."""
        return None

    def read_text(self, document: Document) -> Answer | None:
        """Understand a page or a short text; None where it says nothing."""
        if document.kind == "html":
            if says_maintenance(document.text):
                return Answer("maintenance", message="The service shows a maintenance page.")
            return None
        if document.kind == "text" and len(document.text) < 500:
            outcome = outcome_of_saying(document.text)
            if outcome is not None and outcome != "no_data":
                return Answer(outcome, message=message_of(document.text))
        return None

    def outcome_of_status(self, http_status: int) -> Outcome | None:
        """What an HTTP status means on this wire when the body does not say it."""
        return outcome_of_status(http_status)


def _not_understood(document: Document, said: Outcome | None, http_status: int) -> Answer:
    message = _WHAT_CAME.get(document.kind) or message_of(document.text)
    if said is not None:
        return Answer(said, message=f"HTTP {http_status}: {message}")
    return Answer("not_a_response", message=message, wrong_shape=document.kind in ("json", "xml", "zip"))
