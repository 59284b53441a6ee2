"""Room for checkpoints: what one takes, whether the disk has it, and a stop before it is full.

A disk that fills up under a checkpoint costs the checkpoint; asking first costs nothing.
"""

from __future__ import annotations

import json
import math
import shutil
import sys
from pathlib import Path
from typing import Any, Final

from kopa_hf.errors import DataError
from kopa_hf.train.guard import StoppedError

_GB: Final = 1e9
_MARGIN: Final = 1.05
"""Headers, tokenizer and logs beside the tensors."""


def checkpoint_bytes(parameters: int, trainable: int, *, width: int, sharded: bool, optimizer: bool = True) -> int:
    """Bytes of one checkpoint: the weights that are saved and, unless only the model is, Adam's two moments.

    parameters: of the whole model; trainable: those that training changes, fewer with LoRA, whose adapter alone is
    saved. width: bytes of one weight. sharded: DeepSpeed and FSDP keep weights and moments in float32 beside the
    weights, and the weights twice.
    """
    saved = (parameters if trainable >= parameters else trainable) * width
    if not optimizer:
        return saved
    return 2 * saved + 12 * trainable if sharded else saved + 2 * width * trainable


def model_bytes(model: Any, *, sharded: bool, optimizer: bool = True) -> int:
    """`checkpoint_bytes` of a loaded model; under ZeRO-3 a weight knows its whole size."""
    sizes = [(int(getattr(p, "ds_numel", p.numel())), p.requires_grad, p.element_size()) for p in model.parameters()]
    return checkpoint_bytes(
        sum(size for size, _, _ in sizes),
        sum(size for size, learns, _ in sizes if learns),
        width=max(width for _, _, width in sizes),
        sharded=sharded,
        optimizer=optimizer,
    )


def free_bytes(folder: Path) -> int:
    """Free bytes where a folder is, or will be."""
    there = folder.absolute()
    while not there.exists():
        there = there.parent
    return shutil.disk_usage(there).free


def is_whole(checkpoint: Path) -> bool:
    """The trainer's state is written last: where it can be read, the checkpoint was written to its end."""
    try:
        return isinstance(json.loads((checkpoint / "trainer_state.json").read_text(encoding="utf-8")), dict)
    except (OSError, ValueError):
        return False


def last_whole(folder: Path) -> Path | None:
    """The latest checkpoint of a folder that was written to its end."""
    named = (path for path in folder.glob("checkpoint-*") if path.name.rpartition("-")[2].isdecimal())
    return max((path for path in named if is_whole(path)), key=_step, default=None)


def steps_done(checkpoint: Path) -> int:
    """The step of a whole checkpoint, as its trainer's state says it."""
    return int(json.loads((checkpoint / "trainer_state.json").read_text(encoding="utf-8")).get("global_step", 0))


def checkpoints_to_come(training: Any, per_epoch: int | None, done: int = 0) -> int | None:
    """Checkpoints that a run still writes, that of its last step with them, at least 1; None where nobody can say.

    per_epoch: steps of an epoch, where the dataset has a length; done: steps of the checkpoint that it goes on from.
    """
    last = training.max_steps
    if last <= 0:
        last = math.ceil(training.num_train_epochs * per_epoch) if per_epoch else 0
    every = None
    if training.save_strategy == "epoch":
        every = per_epoch
    elif training.save_strategy == "steps":
        # below 1 it is a share of the run
        every = int(training.save_steps) if training.save_steps >= 1 else math.ceil(last * training.save_steps)
    if not every or not last:
        return None
    return max(1, math.ceil(last / every) - done // every)


def checkpoints_at_once(training: Any) -> int:
    """Checkpoints that lie on the disk together; a new one is written before an old one goes.

    Without a limit all are kept: then the one that comes next is all that is known.
    """
    if training.save_strategy == "no":
        return 0
    return int(training.save_total_limit) + 1 if training.save_total_limit else 1


def demand_disk(training: Any, one: int, final: int, to_come: int | None = None) -> None:
    """Raises DataError where the disk cannot hold the checkpoints that a run keeps, and its final model.

    one: bytes of a checkpoint; final: bytes of the model that is saved at the end; to_come: checkpoints that the run
    still writes, where known. Whole checkpoints that are there already need no more room.
    """
    folder = Path(training.output_dir)
    there = sum(is_whole(path) for path in folder.glob("checkpoint-*"))
    number = max(0, checkpoints_at_once(training) - there)
    if to_come is not None:
        number = min(number, to_come)
    needed, free = (number * one + final) * _MARGIN, free_bytes(folder)
    if free < needed:
        raise DataError(
            f"{folder} has {free / _GB:.2f} GB free; {number} checkpoints of {one / _GB:.2f} GB and the final model of "
            f"{final / _GB:.2f} GB need {needed / _GB:.2f} GB. Free space, choose another --output_dir, or keep fewer "
            "(--save_total_limit, --save_only_model)."
        )


def disk_callback(folder: Path, one: int) -> Any:
    """A `TrainerCallback` that stops a run before a checkpoint for which there is no room (its `stopped`).

    At the last step it leaves out the checkpoint alone: the final model is smaller and may still fit.
    """
    from accelerate.utils import gather_object
    from transformers import TrainerCallback

    class DiskCallback(TrainerCallback):
        """Asks right before each checkpoint, on every process: nodes may write to disks of their own."""

        stopped: StoppedError | None = None

        def _ask(self, state: Any, control: Any) -> Any:
            if not control.should_save:
                return control
            free = min(gather_object([free_bytes(folder)]))
            if free < one * _MARGIN and state.global_step >= state.max_steps:
                control.should_save = False
                if state.is_world_process_zero:
                    sys.stderr.write(
                        f"Warning: no checkpoint of the last step: {folder} has {free / _GB:.2f} GB free, one takes "
                        f"{one * _MARGIN / _GB:.2f} GB. The final model is saved without it.\n"
                    )
            elif free < one * _MARGIN:
                last = last_whole(folder)
                self.stopped = StoppedError(
                    "disk",
                    f"Training stopped at step {state.global_step}: {folder} has {free / _GB:.2f} GB free, a checkpoint "
                    f"takes {one * _MARGIN / _GB:.2f} GB. "
                    + (f"The last whole one is {last}. " if last else "There is no earlier one. ")
                    + (
                        "Free space there and go on with --resume_from_checkpoint true."
                        if last
                        else "Free space there."
                    ),
                )
                control.should_training_stop = True
                control.should_save = control.should_evaluate = False
            return control

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> Any:
            return self._ask(state, control)

        def on_epoch_end(self, args: Any, state: Any, control: Any, **_: Any) -> Any:
            return self._ask(state, control)

    return DiskCallback()


def _step(checkpoint: Path) -> int:
    return int(checkpoint.name.rpartition("-")[2])
