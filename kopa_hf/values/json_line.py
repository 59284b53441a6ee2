"""One line of a JSONL file."""

from __future__ import annotations

import json
from typing import Any


def json_line(value: Any) -> str:
    """`value` as JSON with its line feed: raw Hangul, and half characters (lone surrogates), which no file holds, escaped.

    They stand in strings only, and there JSON reads the escape as what it was.
    """
    text = json.dumps(value, ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n"
