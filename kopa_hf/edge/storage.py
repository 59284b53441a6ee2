"""Files of the synthesis: JSON with a kind, a version and a checksum, written atomically.

A file either is exactly what was written or is refused with a remedy; a full disk
or a crash leaves the previous file as it was.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.feasibility import Binding
from kopa_hf.edge.graph import GRAPH_VERSION, Edge, Evidence, ToolGraph
from kopa_hf.edge.history import IterationStats
from kopa_hf.errors import DataError
from kopa_hf.whole_file import write_whole

GRAPH_KIND: Final = "kopa-edge-graph"
_ZERO_TELLS: Final = frozenset({"first_trial", "last_trial"})
"""Parts of the evidence in which 0 and absent differ."""
_REBUILD: Final = "Make it again with `kopa edge build`."


def save_graph(graph: ToolGraph, path: str | Path) -> None:
    """Write a graph."""
    write_checked(path, GRAPH_KIND, GRAPH_VERSION, graph_to_dict(graph))


def load_graph(path: str | Path) -> ToolGraph:
    """Read a graph."""
    content = read_checked(path, GRAPH_KIND, GRAPH_VERSION, _REBUILD)
    try:
        return graph_from_dict(content)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DataError(f"{path} holds no tool graph ({error!r}). {_REBUILD}") from error


def graph_to_dict(graph: ToolGraph) -> dict[str, Any]:
    """Everything a graph holds, as JSON values."""
    return {
        "config": graph.config.to_saved(),
        "judge": graph.judge,
        "embedder": graph.embedder,
        "candidates": graph.candidates,
        "judge_errors": graph.judge_errors,
        "skipped": graph.skipped,
        "surroundings": graph.surroundings,
        "tools": {name: dict(graph.digraph.nodes[name]) for name in graph},
        "edges": [{**_signature_of(edge), **edge_state(edge)} for edge in graph.edges()],
        "values": graph.values.to_list(),
        "controls": graph.controls.to_list(),
        "history": [stats.to_dict() for stats in graph.history],
    }


def graph_from_dict(content: dict[str, Any]) -> ToolGraph:
    """The inverse of `graph_to_dict`."""
    config = EdgeConfig.from_dict(content["config"])
    graph = ToolGraph(config, judge=content["judge"], embedder=content["embedder"])
    graph.candidates = int(content["candidates"])
    graph.judge_errors = int(content["judge_errors"])
    graph.skipped = dict(content["skipped"])
    graph.surroundings = content.get("surroundings")
    for name, attributes in content["tools"].items():
        graph.digraph.add_node(name, **attributes)
    for item in content["edges"]:
        edge = Edge(
            source=item["source"],
            target=item["target"],
            score=item["score"],
            similarity=item["similarity"],
            bindings=tuple(Binding(*binding) for binding in item["bindings"]),
            defaults=tuple(item["defaults"]),
            clarify=tuple(item["clarify"]),
            alpha=0.0,
            beta=0.0,
        )
        restore_edge_state(edge, item)
        graph.add_edge(edge)
    graph.values.restore(content["values"])
    graph.controls.restore(content["controls"])
    graph.history = [IterationStats(**stats) for stats in content["history"]]
    return graph


def _signature_of(edge: Edge) -> dict[str, Any]:
    return {
        "source": edge.source,
        "target": edge.target,
        "score": edge.score,
        "similarity": edge.similarity,
        "bindings": [[b.parameter, b.field, b.score, b.generic] for b in edge.bindings],
        "defaults": list(edge.defaults),
        "clarify": list(edge.clarify),
    }


def edge_state(edge: Edge) -> dict[str, Any]:
    """What refinement changes on an edge. Empty parts of the evidence are left out: most edges have none."""
    evidence = edge.evidence
    state: dict[str, Any] = {"alpha": edge.alpha, "beta": edge.beta}
    known = {f.name: getattr(evidence, f.name) for f in dataclasses.fields(evidence)}
    known["cardinalities"] = sorted(evidence.cardinalities.items())
    told = {name: value for name, value in known.items() if value not in (None, 0, {}, []) or name in _ZERO_TELLS}
    if told.keys() - _ZERO_TELLS or evidence.first_trial is not None:
        state["evidence"] = {name: value for name, value in told.items() if value is not None}
    return state


def restore_edge_state(edge: Edge, state: dict[str, Any]) -> None:
    """The inverse of `edge_state`."""
    edge.alpha, edge.beta = float(state["alpha"]), float(state["beta"])
    evidence = dict(state.get("evidence") or {})
    if "cardinalities" in evidence:
        evidence["cardinalities"] = {int(value): int(times) for value, times in evidence["cardinalities"]}
    edge.evidence = Evidence(**evidence)


@dataclasses.dataclass(frozen=True, slots=True)
class Written:
    """A part of a file's content that is JSON text already."""

    text: str


def write_checked(path: str | Path, kind: str, version: int, content: Mapping[str, Any]) -> None:
    """Write JSON with a checksum, through a temporary file in the same folder and a rename.

    Values of `content` may be `Written`.
    """
    path = Path(path)
    parts = (f"{json_text(n)}:{v.text if isinstance(v, Written) else json_text(v)}" for n, v in content.items())
    body = f"{{{','.join(parts)}}}"
    head = {"kind": kind, "version": version, "sha256": hashlib.sha256(body.encode("utf-8")).hexdigest()}
    text = f'{{"head":{json_text(head)},\n"content":{body}}}\n'
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    except OSError as error:
        raise DataError(
            f"Cannot write {path}: {error.strerror or error}. An earlier version of it, if any, is untouched; "
            "make room or choose another folder and run the same command again, it resumes."
        ) from error


def read_checked(path: str | Path, kind: str, version: int, remedy: str) -> dict[str, Any]:
    """Read what `write_checked` wrote; raises `DataError` with the remedy for anything else."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise DataError(f"There is no file {path}. {remedy}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"Cannot read {path}: {error}. {remedy}") from error
    try:
        whole = json.loads(text)
        head, content = whole["head"], whole["content"]
        found_kind, found_version, checksum = head["kind"], head["version"], head["sha256"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise DataError(f"{path} is cut short or no file of ours. {remedy}") from error
    if found_kind != kind:
        raise DataError(f"{path} holds a {found_kind}, not a {kind}.")
    if found_version != version:
        raise DataError(f"{path} has version {found_version}, this program reads version {version}. {remedy}")
    if hashlib.sha256(json_text(content).encode("utf-8")).hexdigest() != checksum:
        raise DataError(f"{path} was changed after it was written: its checksum does not match. {remedy}")
    if not isinstance(content, dict):
        raise DataError(f"{path} holds no object. {remedy}")
    return content


def json_text(value: Any) -> str:
    """JSON as these files hold it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
