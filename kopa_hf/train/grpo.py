"""GRPO with TRL: `accelerate launch -m kopa_hf.train.grpo --config FILE.yaml`.

Arguments are TRL's (GRPOConfig, ModelConfig, ScriptArguments) and `KopaArguments`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from kopa_hf.train.guard import Guard, guard_callback
from kopa_hf.train.order import OrderedEpochs
from kopa_hf.train.reward import reward_function
from kopa_hf.train.rounds import Rounds
from kopa_hf.train.running import command, model_options
from kopa_hf.train.settings import Settings
from kopa_hf.train.toolsets import build_toolsets, show_schemas


def build_trainer(settings: Settings, rows: Any, held_out: Any, tokenizer: Any) -> Any:
    """TRL's `GRPOTrainer` over the rows' toolsets, with the guard as a callback (`trainer.kopa_guard`)."""
    from datasets import concatenate_datasets
    from trl import GRPOTrainer, get_peft_config, get_quantization_config

    class Trainer(Rounds, OrderedEpochs, GRPOTrainer):
        """TRL's, whose processes keep step in the tool loop and whose resumed runs keep the order of the rows."""

    kopa, training = settings.kopa, settings.training
    training.model_init_kwargs = model_options(settings)
    guard = Guard(max_errors=kopa.max_environment_errors, max_equal_steps=kopa.max_equal_steps)
    every = rows if held_out is None else concatenate_datasets([rows, held_out])
    offered = every.select_columns(["id", "environment", "tools"])
    trainer = Trainer(
        model=settings.model.model_name_or_path,
        args=training,
        reward_funcs=reward_function(
            action_weight=kopa.action_weight, format_weight=kopa.format_weight, watch=guard.watch
        ),
        train_dataset=rows,
        eval_dataset=held_out,
        processing_class=tokenizer,
        environment_factory=build_toolsets(offered),
        quantization_config=get_quantization_config(settings.model),
        peft_config=get_peft_config(settings.model),
        callbacks=[guard_callback(guard)],
    )
    show_schemas(trainer, offered)
    trainer.kopa_guard = guard
    return trainer


def main(argv: Sequence[str] | None = None) -> int:
    """Train from command line arguments; returns the exit code."""
    return command("grpo", build_trainer, argv)


if __name__ == "__main__":
    sys.exit(main())
