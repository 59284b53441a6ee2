"""A random Qwen3-shaped model and a tokenizer trained on the spot: what a trainer needs, without a download."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kopa_hf.bench.rows import Row

SPECIAL = (
    "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>",
    "<think>", "</think>",
)  # fmt: skip


def tiny_tokenizer(rows: Sequence[Row], *, vocab_size: int = 1200) -> Any:
    """Byte-level BPE over the rows' own text, with a chat template that TRL knows.

    vocab_size: at most so many tokens, the 256 bytes and the special ones among them.
    """
    import trl
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        special_tokens=list(SPECIAL),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    texts = [str(m["content"]) for row in rows for m in (*row.prompt, *row.completion)]
    texts += [str(tool) for row in rows for tool in row.tools]
    tokenizer.train_from_iterator(texts, trainer)
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    template = Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja"
    fast.chat_template = template.read_text(encoding="utf-8")
    return fast


def tiny_model(tokenizer: Any, *, hidden_size: int = 16, initializer_range: float = 0.02) -> Any:
    """A Qwen3 architecture of one layer and two heads; by default of a few ten thousand random weights.

    hidden_size: a multiple of 4. initializer_range: the weights' standard deviation.
    """
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=hidden_size,
        intermediate_size=2 * hidden_size,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=hidden_size // 2,
        initializer_range=initializer_range,
        max_position_embeddings=262144,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    return Qwen3ForCausalLM(config)
