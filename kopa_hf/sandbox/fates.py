"""What befalls a request on a real socket: the sandbox's faults, and those that only a connection can have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kopa_hf.errors import BackendError
from kopa_hf.sandbox.faults import Faults
from kopa_hf.sandbox.rng import seed_of

KINDS: Final[dict[str, str]] = {
    "rate_limit": "429 with Retry-After, or what the service sends instead",
    "quota": "the service's word that the day's quota is used up",
    "server": "the service's server error",
    "timeout": "the connection is held, and no answer comes",
    "reset": "the connection is reset before an answer",
    "cut": "the connection is closed in the middle of the answer",
    "slow": "the answer trickles",
    "page": "an HTML page about maintenance, with status 200",
    "empty": "status 200 and not one byte",
}
"""Fault → what a client sees."""
_FULL: Final = float(1 << 64)
_HOW: Final = f"Write KIND@N (the N-th try of each request) or KIND=SHARE, joined by commas. Kinds: {', '.join(KINDS)}."


@dataclass(frozen=True, slots=True)
class Fates:
    """Fault of a try, as a function of seed, request and the number of the try."""

    seed: int = 0
    fixed: tuple[tuple[str, int], ...] = ()
    """(kind, number of the try from 1)."""
    rates: tuple[tuple[str, float], ...] = ()
    """(kind, probability per try), tried in this order."""

    @classmethod
    def read(cls, text: str, seed: int = 0) -> Fates:
        """From `cut@1,slow=0.05`; `default` means the committed rates of `data/hazards.json`."""
        fixed: list[tuple[str, int]] = []
        rates: list[tuple[str, float]] = []
        for part in filter(None, (part.strip() for part in text.split(","))):
            if part == "default":
                rates += [(kind, rate) for kind, rate in Faults.default().transient if rate]
                continue
            kind, at, number = part.partition("@")
            if not at:
                kind, _, number = part.partition("=")
            value = _number(number, whole=bool(at))
            if kind not in KINDS or value is None:
                raise BackendError(f"{part!r} is no fault. {_HOW}")
            if at:
                fixed.append((kind, int(value)))
            else:
                rates.append((kind, value))
        if sum(rate for _, rate in rates) > 1:
            raise BackendError(f"The shares of faults add up to more than 1. {_HOW}")
        return cls(seed, tuple(fixed), tuple(rates))

    def of(self, request: str, attempt: int) -> str | None:
        """The fault of one try (from 0), or None."""
        for kind, number in self.fixed:
            if number == attempt + 1:
                return kind
        if not self.rates:
            return None
        point = seed_of("fate", self.seed, request, attempt) / _FULL
        for kind, rate in self.rates:
            if point < rate:
                return kind
            point -= rate
        return None


def _number(text: str, *, whole: bool) -> float | None:
    """The N of KIND@N or the share of KIND=SHARE; None where it is neither."""
    try:
        value = int(text) if whole else float(text)
    except ValueError:
        return None
    return value if (value >= 1 if whole else 0 <= value <= 1) else None
