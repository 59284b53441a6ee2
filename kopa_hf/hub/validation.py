"""Whether a folder is what it says it is, before it goes to the Hub: header, files, rows, results."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from kopa_hf.bench.canary import CANARY
from kopa_hf.errors import DataError

_STATES: Final = ("optimizer.bin", "optimizer.pt", "scheduler.pt", "rng_state.pth", "training_args.bin")
"""Files of a training run that a published model does not need; training_args.bin is a pickle with paths of this machine."""


def check_dataset(folder: Path) -> dict[tuple[str, str], int]:
    """Rows by (config, split) of a dataset folder. Raises `DataError` for the first thing that is wrong in it.

    The card's header must name every Parquet file, each must be readable, and rows in the benchmark's or the
    trajectories' layout must be valid one by one.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    from kopa_hf.hub.loading import data_files

    named = data_files(folder)
    stray = {p.relative_to(folder).as_posix() for p in folder.rglob("*.parquet")} - set(named.values())
    if stray:
        raise DataError(f"{folder}: {min(stray)} stands in no config of the card, so nobody would read it.")
    if not named:
        raise DataError(f"{folder}: the card's header names no data files (`configs`).")
    rows: dict[tuple[str, str], int] = {}
    for key, file in named.items():
        try:
            rows[key] = pq.read_metadata(folder / file).num_rows
        except (OSError, pa.ArrowException) as error:
            raise DataError(f"{folder / file} is missing or no Parquet: {str(error).splitlines()[0]}") from error
    _check_rows(folder, named)
    return rows


def _check_rows(folder: Path, named: dict[tuple[str, str], str]) -> None:
    import pyarrow.parquet as pq
    from datasets import Dataset

    from kopa_hf.bench.rows import features, row_from_dict, validate_row

    for (_, split), file in named.items():
        names = pq.read_schema(folder / file).names
        if not {"golden_actions", "answer_type"} & set(names):
            continue  # another dataset's layout, or config sft
        if names != list(features()):
            differ = sorted(set(names) ^ set(features())) or ["their order"]
            raise DataError(f"{folder / file} is in the layout of rows but for {', '.join(differ[:5])}.")
        for number, record in enumerate(Dataset(pq.read_table(folder / file))):
            try:
                validate_row(row_from_dict(record))
            except DataError as error:
                raise DataError(f"{folder / file}, row {number}: {error}") from error
            marked = record["provenance"].get("canary")
            if split == "test" and marked != CANARY:
                raise DataError(f"{folder / file}, row {number}: a row of the benchmark without its canary.")


def model_files(folder: Path) -> dict[str, Path]:
    """What of a training run's folder is the model: weights, tokenizer, settings, card; no checkpoints, no pickles."""
    from kopa_hf.hub.publishing import folder_files

    files = {
        name: path
        for name, path in folder_files(folder).items()
        if not name.startswith(("checkpoint-", "runs/")) and path.name not in _STATES
    }
    weights = [name for name in files if name.endswith((".safetensors", ".gguf"))]
    if not weights:
        pickled = any(name.endswith((".bin", ".pt")) for name in files)
        what = "holds weights as a pickle only; save them as safetensors" if pickled else "holds no weights"
        raise DataError(f"{folder} {what}, so it is not published as a model.")
    return files


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
