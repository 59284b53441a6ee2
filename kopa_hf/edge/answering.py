"""Who answers refinement's calls: this process, or several that each open an executor of their own.

What one call shows is a function of the call, so who answers it changes no byte of a
graph. Sampling, posteriors and evidence stay in this process. Only for backends that
answer alike wherever they are opened: the sandbox.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Final

from kopa_hf.catalog.tool import Tool
from kopa_hf.edge.memory import rare_collections
from kopa_hf.edge.observe import Ask, Observation, observe
from kopa_hf.edge.processes import cores, ctrl_c_stays_here
from kopa_hf.errors import BackendError
from kopa_hf.execution.executor import Executor

OpenExecutor = Callable[[], Executor]
"""Opens the executor of one process; a value that can be sent there."""

ON_THE_WAY: Final = 12
"""Calls that one process is handed at most: so many fit a pipe, and neither end waits for the other to read."""
_MOST: Final = 8
"""Processes taken unasked: refinement has `concurrency` (8) calls on the way at once, and more would wait."""
_HELP: Final = 4
"""Calls that a process may be behind another one before its platforms' calls go to that one too."""


@contextmanager
def answerers(open_executor: OpenExecutor, workers: int = 0) -> Iterator[Ask | None]:
    """Processes that answer calls, as the `ask` of `refine` and `measure_rates`; None where one process is all.

    `workers`: 0 is one a core, at most eight. The processes end with the block, however it ends.
    """
    size = workers or min(cores(), _MOST)
    if size < 2 or os.name != "posix":  # elsewhere an event loop cannot listen to a pipe
        yield None
        return
    answering = Answering(open_executor, size)
    try:
        yield answering
    finally:
        answering.close()


@dataclass(slots=True)
class Worker:
    """One process and what it was asked."""

    process: BaseProcess
    pipe: Connection
    waiting: dict[int, asyncio.Future[Observation]] = field(default_factory=dict)
    loop: asyncio.AbstractEventLoop | None = None
    """The loop that listens to the pipe."""
    tools: dict[str, Tool] = field(default_factory=dict)
    """Signatures that the process has been sent; later calls name them."""


class Answering:
    """Hands calls to processes. A platform's calls go to one of them, so that its tables are built once."""

    def __init__(self, open_executor: OpenExecutor, size: int) -> None:
        context = multiprocessing.get_context("spawn")  # a fork would copy locks in the middle of their work
        self._workers: list[Worker] = []
        self._homes: dict[str, int] = {}
        self._number = 0
        for _ in range(size):
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(open_executor, theirs), daemon=True)
            with ctrl_c_stays_here():
                process.start()
            theirs.close()
            self._workers.append(Worker(process, ours))

    async def __call__(
        self, tool: Tool, arguments: Mapping[str, str], attempt: int, stream: str, wanted: frozenset[str], skip: int
    ) -> Observation:
        """What the call shows; raises what it raised there, `BackendError` where the process is gone."""
        loop = asyncio.get_running_loop()
        worker = self._choose(tool.platform)
        while len(worker.waiting) >= ON_THE_WAY:
            await asyncio.wait(list(worker.waiting.values()), return_when=asyncio.FIRST_COMPLETED)
            worker = self._choose(tool.platform)
        if worker.loop is not loop:
            self._listen(worker, loop)
        self._number += 1
        answer: asyncio.Future[Observation] = loop.create_future()
        worker.waiting[self._number] = answer
        told = tool.name if worker.tools.get(tool.name) is tool else tool
        worker.tools[tool.name] = tool
        try:
            worker.pipe.send((self._number, told, dict(arguments), attempt, stream, wanted, skip))
        except OSError:
            self._gone(worker)
        return await answer

    def close(self) -> None:
        """End the processes; what is still being answered is given up."""
        for worker in self._workers:
            if worker.loop is not None and not worker.loop.is_closed():
                worker.loop.remove_reader(worker.pipe.fileno())
            worker.pipe.close()
        for worker in self._workers:
            worker.process.terminate()
            worker.process.join()

    def _choose(self, platform: str) -> Worker:
        home = self._homes.setdefault(platform, len(self._homes) % len(self._workers))
        idle = min(self._workers, key=lambda worker: len(worker.waiting))
        own = self._workers[home]
        return idle if len(own.waiting) >= len(idle.waiting) + _HELP else own

    def _listen(self, worker: Worker, loop: asyncio.AbstractEventLoop) -> None:
        """Every stage runs in a loop of its own; answers to an earlier one's calls are dropped as they come."""
        if worker.loop is not None and not worker.loop.is_closed():
            worker.loop.remove_reader(worker.pipe.fileno())
        worker.waiting.clear()
        worker.loop = loop
        loop.add_reader(worker.pipe.fileno(), self._read, worker)

    def _read(self, worker: Worker) -> None:
        try:
            while worker.pipe.poll():
                number, observation, error = worker.pipe.recv()
                answer = worker.waiting.pop(number, None)
                if answer is None or answer.done():
                    continue
                if error is not None:
                    answer.set_exception(error)
                else:
                    answer.set_result(observation)
        except (EOFError, OSError):
            self._gone(worker)
        except Exception as error:  # noqa: BLE001 - what a process sent cannot be read back: nobody may wait for it
            self._gone(worker, f"What a process that answers calls has sent cannot be read: {error!r}.")

    def _gone(self, worker: Worker, why: str = "") -> None:
        """A process that ended (killed for its memory, most likely) leaves nobody waiting."""
        if worker.loop is not None and not worker.loop.is_closed():
            worker.loop.remove_reader(worker.pipe.fileno())
        for answer in worker.waiting.values():
            if not answer.done():
                answer.set_exception(
                    BackendError(
                        (why or "A process that answers calls has ended.")
                        + " What was finished before is kept; run the same command again and it resumes, with "
                        "--set workers=1 where memory is short."
                    )
                )
        worker.waiting.clear()


def _serve(open_executor: OpenExecutor, pipe: Connection) -> None:
    """The work of one process: answer what comes, in order, until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's, which ends this process
    tools: dict[str, Tool] = {}
    with rare_collections(), open_executor() as executor:
        while True:
            try:
                number, told, arguments, attempt, stream, wanted, skip = pipe.recv()
            except (EOFError, OSError):
                return
            tool = tools[told] if isinstance(told, str) else told
            tools[tool.name] = tool
            said: tuple[int, Observation | None, Exception | None]
            try:
                result = executor.call_sync(tool, arguments, attempt=attempt, stream=stream)
                said = (number, observe(result, wanted, skip), None)
            except Exception as error:  # noqa: BLE001 - the parent raises it
                said = (number, None, error)
            try:
                pipe.send(said)
            except OSError:
                return
            except Exception:  # noqa: BLE001 - an error that does not travel is told in words
                pipe.send((number, None, BackendError(f"{tool.name}: {said[2]!r}")))
