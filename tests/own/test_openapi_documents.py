"""Descriptions come from strangers: what is read, what is refused, and how that is said."""

from __future__ import annotations

import contextlib
import json
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kopa_hf.catalog.openapi import import_openapi
from kopa_hf.catalog.openapi_document import Document, parse_document, read_document
from kopa_hf.errors import DataError, KopaError
from tests.own.descriptions import get, imported, listing, only_tool, openapi, query, swagger


def test_yaml_is_read_by_the_core_schema() -> None:
    text = b"openapi: 3.0.3\nday: 2024-01-31\nanswer: no\nswitch: on\ncode: 012\ntrue_one: true\nhalf: .5\nport: 80\n"
    assert parse_document(text, "f") == {
        "openapi": "3.0.3", "day": "2024-01-31", "answer": "no", "switch": "on", "code": "012",
        "true_one": True, "half": 0.5, "port": 80,
    }  # fmt: skip


def test_a_yaml_bomb_is_refused_without_being_unfolded() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [" + ", ".join([f"*a{n - 1}"] * 10) + "]" for n in range(1, 12)]
    with pytest.raises(DataError, match="unfold into more than"):
        parse_document("\n".join(lines).encode(), "bomb.yaml")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"a: &a [*a]\n", "holds itself"),
        (b"[" * 100_000, "nested too deep|neither JSON nor YAML"),
        (b'{"a":' * 100_000, "nested too deep|neither JSON nor YAML"),
        (b"a: b: c\n", "line 1"),
        (b"!!python/object/apply:os.system ['true']\n", "neither JSON nor YAML"),
        (b"\xff\xfe\x00", "no UTF-8"),
    ],
)
def test_documents_that_cannot_be_read_say_why(text: bytes, words: str) -> None:
    with pytest.raises(DataError, match=words):
        parse_document(text, "f.yaml")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ([], "no OpenAPI document but a list"),
        ({}, "neither `openapi` nor `swagger`"),
        ({"openapi": "4.0.0"}, "version '4.0.0'"),
        ({"swagger": 1.2}, "version '1.2'"),
        ({"openapi": "3.0.0", "paths": []}, "`paths` is a list"),
    ],
)
def test_what_is_no_description_is_told(content: object, words: str) -> None:
    with pytest.raises(DataError, match=words):
        Document(content, "f")


def test_references_stay_within_the_document() -> None:
    document = Document(
        {
            "openapi": "3.1.0",
            "components": {"schemas": {"a/b~c": {"type": "integer"}, "loop": {"$ref": "#/components/schemas/loop"}}},
            "list": [{"x": 1}],
        },
        "f",
    )
    assert document.follow({"$ref": "#/components/schemas/a~1b~0c"}) == {"type": "integer"}
    assert document.follow({"$ref": "#/list/0", "description": "d"}) == {"x": 1, "description": "d"}
    with pytest.raises(DataError, match="leads to itself"):
        document.follow({"$ref": "#/components/schemas/loop"})
    with pytest.raises(DataError, match="leads nowhere"):
        document.follow({"$ref": "#/components/missing"})
    for outside in ("other.yaml#/X", "/etc/passwd", "http://evil.example/x.json", "file:///etc/passwd"):
        with pytest.raises(DataError, match="lies outside of it"):
            document.follow({"$ref": outside})


def test_a_schema_that_holds_itself_ends(tmp_path: Path) -> None:
    node = {
        "type": "object",
        "properties": {"id": {"type": "integer"}, "parent": {"$ref": "#/components/schemas/Node"},
                       "children": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}}},
    }  # fmt: skip
    document = openapi(
        {"/nodes": get(responses=listing({"$ref": "#/components/schemas/Node"}))},
        components={"schemas": {"Node": node}},
    )
    tool = only_tool(tmp_path, document)
    assert [field.name for field in tool.fields][:3] == ["id", "parent.id", "parent.parent.id"]
    assert all(field.name.count(".") <= 3 for field in tool.fields)


