"""A language model as a policy, and who `--model NAME` is."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kopa_hf.agent.loop import AgentRun, run_agent
from kopa_hf.agent.models import ChatModel, EndpointModel, Message, ModelError
from kopa_hf.agent.session import Session
from kopa_hf.bench.policies import POLICIES, Policy
from kopa_hf.bench.rows import Row
from kopa_hf.bench.together import Played
from kopa_hf.errors import DataError


@dataclass(slots=True)
class ModelPolicy:
    """A chat model that works through tasks with tool calls."""

    name: str
    model: ChatModel
    max_turns: int = 30

    @property
    def settings(self) -> dict[str, Any]:
        """What else than its name a result hangs on."""
        return dict(self.model.sampling) if isinstance(self.model, EndpointModel) else {}

    def run(self, row: Row, session: Session) -> str | None:
        """One rollout on its own; raises `ModelError` where the model server fails."""

        async def alone() -> str | None:
            try:
                return (await self.arun(row, session, 0)).answer
            finally:
                # connections belong to this event loop; the next rollout opens its own
                await self.aclose()

        return asyncio.run(alone())

    async def arun(self, row: Row, session: Session, seed: int) -> Played:
        """One rollout among others on this event loop; `seed` is what an endpoint samples with."""
        model = self.model.with_seed(seed) if isinstance(self.model, EndpointModel) else self.model
        counted = _Counted(model)
        try:
            run = await run_agent(counted, row.prompt, row.tools, session, max_turns=self.max_turns)
        except ModelError as error:
            # a prompt that does not fit is the set-up's fault; a conversation that no longer fits is the model's own
            if error.kind == "context" and counted.turns:
                return Played(None, ("context",))
            raise
        return Played(run.answer, run_notes(run), run.wrong_channel)

    async def aclose(self) -> None:
        """Close the model's connections."""
        if isinstance(self.model, EndpointModel):
            await self.model.aclose()


@dataclass(slots=True)
class _Counted:
    """A model that knows how many turns it has taken."""

    model: ChatModel
    turns: int = 0

    async def complete(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> Message:
        """The model's next message."""
        reply = await self.model.complete(messages, tools)
        self.turns += 1
        return reply


def run_notes(run: AgentRun) -> tuple[str, ...]:
    """What only the conversation tells about a failure, as codes of `reasons.TEXTS`."""
    return (
        ("unparsable",) * bool(run.unparsable)
        + ("wrong_channel",) * bool(run.wrong_channel)
        + ("empty_turn",) * (run.stop == "empty")
    )


def policy_named(name: str, *, sampling: dict[str, Any] | None = None) -> Policy:
    """Who acts: `policy:gold` (or bare `gold`), or `http://HOST/v1#MODEL` for an OpenAI-compatible endpoint.

    The endpoint's key, where it wants one, comes from OPENAI_API_KEY.
    """
    scripted = name.removeprefix("policy:")
    if scripted in POLICIES:
        return POLICIES[scripted]
    if name.startswith(("http://", "https://")):
        base, hash_sign, model = name.partition("#")
        if not hash_sign or not model:
            raise DataError(f"{name}: add the model's name after '#', e.g. http://127.0.0.1:8000/v1#Qwen/Qwen3.5-4B")
        endpoint = EndpointModel(
            base.rstrip("/"), model, api_key=os.environ.get("OPENAI_API_KEY"), sampling=sampling or {}
        )
        return ModelPolicy(model, endpoint)
    raise DataError(f"Unknown agent {name!r}. Scripted: {', '.join(POLICIES)}; a model: http://HOST:PORT/v1#MODEL.")


def transcript(session: Session, answer: str | None) -> list[Message]:
    """What a session did, as the messages after the prompt: assistant calls by step, results, the final answer."""
    messages: list[Message] = []
    for step in dict.fromkeys(call.step for call in session.calls):
        calls = [call for call in session.calls if call.step == step]
        messages.append({"role": "assistant", "content": "", "tool_calls": [_issued(call) for call in calls]})
        messages += [{"role": "tool", "tool_call_id": c.call_id, "name": c.name, "content": c.text} for c in calls]
    if answer is not None:
        messages.append({"role": "assistant", "content": answer})
    return messages


def _issued(call: Any) -> Message:
    return {"id": call.call_id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def agents_of(names: Sequence[str], *, sampling: dict[str, Any] | None = None) -> list[Policy]:
    """Policies for a list of names, each once; `sampling` goes to endpoints as it is."""
    return [policy_named(name, sampling=sampling) for name in dict.fromkeys(names)]
