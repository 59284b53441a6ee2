"""Several rollouts at once on one event loop, for policies that wait for a model server.

Tool calls of the sandbox and scoring run on the loop between two waits, so nothing
needs a lock, and what a rollout is given hangs on its own task, number and seed only:
results are the same at any concurrency.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

from kopa_hf.agent.session import Session
from kopa_hf.bench.rows import Row

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Played:
    """How a rollout ended, beside what the session knows."""

    answer: str | None
    notes: tuple[str, ...] = ()
    """What only the agent can tell: unparsable turns, calls in the wrong channel."""
    wrong_channel: int = 0
    """Turns whose calls stood in the content, where they were still understood."""


@runtime_checkable
class ConcurrentPolicy(Protocol):
    """A policy whose rollouts may run side by side: it keeps nothing of one rollout."""

    @property
    def name(self) -> str: ...

    async def arun(self, row: Row, session: Session, seed: int) -> Played:
        """One rollout; `seed` is what its sampling starts from."""

    async def aclose(self) -> None:
        """Let go of connections; called on the loop that the rollouts ran on."""


def sampling_seed(seed: int, number: int, row_id: str) -> int:
    """31 bits that tell the rollouts of a run apart, whatever order they run in."""
    digest = hashlib.sha256(f"{seed}/{number}/{row_id}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


async def side_by_side(
    jobs: Sequence[T], work: Callable[[T], Awaitable[R]], concurrency: int
) -> AsyncGenerator[tuple[T, R], None]:
    """(job, result) as they end, at most `concurrency` at once; the first error ends everything."""
    if concurrency < 1:
        raise ValueError(f"concurrency is {concurrency}; at least one rollout must run")
    waiting = iter(jobs)
    running: dict[asyncio.Task[R], T] = {}

    async def run(job: T) -> R:
        return await work(job)

    try:
        while True:
            while len(running) < concurrency and (job := next(waiting, None)) is not None:
                running[asyncio.create_task(run(job))] = job
            if not running:
                return
            ended, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in [task for task in running if task in ended]:
                job = running.pop(task)
                yield job, task.result()
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
