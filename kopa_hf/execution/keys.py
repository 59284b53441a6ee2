"""Service keys for live calls: where they come from, and that they show nowhere.

A key stands in the environment (`KOPA_DART_KEY`) or in a key file that nobody else can
read. It is known by a *key name*: the platform's, or the wire's where one platform is
served by several providers (education) and where one provider serves several
platforms (the gateway of data.go.kr).
"""

from __future__ import annotations

import base64
import logging
import os
import re
import stat
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NoReturn

import platformdirs

from kopa_hf.catalog.folder import KINDS as OWN_WIRES
from kopa_hf.catalog.tool import Tool
from kopa_hf.errors import BackendError
from kopa_hf.execution.own_secrets import OwnSecrets
from kopa_hf.platforms.keys import key_forms, plain_key, redact, spellings

GATEWAY: Final = "data_go_kr"
KEY_NAMES: Final[tuple[str, ...]] = (
    "dart", "krx", "kdic", "expressway", "seoul", "gyeonggi", "assembly", "law", "education", "hrdk",
    "neis", "schoolinfo", "edss", GATEWAY,
)  # fmt: skip
"""Every name that a key can have."""

_GATEWAY_WIRES: Final = frozenset({GATEWAY, "kdic", "hrdk"})
_SHARED: Final = frozenset({"education"})
"""Platforms whose own name stands in for several providers' keys, since the user said so by using it."""
_LINE: Final = re.compile(r"(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)")
_VARIABLE: Final = re.compile(r"KOPA_([A-Z0-9_]+)_KEY")
_OWN: Final = "own"
"""Table of a key file whose names need not be known: keys of services of one's own, used with their catalog only."""
_TOKENS: Final = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "OPENAI_API_KEY", "ANTHROPIC_API_KEY")
_TOKEN_LENGTH: Final = 16
"""Shorter values of such variables are placeholders ("EMPTY", "none")."""
_ENCODED: Final = 12
"""Bytes of the shortest key that is sought in encoded form; shorter ones would be found by chance."""
FILE_VARIABLE: Final = "KOPA_KEYS_FILE"


def key_names(tool: Tool) -> tuple[str, ...]:
    """The names under which a tool's key is looked for, first match first.

    A key goes to the provider it was issued by and to nobody else: a service of 금융위원회
    stands on platform krx, but KRX's key does not open data.go.kr.
    """
    if tool.wire in OWN_WIRES:
        return (tool.platform,)
    names = [tool.wire] if tool.wire != GATEWAY else []
    if tool.wire in _GATEWAY_WIRES:
        names.append(GATEWAY)
    if tool.platform == tool.wire or tool.platform in _SHARED:
        names.append(tool.platform)
    return tuple(dict.fromkeys(names))


def variable(name: str) -> str:
    """The environment variable of a key name."""
    return f"KOPA_{name.upper()}_KEY"


