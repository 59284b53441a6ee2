"""Small descriptions of invented services, as tests need them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kopa_hf.catalog.openapi import Imported, import_openapi
from kopa_hf.catalog.tool import Tool

Json = dict[str, Any]


def listing(item: Json, **beside: Json) -> Json:
    """A 200 response: an object with `items` and what stands beside them."""
    schema = {"type": "object", "properties": {"items": {"type": "array", "items": item}, **beside}}
    return {"200": {"description": "ok", "content": {"application/json": {"schema": schema}}}}


def openapi(paths: Json, **more: Any) -> Json:
    """An OpenAPI 3 document of a shop at shop.example."""
    return {
        "openapi": "3.0.3",
        "info": {"title": "Shop API", "version": "1"},
        "servers": [{"url": "https://shop.example/v2"}],
        "paths": paths,
        **more,
    }


def swagger(paths: Json, **more: Any) -> Json:
    """A Swagger 2 document of the same shop."""
    return {
        "swagger": "2.0",
        "info": {"title": "Shop API", "version": "1"},
        "host": "shop.example",
        "basePath": "/v2",
        "schemes": ["http", "https"],
        "paths": paths,
        **more,
    }


def imported(tmp_path: Path, document: Json, overrides: str = "", **options: Any) -> Imported:
    """What comes of a document and an overrides file."""
    path = tmp_path / "api.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    said = None
    if overrides:
        said = tmp_path / "said.yaml"
        said.write_text(overrides, encoding="utf-8")
    return import_openapi(path, overrides=said, **options)


def only_tool(tmp_path: Path, document: Json, overrides: str = "", **options: Any) -> Tool:
    """The one tool of a document with one operation."""
    (tool,) = imported(tmp_path, document, overrides, **options).tools
    return tool


def get(parameters: list[Json] | None = None, responses: Json | None = None, **more: Any) -> Json:
    """A path item with a GET."""
    return {
        "get": {
            "operationId": "getThings",
            "parameters": parameters or [],
            "responses": responses or {"200": {"description": "ok"}},
            **more,
        }
    }


def query(name: str, schema: Json, **more: Any) -> Json:
    """A query parameter of OpenAPI 3."""
    return {"name": name, "in": "query", "schema": schema, **more}
