"""Everything that an air-gapped machine needs in one archive: datasets with their cards, snapshots, checksums.

The archive is an ordinary ZIP with a `bundle.json` that names every file, its size and its SHA-256; same content,
same bytes. Reading one trusts nothing in it: names are held to the manifest and to plain relative paths, no file may
unfold to more than it announces, and nothing stands in its place before all of it was checked.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kopa_hf._version import __version__
from kopa_hf.errors import DataError, KopaError
from kopa_hf.execution.archive_file import archive_member, new_archive

FORMAT: Final = "kopa-bundle"
VERSION: Final = 1
MANIFEST: Final = "bundle.json"
LARGEST: Final = 64 * 2**30
"""Bytes that a bundle may unfold to, as its manifest announces them."""
_LARGEST_MANIFEST: Final = 32 * 2**20
_PLAIN: Final = re.compile(r"(?:[\w][\w.+-]*|\.eval_results)(?:/(?:[\w][\w.+-]*|\.eval_results))*", re.ASCII)
_REPOSITORY: Final = re.compile(r"[\w][\w.-]*/[\w][\w.-]*", re.ASCII)
_LONGEST: Final = 255
"""Letters of a file's name, as file systems have them."""
_PACKED: Final = (".parquet", ".png", ".zip", ".safetensors", ".gz", ".whl")
_FAULTS: Final = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, KeyError, TypeError, NotImplementedError,
           AttributeError,                   RecursionError, RuntimeError, OverflowError)  # fmt: skip

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of a bundle."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a bundle says it holds."""

    files: Mapping[str, Entry]
    datasets: Mapping[str, str]
    """Repository name → folder inside the bundle."""
    snapshots: tuple[str, ...]
    models: Mapping[str, str]
    made_by: str

    @property
    def size(self) -> int:
        """Bytes of all files together."""
        return sum(entry.size for entry in self.files.values())


def write_bundle(
    target: Path,
    *,
    datasets: Mapping[str, Path],
    snapshots: Mapping[str, Path] | None = None,
    models: Mapping[str, Path] | None = None,
    accept_personal: bool = False,
    progress: Progress | None = None,
) -> Manifest:
    """Write the archive, whole or not at all, after a search for keys and for what may be a person's.

    datasets, models: repository name → folder; snapshots: name → archive of `kopa snapshot export`.
    Datasets are validated before; raises `DataError` for a damaged one, or where `target` exists.
    """
    from kopa_hf.hub.publishing import folder_files
    from kopa_hf.hub.scanning import searched
    from kopa_hf.hub.validation import check_dataset, model_files

    if target.exists():
        raise DataError(f"{target} exists; name another file.")
    sources: dict[str, Path] = {}
    for kind, folders, listed in (("datasets", datasets, folder_files), ("models", models or {}, model_files)):
        for repository, folder in folders.items():
            _check_repository(repository)
            if kind == "datasets":
                check_dataset(folder)
            sources |= {f"{kind}/{repository}/{name}": path for name, path in listed(folder).items()}
    sources |= {f"snapshots/{name}.zip": path for name, path in (snapshots or {}).items()}
    _check_plain(sources)
    size = sum(path.stat().st_size for path in sources.values())
    if size > LARGEST:
        raise DataError(f"These are {size:,} bytes; the most that a bundle is read with is {LARGEST:,}.")
    searched(sources, accept_personal=accept_personal)
    manifest = Manifest(
        {name: Entry(path.stat().st_size, _digest(path)) for name, path in sorted(sources.items())},
        {name: f"datasets/{name}" for name in sorted(datasets)},
        tuple(sorted(f"snapshots/{name}.zip" for name in snapshots or {})),
        {name: f"models/{name}" for name in sorted(models or {})},
        f"kopa_hf {__version__}",
    )
    with new_archive(target) as archive:
        archive.writestr(archive_member(MANIFEST), _text(manifest))
        for done, (name, path) in enumerate(sorted(sources.items()), start=1):
            info = archive_member(name, packed=name.endswith(_PACKED))
            with path.open("rb") as source, archive.open(info, "w", force_zip64=True) as out:
                shutil.copyfileobj(source, out, 1 << 20)
            if progress is not None:
                progress(done, len(sources))
    return manifest


