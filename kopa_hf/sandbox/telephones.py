"""Telephone numbers that look like a region's and ring nowhere: no exchange begins with 0."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.rng import Stream

_AREAS: Final[dict[str, str]] = {
    "11": "02", "26": "051", "27": "053", "28": "032", "29": "062", "30": "042", "31": "052", "36": "044", "41": "031",
    "43": "043", "44": "041", "46": "061", "47": "054", "48": "055", "50": "064", "51": "033", "52": "063",
}  # fmt: skip
"""Province → area code."""


def telephone(stream: Stream, province: str) -> str:
    """A number in a province, by its two-digit code: 051-0123-4567."""
    return f"{_AREAS[province]}-0{stream.between(100, 999)}-{stream.below(10_000):04d}"
