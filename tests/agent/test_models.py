"""The OpenAI-compatible endpoint."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from kopa_hf.agent.models import EndpointModel, ModelError, RetryPolicy

HELLO = {"role": "assistant", "content": "안녕"}
QUICK = RetryPolicy(attempts=3, first_wait=0.0)


def completion(message: Any = HELLO, **more: Any) -> httpx.Response:
    return httpx.Response(200, json={"choices": [{"message": message}], **more})


def ask(
    handler: Callable[[httpx.Request], httpx.Response], messages: list[dict[str, Any]] | None = None, **settings: Any
) -> tuple[dict[str, Any], EndpointModel]:
    async def once() -> tuple[dict[str, Any], EndpointModel]:
        transport = httpx.MockTransport(handler)
        settings.setdefault("retry", QUICK)
        async with EndpointModel("http://model.test/v1/", "qwen", transport=transport, **settings) as model:
            return await model.complete(messages or [{"role": "user", "content": "안녕?"}], []), model

    return asyncio.run(once())


class Replies:
    """Answers one response (or exception) after the other."""

    def __init__(self, *replies: httpx.Response | Exception) -> None:
        self.replies = list(replies)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply


def test_the_request_is_an_ordinary_chat_completion() -> None:
    replies = Replies(completion(usage={"prompt_tokens": 7, "completion_tokens": 2}))
    message, model = ask(replies, api_key="sk-test", sampling={"temperature": 0.2})
    assert message == HELLO
    assert (model.usage.prompt, model.usage.completion) == (7, 2)
    (request,) = replies.requests
    assert str(request.url) == "http://model.test/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer sk-test"
    assert json.loads(request.content) == {
        "model": "qwen",
        "messages": [{"role": "user", "content": "안녕?"}],
        "temperature": 0.2,
    }


def test_arguments_are_serialised_once_with_raw_hangul() -> None:
    replies = Replies(completion())
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": {"sido": "서울"}}}
    ask(replies, [{"role": "assistant", "content": "", "tool_calls": [call]}])
    sent = json.loads(replies.requests[0].content)["messages"][0]["tool_calls"][0]["function"]["arguments"]
    assert sent == '{"sido":"서울"}'
    assert call["function"] == {"name": "f", "arguments": {"sido": "서울"}}


@pytest.mark.parametrize(
    "first",
    [
        httpx.Response(429),
        httpx.Response(503),
        httpx.Response(429, headers={"retry-after": "0"}),
        httpx.ReadTimeout("slow"),
        httpx.ConnectError("refused"),
    ],
)
def test_what_may_pass_is_tried_again(first: httpx.Response | Exception) -> None:
    replies = Replies(first, completion())
    assert ask(replies)[0] == HELLO
    assert len(replies.requests) == 2


@pytest.mark.parametrize(
    ("reply", "kind", "requests"),
    [
        (httpx.Response(401, text="no key"), "auth", 1),
        (httpx.Response(404, text="no such model"), "request", 1),
        (httpx.Response(400, text="maximum context length is 4096"), "context", 1),
        (httpx.Response(200, text="<html>"), "not_a_response", 1),
        (httpx.Response(200, json={"choices": []}), "not_a_response", 1),
        (httpx.Response(200, json=[]), "not_a_response", 1),
        (httpx.Response(200, json={"choices": [{"message": "hi"}]}), "not_a_response", 1),
        (httpx.Response(500), "server", 3),
        (httpx.Response(429), "rate_limit", 3),
        (httpx.ReadTimeout("slow"), "timeout", 3),
        (httpx.ConnectError("refused"), "connection", 3),
    ],
)
def test_a_fault_is_typed_and_only_what_may_pass_is_retried(
    reply: httpx.Response | Exception, kind: str, requests: int
) -> None:
    replies = Replies(*[reply] * 3)
    with pytest.raises(ModelError) as caught:
        ask(replies)
    assert caught.value.kind == kind
    assert len(replies.requests) == requests


def refused(message: str, status: int = 400, **more: Any) -> httpx.Response:
    return httpx.Response(
        status, json={"error": {"message": message, "type": "BadRequestError", "code": status, **more}}
    )


TOLD = {"error": {"message": "Your input exceeds the context window of this model.", "code": "context_length_exceeded"}}
OVERFLOWS = {
    "openai": refused("This model's maximum context length is 4096 tokens. However, your messages resulted in 5000."),
    "openai, window": refused("Your input exceeds the context window of this model. Please adjust your input."),
    "openai, code": refused("Too much.", code="context_length_exceeded"),
    "llama.cpp": refused("request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it"),
    "llama.cpp, type": refused("No.", type="exceed_context_size_error", n_prompt_tokens=5000, n_ctx=4096),
    "llama.cpp, 500": refused("No.", 500, type="exceed_context_size_error"),
    "llama-cpp-python": refused("Requested tokens (5000) exceed context window of 4096"),
    "vllm": refused("The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that"),
    "vllm, nothing left": refused("max_tokens must be at least 1, got -904."),
    "vllm, prompt": refused("Input prompt (5000 tokens) is too long and exceeds limit of 4096"),
    "sglang": refused("The input (5000 tokens) is longer than the model's context length (4096 tokens)."),
    "sglang, length": refused("Input length (5000 tokens) exceeds the maximum allowed length (4095 tokens)."),
    "ollama": refused("the input length exceeds the context length"),
    "tgi": refused("Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000", 422),
    "tgi, inputs": refused("Input validation error: `inputs` must have less than 4096 tokens. Given: 5000", 422),
    "anthropic": refused("prompt is too long: 210000 tokens > 200000 maximum", type="invalid_request_error"),
    "bedrock": refused("Input is too long for requested model.", 413),
    "gemini": refused("The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)."),
    "nested": refused("Provider returned error", metadata={"raw": json.dumps(TOLD)}),
    "nested twice": refused(json.dumps({"message": json.dumps({"error": {"message": "prompt is\ntoo long: 5 > 4"}})})),
    "plain text": httpx.Response(400, text="Prompt is too long"),
}


@pytest.mark.parametrize("name", OVERFLOWS)
def test_a_context_that_overflowed_is_known_by_code_type_or_words(name: str) -> None:
    replies = Replies(OVERFLOWS[name])
    with pytest.raises(ModelError) as caught:
        ask(replies)
    assert caught.value.kind == "context"


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (refused("Invalid 'messages[2].tool_calls[0].id': string too long. Expected a maximum length 40."), "request"),
        (refused("Invalid 'messages': array too long.", code="array_above_max_length"), "request"),
        (httpx.Response(413, html="<html>413 Request Entity Too Large: upstream took too long</html>"), "request"),
        (
            refused("Request too large on tokens per minute (TPM): Limit 6000, please reduce your message size", 413),
            "request",
        ),
        (refused("messages[2].content exceeds the maximum allowed length"), "request"),
        (refused("max_tokens must be at most 4096, got 5000"), "request"),
        (refused("URI too long", 404), "request"),
        (refused("prompt is too long", 503), "server"),
        (refused("context length exceeded", 500), "server"),
    ],
)
def test_a_refusal_of_something_else_that_is_too_long_is_a_fault(reply: httpx.Response, kind: str) -> None:
    with pytest.raises(ModelError) as caught:
        ask(Replies(reply), retry=RetryPolicy(attempts=1))
    assert caught.value.kind == kind


def ended(reason: Any, content: str | None = "12명입", **more: Any) -> httpx.Response:
    """A turn with half a text and the reason why it ended."""
    choice = {"message": {"role": "assistant", "content": content}, "finish_reason": reason, **more}
    return httpx.Response(200, json={"choices": [choice]})


@pytest.mark.parametrize("content", ["", None, "12명입"])
@pytest.mark.parametrize("reason", ["abort", "error", "ERROR", "cancelled", "timeout", "network_error", "failed"])
def test_a_turn_that_the_server_broke_off_is_asked_for_again_and_then_a_fault(reason: str, content: str | None) -> None:
    replies = Replies(ended(reason, content), completion())
    assert ask(replies)[0] == HELLO
    assert len(replies.requests) == 2
    replies = Replies(*[ended(reason, content)] * 3)
    with pytest.raises(ModelError, match=f"broke the turn off .finish_reason '{reason}'") as caught:
        ask(replies)
    assert (caught.value.kind, len(replies.requests)) == ("server", 3)


@pytest.mark.parametrize("reason", ["internal_error", "engine_error"])
def test_an_engines_own_error_breaks_a_turn_off_like_an_error(reason: str) -> None:
    with pytest.raises(ModelError, match="broke the turn off") as caught:
        ask(Replies(*[ended(reason, "")] * 3))
    assert caught.value.kind == "server"


DIED = {"code": 502, "message": "upstream died"}
SAYS_NOTHING = {"message": {"role": "assistant", "content": " "}, "finish_reason": "stop"}


@pytest.mark.parametrize(
    "body",
    [
        {"error": DIED},
        {"error": "upstream died"},
        {"error": DIED, "choices": None},
        {"error": DIED, "choices": []},
        {"error": DIED, "choices": [SAYS_NOTHING]},
        {"error": DIED, "choices": [{"message": None, "finish_reason": "stop"}]},
        {"error": DIED, "choices": [{"message": HELLO, "finish_reason": None}]},
        {"choices": [{**SAYS_NOTHING, "error": DIED}]},
        {"choices": [{"message": HELLO, "finish_reason": None, "error": DIED}]},
        {"error": {"code": 503, "message": "upstream died: no memory for its context length"}},
    ],
)
def test_an_error_under_status_200_is_asked_for_again_and_then_the_servers(body: dict[str, Any]) -> None:
    replies = Replies(httpx.Response(200, json=body), completion())
    assert ask(replies)[0] == HELLO
    replies = Replies(*[httpx.Response(200, json=body)] * 3)
    with pytest.raises(ModelError, match="upstream died") as caught:
        ask(replies)
    assert (caught.value.kind, len(replies.requests)) == ("server", 3)


@pytest.mark.parametrize("error", [None, "", {}, [], False, {"code": None, "message": ""}])
def test_an_error_member_that_holds_nothing_is_none(error: Any) -> None:
    empty = {"role": "assistant", "content": ""}
    body = {"error": error, "choices": [{"message": empty, "finish_reason": "stop", "error": error}]}
    assert ask(Replies(httpx.Response(200, json=body)))[0] == {**empty, "finish_reason": "stop"}
    with pytest.raises(ModelError) as caught:
        ask(Replies(httpx.Response(200, json={"error": error})))
    assert caught.value.kind == "not_a_response"


def test_a_whole_turn_stays_the_models_beside_an_error() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    for message in (HELLO, {"role": "assistant", "content": None, "tool_calls": [call]}):
        body = {"error": DIED, "choices": [{"message": message, "finish_reason": "stop"}]}
        assert ask(Replies(httpx.Response(200, json=body)))[0] == {**message, "finish_reason": "stop"}


def test_an_overflow_told_under_status_200_is_one() -> None:
    for body in (TOLD, {"choices": [{**SAYS_NOTHING, **TOLD}]}, {"error": {"code": 400, "message": json.dumps(TOLD)}}):
        replies = Replies(httpx.Response(200, json=body))
        with pytest.raises(ModelError) as caught:
            ask(replies)
        assert (caught.value.kind, len(replies.requests)) == ("context", 1)


def test_an_error_under_status_200_shows_no_key_and_no_half_character() -> None:
    body = json.dumps({"error": {"message": "\ud800 no quota for sk-secret"}})
    with pytest.raises(ModelError, match="no quota for ") as caught:
        ask(Replies(httpx.Response(200, text=body)), api_key="sk-secret", retry=RetryPolicy(attempts=1))
    assert "sk-secret" not in str(caught.value)
    str(caught.value).encode()


def test_a_turn_broken_off_says_what_the_server_says_of_it_but_no_key() -> None:
    told = ended("error", message=None, error={"code": 502, "message": "Provider\nfailed for sk-secret"})
    with pytest.raises(ModelError, match=r"Provider.*failed for ") as caught:
        ask(Replies(told), api_key="sk-secret", retry=RetryPolicy(attempts=1))
    assert caught.value.kind == "server"
    assert "sk-secret" not in str(caught.value)


@pytest.mark.parametrize("reason", ["content_filter", "sensitive"])
def test_a_turn_that_a_filter_withheld_is_a_fault_and_asked_for_once(reason: str) -> None:
    replies = Replies(ended(reason, None))
    with pytest.raises(ModelError, match="withheld") as caught:
        ask(replies)
    assert (caught.value.kind, len(replies.requests)) == ("filtered", 1)


@pytest.mark.parametrize(
    "reason",
    ["stop", "length", "tool_calls", "function_call", "eos", "eos_token", "end_turn", "stop_sequence", "repetition", 7],
)
def test_other_reasons_are_the_models_own(reason: Any) -> None:
    message = {"role": "assistant", "content": "12명입", "finish_reason": reason}
    assert ask(Replies(ended(reason)))[0] == message


@pytest.mark.parametrize("reason", [None, ""])
def test_no_reason_is_the_models_own(reason: Any) -> None:
    assert ask(Replies(ended(reason)))[0] == {"role": "assistant", "content": "12명입"}


def test_a_call_that_the_model_malformed_is_its_own_though_a_server_calls_it_an_error() -> None:
    reply = ended("error", "", native_finish_reason="MALFORMED_FUNCTION_CALL")
    assert ask(Replies(reply))[0]["content"] == ""


def test_the_key_is_in_no_text_of_the_model_or_its_faults() -> None:
    replies = Replies(*[httpx.ConnectError("refused")] * 3)
    with pytest.raises(ModelError) as caught:
        ask(replies, api_key="sk-secret")
    assert "sk-secret" not in str(caught.value)
    assert "sk-secret" not in repr(EndpointModel("http://model.test", "m", api_key="sk-secret"))


def test_waits_double_up_to_a_bound_and_obey_the_server() -> None:
    policy = RetryPolicy(first_wait=1.0, longest_wait=10.0)
    assert [policy.wait(n, "7") for n in (0, 5)] == [7.0, 7.0]
    assert policy.wait(0, "900") == 10.0
    assert all(2**n <= policy.wait(n, None) <= 1.5 * 2**n for n in range(3))
    assert policy.wait(20, None) == 10.0
    assert 1 <= policy.wait(0, "Wed, 21 Oct 2026 07:28:00 GMT") <= 1.5


def test_half_characters_are_replaced_on_arrival_wherever_they_stand() -> None:
    call = {"id": "\\ud800", "type": "function", "function": {"name": "get\\udfff", "arguments": '{"a": "\\ud800"}'}}
    body = json.dumps(
        {"choices": [{"message": {"role": "assistant", "content": "\ud800 5 \U0001f600", "tool_calls": [call]}}]}
    )
    reply = httpx.Response(
        200, content=body.replace("\\\\ud", "\\ud").encode(), headers={"content-type": "application/json"}
    )
    message, _ = ask(Replies(reply))
    assert message["content"] == "\ufffd 5 \U0001f600"
    assert message["tool_calls"][0]["id"] == "\ufffd"
    assert message["tool_calls"][0]["function"] == {"name": "get\ufffd", "arguments": '{"a": "\ufffd"}'}
    json.dumps(message, ensure_ascii=False).encode()


def test_a_key_that_the_server_repeats_is_not_shown() -> None:
    with pytest.raises(ModelError) as caught:
        ask(Replies(httpx.Response(401, text="Incorrect API key:\n sk-secret")), api_key="sk-secret")
    assert str(caught.value) == "model server, auth: HTTP 401: Incorrect API key: ***"
