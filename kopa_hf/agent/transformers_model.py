"""A local Transformers model as a chat model: template, batched generation, response reading."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from kopa_hf.agent.batching import Batcher
from kopa_hf.agent.chat_format import ChatFormat, find_format, with_system
from kopa_hf.agent.decoding import Decoder, Generated, Prompt, Sampling
from kopa_hf.agent.local_weights import find_model, load_tokenizer, load_weights
from kopa_hf.agent.models import Message, ModelError, Usage, without_halves
from kopa_hf.errors import DataError

_DEFAULTS: Final = ("temperature", "top_p", "top_k", "min_p", "repetition_penalty")
"""What a model's own generation settings decide where nothing is asked for, as servers do it."""


@dataclass(frozen=True, slots=True)
class LocalSettings:
    """How a model on this machine is loaded and run."""

    device: str = "auto"
    """auto: CUDA where there is one, else the CPU; or cpu, cuda, cuda:1, mps."""
    dtype: str = "auto"
    """auto: bfloat16 on CUDA, float32 on the CPU; or float32, bfloat16, float16."""
    batch: int = 8
    """Turns generated together at most."""
    max_new_tokens: int = 1024
    """Tokens of one turn, thinking included."""
    context: int | None = None
    """Tokens of prompt and turn together; None: what the model's configuration says."""
    tool_prompt: bool = False
    """Describe tools in our own words where the chat template cannot carry them."""
    chat_template: Path | None = None
    """A Jinja file in the place of the model's own template."""
    trust_remote_code: bool = False
    """Run code that comes with the model."""


@dataclass(slots=True)
class TransformersModel:
    """A causal language model on this machine. Make it with `load`."""

    name: str
    format: ChatFormat
    context: int | None
    identity: Mapping[str, Any]
    """Which weights on what, as plain JSON."""
    sampling: Sampling
    seed: int = 0
    fixed_seed: bool = False
    """True: the seed was asked for, and rollouts do not get their own."""
    usage: Usage = field(default_factory=Usage)
    _batcher: Batcher[Prompt, Generated] | None = field(default=None, repr=False)

    @classmethod
    def load(
        cls,
        path: Path,
        *,
        sampling: Mapping[str, Any] | None = None,
        local: LocalSettings | None = None,
        tools: bool = True,
    ) -> TransformersModel:
        """The model at a folder or GGUF file.

        With `tools`, the chat template is proven to carry calls before the weights load
        (`TemplateError`). `sampling`: names of `Sampling`, seed, chat_template_kwargs.
        Raises `DataError` for files that are no model, `MissingExtraError` without the extra.
        """
        local = local or LocalSettings()
        asked = dict(sampling or {})
        seed, template_args = asked.pop("seed", None), asked.pop("chat_template_kwargs", None) or {}
        _check(seed, template_args, local)
        Sampling.of(asked)
        files = find_model(path)
        tokenizer = load_tokenizer(files, trust_remote_code=local.trust_remote_code)
        if local.chat_template is not None:
            tokenizer.chat_template = _template_text(local.chat_template)
        name = f"The chat template of {files.name}" if local.chat_template is None else local.chat_template.name
        if tools:
            form = find_format(tokenizer, name=name, tool_prompt=local.tool_prompt, template_args=template_args)
        else:
            form = with_system(ChatFormat(tokenizer, name=name, template_args=template_args))
        model = load_weights(files, device=local.device, dtype=local.dtype, trust_remote_code=local.trust_remote_code)
        identity = {
            "weights": files.fingerprint,
            "device": model.device.type,
            "dtype": str(model.dtype).removeprefix("torch."),
            "context": local.context,
            **({"chat_template": _hash(tokenizer.chat_template)} if local.chat_template else {}),
        }
        return cls.of(files.name, model, form, identity, asked, local, seed)

    @classmethod
    def of(
        cls,
        name: str,
        model: Any,
        form: ChatFormat,
        identity: Mapping[str, Any],
        sampling: Mapping[str, Any],
        local: LocalSettings,
        seed: int | None = None,
    ) -> TransformersModel:
        """A model that is loaded already, in a proven format."""
        chosen = Sampling.of(sampling, {**_own_sampling(model), "max_tokens": local.max_new_tokens})
        stops = _stops(model, form)
        decoder = Decoder(_blank(model), chosen, stops, _pad(form.tokenizer, stops))
        batcher: Batcher[Prompt, Generated] = Batcher(decoder.generate, local.batch, decoder.stopped)
        context = local.context or _context(model, form.tokenizer)
        return cls(name, form, context, identity, chosen, seed or 0, seed is not None, _batcher=batcher)

    @property
    def settings(self) -> dict[str, Any]:
        """Everything beside the name that a result hangs on, as plain JSON."""
        chosen = {f: getattr(self.sampling, f) for f in Sampling.__dataclass_fields__}
        seed = {"seed": self.seed} if self.fixed_seed else {}
        return {**self.identity, **self.format.settings, **chosen, **seed}

    async def complete(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> Message:
        """The next turn; one cut at its number of tokens has `finish_reason` "length".

        Requests that wait at the same time are generated together.

        Raises `ModelError`: "context" for a conversation that leaves no room for an
        answer, "request" for one that the template refuses, "server" for memory, broken
        weights and failing kernels.
        """
        assert self._batcher is not None
        try:
            prompt = self.format.render(messages, tools)
        except Exception as error:
            raise ModelError("request", f"{self.format.name} refuses the conversation: {error}") from error
        ids = self.format.tokenizer(prompt, add_special_tokens=False)["input_ids"]
        room = self.sampling.max_tokens if self.context is None else self.context - len(ids)
        if room < 1 or not ids:
            raise ModelError("context", f"the prompt has {len(ids)} tokens and the model takes {self.context}")
        made = await self._batcher.submit(Prompt(ids, _row_seed(self.seed, ids), min(room, self.sampling.max_tokens)))
        self.usage.prompt += len(ids)
        self.usage.completion += len(made.ids)
        text = self.format.tokenizer.decode(made.ids, skip_special_tokens=False)
        message: Message = without_halves(self.format.read(text, tools, prompt=prompt))
        return message if made.ended else {**message, "finish_reason": "length"}

    def with_seed(self, seed: int) -> TransformersModel:
        """The same model sampling with `seed`, unless a seed was asked for; weights and counts are shared."""
        return self if self.fixed_seed else replace(self, seed=seed)

    async def aclose(self) -> None:
        """Nothing is held open between two turns."""


def _check(seed: Any, template_args: Any, local: LocalSettings) -> None:
    if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool)):
        raise DataError(f"seed must be a whole number, not {seed!r}.")
    if not isinstance(template_args, Mapping):
        raise DataError('chat_template_kwargs must be an object, e.g. {"enable_thinking": false}.')
    if local.batch < 1 or local.max_new_tokens < 1 or (local.context is not None and local.context < 1):
        raise DataError("batch, max_new_tokens and context must be at least 1.")


