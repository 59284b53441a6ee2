"""Put a folder on the Hub in one commit, and say before what that changes.

Everything on the wire is huggingface_hub's own; it signs in with the login of this machine. A cut
upload goes on with the same command: large files that arrived are not sent again, and without the commit
nothing has changed. A second run over the same content makes no commit.
"""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal

import httpx

from kopa_hf.errors import BackendError, DataError, KopaError

Kind = Literal["dataset", "model"]
_HIDDEN: Final = (".eval_results",)
"""Folders with a dot that belong to a repository."""
_TAG: Final = re.compile(r"[A-Za-z0-9][\w.+-]*", re.ASCII)
_BRANCHES: Final = ("main", "master", "HEAD")
_LARGEST_FILE: Final = 50 * 2**30


@dataclass(frozen=True, slots=True)
class Remote:
    """What stands in the repository: nothing where it does not exist yet or cannot be asked."""

    commit: str | None
    files: Mapping[str, tuple[int, str]]
    """Path → size in bytes, and SHA-256 of a large file or Git's blob id of another."""
    reached: bool = True
    tags: Mapping[str, str] | None = None
    private: bool | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """What a publication changes, by path; sizes in bytes."""

    added: Mapping[str, int]
    changed: Mapping[str, tuple[int, int]]
    removed: Mapping[str, int]
    same: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)

    def lines(self) -> Iterator[str]:
        """One line per file that differs, and a last one."""
        for sign, files in (("+", self.added), ("-", self.removed)):
            yield from (f"{sign} {path}  {size:,} B" for path, size in files.items())
        yield from (f"~ {path}  {old:,} → {new:,} B" for path, (old, new) in self.changed.items())
        yield f"{len(self.added)} new, {len(self.changed)} changed, {len(self.removed)} removed, {len(self.same)} as they are"


@dataclass(frozen=True, slots=True)
class Published:
    """What a publication did: commit and tag are None where they were there already."""

    address: str
    commit: str | None
    tag: str | None


@dataclass(frozen=True, slots=True)
class Errand:
    """What the Hub is asked to do, in the words of a message where it fails."""

    done: str
    """What stands then."""
    again: str = "run the same command again once it answers"
    writes: bool = False


ASKING: Final = Errand("Nothing was sent")
SENDING: Final = Errand(
    "Nothing was committed, or the answer was lost",
    "the same command goes on, files that arrived are not sent again",
    writes=True,
)


def check_names(repository: str, tag: str | None) -> None:
    """Raise `KopaError` where the Hub would refuse a name, before anything is built or sent."""
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils import validate_repo_id  # type: ignore[attr-defined]  # public, but not re-exported for types

    try:
        validate_repo_id(repository)
    except HFValidationError as error:
        raise KopaError(f"{repository!r} is no name of a repository; it reads OWNER/NAME.") from error
    if repository.count("/") != 1:
        raise KopaError(f"{repository!r} is no name of a repository; it reads OWNER/NAME.")
    if tag is not None and (not _TAG.fullmatch(tag) or ".." in tag or tag.endswith((".", ".lock")) or tag in _BRANCHES):
        raise KopaError(f"{tag!r} cannot be a version; take one like v1 or v0.2.1.")


def folder_files(folder: Path) -> dict[str, Path]:
    """The files of a folder by their path in the repository, in order. Raises `DataError` for what cannot go up."""
    if not folder.is_dir():
        raise DataError(f"{folder} is no folder.")
    files: dict[str, Path] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_symlink():
            raise DataError(f"{path} is a link; publish a folder of plain files.")
        if path.is_file() and not any(part.startswith(".") and part not in _HIDDEN for part in name.parts):
            if path.stat().st_size > _LARGEST_FILE:
                raise DataError(f"{path} is larger than the Hub takes (50 GB a file).")
            files[name.as_posix()] = path
    if not files:
        raise DataError(f"{folder} holds no files.")
    return files