class Keyring:
    """Keys by name. Printing, comparing or copying a keyring shows none of them."""

    __slots__ = ("_keys", "_known", "_origins")

    def __init__(
        self,
        keys: Mapping[str, str] | None = None,
        *,
        origins: Mapping[str, str] | None = None,
        names: Iterable[str] = (),
    ) -> None:
        """`keys`: key name → key, in either spelling that a portal hands out. `names`: those of one's own services."""
        self._known = (*KEY_NAMES, *names)
        self._keys: dict[str, str] = {}
        self._origins = dict(origins or {})
        for name, key in (keys or {}).items():
            if name not in self._known:
                raise BackendError(f"No key is called {name!r}. Known names: {', '.join(self._known)}.")
            origin = self._origins.setdefault(name, variable(name))
            if key.strip():
                self._keys[name] = _checked(key, origin)

    @classmethod
    def load(
        cls, file: str | Path | None = None, environ: Mapping[str, str] | None = None, *, names: Iterable[str] = ()
    ) -> Keyring:
        """Keys of a key file, and over them those of the environment.

        `file`: else `KOPA_KEYS_FILE`, else `keys.toml` in the user's configuration folder if it is there.
        `names`: services of one's own whose keys are taken too.
        """
        names = tuple(names)
        environ = os.environ if environ is None else environ
        named = file or environ.get(FILE_VARIABLE)
        path = Path(named) if named else default_key_file()
        keys = read_key_file(path, names) if named or path.exists() else {}
        origins = dict.fromkeys(keys, f"{path.name}")
        for text, value in environ.items():
            found = _VARIABLE.fullmatch(text)
            name = found[1].lower() if found else ""
            if name in (*KEY_NAMES, *names) and value.strip():
                keys[name] = value
                origins[name] = text
        return cls(keys, origins=origins, names=names)

    @classmethod
    def of_this_machine(cls, file: str | Path | None = None, environ: Mapping[str, str] | None = None) -> Keyring:
        """Every key that can be found here, whatever it is for: to look for them in what leaves the machine.

        Beside `load`: keys of any service of one's own (`KOPA_…_KEY`, table `[own]`) and tokens of the Hub and of model servers.
        """
        environ = os.environ if environ is None else environ
        named = file or environ.get(FILE_VARIABLE)
        path = Path(named) if named else default_key_file()
        own = own_names(path) if named or path.exists() else set()
        own |= {found[1].lower() for text in environ if (found := _VARIABLE.fullmatch(text))} - set(KEY_NAMES)
        ring = cls.load(file, environ, names=sorted(own))
        tokens = {
            name: environ[name].strip() for name in _TOKENS if len(environ.get(name, "").strip()) >= _TOKEN_LENGTH
        }
        return ring.with_others(tokens)

    def with_services(self, services: Mapping[str, Mapping[str, Any]]) -> Keyring:
        """These keys and what the MCP servers of one's own are told in confidence: to look for it, not to send it."""
        if not services:
            return self
        secrets = OwnSecrets(services).named()
        ring = self.with_others(secrets)
        ring._keys |= secrets  # lines, blanks and any script: what is handed on in a variable need not be a key
        return ring

    def with_others(self, secrets: Mapping[str, str]) -> Keyring:
        """These keys and further secrets by name; what cannot be a key (blanks, control signs) is passed over."""
        ring = Keyring(names=[*self._known, *secrets])
        ring._keys = {
            **self._keys,
            **{name: value for name, value in secrets.items() if value.isascii() and value.isprintable()},
        }
        ring._origins = {**self._origins, **{name: name for name in secrets}}
        return ring

    def key_for(self, tool: Tool) -> str | None:
        """The key of a tool's provider, or None."""
        if tool.endpoint.auth is None:
            return None
        return next((self._keys[name] for name in key_names(tool) if name in self._keys), None)

    def name_for(self, tool: Tool) -> str | None:
        """The name of the key that `key_for` gives."""
        return next((name for name in key_names(tool) if name in self._keys), None)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the keys that are there."""
        return tuple(name for name in self._known if name in self._keys)

    def origin(self, name: str) -> str:
        """Where a key came from: a variable's or a file's name."""
        return self._origins.get(name, variable(name))

    def redact(self, text: str) -> str:
        """`text` without any of the keys, in any spelling."""
        for key in self._keys.values():
            text = redact(text, key)
        return text

    def shown_in(self, *contents: bytes) -> tuple[str, ...]:
        """Names of the keys that stand in any of the contents, in any spelling, escaped or not."""
        texts = [text for content in contents for text in spellings(content.decode("latin-1"))] if self._keys else []
        return tuple(name for name, key in self._keys.items() if any(_stands_in(key, text) for text in texts))

    def encoded_in(self, text: str) -> tuple[str, ...]:
        """Names of the keys that stand in a text as hex digits or inside Base64, wherever in it they begin."""
        found = []
        for name, key in self._keys.items():
            plain = key.encode()
            # three bytes are four signs, so a key can stand in three ways; signs that its neighbours share are left out
            forms = [base64.b64encode(b"\0" * shift + plain)[(0, 2, 3)[shift] :] for shift in range(3)]
            inner = [form.rstrip(b"=")[: -1 if len(form) > 1 else None].decode() for form in forms]
            urlsafe = [form.replace("+", "-").replace("/", "_") for form in inner]
            if len(plain) >= _ENCODED and (
                plain.hex() in text.lower() or any(form in text for form in (*inner, *urlsafe))
            ):
                found.append(name)
        return tuple(found)

    def __len__(self) -> int:
        return len(self._keys)

    def __repr__(self) -> str:
        return f"<Keyring: {len(self._keys)} keys>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("A keyring is not pickled or copied: keys are written nowhere.")


def _stands_in(key: str, text: str) -> bool:
    """A quick look first; short keys count only where they stand alone, which the slow one decides."""
    folded = text.lower()
    return any(form.lower() in folded for form in key_forms(key)) and redact(text, key) != text


class KeyFilter(logging.Filter):
    """Takes keys out of what the HTTP library logs at DEBUG: the heads of answers, in which some services repeat them."""

    LOGGERS: Final = tuple(
        f"{library}.{part}"
        for library in ("httpcore", "httpcore2")  # the latter carries MCP
        for part in ("connection", "http11", "http2", "proxy", "socks")
    )

    def __init__(self, keys: Keyring) -> None:
        super().__init__()
        self._keys = keys

    def filter(self, record: logging.LogRecord) -> bool:
        """Every record passes, without keys."""
        record.msg, record.args = self._keys.redact(record.getMessage()), ()
        return True

    def install(self) -> None:
        """Begin."""
        for name in self.LOGGERS:
            logging.getLogger(name).addFilter(self)

    def remove(self) -> None:
        """End."""
        for name in self.LOGGERS:
            logging.getLogger(name).removeFilter(self)


def missing_key(tool: Tool) -> str:
    """What to do where a tool's key is absent."""
    return f"No key for this service. Set {' or '.join(map(variable, key_names(tool)))}, or name it in a key file."


