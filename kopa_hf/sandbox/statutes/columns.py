"""Shapes that comparisons of laws and of administrative rules share."""

from __future__ import annotations

from typing import Any, Final

from kopa_hf.sandbox.envelopes.law_layout import one_or_many

BLANK: Final = dict.fromkeys(
    ("위임구분", "위임법령일련번호", "위임법령제목", "위임법령조문번호", "위임법령조문가지번호", "위임법령조문제목",
     "링크텍스트", "라인텍스트", "조항호목", "위임행정규칙일련번호", "위임행정규칙제목", "위임자치법규일련번호",
     "위임자치법규제목"),
    "",
)  # fmt: skip
"""Every column of a delegation, empty."""


def pairs(old: list[str], new: list[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Two columns of articles that belong together by their number."""

    def column(texts: list[str]) -> dict[str, Any]:
        return {"조문": one_or_many([{"no": str(n), "content": text} for n, text in enumerate(texts, start=1)])}

    return column(old), column(new)
