"""Bodies that are forms: what is sent of each field, and which operations are left out with which reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kopa_hf.catalog.arguments import bind_arguments
from kopa_hf.catalog.tool import Tool
from kopa_hf.platforms.rest_requests import write_request
from tests.own.descriptions import get, imported, only_tool, openapi, swagger

FORM = "application/x-www-form-urlencoded"
INT, STR = {"type": "integer"}, {"type": "string"}
LIST, OBJECT = {"type": "array", "items": STR}, {"type": "object", "properties": {"k": STR, "n": INT}}
DEEP = {"type": "array", "items": OBJECT}


def posting(schema: Any, kind: str = FORM, *, required: bool = True, **media: Any) -> dict[str, Any]:
    body = {"required": required, "content": {kind: {"schema": schema, **media}}}
    return {"post": {"operationId": "add", "requestBody": body, "responses": {}}}


def asking(parameters: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {"post": {"operationId": "add", "parameters": parameters, "responses": {}, **more}}


def field(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "in": "formData", "type": "string", **more}


def content(tool: Tool, **arguments: Any) -> bytes:
    request = write_request(tool, bind_arguments(tool, arguments).values, None)
    assert request.headers["content-type"] == FORM
    return request.content


@pytest.mark.parametrize(
    ("schema", "encoding", "given", "sent"),
    [
        (LIST, None, ["x", "y z"], b"a=1&b=x&b=y%20z"),
        (LIST, {"style": "form"}, ["x", "y"], b"a=1&b=x&b=y"),
        (LIST, {"explode": True}, ["x", "y"], b"a=1&b=x&b=y"),
        (LIST, {"explode": False}, ["x", "y"], b"a=1&b=x,y"),
        (LIST, {"style": "form", "explode": False}, ["x", "y"], b"a=1&b=x,y"),
        (LIST, {"style": "spaceDelimited", "explode": False}, ["x", "y"], b"a=1&b=x%20y"),
        (LIST, {"style": "pipeDelimited", "explode": False}, ["x", "y"], b"a=1&b=x%7Cy"),
        (LIST, {"contentType": "text/plain"}, ["x", "y"], b"a=1&b=x&b=y"),
        (LIST, {"contentType": "application/json"}, ["x", "y"], b"a=1&b=%5B%22x%22%2C%22y%22%5D"),
        # a style goes before a content type
        (LIST, {"contentType": "application/json", "explode": False}, ["x", "y"], b"a=1&b=x,y"),
        (OBJECT, None, {"k": "v", "n": 2}, b"a=1&b=%7B%22k%22%3A%22v%22%2C%22n%22%3A2%7D"),
        (OBJECT, {"style": "form"}, {"k": "v", "n": 2}, b"a=1&k=v&n=2"),
        (OBJECT, {"style": "deepObject", "explode": True}, {"k": "v", "n": 2}, b"a=1&b[k]=v&b[n]=2"),
        (DEEP, {"contentType": "application/json"}, [{"k": "v"}], b"a=1&b=%5B%7B%22k%22%3A%22v%22%7D%5D"),
        (STR, {"contentType": "text/plain; charset=utf-8"}, "가", b"a=1&b=%EA%B0%80"),
        (INT, {"contentType": "application/json"}, 7, b"a=1&b=7"),
    ],
)
def test_a_field_is_written_as_its_encoding_says(
    tmp_path: Path, schema: Any, encoding: Any, given: Any, sent: bytes
) -> None:
    form = {"type": "object", "required": ["a", "b"], "properties": {"a": INT, "b": schema}}
    media = {} if encoding is None else {"encoding": {"b": encoding}}
    tool = only_tool(tmp_path, openapi({"/x": posting(form, **media)}))
    sets = content(tool, a=1, b=given).replace(b"%20%22", b"%22").replace(b"%3A%20", b"%3A")  # spaces in JSON are free
    assert sets == sent


@pytest.mark.parametrize(
    ("schema", "encoding"),
    [
        (DEEP, None),
        (DEEP, {"style": "form"}),
        (OBJECT, {"explode": False}),
        (OBJECT, {"contentType": "application/xml"}),
        (LIST, {"style": "deepObject"}),
        (LIST, {"contentType": "text/csv"}),
        (STR, {"contentType": "application/json"}),
        (STR, {"contentType": "image/png"}),
    ],
)
def test_a_field_that_cannot_be_written_takes_its_operation_with_it_where_it_is_required(
    tmp_path: Path, schema: Any, encoding: Any
) -> None:
    form = {"type": "object", "required": ["b"], "properties": {"a": INT, "b": schema}}
    media = {} if encoding is None else {"encoding": {"b": encoding}}
    made = imported(tmp_path, openapi({"/x": posting(form, **media), "/y": get()}))
    assert made.left_out == {"POST /x": "style of form field b cannot be sent"}
    made = imported(tmp_path, openapi({"/x": posting({**form, "required": ["a"]}, **media)}))
    assert [parameter.name for parameter in made.tools[0].parameters] == ["a"]
    assert made.notes == ["add: style of form field b left out"]


def test_a_form_has_fields_and_is_never_one_of_json(tmp_path: Path) -> None:
    free = imported(tmp_path, openapi({"/x": posting({"type": "object"}), "/y": get()}))
    assert free.left_out == {"POST /x": "its body is a form of no field that can be sent"}
    optional = imported(tmp_path, openapi({"/x": posting({"type": "object"}, required=False)}))
    assert (optional.tools[0].parameters, optional.notes) == (
        (),
        ["add: body left out (a form of no field that can be sent)"],
    )
    large = {"type": "object", "properties": {f"f{number}": STR for number in range(60)}}
    tool = only_tool(tmp_path, openapi({"/x": posting(large)}))
    assert len(tool.parameters) == 60
    assert content(tool, f0="a", f59="b") == b"f0=a&f59=b"


def test_a_body_of_another_kind_is_said_to_be_left_out(tmp_path: Path) -> None:
    upload = posting({"type": "object", "properties": {"a": STR}}, "multipart/form-data", required=False)
    made = imported(tmp_path, openapi({"/x": upload}))
    assert (made.tools[0].parameters, made.notes) == ((), ["add: body left out (multipart/form-data)"])


@pytest.mark.parametrize(
    ("kind", "schema"),
    [
        ("multipart/form-data", {"type": "object"}),
        ("multipart/form-data", {"type": "object", "properties": {"a": STR}}),
        ("application/octet-stream", {"type": "string", "format": "binary"}),
        ("image/*", {"type": "string", "format": "binary"}),
        ("application/xml", OBJECT),
        ("text/plain", STR),
    ],
)
def test_an_operation_that_does_not_say_whether_its_body_may_be_missing_is_none_without_it(
    tmp_path: Path, kind: str, schema: Any
) -> None:
    silent = posting(schema, kind)
    del silent["post"]["requestBody"]["required"]
    deleted = {"delete": {**silent["post"], "operationId": "remove"}}  # takes no body as a rule
    made = imported(tmp_path, openapi({"/x": {**silent, **deleted}}))
    assert made.left_out == {"POST /x": f"its body is {kind}"}
    assert ([tool.name for tool in made.tools], made.notes) == (["remove"], [f"remove: body left out ({kind})"])
    body = [{"name": "b", "in": "body", "schema": OBJECT}]
    if kind.startswith(("application", "image", "text")):
        older = imported(tmp_path, swagger({"/x": asking(body, consumes=[kind]), "/y": get()}))
        assert older.left_out == made.left_out


@pytest.mark.parametrize("method", ["post", "put", "patch"])
def test_a_form_of_no_fields_leaves_out_its_operation_unless_it_may_be_missing(tmp_path: Path, method: str) -> None:
    silent = posting({"type": "object"})["post"]
    del silent["requestBody"]["required"]
    made = imported(tmp_path, openapi({"/x": {method: silent}, "/y": get()}))
    assert made.left_out == {f"{method.upper()} /x": "its body is a form of no field that can be sent"}


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        (asking([field("a")], consumes=["multipart/form-data"]), "its body is multipart/form-data"),
        (asking([field("a", required=True)], consumes=["Multipart/Form-Data"]), "its body is Multipart/Form-Data"),
        (asking([field("a"), field("f", type="file")], consumes=["multipart/form-data", FORM]), "f is a file"),
        (asking([field("f", type="file")]), "f is a file"),
        (
            asking([field("a", type="array", items=STR, collectionFormat="tsv", required=True)]),
            "style of form field a cannot be sent",
        ),
        (
            asking([{"name": "b", "in": "body", "required": True, "schema": OBJECT}], consumes=["application/xml"]),
            "its body is application/xml",
        ),
    ],
)
def test_operations_of_version_2_that_cannot_be_sent_are_left_out(tmp_path: Path, operation: Any, reason: str) -> None:
    made = imported(tmp_path, swagger({"/x": operation, "/y": get()}))
    assert made.left_out == {"POST /x": reason}
    assert [tool.name for tool in made.tools] == ["get_things"]


def test_what_version_2_consumes_may_stand_for_the_whole_document(tmp_path: Path) -> None:
    paths = {
        "/x": asking([field("a")]),
        "/y": {"post": {**asking([field("b")])["post"], "operationId": "other", "consumes": [FORM]}},
        "/z": get(),
    }
    made = imported(tmp_path, swagger(paths, consumes=["multipart/form-data"]))
    assert made.left_out == {"POST /x": "its body is multipart/form-data"}
    assert content(made.tools[0], b="가") == b"b=%EA%B0%80"
    both = only_tool(tmp_path, swagger({"/x": asking([field("a")], consumes=["multipart/form-data", FORM])}))
    assert content(both, a="x y") == b"a=x%20y"


@pytest.mark.parametrize(
    ("told", "sent"),
    [({}, b"a=x,y"), ({"collectionFormat": "multi"}, b"a=x&a=y"), ({"collectionFormat": "pipes"}, b"a=x%7Cy")],
)
def test_lists_of_version_2_are_joined_as_their_collection_format_says(
    tmp_path: Path, told: dict[str, str], sent: bytes
) -> None:
    tool = only_tool(tmp_path, swagger({"/x": asking([field("a", type="array", items=STR, **told)])}))
    assert content(tool, a=["x", "y"]) == sent
