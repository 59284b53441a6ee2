"""Secrets of MCP servers of one's own: where they are found, and every form in which a server may repeat them.

A catalog folder names variables; what stands in them goes into a program's environment or into a header, and a
server can repeat it in results, errors and on standard error. Words of a command that look like secrets count too.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

SHORTEST: Final = 6
"""Characters that a secret has at least; shorter values (`1`, `ko`, `debug`) are switches, and masking them spoils data."""
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
    whole = value.strip().encode("utf-8", "replace").decode("utf-8")  # variables may hold bytes that are no text
    found = {whole}
    scheme = _SCHEME.fullmatch(whole)
    if scheme is not None:
        found.add(scheme[1].strip())
        found |= set(_pair(scheme[1].strip()))
    found |= {line.strip() for line in whole.splitlines()}
    found |= {json.dumps(form, ensure_ascii=False)[1:-1] for form in found}
    found |= {form.encode("utf-8").decode("latin-1") for form in found}
    return tuple(sorted((form for form in found if len(form) >= SHORTEST), key=lambda form: (-len(form), form)))


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
        """Every form of every secret of a service, longest first; () where it has none."""
        if service not in self._services:
            return ()
        seen = self._seen.setdefault(service, {})
        for value in self._values(service).values():
            seen.update(dict.fromkeys(forms_of(value)))
        return tuple(sorted(seen, key=lambda form: (-len(form), form)))

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
