"""Faults: what goes wrong, as a function of seed and request.

*Transient* faults (rate limit, time-out, server error) depend on (seed, canonical
request, attempt, stream): the same try always meets the same fate, another attempt
another one. *Static* defects (dead operations, documented fields that never
arrive) depend on the seed and the operation's name. Rates stand in
`data/hazards.json`, fixed before anything is tuned on them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from kopa_hf.sandbox.codes import hazards
from kopa_hf.sandbox.rng import seed_of

FaultKind = Literal["rate_limit", "timeout", "server", "quota"]
DefectKind = Literal["gone", "failing"]

_FULL = float(1 << 64)


@cache
def _rates() -> dict[str, Any]:
    rates: dict[str, Any] = hazards()["faults"]
    return rates


@dataclass(frozen=True, slots=True)
class Faults:
    """Which faults are on. Make one with `none`, `default` or `scaled`."""

    seed: int = 0
    transient: tuple[tuple[FaultKind, float], ...] = ()
    """(kind, probability per attempt), tried in this order."""
    dead_share: float = 0.0
    """Share of operations that never answer."""
    failing_share: float = 0.0
    """Share of the dead ones that answer a server error instead of `unknown operation`."""
    missing_share: float = 0.0
    """Share of documented fields that never arrive."""
    _defects: dict[tuple[str, str], DefectKind | None] = field(default_factory=dict, compare=False, repr=False)
    _missing: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def none(cls) -> Faults:
        """A world in which every call arrives and every documented field is there."""
        return cls()

    @classmethod
    def default(cls, seed: int = 0) -> Faults:
        """Rates as committed in `data/hazards.json`."""
        return cls.scaled(seed, 1.0)

    @classmethod
    def scaled(cls, seed: int, factor: float) -> Faults:
        """Transient rates times `factor`; static defects as committed (an outage does not kill services)."""
        rates = _rates()
        transient = tuple((kind, min(rate * factor, 1.0)) for kind, rate in rates["transient"].items())
        static = rates["static"]
        return cls(
            seed=seed,
            transient=transient,
            dead_share=static["dead_operations"],
            failing_share=static["failing_of_dead"],
            missing_share=static["missing_fields"],
        )

    def transient_fault(self, request: str, attempt: int = 0, stream: str = "") -> FaultKind | None:
        """What befalls one try of a canonical request, or None."""
        if not self.transient:
            return None
        point = seed_of("fault", self.seed, request, attempt, stream) / _FULL
        for kind, rate in self.transient:
            if point < rate:
                return kind
            point -= rate
        return None

    def defect(self, wire: str, operation: str) -> DefectKind | None:
        """`gone` or `failing` for a dead operation, else None."""
        if not self.dead_share:
            return None
        key = (wire, operation)
        if key not in self._defects:
            point = seed_of("dead", self.seed, wire, operation) / _FULL
            failing = seed_of("failing", self.seed, wire, operation) / _FULL < self.failing_share
            self._defects[key] = None if point >= self.dead_share else "failing" if failing else "gone"
        return self._defects[key]

    def missing_fields(self, wire: str, operation: str, names: tuple[str, ...]) -> frozenset[str]:
        """The documented fields that this operation never sends."""
        if not self.missing_share:
            return frozenset()
        key = (wire, operation)
        if key not in self._missing:
            gone = (n for n in names if seed_of("field", self.seed, wire, operation, n) / _FULL < self.missing_share)
            self._missing[key] = frozenset(gone)
        return self._missing[key]
