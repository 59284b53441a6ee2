"""TRL's tool loop kept in step over processes.

TRL runs the loop of calls and answers on each process by itself, until its own rollouts call nothing more.
That hangs wherever generating is the work of all processes at once: with weights sharded by ZeRO-3 or FSDP2,
and with vLLM as a server or over several GPUs; and what a server returns is cut into slices as if every process
had sent equally many prompts. With `Rounds` the processes agree before each round: while one of them still has
calls, all generate, and where slices are cut, from equally many prompts.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Rounds:
    """To put in front of `trl.GRPOTrainer`: `class Trainer(Rounds, GRPOTrainer)`."""

    _spare: list[int] | None = None
    """Within a loop that is kept in step: the prompt of a process that has none of its own."""

    def _tool_call_loop(self, prompts: Any, prompt_ids: list[list[int]], *rest: Any) -> Any:
        if not _generates_together(self):
            return super()._tool_call_loop(prompts, prompt_ids, *rest)  # type: ignore[misc]  # TRL's
        self._spare = prompt_ids[0]
        try:
            done = super()._tool_call_loop(prompts, prompt_ids, *rest)  # type: ignore[misc]
            while most := _most(self, 0):
                self._round(most, [], None, {}, num_generations=1)
        finally:
            self._spare = None
        return done

    def _generate_single_turn(
        self, prompt_ids: list[list[int]], images: Any, fields: Any, num_generations: int, **more: Any
    ) -> Any:
        if self._spare is None:
            return super()._generate_single_turn(  # type: ignore[misc]
                prompt_ids, images, fields, num_generations, **more
            )
        return self._round(
            _most(self, len(prompt_ids)), prompt_ids, images, fields, num_generations=num_generations, **more
        )

    def _round(
        self, most: int, prompt_ids: list[list[int]], images: Any, fields: Any, *, num_generations: int, **more: Any
    ) -> Any:
        """Generate with all processes, of which one has `most` prompts; returns what belongs to this one's own."""
        own = len(prompt_ids)
        bounded = not _cuts_slices(self)
        if bounded:
            # one token from one token, while the others say what they have to say
            spare = [] if own else [self._spare[-1:]]  # type: ignore[index]
        else:
            spare = [self._spare] * (most - own)
        filled = None if images is None else [*images, *([None] * len(spare))]
        with _at_most_one_token(self, bounded and not own):
            ids, logprobs = super()._generate_single_turn(  # type: ignore[misc]
                [*prompt_ids, *spare], filled, fields, num_generations, **more
            )
        return ids[:own], None if logprobs is None else logprobs[:own]


def _most(trainer: Any, number: int) -> int:
    """The largest `number` over all processes."""
    import torch

    device = trainer.accelerator.device
    return int(trainer.accelerator.gather(torch.tensor([number], device=device)).max().item())


def _cuts_slices(trainer: Any) -> bool:
    """Whether several processes' prompts are generated in one call, whose answers are dealt out by place."""
    return bool(trainer.use_vllm and (trainer.vllm_mode == "server" or trainer.vllm_tensor_parallel_size > 1))


def _generates_together(trainer: Any) -> bool:
    """Whether a process that generates needs the others: for the weights' shards, or for one call of vLLM.

    vLLM beside the training needs them too: in its sleep mode it takes over the sharded weights at each call.
    """
    sharded = trainer._dist.is_zero3 or trainer._dist.is_fsdp
    return bool(trainer.accelerator.num_processes > 1 and (sharded or _cuts_slices(trainer)))


@contextmanager
def _at_most_one_token(trainer: Any, wanted: bool) -> Iterator[None]:
    """For a process without prompts of its own; what it generates is thrown away."""
    if not wanted:
        yield
        return
    holder, name = (
        (trainer.vllm_generation, "max_completion_length")
        if trainer.use_vllm
        else (trainer.generation_config, "max_new_tokens")
    )
    before = getattr(holder, name)
    setattr(holder, name, 1)
    try:
        yield
    finally:
        setattr(holder, name, before)
