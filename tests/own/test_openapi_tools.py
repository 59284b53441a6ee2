"""From operations to signatures: inputs, answers, keys, paging, and what the overrides change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.catalog.arguments import bind_arguments
from kopa_hf.catalog.callables import tool_callable, tool_schema
from kopa_hf.catalog.openapi_words import Labels, singular
from kopa_hf.catalog.reading_plan import ReadingPlan
from kopa_hf.catalog.registry import tool_from_dict
from kopa_hf.catalog.saving import tool_line
from kopa_hf.catalog.tool import Paging
from kopa_hf.errors import CatalogError, DataError
from kopa_hf.platforms.rest_requests import write_request
from tests.own.descriptions import get, imported, listing, only_tool, openapi, query, swagger

INT, STR = {"type": "integer"}, {"type": "string"}
THING = {"type": "object", "properties": {"id": INT, "name": STR}}


def test_inputs_of_every_place_become_parameters(tmp_path: Path) -> None:
    parameters: list[Any] = [
        {"name": "shop-id", "in": "path", "required": True, "schema": INT},
        query("from", {"type": "string", "format": "date"}, required=True),
        query("page[size]", INT),
        query("kind", {"type": "string", "enum": ["a", "b", None]}),
        query("open", {"type": "boolean", "default": True}),
        {"name": "X-Tenant", "in": "header", "schema": STR},
        {"name": "Accept", "in": "header", "schema": STR},
        {"name": "Host", "in": "header", "schema": STR},
        {"name": "crumb", "in": "cookie", "schema": STR},
        query("api-version", {"type": "string", "enum": ["2024"]}, required=True),
    ]
    made = imported(tmp_path, openapi({"/shops/{shop-id}/days/{day}": get(parameters)}))
    (tool,) = made.tools
    found = {p.name: p for p in tool.parameters}
    assert list(found) == ["shop_id", "from_", "page_size", "kind", "open", "X_Tenant", "crumb", "api_version", "day"]
    assert (found["shop_id"].sent_as, found["shop_id"].location, found["shop_id"].required) == ("shop-id", "path", True)
    assert (found["from_"].sent_as, found["from_"].format) == ("from", "YYYY-MM-DD")
    assert (found["kind"].enum, found["open"].default, found["open"].type) == (("a", "b"), "true", "boolean")
    assert (found["api_version"].role, found["api_version"].required) == ("format", False)
    assert (found["day"].required, found["day"].location) == (True, "path")
    assert made.notes == ["get_things: header parameter Host left out"]
    shown = tool_schema(tool)["function"]["parameters"]
    assert "api_version" not in shown["properties"]
    assert shown["required"] == ["shop_id", "from_", "day"]
    assert tool_callable(tool, lambda *_: None).__name__ == "get_things"


@pytest.mark.parametrize(
    ("parameter", "style", "separator"),
    [
        ({"schema": {"type": "array", "items": INT}}, "repeated", ","),
        ({"schema": {"type": "array", "items": INT}, "explode": False}, "", ","),
        ({"schema": {"type": "array", "items": INT}, "style": "spaceDelimited", "explode": False}, "spaces", ","),
        ({"schema": {"type": "array", "items": INT}, "style": "pipeDelimited", "explode": False}, "pipes", ","),
        ({"schema": {"type": "array", "items": {"type": "string", "enum": ["a,b", "c"]}}}, "repeated", "|"),
        ({"schema": {"type": "object", "properties": {"a": INT}}, "style": "deepObject"}, "brackets", None),
        ({"content": {"application/json": {"schema": {"type": "object"}}}}, "json", None),
        ({"schema": {"type": "array", "items": THING}}, "json", None),
    ],
)
def test_styles_of_lists_and_objects(
    tmp_path: Path, parameter: dict[str, Any], style: str, separator: str | None
) -> None:
    tool = only_tool(tmp_path, openapi({"/x": get([{"name": "q", "in": "query", **parameter}])}))
    assert (tool.parameters[0].style, tool.parameters[0].separator) == (style, separator)


def test_swagger_collection_formats_and_form_fields(tmp_path: Path) -> None:
    parameters = [
        {"name": "a", "in": "query", "type": "array", "items": INT, "collectionFormat": "multi"},
        {"name": "b", "in": "query", "type": "array", "items": INT},
        {"name": "c", "in": "query", "type": "array", "items": INT, "collectionFormat": "tsv"},
    ]
    made = imported(tmp_path, swagger({"/x": get(parameters)}))
    assert [(p.name, p.style) for p in made.tools[0].parameters] == [("a", "repeated"), ("b", "")]
    assert made.notes == ["get_things: style of parameter c left out"]
    form = {"post": {"operationId": "add", "responses": {}, "parameters": [
        {"name": "title", "in": "formData", "type": "string", "required": True}]}}  # fmt: skip
    tool = only_tool(tmp_path, swagger({"/x": form}))
    assert (tool.endpoint.body, tool.read, tool.parameters[0].location) == ("form", False, "body")


def test_a_body_becomes_parameters_or_one(tmp_path: Path) -> None:
    def posting(schema: Any, kind: str = "application/json") -> Any:
        body = {"required": True, "content": {kind: {"schema": schema}}}
        return openapi({"/things/{id}": {"post": {"operationId": "add", "requestBody": body, "responses": {},
                        "parameters": [{"name": "id", "in": "path", "required": True, "schema": INT}]}}})  # fmt: skip

    members = {"type": "object", "required": ["name"], "properties": {
        "id": {**INT, "readOnly": True}, "name": STR, "tags": {"type": "array", "items": STR}}}  # fmt: skip
    tool = only_tool(tmp_path, posting(members))
    assert [(p.name, p.location, p.required) for p in tool.parameters] == [
        ("id", "path", True), ("name", "body", True), ("tags", "body", False),
    ]  # fmt: skip
    same = {"type": "object", "properties": {"id": STR}}
    assert [(p.name, p.sent_as) for p in only_tool(tmp_path, posting(same)).parameters] == [
        ("id", None),
        ("id_2", "id"),
    ]
    whole = only_tool(tmp_path, posting({"type": "array", "items": THING})).parameters[1]
    assert (whole.name, whole.style, whole.required) == ("body", "whole", True)
    made = imported(tmp_path, openapi({"/x": get(operationId="x"), **posting(STR, "image/png")["paths"]}))
    assert made.left_out == {"POST /things/{id}": "its body is image/png"}


@pytest.mark.parametrize(
    ("schema", "path", "plan"),
    [
        ({"type": "array", "items": THING}, "/things", ReadingPlan(rows="")),
        (THING, "/things/{id}", ReadingPlan(rows="", keyed=True)),
        ({"type": "object", "properties": {"things": {"type": "array", "items": THING}, "total_count": INT}}, "/things",
         ReadingPlan(rows="/things", total="/total_count", beside="total_count")),
        ({"type": "object", "properties": {"result": {"type": "object", "properties": {"data": {"type": "array", "items": THING}}},
          "metadata": {"type": "object", "properties": {"pagination": {"type": "object", "properties": {"totalCount": INT}}}}}},
         "/things", ReadingPlan(rows="/result/data", total="/metadata/pagination/totalCount", beside="metadata")),
        ({"type": "object", "properties": {"count": INT, "next": STR, "previous": STR, "results": {"type": "array", "items": THING}}},
         "/things", ReadingPlan(rows="/results", total="/count", beside="count,next,previous")),
        ({"type": "object", "properties": {"billId": INT, "publications": {"type": "array", "items": THING}}},
         "/bills/{billId}/publications", ReadingPlan(rows="/publications", keyed=True, beside="billId")),
        ({"type": "object", "properties": {"id": INT, "parts": {"type": "array", "items": THING}}}, "/things/{id}",
         ReadingPlan(rows="", keyed=True)),
        ({"type": "object", "additionalProperties": THING}, "/things", ReadingPlan(rows="/*")),
        ({"type": "object", "required": ["items"], "properties": {"kind": STR, "items": {"type": "array", "items": THING}}},
         "/things", ReadingPlan(rows="/items")),
        ({"type": "object", "properties": {"id": INT, "status": STR, "error": STR, "errors": STR}}, "/jobs/{id}",
         ReadingPlan(rows="", keyed=True, faults="status,error,errors")),
    ],
)  # fmt: skip
def test_where_rows_and_total_stand(tmp_path: Path, schema: Any, path: str, plan: ReadingPlan) -> None:
    responses = {"200": {"description": "ok", "content": {"application/json": {"schema": schema}}}}
    tool = only_tool(tmp_path, openapi({path: get(responses=responses)}))
    assert ReadingPlan.of(tool.endpoint.operation) == plan
    assert tool.endpoint.operation.startswith("getThings ")
    assert {"id", "name"} <= {f.name for f in tool.fields} or plan.rows == ""


def test_a_plan_survives_being_text() -> None:
    plan = ReadingPlan(rows="/a b/c%/ü", total="", cursor="/n", parameter="page[after]", keyed=True, writes=True,
                       faults="error", beside="a b,c=d")  # fmt: skip
    assert ReadingPlan.of(plan.named("an operation")) == plan
    assert ReadingPlan.of(None) == ReadingPlan.of("OPENSRVAPI") == ReadingPlan.of("x nonsense =y rows") == ReadingPlan()


@pytest.mark.parametrize("name", ["page", "size", "cursor", "offset"])
@pytest.mark.parametrize("kind", ["object", "array", "boolean"])
def test_what_holds_no_number_is_no_page(tmp_path: Path, name: str, kind: str) -> None:
    place: dict[str, Any] = (
        {"type": kind, "properties": {"after": STR, "size": INT}} if kind == "object" else {"type": kind}
    )
    body = {"type": "object", "required": ["q"], "properties": {"q": STR, name: place, "limit": INT}}
    request = {"content": {"application/json": {"schema": body}}}
    paths = {"/search": {"post": {"operationId": "search", "requestBody": request, "responses": listing(THING)}}}
    tool = only_tool(tmp_path, openapi(paths), "tools: {search: {read: true}}")
    assert tool.paging is None
    assert [parameter.role for parameter in tool.parameters] == ["input"] * 3
    sent = write_request(tool, bind_arguments(tool, {"q": "가"}).values, None)
    assert json.loads(sent.content) == {"q": "가"}


@pytest.mark.parametrize(
    ("names", "extra", "paging"),
    [
        (("page", "per_page"), {}, Paging("page", "per_page", default_size=20, max_size=100)),
        (("page", "pageSize"), {"page": {"default": 0}, "pageSize": {"default": 1000}},
         Paging("page", "pageSize", default_size=1000, max_size=1000, first=0)),
        (("Skip", "Take"), {"Take": {"maximum": 50}}, Paging("Skip", "Take", style="offset", default_size=20, max_size=50)),
        (("cursor", "limit"), {}, Paging("cursor", "limit", style="cursor", default_size=20, max_size=100)),
        (("page[number]", "page[size]"), {}, Paging("page_number", "page_size", default_size=20, max_size=100)),
        (("offset",), {}, None),
        (("q",), {}, None),
    ],
)  # fmt: skip
def test_paging_is_recognised(tmp_path: Path, names: tuple[str, ...], extra: Any, paging: Paging | None) -> None:
    kinds = {
        name: {"type": "string" if name in ("cursor", "q") else "integer", **extra.get(name, {})} for name in names
    }
    tool = only_tool(
        tmp_path, openapi({"/x": get([query(n, k, required=True) for n, k in kinds.items()], listing(THING))})
    )
    assert tool.paging == paging
    if paging is not None:
        assert not [p for p in tool.parameters if p.required]


@pytest.mark.parametrize(
    ("schemes", "security", "key"),
    [
        ({"k": {"type": "apiKey", "in": "query", "name": "key"}}, [{"k": []}], ("key", "query", "")),
        ({"k": {"type": "apiKey", "in": "header", "name": "X-Key"}}, [{"k": []}], ("X-Key", "header", "")),
        ({"k": {"type": "apiKey", "in": "cookie", "name": "sid"}}, [{"k": []}], ("sid", "cookie", "")),
        ({"k": {"type": "http", "scheme": "Bearer"}}, [{"k": []}], ("Authorization", "header", "bearer")),
        ({"k": {"type": "http", "scheme": "basic"}}, [{"k": []}], ("Authorization", "header", "basic")),
        ({"k": {"type": "oauth2", "flows": {}}}, [{"k": ["read"]}], ("Authorization", "header", "bearer")),
        ({"k": {"type": "http", "scheme": "digest"}}, [{"k": []}, {}], (None, "query", "")),
        ({}, [], (None, "query", "")),
    ],
)
def test_keys_are_declared(tmp_path: Path, schemes: Any, security: Any, key: tuple[str | None, str, str]) -> None:
    document = openapi({"/x": get()}, components={"securitySchemes": schemes}, security=security)
    endpoint = only_tool(tmp_path, document).endpoint
    assert (endpoint.auth, endpoint.auth_in, endpoint.auth_scheme) == key


def test_keys_that_cannot_be_sent_leave_an_operation_out(tmp_path: Path) -> None:
    schemes = {"d": {"type": "http", "scheme": "digest"}, "k": {"type": "apiKey", "in": "query", "name": "key"}}
    paths = {
        "/digest": get(security=[{"d": []}]),
        "/both": get(security=[{"d": [], "k": []}]),
        "/free": get(security=[], operationId="free"),
        "/either": get(security=[{"d": []}, {"k": []}], operationId="either"),
    }
    made = imported(tmp_path, openapi(paths, components={"securitySchemes": schemes}))
    assert [(tool.name, tool.endpoint.auth) for tool in made.tools] == [("free", None), ("either", "key")]
    assert made.left_out == {
        "GET /digest": "its key is of a kind that cannot be sent (http digest)",
        "GET /both": "it takes several keys at once",
    }


def test_names_that_no_header_may_have_are_left_out(tmp_path: Path) -> None:
    def header(name: str, place: str = "header", **more: Any) -> Any:
        return {"name": name, "in": place, "schema": STR, **more}

    named = [header("X-Shop"), header("가게"), header("a b"), header("", "cookie"), header("crumb;x", "cookie")]
    paths = {
        "/x": get(named),
        "/needed": get([header("가게", required=True)], operationId="needed"),
        "/keyed": get(security=[{"k": []}], operationId="keyed"),
    }
    schemes = {"securitySchemes": {"k": {"type": "apiKey", "in": "header", "name": "열쇠"}}}
    made = imported(tmp_path, openapi(paths, components=schemes))
    assert [(tool.name, [p.name for p in tool.parameters]) for tool in made.tools] == [("get_things", ["X_Shop"])]
    assert made.notes == [
        f"get_things: {what} left out" for what in
        ("header parameter 가게", "header parameter a b", "cookie parameter ", "cookie parameter crumb;x")
    ]  # fmt: skip
    assert made.left_out == {
        "GET /needed": "header parameter 가게 cannot be sent",
        "GET /keyed": "its key has a name that no header may have ('열쇠')",
    }


def test_a_deep_object_without_a_type_is_an_object(tmp_path: Path) -> None:
    deep = {"in": "query", "style": "deepObject"}
    schemas = {"a": {"properties": {"x": INT}}, "b": {}, "c": {"additionalProperties": STR}, "d": INT,
               "e": {"type": "array", "items": INT}}  # fmt: skip
    made = imported(tmp_path, openapi({"/x": get([{"name": n, "schema": s, **deep} for n, s in schemas.items()])}))
    assert [(p.name, p.type, p.style) for p in made.tools[0].parameters] == [
        (name, "object", "brackets") for name in "abc"
    ]
    assert made.notes == [f"get_things: style of parameter {name} left out" for name in "de"]
    request = write_request(made.tools[0], bind_arguments(made.tools[0], {"b": {"k": 1}}).values, None)
    assert str(request.url) == "https://shop.example/v2/x?b[k]=1"


def test_an_input_that_is_a_key_is_no_input(tmp_path: Path) -> None:
    tool = only_tool(tmp_path, openapi({"/x": get([query("api_key", STR, required=True), query("key", STR)])}))
    assert (tool.endpoint.auth, [p.name for p in tool.parameters]) == ("api_key", ["key"])


OVERRIDES = """
name: my_shop
auth: {in: header, name: X-Token, scheme: bearer}
words: {thing: 물건}
labels: {name: 물건 이름}
units: {weight: kg}
limits: {per_day: 5}
skip: [GET /hidden]
allow_write: [add_thing]
tools:
  getThings: {name: list_things, title: 물건 목록, description: 물건을 모두 알려 준다., records: /payload/rows, total: /payload/n,
              paging: {page: p, size: s, style: page, first: 0, max_size: 7, default_size: 5}}
  POST /search: {read: true}
