"""`kopa bundle`: datasets, snapshots and models in one archive, for machines without a network."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from kopa_hf.cli.file_path import FilePath, Source
from kopa_hf.cli.output import interrupted_says, json_option, print_json, progress
from kopa_hf.errors import DataError, KopaError
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
    from kopa_hf.hub.bundle import check_parts
    from kopa_hf.hub.further import write_tools
    from kopa_hf.hub.loading import HUB_NAMESPACE, embedded_rows
    from kopa_hf.hub.validation import left_out, model_files

    # all that can be refused is, before the minutes that the benchmark's card takes
    _check_target(output)
    given, trained = _by_repository(folders), _by_repository(models)
    recordings = _by_stem(snapshots)
    check_parts(given, trained, recordings.values())
    for folder in trained.values():
        if rest := left_out(folder, model_files(folder)):
            click.echo(f"Left out of {folder}, as it is no part of the model: {', '.join(rest)}", err=True)
    nothing = "Nothing was written: a bundle stands there whole or not at all. The same command begins anew."
    with interrupted_says(nothing), tempfile.TemporaryDirectory(prefix="kopa-bundle-") as work:
        root = Path(work)
        write_bench(embedded_rows(), root / "kopa-bench", scored=not quick)
        write_tools(load_catalog(), root / "tools")
        built = {f"{HUB_NAMESPACE}/{name}": root / name for name in ("kopa-bench", "tools")}
        archives: dict[str, Path] = {}
        for stem, path in recordings.items():
            archives[stem] = root / f"{stem}.zip"
            with Snapshot(path) as recorded:
                export_snapshot(recorded, archives[stem])
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
    """Unpack ARCHIVE, every file checked, and prepare its datasets: load_dataset("OWNER/NAME") then works offline.

    Its maker chose the names; `kopa bundle verify` prints them. A cached dataset of that name that did not come from a
    bundle is never hidden.
    """
    from kopa_hf.hub.offline_cache import check_cache

    for repository in () if no_cache else read_manifest(archive).datasets:
        try:
            check_cache(repository)
        except DataError as error:
            raise DataError(f"{error} Nothing was unpacked.") from error
    with progress("unpack") as tick:
        manifest = unpack_bundle(archive, output, progress=tick)
    for repository, folder in () if no_cache else manifest.datasets.items():
        _fill_cache(output, folder, repository)
    _tell(manifest, as_json, f"{output}: {len(manifest.files)} files, each as its checksum says")
    if not as_json:
        for repository in () if no_cache else manifest.datasets:
            click.echo(f'  HF_HUB_OFFLINE=1: load_dataset("{repository}")')
        for name in manifest.snapshots:
            click.echo(f"  kopa snapshot import {output / name} FILE")
        for folder in manifest.models.values():
            click.echo(f"  kopa eval --model {output / folder}")


def _fill_cache(output: Path, folder: str, repository: str) -> None:
    from kopa_hf.hub.offline_cache import fill_cache

    stands = f"{output} is unpacked, each file as its checksum says; only the cache of `datasets` lacks {repository}"
    try:
        fill_cache(output / folder, repository)
    except DataError as error:
        raise DataError(f"{stands}. {error}") from error
    except OSError as error:
        where = f", {error.filename}" if error.filename else ""
        raise KopaError(
            f"{stands} ({error.strerror or error}{where}). Let HF_HOME or HF_DATASETS_CACHE name a folder that can be written "
            "to, and the same command goes on; --no-cache leaves the cache alone."
        ) from error


@bundle.command("ls")
@click.argument("archive", type=FilePath())
@json_option
def listing(archive: Path, as_json: bool) -> None:
    """What ARCHIVE says it holds (nothing is checked)."""
    _tell(read_manifest(archive), as_json, str(archive))


def _check_target(output: Path) -> None:
    """Raise `DataError` where the archive cannot be written; makes nothing."""
    if output.exists():
        raise DataError(f"{output} exists; name another file.")
    there = next(parent for parent in output.absolute().parents if parent.exists())
    if not there.is_dir():
        raise DataError(f"{there} is a file, so {output} cannot be written.")
    if not os.access(there, os.W_OK | os.X_OK):
        raise DataError(f"{there} cannot be written to.")


def _by_repository(texts: Sequence[str]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for folder, repository in map(_named, texts):
        if repository in found:
            raise DataError(f"Two folders are to be {repository}; say FOLDER=OWNER/NAME for one.")
        found[repository] = folder
    return found


def _by_stem(snapshots: Sequence[Path]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for path in snapshots:
        if path.stem in found:
            raise DataError(f"Two snapshots are named {path.stem}; rename one of the files.")
        found[path.stem] = path
    return found


def _named(text: str) -> tuple[Path, str]:
    """A folder and its repository's name: FOLDER=OWNER/NAME, or FOLDER under this project's owner."""
    from kopa_hf.hub.loading import HUB_NAMESPACE

    folder, _, repository = text.partition("=")
    if not folder:
        raise click.UsageError(f"{text!r} names no folder; it reads FOLDER=OWNER/NAME.")
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
