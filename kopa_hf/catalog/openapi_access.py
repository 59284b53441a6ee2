"""Where an imported service stands, and with which key it is asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, cast
from urllib.parse import urljoin, urlsplit

from kopa_hf.catalog.openapi_document import Document, shown_address
from kopa_hf.catalog.openapi_overrides import OverridesError
from kopa_hf.catalog.openapi_parameters import UnsupportedError, sendable
from kopa_hf.catalog.origin import origin
from kopa_hf.errors import DataError

_VARIABLE: Final = re.compile(r"\{([^{}]+)\}")
_KEYLIKE: Final = re.compile(r"(?i)(x[-_])?(api[-_]?key|(access|auth|api)[-_]?token)|service_?key|app_?key")
"""Query parameters and headers that are keys although the description does not say so."""
_FORBIDDEN: Final = re.compile(r"[\s\\@#<>{}\"^`\x00-\x20\x7f]")
Place = Literal["query", "header", "cookie"]
Scheme = Literal["", "bearer", "basic"]


@dataclass(frozen=True, slots=True)
class Key:
    """How a key travels."""

    name: str
    """Name of the parameter, header or cookie."""
    place: Place
    scheme: Scheme = ""


def base_address(document: Document, server: str = "") -> str:
    """The address that paths are put after; `server` goes before what the description says."""
    told = server or _described(document)
    address = told if "://" in told else _completed(document, told)
    return checked_address(address, document.source)


def checked_address(address: str, source: str) -> str:
    """An http(s) address without user, query or strange characters; `DataError` for any other."""
    address = address.rstrip("/")
    shown = shown_address(address)[:100]
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:  # its words may quote a password
        raise DataError(f"{source}: {shown!r} is no address.") from None
    if parts.scheme not in ("http", "https") or not host or _FORBIDDEN.search(address) or parts.query or port == 0:
        raise DataError(
            f"{source}: the service's address {shown!r} cannot be used. Name it with --server https://HOST/PATH."
            + (" A user and password stand in the variable of its key." if "@" in shown else "")
        )
    return address


def own_server(document: Document, item: Mapping[str, Any], operation: Mapping[str, Any], base: str) -> str:
    """The address of one operation: its own server if it has one, at the same host; `UnsupportedError` elsewhere.

    A key belongs to the host that the description as a whole names; no single operation may send it to another.
    """
    for holder in (operation, item):
        servers = holder.get("servers")
        if isinstance(servers, list) and servers:
            told = _filled(document.follow(servers[0]))
            address = checked_address(told if "://" in told else urljoin(f"{base}/", told), document.source)
            if origin(address) != origin(base):
                raise UnsupportedError(f"it stands on another server ({urlsplit(address).netloc[:60]})")
            return address
    return base


def key_of(document: Document, operation: Mapping[str, Any], said: Mapping[str, str] | str | bool | None) -> Key | None:
    """The key that an operation takes; None where it takes none. `said`: the overrides' word."""
    if said is False:
        return None
    if isinstance(said, Mapping):
        return _said_key(said)
    schemes = document.follow(
        document.root.get("securityDefinitions")
        if document.is_swagger
        else document.follow(document.root.get("components")).get("securitySchemes")
    )
    if isinstance(said, str):
        if said not in schemes:
            raise OverridesError(
                f"{document.source} has no security scheme {said!r}; it has {', '.join(schemes) or 'none'}."
            )
        return _key_of_scheme(document.follow(schemes[said]))
    wanted = operation.get("security", document.root.get("security"))
    if not isinstance(wanted, list) or not wanted:
        return _hidden_key(document, operation)
    choices = [choice for choice in wanted if isinstance(choice, dict)]
    problem: UnsupportedError | None = None
    for choice in sorted(choices, key=len, reverse=True):
        if not choice:
            return None  # may be asked without a key, and every other way was no way
        try:
            if len(choice) > 1:
                raise UnsupportedError("it takes several keys at once")
            return _key_of_scheme(document.follow(schemes.get(next(iter(choice)))))
        except UnsupportedError as error:
            problem = error
    if problem is not None and {} not in choices:
        raise problem
    return None


def key_like(name: str, place: str) -> bool:
    """True for an input that is plainly a key."""
    return place in ("query", "header") and _KEYLIKE.fullmatch(name) is not None


def _hidden_key(document: Document, operation: Mapping[str, Any]) -> Key | None:
    for part in operation.get("parameters") or ():
        found = document.follow(part)
        name, place = str(found.get("name")), str(found.get("in"))
        if key_like(name, place):
            return Key(name, cast(Place, place))
    return None


def _key_of_scheme(scheme: Mapping[str, Any]) -> Key:
    kind, place = scheme.get("type"), scheme.get("in")
    if kind == "apiKey" and place in ("query", "header", "cookie") and isinstance(scheme.get("name"), str):
        if not sendable(str(scheme["name"]), str(place)):
            raise UnsupportedError(f"its key has a name that no {place} may have ({scheme['name'][:40]!r})")
        return Key(str(scheme["name"]), cast(Place, place))
    if kind == "basic":
        return Key("Authorization", "header", "basic")
    if kind == "http" and str(scheme.get("scheme")).lower() in ("bearer", "basic"):
        return Key("Authorization", "header", cast(Scheme, str(scheme["scheme"]).lower()))
    if kind in ("oauth2", "openIdConnect"):
        # a token that the user has got elsewhere; none is fetched
        return Key("Authorization", "header", "bearer")
    what = f"{kind} {scheme.get('scheme')}" if kind == "http" else str(kind)
    raise UnsupportedError(f"its key is of a kind that cannot be sent ({what[:40]})")


def _said_key(said: Mapping[str, str]) -> Key:
    place, name, scheme = said.get("in", "header"), said.get("name", "Authorization"), said.get("scheme", "")
    if place not in ("query", "header", "cookie") or scheme not in ("", "bearer", "basic"):
        raise OverridesError("auth takes in: query, header or cookie; name; scheme: bearer or basic, or none.")
    if not sendable(str(name), place):
        raise OverridesError(f"auth: {str(name)[:40]!r} is no name of a {place}.")
    return Key(str(name), cast(Place, place), cast(Scheme, scheme))


def _described(document: Document) -> str:
    root = document.root
    if document.is_swagger:
        host, path = str(root.get("host") or ""), str(root.get("basePath") or "")
        schemes = [s for s in root.get("schemes") or () if s in ("http", "https")]
        scheme = "https" if "https" in schemes or not schemes else "http"
        return f"{scheme}://{host}{path}" if host else path or "/"
    servers = root.get("servers")
    return _filled(document.follow(servers[0])) if isinstance(servers, list) and servers else "/"


def _filled(server: Mapping[str, Any]) -> str:
    variables = server.get("variables") if isinstance(server.get("variables"), dict) else {}

    def value(match: re.Match[str]) -> str:
        told = variables.get(match[1]) if isinstance(variables, dict) else None
        return str(told.get("default", "")) if isinstance(told, dict) else match[0]

    return _VARIABLE.sub(value, str(server.get("url") or "/"))


def _completed(document: Document, path: str) -> str:
    """A relative server is relative to where the description was fetched from."""
    if not document.address.startswith(("http://", "https://")):
        raise DataError(
            f"{document.source} does not say where its service stands. Name it with --server https://HOST/PATH."
        )
    return urljoin(document.address, path or "/")
