"""Words that invented institutions, courses and campuses are named with."""

from __future__ import annotations

from typing import Final

NAME_WORDS: Final = (
    "가람",
    "나래",
    "다솜",
    "라온",
    "마루",
    "보람",
    "새벽",
    "아라",
    "은하",
    "초롱",
    "한별",
    "여울",
    "도담",
    "미리내",
)
