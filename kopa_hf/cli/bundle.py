"""`kopa bundle`: datasets, snapshots and models in one archive, for machines without a network."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import click

from kopa_hf.cli.file_path import FilePath, Source
from kopa_hf.cli.output import json_option, print_json, progress
from kopa_hf.errors import DataError
from kopa_hf.hub.bundle import Manifest, read_manifest, unpack_bundle, verify_bundle, write_bundle


@click.group()
def bundle() -> None:
    """One archive for an air-gapped machine: make it here, verify and load it there."""


@bundle.command()
@click.argument("output", type=FilePath())
@click.option(
    "--dataset",
    "folders",
    multiple=True,
    type=Source(),
    metavar="FOLDER[=OWNER/NAME]",
    help="A dataset folder; may be repeated.",
)
@click.option("--snapshot", "snapshots", multiple=True, type=FilePath(), help="Recorded answers; may be repeated.")
@click.option(
    "--model",
    "models",
    multiple=True,
    type=Source(),
    metavar="FOLDER=OWNER/NAME",
    help="A trained model's folder; may be repeated.",
)
@click.option("--accept-personal", is_flag=True, help="Go on although numbers of persons were found; look first.")
@click.option("--quick", is_flag=True, help="Leave the scripted policies off the benchmark's card; they take a minute.")
@json_option
def make(
    output: Path,
    folders: tuple[str, ...],
    snapshots: tuple[Path, ...],
    models: tuple[str, ...],
    accept_personal: bool,
    quick: bool,
    as_json: bool,
) -> None:
    """Write the benchmark, the tool catalog, and what the options name into OUTPUT (a ZIP with checksums)."""
    from kopa_hf.catalog.registry import load_catalog
    from kopa_hf.cli.bench import write_bench
    from kopa_hf.execution.snapshot import Snapshot
    from kopa_hf.execution.snapshot_archive import export_snapshot
    from kopa_hf.hub.further import write_tools
    from kopa_hf.hub.loading import HUB_NAMESPACE, embedded_rows

    if output.exists():
        raise DataError(f"{output} exists; name another file.")
    output.parent.mkdir(parents=True, exist_ok=True)
    if not os.access(output.parent, os.W_OK):
        raise DataError(f"{output.parent} cannot be written to.")
    given = {repository: folder for folder, repository in (_named(text) for text in folders)}
    trained = {repository: folder for folder, repository in (_named(text) for text in models)}
    with tempfile.TemporaryDirectory(prefix="kopa-bundle-") as work:
        root = Path(work)
        write_bench(embedded_rows(), root / "kopa-bench", scored=not quick)
        write_tools(load_catalog(), root / "tools")
        built = {f"{HUB_NAMESPACE}/{name}": root / name for name in ("kopa-bench", "tools")}
        archives: dict[str, Path] = {}
        for path in snapshots:
            if path.stem in archives:
                raise DataError(f"Two snapshots are named {path.stem}; rename one of the files.")
            archives[path.stem] = root / f"{path.stem}.zip"
            with Snapshot(path) as recorded:
                export_snapshot(recorded, archives[path.stem])
        with progress("bundle") as tick:
            manifest = write_bundle(
                output,
                datasets={**built, **given},
                snapshots=archives,
                models=trained,
                accept_personal=accept_personal,
                progress=tick,
            )
    _tell(manifest, as_json, f"{output}: {output.stat().st_size:,} bytes")


@bundle.command()
@click.argument("archive", type=FilePath())
@json_option
def verify(archive: Path, as_json: bool) -> None:
    """Read every byte of ARCHIVE against its checksums; unpacks nothing."""
    with progress("verify") as tick:
        manifest = verify_bundle(archive, progress=tick)
    _tell(manifest, as_json, f"{archive}: {len(manifest.files)} files, each as its checksum says")


@bundle.command()
@click.argument("archive", type=FilePath())
@click.option("--output", required=True, type=FilePath(), help="A new folder to unpack into.")
@click.option("--no-cache", is_flag=True, help="Only unpack; leave the cache of `datasets` alone.")
@json_option
def load(archive: Path, output: Path, no_cache: bool, as_json: bool) -> None:
    """Unpack ARCHIVE, every file checked, and prepare its datasets: load_dataset("OWNER/NAME") then works offline."""
    from kopa_hf.hub.offline_cache import fill_cache

    with progress("unpack") as tick:
        manifest = unpack_bundle(archive, output, progress=tick)
    if not no_cache:
        for repository, folder in manifest.datasets.items():
            fill_cache(output / folder, repository)
    _tell(manifest, as_json, f"{output}: {len(manifest.files)} files, each as its checksum says")
    if not as_json:
        for repository in () if no_cache else manifest.datasets:
            click.echo(f'  HF_HUB_OFFLINE=1: load_dataset("{repository}")')
        for name in manifest.snapshots:
            click.echo(f"  kopa snapshot import {output / name} FILE")
        for folder in manifest.models.values():
            click.echo(f"  kopa eval --model {output / folder}")


@bundle.command("ls")
@click.argument("archive", type=FilePath())
@json_option
def listing(archive: Path, as_json: bool) -> None:
    """What ARCHIVE says it holds (nothing is checked)."""
    _tell(read_manifest(archive), as_json, str(archive))


def _named(text: str) -> tuple[Path, str]:
    """A folder and its repository's name: FOLDER=OWNER/NAME, or FOLDER under this project's owner."""
    from kopa_hf.hub.loading import HUB_NAMESPACE

    folder, _, repository = text.partition("=")
    return Path(folder), repository or f"{HUB_NAMESPACE}/{Path(folder).resolve().name}"


def _tell(manifest: Manifest, as_json: bool, first: str) -> None:
    if as_json:
        told: dict[str, Any] = {"datasets": dict(manifest.datasets), "snapshots": list(manifest.snapshots)}
        told |= {"models": dict(manifest.models), "files": len(manifest.files), "bytes": manifest.size}
        print_json(told)
        return
    click.echo(first)
    for kind, names in (("dataset", manifest.datasets), ("model", manifest.models), ("snapshot", manifest.snapshots)):
        for name in names:
            click.echo(f"  {kind} {name}")
