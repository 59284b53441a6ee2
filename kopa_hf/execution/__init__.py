"""One call, one result: the executor, its results, and the episode that calls change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kopa_hf._lazy import lazy_exports

if TYPE_CHECKING:
    from kopa_hf.execution.drift import compare_snapshots as compare_snapshots
    from kopa_hf.execution.episode import Episode as Episode
    from kopa_hf.execution.executor import Executor as Executor
    from kopa_hf.execution.keys import Keyring as Keyring
    from kopa_hf.execution.live import LiveSettings as LiveSettings
    from kopa_hf.execution.result import CallResult as CallResult
    from kopa_hf.execution.snapshot import Snapshot as Snapshot
    from kopa_hf.execution.snapshot_archive import export_snapshot as export_snapshot
    from kopa_hf.execution.snapshot_archive import import_archive as import_archive
    from kopa_hf.execution.snapshot_check import check_snapshot as check_snapshot

_HOMES = {
    "CallResult": "result",
    "Episode": "episode",
    "Executor": "executor",
    "Keyring": "keys",
    "LiveSettings": "live",
    "Snapshot": "snapshot",
    "check_snapshot": "snapshot_check",
    "compare_snapshots": "drift",
    "export_snapshot": "snapshot_archive",
    "import_archive": "snapshot_archive",
}

__all__ = [
    "CallResult",
    "Episode",
    "Executor",
    "Keyring",
    "LiveSettings",
    "Snapshot",
    "check_snapshot",
    "compare_snapshots",
    "export_snapshot",
    "import_archive",
]

__getattr__, __dir__ = lazy_exports(__name__, _HOMES)
