"""What refinement costs over its bare calls: sampling, posteriors, evidence, pools, checkpoints.

A graph is refined with checkpoints, and every call that really goes out is written down; then the same calls are
made again, one after the other, on a fresh world without any refinement. Both are timed in processor seconds.

    python benchmarks/refinement_overhead.py

Exit code 1: the ratio is above the goal of 1.5.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.catalog.tool import Tool
from kopa_hf.edge import EdgeConfig, build_graph, refine
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.result import CallResult
from kopa_hf.sandbox import Faults, World

GOAL: Final = 1.5
Call = tuple[Tool, dict[str, Any], int, str]


class Noting(Executor):
    """An executor that writes down what it is asked."""

    noted: list[Call]

    async def call(self, tool: Tool | str, arguments: Mapping[str, Any], **how: Any) -> CallResult:
        """Note, then call."""
        known = self.catalog.get(tool) if isinstance(tool, str) else tool
        self.noted.append((known, dict(arguments), how.get("attempt", 0), how.get("stream", "")))
        return await super().call(tool, arguments, **how)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--platforms", default="", help="Platforms to link, joined by commas; default: the preset's.")
    options = parser.parse_args()
    config = EdgeConfig.make("paper", iterations=options.iterations, platforms=options.platforms)
    graph = build_graph(load_catalog(), config)
    noting = Noting(world=World(), faults=Faults.default(config.seed))
    noting.noted = []
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        refine(graph, noting, config, checkpoint=Path(folder) / "checkpoint.json")
        whole = time.process_time() - start
    start = time.process_time()
    asyncio.run(again(Executor(world=World(), faults=Faults.default(config.seed)), noting.noted))
    bare = time.process_time() - start
    issued = sum(stats.calls for stats in graph.history)
    print(f"{len(graph)} edges, {config.iterations} iterations of {config.paths} paths")
    print(
        f"{issued} calls issued, {len(noting.noted)} sent ({issued - len(noting.noted)} were identical to one before)"
    )
    print(f"refinement {whole:.1f} s, its bare calls {bare:.1f} s: {whole / bare:.2f} times (goal {GOAL})")
    return 1 if whole / bare > GOAL else 0


async def again(executor: Executor, calls: list[Call]) -> None:
    """The same calls, nothing else."""
    for tool, arguments, attempt, stream in calls:
        await executor.call(tool, arguments, attempt=attempt, stream=stream)


if __name__ == "__main__":
    raise SystemExit(main())
