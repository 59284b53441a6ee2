"""What must not leave the machine: keys and tokens, and numbers that belong to a person.

Looked at is every text: files of any name that hold text, cells of Parquet, members of archives (`file_texts`); of weights and pictures their heads.
Patterns with a shape or a check of their own only (a resident number needs a date, a card number its Luhn sum),
since a search that cries at every long number is switched off.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

from kopa_hf.catalog.active import active_catalog
from kopa_hf.catalog.registry import load_catalog
from kopa_hf.errors import KopaError
from kopa_hf.execution.keys import Keyring
from kopa_hf.hub.file_texts import file_texts
from kopa_hf.platforms.keys import MASK

Sort = Literal["secret", "personal"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that should not be published; `shown` is masked."""

    file: str
    place: str
    """Line of a text file, row and column of a table."""
    sort: Sort
    what: str
    shown: str

    def __str__(self) -> str:
        return f"{self.file}, {self.place}: {self.what} ({self.shown})"


def _resident(found: re.Match[str]) -> bool:
    """A date and the digit that says century and sex; the last digit no longer checks since October 2020."""
    year, month, day = int(found[1][:2]), int(found[1][2:4]), int(found[1][4:])
    century = {"1": 1900, "2": 1900, "3": 2000, "4": 2000, "5": 1900, "6": 1900, "7": 2000, "8": 2000}[found[2][0]]
    try:
        born = datetime.date(century + year, month, day)
    except ValueError:
        return False
    return born <= datetime.date.today()


def _luhn(found: re.Match[str]) -> bool:
    digits = [int(sign) for sign in found[0] if sign.isdigit()]
    doubled = [digit * 2 - 9 * (digit > 4) for digit in digits[-2::-2]]
    return (sum(doubled) + sum(digits[-1::-2])) % 10 == 0


def _always(found: re.Match[str]) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class _Pattern:
    sort: Sort
    what: str
    expression: re.Pattern[str]
    needles: tuple[str, ...]
    """One of these stands in every match, in small letters: a plain search is many times faster than the expression."""
    holds: Callable[[re.Match[str]], bool] = _always

    def mask(self, found: re.Match[str]) -> str:
        """What stands in place of a match."""
        return MASK if self.holds(found) else found[0]


_RESERVED: Final = r"(?!(?:[\w-]+\.)*(?:example|invalid|test|localhost|example\.(?:com|org|net))\b)"
"""Names that no one can have (RFC 2606); the sandbox's invented addresses end in .invalid."""
_PATTERNS: Final = (
    _Pattern("secret", "a Hugging Face token", re.compile(r"\bhf_[A-Za-z0-9]{30,}\b"), ("hf_",)),
    _Pattern("secret", "an access key of a cloud", re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"), ("akia", "asia")),
    _Pattern("secret", "a key of a model service", re.compile(r"\bsk-(?:[a-z]+-)*[A-Za-z0-9_-]{32,}"), ("sk-",)),
    _Pattern(
        "secret",
        "a token of a code host",
        re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|glpat-[\w-]{20,})"),
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "glpat-"),
    ),
    _Pattern("secret", "a private key", re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----"), ("-----begin",)),
    _Pattern("secret", "a password inside an address", re.compile(r"\bhttps?://[^\s/:@\"']+:[^\s/@\"']+@"), ("://",)),
    _Pattern(
        "personal",
        "a resident registration number",
        re.compile(r"(?<![\d-])(\d{6})-([1-8]\d{6})(?![\d-])"),
        ("-",),
        _resident,
    ),
    _Pattern(
        "personal",
        "a mobile telephone number",
        re.compile(r"(?<![\d-])01[016789]-\d{3,4}-\d{4}(?![\d-])"),
        ("010-", "011-", "016-", "017-", "018-", "019-"),
    ),
    _Pattern("personal", "a card number", re.compile(r"(?<![\d-])\d{4}-\d{4}-\d{4}-\d{4}(?![\d-])"), ("-",), _luhn),
    _Pattern(
        "personal",
        "a mail address",
        re.compile(rf"(?<![\w.+-])[A-Za-z0-9][\w.+-]*@{_RESERVED}[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{{2,}}\b"),
        ("@",),
    ),
)
_USUAL_KEYS: Final = frozenset(
    {
        "servicekey",
        "service_key",
        "authkey",
        "auth_key",
        "apikey",
        "api_key",
        "accesstoken",
        "access_token",
        "crtfc_key",
    }
)
_ACCOUNT: Final = "oc"
"""The parameter of 법제처's services: an account's name, as short as its owner likes."""
_PLACEHOLDERS: Final = frozenset({"test", "sample", "oc", "key", "id"})
_SHORT_KEY: Final = 10
"""Signs of the shortest key that a portal of the catalog hands out; it holds a digit. From `_LONG_KEY` on any will do."""
_LONG_KEY: Final = 16
_SHOWN: Final = 20


