"""What a run will need: tokens of the rows, memory of a GPU, time of a pass. Arithmetic, no measurement.

Every number says what it stands on. The assumptions are the named constants below; a dry run prints them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from kopa_hf.agent.trimming import dump, estimate_tokens
from kopa_hf.errors import DataError
from kopa_hf.train.disk import checkpoint_bytes
from kopa_hf.train.settings import Method, Settings

_GB: Final = 1e9
TRAIN_EFFICIENCY: Final = 0.35
"""Share of the peak that training is assumed to reach."""
DECODE_EFFICIENCY: Final = 0.5
"""Share of the memory bandwidth that decoding is assumed to reach."""
OVERHEAD_GB: Final = 4.0
"""CUDA context, communication buffers and fragmentation of one GPU, assumed."""
LOGIT_TOKENS: Final = 1024
"""Tokens whose logits are held at once, assumed."""

KNOWN_SHAPES: Final[Mapping[str, Mapping[str, Any]]] = {
    "qwen3.5-4b": {"hidden_size": 2560, "intermediate_size": 9216, "tie_word_embeddings": True},
    "qwen3.5-9b": {"hidden_size": 4096, "intermediate_size": 12288},
}
"""Shapes of the presets' models, as published, where they differ from the library's default of their kind;
so that a dry run downloads nothing."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What of a model's shape memory and time hang on."""

    parameters: int
    layers: int
    attention_layers: int
    """Layers whose cache grows with the text."""
    hidden: int
    kv_width: int
    """Key heads times their width."""
    vocabulary: int
    context: int
    source: str


@dataclass(frozen=True, slots=True)
class TokenCount:
    """Tokens of the rows, the longest first of all."""

    prompt_max: int
    prompt_mean: float
    schema_max: int
    schema_mean: float
    completion_max: int
    completion_mean: float
    spoken_mean: float
    """Of the completion, what the model says itself."""
    whole_max: int
    rows: int
    source: str

    def of(self, rows: int) -> TokenCount:
        """The same means for a dataset of so many rows."""
        return replace(self, rows=rows)


