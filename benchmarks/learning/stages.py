"""SFT and GRPO by the trainers of `kopa_hf.train`, each within a budget of processor seconds, and the score of a model."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from kopa_hf.agent.environment import shared_executor
from kopa_hf.bench.metrics import bootstrap_interval, pass_at_k, task_interval
from kopa_hf.bench.rows import Row
from kopa_hf.bench.runner import evaluate
from kopa_hf.execution.executor import Executor
from kopa_hf.hub.cards import dataset_card
from kopa_hf.hub.folder import row_table, write_folder
from kopa_hf.train import grpo, sft
from kopa_hf.train.running import run
from kopa_hf.train.settings import parse_settings
from learning.model import save

Method = Literal["sft", "grpo"]
METHODS: Final[tuple[Method, ...]] = ("sft", "grpo")
__all__ = ["METHODS", "Spent", "parameters", "score", "shared_executor", "train", "write_rows"]
_BUILD: Final = {"sft": sft.build_trainer, "grpo": grpo.build_trainer}
_LOGGED: Final = {
    "loss": "loss",
    "rewards/kopa_reward/mean": "reward",
    "frac_reward_zero_std": "equal_groups",
    "entropy": "entropy",
    "tools/call_frequency": "calls",
    "completions/mean_length": "completion_tokens",
    "grad_norm": "grad_norm",
}
"""TRL's name → ours, of the numbers that the log keeps."""


@dataclass(slots=True)
class Spent:
    """What one stage took, and what it logged on its way."""

    seconds: float
    """Processor seconds of training (on a GPU: seconds by the clock), evaluation and loading left out."""
    steps: int
    marks: dict[float, Path]
    """Share of the budget → folder with the model as it was then."""
    lines: list[dict[str, float]]
    """Per logged step: step, seconds, and of `_LOGGED` what the method has."""


def parameters(model: Path) -> int:
    """How many weights a model has; tied ones count once."""
    from transformers import AutoModelForCausalLM

    return sum(weights.numel() for weights in AutoModelForCausalLM.from_pretrained(model).parameters())


def write_rows(splits: Mapping[str, Sequence[Row]], folder: Path) -> Path:
    """A dataset folder as `kopa edge run` writes one."""
    tables = [row_table(rows, split=split) for split, rows in splits.items()]
    return write_folder(tables, folder, lambda files: dataset_card("edge-trajectories", splits, files))


def train(
    method: Method,
    model: Path,
    rows: Path,
    output: Path,
    settings: Mapping[str, Any],
    *,
    seconds: float,
    clock: str,
    marks: Sequence[float] = (),
) -> Spent:
    """Train the model in a folder on a folder of rows until its steps or the budget are used up; the result is in `output`.

    `settings` are the trainers' own arguments. `clock`: cpu counts processor seconds, wall seconds by the clock.
    `marks`: shares of the budget at which the model is put aside, at no cost to the budget.
    """
    arguments = {
        "model_name_or_path": model,
        "dataset_name": rows,
        "output_dir": output,
        "report_to": "none",
        "save_strategy": "no",
        "eval_strategy": "no",
        "disable_tqdm": True,
        "logging_steps": 1,
        **settings,
    }
    parsed = parse_settings(method, [part for name, value in arguments.items() for part in _option(name, value)])
    meter = _meter(seconds, clock, {share: output / f"at-{share:g}" for share in marks})

    def build(*given: Any) -> Any:
        trainer = _BUILD[method](*given)
        trainer.add_callback(meter)
        return trainer

    trainer = run(method, parsed, build)
    return Spent(meter.spent, int(trainer.state.global_step), meter.marks, meter.lines)


