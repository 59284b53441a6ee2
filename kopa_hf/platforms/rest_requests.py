"""Requests to services that were imported from a description: where each parameter goes, and in which form."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import quote

import httpx

from kopa_hf._version import __version__
from kopa_hf.catalog.tool import Parameter, Tool
from kopa_hf.catalog.typed import listed_values, typed_value
from kopa_hf.platforms.keys import encoded_key, plain_key

AGENT: Final = f"kopa_hf/{__version__}"
_PLACEHOLDER: Final = re.compile(r"\{([^{}/]+)\}")
_JOINED: Final = {"spaces": "%20", "pipes": "%7C"}
Pair = tuple[str, str]


def write_request(tool: Tool, arguments: Mapping[str, str], key: str | None) -> httpx.Request:
    """The request of a bound call. Every value is percent-encoded, so none can lead to another address.

    Raises `ValueError` for what cannot be written, such as the name of a header that is none.
    """
    query: list[str] = []
    path: dict[str, str] = {}
    headers: list[Pair] = [("User-Agent", AGENT), ("Accept", _accepted(tool))]
    cookies: list[Pair] = []
    body: list[tuple[Parameter, str]] = []
    for parameter, value in _given(tool, arguments):
        name = parameter.sent_as or parameter.name
        if parameter.location == "path":
            path[name] = _segment(parameter, name, value)
        elif parameter.location == "header":
            headers.append((name, _header_text(value)))
        elif parameter.location == "cookie":
            cookies.append((name, quote(value, safe="")))
        elif parameter.location == "body":
            body.append((parameter, value))
        else:
            query += _query(parameter, name, value)
    _add_key(tool, key, query, headers, cookies)
    if cookies:
        headers.append(("Cookie", "; ".join(f"{name}={value}" for name, value in cookies)))
    address, _, fixed = tool.endpoint.url.partition("?")
    address = _PLACEHOLDER.sub(lambda match: path.get(match[1], "%20"), address)
    asked = "&".join([fixed, *query] if fixed else query)
    content, kind = _content(tool, body)
    if kind is not None:
        headers.append(("Content-Type", kind))
    return httpx.Request(
        tool.endpoint.method, f"{address}?{asked}" if asked else address, headers=headers, content=content
    )


def _accepted(tool: Tool) -> str:
    return "application/xml, */*;q=0.5" if tool.endpoint.response_format == "xml" else "application/json, */*;q=0.5"


def _given(tool: Tool, arguments: Mapping[str, str]) -> Iterable[tuple[Parameter, str]]:
    """Parameters with a value, in the order of the signature; a first page, and what never changes, is filled in."""
    first = {} if tool.paging is None else tool.paging.place(1, tool.paging.default_size)
    for parameter in tool.parameters:
        value = arguments.get(parameter.name)
        if value is None and parameter.role == "format":
            value = parameter.default or next(iter(parameter.enum), None)
        elif value is None and parameter.role in ("page", "size"):
            value = first.get(parameter.name)
        if value is not None and parameter.location != "client":
            yield parameter, value


def _query(parameter: Parameter, name: str, value: str) -> list[str]:
    """One value, or several pairs."""
    told = quote(name, safe="[]")
    if parameter.style == "brackets":
        return [f"{told}[{quote(part, safe='')}]={quote(text, safe='')}" for part, text in _members(parameter, value)]
    if parameter.separator is not None and parameter.style != "json":
        parts = [quote(part, safe="") for part in value.split(parameter.separator)]
        if parameter.style == "repeated":
            return [f"{told}={part}" for part in parts]
        return [f"{told}={_JOINED.get(parameter.style, ',').join(parts)}"]
    if parameter.type == "object" and parameter.style == "repeated":  # form style: each member is a pair of its own
        return [f"{quote(part, safe='')}={quote(text, safe='')}" for part, text in _members(parameter, value)]
    return [f"{told}={quote(value, safe='')}"]


def _members(parameter: Parameter, value: str) -> list[Pair]:
    """Names and values of an object as text; `ValueError` where there is none, since nothing would be sent."""
    content = typed_value(parameter, value)
    if not isinstance(content, dict):
        raise ValueError(f"{parameter.name} is no object")
    return [(str(name), item if isinstance(item, str) else json.dumps(item)) for name, item in content.items()]


def _segment(parameter: Parameter, name: str, value: str) -> str:
    """A path segment. Dots alone would be read as a way up the path."""
    separator = parameter.separator
    parts = [value] if separator is None else value.split(separator)
    text = ",".join(quote(part, safe="") for part in parts)
    if parameter.style == "label":
        return "." + text
    if parameter.style == "matrix":
        return f";{quote(name, safe='')}={text}"
    return text.replace(".", "%2E") if text in (".", "..") else text


def _header_text(value: str) -> str:
    """A header takes one line of printable ASCII; anything else is percent-encoded."""
    return value if value.isascii() and value.isprintable() else quote(value, safe="")


def _add_key(tool: Tool, key: str | None, query: list[str], headers: list[Pair], cookies: list[Pair]) -> None:
    endpoint = tool.endpoint
    if endpoint.auth is None or not key:
        return
    if endpoint.auth_in == "query":
        query.insert(0, f"{quote(endpoint.auth, safe='')}={encoded_key(key)}")
    elif endpoint.auth_in == "cookie":
        cookies.append((endpoint.auth, encoded_key(key)))
    elif endpoint.auth_scheme == "basic":
        headers.append((endpoint.auth, "Basic " + base64.b64encode(plain_key(key).encode("ascii")).decode("ascii")))
    elif endpoint.auth_scheme == "bearer":
        headers.append((endpoint.auth, f"Bearer {plain_key(key)}"))
    else:
        headers.append((endpoint.auth, plain_key(key)))


def _content(tool: Tool, body: list[tuple[Parameter, str]]) -> tuple[bytes | None, str | None]:
    """(body, its content type); nothing where the operation takes none."""
    if not body:
        return None, None
    if tool.endpoint.body == "form":
        pairs: list[str] = []
        for parameter, value in body:
            pairs += _query(parameter, parameter.sent_as or parameter.name, value)
        return "&".join(pairs).encode("ascii"), "application/x-www-form-urlencoded"
    whole = next(((parameter, value) for parameter, value in body if parameter.style == "whole"), None)
    content: Any = (
        _json_value(*whole)
        if whole is not None
        else {parameter.sent_as or parameter.name: _json_value(parameter, value) for parameter, value in body}
    )
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8"), "application/json"


def _json_value(parameter: Parameter, value: str) -> Any:
    """A bound text as the JSON value that the description asks for."""
    if parameter.separator is None or parameter.type != "array":
        return typed_value(parameter, value)
    return listed_values(parameter, value)
