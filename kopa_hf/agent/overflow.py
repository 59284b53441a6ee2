"""A conversation that outgrew the model's context, told from what its server says of it.

An overflow is the model's doing and scored, any other refusal a fault of the setup: so a
wording counts here only where it speaks of the whole prompt's length. "string too long" of
one field, a proxy's limit in bytes and a limit of tokens per minute do not.
"""

from __future__ import annotations

import re
from typing import Final

_NAMES: Final = re.compile(
    r"context_length_exceeded|context_window_exceeded|exceed_context_size_error|contextwindowexceedederror"
    r"|max_prompt_tokens_exceeded"
)
"""Values of `error.code` or `error.type` (OpenAI, llama.cpp, LiteLLM, Copilot): no other text holds such a word."""
_WORDS: Final = re.compile(
    r"context length"  # OpenAI, vLLM, SGLang, Ollama, LM Studio, Mistral
    r"|exceeds? (the |this |your )?(model.{1,8} |model )?context (window|size)|context window exceeds"  # OpenAI, MiniMax
    r"|exceeds? the available context size"  # llama.cpp
    r"|longer than the maximum model length|prompt \(\d+ tokens\) is too long"  # vLLM
    r"|max(_completion)?_tokens must be at least 1, got (0|-\d)"  # vLLM, for what the prompt leaves of the context
    r"|inputs.{1,40}max_new_tokens.{1,10} must be|inputs.{1,10} must have less than \d+ tokens"  # TGI
    r"|input length.{0,30}exceeds the maximum allowed length"  # SGLang
    r"|input token count.{0,20}exceeds the maximum"  # Gemini
    r"|prompt token count of \d+ exceeds the limit"  # Copilot
    r"|maximum prompt length is \d|exceeded model token limit"  # xAI, Kimi
    r"|reduce the length of the (messages|prompt|input)|range of input length should be"  # Groq, DashScope
    r"|prompt exceeds max length"  # Zhipu
    r"|(prompt|input|conversation|messages)( is| are)? too long"  # Anthropic, Bedrock
)
_BREAKS: Final = re.compile(r"(\s|\\{1,8}[nrt])+")
"""Also as JSON in JSON escapes them."""


def names_overflow(text: str) -> bool:
    """Whether an answer holds a code or type that stands for an overflow, nested JSON texts included."""
    return _NAMES.search(text.lower()) is not None


def tells_overflow(text: str) -> bool:
    """Whether a refusal, as it came (JSON, JSON in JSON or plain text), says that the prompt does not fit."""
    return names_overflow(text) or _WORDS.search(_BREAKS.sub(" ", text.lower())) is not None