def check_parts(datasets: Mapping[str, Path], models: Mapping[str, Path], snapshots: Iterable[Path]) -> None:
    """What `write_bundle` would refuse and can be told at once: names, folders and files that are not what they should be.

    datasets, models: repository name → folder; snapshots: their own files. Raises `DataError`.
    """
    from kopa_hf.execution.snapshot import Snapshot
    from kopa_hf.hub.publishing import folder_files
    from kopa_hf.hub.validation import check_dataset, model_files

    for repository in (*datasets, *models):
        _check_repository(repository)
    for folder in datasets.values():
        check_dataset(folder)
        _check_plain(folder_files(folder))
    for folder in models.values():
        _check_plain(model_files(folder))
    for path in snapshots:
        _check_plain([f"{path.stem}.zip"])
        Snapshot(path).close()


def _check_plain(names: Iterable[str]) -> None:
    for name in names:
        if _is_long(name):
            raise DataError(f"{name[:60]}… is too long a name for a file of a bundle.")
        if _is_plain(name):
            continue
        raise DataError(f"{name!r} is no plain name for a file of a bundle (letters, digits, dot, hyphen, underscore).")


def _check_repository(name: str) -> None:
    if not _REPOSITORY.fullmatch(name):
        raise DataError(f"{name!r} is no name of a repository; it reads OWNER/NAME.")


def read_manifest(bundle: Path) -> Manifest:
    """What the bundle says it holds; `DataError` where that is damaged, unsafe or of another format."""
    with _opened(bundle) as archive:
        return _manifest(archive, bundle)


def verify_bundle(bundle: Path, *, progress: Progress | None = None) -> Manifest:
    """Read every byte of the bundle against its checksum. Raises `DataError` that names the first bad file."""
    with _opened(bundle) as archive:
        manifest = _manifest(archive, bundle)
        for done, (name, entry) in enumerate(manifest.files.items(), start=1):
            _copy(archive, name, entry, None, bundle)
            if progress is not None:
                progress(done, len(manifest.files))
    return manifest


def unpack_bundle(bundle: Path, folder: Path, *, progress: Progress | None = None) -> Manifest:
    """Unpack into a new `folder`, whole or not at all, every file checked against its checksum, every dataset validated.

    A folder that holds exactly the bundle's files already is left as it is.
    """
    with _opened(bundle) as archive, _nothing_left(bundle, folder):
        manifest = _manifest(archive, bundle)
        if folder.exists() and any(folder.iterdir()):
            if _holds(folder, manifest):
                _check_datasets(folder, manifest, bundle)
                return manifest
            raise DataError(f"{folder} is not empty; name another folder.")
        folder.parent.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(folder.parent).free
        if manifest.size > free:
            raise DataError(f"{bundle} unfolds to {manifest.size:,} bytes, {folder.parent} has {free:,} free.")
        staging = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            for done, (name, entry) in enumerate(manifest.files.items(), start=1):
                _copy(archive, name, entry, staging / name, bundle)
                if progress is not None:
                    progress(done, len(manifest.files))
            _check_datasets(staging, manifest, bundle)
            staging.chmod(0o755)
            try:
                os.replace(staging, folder)  # an empty folder gives way
            except OSError as error:
                if not folder.is_dir() or not _holds(folder, manifest):  # by another load of the same bundle
                    raise DataError(
                        f"{folder} was filled meanwhile; nothing was unpacked. Name another folder."
                    ) from error
        finally:
            shutil.rmtree(staging, ignore_errors=True)
    return manifest


def _check_datasets(folder: Path, manifest: Manifest, bundle: Path) -> None:
    from kopa_hf.hub.validation import check_dataset

    for inside in manifest.datasets.values():
        try:
            check_dataset(folder / inside)
        except DataError as error:
            raise DataError(f"{bundle}: {str(error).replace(f'{folder}/', '')} Nothing was unpacked.") from error


def _holds(folder: Path, manifest: Manifest) -> bool:
    """Whether a folder holds what the bundle does, and nothing else."""
    there = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return there.keys() == manifest.files.keys() and all(
        path.stat().st_size == manifest.files[name].size and _digest(path) == manifest.files[name].sha256
        for name, path in there.items()
    )


