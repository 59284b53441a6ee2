"""Fetch a repository of the Hub into a folder that is whole or not touched at all.

It is fetched beside the folder, checked there, and put in its place at the end; a cut fetch goes on there.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from kopa_hf.errors import DataError, KopaError
from kopa_hf.hub.folder import foreign_file, put_in_place
from kopa_hf.hub.publishing import Errand, Kind, digests, readable

_ASKING: Final = Errand("Nothing was fetched or replaced")
_FETCHING: Final = Errand("Nothing was put in place", "the same command fetches what is missing")
_KEPT: Final = ".cache/huggingface/"
"""Where huggingface_hub notes in a folder what it fetched: one file per file, its second line the hash."""


def pull(
    repository: str,
    kind: Kind,
    folder: Path,
    *,
    revision: str | None = None,
    token: str | None = None,
    check: Callable[[Path], object] | None = None,
) -> dict[str, Path]:
    """Fetch a repository into `folder`, every file checked against its hash, and return the files.

    check: raises `DataError` where what came is not to stand there. A cut download goes on with the same call.
    A folder that is there is replaced only if a pull or `write_folder` wrote all of it; else `DataError`.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.hf_api import RepoFile

    check_pulled(folder)
    api = HfApi(token=token)
    staging = folder.parent / f".{folder.name}-pull-{hashlib.sha256(f'{kind}/{repository}'.encode()).hexdigest()[:8]}"
    try:
        with readable(repository, _ASKING):
            commit = api.repo_info(repository, repo_type=kind, revision=revision).sha
            entries = list(api.list_repo_tree(repository, repo_type=kind, recursive=True, revision=commit))
        wanted = {e.path: e.lfs.sha256 if e.lfs else e.blob_id for e in entries if isinstance(e, RepoFile)}
        if folder.is_dir() and not staging.exists():
            shutil.copytree(folder, staging)  # what did not change is not fetched again
        _remove_others(staging, wanted)
        with readable(repository, _FETCHING):
            api.snapshot_download(repository, repo_type=kind, revision=commit, local_dir=staging)
        _remove_others(staging, wanted)
        missing = wanted.keys() - _files(staging).keys()
        if missing:
            raise DataError(f"{min(missing)} did not come as {repository} has it at {commit}; pull again.")
        if check is not None:
            _checked(check, staging, repository)
        put_in_place(staging, folder)
    except OSError as error:
        raise KopaError(f"Could not write {folder}: {error.strerror or error}. Nothing was replaced.") from error
    return {name: folder / name for name in sorted(wanted)}


def check_pulled(folder: Path) -> None:
    """Raise `DataError` where `folder` holds anything that neither a pull nor `write_folder` wrote; makes nothing."""
    if foreign_file(folder) is None:
        return
    for name, path in sorted(_files(folder).items()):
        note = folder / _KEPT / "download" / f"{name}.metadata"
        lines = note.read_text(encoding="utf-8").splitlines() if note.is_file() else []
        if path.is_symlink() or len(lines) < 2 or lines[1] not in digests(path):
            raise DataError(f"{path} is not the file of an earlier pull, so nothing is replaced. Name another folder.")


def _remove_others(staging: Path, wanted: Mapping[str, str]) -> None:
    """Remove every file that is not the wanted one of its name."""
    for name, path in _files(staging).items():
        if name not in wanted or wanted[name] not in digests(path):
            path.unlink()


def _checked(check: Callable[[Path], object], staging: Path, repository: str) -> None:
    try:
        check(staging)
    except DataError as error:
        shutil.rmtree(staging, ignore_errors=True)
        said = str(error).replace(f"{staging}/", "").replace(str(staging), repository)
        raise DataError(f"{said} Nothing was put in place.") from error


def _files(folder: Path) -> dict[str, Path]:
    """What a folder holds beside huggingface_hub's own notes, by path."""
    found = {p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if p.is_symlink() or not p.is_dir()}
    return {name: path for name, path in found.items() if not name.startswith(_KEPT)}
