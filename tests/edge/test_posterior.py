from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.edge.config import EdgeConfig, Updates
from kopa_hf.edge.posterior import beta_cdf, exceedance, increment, is_pruned, prior

scipy_stats = pytest.importorskip("scipy.stats")

UPDATES = Updates()


def test_prior_splits_kappa_by_the_score() -> None:
    assert prior(0.75, 2.0) == (2.5, 1.5)
    assert prior(1.0, 2.0) == (3.0, 1.0)


@pytest.mark.parametrize(
    ("kind", "outcome", "expected"),
    [
        ("semantic", "ok", (1.0, 0.0)),
        ("generic", "ok", (0.3, 0.0)),
        ("structural", "bad_param", (0.0, 1.0)),
        ("structural", "missing_field", (0.0, 1.5)),
        ("structural", "unknown_operation", (0.0, 1.5)),
        ("structural", "wrong_shape", (0.0, 1.0)),
        ("no_data", "no_data", (0.0, 0.5)),
        ("environmental", "rate_limit", (0.0, 0.1)),
        ("environmental", "auth", (0.0, 0.8)),
    ],
)
def test_one_trial_adds_the_documented_weight(kind: str, outcome: str, expected: tuple[float, float]) -> None:
    assert increment(kind, outcome, UPDATES) == expected  # type: ignore[arg-type]


def test_every_failure_outcome_has_a_weight_in_its_class_range() -> None:
    from kopa_hf.platforms.failures import FAILURE_OF

    ranges = {"structural": (1.0, 1.5), "environmental": (0.1, 0.8), "no_data": (0.5, 0.5)}
    for outcome, failure in FAILURE_OF.items():
        if failure is not None:
            low, high = ranges[failure]
            assert low <= increment(failure, outcome, UPDATES)[1] <= high, outcome


def test_uniform_and_symmetric_posteriors_by_hand() -> None:
    assert beta_cdf(0.25, 1, 1) == pytest.approx(0.25)
    # I_x(2, 2) = 3x² - 2x³; at 0.25: 3/16 - 2/64 = 10/64
    assert beta_cdf(0.25, 2, 2) == pytest.approx(10 / 64)
    # I_x(1, b) = 1 - (1 - x)^b
    assert exceedance(1, 3, 0.5) == pytest.approx(0.125)
    assert beta_cdf(0, 2, 3) == 0
    assert beta_cdf(1, 2, 3) == 1


@given(st.floats(0, 1), st.floats(0.05, 2000), st.floats(0.05, 2000))
def test_the_beta_cdf_agrees_with_scipy(x: float, a: float, b: float) -> None:
    assert beta_cdf(x, a, b) == pytest.approx(scipy_stats.beta.cdf(x, a, b), abs=1e-9)


def test_parameters_that_are_not_positive_are_refused() -> None:
    with pytest.raises(ValueError, match="positive"):
        beta_cdf(0.5, 0, 1)


def test_pruning_needs_enough_trials_and_an_improbable_success() -> None:
    config = EdgeConfig()
    # Beta(1, 3): Pr[theta > 0.5] = 0.125 < 0.3, but one trial is too few
    assert not is_pruned(1, 3, trials=1, config=config)
    assert is_pruned(1, 3, trials=2, config=config)
    # Beta(2, 2): 0.5
    assert not is_pruned(2, 2, trials=9, config=config)
    # Beta(1, 1.5): 0.5^1.5 = 0.3536
    assert not is_pruned(1, 1.5, trials=9, config=config)
    # Beta(1, 2): 0.25
    assert is_pruned(1, 2, trials=2, config=config)
