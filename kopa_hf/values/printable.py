"""Texts of strangers as a terminal may show them."""

from __future__ import annotations

import re
from typing import Final

_SEQUENCE: Final = re.compile(
    r"(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)"  # titles, links, clipboard
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # colours, moves
    r"|\x1b[ -/]*[0-~]"
)
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """`text` without what a terminal would obey: services write what people then see. Lines and tabs stay."""
    return _CONTROLS.sub("", _SEQUENCE.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))
