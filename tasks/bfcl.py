"""BFCL as lighteval custom tasks.

    KOPA_BFCL_DATA=bfcl_eval-….whl kopa lighteval custom NAME "$(kopa path tasks/kopa_agent.py)" bfcl \\
        --custom-tasks "$(kopa path tasks/bfcl.py)"

KOPA_BFCL_DATA is a folder, a bfcl-eval wheel (packed or unpacked), or hub:OWNER/NAME; nothing
is fetched unless it says hub:. Tasks: `bfcl` (all categories that the data holds, with the three
numbers), `bfcl_non_live`, `bfcl_live`, `bfcl_single_turn`, `bfcl_multi_turn`, and one per category: `bfcl_category:NAME`,
all of those together: `bfcl_category`.

`kopa lighteval eval PROVIDER/MODEL bfcl --custom-tasks …` runs them on lighteval's Inspect backend: Inspect's models, our loop.

With `custom`, an agent calls functions and its response is marked JSON of mode and result (`response_of`). With `accelerate`,
`vllm` and other doors a model only completes text: it is given the prompting format, single turn only.
Metrics: the leaderboard's verdict, and the value-typed one as `typed:…`; `scored`: how much of the task's data was scored. Where
that is not all of it (--max-samples, an agent's faults), categories are named with what was, and no number stands on them.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from lighteval.metrics.metrics_sample import SampleLevelComputation
from lighteval.metrics.utils.metric_utils import SampleLevelMetricGrouping
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc, SamplingMethod

from kopa_hf.bench.bfcl.agents import read_response
from kopa_hf.bench.bfcl.categories import GROUPS, is_multi_turn
from kopa_hf.bench.bfcl.entries import Entry
from kopa_hf.bench.bfcl.prepared import prepared
from kopa_hf.bench.bfcl.scoring import Score, score
from kopa_hf.bench.bfcl.solving import completion_prompt
from kopa_hf.bench.bfcl.source import code_root, load_entries, open_source, present
from kopa_hf.bench.bfcl.summary import Mark, scored_share, strict_figures, typed_figures
from kopa_hf.errors import DataError
from kopa_hf.hub.inspect_bfcl import bfcl_accuracy, bfcl_agent, bfcl_sample

DATA = open_source(None)


@cache
def apis() -> Path:
    """Where the simulated APIs of multi-turn entries lie."""
    return code_root(DATA)


def bfcl_prompt(record: dict[str, Any], task_name: str | None = None) -> Doc:
    """One entry as a lighteval document; the whole entry travels in `specific`."""
    entry = Entry.from_row(record)
    row = {name: record[name] for name in ("id", "category", "entry")}
    return Doc(
        task_name=task_name,
        query=completion_prompt(entry),
        choices=[json.dumps(entry.gold, ensure_ascii=False)],
        gold_index=0,
        specific=row,
    )


def score_response(entry: Entry, text: str) -> Score:
    """The verdicts on an agent's response, or on plain text of a model that lighteval runs without tools."""
    response = read_response(text)
    if response is not None:
        mode, result = response
        return score(entry, mode, result, apis() if is_multi_turn(entry.category) else None)
    if is_multi_turn(entry.category):
        raise DataError(
            f"{entry.id} takes several turns with calls in between, which a model that only completes text cannot do. Run it "
            "with `kopa lighteval custom`, or only the task bfcl_single_turn with this door."
        )
    return score(entry, "prompt", text)


class BfclScore(SampleLevelComputation):
    """Both verdicts on one response."""

    def compute(self, doc: Doc, model_response: ModelResponse, **kwargs: Any) -> dict[str, float]:
        entry = Entry.from_row(doc.specific)
        # lighteval keeps a model's thinking apart where it is told the tags
        texts = model_response.text_post_processed or model_response.text
        if not texts:  # the agent could not be asked; a model that completes text always has one
            missing = Mark(float("nan"), entry.category)
            return {"strict": missing, "typed": missing, "scored": Mark(0, entry.category)}
        found = score_response(entry, texts[0])
        return {
            "strict": Mark(found.strict.valid, entry.category),
            "typed": Mark(found.typed.valid, entry.category),
            "scored": Mark(1, entry.category),
        }


def mean_of_scored(values: list[float]) -> float:
    """Share of right answers among those that were scored."""
    return float(np.nanmean(values)) if np.isfinite(values).any() else float("nan")


def _metric(strict: Any, typed: Any, counts: dict[str, int]) -> SampleLevelMetricGrouping:
    return SampleLevelMetricGrouping(
        metric_name=["strict", "typed", "scored"],
        higher_is_better={"strict": True, "typed": True, "scored": True},
        category=SamplingMethod.GENERATIVE,
        sample_level_fn=BfclScore(),
        corpus_level_fn={"strict": strict, "typed": typed, "scored": partial(scored_share, counts=counts)},
    )


def _task(name: str, subset: str, members: Sequence[str]) -> LightevalTaskConfig:
    counts = {category: _COUNTS[category] for category in members if category in _COUNTS}
    if len(members) > 1:
        metric = _metric(partial(strict_figures, counts=counts), partial(typed_figures, counts=counts), counts)
    else:
        metric = _metric(mean_of_scored, mean_of_scored, counts)
    return LightevalTaskConfig(
        name=name,
        prompt_function=bfcl_prompt,
        sample_fields=partial(bfcl_sample, counts=counts),
        solver=[bfcl_agent(mode=os.environ.get("KOPA_BFCL_MODE", "fc"), policy=os.environ.get("KOPA_BFCL_POLICY"))],
        scorer=bfcl_accuracy(),
        hf_repo=str(prepared(DATA)),
        hf_subset=subset,
        hf_avail_splits=["test"],
        evaluation_splits=["test"],
        few_shots_split=None,
        few_shots_select=None,
        metrics=[metric],
        generation_size=1024,
        stop_sequence=[],
        version=1,
    )


_HELD = present(DATA)
_COUNTS = Counter(entry.category for entry in load_entries(DATA, _HELD))
TASKS_TABLE = [
    *(
        _task("bfcl" if name == "all" else f"bfcl_{name}", name, members)
        for name, members in GROUPS.items()
        if set(members) & set(_HELD)
    ),
    *(_task(f"bfcl_category:{name}", name, (name,)) for name in _HELD),
]