def _option(name: str, value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [f"--{name}", json.dumps(value)]
    return [f"--{name}", str(value)]


def _meter(budget: float, clock: str, marks: Mapping[float, Path]) -> Any:
    """A callback that ends training when the budget is used up, keeps what is logged, and puts models aside."""
    from transformers import TrainerCallback

    now = time.process_time if clock == "cpu" else time.perf_counter

    class Meter(TrainerCallback):  # type: ignore[misc]
        def __init__(self) -> None:
            self.begun = 0.0
            self.spent = 0.0
            self.lines: list[dict[str, float]] = []
            self.marks: dict[float, Path] = {}

        def on_train_begin(self, *_: Any, **__: Any) -> None:
            self.begun = now()

        def on_step_end(self, args: Any, state: Any, control: Any, **given: Any) -> None:
            self.spent = now() - self.begun
            used = max(self.spent / budget, state.global_step / state.max_steps)
            for share, folder in marks.items():
                if share not in self.marks and share <= used:
                    self.marks[share] = save(given["processing_class"], given["model"], folder)
            self.begun += now() - self.begun - self.spent
            if self.spent >= budget:
                control.should_training_stop = True

        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
            kept = {ours: float(logs[theirs]) for theirs, ours in _LOGGED.items() if logs and theirs in logs}
            if kept:
                self.lines.append({"step": state.global_step, "seconds": round(now() - self.begun, 1), **kept})

    return Meter()


def score(
    model: Path,
    rows: Sequence[Row],
    executor: Executor,
    *,
    rollouts: int,
    greedy: bool,
    local: Mapping[str, Any],
    seed: int,
) -> dict[str, Any]:
    """pass@1 and pass@4 of a model's folder by the benchmark's own agent and scorer; with `greedy` also its greedy pass@1.

    Sampled at temperature 1, which is what GRPO trains. Intervals are 95%, over tasks and their rollouts.
    """
    from kopa_hf.agent.transformers_model import LocalSettings, TransformersModel
    from kopa_hf.bench.model_policy import ModelPolicy

    began = time.process_time()
    found: dict[str, Any] = {"tasks": len(rows), "rollouts": rollouts}
    ways = [("sampled", 1.0, rollouts), *([("greedy", 0.0, 1)] if greedy else [])]
    for name, temperature, times in ways:
        sampling = {"temperature": temperature}
        loaded = TransformersModel.load(model, sampling=sampling, local=LocalSettings(**local))
        policy = ModelPolicy(model.name, loaded, max_turns=4)
        made = evaluate(policy, rows, executor, rollouts=times, seed=seed, concurrency=loaded_batch(local))
        found[name] = _rates(rows, [(r.row_id, r.score.reward == 1.0) for r in made.rollouts], times)
        found[name]["failures"] = dict(list(made.failures.items())[:6])
        found[name]["faults"] = made.metrics.faults
    found["cpu_seconds"] = round(time.process_time() - began, 1)
    return found


def loaded_batch(local: Mapping[str, Any]) -> int:
    """Rollouts at once: as many as are generated together."""
    return int(local.get("batch", 8))


def _rates(rows: Sequence[Row], results: Sequence[tuple[str, bool]], rollouts: int) -> dict[str, Any]:
    passed = {row.id: 0 for row in rows}
    for row_id, good in results:
        passed[row_id] += good
    counts = [(rollouts, number) for number in passed.values()]
    found: dict[str, Any] = {"pass_at_1": _mean([number / rollouts for _, number in counts])}
    found["pass_at_1_interval"] = _pair(task_interval(counts))
    if rollouts >= 4:
        at_four = [pass_at_k(rollouts, number, 4) for _, number in counts]
        found["pass_at_4"] = _mean(at_four)
        found["pass_at_4_interval"] = _pair(bootstrap_interval(at_four))
        found["passed"] = list(passed.values())
    kinds: dict[str, list[float]] = {}
    for row in rows:
        kinds.setdefault(row.provenance["kind"], []).append(passed[row.id] / rollouts)
    found["by_kind"] = {kind: round(_mean(values), 4) for kind, values in sorted(kinds.items())}
    return found


def _pair(interval: Any) -> list[float]:
    return [round(interval.low, 4), round(interval.high, 4)]


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 4)
