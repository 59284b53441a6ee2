"""Doors to chat models: what the loop needs of one, and the OpenAI-compatible endpoint.

A server that fails is not a model that answers wrongly: faults are raised as
`ModelError`, which a runner records and never scores.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any, Final, Literal, Protocol, runtime_checkable

import httpx

from kopa_hf.agent.overflow import names_overflow, tells_overflow
from kopa_hf.agent.trimming import dump
from kopa_hf.errors import KopaError
from kopa_hf.values.open_address import open_address

Message = dict[str, Any]

FaultKind = Literal[
    "auth", "rate_limit", "server", "timeout", "connection", "context", "request", "not_a_response", "filtered"
]


class ModelError(KopaError):
    """The model could not be asked, or its server did not answer as a chat endpoint does."""

    def __init__(self, kind: FaultKind, message: str) -> None:
        self.kind = kind
        self.message = message
        super().__init__(f"model server, {kind}: {message}")


class ChatModel(Protocol):
    """Anything that continues a conversation with one assistant message."""

    async def complete(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> Message:
        """The next assistant message, OpenAI style. Raises `ModelError` where none can be had."""


@runtime_checkable
class SeededModel(Protocol):
    """A chat model whose answers hang on settings and a seed, and which may hold connections open."""

    @property
    def name(self) -> str: ...

    @property
    def settings(self) -> dict[str, Any]:
        """What else than the name an answer hangs on, as plain JSON."""

    async def complete(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> Message: ...

    def with_seed(self, seed: int) -> ChatModel:
        """The same model, drawing with `seed`."""

    async def aclose(self) -> None:
        """Let go of what is held open."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often a request is sent again, and how long to wait before."""

    attempts: int = 4
    """Requests in all."""
    first_wait: float = 1.0
    """Seconds before the second request; doubles each time, with up to a half at random on top."""
    longest_wait: float = 30.0

    def wait(self, attempt: int, told: str | None) -> float:
        """Seconds before the request after `attempt` (0-based); a server's Retry-After comes first."""
        if told is not None and told.strip().isdecimal():
            return min(float(told), self.longest_wait)
        return min(self.first_wait * 2.0**attempt * (1 + random.random() / 2), self.longest_wait)


_RETRYABLE: Final[frozenset[FaultKind]] = frozenset({"rate_limit", "server", "timeout", "connection"})


_BROKEN_OFF: Final[Mapping[str, FaultKind]] = {
    **dict.fromkeys(("error", "abort", "aborted", "cancelled", "canceled", "timeout"), "server"),
    **dict.fromkeys(("failed", "internal_error", "engine_error"), "server"),
    **dict.fromkeys(("network_error", "insufficient_system_resource"), "server"),
    **dict.fromkeys(("content_filter", "sensitive"), "filtered"),
}
"""Finish reasons of a turn that its server ended: vLLM and SGLang abort, OpenRouter's error, and others' own words."""
_MODELS_OWN: Final = frozenset({"malformed_function_call", "unexpected_tool_call"})
"""Gemini's reasons that OpenRouter calls an error: what the model wrote was no call."""


_HALF: Final = re.compile("[\ud800-\udfff]")


@dataclass(slots=True)
class Usage:
    """Tokens as the server counts them, over all answers."""

    prompt: int = 0
    completion: int = 0


