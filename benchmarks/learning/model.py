"""A small causal language model from scratch, and its tokenizer, trained on the corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kopa_hf.bench.rows import Row
from kopa_hf.train.templates import set_template
from kopa_hf.train.tiny import SPECIAL

TEMPLATE: Final = "qwen3_instruct_2507"
"""TRL's name of the chat template: calls in the tags of `SPECIAL`, no thoughts."""
_PIECES: Final = r"\p{N}|[가-힣]+(?:[ .,:?]+[가-힣]+)*|[^가-힣\p{N}]+"
"""Digits one by one, Hangul apart from everything else: a value is the same tokens in a question, a call and a result."""


def train_tokenizer(rows: Sequence[Row], *, vocabulary: int, least: int) -> Any:
    """Byte-level BPE over the rows' conversations as the chat template writes them.

    `least`: how often a pair must occur to become one token. Tool schemas and set phrases do; a single entity's
    name does not, so names never seen are spelled like the ones that were.
    """
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_PIECES), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    # the template is needed for the texts to train on
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    set_template(fast, TEMPLATE)
    texts = [conversation_text(fast, row) for row in rows]
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        min_frequency=least,
        special_tokens=list(SPECIAL),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    parts = [part for text in texts for part in _between_specials(text)]
    tokenizer.train_from_iterator(parts, trainer)
    trained = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    set_template(trained, TEMPLATE)
    return trained


def conversation_text(tokenizer: Any, row: Row) -> str:
    """A row's whole golden conversation as a model reads it."""
    messages = [*row.prompt, *row.completion]
    return str(tokenizer.apply_chat_template(messages, tools=row.tools, tokenize=False))


def small_model(tokenizer: Any, shape: Mapping[str, Any], seed: int) -> Any:
    """An LFM2 architecture of the given shape with random weights.

    Its short convolutions show every position the tokens before it, so that copying a value from the place that it
    stood in, which is what these tasks are made of, is learned within minutes instead of hours.
    """
    import torch
    from transformers import Lfm2Config, Lfm2ForCausalLM

    torch.manual_seed(seed)
    config = Lfm2Config(
        vocab_size=len(tokenizer),
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        tie_word_embeddings=True,
        block_auto_adjust_ff_dim=False,
        **shape,
    )
    return Lfm2ForCausalLM(config)


def prepare(settings: Mapping[str, Any], rows: Sequence[Row], folder: Path, seed: int) -> Path:
    """The model to begin with, in a folder: a fresh one of a `shape`, or a copy of the one that `name` says."""
    if "name" in settings:
        from transformers import AutoModelForCausalLM, AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(settings["name"])
        if tokenizer.pad_token is None:
            tokenizer.pad_token = tokenizer.eos_token
        set_template(tokenizer, TEMPLATE)
        return save(tokenizer, AutoModelForCausalLM.from_pretrained(settings["name"]), folder)
    sample = rows[: settings["tokenizer_rows"]]
    tokenizer = train_tokenizer(sample, vocabulary=settings["vocabulary"], least=settings["least"])
    return save(tokenizer, small_model(tokenizer, settings["shape"], seed), folder)


def save(tokenizer: Any, model: Any, folder: Path) -> Path:
    """A folder that trainers and agents load like any model's."""
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _between_specials(text: str) -> list[str]:
    parts = [text]
    for special in SPECIAL:
        parts = [piece for part in parts for piece in part.split(special)]
    return [part for part in parts if part]
