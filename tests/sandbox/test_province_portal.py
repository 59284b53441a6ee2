"""경기데이터드림's own way of answering: its envelope, its refusals, its firewall."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.platforms.base import Answer
from kopa_hf.platforms.wires import wire_for
from kopa_hf.sandbox import SandboxTransport, sandbox_key
from kopa_hf.sandbox.province.municipalities import siguns
from kopa_hf.sandbox.province.services import HANDLERS
from kopa_hf.sandbox.query import Query, Rows
from kopa_hf.sandbox.world import default_world

WORLD = default_world()
TOOLS = {tool.endpoint.operation: tool for tool in load_catalog() if tool.wire == "gyeonggi"}
LISTS = sorted(name for name, tool in TOOLS.items() if tool.fields)
TRANSPORT = SandboxTransport(WORLD)
URL = "https://openapi.gg.go.kr/"
BROWSER = "Mozilla/5.0 (X11; Linux x86_64)"


def rows_of(operation: str, **given_: str) -> Rows:
    """A service's rows, without its wire."""
    reply = HANDLERS[operation](WORLD, Query(operation, given_, TOOLS[operation]))
    assert isinstance(reply, Rows)
    return reply


def ask(operation: str, **given_: str) -> Answer:
    """A service's answer as its adapter reads it."""
    request = wire_for("gyeonggi").build_request(TOOLS[operation], given_, sandbox_key("gyeonggi"))
    return read(TRANSPORT.handle_request(request))


def read(response: httpx.Response) -> Answer:
    return wire_for("gyeonggi").parse(response.content, content_type=response.headers["content-type"])


def send(path: str, *, agent: str = BROWSER, **parameters: str) -> httpx.Response:
    request = httpx.Request("GET", URL + path, params=parameters, headers={"user-agent": agent})
    return TRANSPORT.handle_request(request)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(LISTS), st.sampled_from(siguns()), st.integers(1, 4), st.integers(1, 40), st.booleans())
def test_bytes_read_back_are_the_worlds_records(operation: str, place: Any, page: int, size: int, xml: bool) -> None:
    tool = TOOLS[operation]
    asked = {"SIGUN_NM": place.name} if tool.parameter("SIGUN_NM") else {}
    expected = rows_of(operation, **asked)
    kind = "xml" if xml else "json"
    response = send(operation, KEY=sandbox_key("gyeonggi"), Type=kind, pIndex=str(page), pSize=str(size), **asked)
    answer = read(response)
    records = expected.slice((page - 1) * size, page * size)
    if not records:
        assert answer.outcome == "no_data"
        return
    assert (answer.outcome, answer.total_count) == ("ok", expected.total)
    if not xml:
        assert answer.records == records
    else:
        texts = [{n: "" if v is None else str(v) for n, v in record.items()} for record in records]
        assert [{n: v or "" for n, v in r.items()} for r in answer.records] == [
            {n: v.strip() for n, v in record.items()} for record in texts
        ]


def test_the_head_has_three_entries_and_errors_stand_bare() -> None:
    key = sandbox_key("gyeonggi")
    head, row = json.loads(send("Library", KEY=key, Type="json", pSize="2").content)["Library"]
    assert [list(entry) for entry in head["head"]] == [["list_total_count"], ["RESULT"], ["api_version"]]
    assert len(row["row"]) == 2
    wrong = send("Library", KEY="0" * 32, Type="json")
    assert json.loads(wrong.content)["RESULT"]["CODE"] == "ERROR-290"
    assert wrong.status_code == 200


@pytest.mark.parametrize(
    ("path", "given_", "code", "outcome"),
    [
        ("Library", {"KEY": "wrong"}, "ERROR-290", "auth"),
        ("Library", {"pIndex": "x"}, "ERROR-333", "bad_param"),
        ("Library", {"pSize": "0"}, "ERROR-333", "bad_param"),
        ("Library", {"pSize": "1001"}, "ERROR-336", "bad_param"),
        ("Library", {"pIndex": "9999"}, "INFO-200", "no_data"),
        ("Library", {"SIGUN_NM": "없는시"}, "INFO-200", "no_data"),
        ("NoSuchService", {}, "ERROR-310", "unknown_operation"),
    ],
)
@pytest.mark.parametrize("kind", ["json", "xml"])
def test_refusals_have_the_services_codes(
    path: str, given_: dict[str, str], code: str, outcome: str, kind: str
) -> None:
    answer = read(send(path, **{"KEY": sandbox_key("gyeonggi"), "Type": kind, **given_}))
    assert (answer.code, answer.outcome) == (code, outcome)


def test_without_a_key_five_rows_are_shown_and_paging_is_fixed() -> None:
    answer = read(send("Library", Type="json", pIndex="4", pSize="100"))
    assert (answer.outcome, len(answer.records)) == ("ok", 5)
    assert answer.records == rows_of("Library").slice(0, 5)


def test_names_of_inputs_are_read_in_any_case() -> None:
    one = send("Library", KEY=sandbox_key("gyeonggi"), Type="json", pIndex="2", pSize="3")
    other = send("Library", key=sandbox_key("gyeonggi"), TYPE="json", pindex="2", psize="3")
    assert one.content == other.content


def test_an_agent_that_is_no_browser_meets_the_firewall() -> None:
    response = send("Library", agent="python", KEY=sandbox_key("gyeonggi"), Type="json")
    assert (response.status_code, response.headers["content-type"]) == (200, "text/html;charset=UTF-8")
    answer = read(response)
    assert answer.failure == "environmental"
    assert answer.records == []


def test_the_answer_of_the_executors_own_request_is_read() -> None:
    answer = ask("ParkingPlace", SIGUN_NM="수원시", pSize="3")
    assert (answer.outcome, len(answer.records)) == ("ok", 3)
