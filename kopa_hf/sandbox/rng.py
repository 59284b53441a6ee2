"""Deterministic random streams keyed by text.

The same key gives the same draws on every machine, in every process: keys go
through BLAKE2b (never `hash()`), draws through SplitMix64, and derived draws use
integers or exact float operations only, so no libm difference reaches a byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final, TypeVar

T = TypeVar("T")

_MASK: Final = 0xFFFFFFFFFFFFFFFF
_GAMMA: Final = 0x9E3779B97F4A7C15
_UNIT: Final = 1.0 / (1 << 53)


def seed_of(*key: object) -> int:
    """64-bit seed of a key; parts are joined by a character that no name contains."""
    text = "\x1f".join(map(str, key))
    return int.from_bytes(blake2b(text.encode("utf-8"), digest_size=8).digest(), "little")


def mix(seed: int, index: int) -> int:
    """The `index`-th 64-bit draw of a seed, without walking there (SplitMix64)."""
    z = (seed + (index + 1) * _GAMMA) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def bell(draw: int) -> float:
    """A bell-shaped number (mean 0, deviation 1, within ±3.47) from one 64-bit draw."""
    total = (draw & 0xFFFF) + ((draw >> 16) & 0xFFFF) + ((draw >> 32) & 0xFFFF) + (draw >> 48)
    return (total - 131070) / 37837.0


class Stream:
    """A sequence of draws from one key."""

    __slots__ = ("_index", "_seed")

    def __init__(self, *key: object) -> None:
        self._seed = key[0] if len(key) == 1 and type(key[0]) is int else seed_of(*key)
        self._index = 0

    def u64(self) -> int:
        """The next 64 bits."""
        self._index = index = self._index + 1
        # `mix` written out: this is called by the million
        z = (self._seed + index * _GAMMA) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def unit(self) -> float:
        """A float in [0, 1)."""
        return (self.u64() >> 11) * _UNIT

    def below(self, n: int) -> int:
        """An integer in [0, n)."""
        self._index = index = self._index + 1
        z = (self._seed + index * _GAMMA) & _MASK  # `mix` written out here too
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return ((z ^ (z >> 31)) * n) >> 64

    def between(self, low: int, high: int) -> int:
        """An integer in [low, high], both included."""
        return low + self.below(high - low + 1)

    def chance(self, probability: float) -> bool:
        """True with that probability."""
        return (self.u64() >> 11) * _UNIT < probability

    def successes(self, count: int, probability: float) -> int:
        """How many of `count` draws of `chance` come out true; the same draws, in one loop."""
        seed, index, found = self._seed, self._index, 0
        for z in range(seed + (index + 1) * _GAMMA, seed + (index + count + 1) * _GAMMA, _GAMMA):
            z &= _MASK
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
            found += ((z ^ (z >> 31)) >> 11) * _UNIT < probability
        self._index = index + max(count, 0)
        return found

    def bell(self) -> float:
        """See `bell`."""
        return bell(self.u64())

    def choice(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self.below(len(options))]

    def weighted(self, options: Sequence[tuple[T, int]]) -> T:
        """One of the options, each with an integer weight."""
        point = self.below(sum(weight for _, weight in options))
        for option, weight in options:
            point -= weight
            if point < 0:
                return option
        return options[-1][0]

    def sample(self, options: Sequence[T], count: int) -> list[T]:
        """`count` different options (all of them where there are fewer), in drawn order."""
        pool = list(options)
        count = min(count, len(pool))
        for i in range(count):
            j = i + self.below(len(pool) - i)
            pool[i], pool[j] = pool[j], pool[i]
        return pool[:count]

    def octave(self, low: int, high: int) -> int:
        """A positive integer in [low, high] whose magnitude (power of two) is spread evenly: a long tail."""
        first, last = max(low, 1).bit_length() - 1, max(high, 1).bit_length() - 1
        power = self.between(first, last)
        return self.between(max(low, 1 << power), min(high, (2 << power) - 1))

    def digits(self, count: int) -> str:
        """A text of decimal digits whose first is not 0."""
        return str(self.between(10 ** (count - 1), 10**count - 1))


def permuted(index: int, size: int, seed: int) -> int:
    """A bijection of 0 … size-1: gives each of `size` things its own code out of a range, with no table.

    A four-round Feistel network over the next even number of bits; values outside the range walk on.
    """
    half = max((size - 1).bit_length() + 1, 2) // 2
    mask = (1 << half) - 1
    while True:
        left, right = index >> half, index & mask
        for turn in range(4):
            left, right = right, left ^ (mix(seed + turn, right) & mask)
        index = (left << half) | right
        if index < size:
            return index
