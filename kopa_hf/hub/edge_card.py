"""What stands on the trajectories' card beyond counts of their rows: junctions, funnel, phrasing, splits, overlap.

Every figure is read from the run's report, which was computed when the rows were made.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_LINES: Final[tuple[tuple[str, tuple[str, ...], bool], ...]] = (
    ("rows", ("rows",), False),
    *((name, ("structures", name), False) for name in ("MIXED", "DRV", "SEM", "SEQ", "CMP", "COND", "FAN")),
    ("FAN + DRV of single-junction sequential", ("single_junction_sequential", "fan_or_drv"), True),
    ("one-to-many junctions", ("junctions", "one_to_many"), True),
    ("cardinality of junctions, median", ("junctions", "cardinality", "median"), False),
    ("cardinality of junctions, largest", ("junctions", "cardinality", "max"), False),
    ("records behind a junction, most", ("junctions", "records", "max"), False),
    ("calls, mean", ("calls", "mean"), False),
    ("calls, most", ("calls", "max"), False),
    ("four hops or more", ("hops", "four_or_more"), True),
    ("parallel calls", ("parallel",), True),
)


def edge_facts(report: Mapping[str, Any], *, figure: str = "") -> dict[str, Any]:
    """Values of the card's template; parts that the report lacks are left out of it.

    figure: name of a picture of the refinement inside the folder.
    """
    facts: dict[str, Any] = {
        "figure": figure,
        "withhold": list(report["config"]["withhold"]),
        "settings": {name: report["config"][name] for name in ("name", "seed", "iterations", "paths", "fan_out")},
        "judge": report["judge"],
        "embedder": report["embedder"],
        "rephraser": report["config"]["rephrase"],
        "judges": list(report["config"]["filter_judges"]),
        "solver": report["config"]["solver"],
        "edges": {name: f"{report['edges'][name]:,}" for name in ("skeleton", "kept", "pruned", "untried")},
        "rates": {name: _share(rate["rate"]) for name, rate in report["rates"]["tried"].items()},
    }
    table = report.get("table")
    if table:
        facts["comparison"] = [
            (name, *(_cell(table[column], path, is_share) for column in ("ours", "paper")))
            for name, path, is_share in _LINES
        ]
    if report.get("funnel"):
        facts["stages"] = list(report["funnel"]["stages"].items())
        facts["reasons"] = list(report["funnel"]["reasons"].items())[:10]
        facts["replaced"] = report["funnel"]["notes"].get("answers replaced", 0)
    if report.get("phrasing"):
        facts["wording"] = [
            (name, found["rows"], found["templates"], _share(found["largest_share"]))
            for name, found in report["phrasing"]["structures"].items()
        ]
        facts["registers"] = [item for item in report["phrasing"]["registers"].items() if item[0]]
        facts["rephrased"] = report["phrasing"]["rephrased"]
    if report.get("splits"):
        facts["seen"] = report["splits"]
    if report.get("overlap"):
        found = report["overlap"]
        facts["overlap"] = {
            "verbatim": len(found["verbatim"]),
            "edges": f"{found['edges']:.2f}",
            "nearest": f"{found['nearest_question']:.2f}",
            "tools": _share(found["tools"]),
            "shapes": _share(found["shapes"]),
        }
    return facts


def _cell(found: Any, path: tuple[str, ...], is_share: bool) -> str:
    if path[0] == "structures":  # those that no row has are not in the count
        found = {"structures": dict.fromkeys(path[1:], 0) | found["structures"]}
    for key in path:
        found = found.get(key) if isinstance(found, Mapping) else None
    if found is None:
        return "-"
    if is_share:
        return _share(found)
    return f"{found:,}" if isinstance(found, int) else f"{found:,.2f}".rstrip("0").rstrip(".")


def _share(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}%"
