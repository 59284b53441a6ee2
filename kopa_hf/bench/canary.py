"""The string by which a training corpus that swallowed the benchmark gives itself away."""

from __future__ import annotations

from typing import Final

CANARY: Final = "kopa-bench canary 4c831325-d30f-421b-837a-c445006f3934"
"""Stands in every benchmark row and on the card, and nowhere in training data."""