@lru_cache(maxsize=1)
def _patterns() -> tuple[_Pattern, ...]:
    """All patterns; those of keys in addresses are made from the catalog: names of key parameters, hosts with a key in the path."""
    tools = [tool.endpoint for tool in load_catalog() if tool.endpoint.auth]
    names = sorted(_USUAL_KEYS | {str(one.auth).casefold() for one in tools if one.auth_in == "query"})
    before = {one.url.partition(f"{{{one.auth}}}")[0].partition("://")[2] for one in tools if one.auth_in == "path"}
    places = sorted({f"{host.partition(':')[0]}/{path}" for host, _, path in (text.partition("/") for text in before)})
    value = r"(?P<value>[\w%+/=.@-]{2,})"
    made = [
        _Pattern(
            "secret",
            "a service key in an address",
            re.compile(
                rf"(?:[?&;]|u0026|%26|%3F)(?P<name>{'|'.join(names)})(?:=|%3D){value}", re.ASCII | re.IGNORECASE
            ),
            tuple(f"{name}{sign}" for name in names for sign in ("=", "%3d")),
            _is_key,
        )
    ]
    for place in places:
        host, _, path = place.partition("/")
        expression = rf"{re.escape(host)}(?::\d+)?/{re.escape(path)}(?P<name>)(?P<value>[\w%+=.-]{{2,}})/"
        made.append(
            _Pattern(
                "secret",
                "a service key in a path",
                re.compile(expression, re.ASCII | re.IGNORECASE),
                (host.lower(),),
                _is_key,
            )
        )
    return (*made, *_PATTERNS)


def _is_key(found: re.Match[str]) -> bool:
    name, value = found["name"].casefold(), found["value"]
    if name == _ACCOUNT:
        return value.casefold() not in _PLACEHOLDERS
    long = len(value) >= _LONG_KEY and name in _USUAL_KEYS
    return long or (len(value) >= _SHORT_KEY and any(sign.isdigit() for sign in value))


def scan_text(text: str, file: str, place: str) -> Iterator[Finding]:
    """Findings in one text, each masked to its first four characters."""
    small = text.lower()
    for pattern in _patterns():
        if any(needle in small for needle in pattern.needles):
            for found in pattern.expression.finditer(text):
                if pattern.holds(found):
                    where = f"line {text.count(chr(10), 0, found.start()) + 1}" if place == "its text" else place
                    yield Finding(file, where, pattern.sort, pattern.what, _masked(found[0]))


def scan_files(files: Mapping[str, Path], keys: Keyring | None = None) -> list[Finding]:
    """Findings in files by their name in the repository; `keys`: keys of this machine, sought in any spelling."""
    found: list[Finding] = []
    for name, path in files.items():
        for inner, place, text in (("a file's name", "its text", name), *file_texts(name, path)):
            found.extend(_found(text, inner, place, keys))
    return found


def _found(text: str, file: str, place: str, keys: Keyring | None) -> Iterator[Finding]:
    yield from scan_text(text, file, place)
    if keys is not None and (shown := keys.shown_in(text.encode("utf-8", "replace")) or keys.encoded_in(text)):
        yield Finding(file, place, "secret", "a key of this machine", ", ".join(shown))


def searched(
    files: Mapping[str, Path], *, accept_personal: bool = False, texts: Mapping[str, str] | None = None
) -> list[str]:
    """Search what is to leave this machine, with every key that can be found here.

    texts: what else goes along, by what it is called (a commit's message).
    Raises `KopaError` for a secret, and for what may be a person's unless that is accepted; returns what was accepted.
    """
    keys = _keys_here()
    found = [finding for name, text in (texts or {}).items() for finding in _found(text, name, "its text", keys)]
    found += scan_files(files, keys)
    secrets = [str(finding) for finding in found if finding.sort == "secret"]
    personal = [str(finding) for finding in found if finding.sort == "personal"]
    if secrets:
        raise KopaError("Stopped, since keys stand in it:\n" + some(secrets))
    if personal and not accept_personal:
        raise KopaError(
            "Stopped, since numbers or addresses of persons may stand in it:\n"
            + some(personal)
            + "\nTake them out, or pass --accept-personal if these are no persons' or may be handed on."
        )
    return personal


def redacted(text: str) -> str:
    """`text` with `***` for every key of this machine, and for all that `searched` would stop at."""
    keys = _keys_here()
    text = keys.redact(text)
    for pattern in _patterns():
        text = pattern.expression.sub(pattern.mask, text)
    return MASK if keys.encoded_in(text) else text


def _keys_here() -> Keyring:
    return Keyring.of_this_machine().with_services(active_catalog().services)


def some(lines: Iterable[str]) -> str:
    """The first lines, indented, and how many more there are."""
    every = list(lines)
    more = [f"  … {len(every) - _SHOWN} more"] if len(every) > _SHOWN else []
    return "\n".join([*(f"  {line}" for line in every[:_SHOWN]), *more])


def _masked(text: str) -> str:
    return text[:4] + "…" + str(len(text)) + " characters"
