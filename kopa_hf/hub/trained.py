"""The card of a trained model: what was trained on what, read from the folder, and its scores where there are any."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

from kopa_hf.errors import DataError
from kopa_hf.hub.further import common_values, template
from kopa_hf.hub.results_card import RESULTS
from kopa_hf.hub.validation import check_results

_MODEL: Final = re.compile(r"[\w][\w.-]*(?:/[\w][\w.-]*)?", re.ASCII)
_DATA: Final = "EDGE trajectories"
_METHODS: Final = {"grpo": "GRPO", "sft": "SFT"}


def model_card(folder: Path, repository: str) -> str:
    """The card's text. Base model, data and method come from the trainer's card and settings in `folder`.

    Raises `DataError` where the folder does not say what the model was made from.
    """
    header = _header(folder / "README.md")
    base = header.get("base_model") or _settings(folder / "adapter_config.json").get("base_model_name_or_path")
    base = base or _settings(folder / "config.json").get("_name_or_path")
    bases = _listed(base)
    if not bases or not all(map(_MODEL.fullmatch, bases)):
        # a folder of this machine is no model that anybody else could name
        raise DataError(
            f"{folder} does not say from which model it was trained; put base_model: OWNER/NAME into its README.md."
        )
    tags = _listed(header.get("tags"))
    method = next((name for tag, name in _METHODS.items() if tag in tags), "training")
    data = header.get("datasets") or header.get("dataset_name") or _DATA
    if isinstance(data, str) and not _MODEL.fullmatch(data):
        data = _DATA
    state = _state(folder)
    values = {
        "title": header.get("model_name") or repository.rpartition("/")[2],
        "base": ", ".join(bases),
        "method": method,
        "data": ", ".join(_listed(data)),
        "steps": state.get("global_step", "not noted"),
        "settings": {
            key: state[key] for key in ("train_batch_size", "num_train_epochs", "best_metric") if state.get(key)
        },
        "results": _results(folder / RESULTS),
        "repository": repository,
    }
    return _rendered(header, tags, values)


def _header(card: Path) -> dict[str, Any]:
    """The header of a card, {} without one. Raises `DataError` where it cannot be read."""
    import yaml
    from huggingface_hub import metadata_load

    if not card.is_file():
        return {}
    try:
        return metadata_load(card) or {}
    except (OSError, yaml.YAMLError, ValueError, TypeError) as error:
        why = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise DataError(f"{card} has a header that cannot be read ({why}); mend the lines between its ---.") from error


def _listed(value: Any) -> list[str]:
    """Texts of a header's field, which may be a list or one value alone."""
    return [str(one) for one in (value if isinstance(value, list) else [value]) if one]


def _rendered(header: dict[str, Any], tags: list[str], values: dict[str, Any]) -> str:
    from huggingface_hub import ModelCard, ModelCardData

    kept = {
        key: header[key]
        for key in ("license", "library_name", "pipeline_tag", "base_model", "datasets")
        if header.get(key)
    }
    kept.setdefault("base_model", values["base"])
    data = ModelCardData(
        language=["ko"], tags=sorted({*tags, "tool-use", "korean", "kopa_hf"}), **kept, ignore_metadata_errors=True
    )
    return str(ModelCard.from_template(data, template_str=template("model"), **common_values(), **values))


def _results(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        return []
    return [
        {
            "name": {"kopa_bench": "all tasks", "kopa_bench_held_out": "withheld platforms"}.get(task, task),
            "rate": f"{float(entry['value']) / 100:.2f}",
            "interval": str(entry.get("notes", "")),
        }
        for entry in check_results(path)
        for task in [str(entry["dataset"].get("task_id", ""))]
    ]


def _state(folder: Path) -> dict[str, Any]:
    """What the trainer noted: beside the model, or in the last checkpoint."""
    steps = {
        int(part.name.rpartition("-")[2]): part for part in folder.glob("checkpoint-*") if part.name[11:].isdigit()
    }
    places = [folder, *(steps[step] for step in sorted(steps, reverse=True))]
    return next((found for place in places if (found := _settings(place / "trainer_state.json"))), {})


def _settings(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
