"""Beta posteriors over "this edge executes": prior, updates, draws, pruning rule."""

from __future__ import annotations

import math
from typing import Final, Literal

from kopa_hf.edge.config import EdgeConfig, Updates
from kopa_hf.platforms.failures import Failure

Decision = Literal["kept", "pruned", "untried"]
TrialKind = Literal["semantic", "generic", "structural", "environmental", "no_data"]

_EPSILON: Final = 1e-15
_TINY: Final = 1e-300
_MAX_TERMS: Final = 10_000


def prior(score: float, kappa: float) -> tuple[float, float]:
    """(alpha, beta) from a judge's score in [0, 1]; kappa pseudo-counts are split by the score."""
    return 1.0 + kappa * score, 1.0 + kappa * (1.0 - score)


def increment(kind: TrialKind, outcome: str, updates: Updates) -> tuple[float, float]:
    """What one trial adds to (alpha, beta).

    `outcome` is the service's outcome, `missing_field` where the source's records lack
    the bound field, or `wrong_shape`.
    """
    if kind == "semantic":
        return updates.semantic, 0.0
    if kind == "generic":
        return updates.generic, 0.0
    return 0.0, float(getattr(updates, outcome))


def kind_of_failure(failure: Failure) -> TrialKind:
    """The trial's kind for a failed call; the three failure classes are trial kinds of the same name."""
    return failure


def exceedance(alpha: float, beta: float, tau: float) -> float:
    """Pr[theta > tau] for theta ~ Beta(alpha, beta)."""
    return beta_cdf(1.0 - tau, beta, alpha)


def is_pruned(alpha: float, beta: float, trials: int, config: EdgeConfig) -> bool:
    """True where enough trials make success improbable enough."""
    return trials >= config.min_trials and exceedance(alpha, beta, config.tau) < config.prune_below


def beta_cdf(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b).

    The continued fraction of Abramowitz and Stegun 26.5.8, evaluated with Lentz's
    method; it converges fast for x < (a + 1) / (a + b + 2), and the symmetry
    I_x(a, b) = 1 - I_{1-x}(b, a) covers the rest.
    """
    if not a > 0 or not b > 0:
        raise ValueError(f"a Beta distribution needs positive parameters, not ({a}, {b})")
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    if x < (a + 1.0) / (a + b + 2.0):
        return math.exp(log_front) * _fraction(x, a, b) / a
    return 1.0 - math.exp(log_front) * _fraction(1.0 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    c, d = 1.0, _away_from_zero(1.0 - (a + b) * x / (a + 1.0))
    d = 1.0 / d
    value = d
    for m in range(1, _MAX_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1.0 / _away_from_zero(1.0 + term * d)
            c = _away_from_zero(1.0 + term / c)
            step = c * d
            value *= step
        if abs(step - 1.0) < _EPSILON:
            return value
    return value


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
