"""The sandbox sends what the signatures state."""

from __future__ import annotations

import pytest

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.catalog.tool import Tool
from kopa_hf.execution.executor import Executor
from kopa_hf.sandbox.registry import handlers
from kopa_hf.values.formats import matches

GIVEN = {
    "basDd": "20260129", "AGE": "22", "ERACO": "제22대", "UNIT_CD": "100022", "PROFILE_UNIT_CD": "100022",
    "DAE_NUM": "22", "REGDAESU": "22", "FSCL_YY": "2025", "sj_div": "BS1",
}  # fmt: skip
"""What the required inputs of list tools take; tools that need an id are left to the tests of their domain."""


def test_every_handler_serves_an_operation_of_the_catalog() -> None:
    for wire in ("dart", "krx", "assembly"):
        known = {tool.endpoint.operation for tool in load_catalog() if tool.wire == wire}
        assert set(handlers(wire)) <= known, wire


def _slips(tool: Tool, executor: Executor) -> list[str]:
    arguments = {p.name: GIVEN[p.name] for p in tool.inputs if p.required}
    found = []
    for record in executor.call_sync(tool, arguments).records[:20]:
        for field in tool.fields:
            value = record.get(field.name)
            if value in (None, "", "-"):
                continue
            numeric = field.type in ("integer", "number")
            if isinstance(value, str) == numeric or (field.format and not matches(str(value), field.format)):
                found.append(f"{tool.name}.{field.name}: {value!r} is no {field.format or field.type}")
    return found


@pytest.mark.slow
def test_answers_have_the_types_and_formats_of_the_signature() -> None:
    tools = [t for t in load_catalog() if all(p.name in GIVEN for p in t.inputs if p.required)]
    assert len(tools) > 250
    with Executor() as executor:
        assert [slip for tool in tools for slip in _slips(tool, executor)] == []
