"""Names and words of an operation: what its tool is called, its title, its description."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from kopa_hf.catalog.openapi_parameters import identifier, one_line
from kopa_hf.catalog.openapi_schemas import Shape

_LONGEST_TEXT: Final = 400
_LONGEST_TITLE: Final = 60
_HANGUL: Final = re.compile(r"[가-힣]")
_TITLES: Final = {"post": "등록", "put": "교체", "patch": "수정", "delete": "삭제"}


def own_title(operation: Mapping[str, Any]) -> str:
    """The description's own Korean words for an operation, which go before words translated one by one."""
    for name in ("summary", "description"):
        text = operation.get(name)
        if isinstance(text, str) and _HANGUL.search(text):
            sentence = re.split(r"(?<=[.!?])\s|\n", text.strip(), maxsplit=1)[0]
            title = one_line(sentence, _LONGEST_TITLE).rstrip(".")
            if _HANGUL.search(title):
                return title
    return ""


def title_of(thing: str, method: str, shape: Shape) -> str:
    """A title of the thing that an operation is about and what it does, where the description has no Korean one."""
    if method in _TITLES:
        return f"{thing} {_TITLES[method]}"
    return f"{thing} 목록" if shape.many else f"{thing} 상세정보"


def description_of(operation: Mapping[str, Any], path: str, method: str) -> str:
    """Summary and description on one line; method and path where it has neither."""
    summary, text = (one_line(operation.get(name), _LONGEST_TEXT) for name in ("summary", "description"))
    if summary and text and summary.rstrip(".") not in text:
        text = one_line(f"{summary.rstrip('.')}. {text}", _LONGEST_TEXT)
    return text or summary or f"{method.upper()} {path}"


def snake(text: str) -> str:
    """listBikesNow → list_bikes_now; nothing for a text without a Latin letter."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", text)
    if not re.search(r"[A-Za-z]", words):
        return ""
    return re.sub(r"_+", "_", identifier(words).lower())


def service_name(title: str) -> str:
    """A name of a service from the title of its description."""
    words = re.findall(r"[a-z][a-z0-9]*", title.lower())
    kept = [
        word for word in words if word not in ("api", "rest", "the", "service", "stable", "v1", "v2", "v3", "openapi")
    ]
    return "_".join(kept or words)[:30].rstrip("_") or "own"