def look_at(repository: str, kind: Kind, *, token: str | None = None) -> Remote:
    """The repository as it is on the Hub; offline, nothing is known of it."""
    from huggingface_hub import HfApi, constants
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError

    if constants.HF_HUB_OFFLINE:
        return Remote(None, {}, reached=False)
    api = HfApi(token=token)
    with readable(repository):
        try:
            info = api.repo_info(repository, repo_type=kind)
            files = _tree(repository, kind, info.sha, token)
            refs = api.list_repo_refs(repository, repo_type=kind)
        except GatedRepoError:  # a kind of RepositoryNotFoundError, and it is there
            raise
        except RepositoryNotFoundError:
            return Remote(None, {})
    tags = {tag.name: tag.target_commit for tag in refs.tags}
    return Remote(info.sha, files, tags=tags, private=info.private)


def compare(files: Mapping[str, Path], remote: Remote, *, remove: bool) -> Difference:
    """What differs from the repository; with `remove`, files that the folder lacks go away (but `.gitattributes`)."""
    added: dict[str, int] = {}
    changed: dict[str, tuple[int, int]] = {}
    same: list[str] = []
    for name, path in files.items():
        size = path.stat().st_size
        if name not in remote.files:
            added[name] = size
        elif remote.files[name][1] not in digests(path):
            changed[name] = (remote.files[name][0], size)
        else:
            same.append(name)
    gone = {
        name: size
        for name, (size, _) in sorted(remote.files.items())
        if remove and name not in files and name != ".gitattributes"
    }
    return Difference(added, changed, gone, tuple(same))


def card_changes(card: Path, repository: str, kind: Kind, remote: Remote, *, token: str | None = None) -> list[str]:
    """The lines of README.md that change, as a unified diff; [] where there is no card on either side."""
    from huggingface_hub import HfApi

    if "README.md" not in remote.files or not card.is_file():
        return []
    with readable(repository):
        there = HfApi(token=token).hf_hub_download(repository, "README.md", repo_type=kind, revision=remote.commit)
    # what others put there may be in any encoding, and is only shown
    old, new = (Path(path).read_text(encoding="utf-8", errors="replace").splitlines() for path in (there, card))
    return list(difflib.unified_diff(old, new, "README.md there", "README.md here", lineterm="", n=1))


def publish(
    files: Mapping[str, Path],
    repository: str,
    kind: Kind,
    *,
    message: str,
    remote: Remote,
    difference: Difference,
    tag: str | None = None,
    private: bool = False,
    token: str | None = None,
) -> Published:
    """Make the repository where it is missing, commit the difference at once, and tag the commit.

    remote, difference: of `look_at` and `compare`; if the repository has moved since, nothing is
    written. Raises `KopaError` (rights, a tag that stands elsewhere), `BackendError` (the Hub or the way to it fails).
    """
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi

    _refuse_moved_tag(files, repository, kind, remote, difference, tag, token)
    if private and remote.private is False:
        raise KopaError(
            f"{repository} is public already, and a publication does not change that. Make it private on its page first."
        )
    api = HfApi(token=token)
    with readable(repository, SENDING):
        if remote.commit is None:
            api.create_repo(repository, repo_type=kind, private=private, exist_ok=True)
        commit, head = None, remote.commit
        if difference:
            new = [*difference.added, *difference.changed]
            operations: list[Any] = [CommitOperationAdd(name, str(files[name])) for name in sorted(new)]
            operations += [CommitOperationDelete(name) for name in difference.removed]
            made = api.create_commit(
                repository, operations, commit_message=message, repo_type=kind, parent_commit=remote.commit
            )
            commit = head = made.oid
    tagged = None
    if tag is not None and (remote.tags or {}).get(tag) is None:
        done = f"The commit {(head or '')[:8]} is there, its tag {tag} is not"
        with readable(repository, replace(SENDING, done=done)):
            api.create_tag(repository, tag=tag, revision=head, repo_type=kind, exist_ok=False)
        tagged = tag
    return Published(f"{api.endpoint}/{'datasets/' if kind == 'dataset' else ''}{repository}", commit, tagged)


def _tree(repository: str, kind: Kind, commit: str | None, token: str | None) -> dict[str, tuple[int, str]]:
    """The files at a commit, as `Remote.files`."""
    from huggingface_hub import HfApi
    from huggingface_hub.hf_api import RepoFile

    entries = HfApi(token=token).list_repo_tree(repository, repo_type=kind, recursive=True, revision=commit)
    return {e.path: (e.size, e.lfs.sha256 if e.lfs else e.blob_id) for e in entries if isinstance(e, RepoFile)}