@dataclass(slots=True)
class EndpointModel:
    """A model behind an OpenAI-compatible `/chat/completions` (vLLM serve and others).

    Use as an async context manager, or call `aclose`.
    """

    base_url: str
    """Up to and without `/chat/completions`, e.g. http://localhost:8000/v1."""
    model: str
    api_key: str | None = field(default=None, repr=False)
    sampling: Mapping[str, Any] = field(default_factory=dict)
    """Sent as they are: temperature, top_p, max_tokens, seed, …"""
    timeout: float = 300.0
    """Seconds for one answer."""
    retry: RetryPolicy = RetryPolicy()
    transport: httpx.AsyncBaseTransport | None = None
    """Takes the network's place in tests."""
    usage: Usage = field(default_factory=Usage)
    _client: httpx.AsyncClient | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """The model's name on its server."""
        return self.model

    @property
    def settings(self) -> dict[str, Any]:
        """What is sent beside the conversation."""
        return dict(self.sampling)

    async def complete(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> Message:
        """One answer; retried for rate limits, server errors, turns broken off, time-outs and broken connections."""
        body: dict[str, Any] = {"model": self.model, "messages": [_wire(m) for m in messages], **self.sampling}
        if tools:
            body["tools"] = list(tools)
        for attempt in range(self.retry.attempts):
            response: httpx.Response | None = None
            try:
                response = await self._post(body)
                return self._message(response)
            except ModelError as fault:
                if fault.kind not in _RETRYABLE or attempt + 1 == self.retry.attempts:
                    raise
            told = response.headers.get("retry-after") if response is not None else None
            await asyncio.sleep(self.retry.wait(attempt, told))
        raise ModelError("request", "the retry policy allows no attempt")

    def with_seed(self, seed: int) -> EndpointModel:
        """The same model sampling with `seed`; connections and token counts are shared, and closed here."""
        return replace(self, sampling={"seed": seed, **self.sampling}, _client=self._connections())

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def __aenter__(self) -> EndpointModel:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _post(self, body: Mapping[str, Any]) -> httpx.Response:
        try:
            return await self._connections().post(self.base_url.rstrip("/") + "/chat/completions", json=dict(body))
        except httpx.TimeoutException as error:
            raise ModelError("timeout", f"no answer within {self.timeout:g} s") from error
        except httpx.HTTPError as error:
            raise ModelError(
                "connection", f"{type(error).__name__} at {open_address(self.base_url)}; is the server up?"
            ) from error
        except httpx.InvalidURL as error:
            raise ModelError("request", f"{open_address(self.base_url)!r} is no address: {error}") from error

    def _connections(self) -> httpx.AsyncClient:
        """The client, made on first use; how many requests run at once is the caller's business."""
        if self._client is None:
            headers = {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}
            limits = httpx.Limits(max_connections=None, max_keepalive_connections=64)
            self._client = httpx.AsyncClient(
                headers=headers, timeout=self.timeout, transport=self.transport, limits=limits
            )
        return self._client

    def _shown(self, response: httpx.Response) -> str:
        """The head of what the server said; some servers repeat the key that they refuse."""
        return self._masked(response.text)

    def _masked(self, text: str) -> str:
        text = " ".join(text.split())
        return (text.replace(self.api_key, "***") if self.api_key else text)[:300]

    def _message(self, response: httpx.Response) -> Message:
        """The first choice's message, or the fault that the answer stands for."""
        if response.status_code != 200:
            raise ModelError(_fault_kind(response), f"HTTP {response.status_code}: {self._shown(response)}")
        told = None
        try:
            payload = response.json()
            told = _error_of(payload)
            choice = payload["choices"][0]
            message = without_halves(choice["message"])
        except (ValueError, KeyError, IndexError, TypeError, RecursionError) as error:
            if told:
                raise self._failed("the server answered with an error", told) from error
            raise ModelError("not_a_response", f"no chat completion: {self._shown(response)}") from error
        usage = payload.get("usage")
        if isinstance(usage, dict):
            self.usage.prompt += _count(usage.get("prompt_tokens"))
            self.usage.completion += _count(usage.get("completion_tokens"))
        self._check_whole(choice, told)
        if not isinstance(message, dict):
            raise ModelError("not_a_response", f"the message is a {type(message).__name__}")
        # not the message's own, but who asks must know of a turn that was cut off
        return {**message, "finish_reason": choice["finish_reason"]} if choice.get("finish_reason") else message

    def _check_whole(self, choice: Mapping[str, Any], told: Any) -> None:
        """Raise where the server ended the turn and not the model, whatever text there is of it.

        An error, `told` beside the choices or in the choice itself, counts where no reason says that the model came
        to an end, or where there is nothing of a turn.
        """
        said = choice.get("finish_reason")
        reason = said.lower() if isinstance(said, str) else ""
        if str(choice.get("native_finish_reason")).lower() in _MODELS_OWN:
            return
        if _BROKEN_OFF.get(reason) == "filtered":
            raise ModelError("filtered", f"a filter of the server withheld the turn (finish_reason {said!r})")
        told = _error_of(choice) or told
        if reason in _BROKEN_OFF or (told and (not said or _says_nothing(choice["message"]))):
            raise self._failed(f"the server broke the turn off (finish_reason {said!r})", told)

    def _failed(self, what: str, told: Any) -> ModelError:
        """The fault that an answer with status 200 stands for; `told` is the server's error, None where it has none."""
        if not told:
            return ModelError("server", what)
        try:
            text = dump(without_halves(told))
        except RecursionError:
            return ModelError("server", f"{what}: nested too deeply to be shown")
        own = isinstance(told, dict) and str(told.get("code")).startswith("5")
        overflow = names_overflow(text) if own else tells_overflow(text)
        return ModelError("context" if overflow else "server", f"{what}: {self._masked(text)}")


def _error_of(value: Any) -> Any:
    """The `error` member of an answer or a choice; None where it is null, empty or holds nothing."""
    error = value.get("error") if isinstance(value, dict) else None
    return error if error and not (isinstance(error, dict) and not any(error.values())) else None


def _says_nothing(message: Any) -> bool:
    if not isinstance(message, dict):
        return not message
    content = message.get("content")
    said = content.strip() if isinstance(content, str) else content
    return not (said or message.get("tool_calls") or message.get("function_call"))


def without_halves(message: Any) -> Any:
    """A message whose half characters (lone surrogates) are U+FFFD: no file and no request can carry them."""
    text = json.dumps(message, ensure_ascii=False)
    return json.loads(_HALF.sub("\ufffd", text)) if _HALF.search(text) else message


def _wire(message: Mapping[str, Any]) -> Message:
    """A message as the protocol has it: arguments are objects everywhere else, and text here; no thinking goes back."""
    sent = {name: value for name, value in message.items() if name != "reasoning_content"}
    calls = message.get("tool_calls")
    return sent if not calls else {**sent, "tool_calls": [_wire_call(call) for call in calls]}


def _wire_call(call: Mapping[str, Any]) -> dict[str, Any]:
    function = dict(call["function"])
    if not isinstance(function.get("arguments"), str):
        function["arguments"] = dump(function.get("arguments") or {})
    return {**call, "function": function}


def _fault_kind(response: httpx.Response) -> FaultKind:
    status = response.status_code
    if status in (401, 403):
        return "auth"
    if status == 429:
        return "rate_limit"
    if status in (408, 504):
        return "timeout"
    if status in (400, 413, 422) and tells_overflow(response.text):
        return "context"
    if status >= 500:
        # llama.cpp of old sent its type with a 500; words alone may be of anything that broke
        return "context" if names_overflow(response.text) else "server"
    return "request"


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
