"""Who answers the items of a foreign benchmark, many at once; a server that fails costs its item only.

An item is anything with an id and a category: an entry of BFCL, a message of FunctionChat-Bench.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from kopa_hf.agent.models import ChatModel, ModelError, SeededModel
from kopa_hf.errors import KopaError, ModelServerError


class Asked(Protocol):
    """What can be asked."""

    @property
    def id(self) -> str: ...

    @property
    def category(self) -> str: ...


A = TypeVar("A", bound=Asked)
A_contra = TypeVar("A_contra", bound=Asked, contravariant=True)


@dataclass(frozen=True, slots=True)
class Solved:
    """What a model did with one item."""

    result: Any
    """Plain JSON; of BFCL in the shape of the official result files, of FunctionChat-Bench the message."""
    notes: tuple[str, ...] = ()
    """token_budget: the last message was cut off; step_limit: stopped; context: the conversation no longer fitted."""


class Agent(Protocol[A_contra]):
    """Anything that answers items."""

    @property
    def name(self) -> str: ...

    async def answer(self, entry: A_contra, /) -> Solved: ...

    async def aclose(self) -> None: ...


@dataclass(slots=True)
class AskedModel:
    """A chat model as an agent; what it makes of an item is for subclasses to say."""

    model: ChatModel

    @property
    def name(self) -> str:
        return self.model.name if isinstance(self.model, SeededModel) else type(self.model).__name__

    @property
    def settings(self) -> dict[str, Any]:
        """What else than its name an answer hangs on, as a file gives it back."""
        return json.loads(json.dumps(self.model.settings)) if isinstance(self.model, SeededModel) else {}

    async def aclose(self) -> None:
        """Let go of what the model holds open."""
        if isinstance(self.model, SeededModel):
            await self.model.aclose()


@dataclass(frozen=True, slots=True)
class Answered(Generic[A]):
    """One item's answer, or why there is none."""

    entry: A
    solved: Solved | None
    fault: str = ""
    """What failed; no wrong answer."""


async def answer_all(agent: Agent[A], entries: Iterable[A], concurrency: int = 8) -> AsyncGenerator[Answered[A], None]:
    """Answers as they come, so many items at once; those that come together, in the order of their items.

    Raises `ModelServerError` where every one of the first fails.
    """
    waiting = iter(entries)
    running: list[asyncio.Task[Answered[A]]] = []
    done_well = failed = 0
    fault = ""
    try:
        while True:
            while len(running) < concurrency and (entry := next(waiting, None)) is not None:
                running.append(asyncio.create_task(_answered(agent, entry)))
            if not running:
                return
            done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            finished = [task for task in running if task in done]
            running = [task for task in running if task not in done]
            spoiled: Exception | None = None
            for task in finished:
                try:
                    found = task.result()
                except Exception as error:  # noqa: BLE001  # raised below: what else has come is worth keeping
                    spoiled = error
                    continue
                failed += bool(found.fault)
                done_well += not found.fault
                fault = found.fault or fault
                yield found
            if spoiled is not None:
                raise spoiled
            if failed >= max(concurrency, 4) and not done_well:
                raise ModelServerError(f"The model could not be asked: {fault}")
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await agent.aclose()


async def _answered(agent: Agent[A], entry: A) -> Answered[A]:
    try:
        return Answered(entry, await agent.answer(entry))
    except ModelError as error:
        return Answered(entry, None, str(error))
    except KopaError:  # the set-up's, so every item's: wrong data, no code of the simulated APIs
        raise
    except Exception as error:  # noqa: BLE001  # whatever one item meets must not cost the answers of the others
        return Answered(entry, None, f"{type(error).__name__}: {error}"[:300])


def answers(agent: Agent[A], entries: Sequence[A], concurrency: int = 8) -> list[Answered[A]]:
    """The same, all at the end and in the order of the items."""

    async def gather() -> dict[str, Answered[A]]:
        return {found.entry.id: found async for found in answer_all(agent, entries, concurrency)}

    found = asyncio.run(gather())
    return [found[entry.id] for entry in entries]
