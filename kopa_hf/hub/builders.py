"""The two `datasets` builders: a config and three methods each.

Scripts no longer load from the Hub, so the builders are used from Python
(`KopaBench(cache_dir=…).download_and_prepare()`); what is published is their Parquet.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import datasets

from kopa_hf._version import __version__
from kopa_hf.bench.rows import features, row_from_dict, row_to_dict
from kopa_hf.errors import DataError
from kopa_hf.hub.folder import sft_features
from kopa_hf.hub.loading import embedded_rows, in_config

DOMAINS = ("traffic", "finance", "education", "law", "politics", "district")
STRUCTURES = ("SEQ", "FAN", "DRV", "SEM", "CMP", "COND", "MIXED")
_VERSION = datasets.Version(__version__.split(".dev")[0])


class KopaBench(datasets.GeneratorBasedBuilder):
    """The embedded benchmark, grounded on the default world. Configs: default, held_out, one per domain."""

    VERSION = _VERSION
    BUILDER_CONFIGS = [
        datasets.BuilderConfig(name=name, version=_VERSION) for name in ("default", "held_out", *DOMAINS)
    ]
    DEFAULT_CONFIG_NAME = "default"

    def _info(self) -> datasets.DatasetInfo:
        return datasets.DatasetInfo(features=features())

    def _split_generators(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        return [datasets.SplitGenerator(name=datasets.Split.TEST)]

    def _generate_examples(self) -> Iterator[tuple[int, dict[str, Any]]]:
        for index, row in enumerate(row for row in embedded_rows() if in_config(row, self.config.name)):
            yield index, row_to_dict(row)


class EdgeTrajectories(datasets.GeneratorBasedBuilder):
    """Synthesised trajectories from the JSONL files of a run. Configs: default, sft, one per structure and per domain.

    `data_dir`: a folder with `train.jsonl` and, where rows were held out, `validation.jsonl`.
    """

    VERSION = _VERSION
    BUILDER_CONFIGS = [
        datasets.BuilderConfig(name=name, version=_VERSION) for name in ("default", "sft", *STRUCTURES, *DOMAINS)
    ]
    DEFAULT_CONFIG_NAME = "default"

    def _info(self) -> datasets.DatasetInfo:
        return datasets.DatasetInfo(features=sft_features() if self.config.name == "sft" else features())

    def _split_generators(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        folder = Path(self.config.data_dir or "")
        found = [split for split in ("train", "validation") if (folder / f"{split}.jsonl").is_file()]
        if not self.config.data_dir or not found:
            raise DataError(
                f"No train.jsonl under {folder or 'data_dir'}; pass data_dir=FOLDER of `kopa edge synthesize`."
            )
        return [datasets.SplitGenerator(name=split, gen_kwargs={"path": folder / f"{split}.jsonl"}) for split in found]

    def _generate_examples(self, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
        with path.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, start=1):
                try:
                    row = row_from_dict(json.loads(line))
                except (json.JSONDecodeError, DataError) as error:
                    raise DataError(f"{path}, line {number}: {error}") from error
                if self.config.name == "sft":
                    messages = [*row.prompt, *row.completion]
                    yield number, {"id": row.id, "messages": messages, "tools": row.tools, "structure": row.structure}
                elif self.config.name in ("default", row.structure, row.domain):
                    yield number, row_to_dict(row)
