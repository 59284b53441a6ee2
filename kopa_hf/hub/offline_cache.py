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

from kopa_hf.errors import DataError


def fill_cache(folder: Path, repository: str, *, cache: Path | None = None) -> list[str]:
    """Prepare every config of a dataset folder as `datasets` itself does, and return their names.

    cache: where; None: HF_DATASETS_CACHE of this machine. Filling it twice with the same content changes nothing.
    """
    from datasets.exceptions import DatasetGenerationError

    from kopa_hf.hub.loading import data_files

    files = data_files(folder)
    configs = list(dict.fromkeys(config for config, _ in files))
    contents = sorted((name, hashlib.sha256((folder / name).read_bytes()).hexdigest()) for name in files.values())
    print_of_all = hashlib.sha256(repr(contents).encode()).hexdigest()[:40]
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


def _prepare(repository: str, config: str, digest: str, splits: dict[str, str], cache: Path | None) -> Path:
    """One config's copy, at the place where `datasets` keeps what it prepared from the Hub."""
    import datasets.config
    from datasets.data_files import DataFilesDict, DataFilesList
    from datasets.load import configure_builder_class
    from datasets.naming import camelcase_to_snakecase
    from datasets.packaged_modules.parquet.parquet import Parquet, ParquetConfig

    owner, _, name = repository.rpartition("/")
    files = DataFilesDict({split: DataFilesList([path], [("",)]) for split, path in splits.items()})
    settings = ParquetConfig(name=config, data_files=files)
    built = configure_builder_class(Parquet, builder_configs=[settings], default_config_name=config, dataset_name=name)
    root = Path(cache or datasets.config.HF_DATASETS_CACHE)
    place = root / f"{owner}___{camelcase_to_snakecase(name)}" / config / "0.0.0" / digest
    with tempfile.TemporaryDirectory(prefix="kopa-cache-") as work:
        builder = built(cache_dir=work, config_name=config, hash=digest, dataset_name=name)
        builder.download_and_prepare(output_dir=str(place))
    return place
