"""What a training run takes: TRL's own arguments, read by TRL's own parser, and a few of ours.

One YAML file holds them all; the command line overrides it, as TRL has it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

from kopa_hf.errors import DataError, MissingExtraError

Method = Literal["grpo", "sft"]
SHARDINGS: Final[tuple[str, ...]] = ("none", "zero1", "zero2", "zero3", "fsdp2")


def _about(text: str) -> dict[str, str]:
    return {"help": text}


@dataclass
class KopaArguments:
    """Arguments beyond TRL's own. Names stay clear of TRL's."""

    dry_run: bool = field(
        default=False, metadata=_about("Print memory, time and token counts and stop: no GPU, no model download.")
    )
    preflight: bool = field(
        default=True, metadata=_about("Prove before the first step that gold earns 1 and silence 0 in the trainer.")
    )
    preflight_rows: int = field(default=4, metadata=_about("Rows that the preflight plays."))
    chat_template: str | None = field(
        default=None,
        metadata=_about("A template that TRL knows by name (qwen3, qwen3_5_think, …) in place of the tokenizer's."),
    )
    action_weight: float = field(
        default=0.0, metadata=_about("Weight of ACTION, the quality of the calls, in the reward; 0 switches it off.")
    )
    format_weight: float = field(
        default=0.0, metadata=_about("Weight of a well-formed last turn in the reward; 0 switches it off.")
    )
    max_environment_errors: float = field(
        default=0.25,
        metadata=_about("Share of calls that may fail by fault of the environment; above it training stops."),
    )
    max_equal_steps: int = field(
        default=50, metadata=_about("Steps in a row in which all rewards may be equal; 0 switches this stop off.")
    )
    planned_gpus: int = field(default=1, metadata=_about("GPUs that --dry_run reckons with outside of a launch."))
    planned_sharding: str = field(
        default="none", metadata=_about("none, zero1, zero2, zero3 or fsdp2; --dry_run reckons with it.")
    )
    gpu_memory_gb: float = field(default=80.0, metadata=_about("Memory of one GPU, in GB of 10^9 bytes."))
    gpu_tflops: float = field(default=989.0, metadata=_about("Peak of one GPU in bf16, dense, in TFLOP/s."))
    gpu_bandwidth_gb: float = field(default=3350.0, metadata=_about("Memory bandwidth of one GPU, in GB/s."))

    def __post_init__(self) -> None:
        problems = [
            f"{name} must be at least 0" for name in ("action_weight", "format_weight") if not getattr(self, name) >= 0
        ]
        if not 0 <= self.max_environment_errors <= 1:
            problems.append("max_environment_errors is a share between 0 and 1")
        if self.planned_sharding not in SHARDINGS:
            problems.append(f"planned_sharding must be one of {', '.join(SHARDINGS)}")
        if self.planned_gpus < 1 or self.preflight_rows < 1 or self.max_equal_steps < 0:
            problems.append("planned_gpus and preflight_rows are at least 1, max_equal_steps at least 0")
        if problems:
            raise DataError("Training settings: " + "; ".join(problems) + ".")


class Settings(NamedTuple):
    """All arguments of one run."""

    kopa: KopaArguments
    script: Any
    """trl.ScriptArguments: dataset_name, dataset_config, the splits."""
    training: Any
    """trl.GRPOConfig or trl.SFTConfig."""
    model: Any
    """trl.ModelConfig: the model's name, dtype, LoRA, quantisation."""


def parse_settings(method: Method, argv: Sequence[str] | None = None) -> Settings:
    """Command line and `--config FILE.yaml` as TRL reads them.

    Raises DataError where the file is missing, no mapping, or names something that neither
    TRL nor this package knows. A wrong option on the command line ends with argparse's own
    message and exit code 2.
    """
    try:
        from trl import GRPOConfig, ModelConfig, ScriptArguments, SFTConfig, TrlParser
    except ImportError as error:
        raise MissingExtraError("trl", "train") from error
    config = GRPOConfig if method == "grpo" else SFTConfig
    parser = TrlParser((KopaArguments, ScriptArguments, config, ModelConfig), prog=f"python -m kopa_hf.train.{method}")
    # our datasets hold out `validation`, where TRL expects `test`
    parser.set_defaults(dataset_test_split="validation")
    if method == "sft":
        # tool results must not carry loss
        parser.set_defaults(assistant_only_loss=True)
    given = list(sys.argv[1:] if argv is None else argv)
    if {"--dry_run", "--dry-run"} & set(given) and not _has_accelerator():
        # the settings of a GPU run are refused without one, but a dry run touches none
        given += ["--use_cpu", "true"]
    try:
        kopa, script, training, model = parser.parse_args_and_config(given)
    except (OSError, ValueError, TypeError) as error:
        raise DataError(f"Training settings: {error}") from error
    if not script.dataset_name:
        raise DataError("No dataset: pass --dataset_name FOLDER (`kopa edge run` writes one) or a Hub repository.")
    if not model.model_name_or_path:
        raise DataError("No model: pass --model_name_or_path.")
    return Settings(kopa, script, training, model)


def _has_accelerator() -> bool:
    import torch

    return bool(torch.accelerator.is_available())
