"""How fast a snapshot opens, and answers next to a bare dict behind the same executor.

    python benchmarks/snapshot_speed.py --answers 100000

Bodies are the sandbox's own answers to one search (of `--rows` bills each), every one made another
by a number in it, so that none is stored twice. Both sides go through the same executor and read the same bodies anew;
only the look-up differs. Each round times both, in turn, on requests drawn at random; the median of the rounds
counts. Prints the figures and exits 1 where a goal is missed.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import platform
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from kopa_hf.catalog.canonical import canonical_request
from kopa_hf.execution.episode import DEFAULT_DATE
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.recorded import Failed, Recorded
from kopa_hf.execution.snapshot import Snapshot
from kopa_hf.sandbox.server import SandboxTransport

TOOL: Final = "search_assembly_bills"
OPEN_GOAL: Final = 1.0
"""Seconds from the path to the first answer."""
SPEED_GOAL: Final = 0.5
"""Share of the bare dict's calls a second."""


class BareDict:
    """What a snapshot is measured against: recorded answers in memory, checked by nobody."""

    day = DEFAULT_DATE

    def __init__(self, answers: dict[str, Recorded]) -> None:
        self.answers = answers

    def get(self, request: str) -> Recorded | None:
        """The answer, or None."""
        return self.answers.get(request)

    def failure(self, request: str) -> Failed | None:
        """None is ever noted."""
        return None

    def close(self) -> None:
        """Nothing is open."""


def arguments_of(number: int) -> dict[str, str]:
    """The request that holds a number."""
    return {"AGE": "22", "BILL_NO": str(2_200_000 + number)}


def model_answer(folder: Path, rows: int) -> Recorded:
    """One answer of the sandbox, as it is recorded."""
    path = folder / "one.kopa"
    with Executor("record", snapshot=path, transport=SandboxTransport()) as executor:
        result = executor.call_sync(TOOL, {"AGE": "22", "pSize": rows})
        assert len(result.records) == rows, "the model answer lacks rows"
    with Snapshot(path) as snapshot:
        return next(iter(snapshot))


def numbered(model: Recorded, count: int) -> Iterator[Recorded]:
    """As many answers, no two of them alike."""
    for number in range(count):
        body = model.body.replace(b'"MESSAGE"', b'"NUMBER":%d,"MESSAGE"' % number, 1)
        yield dataclasses.replace(model, request=canonical_request(TOOL, arguments_of(number)), body=body)


def seconds(executor: Executor, numbers: Sequence[int]) -> float:
    """Wall time of the calls."""
    began = time.perf_counter()
    for number in numbers:
        if not executor.call_sync(TOOL, arguments_of(number)).records:
            raise SystemExit(f"no answer to request {number}")
    return time.perf_counter() - began


def opened(path: Path, number: int) -> float:
    """Seconds from the path to the first answer."""
    began = time.perf_counter()
    with Executor("replay", snapshot=path) as executor:
        executor.call_sync(TOOL, arguments_of(number))
        return time.perf_counter() - began


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--answers", type=int, default=100_000)
    parser.add_argument("--calls", type=int, default=2_000, help="per side and round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--rows", type=int, default=1, help="bills in a body; more of them hide the look-up behind reading"
    )
    given = parser.parse_args()
    draw = random.Random(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model = model_answer(folder, given.rows)
        path = folder / "many.kopa"
        began = time.perf_counter()
        with Snapshot.create(path, origin="sandbox", day=DEFAULT_DATE) as snapshot:
            snapshot.put_all(numbered(model, given.answers))
        written = time.perf_counter() - began
        first = statistics.median(opened(path, draw.randrange(given.answers)) for _ in range(5))
        bare = BareDict({answer.request: answer for answer in numbered(model, given.answers)})
        shares, rates = [], []
        with Executor("replay", snapshot=path) as kept, Executor("replay", snapshot=bare) as floor:
            for _ in range(given.rounds):
                numbers = [draw.randrange(given.answers) for _ in range(given.calls)]
                theirs, ours = seconds(floor, numbers), seconds(kept, numbers)
                shares.append(theirs / ours)
                rates.append((given.calls / ours, given.calls / theirs))
        size = path.stat().st_size
    share = statistics.median(shares)
    print(f"{platform.machine()}, Python {platform.python_version()}, {os.cpu_count()} cores, one used")
    print(f"{given.answers:,} answers of {given.rows} rows, {len(model.body):,} bytes each; file {size:,} bytes")
    print(f"written in {written:.1f} s; opened, first answer included, in {first:.3f} s (goal {OPEN_GOAL:g} s)")
    print(
        f"calls/s: snapshot {statistics.median(r[0] for r in rates):,.0f}, dict {statistics.median(r[1] for r in rates):,.0f}"
    )
    print(f"share {share:.0%} (goal {SPEED_GOAL:.0%})")
    return 0 if first < OPEN_GOAL and share >= SPEED_GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
