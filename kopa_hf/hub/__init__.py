"""Datasets: builders, loading, Parquet folders, publishing, bundles. Imports `datasets` only where it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kopa_hf._lazy import lazy_exports

if TYPE_CHECKING:
    from kopa_hf.hub.builders import EdgeTrajectories as EdgeTrajectories
    from kopa_hf.hub.builders import KopaBench as KopaBench
    from kopa_hf.hub.bundle import unpack_bundle as unpack_bundle
    from kopa_hf.hub.bundle import verify_bundle as verify_bundle
    from kopa_hf.hub.bundle import write_bundle as write_bundle
    from kopa_hf.hub.cards import dataset_card as dataset_card
    from kopa_hf.hub.folder import rows_to_dataset as rows_to_dataset
    from kopa_hf.hub.folder import write_folder as write_folder
    from kopa_hf.hub.further import write_graph as write_graph
    from kopa_hf.hub.further import write_snapshot as write_snapshot
    from kopa_hf.hub.further import write_tools as write_tools
    from kopa_hf.hub.loading import load_edge_trajectories as load_edge_trajectories
    from kopa_hf.hub.loading import load_kopa_bench as load_kopa_bench
    from kopa_hf.hub.offline_cache import fill_cache as fill_cache
    from kopa_hf.hub.publishing import publish as publish
    from kopa_hf.hub.pulling import pull as pull
    from kopa_hf.hub.scanning import scan_files as scan_files
    from kopa_hf.hub.trained import model_card as model_card
    from kopa_hf.hub.validation import check_dataset as check_dataset

_HOMES = {
    "EdgeTrajectories": "builders",
    "KopaBench": "builders",
    "check_dataset": "validation",
    "dataset_card": "cards",
    "fill_cache": "offline_cache",
    "load_edge_trajectories": "loading",
    "load_kopa_bench": "loading",
    "model_card": "trained",
    "publish": "publishing",
    "pull": "pulling",
    "rows_to_dataset": "folder",
    "scan_files": "scanning",
    "unpack_bundle": "bundle",
    "verify_bundle": "bundle",
    "write_bundle": "bundle",
    "write_folder": "folder",
    "write_graph": "further",
    "write_snapshot": "further",
    "write_tools": "further",
}

__all__ = [
    "EdgeTrajectories",
    "KopaBench",
    "check_dataset",
    "dataset_card",
    "fill_cache",
    "load_edge_trajectories",
    "load_kopa_bench",
    "model_card",
    "publish",
    "pull",
    "rows_to_dataset",
    "scan_files",
    "unpack_bundle",
    "verify_bundle",
    "write_bundle",
    "write_folder",
    "write_graph",
    "write_snapshot",
    "write_tools",
]

__getattr__, __dir__ = lazy_exports(__name__, _HOMES)
