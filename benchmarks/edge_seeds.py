"""The exam of the tool graph: what execution makes of it, and how right it is, over several seeds.

Each seed is identity, value, fault and run seed at once. A seed's world is refined as the `paper` preset says,
then all edges are executed afresh and compared with what the world knows about its bindings. Then transient faults are
doubled, and the same graph is refined twice more: with the weights as they are, and with 1.0 for a failure of any
class. The log holds every number, the table one line per seed.

    python benchmarks/edge_seeds.py --seeds 11 12 --jobs 2 --output edge_seeds.json

Exit code 1: a goal is missed.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import platform
import resource
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.edge import EdgeConfig, ToolGraph, build_graph, edge_report, measure_rates, refine
from kopa_hf.edge.config import Updates
from kopa_hf.edge.scores import truth_scores
from kopa_hf.execution.executor import Executor
from kopa_hf.sandbox import Faults, World
from kopa_hf.sandbox.truth import BindingTruth, binding_truth
from kopa_hf.sandbox.world import WORLD_VERSION

FAILURES: Final = tuple(f.name for f in dataclasses.fields(Updates) if f.name not in ("semantic", "generic"))
EVERY_FAILURE_ALIKE: Final = Updates(**dict.fromkeys(FAILURES, 1.0))
"""The update to beat: whatever went wrong speaks against the edge as much as anything else."""

GOALS: Final[dict[str, tuple[str, float, float]]] = {
    "skeleton": ("rate of the skeleton", 0.40, 0.60),
    "retained_gain": ("retained minus skeleton", 0.10, 1.0),
    "pruned": ("rate of pruned edges", 0.0, 0.20),
    "auc_sure": ("AUC of the posterior, edges tried 3 times or more", 0.95, 1.0),
    "auc_gain": ("AUC of the posterior minus the prior's, the same edges", 0.10, 1.0),
    "recall_gain": ("faults doubled: recall minus that of equal weights", 1e-9, 1.0),
}
"""Name → (words, least, most). Rates are over edges tried twice or more."""


def main() -> int:
    """Run all seeds, print a table, write the log."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--seeds", nargs="+", type=int, required=True, metavar="SEED")
    parser.add_argument("--output", type=Path, help="The log, as JSON; the table goes beside it as .csv.")
    parser.add_argument("--jobs", type=int, default=1, help="Seeds examined side by side, a process each.")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="One setting of the run.")
    options = parser.parse_args()
    settings = {name: _value(text) for name, _, text in (pair.partition("=") for pair in options.set)}
    config = EdgeConfig.make("paper", **{"rate_edges": None, **settings})
    log: dict[str, Any] = {"config": config.to_dict(), "world_version": WORLD_VERSION, "goals": GOALS, "seeds": {}}
    with ProcessPoolExecutor(options.jobs) as pool:
        configs = [config.replace(seed=seed) for seed in options.seeds]
        for seed, found in zip(options.seeds, pool.map(examine, configs), strict=True):
            log["seeds"][str(seed)] = found
            if options.output is not None:
                write(log, options.output)
    print(table(log))
    missed = [f"seed {seed}: {name}" for seed, found in log["seeds"].items() for name in missed_goals(found["summary"])]
    print("all goals met" if not missed else "missed: " + "; ".join(missed))
    return 1 if missed else 0


def examine(config: EdgeConfig) -> dict[str, Any]:
    """Everything that is measured for one seed."""
    seconds: dict[str, float] = {}
    catalog = load_catalog()
    world = World(config.seed, config.seed)
    faults = Faults.default(config.seed)
    truth = binding_truth(world, catalog, faults)
    with timed(seconds, "build"):
        graph = build_graph(catalog, config)
    with timed(seconds, "refine"):
        refine(graph, Executor(world=world, faults=faults), config)
    with timed(seconds, "rates"):
        measure_rates(graph, Executor(world=world, faults=faults), config)
    with timed(seconds, "truth"):
        report = edge_report(graph, truth=truth)
    del report["config"]
    doubled: dict[str, Any] = {}
    for name, updates in (("graded", config.updates), ("equal", EVERY_FAILURE_ALIKE)):
        with timed(seconds, f"doubled, {name}"):
            doubled[name] = refined_under(config.replace(updates=updates), world, truth, factor=2.0)
    found = {"report": report, "doubled": doubled}
    return {
        "summary": summary(found),
        **found,
        "machine": {
            "seconds": seconds,
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            "python": platform.python_version(),
        },
    }


def refined_under(config: EdgeConfig, world: World, truth: BindingTruth, factor: float) -> dict[str, Any]:
    """Scores of a graph refined under other transient faults; static defects, and so the truth, stay."""
    graph: ToolGraph = build_graph(load_catalog(), config)
    refine(graph, Executor(world=world, faults=Faults.scaled(config.seed, factor)), config)
    return {"pruned": sum(e.decision(config) == "pruned" for e in graph.edges()), "truth": truth_scores(graph, truth)}


def summary(found: Mapping[str, Any]) -> dict[str, float]:
    """The figures that goals are set for."""
    rates, truth = found["report"]["rates"]["tried"], found["report"]["truth"]
    sure = truth["groups"]["sure"]
    graded, equal = (found["doubled"][name]["truth"] for name in ("graded", "equal"))
    return {
        "skeleton": rates["skeleton"]["rate"],
        "retained": rates["retained"]["rate"],
        "retained_gain": rates["retained"]["rate"] - rates["skeleton"]["rate"],
        "pruned": rates["pruned"]["rate"],
        "coverage": found["report"]["edges"]["tried_share"],
        "auc_prior": sure["prior"]["auc"],
        "auc_sure": sure["posterior"]["auc"],
        "auc_gain": sure["posterior"]["auc"] - sure["prior"]["auc"],
        "precision": truth["precision"],
        "recall": truth["recall"],
        "recall_doubled": graded["recall"],
        "recall_equal": equal["recall"],
        "recall_gain": graded["recall"] - equal["recall"],
    }


def missed_goals(figures: Mapping[str, float]) -> list[str]:
    """Goals that a seed's figures are outside of, in words."""
    return [
        f"{words} is {figures[name]:.4f}, wanted {least:.2f} to {most:.2f}"
        for name, (words, least, most) in GOALS.items()
        if not least <= figures[name] <= most
    ]


def table(log: Mapping[str, Any]) -> str:
    """One line per seed, comma-separated, four places."""
    seeds = log["seeds"]
    names = list(next(iter(seeds.values()))["summary"])
    lines = [",".join(("seed", *names))]
    lines += [",".join((seed, *(f"{found['summary'][name]:.4f}" for name in names))) for seed, found in seeds.items()]
    return "\n".join(lines)


def write(log: Mapping[str, Any], path: Path) -> None:
    """The log and, beside it, the table."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(log, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    path.with_suffix(".csv").write_text(table(log) + "\n", encoding="utf-8")


@contextmanager
def timed(seconds: dict[str, float], name: str) -> Iterator[None]:
    """Note how long something took, and say so."""
    start = time.perf_counter()
    yield
    seconds[name] = round(time.perf_counter() - start, 1)
    print(f"process {os.getpid()}: {name} {seconds[name]:.1f} s", file=sys.stderr, flush=True)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


if __name__ == "__main__":
    raise SystemExit(main())
