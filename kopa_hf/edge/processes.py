"""What the processes that work for a run have in common: how many there may be, and whose Ctrl-C is."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, resource_tracker
from typing import Any

from kopa_hf.errors import BackendError


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def ctrl_c_stays_here() -> Iterator[None]:
    """Processes started within the block never see Ctrl-C, not even while they import; this one does, at the latest after it.

    A blocked signal is inherited, and waits for its sender's process until the block ends.
    Where signals cannot be blocked (Windows) nothing is done.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # whoever starts it unblocks SIGINT
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def spawned(
    sizes: Sequence[int], begin: Callable[..., None], arguments: tuple[Any, ...], *, work: str
) -> Iterator[list[ProcessPoolExecutor]]:
    """Pools of so many processes each, every one of which begins with `begin(*arguments)`; all end with the block.

    Processes are spawned, not forked: a fork would copy locks and connections in the middle of their work. They leave
    Ctrl-C to this process, and end when it is gone, however it went. Raises `BackendError` where one ends untimely;
    `work` says in the message what it was at.
    """
    context, set_up = get_context("spawn"), (os.getpid(), begin, arguments)
    pools = [ProcessPoolExecutor(size, context, initializer=_begin, initargs=set_up) for size in sizes]
    try:
        yield pools
    except BrokenProcessPool as error:
        raise BackendError(
            f"A process of {work} ended before its work was done (short of memory?). "
            "`--set workers=1` does all of it in one process."
        ) from error
    finally:
        # after a stop nobody waits for what the processes are at
        started = [process for pool in pools for process in (pool._processes or {}).values()]
        for pool in pools:
            pool.shutdown(wait=False, cancel_futures=True)
        for process in started:
            process.terminate()


def _begin(parent: int, begin: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    begin(*arguments)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
