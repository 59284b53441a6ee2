"""SFT with TRL: `accelerate launch -m kopa_hf.train.sft --config FILE.yaml`.

Only what the assistant says carries loss; tool results and prompts carry none.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from kopa_hf.train.dataset import sft_records
from kopa_hf.train.running import command, model_options
from kopa_hf.train.settings import Settings


def build_trainer(settings: Settings, rows: Any, held_out: Any, tokenizer: Any) -> Any:
    """TRL's `SFTTrainer` over whole golden conversations (`messages`, `tools`)."""
    from trl import SFTTrainer, get_peft_config, get_quantization_config

    settings.training.model_init_kwargs = model_options(settings)
    return SFTTrainer(
        model=settings.model.model_name_or_path,
        args=settings.training,
        train_dataset=sft_records(rows),
        eval_dataset=None if held_out is None else sft_records(held_out),
        processing_class=tokenizer,
        quantization_config=get_quantization_config(settings.model),
        peft_config=get_peft_config(settings.model),
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Train from command line arguments; returns the exit code."""
    return command("sft", build_trainer, argv)


if __name__ == "__main__":
    sys.exit(main())
