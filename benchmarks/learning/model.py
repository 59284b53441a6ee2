"""A small causal language model from scratch, and its tokenizer, trained on the corpus."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kopa_hf.bench.rows import Row
from kopa_hf.errors import DataError
from kopa_hf.train.templates import set_template
from kopa_hf.train.tiny import SPECIAL

TEMPLATE: Final = "qwen3_instruct_2507"
"""TRL's name of the chat template: calls in the tags of `SPECIAL`, no thoughts."""
END: Final = "<|im_end|>"
_PIECES: Final = r"\p{N}|[가-힣]+(?:[ .,:?]+[가-힣]+)*|[^가-힣\p{N}]+"
"""Digits one by one, Hangul apart from everything else: a value is the same tokens in a question, a call and a result."""


def train_tokenizer(rows: Sequence[Row], *, vocabulary: int, least: int) -> Any:
    """Byte-level BPE over the rows' conversations as the chat template writes them.

    Pieces that occur `least` times or more (tool schemas, keys, set phrases) become tokens as they are; of all others
    BPE learns at most `vocabulary` tokens, and merges nothing that is rarer. So a single entity's name is no token,
    and names never seen are spelled like the ones that were.
    """
    from collections import Counter

    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

    split = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_PIECES), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    bare = _fast(Tokenizer(models.BPE()))
    texts = [part for row in rows for part in _between_specials(conversation_text(bare, row))]
    counted = Counter(piece for text in texts for piece, _ in split.pre_tokenize_str(text))
    whole = [piece for piece, times in counted.items() if times >= least and len(piece) > 1]
    learner = Tokenizer(models.BPE())
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        min_frequency=least,
        special_tokens=list(SPECIAL),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    known = set(whole)
    spelled = (piece for piece, times in counted.items() if piece not in known for _ in range(times))
    learner.train_from_iterator(spelled, trainer)
    learned = json.loads(learner.to_str())["model"]
    vocab = dict(learned["vocab"])
    for piece in whole:
        vocab.setdefault(piece, len(vocab))
    merges = [tuple(pair) for pair in learned["merges"]]
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=merges, ignore_merges=True))
    tokenizer.pre_tokenizer = split
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(list(SPECIAL))
    return _fast(tokenizer)


def _fast(tokenizer: Any) -> Any:
    """As trainers and agents take it, with the chat template."""
    from transformers import PreTrainedTokenizerFast

    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=END, pad_token="<|endoftext|>")
    set_template(fast, TEMPLATE)
    return fast


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
        return save(*_pretrained(settings["name"]), folder)
    sample = rows[: settings["tokenizer_rows"]]
    tokenizer = train_tokenizer(sample, vocabulary=settings["vocabulary"], least=settings["least"])
    return save(tokenizer, small_model(tokenizer, settings["shape"], seed), folder)


def _pretrained(name: str) -> tuple[Any, Any]:
    """A tokenizer and its model, taught where a turn of the template ends: base models end texts, not turns."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(name)
    if END not in tokenizer.get_vocab():
        raise DataError(f"{name} has no token {END}, with which {TEMPLATE} ends a turn; take another model.")
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    tokenizer.eos_token = END
    set_template(tokenizer, TEMPLATE)
    model = AutoModelForCausalLM.from_pretrained(name)
    model.config.eos_token_id = model.generation_config.eos_token_id = tokenizer.eos_token_id
    return tokenizer, model


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