def test_choices_that_multiply_are_cut_off(tmp_path: Path) -> None:
    wide = {"allOf": [{"$ref": "#/components/schemas/Wide"}] * 40}
    document = openapi(
        {"/x": get(responses=listing({"$ref": "#/components/schemas/Wide"}))}, components={"schemas": {"Wide": wide}}
    )
    with pytest.raises(KopaError, match=r"no operation that can be called\.\s+GET /x: a schema unfolds into more than"):
        imported(tmp_path, document)


def test_one_odd_operation_or_path_is_left_out_and_the_others_come(tmp_path: Path) -> None:
    def posting(schema: object) -> dict[str, object]:
        return {"post": {"requestBody": {"content": {"application/json": {"schema": schema}}}, "responses": {}}}

    deep: dict[str, object] = {"type": "string"}
    for _ in range(5):  # 12^5 members
        deep = {"type": "object", "properties": {f"m{n}": deep for n in range(12)}}
    paths = {
        "/good": get(),
        "/dangling": get(responses=listing({"$ref": "#/components/schemas/None"})),
        "/deep": posting(deep),
        "/selves": get(responses=listing({"$ref": "#/components/schemas/Self"})),
        "/server": get(servers=[{"url": "https://{region}.shop.example"}]),
        "/itself": {"$ref": "#/paths/~1itself"},
        "/parameters": get() | {"parameters": 5},
        "/required": posting({"type": "object", "properties": {"a": {
            "type": "object", "properties": {"b": {"type": "string"}}, "required": [{}]}}}),
    }  # fmt: skip
    selves = {"allOf": [{"$ref": "#/components/schemas/Self"}] * 10}
    made = imported(tmp_path, openapi(paths, components={"schemas": {"Self": selves}}))
    assert [tool.name for tool in made.tools] == ["get_things"]
    assert {where: why.partition(" (")[0] for where, why in made.left_out.items()} == {
        "GET /dangling": "the reference '#/components/schemas/None' leads nowhere",
        "POST /deep": "a schema unfolds into more than 20,000 parts",
        "GET /selves": "a schema unfolds into more than 20,000 parts",
        "GET /server": "the service's address 'https://{region}.shop.example' cannot be used. Name it with --server "
        "https://HOST/PATH",
        "/itself": "the reference '#/paths/~1itself' leads to itself",
        "GET /parameters": "its description is damaged",
        "POST /required": "its description is damaged",
    }