def spread(rows: Any, number: int) -> list[dict[str, Any]]:
    """At most so many rows: the longest twenty by text, and others spread evenly over the rest."""
    lengths = [len(str(whole)) for whole in zip(rows["completion"], rows["tools"], strict=True)]
    by_length = sorted(range(len(rows)), key=lambda at: (-lengths[at], at))
    longest, rest = by_length[:20], sorted(by_length[20:])
    left = min(len(rest), max(0, number - len(longest)))
    picked = longest[:number] + [rest[at * len(rest) // left] for at in range(left)]
    return [rows[at] for at in picked]


def model_shape(name: str, *, trust_remote_code: bool = False) -> Shape:
    """From a folder's or a cached config.json, else from the known shapes; never from the network."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    known = KNOWN_SHAPES.get(name.rstrip("/").split("/")[-1].lower())
    try:
        config = AutoConfig.from_pretrained(name, local_files_only=True, trust_remote_code=trust_remote_code)
        source = f"config of {name}"
    except (OSError, ValueError) as error:
        if known is None:
            raise DataError(
                f"{name} is neither a model folder nor in the local cache, and its shape is not built in "
                f"(built in: {', '.join(KNOWN_SHAPES)}). Download its config.json, or pass a folder."
            ) from error
        config = AutoConfig.for_model("qwen3_5_text", **known)
        config.max_position_embeddings = 262144
        source = "built-in shape, text part"
    text = config.get_text_config()
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(text, trust_remote_code=trust_remote_code)
    kinds = getattr(text, "layer_types", None) or ["full_attention"] * text.num_hidden_layers
    head = getattr(text, "head_dim", None) or text.hidden_size // text.num_attention_heads
    heads = getattr(text, "num_key_value_heads", None) or text.num_attention_heads
    return Shape(
        parameters=sum(p.numel() for p in model.parameters()),
        layers=text.num_hidden_layers,
        attention_layers=sum(kind != "linear_attention" for kind in kinds),
        hidden=text.hidden_size,
        kv_width=heads * head,
        vocabulary=text.vocab_size,
        context=text.max_position_embeddings,
        source=source,
    )


def count_tokens(records: Sequence[Mapping[str, Any]], tokenizer: Any, template_args: Mapping[str, Any]) -> TokenCount:
    """Tokens of prompts, tool schemas and golden runs, with the model's tokenizer, or estimated without one."""

    def length(messages: Sequence[Mapping[str, Any]], tools: Any, *, opened: bool) -> int:
        if tokenizer is None:
            return sum(estimate_tokens(dump(part)) for part in (*messages, *(tools or ())))
        text = tokenizer.apply_chat_template(
            list(messages), tools=tools, tokenize=False, add_generation_prompt=opened, **template_args
        )
        return len(tokenizer(text, add_special_tokens=False)["input_ids"])

    prompts, schemas, completions, spoken = [], [], [], []
    for record in records:
        prompt, tools = record["prompt"], record["tools"]
        golden = [{k: v for k, v in m.items() if v is not None} for m in record["completion"]]
        prompts.append(length(prompt, tools, opened=True))
        schemas.append(prompts[-1] - length(prompt, None, opened=True))
        completions.append(length([*prompt, *golden], tools, opened=False) - prompts[-1])
        results = sum(
            len(tokenizer(m["content"], add_special_tokens=False)["input_ids"])
            if tokenizer is not None
            else estimate_tokens(m["content"])
            for m in golden
            if m["role"] == "tool"
        )
        spoken.append(max(completions[-1] - results, 1))
    number = len(prompts)
    return TokenCount(
        prompt_max=max(prompts),
        prompt_mean=sum(prompts) / number,
        schema_max=max(schemas),
        schema_mean=sum(schemas) / number,
        completion_max=max(completions),
        completion_mean=sum(completions) / number,
        spoken_mean=sum(spoken) / number,
        whole_max=max(p + c for p, c in zip(prompts, completions, strict=True)),
        rows=number,
        source="an estimate without tokenizer (Hangul syllable 1, Latin letter 1/3)"
        if tokenizer is None
        else "the model's tokenizer and chat template",
    )


def local_tokenizer(name: str, *, trust_remote_code: bool = False) -> Any:
    """The tokenizer of a folder or of the local cache; None where it would have to be downloaded."""
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(name, local_files_only=True, trust_remote_code=trust_remote_code)
    except (OSError, ValueError) as error:
        if Path(name).is_dir():
            raise DataError(f"No tokenizer in {name}: {str(error).splitlines()[0]}") from error
        return None


def length_problems(method: Method, settings: Settings, tokens: TokenCount, context: int | None) -> list[str]:
    """Where the longest golden run does not fit into what the settings allow."""
    problems = []
    training = settings.training
    if method == "grpo":
        allowed = training.max_completion_length
        if tokens.completion_max > allowed:
            problems.append(
                f"the longest golden run takes {tokens.completion_max} tokens, max_completion_length is {allowed}"
            )
        needed = tokens.prompt_max + allowed
        server = training.vllm_max_model_length if training.use_vllm else None
        for limit, name in ((server, "vllm_max_model_length"), (context, "the model's context")):
            if limit is not None and needed > limit:
                problems.append(f"the longest prompt and max_completion_length are {needed} tokens, {name} is {limit}")
    elif training.max_length is not None and tokens.whole_max > training.max_length:
        problems.append(f"the longest conversation is {tokens.whole_max} tokens, max_length is {training.max_length}")
    elif context is not None and tokens.whole_max > context:
        problems.append(f"the longest conversation is {tokens.whole_max} tokens, the model's context is {context}")
    return problems


@dataclass(frozen=True, slots=True)
class Layout:
    """Over how many GPUs a run is spread, and what is sharded."""

    gpus: int
    sharding: str


def layout_of(settings: Settings) -> Layout:
    """The launcher's own where there is one, else as planned."""
    if "WORLD_SIZE" not in os.environ:
        return Layout(settings.kopa.planned_gpus, settings.kopa.planned_sharding)
    sharding = "none"
    if os.environ.get("ACCELERATE_USE_DEEPSPEED") == "true":
        sharding = f"zero{os.environ.get('ACCELERATE_DEEPSPEED_ZERO_STAGE', '2')}"
    elif os.environ.get("ACCELERATE_USE_FSDP") == "true":
        sharding = "fsdp2"
    return Layout(int(os.environ["WORLD_SIZE"]), sharding)


def checkpoint(settings: Settings, shape: Shape, layout: Layout) -> tuple[int, int]:
    """Bytes of one checkpoint, and of the final model."""
    width = _width(settings)
    trainable = _lora_parameters(settings, shape) if settings.model.use_peft else shape.parameters
    whole = not getattr(settings.training, "save_only_model", False)
    sharded = layout.sharding != "none"
    return (
        checkpoint_bytes(shape.parameters, trainable, width=width, sharded=sharded, optimizer=whole),
        checkpoint_bytes(shape.parameters, trainable, width=width, sharded=False, optimizer=False),
    )


def memory(method: Method, settings: Settings, shape: Shape, tokens: TokenCount, layout: Layout) -> dict[str, float]:
    """GB of one GPU by use, at the longest rows; the sum is the last entry."""
    training, model = settings.training, settings.model
    count, share = shape.parameters, layout.gpus
    width = _width(settings)
    sharded = layout.sharding in ("zero3", "fsdp2")
    trainable = _lora_parameters(settings, shape) if model.use_peft else count
    # bf16 weights keep an fp32 copy where DeepSpeed or FSDP mixes; Adam holds two moments of the same width
    master = 0 if layout.sharding == "none" else 4
    moments = 2 * (4 if master or width == 4 else 2)
    sequence = _longest(method, settings, tokens)
    batch = training.per_device_train_batch_size
    uses = {
        "weights": count * width / (share if sharded else 1),
        "gradients": trainable * width / (share if layout.sharding in ("zero2", "zero3", "fsdp2") else 1),
        "optimizer": trainable * (master + moments) / (share if layout.sharding != "none" else 1),
        # one checkpoint a layer, and the working set of the layer that is computed anew
        "activations": batch * sequence * shape.hidden * 2 * (shape.layers + 34),
        "logits": _logits(settings, shape, sequence),
    }
    if method == "grpo":
        if training.beta and not model.use_peft:
            uses["reference model"] = count * width / (share if sharded else 1)
        cache = 2 * shape.attention_layers * shape.kv_width * 2 * sequence
        if not training.use_vllm:
            uses["generation cache"] = cache * batch * training.steps_per_generation
        elif training.vllm_mode == "colocate":
            uses["vllm"] = training.vllm_gpu_memory_utilization * settings.kopa.gpu_memory_gb * _GB
    found = {name: size / _GB for name, size in uses.items()} | {"overhead": OVERHEAD_GB}
    return found | {"total": sum(found.values())}


def hours(method: Method, settings: Settings, shape: Shape, tokens: TokenCount, layout: Layout) -> dict[str, float]:
    """Hours of the whole run by part; the sum is the last entry."""
    training, kopa = settings.training, settings.kopa
    generations = training.num_generations if method == "grpo" else 1
    passes = training.num_train_epochs
    if training.max_steps > 0:
        taken = training.per_device_train_batch_size * layout.gpus * training.gradient_accumulation_steps
        passes = training.max_steps * taken / (tokens.rows * generations)
    sequences = tokens.rows * generations * passes
    per_sequence = tokens.prompt_mean + tokens.completion_mean
    # forward 2, backward 4, and 2 more where activations are computed anew
    work = 8 * shape.parameters * per_sequence * sequences
    found = {"training": work / (kopa.gpu_tflops * 1e12 * TRAIN_EFFICIENCY * layout.gpus) / 3600}
    if method == "grpo":
        # each decoding step reads the weights once for all sequences of the batch, and every sequence's own cache
        together = max(1, training.per_device_train_batch_size * training.steps_per_generation)
        cache = 2 * shape.attention_layers * shape.kv_width * 2 * per_sequence
        step = (2 * shape.parameters + together * cache) / (kopa.gpu_bandwidth_gb * _GB * DECODE_EFFICIENCY)
        found["generation"] = sequences * tokens.spoken_mean / together * step / layout.gpus / 3600
    return found | {"total": sum(found.values())}


def _width(settings: Settings) -> int:
    """Bytes of one weight."""
    return 4 if str(settings.model.dtype) in ("float32", "None") else 2


def _longest(method: Method, settings: Settings, tokens: TokenCount) -> int:
    if method == "grpo":
        return int(tokens.prompt_max + settings.training.max_completion_length)
    return int(min(tokens.whole_max, settings.training.max_length or tokens.whole_max))


def _logits(settings: Settings, shape: Shape, sequence: int) -> float:
    """Bytes of the logits and their gradient: TRL computes them in pieces, never for a whole conversation."""
    length = min(sequence, LOGIT_TOKENS)
    return float(settings.training.per_device_train_batch_size * length * shape.vocabulary * (2 + 4))


def _lora_parameters(settings: Settings, shape: Shape) -> int:
    """Roughly: two thin matrices for seven projections a layer, each about as wide as the model."""
    return int(shape.layers * 7 * 2 * 2 * shape.hidden * settings.model.lora_r)
