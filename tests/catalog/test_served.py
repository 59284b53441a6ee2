"""The sandbox sends what the signatures state."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.catalog.tool import Field, Tool
from kopa_hf.execution.executor import Executor
from kopa_hf.sandbox.envelopes import ENVELOPES
from kopa_hf.sandbox.probing import Prober
from kopa_hf.sandbox.registry import handlers
from kopa_hf.sandbox.world import default_world
from kopa_hf.values.formats import matches

ROWS = 20


def test_every_handler_serves_an_operation_of_the_catalog() -> None:
    for wire in ENVELOPES:
        known = {tool.endpoint.operation for tool in load_catalog() if tool.wire == wire}
        assert set(handlers(wire)) <= known, wire


def test_the_head_is_modelled_by_hand_in_all_six_domains() -> None:
    modelled = [t for t in load_catalog() if t.fields and t.endpoint.operation in handlers(t.wire)]
    assert len(modelled) >= 200
    assert {tool.domain for tool in modelled} == {"traffic", "finance", "education", "law", "politics", "district"}


def _slips(tool: Tool, arguments: dict[str, str], executor: Executor) -> Iterator[str]:
    """What the first rows hold that the signature does not state."""
    result = executor.call_sync(tool, arguments)
    if result.outcome != "ok":
        yield f"{tool.name}: {result.outcome} for {arguments}"
    for record in result.records[:ROWS]:
        known = {field.name for field in tool.fields} | ({"title"} if tool.endpoint.response_kind == "group" else set())
        if unknown := record.keys() - known:
            yield f"{tool.name}: sends {sorted(unknown)}, which the signature lacks"
        for field in tool.fields:
            if not _fits(field, record.get(field.name), tool.endpoint.response_format == "xml"):
                value = record[field.name]
                yield f"{tool.name}.{field.name}: {value!r} is no {field.format or field.type}"


def _fits(field: Field, value: object, xml: bool) -> bool:
    """Type and format; XML carries text only, and blanks say nothing."""
    if value is None or (isinstance(value, str) and value.strip() in ("", "-")):
        return True
    if field.type in ("array", "object"):
        return isinstance(value, list | dict) or xml
    numeric = field.type in ("integer", "number")
    if isinstance(value, str) == numeric and not xml:
        return False
    return not field.format or matches(str(value), field.format)


@pytest.mark.slow
def test_answers_have_the_columns_types_and_formats_of_the_signature() -> None:
    tools = [tool for tool in load_catalog() if not tool.fields_unknown]
    prober = Prober(default_world(), tools)
    answering = [(tool, prober.answers(tool)) for tool in tools]
    with Executor() as executor:
        slips = [slip for tool, known in answering if known for slip in _slips(tool, known[0][0], executor)]
    assert slips == []
    # the silent ones demand the number of a rare thing: chains reach them, guesses do not
    assert len([tool for tool, known in answering if not known]) <= 40