def test_allof_and_oneof_become_one_record(tmp_path: Path) -> None:
    item = {
        "allOf": [
            {"type": "object", "properties": {"id": {"type": "integer"}}},
            {"oneOf": [
                {"type": "object", "properties": {"wheels": {"type": "integer"}}},
                {"type": "object", "properties": {"sails": {"type": "integer"}}},
            ]},
        ],
        "properties": {"name": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
    }  # fmt: skip
    tool = only_tool(tmp_path, openapi({"/x": get(responses=listing(item))}))
    assert [(field.name, field.type) for field in tool.fields] == [
        ("id", "integer"), ("wheels", "integer"), ("sails", "integer"), ("name", "string"),
    ]  # fmt: skip


def test_an_address_is_fetched_and_completes_a_relative_server(tmp_path: Path) -> None:
    document = openapi({"/x": get()}) | {"servers": [{"url": "../api"}]}
    body = json.dumps(document).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/docs/api.json" else 404)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        base = f"http://127.0.0.1:{server.server_port}"
        (tool,) = import_openapi(f"{base}/docs/api.json").tools
        assert tool.endpoint.url == f"{base}/api/x"
        with pytest.raises(DataError, match="HTTP 404"):
            read_document(f"{base}/nothing")
    finally:
        server.shutdown()
        server.server_close()
    with pytest.raises(DataError, match="cannot be had"):
        read_document(f"{base}/docs/api.json")
    with pytest.raises(DataError, match="user's name or password"):
        read_document("http://user:secret@127.0.0.1/api.json")


@pytest.mark.parametrize(
    ("servers", "url"),
    [
        ([{"url": "https://{region}.shop.example/{v}/", "variables": {"region": {"default": "eu"}, "v": {"default": "v3"}}}],
         "https://eu.shop.example/v3/x"),
        ([{"url": "http://shop.example:8080"}], "http://shop.example:8080/x"),
    ],
)  # fmt: skip
def test_servers_with_variables(tmp_path: Path, servers: list[object], url: str) -> None:
    assert only_tool(tmp_path, openapi({"/x": get()}) | {"servers": servers}).endpoint.url == url


@pytest.mark.parametrize(
    "server",
    ["ftp://shop.example", "https://user:pw@shop.example", "https://", "https://shop.example/{open}", "javascript:x",
     "https://good.example\\@evil.example", "https://a b.example", "https://shop.example:99999"],
)  # fmt: skip
def test_servers_that_cannot_be_asked_are_refused(tmp_path: Path, server: str) -> None:
    with pytest.raises(DataError, match=r"cannot be used|is no address|does not say where"):
        imported(tmp_path, openapi({"/x": get()}) | {"servers": [{"url": server}]})


def test_a_relative_server_of_a_file_must_be_named(tmp_path: Path) -> None:
    document = openapi({"/x": get()}) | {"servers": [{"url": "/v1"}]}
    with pytest.raises(DataError, match="--server"):
        imported(tmp_path, document)
    assert only_tool(tmp_path, document, server="https://here.example/v1/").endpoint.url == "https://here.example/v1/x"


def test_an_import_without_any_operation_says_why_of_each(tmp_path: Path) -> None:
    paths = {f"/f{n}": get() | {"servers": [{"url": f"https://other{n}.example"}]} for n in range(12)}
    with pytest.raises(KopaError, match="no operation that can be called") as caught:
        imported(tmp_path, openapi(paths))
    lines = str(caught.value).splitlines()[1:]
    assert lines == [f"  GET /f{n}: it stands on another server (other{n}.example)" for n in range(12)]


@pytest.mark.parametrize(
    "address",
    ["https://me:hunter2@shop.example/v2", "https://me:hun@ter2@shop.example", "https://shop.example:x/?key=hunter2",
     "https://shop.example/v2?key=hunter2", "ftp://me:hunter2@shop.example"],
)  # fmt: skip
def test_an_address_that_cannot_be_used_is_told_without_its_password(tmp_path: Path, address: str) -> None:
    with pytest.raises(DataError, match="address") as caught:
        imported(tmp_path, openapi({"/x": get()}), server=address)
    assert "ter2" not in str(caught.value)
    assert "shop.example" in str(caught.value)


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ({"summary": "대여소 목록 조회"}, "대여소 목록 조회"),
        ({"summary": "대여소별 남은 자전거.", "description": "자세한 말"}, "대여소별 남은 자전거"),
        ({"summary": "List docks", "description": "대여소를 모두 준다. 두 번째 문장."}, "대여소를 모두 준다"),
        ({"summary": "List docks"}, "dock 목록"),
        ({}, "dock 목록"),
    ],
)
def test_korean_words_of_a_description_are_the_title(tmp_path: Path, said: dict[str, str], title: str) -> None:
    answer = listing({"type": "object", "properties": {"id": {"type": "integer"}}})
    tool = only_tool(tmp_path, openapi({"/docks": get(responses=answer, **said)}))
    assert tool.title == title


def test_a_korean_operation_is_named_by_method_and_path_and_overridden_by_its_own_name(tmp_path: Path) -> None:
    paths = {"/docks/{id}": get(operationId="대여소조회"), "/bikes": get(operationId="listBikesNow")}
    made = imported(tmp_path, openapi(paths), "tools: {대여소조회: {title: 대여소}, listBikesNow: {title: 자전거}}")
    assert {tool.name: tool.title for tool in made.tools} == {"get_docks_id": "대여소", "list_bikes_now": "자전거"}


