"""`--dry_run`: what a run will need, and whether its golden runs fit, without a GPU and without a download."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Any

from kopa_hf.errors import install_advice
from kopa_hf.train.dataset import load_rows
from kopa_hf.train.disk import checkpoints_at_once
from kopa_hf.train.estimate import (
    DECODE_EFFICIENCY,
    OVERHEAD_GB,
    TRAIN_EFFICIENCY,
    Layout,
    Shape,
    TokenCount,
    checkpoint,
    count_tokens,
    hours,
    layout_of,
    length_problems,
    local_tokenizer,
    memory,
    model_shape,
    spread,
)
from kopa_hf.train.settings import Method, Settings
from kopa_hf.train.templates import set_template

ROWS = 300
"""Rows whose tokens are counted: the longest twenty, and others spread over the dataset."""


def dry_run(method: Method, settings: Settings) -> int:
    """Print the estimate; 0 where the golden runs fit and the memory is enough, else 1."""
    script, training = settings.script, settings.training
    trust = bool(getattr(training, "trust_remote_code", False))
    rows = load_rows(script.dataset_name, script.dataset_train_split, config=script.dataset_config)
    name = settings.model.model_name_or_path
    tokenizer = local_tokenizer(name, trust_remote_code=trust)
    template = "not checked: the tokenizer would have to be downloaded"
    if tokenizer is not None:
        template = set_template(tokenizer, settings.kopa.chat_template, method=method)
    arguments = getattr(training, "chat_template_kwargs", None) or {}
    counted = count_tokens(spread(rows, ROWS), tokenizer, arguments)
    shape = model_shape(name, trust_remote_code=trust)
    layout = layout_of(settings)
    used = memory(method, settings, shape, counted, layout)
    problems = length_problems(method, settings, counted, shape.context) + vllm_problems(settings, layout)
    if used["total"] > settings.kopa.gpu_memory_gb:
        problems.append(f"{used['total']:.0f} GB are needed, a GPU has {settings.kopa.gpu_memory_gb:g}")
    taken = hours(method, settings, shape, counted.of(len(rows)), layout)
    lines = _lines(settings, shape, counted, layout, len(rows), template, used, taken)
    sys.stdout.write("\n".join([*lines, *(f"problem      {problem}" for problem in problems)]) + "\n")
    return 1 if problems else 0


def _lines(
    settings: Settings,
    shape: Shape,
    counted: TokenCount,
    layout: Layout,
    rows: int,
    template: str,
    used: dict[str, float],
    taken: dict[str, float],
) -> list[str]:
    kopa = settings.kopa
    return [
        f"model        {settings.model.model_name_or_path}: {shape.parameters / 1e9:.2f}e9 parameters, "
        f"context {shape.context} ({shape.source})",
        f"rows         {rows} of {settings.script.dataset_name}, {counted.rows} of them counted",
        f"template     {template}",
        f"tokens       by {counted.source}",
        f"  prompt     mean {counted.prompt_mean:.0f}, longest {counted.prompt_max}; "
        f"of these tool schemas mean {counted.schema_mean:.0f}, longest {counted.schema_max}",
        f"  golden run mean {counted.completion_mean:.0f}, longest {counted.completion_max}; "
        f"said by the model mean {counted.spoken_mean:.0f}",
        f"layout       {layout.gpus} GPU(s), sharding {layout.sharding}",
        f"memory       {_parts(used, 'GB', 1)} of {kopa.gpu_memory_gb:g} GB a GPU",
        f"disk         {_disk(settings, shape, layout)}",
        *([f"vllm         {_vllm(settings)}"] if getattr(settings.training, "use_vllm", False) else []),
        f"time         at least {_parts(taken, 'h', 2)}; waiting for the slowest rollout of a batch is not in it",
        f"assumed      {TRAIN_EFFICIENCY:.0%} of {kopa.gpu_tflops:g} TFLOP/s, {DECODE_EFFICIENCY:.0%} of "
        f"{kopa.gpu_bandwidth_gb:g} GB/s, {OVERHEAD_GB:g} GB overhead; an estimate, not a measurement",
    ]


def _parts(parts: dict[str, Any], unit: str, digits: int) -> str:
    told = ", ".join(f"{name} {value:.{digits}f}" for name, value in parts.items() if name != "total")
    return f"{parts['total']:.{digits}f} {unit} ({told})"


def vllm_problems(settings: Settings, layout: Layout) -> list[str]:
    """What of vLLM's settings cannot work; TRL itself would say so only after the model is loaded."""
    training = settings.training
    if not getattr(training, "use_vllm", False) or training.vllm_mode != "colocate":
        return []
    parallel = training.vllm_tensor_parallel_size
    problems = []
    if parallel < 1 or layout.gpus % parallel:
        problems.append(f"vllm_tensor_parallel_size {parallel} does not divide {layout.gpus} GPU(s)")
    if not 0 < training.vllm_gpu_memory_utilization < 1:
        problems.append(f"vllm_gpu_memory_utilization {training.vllm_gpu_memory_utilization:g} is no share below 1")
    return problems


def _vllm(settings: Settings) -> str:
    """Where generation runs, and the command of the server where it is one."""
    training = settings.training
    here = "installed" if find_spec("vllm") else "not installed here: " + install_advice("vllm")
    if training.vllm_mode == "colocate":
        return (
            f"colocate, {training.vllm_gpu_memory_utilization:.0%} of each GPU, "
            f"tensor parallel {training.vllm_tensor_parallel_size}; {here}"
        )
    where = training.vllm_server_base_url or f"http://{training.vllm_server_host}:{training.vllm_server_port}"
    length = f" --max-model-len {training.vllm_max_model_length}" if training.vllm_max_model_length else ""
    return (
        f"server at {where}, on GPUs of its own; {here}; start it with\n"
        f"             VLLM_SERVER_DEV_MODE=1 vllm serve {settings.model.model_name_or_path} "
        '--weight-transfer-config \'{"backend": "nccl"}\' --logprobs-mode processed_logprobs --max-logprobs -1'
        f"{length}"
    )


def _disk(settings: Settings, shape: Shape, layout: Layout) -> str:
    one, final = (size / 1e9 for size in checkpoint(settings, shape, layout))
    number = checkpoints_at_once(settings.training)
    kept = f"{number} at once" if settings.training.save_total_limit or not number else "all are kept"
    return f"a checkpoint {one:.1f} GB, {kept}; the final model {final:.1f} GB"
