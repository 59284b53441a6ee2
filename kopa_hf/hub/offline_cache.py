"""Put a dataset folder into the cache of `datasets`, so that `load_dataset("OWNER/NAME")` finds it without the Hub.

Offline, `datasets` takes the newest prepared copy of a dataset. Asked for no config, it refuses where several configs
share one copy; so the default config gets a copy of its own, the newest.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from pathlib import Path
from typing import Final

from kopa_hf.errors import DataError
from kopa_hf.whole_file import write_whole

_NOTE: Final = ".kopa-bundle"
"""File in a dataset's place of the cache that names the copies that came from bundles; `datasets` passes over it."""


def fill_cache(folder: Path, repository: str, *, cache: Path | None = None) -> list[str]:
    """Prepare every config of a dataset folder as `datasets` itself does, and return their names.

    cache: where; None: HF_DATASETS_CACHE of this machine. Filling it twice with the same content changes nothing.
    Raises `DataError` where a copy that this function did not make stands there (`check_cache`), `OSError` where
    nothing can be written.
    """
    from datasets.exceptions import DatasetGenerationError

    from kopa_hf.hub.loading import data_files

    files = data_files(folder)
    configs = list(dict.fromkeys(config for config, _ in files))
    contents = sorted((name, hashlib.sha256((folder / name).read_bytes()).hexdigest()) for name in files.values())
    print_of_all = hashlib.sha256(repr(contents).encode()).hexdigest()[:40]
    check_cache(repository, cache=cache)
    _note(_place(repository, cache), {print_of_all, print_of_all[::-1]})
    default = configs[0] if "default" not in configs else "default"
    for config in sorted(configs, key=lambda name: name == default):
        splits = {split: str((folder / file).resolve()) for (name, split), file in files.items() if name == config}
        # a copy of its own for the default config: another hash
        digest = print_of_all if config != default else print_of_all[::-1]
        try:
            prepared = _prepare(repository, config, digest, splits, cache)
        except DatasetGenerationError as error:
            cause = str(error.__cause__ or error).strip().splitlines() or [type(error).__name__]
            raise DataError(f"{folder}: config {config} cannot be loaded ({cause[0]}).") from error
        moment = time.time() - (0 if config == default else 1)
        os.utime(prepared, (moment, moment))
    return configs


def check_cache(repository: str, *, cache: Path | None = None) -> None:
    """Raise `DataError` where the cache holds a copy of the dataset that did not come from a bundle.

    A bundle's maker chooses its names, and offline `datasets` takes the newest copy of a name: it would hide the other.
    """
    place = _place(repository, cache)
    foreign = {path for path in place.glob("*/*/*") if path.is_dir() and path.suffix != ".incomplete"}
    foreign = {path for path in foreign if path.name not in _noted(place)}
    if foreign:
        raise DataError(
            f"The cache of `datasets` holds a copy of {repository} that did not come from a bundle ({place}), and the bundle's "
            "would hide it. Move it away, or name another cache with HF_DATASETS_CACHE; --no-cache only unpacks."
        )


def _note(place: Path, prints: set[str]) -> None:
    """Note what is about to stand in a dataset's place of the cache, so that it is known as a bundle's."""
    place.mkdir(parents=True, exist_ok=True)
    write_whole(place / _NOTE, "".join(f"{one}\n" for one in sorted(_noted(place) | prints)))


def _noted(place: Path) -> set[str]:
    note = place / _NOTE
    return set(note.read_text(encoding="utf-8").split()) if note.is_file() else set()


def _place(repository: str, cache: Path | None) -> Path:
    """Where `datasets` keeps what it prepared from a repository."""
    import datasets.config
    from datasets.naming import camelcase_to_snakecase

    owner, _, name = repository.rpartition("/")
    return Path(cache or datasets.config.HF_DATASETS_CACHE) / f"{owner}___{camelcase_to_snakecase(name)}"


def _prepare(repository: str, config: str, digest: str, splits: dict[str, str], cache: Path | None) -> Path:
    """One config's copy, at the place where `datasets` keeps what it prepared from the Hub."""
    from datasets.data_files import DataFilesDict, DataFilesList
    from datasets.load import configure_builder_class
    from datasets.packaged_modules.parquet.parquet import Parquet, ParquetConfig

    name = repository.rpartition("/")[2]
    files = DataFilesDict({split: DataFilesList([path], [("",)]) for split, path in splits.items()})
    settings = ParquetConfig(name=config, data_files=files)
    built = configure_builder_class(Parquet, builder_configs=[settings], default_config_name=config, dataset_name=name)
    place = _place(repository, cache) / config / "0.0.0" / digest
    with tempfile.TemporaryDirectory(prefix="kopa-cache-") as work:
        builder = built(cache_dir=work, config_name=config, hash=digest, dataset_name=name)
        builder.download_and_prepare(output_dir=str(place))
    return place
