"""A language model as a policy, and who `--model NAME` is."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kopa_hf.agent.loop import AgentRun, run_agent
from kopa_hf.agent.models import ChatModel, Message, ModelError, SeededModel
from kopa_hf.agent.opening import LocalSettings, is_path, open_model
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
        return self.model.settings if isinstance(self.model, SeededModel) else {}

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
        """One rollout among others on this event loop; `seed` is what the model samples with."""
        model = self.model.with_seed(seed) if isinstance(self.model, SeededModel) else self.model
        counted = _Counted(model)
        try:
            run = await run_agent(counted, row.prompt, row.tools, session, max_turns=self.max_turns)
        except ModelError as error:
            # a prompt that does not fit is the set-up's fault; a conversation that no longer fits is the model's own
            if error.kind == "context" and counted.turns:
                return Played(None, ("context",))
            raise
        notes = run_notes(run) + ("token_budget",) * counted.cut_off
        return Played(run.answer, notes, run.wrong_channel)

    async def aclose(self) -> None:
        """Close the model's connections."""
        if isinstance(self.model, SeededModel):
            await self.model.aclose()


@dataclass(slots=True)
class _Counted:
    """A model that knows how many turns it has taken."""

    model: ChatModel
    turns: int = 0
    cut_off: bool = False
    """Whether the last turn ran out of tokens."""

    async def complete(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> Message:
        """The model's next message."""
        reply = dict(await self.model.complete(messages, tools))
        self.turns += 1
        self.cut_off = reply.pop("finish_reason", None) == "length"
        return reply


def run_notes(run: AgentRun) -> tuple[str, ...]:
    """What only the conversation tells about a failure, as codes of `reasons.TEXTS`."""
    return (
        ("unparsable",) * bool(run.unparsable)
        + ("wrong_channel",) * bool(run.wrong_channel)
        + ("empty_turn",) * (run.stop == "empty")
        + ("budget",) * (run.stop == "budget")
        + ("turn_limit",) * (run.stop == "max_turns")
    )


def policy_named(name: str, *, sampling: dict[str, Any] | None = None, local: LocalSettings | None = None) -> Policy:
    """Who acts: `policy:gold` (or bare `gold`), `http://HOST/v1#MODEL`, or a local model's folder or GGUF file.

    A local model's chat template is proven to carry tool calls before anything runs.
    """
    scripted = name.removeprefix("policy:")
    if scripted in POLICIES:
        return POLICIES[scripted]
    if name.startswith(("http://", "https://")) or is_path(name):
        model = open_model(name, sampling=sampling, local=local)
        return ModelPolicy(model.name, model)
    if re.fullmatch(r"[\w.-]+/[\w.-]+", name):
        raise DataError(
            f"{name!r} looks like a model of the Hub, and nothing is downloaded here. Name the folder of a copy on this "
            f"machine, or a server that runs it: http://HOST:PORT/v1#{name}"
        )
    raise DataError(
        f"Unknown agent {name!r}. Scripted: {', '.join(POLICIES)}; a model: http://HOST:PORT/v1#MODEL, "
        "or the folder or .gguf file of one that is on this machine."
    )


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


def agents_of(
    names: Sequence[str], *, sampling: dict[str, Any] | None = None, local: LocalSettings | None = None
) -> list[Policy]:
    """Policies for a list of names, each once; `sampling` goes to models as it is, `local` says how local ones run."""
    return [policy_named(name, sampling=sampling, local=local) for name in dict.fromkeys(names)]
