"""Who answers BFCL: a scripted agent, a model behind an endpoint, or one on this machine; many entries at once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from kopa_hf.agent.models import ChatModel, ModelError, SeededModel
from kopa_hf.agent.opening import LocalSettings, open_model
from kopa_hf.bench.bfcl.answer_key import key_result
from kopa_hf.bench.bfcl.categories import is_multi_turn
from kopa_hf.bench.bfcl.entries import Entry
from kopa_hf.bench.bfcl.scoring import Mode
from kopa_hf.bench.bfcl.solving import Solved, solve
from kopa_hf.errors import ModelServerError

_RESPONSE: Final = "kopa_hf.bench.bfcl/agent response"


class Agent(Protocol):
    """Anything that answers entries."""

    @property
    def name(self) -> str: ...

    async def answer(self, entry: Entry) -> Solved: ...

    async def aclose(self) -> None: ...


@dataclass(frozen=True, slots=True)
class ScriptedAgent:
    """Answers without a model."""

    name: str
    say: Callable[[Entry], Any]

    async def answer(self, entry: Entry) -> Solved:
        return Solved(self.say(entry))

    async def aclose(self) -> None:
        """Nothing is held open."""


@dataclass(slots=True)
class ModelAgent:
    """A chat model in one of the two modes."""

    model: ChatModel
    mode: Mode
    root: Path | None

    @property
    def name(self) -> str:
        return self.model.name if isinstance(self.model, SeededModel) else type(self.model).__name__

    async def answer(self, entry: Entry) -> Solved:
        return await solve(entry, self.model, self.mode, self.root)

    async def aclose(self) -> None:
        if isinstance(self.model, SeededModel):
            await self.model.aclose()


def agent_named(
    name: str,
    mode: Mode,
    root: Path | None,
    *,
    sampling: dict[str, Any] | None = None,
    local: LocalSettings | None = None,
) -> Agent:
    """`policy:gold` answers with the key, `policy:null` says nothing; else a model as `kopa eval --model` names it.

    Models sample with temperature 0 unless told otherwise, as the leaderboard has it.
    """
    scripted = name.removeprefix("policy:")
    if scripted == "gold":
        return ScriptedAgent("gold", lambda entry: key_result(entry, mode))
    if scripted == "null":
        return ScriptedAgent("null", lambda entry: [[""] for _ in entry.turns] if is_multi_turn(entry.category) else "")
    settings = {"temperature": 0.0, **(sampling or {})}
    return ModelAgent(open_model(name, sampling=settings, local=local, tools=mode == "fc"), mode, root)


@dataclass(frozen=True, slots=True)
class Answered:
    """One entry's answer, or why there is none."""

    entry: Entry
    solved: Solved | None
    fault: str = ""
    """The model server's failure; no wrong answer."""


async def answer_all(agent: Agent, entries: Iterable[Entry], concurrency: int = 8) -> AsyncIterator[Answered]:
    """Answers as they come, so many entries at once. Raises `ModelServerError` where every one of the first fails."""
    waiting = iter(entries)
    running: set[asyncio.Task[Answered]] = set()
    done_well = failed = 0
    try:
        while True:
            while len(running) < concurrency and (entry := next(waiting, None)) is not None:
                running.add(asyncio.create_task(_answered(agent, entry)))
            if not running:
                return
            finished, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in finished:
                found = task.result()
                failed += bool(found.fault)
                done_well += not found.fault
                if failed >= max(concurrency, 4) and not done_well:
                    raise ModelServerError(f"The model could not be asked: {found.fault}")
                yield found
    finally:
        for task in running:
            task.cancel()
        await agent.aclose()


async def _answered(agent: Agent, entry: Entry) -> Answered:
    try:
        return Answered(entry, await agent.answer(entry))
    except ModelError as error:
        return Answered(entry, None, str(error))


def answers(agent: Agent, entries: Sequence[Entry], concurrency: int = 8) -> list[Answered]:
    """The same, all at the end and in the order of the entries."""

    async def gather() -> dict[str, Answered]:
        return {found.entry.id: found async for found in answer_all(agent, entries, concurrency)}

    found = asyncio.run(gather())
    return [found[entry.id] for entry in entries]


def response_of(mode: Mode, result: Any) -> dict[str, Any]:
    """An agent's answer where only text travels: marked, so that a model's own JSON is not taken for it."""
    return {_RESPONSE: {"mode": mode, "result": result}}


def read_response(text: str) -> tuple[Mode, Any] | None:
    """Mode and result of a text that `response_of` made; None for any other text."""
    try:
        response = json.loads(text)
    except (ValueError, RecursionError):
        return None
    found = response.get(_RESPONSE) if isinstance(response, dict) and len(response) == 1 else None
    if not isinstance(found, dict) or found.keys() != {"mode", "result"}:
        return None
    return ("prompt" if found["mode"] == "prompt" else "fc"), found["result"]
