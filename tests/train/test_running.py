"""What a run says where the Hub or the disk fails it, with a trainer that does nothing else."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from kopa_hf.errors import DataError, KopaError

pytest.importorskip("trl", reason="extra `train` is not installed")

from safetensors import SafetensorError

from kopa_hf.train import running
from kopa_hf.train.guard import StoppedError

UNREACHABLE = httpx.ConnectError("[Errno 111] Connection refused")
FULL = SafetensorError("Error while serializing: I/O error: No space left on device (os error 28)")


def fail(error: Exception) -> Callable[..., Any]:
    def do(*_: Any, **__: Any) -> Any:
        raise error

    return do


def nothing(*_: Any, **__: Any) -> None:
    return None


def settings(output: Path) -> Any:
    training = SimpleNamespace(
        output_dir=str(output), resume_from_checkpoint=None, eval_strategy="no", push_to_hub=True, save_strategy="steps"
    )
    script = SimpleNamespace(dataset_name="embedded", dataset_train_split="test", dataset_config=None)
    return SimpleNamespace(script=script, training=training, kopa=SimpleNamespace(preflight=False))


def trainer(**does: Any) -> Any:
    return SimpleNamespace(**{"train": nothing, "push_to_hub": nothing, "hub_model_id": "someone/kopa", **does})


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is loaded and nothing is measured."""
    for name in ("load_rows", "load_tokenizer", "_demand_room", "_keep"):
        monkeypatch.setattr(running, name, nothing)
    monkeypatch.setattr(running, "_watch_disk", lambda *_: SimpleNamespace(stopped=None))


def checkpoint(folder: Path, state: str) -> None:
    folder.mkdir(parents=True)
    (folder / "trainer_state.json").write_text(state)


def test_a_hub_that_cannot_be_reached_when_its_repository_is_made_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"repository not made: \[Errno 111\] Connection refused$"):
        running.run("sft", settings(tmp_path), fail(UNREACHABLE))


def test_a_push_that_fails_says_how_to_upload_the_model_alone(tmp_path: Path) -> None:
    with pytest.raises(KopaError, match="Connection refused") as told:
        running.run("sft", settings(tmp_path), lambda *_: trainer(push_to_hub=fail(UNREACHABLE)))
    assert f"`hf upload someone/kopa {tmp_path} --exclude" in str(told.value)
    left_out = re.findall(r'--exclude "([^"]+)"', str(told.value))
    files = ("model.safetensors", "README.md", "checkpoint-2/model.safetensors", "_incomplete-checkpoint-3/x/y.pt")
    kept = [file for file in files if not any(fnmatch.fnmatch(file, pattern) for pattern in left_out)]
    assert kept == ["model.safetensors", "README.md"]


@pytest.mark.parametrize(
    ("earlier", "says"), [(True, "save it with --resume_from_checkpoint true"), (False, "free space and train again")]
)
def test_a_disk_that_is_full_at_the_final_model_promises_no_checkpoint_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, earlier: bool, says: str
) -> None:
    if earlier:
        checkpoint(tmp_path / "checkpoint-1", "{}")
    monkeypatch.setattr(running, "_keep", fail(FULL))
    with pytest.raises(StoppedError, match="No space left on device") as told:
        running.run("sft", settings(tmp_path), lambda *_: trainer())
    assert told.value.cause == "disk"
    assert says in str(told.value)
    assert ("--resume_from_checkpoint" in str(told.value)) is earlier


@pytest.mark.parametrize("earlier", [True, False])
def test_a_checkpoint_cut_short_promises_no_earlier_one_that_is_not_there(tmp_path: Path, earlier: bool) -> None:
    def train(**_: Any) -> None:
        if earlier:
            checkpoint(tmp_path / "checkpoint-1", "{}")
        checkpoint(tmp_path / "checkpoint-2", '{"cut sho')
        raise FULL

    with pytest.raises(StoppedError, match="could not be written") as told:
        running.run("sft", settings(tmp_path), lambda *_: trainer(train=train))
    assert ("--resume_from_checkpoint true: earlier checkpoints are whole" in str(told.value)) is earlier
    assert ("start again: no earlier checkpoint is whole" in str(told.value)) is not earlier
    assert (tmp_path / "_incomplete-checkpoint-2").is_dir()


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ({}, 4),  # 25 rows, 8 a step
        ({"num_generations": 4, "num_iterations": 2}, 25),  # 200 rollouts
    ],
)
def test_steps_of_an_epoch(values: dict[str, int], wanted: int) -> None:
    at = SimpleNamespace(**values)
    sized = SimpleNamespace(args=at, train_dataset=range(25), get_total_train_batch_size=lambda _: 8)
    assert running._steps_of_an_epoch(sized) == wanted
    assert running._steps_of_an_epoch(SimpleNamespace(args=at, train_dataset=iter(range(25)))) is None