def test_an_operation_on_another_host_is_left_out(tmp_path: Path) -> None:
    elsewhere = get() | {"servers": [{"url": "https://evil.example"}]}
    made = imported(tmp_path, openapi({"/x": elsewhere, "/y": get(operationId="y")}))
    assert [tool.name for tool in made.tools] == ["y"]
    assert made.left_out == {"GET /x": "it stands on another server (evil.example)"}


def test_swagger_has_host_base_path_and_the_safer_scheme(tmp_path: Path) -> None:
    assert only_tool(tmp_path, swagger({"/x": get()})).endpoint.url == "https://shop.example/v2/x"


def test_names_missing_doubled_and_in_other_scripts_are_made_unique(tmp_path: Path) -> None:
    paths = {
        "/a/{id}": {"get": {"responses": {}}, "delete": {"responses": {}}},
        "/b": {
            "get": {"operationId": "목록", "responses": {}},
            "post": {"operationId": "List-Things!", "responses": {}},
        },
        "/c": {"get": {"operationId": "listThings", "responses": {}}},
        "/d": {"get": {"operationId": "get_current_date", "responses": {}}},
        "/" + "long/" * 40: {"get": {"responses": {}}},
    }
    names = [tool.name for tool in imported(tmp_path, openapi(paths)).tools]
    assert names[:6] == ["get_a_id", "delete_a_id", "get_b", "list_things", "shop_list_things", "shop_get_current_date"]
    assert all(name.isidentifier() and name.isascii() and len(name) <= 64 for name in names)
    assert len(set(names)) == len(names)


def test_extensions_among_paths_and_other_methods_are_passed_over(tmp_path: Path) -> None:
    paths = {
        "x-note": "hello",
        "/x": get() | {"options": {"responses": {}}, "summary": "s", "trace": {"responses": {}}},
    }
    assert len(imported(tmp_path, openapi(paths)).tools) == 1


def test_a_description_without_operations_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KopaError, match="no operation that can be called"):
        imported(tmp_path, openapi({}))


def test_words_of_a_description_come_on_one_clean_line(tmp_path: Path) -> None:
    document = openapi({"/x": get([query("q", {"type": "string"}, description="a\u0000\u202e\n\nb" + "c" * 900)],
                                  summary="S", description="line\nline\x07")})  # fmt: skip
    tool = only_tool(tmp_path, document)
    assert tool.description == "S. line line"
    text = tool.parameters[0].description
    assert len(text) == 300
    assert text.startswith("a bccc")
    assert text.isprintable()


def test_a_huge_description_is_read_in_seconds(tmp_path: Path) -> None:
    item = {"type": "object", "properties": {f"c{n}": {"type": "string"} for n in range(30)}}
    paths = {f"/t{n}": get(responses=listing(item), operationId=f"list_t{n}") for n in range(2000)}
    made = imported(tmp_path, openapi(paths))
    assert len(made.tools) == 2000
    assert len(made.tools[-1].fields) == 30


_NAMES = (
    "get parameters schema type $ref name in allOf items properties responses 200 content application/json enum required"
    " security const default format style additionalProperties requestBody servers url post summary nullable minimum"
)
_WORDS = "array object string integer boolean path query body form deepObject json apiKey http oauth2 basic #/components/schemas"
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4) | st.sampled_from(_WORDS.split()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_NAMES.split()), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(_JSON, _JSON, _JSON)
def test_whatever_stands_in_a_description_only_our_errors_come(item: object, schema: object, security: object) -> None:
    answer = {"200": {"content": {"application/json": {"schema": item}}}}
    posting = {
        "requestBody": {"content": {"application/json": {"schema": schema}}},
        "responses": answer,
        "security": item,
    }
    document = openapi(
        {
            "/x/{id}": item if isinstance(item, dict) else {},
            "/y": get([query("q", schema), query("limit", item)]),  # type: ignore[arg-type]  # what they should be
            "/z": {"post": posting},
        },
        components={"schemas": schema, "securitySchemes": security},
        security=security,
    )
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(KopaError):
        imported(Path(folder), document)
