"""Dataset cards: a template from `hub_cards/` filled with numbers counted from the rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from kopa_hf._version import __version__
from kopa_hf.bench.canary import CANARY
from kopa_hf.bench.rows import Row, is_held_out
from kopa_hf.hub.loading import HUB_NAMESPACE
from kopa_hf.shipped import shipped_path

PAPER = "arXiv:2609.05395"
_OWN: Final = re.compile(r'load_dataset\("[\w.-]+/(?:kopa-bench|edge-trajectories|edge-graph|tools)"', re.ASCII)


def dataset_card(name: str, splits: Mapping[str, Sequence[Row]], configs: list[dict[str, Any]], **facts: Any) -> str:
    """The card of dataset `name` (`kopa-bench` or `edge-trajectories`) as Markdown with its YAML header.

    splits: split → rows; every figure on the card is counted from them. facts: further values of a
    template, each computed by the caller (a table of scores, a funnel).
    """
    from huggingface_hub import DatasetCard, DatasetCardData

    rows = [row for part in splits.values() for row in part]
    licenses = sorted({row.license for row in rows})
    header = DatasetCardData(
        language=["ko"],
        license=licenses[0].lower() if len(licenses) == 1 else "other",
        pretty_name={"kopa-bench": "KOPA-Bench (re-creation)", "edge-trajectories": "EDGE trajectories"}[name],
        tags=["tool-use", "function-calling", "agents", "korean", "synthetic", "open-api"],
        task_categories=["text-generation"],
        size_categories=[size_category(len(rows))],
        configs=configs,
    )
    card = DatasetCard.from_template(
        header,
        template_path=str(shipped_path(f"hub_cards/{name}.md")),
        version=__version__,
        paper=PAPER,
        paper_url=f"https://arxiv.org/abs/{PAPER.removeprefix('arXiv:')}",
        repository=f"{HUB_NAMESPACE}/{name}",
        canary=CANARY,
        licenses=licenses,
        splits={split: len(part) for split, part in splits.items()},
        **figures(rows),
        **facts,
    )
    return str(card)


def card_for(text: str, repository: str) -> str:
    """A card of one of this package's datasets as it stands in `repository`: its calls of load_dataset name that one."""
    return _OWN.sub(lambda found: f'load_dataset("{repository}"', text)


def benchmark_entry(name: str, configs: Sequence[str]) -> str:
    """The eval.yaml of benchmark `name` for a folder that has these configs."""
    import yaml

    entry = yaml.safe_load(shipped_path(f"hub_cards/{name}.eval.yaml").read_text(encoding="utf-8"))
    entry["tasks"] = [task for task in entry["tasks"] if task["config"] in configs]
    return yaml.safe_dump(entry, allow_unicode=True, sort_keys=False, width=100)


def figures(rows: Sequence[Row]) -> dict[str, Any]:
    """Counts and means over rows, as the cards show them."""
    calls = [len(row.golden_actions) for row in rows]
    steps = [len({action["step"] for action in row.golden_actions}) for row in rows]
    parallel = [row for row in rows if _is_parallel(row)]
    headroom = [row.max_allowed_calls / len(row.golden_actions) for row in rows if row.golden_actions]
    return {
        "rows": len(rows),
        "domains": counts(row.domain for row in rows),
        "structures": counts(row.structure for row in rows),
        "answer_types": counts(row.answer_type for row in rows),
        "platforms": counts(platform for row in rows for platform in row.platforms),
        "mean_calls": _mean(calls),
        "max_calls": max(calls, default=0),
        "mean_steps": _mean(steps),
        "mean_tools": _mean([len(row.tools) for row in rows]),
        "parallel_share": f"{100 * len(parallel) / len(rows):.0f}%" if rows else "-",
        "headroom": _mean(headroom),
        "held_out": sum(is_held_out(row) for row in rows),
        "with_state": sum("ENVIRONMENT" in row.reward_basis for row in rows),
        "provenance": _shared_provenance(rows),
    }


def _shared_provenance(rows: Sequence[Row]) -> dict[str, Any]:
    """What the provenance of all rows agrees on; what differs from row to row stays in the rows."""
    first = rows[0].provenance if rows else {}
    return {key: value for key, value in first.items() if all(row.provenance.get(key) == value for row in rows)}


def _is_parallel(row: Row) -> bool:
    per_step = Counter(action["step"] for action in row.golden_actions)
    return any(count > 1 for count in per_step.values())


def counts(values: Iterable[str]) -> list[tuple[str, int]]:
    """How often each value occurs, most frequent first."""
    return sorted(Counter(values).items(), key=lambda item: (-item[1], item[0]))


def _mean(values: Sequence[float]) -> str:
    return f"{sum(values) / len(values):.2f}" if values else "-"


def size_category(count: int) -> str:
    """The Hub's class of size for a number of rows."""
    for bound, label in ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K")):
        if count < bound:
            return label
    return "100K<n<1M"
