"""Requests a second and a minute, per provider, kept by all processes of a machine together."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kopa_hf.errors import BackendError
from kopa_hf.execution.limits import Limit, Quota

if TYPE_CHECKING:
    from pyrate_limiter import Limiter

_POLL: Final = 0.02
"""Seconds between two looks for a free place from an event loop; an answer takes several times as long."""
_CLEAN_EVERY: Final = 500


class Pace:
    """Waits until a provider may be asked again, and bounds how many requests are under way."""

    def __init__(self, folder: Path, realm: str = "live") -> None:
        self._path = folder / "pace.sqlite3"
        self._realm = realm
        self._limiters: dict[str, Limiter | None] = {}
        self._places: dict[str, threading.BoundedSemaphore] = {}
        self._taken = 0
        self._process = os.getpid()
        self._lock = threading.Lock()

    @contextmanager
    def place(self, quota: Quota) -> Iterator[None]:
        """A place among the requests under way; threads and event loops share them."""
        places = self._places_of(quota)
        places.acquire()
        try:
            yield
        finally:
            places.release()

    @asynccontextmanager
    async def place_async(self, quota: Quota) -> AsyncIterator[None]:
        """`place` on an event loop: other tasks go on while it waits."""
        places = self._places_of(quota)
        while not places.acquire(blocking=False):
            await asyncio.sleep(_POLL)
        try:
            yield
        finally:
            places.release()

    def wait(self, quota: Quota) -> None:
        """Return when the next request may leave."""
        limiter = self._limiter(quota)
        while limiter is not None and not limiter.try_acquire(quota.name, blocking=False):
            time.sleep(_POLL)

    async def wait_async(self, quota: Quota) -> None:
        """`wait` on an event loop."""
        limiter = self._limiter(quota)
        while limiter is not None and not limiter.try_acquire(quota.name, blocking=False):
            await asyncio.sleep(_POLL)

    def close(self) -> None:
        """Close the files."""
        with self._lock:
            for limiter in self._limiters.values():
                if limiter is not None:
                    limiter.close()
            self._limiters.clear()

    def _places_of(self, quota: Quota) -> threading.BoundedSemaphore:
        with self._lock:
            if quota.name not in self._places:
                self._places[quota.name] = threading.BoundedSemaphore(quota.limit.concurrency)
            return self._places[quota.name]

    def _limiter(self, quota: Quota) -> Limiter | None:
        with self._lock:
            if self._process != os.getpid():  # connections that came over a fork belong to the parent
                self._process, self._limiters = os.getpid(), {}
            if quota.name not in self._limiters:
                self._limiters[quota.name] = self._open(quota)
            limiter = self._limiters[quota.name]
            self._taken += 1
            if limiter is not None and self._taken % _CLEAN_EVERY == 0:
                for bucket in limiter.buckets():
                    bucket.leak(int(time.time() * 1000))
            return limiter

    def _open(self, quota: Quota) -> Limiter | None:
        from pyrate_limiter import Limiter, Rate, SQLiteBucket
        from pyrate_limiter.limiter import SingleBucketFactory

        rates = [Rate(number, span) for number, span in spans(quota.limit)]
        if not rates:
            return None
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            bucket = SQLiteBucket.init_from_file(
                rates, table=f"{self._realm}_{quota.name}", db_path=str(self._path), use_file_lock=True
            )
            bucket.leak(int(time.time() * 1000))
        except (sqlite3.Error, OSError) as error:
            raise BackendError(
                f"The record of the pace {self._path} cannot be used ({error}). Name another folder: --state."
            ) from error
        # the library's cleaning thread would outlive short commands: `_limiter` cleans now and then instead
        return Limiter(SingleBucketFactory(bucket, schedule_leak=False))


def spans(limit: Limit) -> list[tuple[int, int]]:
    """(requests, milliseconds) of the rates that bind; one that another one implies is left out."""
    second, minute = limit.per_second, limit.per_minute
    if second is not None and minute is not None:
        if minute >= 60 * second:
            minute = None
        elif minute <= second:
            second = None
    return [(number, span) for number, span in ((second, 1_000), (minute, 60_000)) if number is not None]
