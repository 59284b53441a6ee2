"""Secrets of services of one's own: where they are found, and every form in which a server may repeat them.

A catalog folder names variables; what stands in them goes into a program's environment or into a header, and a
server can repeat it in results, errors and on standard error. Words of a command that look like secrets count too.
"""

from __future__ import annotations

import base64
import binascii
import html
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

SHORTEST: Final = 6
"""Characters that a secret has at least; shorter values (`1`, `ko`, `debug`) are switches, and masking them spoils data."""
_URLSAFE: Final = str.maketrans("+/", "-_")
_SCHEME: Final = re.compile(r"(?:Bearer|Basic|Token|ApiKey)\s+(\S.*)", re.IGNORECASE | re.DOTALL)
_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LAST: Final = frozenset((
    "key", "token", "secret", "password", "passwd", "pwd", "passphrase", "credential", "credentials",
    "auth", "authorization", "signature", "sig", "jwt", "apikey",
    "authkey", "servicekey", "accesskey", "secretkey", "authtoken", "accesstoken", "apitoken",
))  # fmt: skip
"""Last words of names under which secrets stand."""
_OPTION: Final = re.compile(r"(--?[A-Za-z][\w.-]*)(?:=(.*))?", re.DOTALL)
_ASSIGNED: Final = re.compile(r"([A-Za-z_][\w-]*)\s*[=:]\s*(\S.*)", re.DOTALL)


def names_a_secret(name: str) -> bool:
    """True for names of parameters, options and variables under which keys stand: api_key, --token, exaApiKey."""
    words = _WORDS.findall(name)
    return bool(words) and words[-1].lower() in _LAST


def secrets_of_address(address: str) -> dict[str, str]:
    """What in an address is a secret, by a name that can be shown: user and password, and parameters named as keys."""
    try:
        parts = urlsplit(address)
        found = {}
        if "@" in parts.netloc:
            user, _, password = parts.netloc.rpartition("@")[0].partition(":")
            found["user and password"] = password or user
        found |= {f"?{name}=": value for name, value in parse_qsl(parts.query) if names_a_secret(name)}
    except ValueError:
        return {}
    return found


def secrets_of_command(command: Sequence[str]) -> dict[str, str]:
    """What in a command's arguments looks like a secret, by a name that can be shown: the option, never the value."""
    found: dict[str, str] = {}
    waiting = ""
    for word in command[1:]:
        option = _OPTION.fullmatch(word)
        if option is not None:
            name, value = option[1], option[2]
            waiting = name if value is None and names_a_secret(name) else ""
            if value and names_a_secret(name):
                found[name] = value
            continue
        if waiting:
            found[waiting] = word
        elif "://" in word:
            found |= {f"the {name} in an address": value for name, value in secrets_of_address(word).items()}
        elif (given := _ASSIGNED.fullmatch(word)) is not None and names_a_secret(given[1]):
            found[given[1]] = given[2]
        waiting = ""
    return found


@lru_cache(maxsize=256)
def forms_of(value: str) -> tuple[str, ...]:
    """A variable's value and what a server can make of it, longest first; () for one too short to be a secret.

    Beside the whole: what follows `Bearer` or `Basic`, user and password behind `Basic`, lines of a key of several
    lines, and each as JSON writes it. Bodies are searched as Latin-1, so other scripts count in those signs as well.
    """
    found = set(_parts(value))
    found |= {json.dumps(form, ensure_ascii=False)[1:-1] for form in found}
    found |= {form.encode("utf-8").decode("latin-1") for form in found}
    return _longest_first(found)


