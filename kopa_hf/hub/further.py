"""The three further datasets as folders with cards: `tools`, `edge-graph`, `snapshots`; every figure is counted from the rows."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kopa_hf._version import __version__
from kopa_hf.catalog.tool import Tool
from kopa_hf.errors import DataError
from kopa_hf.execution.snapshot import Snapshot
from kopa_hf.execution.snapshot_archive import export_snapshot
from kopa_hf.hub.cards import PAPER, counts, size_category
from kopa_hf.hub.folder import Table, write_folder
from kopa_hf.hub.loading import HUB_NAMESPACE
from kopa_hf.hub.tables import graph_table, snapshot_table, tool_table
from kopa_hf.shipped import shipped_path

LICENCE: Final = "CC-BY-4.0"
"""Of what is written here; data of the services keeps their terms."""
ARCHIVE: Final = "answers.zip"
_ORIGINS: Final = {
    "live": "the services themselves",
    "via": "a stand-in for the services (invented records)",
    "sandbox": "the embedded sandbox (invented records)",
}


def write_tools(tools: Iterable[Tool], folder: Path) -> Path:
    """The catalog as dataset `tools`: config `default`, and one per domain."""
    inventory = list(tools)
    domains = sorted({tool.domain for tool in inventory})
    tables = [tool_table(inventory)]
    tables += [tool_table([tool for tool in inventory if tool.domain == name], config=name) for name in domains]
    with_fields = [tool for tool in inventory if not tool.fields_unknown]
    facts = {
        "platforms": counts(tool.platform for tool in inventory),
        "domains": counts(tool.domain for tool in inventory),
        "with_fields": len(with_fields),
        "without_fields": len(inventory) - len(with_fields),
        "with_four": sum(len(tool.fields) >= 4 for tool in inventory),
        "callable": sum(not tool.endpoint.code_unresolved for tool in inventory),
        "mean_parameters": f"{statistics.fmean(len(tool.inputs) for tool in inventory):.2f}" if inventory else "-",
    }
    return _write("tools", "Tools of Korean open public APIs", tables, folder, facts)


def write_graph(records: Sequence[Mapping[str, Any]], facts: Mapping[str, Any], folder: Path) -> Path:
    """Edges of a tool graph as dataset `edge-graph`: config `default` with all of them, and one per decision.

    records, facts: of `kopa_hf.edge.records`.
    """
    tables = [graph_table(records), *(graph_table(records, decision=name) for name in ("kept", "pruned", "untried"))]
    return _write("edge-graph", "EDGE tool graph", tables, folder, facts)


def write_snapshot(snapshot: Snapshot, folder: Path, *, title: str, repository: str) -> Path:
    """A snapshot as dataset `snapshots`: its answers row by row, and beside them the archive that replays them."""
    if len(snapshot) == 0:
        raise DataError(f"{snapshot.path} holds no answer yet.")
    table = snapshot_table(snapshot)
    archive = folder.parent / f".{folder.name}-{ARCHIVE}"
    try:
        fingerprint = export_snapshot(snapshot, archive)
        content = archive.read_bytes()
    finally:
        archive.unlink(missing_ok=True)
    days = sorted(str(record["observed"]) for record in table.records)
    facts = {
        "no_data": sum(record["outcome"] == "no_data" for record in table.records),
        "origin": snapshot.origin,
        "origin_text": _ORIGINS[snapshot.origin],
        "first": days[0],
        "last": days[-1],
        "wires": counts(record["wire"] for record in table.records),
        "fingerprint": fingerprint,
        "archive": ARCHIVE,
        "title": title,
    }
    return _write("snapshots", f"Recorded answers: {title}", [table], folder, facts, {ARCHIVE: content}, repository)


def _write(
    name: str,
    pretty: str,
    tables: list[Table],
    folder: Path,
    facts: Mapping[str, Any],
    assets: Mapping[str, bytes] | None = None,
    repository: str = "",
) -> Path:
    kept = [table for table in tables if table.records]
    if not kept:
        raise DataError(f"There are no rows for dataset {name}.")

    def card(configs: list[dict[str, Any]]) -> str:
        from huggingface_hub import DatasetCard, DatasetCardData

        live = facts.get("origin") == "live"
        header = DatasetCardData(
            language=["ko"],
            license="other" if live else LICENCE.lower(),
            pretty_name=pretty,
            tags=["tool-use", "korean", "open-api", *(["synthetic"] if "origin" in facts and not live else [])],
            size_categories=[size_category(len(kept[0].records))],
            configs=configs,
        )
        values = {"rows": len(kept[0].records), "licence": LICENCE, **common_values(), **facts}
        values |= {"repository": repository or f"{HUB_NAMESPACE}/{name}"}
        return str(DatasetCard.from_template(header, template_str=template(name), **values))

    return write_folder(kept, folder, card, assets=assets)


def template(name: str) -> str:
    """A card's template with the end that all cards share."""
    text, end = (shipped_path(f"hub_cards/{part}.md").read_text(encoding="utf-8") for part in (name, "_end"))
    return text.replace('{% include "_end.md" %}', end)


def common_values() -> dict[str, str]:
    """Values that every template has: version and paper."""
    address = f"https://arxiv.org/abs/{PAPER.removeprefix('arXiv:')}"
    return {"version": __version__, "paper": PAPER, "paper_url": address}
