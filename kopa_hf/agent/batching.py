"""Requests that wait at the same time are worked off together, in a thread beside the event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

Q = TypeVar("Q")
R = TypeVar("R")

_LOOK: Final = 0.004
"""Seconds between two looks at whether more requests have come; tool calls of the sandbox take about that."""


class Batcher(Generic[Q, R]):
    """Collects requests into batches of at most `size`.

    `work` gets a batch and returns one result or exception per request, in order; it
    runs in a thread, one batch at a time, and `cancelled` is set where nobody waits for
    it any more. Each event loop starts anew, so one batcher serves many `asyncio.run`.
    """

    def __init__(
        self, work: Callable[[Sequence[Q]], Sequence[R | Exception]], size: int, cancelled: threading.Event
    ) -> None:
        self.size = size
        self._work = work
        self._cancelled = cancelled
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: list[tuple[Q, asyncio.Future[R]]] = []
        self._worker: asyncio.Task[None] | None = None

    async def submit(self, request: Q) -> R:
        """The result of one request; raises what `work` returned or raised for it."""
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._loop, self._waiting, self._worker = loop, [], None
        future: asyncio.Future[R] = loop.create_future()
        self._waiting.append((request, future))
        if self._worker is None or self._worker.done():
            self._worker = loop.create_task(self._drain())
        return await future

    async def _drain(self) -> None:
        while self._waiting:
            await self._gather()
            batch = [pair for pair in self._waiting[: self.size] if not pair[1].done()]
            del self._waiting[: self.size]
            if batch:
                await self._answer(batch)

    async def _gather(self) -> None:
        """Wait until the batch is full or two looks in a row find no new request."""
        seen, quiet = len(self._waiting), 0
        while len(self._waiting) < self.size and quiet < 2:
            await asyncio.sleep(_LOOK)
            quiet = quiet + 1 if len(self._waiting) == seen else 0
            seen = len(self._waiting)

    async def _answer(self, batch: Sequence[tuple[Q, asyncio.Future[R]]]) -> None:
        self._cancelled.clear()
        try:
            results = await asyncio.to_thread(self._work, [request for request, _ in batch])
        except asyncio.CancelledError:
            self._cancelled.set()
            raise
        except Exception as error:  # noqa: BLE001 - handed on to everyone who waits, and raised there
            results = [error] * len(batch)
        for (_, future), result in zip(batch, results, strict=True):
            if future.done():
                continue
            if isinstance(result, Exception):
                future.set_exception(result)
            else:
                future.set_result(result)
