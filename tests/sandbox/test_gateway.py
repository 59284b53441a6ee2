"""The gateway of data.go.kr: its own errors, and the shapes of the agencies behind it."""

from __future__ import annotations

import json
from dataclasses import replace

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kopa_hf.catalog.tool import Endpoint, Field, Paging, Parameter, Tool
from kopa_hf.platforms.base import Answer
from kopa_hf.platforms.wires import parse_answer, wire_for
from kopa_hf.sandbox import Faults, SandboxTransport, World, sandbox_key
from kopa_hf.sandbox.envelopes.base import Incoming, Outgoing
from kopa_hf.sandbox.envelopes.gateway import GatewayEnvelope
from kopa_hf.sandbox.query import Record, RefusedError, Rows

KEY = sandbox_key("kdic")
FORMAT = Parameter("resultType", "결과형식", role="format", enum=("xml", "json"))
TOOL = Tool(
    name="list_test_rows",
    platform="kdic",
    wire="data_go_kr",
    domain="finance",
    title="시험",
    description="시험",
    endpoint=Endpoint("https://apis.data.go.kr/B000000/service/TestService/getRows", auth="serviceKey"),
    parameters=(FORMAT, Parameter("basYm", "기준년월", required=True)),
    fields=(Field("name", "이름"), Field("amount", "금액")),
    paging=Paging("pageNo", "numOfRows", default_size=10, max_size=100),
)
BARE = replace(
    TOOL,
    endpoint=replace(TOOL.endpoint, rows_at="body.items"),
    parameters=(replace(FORMAT, name="dataFormat"), TOOL.parameters[1]),
)
BUS = replace(
    TOOL,
    endpoint=Endpoint("https://ws.bus.go.kr/api/rest/buspos/getRows", response_format="xml", auth="serviceKey"),
    parameters=(),
    paging=None,
)
BUS2 = replace(
    TOOL,
    endpoint=replace(TOOL.endpoint, rows_at="response.msgBody.busList"),
    parameters=(replace(FORMAT, name="format"),),
    paging=None,
)
RANGE = replace(TOOL, paging=Paging("SNUM", "ENUM", "range", default_size=10, max_size=100))
SHAPES = {"usual": TOOL, "bare": BARE, "seoul bus": BUS, "gyeonggi bus": BUS2}
ENVELOPE = GatewayEnvelope()


def written(tool: Tool, records: list[Record], sent: dict[str, str]) -> Outgoing:
    incoming = Incoming("GET", httpx.URL(tool.endpoint.url).host, httpx.URL(tool.endpoint.url).path, parameters=sent)
    query = ENVELOPE.ask(incoming, tool)
    return ENVELOPE.answer(Rows.of(records), query, incoming, frozenset())


def read(tool: Tool, outgoing: Outgoing) -> Answer:
    return parse_answer("data_go_kr", outgoing.body, http_status=outgoing.status, content_type=outgoing.content_type)


def ask(**given_: str) -> httpx.Response:
    with httpx.Client(transport=SandboxTransport(World(), catalog=[TOOL]), trust_env=False) as client:
        return client.get(TOOL.endpoint.url, params=given_)


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(sorted(SHAPES)), st.integers(0, 23), st.integers(1, 4), st.integers(1, 9), st.booleans())
def test_every_shape_reads_back_to_its_rows(shape: str, total: int, page: int, size: int, as_json: bool) -> None:
    tool = SHAPES[shape]
    records: list[Record] = [{"name": f"가<나>&{i}", "amount": str(i)} for i in range(total)]
    sent = {p.name: "json" if as_json else "xml" for p in tool.parameters if p.role == "format"}
    answer = read(tool, written(tool, records, {**sent, "pageNo": str(page), "numOfRows": str(size)}))
    expected = records[(page - 1) * size : page * size]
    assert answer.records == expected
    assert answer.outcome == ("ok" if expected else "no_data")
    if "bus" not in shape:
        assert answer.total_count == total


@pytest.mark.parametrize(("first", "last", "expected"), [("1", "3", 3), ("4", "6", 2), ("3", None, 3), ("9", "12", 0)])
def test_a_range_names_the_first_and_the_last_row(first: str, last: str | None, expected: int) -> None:
    records: list[Record] = [{"name": str(i)} for i in range(1, 6)]
    sent = {"SNUM": first, **({"ENUM": last} if last else {})}
    answer = read(RANGE, written(RANGE, records, sent))
    assert [record["name"] for record in answer.records] == [str(int(first) + i) for i in range(expected)]
    assert answer.total_count == 5