def _template_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"The chat template {path.name} cannot be read: {error}") from error


def _own_sampling(model: Any) -> dict[str, Any]:
    """The model's recommended settings; no sampling where it recommends none."""
    own = model.generation_config
    if not own.do_sample:
        penalty = own.repetition_penalty
        return {"repetition_penalty": float(penalty)} if penalty else {}
    found = {name: getattr(own, name, None) for name in _DEFAULTS}
    return {"temperature": 1.0, **{name: value for name, value in found.items() if value is not None}}


def _blank(model: Any) -> Any:
    """The model without generation settings of its own, which would work beside ours unseen."""
    from transformers import GenerationConfig

    model.generation_config = GenerationConfig()
    return model


def _stops(model: Any, form: ChatFormat) -> frozenset[int]:
    """Tokens that end a turn: the model's, the tokenizer's, and the one with which the template closes turns."""
    own = model.generation_config.eos_token_id
    stops = {*(own if isinstance(own, list) else [own]), form.tokenizer.eos_token_id, form.end_of_turn}
    return frozenset(int(token) for token in stops if token is not None)


def _pad(tokenizer: Any, stops: frozenset[int]) -> int:
    pad = tokenizer.pad_token_id
    return int(pad) if pad is not None else min(stops, default=0)


def _context(model: Any, tokenizer: Any) -> int | None:
    """Tokens that the model was made for; None where neither configuration nor tokenizer says."""
    length = getattr(model.config.get_text_config(), "max_position_embeddings", None)
    if isinstance(length, int) and length > 0:
        return length
    length = tokenizer.model_max_length
    return int(length) if length < 1e9 else None


def _row_seed(seed: int, ids: Sequence[int]) -> int:
    """63 bits from the seed and the prompt, so that each turn of a rollout draws afresh and repeatably."""
    digest = hashlib.sha256(f"{seed}/{','.join(map(str, ids))}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
