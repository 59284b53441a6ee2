"""Text from a Transformers model: one padded batch at a time, each row with a seed of its own.

The choice of a token is argmax(logits) or, with a temperature, argmax(logits + Gumbel
noise), which samples exactly from the softmax. The noise comes from the row's own
generator, so a row's text hangs on its prompt and seed, and not on its neighbours
(beyond rounding: a batch's matrix products may differ from a single row's in the last
bits, which matters in bfloat16 more than in float32).
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final

from kopa_hf.agent.models import ModelError
from kopa_hf.errors import DataError

_ALIASES: Final = {"max_new_tokens": "max_tokens", "max_completion_tokens": "max_tokens"}


@dataclass(frozen=True, slots=True)
class Sampling:
    """How tokens are chosen; names are those of OpenAI-compatible servers."""

    max_tokens: int = 1024
    """New tokens of one turn."""
    temperature: float = 0.0
    """0: always the likeliest token."""
    top_p: float = 1.0
    top_k: int = 0
    """0: no limit."""
    min_p: float = 0.0
    repetition_penalty: float = 1.0

    @classmethod
    def of(cls, given: Mapping[str, Any], defaults: Mapping[str, Any] | None = None) -> Sampling:
        """Settings by name over `defaults`. Raises `DataError` for a name or value that means nothing."""
        known = {f.name: f.type for f in fields(cls)}
        values = dict(defaults or {})
        for name, value in given.items():
            name = _ALIASES.get(name, name)
            if name not in known:
                raise DataError(f"A local model knows no setting {name!r}; it knows {', '.join(known)}.")
            whole = known[name] == "int"
            if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
                raise DataError(f"{name} must be a {'whole ' if whole else ''}number, not {value!r}.")
            values[name] = value
        sampling = cls(**values)
        if sampling.max_tokens < 1 or sampling.temperature < 0 or not 0 < sampling.top_p <= 1:
            raise DataError("max_tokens must be at least 1, temperature at least 0, top_p above 0 and at most 1.")
        if sampling.top_k < 0 or not 0 <= sampling.min_p <= 1 or sampling.repetition_penalty <= 0:
            raise DataError("top_k must be at least 0, min_p between 0 and 1, repetition_penalty above 0.")
        return sampling


@dataclass(frozen=True, slots=True)
class Prompt:
    """One row of a batch."""

    ids: list[int]
    seed: int
    room: int
    """New tokens at most."""


@dataclass(frozen=True, slots=True)
class Generated:
    """What a row came to."""

    ids: list[int]
    """Without the token that ended it."""
    ended: bool
    """False: cut at its room."""


@dataclass(slots=True)
class Decoder:
    """A model with its stop tokens."""

    model: Any = field(repr=False)
    sampling: Sampling
    stops: frozenset[int]
    pad: int
    stopped: threading.Event = field(default_factory=threading.Event)
    """Set: what is being generated ends at its next token, and is thrown away."""

    def generate(self, batch: Sequence[Prompt]) -> list[Generated | Exception]:
        """One result per prompt. Rows that may write less than the others go by themselves; so do
        halves of a batch that does not fit into memory."""
        import torch

        groups: dict[int, list[int]] = {}
        for at, prompt in enumerate(batch):
            groups.setdefault(min(prompt.room, self.sampling.max_tokens), []).append(at)
        results: dict[int, Generated | Exception] = {}
        for room, rows in groups.items():
            with torch.inference_mode():
                results.update(zip(rows, self._halving([batch[at] for at in rows], room), strict=True))
        return [results[at] for at in range(len(batch))]

    def _halving(self, batch: Sequence[Prompt], room: int) -> list[Generated | Exception]:
        import torch

        try:
            return self._together(batch, room)
        except torch.OutOfMemoryError as error:
            torch.cuda.empty_cache()
            if len(batch) == 1:
                length = len(batch[0].ids)
                return [ModelError("server", f"out of memory with one prompt of {length} tokens: {error}")]
        except (RuntimeError, IndexError, ValueError) as error:  # a kernel or the model's own code fails
            return [ModelError("server", f"generating fails with {type(error).__name__}: {error}")] * len(batch)
        half = len(batch) // 2
        return [*self._halving(batch[:half], room), *self._halving(batch[half:], room)]

    def _together(self, batch: Sequence[Prompt], room: int) -> list[Generated | Exception]:
        import torch
        from transformers import GenerationConfig

        width = max(len(prompt.ids) for prompt in batch)
        pads = [width - len(prompt.ids) for prompt in batch]
        device = self.model.device
        ids = torch.tensor([[self.pad] * pad + p.ids for pad, p in zip(pads, batch, strict=True)], device=device)
        mask = torch.tensor([[0] * pad + [1] * (width - pad) for pad in pads], device=device)
        chooser = _Chooser(self, batch, pads, width)
        sequences = self.model.generate(
            input_ids=ids,
            attention_mask=mask,
            generation_config=GenerationConfig(
                max_new_tokens=room,
                do_sample=False,
                eos_token_id=sorted(self.stops) or None,
                pad_token_id=self.pad,
                repetition_penalty=1.0,
            ),
            logits_processor=[chooser],
            stopping_criteria=[self._interrupted],
        )
        if self.stopped.is_set():
            return [ModelError("server", "generating was interrupted")] * len(batch)
        rows = sequences[:, width:].tolist()
        return [chooser.faults.get(at) or self._cut(row) for at, row in enumerate(rows)]

    def _cut(self, row: Sequence[int]) -> Generated:
        for at, token in enumerate(row):
            if token in self.stops:
                return Generated(list(row[:at]), True)
        return Generated(list(row), False)

    def _interrupted(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        import torch

        return torch.full((input_ids.shape[0],), self.stopped.is_set(), device=input_ids.device)


class _Chooser:
    """A logits processor that leaves argmax the token to take, row by row."""

    def __init__(self, decoder: Decoder, batch: Sequence[Prompt], pads: Sequence[int], width: int) -> None:
        import torch

        self.faults: dict[int, ModelError] = {}
        self._sampling, self._stops = decoder.sampling, decoder.stops
        self._pads, self._width = pads, width
        self._generators = [torch.Generator().manual_seed(prompt.seed) for prompt in batch]
        self._ended = [False] * len(batch)
        self._warpers = _warpers(decoder.sampling)

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        scores = scores.float()
        if input_ids.shape[1] > self._width:
            for at, token in enumerate(input_ids[:, -1].tolist()):
                self._ended[at] = self._ended[at] or token in self._stops
        scores = self._without_faults(scores)
        if self._sampling.repetition_penalty != 1.0:
            scores = self._penalized(input_ids, scores)
        if self._sampling.temperature > 0:
            for warp in self._warpers:
                scores = warp(input_ids, scores)
            scores = scores + self._noise(scores)
        return scores

    def _without_faults(self, scores: Any) -> Any:
        """Rows whose logits are no numbers end here: whatever they went on to say would mean nothing."""
        import torch

        broken = (torch.isnan(scores) | (scores == float("inf"))).any(dim=-1)
        broken |= (scores == float("-inf")).all(dim=-1)
        for at in broken.nonzero().flatten().tolist():
            if not self._ended[at]:
                self.faults.setdefault(at, ModelError("server", "the model's logits are no numbers (NaN or infinite)"))
            scores = scores.clone()
            scores[at] = float("-inf")
            scores[at, min(self._stops, default=0)] = 0.0
        return scores

    def _penalized(self, input_ids: Any, scores: Any) -> Any:
        """The penalty of Transformers, counted over a row's own tokens and not over its padding."""
        import torch

        scores = scores.clone()
        for at, pad in enumerate(self._pads):
            seen = torch.unique(input_ids[at, pad:])
            old = scores[at, seen]
            penalty = self._sampling.repetition_penalty
            scores[at, seen] = torch.where(old < 0, old * penalty, old / penalty)
        return scores

    def _noise(self, scores: Any) -> Any:
        """Gumbel noise, -log of an exponential, drawn on the CPU so that every device draws the same."""
        import torch

        noise = torch.zeros(scores.shape, dtype=torch.float32)
        for at, generator in enumerate(self._generators):
            if not self._ended[at]:
                noise[at] = -torch.empty(scores.shape[1]).exponential_(generator=generator).log()
        return noise.to(scores.device)


def _warpers(sampling: Sampling) -> list[Any]:
    """Temperature and the cuts of Transformers, in its own order."""
    from transformers.generation import logits_process as warp

    warpers: list[Any] = []
    if sampling.temperature > 0:
        warpers.append(warp.TemperatureLogitsWarper(sampling.temperature))
    if sampling.top_k > 0:
        warpers.append(warp.TopKLogitsWarper(sampling.top_k))
    if sampling.top_p < 1:
        warpers.append(warp.TopPLogitsWarper(sampling.top_p))
    if sampling.min_p > 0:
        warpers.append(warp.MinPLogitsWarper(sampling.min_p))
    return warpers
