"""How fast the sandbox answers, against what httpx and the standard library need for the same rows.

The floor: `httpx.AsyncClient` over a transport that writes the very rows with `json` or string
formatting, and a caller that reads them back with `json` or `ElementTree`. The sandbox does all
that, and draws the rows from its world, checks key and parameters, pages, binds arguments and
classifies the answer. Both run in turns in one process, best of several rounds each.

    python benchmarks/sandbox_speed.py [--rounds 5] [--seconds 0.4]
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json
import platform
import resource
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Awaitable, Callable
from itertools import cycle
from xml.sax.saxutils import escape

import httpx

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.catalog.tool import Tool
from kopa_hf.execution.executor import Executor
from kopa_hf.sandbox import SandboxTransport

TOOL = "list_assembly_member_proposed_bills"
ARGUMENTS = {"AGE": "22"}
SIZES = (1, 10, 100)
FORMATS = ("json", "xml")
GOAL = 0.5

Call = Callable[[], Awaitable[int]]


class Plain(httpx.AsyncBaseTransport):
    """Writes the same rows anew for every request, and nothing else."""

    def __init__(self, rows: list[dict[str, object]], written_in: str) -> None:
        self._rows = rows
        self._format = written_in

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if self._format == "json":
            body = json.dumps({"total": len(self._rows), "row": self._rows}, ensure_ascii=False)
        else:
            rows = (
                "".join(f"<{n}>{'' if v is None else escape(str(v))}</{n}>" for n, v in row.items())
                for row in self._rows
            )
            body = f"<answer>{''.join(f'<row>{row}</row>' for row in rows)}</answer>"
        return httpx.Response(200, content=body.encode(), request=request)


def floor(client: httpx.AsyncClient, written_in: str) -> Call:
    """One call of the plain pair; gives the number of rows read."""

    async def call() -> int:
        response = await client.get("https://floor.invalid/rows", params={"page": "1", "size": "10"})
        if written_in == "json":
            return len(json.loads(response.content)["row"])
        return len([{cell.tag: cell.text for cell in row} for row in ElementTree.fromstring(response.content)])

    return call


def sandbox(executor: Executor, tool: Tool, size: int, total: int) -> Call:
    """One call through the executor, every time for the next page; gives the number of records."""
    pages = cycle(range(1, total // size + 1))

    async def call() -> int:
        return len((await executor.call(tool, {**ARGUMENTS, "pSize": str(size), "pIndex": str(next(pages))})).records)

    return call


async def rate(call: Call, seconds: float) -> float:
    """Calls a second."""
    count, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        await call()
        count += 1
    return count / elapsed


async def measure(rounds: int, seconds: float) -> list[tuple[str, int, float, float]]:
    """(format, rows, sandbox's rate, floor's rate), best of the rounds."""
    found: list[tuple[str, int, float, float]] = []
    executor = Executor(transport=SandboxTransport(kept_bytes=0))  # every answer is made anew
    tool = load_catalog().get(TOOL)
    for written_in in FORMATS:
        endpoint = dataclasses.replace(tool.endpoint, response_format=written_in)
        asking = dataclasses.replace(tool, endpoint=endpoint)
        for size in SIZES:
            result = await executor.call(asking, {**ARGUMENTS, "pSize": str(size)})
            assert len(result.records) == size, result
            async with httpx.AsyncClient(transport=Plain(result.records, written_in), trust_env=False) as client:
                calls = (sandbox(executor, asking, size, result.total_count or size), floor(client, written_in))
                best = [0.0, 0.0]
                for _ in range(rounds):
                    for which, call in enumerate(calls):
                        best[which] = max(best[which], await rate(call, seconds))
            found.append((written_in, size, best[0], best[1]))
    return found


def cold_start() -> tuple[float, float]:
    """(seconds, MB) of a fresh process from its start to the first answer."""
    script = (
        "from kopa_hf import Executor; import resource; "
        f"assert Executor().call_sync({TOOL!r}, {ARGUMENTS!r}).records; "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
    )
    start = time.perf_counter()
    output = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout
    return time.perf_counter() - start, float(output)


def whole_world() -> tuple[int, int, float, float]:
    """(tools asked, tools that answered, seconds, MB) after one answer of every tool, so that every table is built."""
    from kopa_hf.sandbox.probing import Prober
    from kopa_hf.sandbox.world import World

    tools = [tool for tool in load_catalog() if not tool.fields_unknown]
    start = time.perf_counter()
    prober = Prober(World(), tools)
    answered = sum(bool(prober.answers(tool)) for tool in tools)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return len(tools), answered, time.perf_counter() - start, peak


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.4)
    options = parser.parse_args()
    print(f"{platform.machine()}, Python {platform.python_version()}, {TOOL}, one core")
    print(f"{'format':<8}{'rows':>6}{'sandbox/s':>12}{'floor/s':>12}{'share':>8}")
    worst = 1e9
    for written_in, size, ours, theirs in asyncio.run(measure(options.rounds, options.seconds)):
        worst = min(worst, ours / theirs)
        print(f"{written_in:<8}{size:>6}{ours:>12.0f}{theirs:>12.0f}{ours / theirs:>8.0%}")
    print(f"worst share {worst:.0%} (goal {GOAL:.0%})")
    seconds, peak = cold_start()
    print(f"cold start to the first answer: {seconds:.2f} s, {peak:.0f} MB (goal 2 s)")
    tools, answered, seconds, peak = whole_world()
    print(f"the whole world: {answered} of {tools} tools answered once in {seconds:.1f} s, {peak:.0f} MB (goal 600 MB)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
