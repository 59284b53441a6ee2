"""What scoring costs, against a plain type check of the same calls in the same run; the bounds are twice the goals."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from kopa_hf.hub.loading import embedded_rows


def benchmark(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "score_rollouts.py"
    monkeypatch.syspath_prepend(str(path.parent))
    spec = importlib.util.spec_from_file_location("score_rollouts", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["score_rollouts"] = module
    spec.loader.exec_module(module)
    return module


def test_scoring_costs_a_few_type_checks_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    module = benchmark(monkeypatch)
    speed = module.measure(embedded_rows()[::6], rounds=10)
    assert speed.scoring <= 2 * module.GOAL * speed.check, speed
    assert speed.scoring_otherwise <= 2 * module.GOAL * speed.check, speed
    assert speed.rollouts_a_second >= 1000, speed


def test_another_spelling_of_the_calls_changes_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the slower way is timed on the same work."""
    module = benchmark(monkeypatch)
    for row, answer, calls, state in module.played(embedded_rows()[1::20]):
        again = [module.spelled_otherwise(call) for call in calls]
        assert module.score_rollout(row, again, state, answer) == module.score_rollout(row, calls, state, answer)