def _refuse_moved_tag(
    files: Mapping[str, Path],
    repository: str,
    kind: Kind,
    remote: Remote,
    difference: Difference,
    tag: str | None,
    token: str | None,
) -> None:
    """Raise `KopaError` where the tag is there and stands on other content than what is published now."""
    stands = (remote.tags or {}).get(tag or "")
    if stands is None or (stands == remote.commit and not difference):
        return
    if not difference:  # the newest commit is the same content; the tag's may be that as well, or another
        with readable(repository):
            tagged = Remote(stands, _tree(repository, kind, stands, token))
        if not compare(files, tagged, remove=kind == "dataset"):
            return
    raise KopaError(
        f"Tag {tag} of {repository} stands on {stands[:8]}, another state. A version is never moved: name another with --tag."
    )


def digests(path: Path) -> tuple[str, str]:
    """SHA-256 of the content and Git's blob id: the Hub knows large files by the one, others by the other."""
    size = path.stat().st_size
    sha256, blob = hashlib.sha256(), hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            sha256.update(part)
            blob.update(part)
    return sha256.hexdigest(), blob.hexdigest()


@contextmanager
def readable(repository: str, errand: Errand = ASKING) -> Iterator[None]:
    """Turn what huggingface_hub raises into one line that says what stands and what to do."""
    from huggingface_hub.errors import (
        GatedRepoError,
        HfHubHTTPError,
        HFValidationError,
        LocalEntryNotFoundError,
        LocalTokenNotFoundError,
        OfflineModeIsEnabled,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    try:
        yield
    except GatedRepoError as error:
        raise KopaError(
            f"{repository} is gated: ask for access on its page, then sign in with `hf auth login`."
        ) from error
    except RepositoryNotFoundError as error:
        raise KopaError(f"{repository} is not on the Hub, or not visible to this machine's login.") from error
    except RevisionNotFoundError as error:
        raise KopaError(f"{repository} has no such revision.") from error
    except LocalTokenNotFoundError as error:
        raise KopaError("Nobody is signed in on this machine: `hf auth login`, or set HF_TOKEN.") from error
    except HFValidationError as error:
        raise KopaError(f"{repository!r} is no name of a repository; it reads OWNER/NAME.") from error
    except OfflineModeIsEnabled as error:
        raise KopaError("HF_HUB_OFFLINE is set, so the Hub is not asked. Unset it, or use `kopa bundle`.") from error
    except HfHubHTTPError as error:
        raise _said_by_the_hub(error, repository, errand) from error
    except (httpx.TransportError, LocalEntryNotFoundError, ConnectionError, TimeoutError) as error:
        raise BackendError(
            f"The Hub could not be reached, or the connection was cut ({type(error).__name__}). {errand.done}; "
            f"{errand.again}."
        ) from error


def _said_by_the_hub(error: Any, repository: str, errand: Errand) -> KopaError:
    status = error.response.status_code if error.response is not None else 0
    said = (error.server_message or "").strip().splitlines()[:1]
    detail = f" ({said[0]})" if said else ""
    if status == 401:
        return KopaError(
            f"The Hub does not accept this machine's login{detail}: `hf auth login`{' with a write token' if errand.writes else ''}."
        )
    if status == 403:
        if not errand.writes:
            return KopaError(f"This login may not read {repository}{detail}: ask its owner for access.")
        return KopaError(
            f"This login may not write to {repository}{detail}: take a repository of your own, or a token with write access."
        )
    if status in (409, 412):
        return KopaError(f"{repository} has changed meanwhile{detail}. Nothing was written; run the command again.")
    if status == 429:
        return BackendError(f"The Hub asks to wait (429){detail}. {errand.done}; run the same command later.")
    if status >= 500:
        return BackendError(f"The Hub failed ({status}){detail}. {errand.done}; run the same command again.")
    return KopaError(f"The Hub refused ({status}){detail}.")
