"""What each process of a launch does in the proofs: `accelerate launch … -m tests.train.proof PLAN.json`.

The plan is an object {"runs": [{"name", "arguments", "dice", "port"}], "output"}. Each run is one call of the GRPO command
in a child of this process, forked after the imports and before anything is set up: nothing but what is on the disk
passes from one run to the next, as if each had been launched by itself, and the imports are paid for once.
Each run and process leaves `output/NAME-RANK.json`: exit code, completions, rewards, and the log of the trainer
with the SHA-256 of the gathered weights.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kopa_hf.train import grpo, running

RANK = int(os.environ.get("RANK", "0"))


def digest(weights: Mapping[str, Any]) -> str:
    """SHA-256 over all weights, whole and in float32, in the order of their names."""
    found = hashlib.sha256()
    for name in sorted(weights):
        found.update(name.encode() + weights[name].detach().cpu().float().contiguous().numpy().tobytes())
    return found.hexdigest()


def gathered(trainer: Any) -> Mapping[str, Any] | None:
    """All weights, whole; None in processes that are not told (ZeRO-3 tells the first alone)."""
    accelerator = trainer.accelerator
    if getattr(accelerator, "is_fsdp2", False):
        return {name: weight.full_tensor() for name, weight in trainer.model.state_dict().items()}
    found: Mapping[str, Any] | None = accelerator.get_state_dict(trainer.model_wrapped, unwrap=False)
    return found


def shard_on_cpu() -> None:
    """Let accelerate shard by FSDP2 on the CPU: it would leave FSDP out there, silently, and train by DDP.

    It takes up FSDP for the kinds of GPU alone; for that one look it is told that this is one.
    """
    from accelerate.state import AcceleratorState, PartialState
    from accelerate.utils import DistributedType

    start = AcceleratorState.__init__

    def started(self: Any, *given: Any, **more: Any) -> None:
        if not AcceleratorState._shared_state:
            PartialState(more.get("cpu", True))
            PartialState._shared_state["distributed_type"] = DistributedType.MULTI_XPU
        start(self, *given, **more)  # which puts FSDP in its place

    AcceleratorState.__init__ = started


class Dice:
    """Sampling that does not depend on which process samples: noise from a rollout's place in the step's whole batch.

    Stands in for `torch.multinomial` within one turn: the largest probability over exponential noise, which draws
    from the same distribution.
    """

    def __init__(self, trainer: Any) -> None:
        import torch

        self.trainer, self.places, self.rollouts = trainer, [], []
        self.turn, torch.multinomial = trainer._generate_single_turn, self.draw
        trainer._generate_single_turn = self.watched

    def watched(self, prompt_ids: list[list[int]], *rest: Any, **more: Any) -> Any:
        """One turn of TRL's, with the places of its prompts known to `draw`."""
        # a later turn of a step goes on with the rollouts that called something, in their order
        at: list[int] = []
        for ids in prompt_ids:
            start = at[-1] + 1 if at else 0
            at += [i for i in range(start, len(self.rollouts)) if _goes_on(self.rollouts[i], ids)][:1]
        if not at:  # the first turn: all of this process's rollouts
            self.rollouts = [list(ids) for ids in prompt_ids]
            at = list(range(len(prompt_ids)))
        first = self.trainer.accelerator.process_index * self.trainer.args.per_device_train_batch_size
        self.places = [(first + i, len(ids)) for i, ids in zip(at, prompt_ids, strict=True)]
        try:
            said, logprobs = self.turn(prompt_ids, *rest, **more)
        finally:
            self.places = []
        for i, ids, new in zip(at, prompt_ids, said, strict=True):
            self.rollouts[i] = [*ids, *new]
        return said, logprobs

    def draw(self, probabilities: Any, num_samples: int) -> Any:
        import torch

        step = self.trainer.state.global_step
        noise = torch.ones_like(probabilities)
        for row, (place, length) in enumerate(self.places):
            dice = torch.Generator().manual_seed((step * 64 + place) * 2**20 + length)
            noise[row].exponential_(generator=dice)
            self.places[row] = (place, length + 1)
        return (probabilities / noise).argmax(-1, keepdim=True)


def _goes_on(before: list[int], ids: list[int]) -> bool:
    return ids[: len(before)] == before


def one_run(arguments: list[str], *, dice: bool) -> dict[str, Any]:
    """One call of the command, and what this process saw of it."""
    seen: dict[str, Any] = {"completions": [], "rewards": [], "rounds": []}
    kept: dict[str, Any] = {}

    def build(*parts: Any) -> Any:
        trainer = kept["trainer"] = grpo.build_trainer(*parts)
        paid = trainer.reward_funcs[0]

        def recorded(prompts: Any, completions: Any, **given: Any) -> Any:
            rewards = paid(prompts, completions, **given)
            seen["completions"] += given["completion_ids"]
            seen["rewards"] += rewards
            calls = [sum(bool(message.get("tool_calls")) for message in completion) for completion in completions]
            seen["rounds"].append(max(calls))
            return rewards

        trainer.reward_funcs[0] = recorded
        if dice:
            Dice(trainer)
        return trainer

    seen["code"] = running.command("grpo", build, arguments)
    if seen["code"]:
        return seen
    trainer = kept["trainer"]
    weights = gathered(trainer)
    how = trainer._dist
    seen["backend"] = [trainer.accelerator.distributed_type.value, how.zero_stage, how.fsdp_version]
    return seen | {"log": trainer.state.log_history, "sha": digest(weights) if weights else None}


def main(plan: Mapping[str, Any]) -> None:
    for run in plan["runs"]:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                # the launcher's store remembers the processes of the runs before: each run has its own
                os.environ |= {"TORCHELASTIC_USE_AGENT_STORE": "False", "MASTER_PORT": str(run["port"])}
                found = one_run(run["arguments"], dice=run["dice"])
                Path(plan["output"], f"{run['name']}-{RANK}.json").write_text(json.dumps(found))
                code = int(found["code"])
            except Exception:  # noqa: BLE001  # a child must not run on in its parent's frames
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(code)
        _, status = os.waitpid(child, 0)
        if status:
            sys.exit(f"Run {run['name']} of process {RANK} ended with {os.waitstatus_to_exitcode(status)}.")


if __name__ == "__main__":
    # here, so that the children need not
    import deepspeed
    import trl.trainer.grpo_trainer  # noqa: F401

    # DeepSpeed's own reduction for processes on one CPU is compiled at first use, for a minute; gloo does the same
    deepspeed.ops.__compatible_ops__["deepspeed_shm_comm"] = False
    if os.environ.get("ACCELERATE_USE_FSDP") == "true":
        shard_on_cpu()
    main(json.loads(Path(sys.argv[1]).read_text()))
