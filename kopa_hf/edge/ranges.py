"""From where to where each setting of the synthesis makes sense."""

from __future__ import annotations

from typing import Any, Final

RANGES: Final[dict[str, tuple[float, float]]] = {
    "seed": (0, 2**63 - 1),
    "judge_attempts": (1, 100),
    "judge_tokens": (1, 1_000_000),
    "model_concurrency": (1, 1024),
    "embedding_batch": (1, 100_000),
    "neighbors": (1, 100_000),
    "cross_neighbors": (0, 100_000),
    "min_score": (0.0, 1.0),
    "embedding_size": (1, 65_536),
    "kappa": (0.001, 1000.0),
    "iterations": (0, 100_000),
    "paths": (1, 1_000_000),
    "max_edges": (1, 100),
    "exploration": (0.0, 1.0),
    "min_trials": (0, 1_000_000),
    "tau": (0.0, 1.0),
    "prune_below": (0.0, 1.0),
    "page_rows": (1, 100_000),
    "start_attempts": (1, 100),
    "cached_values": (1, 1_000_000),
    "stop_at_failures": (0.01, 1.0),
    "concurrency": (1, 1024),
    "workers": (0, 1024),
    "fresh_executions": (0, 1000),
    "rate_edges": (0, 100_000_000),
    "fan_out": (1, 1000),
    "rows": (1, 10_000_000),
    "attempts_per_row": (1, 100_000),
    "max_calls": (1, 1000),
    "max_collect": (1, 10_000),
    "max_rows": (1, 10_000_000),
    "headroom": (1.0, 100.0),
    "token_budget": (200, 10_000_000),
    "distractors": (0, 1000),
    "validation_share": (0.0, 0.9),
    "template_share": (0.001, 1.0),
}
"""Setting → least and most. Beyond them a run would do nothing, or never end."""

_UPDATE: Final = (0.0, 100.0)
"""Of every part of `updates`."""


def in_range(name: str, value: Any) -> bool:
    """True where a setting may have that value; a NaN never may, nor a fraction or a text where a number is due."""
    found = _range_of(name)
    if found is None:
        return True
    if isinstance(value, bool) or not isinstance(value, int if isinstance(found[1], int) else (int, float)):
        return False
    return found[0] <= value <= found[1]


def allowed(name: str) -> str:
    """What a setting may be, in words."""
    found = _range_of(name)
    if found is None:
        return "a text"
    least, most = found
    whole = isinstance(most, int)
    return f"a {'whole number' if whole else 'number'} from {least:,} to {most:,}" + (
        ", or null" if name == "rate_edges" else ""
    )


def _range_of(name: str) -> tuple[float, float] | None:
    return _UPDATE if name.startswith("updates.") else RANGES.get(name)
