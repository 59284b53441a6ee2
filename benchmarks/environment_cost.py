"""What environments and the reward cost: set-up, reset, calls, and memory over many of both.

    python benchmarks/environment_cost.py --resets 10000 --calls 100000

Prints one JSON object. Set-up is that of a training set of --rows rows, made by repeating
the rows of --dataset (default: the embedded tasks) under toolset keys of their own.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from kopa_hf.bench.rows import COLUMNS, Row, row_to_dict, toolset_key
from kopa_hf.hub.loading import dataset_rows, embedded_rows, load_edge_trajectories
from kopa_hf.train.reward import rollout_score
from kopa_hf.train.toolsets import build_toolsets

MEBIBYTE = 2**20


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


def golden_calls(row: Row) -> list[tuple[str, dict[str, Any]]]:
    return [(action["name"], action["arguments"]) for action in row.golden_actions]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset", help="A folder of trajectories; default: the embedded tasks.")
    parser.add_argument("--rows", type=int, default=1781)
    parser.add_argument("--resets", type=int, default=10_000)
    parser.add_argument("--calls", type=int, default=100_000)
    options = parser.parse_args()
    rows = dataset_rows(load_edge_trajectories(options.dataset)) if options.dataset else list(embedded_rows())
    rows = [row for row in rows if row.golden_actions]

    before, began = resident(), time.perf_counter()
    classes = build_toolsets(toolsets_of(rows, options.rows))
    built = time.perf_counter() - began
    probed = trl_pool(classes)
    found: dict[str, Any] = {
        "rows": options.rows,
        "toolsets": len(classes),
        "setup_s": round(built, 3),
        "trl_probe_s": round(probed, 3),
        "setup_mib": round(resident() - before, 1),
    }
    own = build_toolsets([row_to_dict(row) for row in rows])
    environments = {row.id: own[row.environment]() for row in rows}
    given = {row.id: {k: v for k, v in row_to_dict(row).items() if k in COLUMNS and k != "environment"} for row in rows}
    scripts = {row.id: golden_calls(row) for row in rows}
    for row in rows:  # the sandbox makes its records on first use
        environments[row.id].reset(**given[row.id])
        for name, arguments in scripts[row.id]:
            getattr(environments[row.id], name)(**arguments)
    gc.collect()
    found |= measure(rows, environments, given, scripts, options.resets, options.calls)
    json.dump(found, sys.stdout, indent=2)
    sys.stdout.write("\n")


def measure(rows: list[Row], environments: Any, given: Any, scripts: Any, resets: int, calls: int) -> dict[str, Any]:
    """Golden rollouts one after the other until both numbers are reached; memory at a tenth and at the end."""
    reset_s: list[float] = []
    call_s: list[float] = []
    score_s: list[float] = []
    early = 0.0
    at = 0
    while len(reset_s) < resets or len(call_s) < calls:
        row = rows[at % len(rows)]
        environment = environments[row.id]
        at += 1
        began = time.perf_counter()
        environment.reset(**given[row.id])
        reset_s.append(time.perf_counter() - began)
        if len(call_s) < calls:
            for name, arguments in scripts[row.id]:
                began = time.perf_counter()
                getattr(environment, name)(**arguments)
                call_s.append(time.perf_counter() - began)
        if at <= 2 * len(rows):
            began = time.perf_counter()
            rollout_score(row, row.completion, environment)
            score_s.append(time.perf_counter() - began)
        if not early and len(reset_s) >= resets / 10 and len(call_s) >= calls / 10:
            gc.collect()
            early = resident()
    gc.collect()
    return {
        "resets": len(reset_s),
        "reset_ms_median": round(1000 * statistics.median(reset_s), 4),
        "reset_ms_p99": round(1000 * statistics.quantiles(reset_s, n=100)[98], 4),
        "calls": len(call_s),
        "call_ms_median": round(1000 * statistics.median(call_s), 4),
        "call_ms_p99": round(1000 * statistics.quantiles(call_s, n=100)[98], 4),
        "reward_ms_median": round(1000 * statistics.median(score_s), 4),
        "mib_at_a_tenth": round(early, 1),
        "mib_at_the_end": round(resident(), 1),
    }


if __name__ == "__main__":
    main()