"""


def test_overrides_go_before_the_description(tmp_path: Path) -> None:
    item = {"type": "object", "properties": {"id": INT, "name": STR, "weight": {"type": "number"}}}
    payload = {"type": "object", "properties": {"rows": {"type": "array", "items": item}, "n": INT}}
    answer = {"type": "object", "properties": {"payload": payload, "other": STR}}
    paths = {
        "/things": get(
            [query("p", INT), query("s", INT)], {"200": {"content": {"application/json": {"schema": answer}}}}
        )
        | {"post": {"operationId": "addThing", "responses": {}}},
        "/search": {"post": {"operationId": "search", "responses": {}}},
        "/hidden": get(operationId="hidden"),
    }
    made = imported(tmp_path, openapi(paths), OVERRIDES)
    tools = {tool.name: tool for tool in made.tools}
    assert (made.name, list(tools), made.allowed) == ("my_shop", ["list_things", "add_thing", "search"], ("add_thing",))
    things = tools["list_things"]
    assert (things.title, things.description) == ("물건 목록", "물건을 모두 알려 준다.")
    assert things.paging == Paging("p", "s", default_size=5, max_size=7, first=0)
    assert ReadingPlan.of(things.endpoint.operation) == ReadingPlan(
        rows="/payload/rows", total="/payload/n", beside="other,n"
    )
    assert [(f.name, f.label, f.unit) for f in things.fields] == [
        ("id", "물건 ID", None), ("name", "물건 이름", None), ("weight", "무게", "kg"),
    ]  # fmt: skip
    assert (things.endpoint.auth, things.endpoint.auth_scheme) == ("X-Token", "bearer")
    assert tools["search"].read
    assert made.service["limits"] == {"per_day": 5}


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ("nmae: x", "unknown nmae"),
        ("- a", "must be a mapping"),
        ("name: dart", "its key is for nobody else"),
        ("name: My Shop", "no name of a service"),
        ("tools: {nothing: {title: x}}", "lacks: nothing"),
        ("tools: {getThings: {titel: x}}", "unknown titel"),
        ("auth: oauth", "no security scheme 'oauth'"),
        ("server: ''", "server is empty"),
        ("name: ' '", "name is empty"),
        ("tools: {getThings: {name: ''}}", "tools.getThings: name is empty"),
        ("auth: {in: body}", "auth takes in"),
        ("auth: {name: 열쇠}", "is no name of a header"),
        ("paging: {page: p, sze: s}", "unknown sze"),
        ("tools: {getThings: {paging: {page: nowhere}}}", "there is no input 'nowhere'"),
        ("tools: {getThings: {records: data}}", "no JSON pointer"),
        ("tools: {getThings: {paging: {page: p, first: one}}}", "number of the first page"),
        ("only: getThings", "a list of names"),
        ("allow_write: [getThings]", "No writing tool is called getThings"),
    ],
)
def test_overrides_that_cannot_be_meant_are_refused(tmp_path: Path, overrides: str, words: str) -> None:
    with pytest.raises((DataError, CatalogError), match=words):
        imported(tmp_path, openapi({"/x": get([query("p", INT)], listing(THING))}), overrides)


def test_a_tool_line_is_read_back_as_it_was(tmp_path: Path) -> None:
    paths = {"/x/{id}": get([query("a", {"type": "array", "items": INT}), query("page", INT)], listing(THING))}
    schemes = {"securitySchemes": {"k": {"type": "http", "scheme": "basic"}}}
    tool = only_tool(tmp_path, openapi(paths, components=schemes, security=[{"k": []}]))
    assert tool_from_dict(json.loads(tool_line(tool))) == tool


@pytest.mark.parametrize(
    ("name", "thing", "label"),
    [
        ("id", "dagRuns", "dag 실행 ID"), ("startDate", "", "시작 날짜"), ("is_paused", "", "중지 여부"),
        ("number_of_items", "", "항목 수"), ("created_at", "", "생성 일시"), ("owner.name", "x", "담당자 이름"),
        ("의안_번호", "x", "의안 번호"), ("HTTPStatusCode", "", "http 상태 코드"),
    ],
)  # fmt: skip
def test_labels_are_korean_as_far_as_words_are_known(name: str, thing: str, label: str) -> None:
    labels = Labels()
    assert labels.label(name, labels.noun(thing) if thing else "") == label


@pytest.mark.parametrize(
    ("plural", "one"),
    [
        ("companies", "company"),
        ("boxes", "box"),
        ("runs", "run"),
        ("news", "news"),
        ("status", "status"),
        ("class", "class"),
    ],
)
def test_plurals_become_singular(plural: str, one: str) -> None:
    assert singular(plural) == one
