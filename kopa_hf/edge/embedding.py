"""Turning signature texts into vectors.

The default needs no model and no download: hashed character n-grams. Whatever
has `name` and `embed` can take its place.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]

_MULTIPLIER: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX: Final = np.uint64(0xBF58476D1CE4E5B9)


class Embedder(Protocol):
    """Anything that turns texts into unit vectors."""

    name: str
    """Stored with the graph, so that one built by another embedder is told apart."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), size), rows of length 1 (or 0 for an empty text)."""


class HashedNgrams:
    """Character bigrams and trigrams, hashed with a sign into a fixed number of slots.

    Linear in the texts' length; equal on every machine: the hash is integer arithmetic
    on code points, and counts are exact before the final division.
    """

    def __init__(self, size: int = 512, orders: tuple[int, ...] = (2, 3)) -> None:
        self.size = size
        self.orders = orders
        self.name = f"hashed-ngrams-{'-'.join(map(str, orders))}-{size}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text."""
        vectors = np.zeros((len(texts), self.size), dtype=np.float32)
        for row, text in enumerate(texts):
            points = np.frombuffer(_prepared(text).encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
            for order in self.orders:
                if len(points) >= order:
                    self._add(vectors[row], points, order)
        # Square roots keep a label that stands in every second field from drowning the others.
        vectors = np.sign(vectors) * np.sqrt(np.abs(vectors))
        return unit_rows(vectors)

    def _add(self, vector: npt.NDArray[np.float32], points: npt.NDArray[np.uint64], order: int) -> None:
        hashes = np.full(len(points) - order + 1, order, dtype=np.uint64)
        for offset in range(order):
            hashes = (hashes ^ points[offset : len(points) - order + 1 + offset]) * _MULTIPLIER
            hashes ^= hashes >> np.uint64(29)
        hashes *= _MIX
        slots = (hashes >> np.uint64(32)) % np.uint64(self.size)
        signs = np.where(hashes & np.uint64(1 << 20), 1.0, -1.0)
        vector += np.bincount(slots.astype(np.int64), weights=signs, minlength=self.size).astype(np.float32)


def unit_rows(vectors: Vectors) -> Vectors:
    """Rows scaled to length 1; rows of zeros stay. Lengths are summed in double precision: equal on every machine."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))[:, None]
    return np.asarray(vectors / np.where(lengths == 0, 1, lengths), dtype=np.float32)


def _prepared(text: str) -> str:
    """Folded for comparison, with blanks around each word so that word ends count."""
    words = unicodedata.normalize("NFC", text).lower().split()
    return f" {' '.join(words)} " if words else ""
