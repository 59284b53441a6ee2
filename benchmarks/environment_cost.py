"""What environments and the reward cost: set-up, reset, calls, memory over many of both, and their share of a rollout.

    python benchmarks/environment_cost.py --dataset FOLDER --resets 10000 --calls 100000 --output benchmarks/environment_cost.json

Set-up is that of the dataset's rows, or of --rows rows made by repeating the embedded tasks under toolset keys of
their own. Every time is taken twice: by the clock, and as CPU time of this process, which other programs on the
machine do not stretch; the load says how busy it was.

The share is reset, golden calls and reward of one rollout (means) over the time in which a 4B model writes what the
golden conversation says, at --tokens-per-second of one GPU. The default is a published measurement, not one of ours: Gemma 4
E4B-it in vLLM 0.19.1 on one H100 80GB with 16 requests at once, 2,015 tokens/s (reddit.com, post 1sva0b9, 2026-05-01).
Tokens are estimated (Hangul syllable 1, Latin letter 1/3).
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import resource
import statistics
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kopa_hf.agent.trimming import dump, estimate_tokens
from kopa_hf.bench.rows import COLUMNS, Row, row_to_dict, toolset_key
from kopa_hf.hub.loading import dataset_rows, embedded_rows, load_edge_trajectories
from kopa_hf.train.reward import rollout_score
from kopa_hf.train.toolsets import build_toolsets

MEBIBYTE = 2**20
GOALS = {
    "setup_s": 10.0, "setup_mib": 500.0, "reset_ms_median": 1.0, "call_ms_median": 2.0, "share_of_generation": 0.05,
    "growth_mib": 20.0,
}  # fmt: skip
"""Upper bounds; `growth_mib` is what memory may grow by from a tenth of the resets and calls to the end."""


def resident() -> float:
    """MiB that this process holds now."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * resource.getpagesize() / MEBIBYTE
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def toolsets_of(rows: list[Row], number: int) -> list[dict[str, Any]]:
    """Records of so many rows, each with a toolset of its own: the worst case."""
    records = []
    for at in range(number):
        row = rows[at % len(rows)]
        extra = [tool for tool in rows[(at // len(rows)) % len(rows)].tools if tool not in row.tools]
        tools = [*row.tools, *extra[: at // len(rows)]]
        names = [tool["function"]["name"] for tool in tools]
        records.append({"id": row.id, "environment": toolset_key(names), "tools": tools})
    return records


def trl_pool(classes: dict[str, Any]) -> float:
    """Seconds of what TRL's trainer does with the classes at its start: probe one instance of each."""
    import inspect

    began = time.perf_counter()
    known: list[Any] = []
    for kind in classes.values():
        instance = kind()
        members = inspect.getmembers(type(instance), predicate=inspect.isfunction)
        methods = [getattr(instance, name) for name, _ in members if name != "reset" and not name.startswith("_")]
        known += [method for method in methods if method not in known]
    return time.perf_counter() - began


@dataclass
class Times:
    """Seconds of many runs of one thing, by the clock and of CPU."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def take(self, act: Any) -> None:
        """Run once and note both."""
        cpu, wall = time.process_time(), time.perf_counter()
        act()
        self.wall.append(time.perf_counter() - wall)
        self.cpu.append(time.process_time() - cpu)

    def told(self, name: str) -> dict[str, float]:
        """Median, mean and 99th percentile in milliseconds; CPU medians and means beside them."""
        return {
            f"{name}_ms_median": round(1000 * statistics.median(self.wall), 4),
            f"{name}_ms_mean": round(1000 * statistics.fmean(self.wall), 4),
            f"{name}_ms_p99": round(1000 * statistics.quantiles(self.wall, n=100)[98], 4),
            f"{name}_cpu_ms_median": round(1000 * statistics.median(self.cpu), 4),
            f"{name}_cpu_ms_mean": round(1000 * statistics.fmean(self.cpu), 4),
        }


def spoken_tokens(row: Row) -> int:
    """Tokens that the model writes in the golden conversation."""
    said = [
        {k: m[k] for k in ("content", "tool_calls") if m.get(k)} for m in row.completion if m["role"] == "assistant"
    ]
    return sum(estimate_tokens(dump(message)) for message in said)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", help="A folder of trajectories; default: the embedded tasks.")
    parser.add_argument("--rows", type=int, default=1781)
    parser.add_argument("--resets", type=int, default=10_000)
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--sample", type=int, default=300, help="Rows that are played, spread over the dataset.")
    parser.add_argument("--tokens-per-second", type=float, default=2015.0)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    load = os.getloadavg()[0]
    rows = dataset_rows(load_edge_trajectories(options.dataset)) if options.dataset else list(embedded_rows())
    rows = [row for row in rows if row.golden_actions]
    number = len(rows) if options.dataset else options.rows

    before, cpu, wall = resident(), time.process_time(), time.perf_counter()
    classes = build_toolsets(toolsets_of(rows, number))
    probed = trl_pool(classes)
    found: dict[str, Any] = {
        "rows": number,
        "toolsets": len(classes),
        "setup_s": round(time.perf_counter() - wall, 3),
        "setup_cpu_s": round(time.process_time() - cpu, 3),
        "of_it_trl_probe_s": round(probed, 3),
        "setup_mib": round(resident() - before, 1),
    }
    played = [rows[at * len(rows) // min(options.sample, len(rows))] for at in range(min(options.sample, len(rows)))]
    found |= measure(played, options.resets, options.calls)
    tokens = statistics.fmean(spoken_tokens(row) for row in played)
    generation = 1000 * tokens / options.tokens_per_second
    for kind in ("", "_cpu"):
        found[f"rollout{kind}_ms_mean"] = round(
            found[f"reset{kind}_ms_mean"]
            + found["golden_calls_mean"] * found[f"call{kind}_ms_mean"]
            + found[f"reward{kind}_ms_mean"],
            3,
        )
        found[f"share_of_generation{kind}"] = round(found[f"rollout{kind}_ms_mean"] / generation, 4)
    found |= {
        "spoken_tokens_mean": round(tokens, 1),
        "tokens_per_second": options.tokens_per_second,
        "generation_ms_mean": round(generation, 1),
        "load_before": round(load, 2),
        "load_after": round(os.getloadavg()[0], 2),
        "cores": os.cpu_count(),
        "goals": {name: [found[name], bound, found[name] < bound] for name, bound in GOALS.items()},
    }
    text = json.dumps(found, indent=2) + "\n"
    sys.stdout.write(text)
    if options.output:
        options.output.write_text(text, encoding="utf-8")


def measure(rows: list[Row], resets: int, calls: int) -> dict[str, Any]:
    """Golden rollouts one after the other until both numbers are reached; memory at a tenth and at the end."""
    own = build_toolsets([row_to_dict(row) for row in rows])
    environments = {row.id: own[row.environment]() for row in rows}
    given = {row.id: {k: v for k, v in row_to_dict(row).items() if k in COLUMNS and k != "environment"} for row in rows}
    reset_times, call_times, reward_times = Times(), Times(), Times()

    def reset(row: Row) -> None:
        environments[row.id].reset(**given[row.id])

    def call(row: Row, action: dict[str, Any]) -> None:
        getattr(environments[row.id], action["name"])(**action["arguments"])

    for row in rows:  # the sandbox makes its records on first use
        reset(row)
        for action in row.golden_actions:
            call(row, action)
        reward_times.take(lambda row=row: rollout_score(row, row.completion, environments[row.id]))  # type: ignore[misc]
    early, at = 0.0, 0
    while len(reset_times.wall) < resets or len(call_times.wall) < calls:
        row = rows[at % len(rows)]
        at += 1
        reset_times.take(lambda row=row: reset(row))  # type: ignore[misc]
        for action in row.golden_actions if len(call_times.wall) < calls else ():
            call_times.take(lambda row=row, action=action: call(row, action))  # type: ignore[misc]
        if not early and len(reset_times.wall) >= resets / 10 and len(call_times.wall) >= calls / 10:
            gc.collect()
            early = resident()
    gc.collect()
    end = resident()
    return {
        "resets": len(reset_times.wall),
        **reset_times.told("reset"),
        "calls": len(call_times.wall),
        **call_times.told("call"),
        **reward_times.told("reward"),
        "golden_calls_mean": round(statistics.fmean(len(row.golden_actions) for row in rows), 2),
        "mib_at_a_tenth": round(early, 1),
        "mib_at_the_end": round(end, 1),
        "growth_mib": round(end - early, 1),
    }


if __name__ == "__main__":
    main()
