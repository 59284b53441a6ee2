"""KOPA-Bench as a lighteval custom task.

    kopa lighteval custom NAME "$(kopa path tasks/kopa_agent.py)" kopa_bench --custom-tasks "$(kopa path tasks/kopa_bench.py)"
    kopa lighteval eval PROVIDER/MODEL kopa_bench --custom-tasks "$(kopa path tasks/kopa_bench.py)"

The dataset is read from KOPA_BENCH_DATA (a folder of `kopa bench export`, or a Hub repository).
A response is a transcript (JSON) of the agent's calls and its answer; the metric executes the calls
again in a fresh episode and scores them with the benchmark's own scorer.
"""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np
from inspect_ai.dataset import Sample
from lighteval.metrics.metrics_sample import SampleLevelComputation
from lighteval.metrics.utils.metric_utils import SampleLevelMetricGrouping
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc, SamplingMethod

from kopa_hf.bench.rows import COLUMNS, row_from_dict
from kopa_hf.bench.worlds import refuse_other_worlds
from kopa_hf.hub.inspect_task import kopa_accuracy, kopa_agent, kopa_sample
from kopa_hf.hub.loading import HUB_NAMESPACE
from kopa_hf.train.reward import rollout_score

METRICS = ("pass@1", "action", "scored")


def kopa_prompt(record: dict[str, Any], task_name: str | None = None) -> Doc:
    """One row as a lighteval document; the whole row travels in `specific`."""
    # lighteval adds columns of its own to a record
    row = {name: record[name] for name in COLUMNS}
    refuse_other_worlds([row])
    query = next(message["content"] for message in reversed(row["prompt"]) if message["role"] == "user")
    return Doc(
        task_name=task_name, query=query, choices=[row["answer"]], gold_index=0, specific={"row": json.dumps(row)}
    )


def inspect_sample(record: dict[str, Any]) -> Sample:
    """One row as a sample of `lighteval eval`, lighteval's Inspect backend."""
    return kopa_sample(row_from_dict({name: record[name] for name in COLUMNS}))


def transcript_of(text: str) -> list[dict[str, Any]]:
    """The agent's transcript; text of a model that lighteval runs without tools is one plain answer without calls."""
    try:
        messages = json.loads(text)
    except ValueError:
        messages = None
    if isinstance(messages, list) and all(isinstance(m, dict) and "role" in m for m in messages):
        return messages
    return [{"role": "assistant", "content": text}]


class KopaScore(SampleLevelComputation):
    """pass@1 and ACTION of one transcript. A rollout that met a fault counts in neither mean, and as not `scored`."""

    def compute(self, doc: Doc, model_response: ModelResponse, **kwargs: Any) -> dict[str, float]:
        row = row_from_dict(json.loads(doc.specific["row"]))
        # no text: the agent could not be asked; a model that completes text always has one
        score = rollout_score(row, transcript_of(model_response.text[0])) if model_response.text else None
        if score is None or score.reward is None:
            return {"pass@1": float("nan"), "action": float("nan"), "scored": 0.0}
        return {"pass@1": score.reward, "action": score.action, "scored": 1.0}


def mean_of_scored(values: list[float]) -> float:
    """Mean over rollouts that could be scored."""
    return float(np.nanmean(values)) if np.isfinite(values).any() else float("nan")


kopa_metric = SampleLevelMetricGrouping(
    metric_name=list(METRICS),
    higher_is_better={name: True for name in METRICS},
    category=SamplingMethod.GENERATIVE,
    sample_level_fn=KopaScore(),
    corpus_level_fn={name: mean_of_scored for name in METRICS},
)


def _task(name: str, subset: str) -> LightevalTaskConfig:
    return LightevalTaskConfig(
        name=name,
        prompt_function=kopa_prompt,
        sample_fields=inspect_sample,
        solver=[kopa_agent(policy=os.environ.get("KOPA_BENCH_POLICY"))],
        scorer=kopa_accuracy(),
        hf_repo=os.environ.get("KOPA_BENCH_DATA", f"{HUB_NAMESPACE}/kopa-bench"),
        hf_subset=subset,
        hf_avail_splits=["test"],
        evaluation_splits=["test"],
        few_shots_split=None,
        few_shots_select=None,
        metrics=[kopa_metric],
        generation_size=4096,
        stop_sequence=[],
        version=1,
    )


TASKS_TABLE = [_task("kopa_bench", "default"), _task("kopa_bench:held_out", "held_out")]
