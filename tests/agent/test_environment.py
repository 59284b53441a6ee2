"""The environment that trainers drive."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from typing import Any

import httpx
import pytest

from kopa_hf.agent.environment import KopaEnvironment
from kopa_hf.catalog.callables import tool_schema
from kopa_hf.catalog.registry import load_catalog
from kopa_hf.errors import DataError, KopaError
from kopa_hf.execution.executor import Executor
from tests.agent.fakes import OFFERED, SEARCH, Disclosures, read
from tests.timing import loops


class Environment(KopaEnvironment):
    """Over a small service in place of the sandbox."""

    _executor = Executor(transport=httpx.MockTransport(Disclosures(25)))


def row(**changes: Any) -> dict[str, Any]:
    values = {
        "id": "row-1",
        "prompt": [{"role": "user", "content": "2026-01-30 기준으로 알려 줘."}],
        "tools": [tool_schema(load_catalog().get(name)) for name in OFFERED],
        "system_state": {"current_date": "2026-01-30"},
        "max_allowed_calls": 3,
        "answer": "1",
        "log_extra": object(),
    }
    return {**values, **changes}


def started(**changes: Any) -> Environment:
    environment = Environment()
    environment.reset(**row(**changes))
    return environment


def test_reset_is_the_only_public_method() -> None:
    public = [name for name, _ in inspect.getmembers(KopaEnvironment) if not name.startswith("_")]
    assert public == ["reset"]


def test_calls_go_to_the_rows_tools_under_the_rows_limit() -> None:
    environment = started()
    assert read(environment._call(SEARCH, {"bgn_de": "20260101", "end_de": None}))["total"] == 25
    assert environment._session is not None
    assert environment._session.calls[0].arguments == {"bgn_de": "20260101"}
    assert environment._session.episode.seed == "row-1"
    environment._call("get_current_date", {})
    environment._call("get_current_date", {})
    assert read(environment._call("get_current_date", {}))["error"]["outcome"] == "budget"


def test_a_pooled_instance_starts_clean() -> None:
    environment = started()
    environment._call("save_table", {"name": "표", "rows": [{"a": 1}]})
    environment._call(SEARCH, {})
    fresh = started()._session
    environment.reset(**row())
    again = environment._session
    assert fresh is not None
    assert again is not None
    assert again.state_hash == fresh.state_hash
    assert (again.calls, again.episode.results, again.episode.entries) == ([], {}, [])


def test_columns_may_come_as_json_text_or_with_padded_keys() -> None:
    tools = row()["tools"]
    plain = started()._session
    assert plain is not None
    for changes in (
        {"tools": json.dumps(tools), "system_state": '{"current_date": "2026-01-30"}'},
        {"tools": [json.dumps(tool) for tool in tools]},
        {"system_state": {"current_date": "2026-01-30", "keys_required": None}},
        {"tools": list(OFFERED)},
        {"max_allowed_calls": 3.0},
    ):
        session = started(**changes)._session
        assert session is not None
        assert session.tool_names == plain.tool_names
        assert session.episode.clock == plain.episode.clock
        assert session.max_allowed_calls == 3


def test_the_date_is_told_only_where_nothing_else_tells_it() -> None:
    silent = row(prompt=[{"role": "user", "content": "어제 종가는?"}])
    assert Environment().reset(**silent) is None  # get_current_date is offered
    assert Environment().reset(**{**silent, "tools": [SEARCH]}) == "오늘은 2026-01-30이다."
    assert Environment().reset(**row(tools=[SEARCH])) is None
    assert Environment().reset(**row(tools=[SEARCH], system_state={})) is None


@pytest.mark.parametrize(
    "changes",
    [{"tools": "[{"}, {"tools": [5]}, {"system_state": "[1]"}, {"system_state": {"current_date": "어제"}}],
)
def test_a_row_that_cannot_start_is_a_data_error(changes: dict[str, Any]) -> None:
    with pytest.raises(DataError):
        Environment().reset(**row(**changes))


def test_a_call_before_the_first_reset_is_an_error() -> None:
    with pytest.raises(KopaError, match="before reset"):
        Environment()._call(SEARCH, {})


def test_a_reset_costs_about_a_millisecond_at_most() -> None:
    environment, values = started(), row()

    def resets() -> None:
        for _ in range(100):
            environment.reset(**values)

    assert loops(resets) < 2


def test_importing_the_environment_loads_neither_torch_nor_datasets() -> None:
    code = (
        "import sys, kopa_hf.agent.environment as e\n"
        "heavy = {'torch', 'trl', 'transformers', 'datasets', 'pandas', 'numpy'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
