"""What a graph was refined on: backend, world and faults, so that no later stage goes on elsewhere without a word.

A posterior mixes all of its trials. Trials of another world, or of one without faults, are
another experiment; and whether a binding is valid depends on the defects that were there.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Final

from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.graph import ToolGraph
from kopa_hf.errors import DataError

_WORLD: Final = ("version", "identity_seed", "value_seed", "scale")
_ELSEWHERE: Final = "Use the same ones again, or another --output."


def surroundings_of(executor: Any) -> dict[str, Any]:
    """`backend`; of the sandbox also `world` (version, seeds, scale) and `faults` (None: none, and no defects).

    Of a transport that is no sandbox there is nothing to tell but the backend's name.
    """
    transport = getattr(executor, "transport", None)
    world, faults = getattr(transport, "world", None), getattr(transport, "faults", None)
    found: dict[str, Any] = {"backend": str(executor.backend)}
    if world is not None:
        found["world"] = {name: getattr(world, name) for name in _WORLD}
        found["faults"] = None if faults is None else _faults(faults)
    return found


def _faults(faults: Any) -> dict[str, Any] | None:
    """Seed and rates as JSON values; None where nothing can go wrong."""
    told = {f.name: getattr(faults, f.name) for f in dataclasses.fields(faults) if not f.name.startswith("_")}
    if not any(value for name, value in told.items() if name != "seed"):
        return None
    return told | {"transient": {kind: rate for kind, rate in told["transient"]}}


def differences(
    then: Mapping[str, Any], now: Mapping[str, Any], parts: tuple[str, ...] = ("backend", "world", "faults")
) -> list[str]:
    """What differs between two surroundings, in words; parts that one of them does not tell are passed over."""
    found = []
    for part in parts:
        if part not in then or part not in now or then[part] == now[part]:
            continue
        before, after = then[part], now[part]
        if isinstance(before, Mapping) and isinstance(after, Mapping):
            names = [name for name in before if before[name] != after.get(name)]
            found += [
                f"{part} {name.replace('_', ' ')} {_said(before[name])}, now {_said(after.get(name))}" for name in names
            ]
        else:
            found.append(f"{part} {_said(before)}, now {_said(after)}")
    return found


def _said(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"on with seed {value['seed']}" if "seed" in value else ", ".join(f"{k} {v}" for k, v in value.items())
    return "off" if value is None else str(value)


def begin(graph: ToolGraph, executor: Any, *, backend_may_change: bool = False) -> None:
    """Note what trials are going to be made on; raises `DataError` where earlier ones were made on something else.

    With `backend_may_change` the services may take the sandbox's place or the other way round: every
    edge's evidence names the backend of its latest trial. `refreshed_on` notes what that other backend was.
    """
    now = surroundings_of(executor)
    tried = bool(graph.history) or any(edge.evidence.trials for edge in graph.edges())
    if not tried:
        graph.surroundings = now
    if graph.surroundings is None:  # refined by a version that did not note it
        return
    then: Mapping[str, Any] = graph.surroundings
    if backend_may_change and now["backend"] != then["backend"]:
        then = graph.surroundings.setdefault("refreshed_on", {}).setdefault(now["backend"], now)
    refuse(then, now, "The graph was refined with")


def refuse(then: Mapping[str, Any], now: Mapping[str, Any], what: str) -> None:
    """Raise `DataError` naming what differs; nothing where all is the same."""
    found = differences(then, now)
    if found:
        raise DataError(f"{what} {'; '.join(found)}: trials of the two would be mixed. {_ELSEWHERE}")


BUILT_WITH: Final[tuple[str, ...]] = (
    "embedder", "judge", "judge_attempts", "judge_tokens", "judge_fallback", "embedding_size", "neighbors",
    "cross_neighbors", "min_score", "platforms", "withhold", "kappa",
)  # fmt: skip
"""Settings that building has settled: later stages cannot change what they shaped."""
REFINED_WITH: Final[tuple[str, ...]] = (
    "paths", "max_edges", "exploration", "updates", "page_rows", "start_attempts", "cached_values", "min_trials", "tau",
    "prune_below",
)  # fmt: skip
"""Settings that refinement has settled, once an iteration is done."""


def check_settled(graph: ToolGraph, config: EdgeConfig, *, also: tuple[str, ...] = ()) -> None:
    """Raise `DataError` where settings ask a graph for what it was not made with; `also` names further settled ones."""
    before, now = graph.config.to_dict(), config.to_dict()
    stages: list[tuple[str, str, tuple[str, ...]]] = [("built", "build", BUILT_WITH)]
    if graph.history:
        stages.append(("refined", "refine", (*REFINED_WITH, *also)))
    for done, command, names in stages:
        found = [
            f"{name} {_value(before[name])}, not {_value(now[name])}" for name in names if before[name] != now[name]
        ]
        if found:
            raise DataError(
                f"The graph was {done} with {'; '.join(found)}. Leave that as it was, or "
                f"`kopa edge {command}` with it into another --output."
            )


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return ",".join(f"{name}={part}" for name, part in value.items())
    return ",".join(value) or "(none)" if isinstance(value, list) else str(value)


def in_words(surroundings: Mapping[str, Any] | None) -> str:
    """One line on what a graph was refined on."""
    if surroundings is None:
        return "not refined, or by a version that did not note on what"
    parts = [str(surroundings["backend"])]
    if "world" in surroundings:
        world, faults = surroundings["world"], surroundings.get("faults")
        parts.append(
            f"world version {world['version']}, identity seed {world['identity_seed']}, value seed {world['value_seed']}"
            + ("" if world["scale"] == 1 else f", scale {world['scale']:g}")
        )
        parts.append("no faults" if faults is None else f"faults of seed {faults['seed']}")
    return "; ".join(parts)