def _text(manifest: Manifest) -> str:
    value = {
        "format": FORMAT,
        "version": VERSION,
        "made_by": manifest.made_by,
        "datasets": dict(manifest.datasets),
        "snapshots": list(manifest.snapshots),
        "models": dict(manifest.models),
        "files": {name: {"size": entry.size, "sha256": entry.sha256} for name, entry in manifest.files.items()},
    }
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _manifest(archive: zipfile.ZipFile, bundle: Path) -> Manifest:
    info = archive.getinfo(MANIFEST) if MANIFEST in archive.namelist() else None
    if info is None or info.file_size > _LARGEST_MANIFEST:
        raise DataError(f"{bundle} is no bundle: it has no {MANIFEST}.")
    with archive.open(info) as member:
        value = json.loads(member.read(_LARGEST_MANIFEST + 1))
    if value.get("format") != FORMAT or value.get("version") != VERSION:
        raise DataError(f"{bundle} is a bundle of another format or version; this program reads {FORMAT} {VERSION}.")
    files = {name: Entry(_count(entry["size"]), _hash(entry["sha256"])) for name, entry in value["files"].items()}
    there = [member.filename for member in archive.infolist()]
    if any(member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for member in archive.infolist()):
        raise DataError(f"{bundle} is packed in a way that no bundle is. Nothing was unpacked.")
    long = next((name for name in [*files, *there] if _is_long(name)), None)
    if long is not None:
        raise DataError(f"{bundle} holds a file whose name is too long ({long[:60]}…). Nothing was unpacked.")
    unsafe = next((name for name in [*files, *there] if not _is_plain(name)), None)
    if unsafe is not None:
        raise DataError(
            f"{bundle} holds a file named {unsafe!r}, which may lead out of its folder. Nothing was unpacked."
        )
    folded = {name.casefold() for name in files}
    if len(folded) != len(files) or any(parent in folded for name in folded for parent in _parents(name)):
        raise DataError(f"{bundle} holds names of which one would overwrite another. Nothing was unpacked.")
    if sorted(there) != sorted([MANIFEST, *files]):
        raise DataError(f"{bundle} does not hold the files that its manifest names.")
    manifest = Manifest(
        files,
        _folders(value["datasets"], files),
        tuple(value["snapshots"]),
        _folders(value["models"], files),
        str(value["made_by"]),
    )
    if not set(manifest.snapshots) <= set(files):
        raise DataError(f"{bundle} names snapshots that it does not hold.")
    if manifest.size > LARGEST:
        raise DataError(f"{bundle} would unfold to {manifest.size:,} bytes; the most that is read is {LARGEST:,}.")
    return manifest


def _folders(value: dict[str, Any], files: Mapping[str, Entry]) -> dict[str, str]:
    for repository, folder in value.items():
        if not _REPOSITORY.fullmatch(repository) or not any(name.startswith(f"{folder}/") for name in files):
            raise ValueError("a repository without files")
    return {str(name): str(folder) for name, folder in value.items()}


def _copy(archive: zipfile.ZipFile, name: str, entry: Entry, target: Path | None, bundle: Path) -> None:
    """Read one file, no further than it announces, and write it where there is a target."""
    digest, size = hashlib.sha256(), 0
    if stat.S_ISLNK(archive.getinfo(name).external_attr >> 16):
        raise DataError(f"{bundle}: {name} is a link. Nothing was unpacked.")
    with contextlib.ExitStack() as stack:
        member = stack.enter_context(archive.open(name))
        if target is not None:
            target.parent.mkdir(parents=True, exist_ok=True)
        out = stack.enter_context(target.open("xb")) if target is not None else None
        while part := member.read(1 << 20):
            size += len(part)
            if size > entry.size:
                break
            digest.update(part)
            if out is not None:
                out.write(part)
    if size != entry.size or digest.hexdigest() != entry.sha256:
        raise DataError(
            f"{bundle}: {name} is not what its checksum says. Nothing was unpacked; fetch the bundle again."
        )


@contextlib.contextmanager
def _opened(bundle: Path) -> Iterator[zipfile.ZipFile]:
    if not bundle.is_file():
        raise DataError(f"There is no bundle {bundle}.")
    try:
        with zipfile.ZipFile(bundle) as archive:
            yield archive
    except _FAULTS as error:
        raise DataError(f"{bundle} is damaged or no bundle ({type(error).__name__}). Nothing was unpacked.") from error


@contextlib.contextmanager
def _nothing_left(bundle: Path, folder: Path) -> Iterator[None]:
    """Say of what the file system refuses that it left nothing, and of which bundle."""
    try:
        yield
    except OSError as error:
        raise KopaError(
            f"{bundle} could not be unpacked into {folder}: {error.strerror or error}. Nothing was unpacked."
        ) from error


def _is_plain(name: str) -> bool:
    return _PLAIN.fullmatch(name) is not None


def _is_long(name: str) -> bool:
    """Whether file systems would refuse a path or one of its names."""
    return len(name) >= 400 or any(len(part) > _LONGEST for part in name.split("/"))


def _parents(name: str) -> list[str]:
    parts = name.split("/")
    return ["/".join(parts[:depth]) for depth in range(1, len(parts))]


def _count(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError("no size")
    return value


def _hash(value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[0-9a-f]{64}", value):
        raise ValueError("no checksum")
    return value


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