def default_key_file() -> Path:
    """`keys.toml` in the user's configuration folder."""
    return platformdirs.user_config_path("kopa_hf") / "keys.toml"


def read_key_file(path: Path, names: Iterable[str] = ()) -> dict[str, str]:
    """Key name → key of a file in TOML or in KEY=VALUE lines; refuses a file that others can read.

    Names are those of `KEY_NAMES` and of `names`; what else stands in a table `[own]` is passed over.
    """
    known = (*KEY_NAMES, *names)
    text = _private_text(path)
    table = _toml(text)
    own = table.pop(_OWN, None) if table is not None else None
    pairs = list(_toml_pairs(table, path) if table is not None else _lines(text, path))
    if isinstance(own, dict):
        pairs += [(name, value) for name, value in _toml_pairs(own, path) if _key_name(name) in names]
    keys: dict[str, str] = {}
    for number, (given, value) in enumerate(pairs, start=1):
        name = _key_name(given)
        if name not in known:
            # the name is not repeated: a key that ends in = reads like one
            raise BackendError(
                f"{path}: unknown key name in entry {number}. Known: {', '.join(known)}, or KOPA_…_KEY; "
                f"keys of other services stand in a table [{_OWN}]."
            )
        keys[name] = value
    return keys


def own_names(path: Path) -> set[str]:
    """Names in the table `[own]` of a key file: services of one's own."""
    table = _toml(_private_text(path))
    own = table.get(_OWN) if table is not None else None
    return {_key_name(name) for name in own} if isinstance(own, dict) else set()


def _key_name(given: str) -> str:
    """The name that an entry means: DART, dart and KOPA_DART_KEY are one."""
    found = _VARIABLE.fullmatch(given.upper())
    return (found[1] if found else given).lower()


def _private_text(path: Path) -> str:
    problem = ""
    try:
        # without waiting: opening a pipe for reading lasts until somebody writes
        with os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
            status = os.fstat(file.fileno())
            mode = stat.S_IMODE(status.st_mode)
            if not stat.S_ISREG(status.st_mode):
                problem = "is no regular file"
            elif mode & 0o177:
                problem = f"has mode {mode:04o}, so others may read the keys; run: chmod 600 {path}"
            else:
                return file.read().decode("utf-8-sig")
    except OSError as error:
        problem = f"cannot be read: {error.strerror}"
    except UnicodeDecodeError:
        problem = "is no UTF-8 text"
    raise BackendError(f"Key file {path} {problem}.")


def _toml(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):  # its message may quote the line, so it is not passed on
        return None


def _toml_pairs(table: Mapping[str, Any], path: Path) -> Iterable[tuple[str, str]]:
    """Pairs at the top level and in a table `[keys]`."""
    for number, (name, value) in enumerate(table.items(), start=1):
        if name == "keys" and isinstance(value, dict):
            yield from _toml_pairs(value, path)
        elif isinstance(value, str):
            yield name, value
        else:
            which = name if name.lower() in KEY_NAMES else f"entry {number}"
            raise BackendError(f'{path}: {which} must be a text in quotes, as in  dart = "…"')


def _lines(text: str, path: Path) -> Iterable[tuple[str, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        found = _LINE.fullmatch(line)
        if found is None:  # the line is not repeated: it could be a key
            raise BackendError(f"{path}, line {number}: neither TOML nor NAME=KEY.")
        value = found[2].strip()
        if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
            value = value[1:-1]
        elif value[:1] in ("'", '"') or value[-1:] in ("'", '"'):
            raise BackendError(f"{path}, line {number}: a quote stands on one side of the key only.")
        yield found[1], value


def _checked(key: str, origin: str) -> str:
    """The key without blanks around it; says where it came from if it cannot be one."""
    key, problem = key.strip(), ""
    try:
        plain_key(key)
    except BackendError as error:
        problem = str(error)
    if problem:
        raise BackendError(f"{origin}: {problem}")
    return key
