"""Control calls: does a service heed a value at all, or does it answer alike whatever it is told?

A link whose target answers the same to a value that cannot exist carries nothing,
however many records come back. So after a success that an identifying value seemed
to bring about, the same request is sent once more with an impossible value in its
place. An answer that is alike makes the trial a structural failure, `ignored`.
One difference settles that a service heeds its input; `SURE` equal answers settle
that it does not. Not in the paper: ours.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from kopa_hf.catalog.tool import Parameter, Tool

SURE: Final = 3
"""Control calls answered alike after which a target is known to ignore an input."""
ROWS_COMPARED: Final = 3

InputKey = tuple[str, ...]
"""A tool's name and the inputs that are put to the test together, in order."""

_IMPOSSIBLE: Final[dict[str, str]] = {
    "YYYYMMDD": "19010101",
    "YYYY-MM-DD": "1901-01-01",
    "YYYYMM": "190101",
    "YYYY-MM": "1901-01",
    "YYYY": "1901",
}
_TEXT: Final = "없는값zq0"


def impossible(parameter: Parameter, value: str) -> str:
    """A value of the parameter's form that nothing has; made like `value` where no format is known."""
    known = _IMPOSSIBLE.get(parameter.format or "")
    if known is not None:
        return known
    width = re.fullmatch(r"digits:(\d+)", parameter.format or "")
    if width:
        return "9" * int(width[1])
    if parameter.type in ("integer", "number") or value.isdecimal():
        return "9" * max(len(value), 1)
    return _TEXT


def fingerprint(records: Sequence[Mapping[str, Any]], total: int | None, arguments: Mapping[str, Any]) -> str:
    """What two answers have in common if nothing but an echo of the request differs: total and first rows."""
    asked = {str(value) for value in arguments.values()}
    rows = [
        {name: value for name, value in record.items() if str(value) not in asked} for record in records[:ROWS_COMPARED]
    ]
    text = json.dumps([total, rows], ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode("utf-8"), digest_size=8).hexdigest()


class Controls:
    """What control calls have shown, by target and inputs."""

    def __init__(self) -> None:
        self._heeded: dict[InputKey, int] = {}
        self._ignored: dict[InputKey, int] = {}

    def verdict(self, key: InputKey) -> bool | None:
        """True: heeded; False: ignored; None: not settled, another control call is due."""
        if self._heeded.get(key):
            return True
        return False if self._ignored.get(key, 0) >= SURE else None

    def add(self, key: InputKey, heeded: bool) -> None:
        """Count one control call."""
        counts = self._heeded if heeded else self._ignored
        counts[key] = counts.get(key, 0) + 1

    def ignoring(self) -> list[InputKey]:
        """Targets and inputs of which every control call was answered alike."""
        return sorted(key for key in self._ignored if not self._heeded.get(key))

    def __len__(self) -> int:
        return len(self._heeded.keys() | self._ignored.keys())

    def to_list(self) -> list[list[Any]]:
        """JSON form: [key, heeded, ignored], in order of the key."""
        keys = sorted(self._heeded.keys() | self._ignored.keys())
        return [[list(key), self._heeded.get(key, 0), self._ignored.get(key, 0)] for key in keys]

    def restore(self, content: Iterable[Any]) -> None:
        """The inverse of `to_list`."""
        self._heeded, self._ignored = {}, {}
        for key, heeded, ignored in content:
            if heeded:
                self._heeded[tuple(key)] = int(heeded)
            if ignored:
                self._ignored[tuple(key)] = int(ignored)


def tested_inputs(tool: Tool, names: Iterable[str]) -> InputKey:
    """The key under which a control of these inputs is remembered."""
    return (tool.name, *sorted(names))


def control_arguments(tool: Tool, arguments: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """The request with impossible values in place of those that are put to the test."""
    changed = dict(arguments)
    for name in names:
        parameter = tool.parameter(name)
        if parameter is not None and name in arguments:
            changed[name] = impossible(parameter, arguments[name])
    return changed
