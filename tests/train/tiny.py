"""The tiny model of the preflight, under the name that the tests use."""

from kopa_hf.train.tiny import tiny_model, tiny_tokenizer

__all__ = ["tiny_model", "tiny_tokenizer"]
