"""Files that stand at the top of the repository and travel inside the wheel."""

from __future__ import annotations

from pathlib import Path

from kopa_hf.errors import DataError

FOLDERS = ("accelerate_configs", "hub_cards", "tasks")


def shipped_path(name: str) -> Path:
    """Where `tasks/kopa_bench.py`, `accelerate_configs`, … is on this machine.

    In a wheel the folders lie under `kopa_hf/shipped`, in a checkout beside the package.
    """
    package = Path(__file__).resolve().parent
    parts = Path(name).parts
    if not parts or parts[0] not in FOLDERS or ".." in parts:
        raise DataError(f"{name!r} is not shipped. Shipped are: {', '.join(FOLDERS)}, and the files inside them.")
    for root in (package / "shipped", package.parent):
        if (root / name).exists():
            return root / name
    known = sorted(
        path.name
        for root in (package / "shipped", package.parent)
        for path in (root / parts[0]).glob("*")
        if path.suffix in (".py", ".md", ".yaml") and path.name != "__init__.py"
    )
    raise DataError(f"{parts[0]} holds no {'/'.join(parts[1:])!r}. It holds: {', '.join(known) or 'nothing'}.")