def test_a_range_that_runs_backwards_or_too_far_is_refused() -> None:
    for last in ("2", "103"):
        with pytest.raises(RefusedError):
            written(RANGE, [], {"SNUM": "3", "ENUM": last})


def test_one_row_is_an_object_and_none_is_an_empty_text() -> None:
    sent = {"resultType": "json"}
    one = json.loads(written(TOOL, [{"name": "가"}], sent).body)["response"]["body"]
    none = json.loads(written(TOOL, [], sent).body)["response"]["body"]
    assert one["items"] == {"item": {"name": "가"}}
    assert none == {"items": "", "numOfRows": 10, "pageNo": 1, "totalCount": 0}
    assert b"<items></items>" in written(TOOL, [], {}).body


def test_a_service_without_a_wrapper_sends_the_list_itself() -> None:
    body = json.loads(written(BARE, [{"name": "가"}], {"dataFormat": "json"}).body)
    assert list(body) == ["header", "body"]
    assert list(body["body"]) == ["items", "numOfRows", "pageNo", "totalCount"]
    assert body["body"]["items"] == [{"name": "가"}]


def test_xml_comes_unless_json_is_asked_for() -> None:
    assert ask(serviceKey=KEY, basYm="202401").content.startswith(b"<?xml")
    assert ask(serviceKey=KEY, basYm="202401", resultType="json").json()["response"]["header"]["resultCode"] == "00"
    only_json = replace(TOOL, parameters=(), endpoint=replace(TOOL.endpoint, response_format="json"))
    assert written(only_json, [], {}).content_type.startswith("application/json")


@pytest.mark.parametrize("key", [{}, {"serviceKey": ""}, {"serviceKey": "wrong"}, {"serviceKey": KEY + "%3D"}])
def test_a_wrong_key_is_refused_in_xml_although_json_was_asked_for(key: dict[str, str]) -> None:
    response = ask(basYm="202401", resultType="json", **key)
    assert response.status_code == 200
    assert response.text.startswith("<OpenAPI_ServiceResponse>")
    answer = parse_answer("data_go_kr", response.content)
    assert (answer.outcome, answer.code) == ("auth", "30")


@pytest.mark.parametrize(
    ("given_", "outcome", "code"),
    [
        ({}, "bad_param", "11"),
        ({"basYm": "202401", "pageNo": "0"}, "bad_param", "10"),
        ({"basYm": "202401", "pageNo": "x"}, "bad_param", "10"),
        ({"basYm": "202401", "numOfRows": "101"}, "bad_param", "10"),
        ({"basYm": "202401", "pageNo": "99999"}, "no_data", "00"),
    ],
)
@pytest.mark.parametrize("form", ["xml", "json"])
def test_refusals_come_in_the_agencys_header(given_: dict[str, str], outcome: str, code: str, form: str) -> None:
    response = ask(serviceKey=KEY, resultType=form, **given_)
    answer = parse_answer("data_go_kr", response.content, http_status=response.status_code)
    assert (answer.outcome, answer.code) == (outcome, code)


def test_failures_of_the_gateway_have_their_outcomes() -> None:
    incoming = Incoming("GET", "apis.data.go.kr", "/B000000/service/TestService/getRows")
    for kind, outcome in (("quota", "quota"), ("rate_limit", "rate_limit"), ("server", "server")):
        assert read(TOOL, ENVELOPE.trouble(kind, incoming)).outcome == outcome  # type: ignore[arg-type]
    for path in ("/B000000/nothing", "/B000000/service/Nothing/none"):
        assert read(TOOL, ENVELOPE.trouble("unknown", replace(incoming, path=path))).outcome == "unknown_operation"
    bus = replace(incoming, host="ws.bus.go.kr", path="/api/rest/buspos/getRows")
    for kind, outcome in (("auth", "auth"), ("quota", "quota"), ("server", "server"), ("missing", "bad_param")):
        assert read(BUS, ENVELOPE.trouble(kind, bus)).outcome == outcome  # type: ignore[arg-type]


def test_the_wires_behind_the_gateway_share_its_hosts() -> None:
    for wire, platform in (("kdic", "kdic"), ("hrdk", "hrdk"), ("data_go_kr", "education")):
        tool = replace(TOOL, wire=wire, platform=platform)
        transport = SandboxTransport(World(), Faults.none(), [tool])
        request = wire_for(wire).build_request(tool, {"basYm": "202401"}, sandbox_key(platform))
        answer = parse_answer(wire, transport.handle_request(request).content)
        assert answer.outcome == "ok"
        assert set(answer.records[0]) == {"name", "amount"}