@lru_cache(maxsize=256)
def encodings_of(value: str) -> tuple[str, ...]:
    """The same parts in the usual encodings, longest first: hex digits, Base64, HTML, every sign by its number.

    In Base64 a secret can stand alone or between other words, and there in three spellings, since three bytes are four
    signs; a sign that it shares with its neighbour is not found.
    """
    found: set[str] = set()
    for part in _parts(value):
        data = part.encode("utf-8")
        if len(part) < SHORTEST:
            continue
        found |= {data.hex(), data.hex(" "), data.hex(":"), "".join(f"%{byte:02x}" for byte in data)}
        escaped = html.escape(part)
        slashed = escaped.replace("/", "&#x2F;")
        found |= {escaped, slashed, slashed.replace("=", "&#x3D;")}  # some templates write these two so
        found |= {"".join(f"\\u{ord(sign):04x}" for sign in part)}
        alone = base64.b64encode(data).decode("ascii")
        among = [
            base64.b64encode(b"\0" * before + data).decode("ascii")[start : (before + len(data)) * 8 // 6]
            for before, start in ((0, 0), (1, 2), (2, 3))
        ]
        found |= {form.translate(signs) for form in (alone, *among) for signs in ({}, _URLSAFE)}
    return _longest_first(found.difference(forms_of(value)))


@lru_cache(maxsize=256)
def forms_of_key(key: str, scheme: str = "") -> tuple[str, ...]:
    """Every form of the key of a REST service of one's own, longest first; under `basic` it is user and password."""
    pair = f"Basic {base64.b64encode(key.encode('utf-8', 'replace')).decode('ascii')}"
    told = {key, unquote(key), *((pair,) if scheme == "basic" else ())}
    found = _longest_first({form for value in told for form in (*forms_of(value), *encodings_of(value))})
    return found if key in found else (*found, key)


def _parts(value: str) -> Iterator[str]:
    whole = value.strip().encode("utf-8", "replace").decode("utf-8")  # variables may hold bytes that are no text
    yield whole
    scheme = _SCHEME.fullmatch(whole)
    if scheme is not None:
        yield scheme[1].strip()
        yield from _pair(scheme[1].strip())
    yield from (line.strip() for line in whole.splitlines())


def _longest_first(forms: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted((form for form in forms if len(form) >= SHORTEST), key=lambda form: (-len(form), form)))


def _pair(text: str) -> Iterator[str]:
    """`user:password` of a Basic header, and the password."""
    try:
        pair = base64.b64decode(text, validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return
    if ":" in pair:
        yield pair
        yield pair.partition(":")[2]


class OwnSecrets:
    """The secrets of a catalog's MCP servers, by the service's name.

    Variables are read when they are asked for, since a session is opened when it is needed; what was read once stays
    known, since a server that runs keeps it.
    """

    def __init__(self, services: Mapping[str, Mapping[str, Any]], environ: Mapping[str, str] | None = None) -> None:
        self._services = {name: service for name, service in services.items() if service.get("kind") == "mcp"}
        self._environ = os.environ if environ is None else environ
        self._seen: dict[str, dict[str, None]] = {}

    def of(self, service: str) -> tuple[str, ...]:
        """Every form of every secret of a service, encoded ones too, longest first; () where it has none."""
        if service not in self._services:
            return ()
        seen = self._seen.setdefault(service, {})
        for value in self._values(service).values():
            seen.update(dict.fromkeys((*forms_of(value), *encodings_of(value))))
        return _longest_first(seen)

    def named(self) -> dict[str, str]:
        """All of them by a name that can be shown: the service's and the variable's, numbered where it has several forms."""
        found: dict[str, str] = {}
        for service in self._services:
            for label, value in self._values(service).items():
                for number, form in enumerate(forms_of(value), start=1):
                    found[f"{service}: {label}" + (f" ({number})" if number > 1 else "")] = form
        return found

    def _values(self, service: str) -> dict[str, str]:
        """Values by the variable or option under which they stand."""
        content = self._services[service]
        command, address = content.get("command") or (), content.get("url") or ""
        values = secrets_of_command([str(word) for word in command]) | secrets_of_address(str(address))
        headers = content.get("headers") or {}
        for name in (*(content.get("environment") or ()), *(headers.values() if isinstance(headers, Mapping) else ())):
            if isinstance(name, str) and name in self._environ:
                values[name] = self._environ[name]
        return values
