"""Whether a folder is what it says it is, before it goes to the Hub: header, files, rows, results."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from kopa_hf.errors import DataError

_MODEL_FILE: Final = re.compile(
    r".*\.(?:safetensors|gguf|json|txt|model|jinja|tiktoken)|README\.md|(?:LICEN[CS]E|NOTICE)(?:\.\w+)?", re.IGNORECASE
)
"""Names of what a model is made of; no pickles (.bin, .pt, .pth, .pkl, .ckpt), which run code where they are read."""
_WEIGHTS: Final = (".safetensors", ".gguf")
_PICKLES: Final = (".bin", ".pt", ".pth", ".pkl", ".ckpt")
_LONGEST_HEADER: Final = 100_000_000
"""Bytes; the readers of safetensors take no longer one."""
_PARTS: Final = re.compile(r"\d+_[A-Z]\w*|additional_chat_templates", re.ASCII)
"""Folders of a model without weights: an embedder's parts (1_Pooling), further templates."""
_STATES: Final = re.compile(r"checkpoint-\d+|global_step\d+|runs|wandb|logs", re.ASCII)
"""Folders of a training run that hold no part of the finished model, even where there are weights in them."""


def check_dataset(folder: Path) -> dict[tuple[str, str], int]:
    """Rows by (config, split) of a dataset folder. Raises `DataError` for the first thing that is wrong in it.

    The card's header must name every Parquet file, each must be readable, and rows in the benchmark's or the
    trajectories' layout must be as they were made (`row_checks`), in every config.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    from kopa_hf.hub.loading import data_files
    from kopa_hf.hub.publishing import folder_files
    from kopa_hf.hub.row_checks import check_rows

    named = data_files(folder)
    if not named:
        raise DataError(f"{folder}: the card's header names no data files (`configs`).")
    missing = set(named.values()) - folder_files(folder).keys()
    if missing:
        raise DataError(f"{folder}: the card names {min(missing)}, which is not there.")
    stray = {p.relative_to(folder).as_posix() for p in folder.rglob("*.parquet")} - set(named.values())
    if stray:
        raise DataError(f"{folder}: {min(stray)} stands in no config of the card, so nobody would read it.")
    rows: dict[tuple[str, str], int] = {}
    columns: dict[str, set[str]] = {}
    for key, file in named.items():
        try:
            rows[key] = pq.read_metadata(folder / file).num_rows
            names = set(pq.read_schema(folder / file).names)
        except (OSError, pa.ArrowException) as error:
            raise DataError(f"{folder / file} is no Parquet: {str(error).splitlines()[0]}") from error
        if rows[key] == 0:
            raise DataError(f"{folder / file} holds no rows, so nobody could load it.")
        if columns.setdefault(key[0], names) != names:
            raise DataError(f"{folder / file} has other columns than config {key[0]}, so nobody could load it.")
    check_rows(folder, named)
    return rows


def check_publishable(folder: Path) -> None:
    """Raise `DataError` where rows of a dataset folder say of themselves that they are not to be published."""
    import pyarrow.parquet as pq
    from datasets import Dataset

    from kopa_hf.hub.loading import data_files

    for file in dict.fromkeys(data_files(folder).values()):
        if "provenance" not in pq.read_schema(folder / file).names:
            continue
        told = Dataset(pq.read_table(folder / file, columns=["provenance"]))["provenance"]
        count = sum(isinstance(one, dict) and one.get("publishable") is False for one in told)
        if count:
            raise DataError(
                f"{folder / file}: {count} rows are not meant to be published (`publishable: false` in their provenance), "
                "as those of the demo, which withhold no platform of the held-out evaluation. To do it: --accept-unpublishable"
            )


def model_files(folder: Path) -> dict[str, Path]:
    """What of a training run's folder is the model: weights, tokenizer, settings, card, results; nothing else.

    Raises `DataError` where there are no weights that can be read without running code.
    """
    from kopa_hf.hub.publishing import folder_files

    every = folder_files(folder)
    weighty = {name.rpartition("/")[0] for name in every if name.endswith(_WEIGHTS)}
    files = {name: path for name, path in every.items() if _of_the_model(name, weighty)}
    if not any(name.endswith(_WEIGHTS) for name in files):
        pickled = any(name.endswith(_PICKLES) for name in every)
        what = "holds weights as a pickle only; save them as safetensors" if pickled else "holds no weights"
        raise DataError(f"{folder} {what}, so it is not published as a model.")
    return files


def check_model_files(files: Mapping[str, Path]) -> None:
    """Raise `DataError` for the first of a model's files that nobody could load, or that is a pickle by its content.

    files: of `model_files`. An index must name shards that are there, and a .safetensors file be as long as its
    header says: 8 bytes of the header's length, the header, then as many bytes as its tensors end at.
    """
    for name, path in files.items():
        if name.endswith(".safetensors"):
            _check_safetensors(path)
        elif name.endswith(".json") and _pickled(path):
            raise DataError(f"{path} is a pickle by its content, which runs code where it is read.")
        elif name.endswith(".safetensors.index.json"):
            where = name.rpartition("/")[0]
            for shard in _shards(path):
                if (f"{where}/{shard}" if where else shard) not in files:
                    raise DataError(f"{path} names {shard}, which is not there, so nobody could load the model.")


def _check_safetensors(path: Path) -> None:
    size = path.stat().st_size
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if not 0 < length <= min(size - 8, _LONGEST_HEADER):
                raise ValueError(length)
            header = json.loads(file.read(length))
        held = size - 8 - length
        told = max((tensor["data_offsets"][1] for name, tensor in header.items() if name != "__metadata__"), default=0)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        # only here: 0x80 may begin the length of a good header as well
        why = (
            "a pickle by its content, which runs code where it is read" if _pickled(path) else "cut, or no safetensors"
        )
        raise DataError(f"{path} is {why}: its header cannot be read.") from error
    if told != held:
        raise DataError(f"{path} is cut or damaged: its tensors take {told} bytes by its header, {held} are there.")


def _pickled(path: Path) -> bool:
    """Whether a file begins as a pickle does since protocol 2."""
    with path.open("rb") as file:
        return file.read(1) == b"\x80"


def _shards(index: Path) -> list[str]:
    """The files that an index of weights names, in order."""
    try:
        return sorted({str(shard) for shard in json.loads(index.read_text(encoding="utf-8"))["weight_map"].values()})
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise DataError(f"{index} is no index of weights (`weight_map`: tensor → file).") from error


def left_out(folder: Path, files: Mapping[str, Path]) -> list[str]:
    """What of a model's folder is not among `files`: names at its top, folders with a slash, in order."""
    from kopa_hf.hub.publishing import folder_files

    gone = [name for name in folder_files(folder) if name not in files]
    kept = {name.partition("/")[0] for name in files if "/" in name}
    return sorted({name if name.partition("/")[0] in kept else "".join(name.partition("/")[:2]) for name in gone})


def _of_the_model(name: str, weighty: set[str]) -> bool:
    where, _, last = name.rpartition("/")
    if where == ".eval_results":
        return last.endswith(".yaml")
    whole = where == "" or where in weighty or _PARTS.fullmatch(where)
    return bool(whole and not _STATES.fullmatch(where.partition("/")[0]) and _MODEL_FILE.fullmatch(last))


def check_results(path: Path) -> list[dict[str, Any]]:
    """The entries of a results file, as the Hub reads them."""
    import yaml
    from huggingface_hub import parse_eval_result_entries

    try:
        entries = yaml.safe_load(path.read_text(encoding="utf-8"))
        parse_eval_result_entries(entries)
    except (OSError, ValueError, TypeError, KeyError, yaml.YAMLError) as error:
        raise DataError(f"{path} is no results file that the Hub reads: {error}") from error
    return list(entries)
