"""Room for checkpoints: sizes worked out by hand, and what is said where a disk has too little."""

from __future__ import annotations

import shutil
from collections import namedtuple
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kopa_hf.errors import DataError
from kopa_hf.train.disk import (
    checkpoint_bytes,
    checkpoints_at_once,
    checkpoints_to_come,
    demand_disk,
    disk_callback,
    free_bytes,
    is_whole,
    last_whole,
    steps_done,
)

Usage = namedtuple("Usage", "total used free")


def settings(folder: Path, **values: Any) -> Any:
    return SimpleNamespace(output_dir=str(folder), **{"save_strategy": "steps", "save_total_limit": 2, **values})


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A disk of a given number of free bytes."""

    def with_free(free: int) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**15, 0, free))

    return with_free


@pytest.mark.parametrize(
    ("trainable", "width", "sharded", "optimizer", "wanted"),
    [
        (100, 2, False, True, 200 + 400),  # bf16 weights, two bf16 moments
        (100, 4, False, True, 400 + 800),
        (100, 2, True, True, 2 * 200 + 1200),  # weights twice, float32 master and moments
        (100, 2, True, False, 200),  # --save_only_model
        (10, 2, False, True, 20 + 40),  # LoRA: the adapter only
        (10, 2, True, True, 2 * 20 + 120),
    ],
)
def test_a_checkpoint_holds_weights_and_moments(
    trainable: int, width: int, sharded: bool, optimizer: bool, wanted: int
) -> None:
    assert checkpoint_bytes(100, trainable, width=width, sharded=sharded, optimizer=optimizer) == wanted


def test_a_new_checkpoint_is_written_before_an_old_one_goes(tmp_path: Path) -> None:
    assert checkpoints_at_once(settings(tmp_path)) == 3
    assert checkpoints_at_once(settings(tmp_path, save_total_limit=None)) == 1
    assert checkpoints_at_once(settings(tmp_path, save_strategy="no")) == 0


def test_a_disk_without_room_is_refused_with_numbers(tmp_path: Path, room: Any) -> None:
    run = settings(tmp_path / "not" / "yet")
    # (3 checkpoints of 1 GB and a model of 0.4 GB) and 5% make 3.57 GB
    room(3_560_000_000)
    with pytest.raises(DataError, match=r"3\.56 GB free; 3 checkpoints of 1\.00 GB .* need 3\.57 GB"):
        demand_disk(run, 10**9, 4 * 10**8)
    room(3_580_000_000)
    demand_disk(run, 10**9, 4 * 10**8)


def test_whole_checkpoints_that_are_there_need_no_more_room(tmp_path: Path, room: Any) -> None:
    for name, state in (("checkpoint-1", "{}"), ("checkpoint-2", '{"cut sho')):
        (tmp_path / name).mkdir()
        (tmp_path / name / "trainer_state.json").write_text(state)
    assert [is_whole(tmp_path / f"checkpoint-{n}") for n in (1, 2, 3)] == [True, False, False]
    room(2_200_000_000)
    demand_disk(settings(tmp_path), 10**9, 0)
    room(2_000_000_000)
    with pytest.raises(DataError, match="2 checkpoints"):
        demand_disk(settings(tmp_path), 10**9, 0)


@pytest.mark.parametrize(
    ("values", "per_epoch", "done", "wanted"),
    [
        ({"max_steps": 2, "save_steps": 50}, None, 0, 1),  # the last step's alone
        ({"max_steps": 100, "save_steps": 50}, None, 0, 2),
        ({"max_steps": 101, "save_steps": 50}, None, 0, 3),  # 50, 100, 101
        ({"max_steps": 101, "save_steps": 50}, None, 50, 2),  # 100, 101
        ({"max_steps": 5, "save_steps": 2}, None, 3, 2),  # 4, 5
        ({"max_steps": 100, "save_steps": 50}, None, 100, 1),
        ({"max_steps": 10, "save_steps": 0.25}, None, 0, 4),  # every 3: 3, 6, 9, 10
        ({"save_steps": 50, "num_train_epochs": 1.5}, 60, 0, 2),  # 90 steps: 50, 90
        ({"save_strategy": "epoch", "num_train_epochs": 3}, 60, 0, 3),
        ({"save_strategy": "epoch", "num_train_epochs": 3}, 60, 120, 1),
        ({"save_strategy": "epoch", "max_steps": 61}, 60, 0, 2),
        ({"save_steps": 50, "num_train_epochs": 3}, None, 0, None),
        ({"save_strategy": "best", "max_steps": 9}, 60, 0, None),
    ],
)
def test_a_run_writes_no_more_checkpoints_than_its_steps_allow(
    tmp_path: Path, values: dict[str, Any], per_epoch: int | None, done: int, wanted: int | None
) -> None:
    training = settings(tmp_path, **{"max_steps": -1, "save_steps": 500, **values})
    assert checkpoints_to_come(training, per_epoch, done) == wanted


def test_a_short_run_needs_room_for_what_it_writes_alone(tmp_path: Path, room: Any) -> None:
    # one of the three checkpoints of 1 GB and a model of 0.4 GB, and 5%: 1.47 GB
    room(1_480_000_000)
    demand_disk(settings(tmp_path), 10**9, 4 * 10**8, 1)
    with pytest.raises(DataError, match="3 checkpoints"):
        demand_disk(settings(tmp_path), 10**9, 4 * 10**8, 7)
    room(1_460_000_000)
    with pytest.raises(DataError, match=r"1 checkpoints .* need 1\.47 GB"):
        demand_disk(settings(tmp_path), 10**9, 4 * 10**8, 1)


def test_the_last_whole_checkpoint_is_the_one_of_the_most_steps(tmp_path: Path) -> None:
    assert last_whole(tmp_path) is None
    for name, state in (("9", '{"global_step": 9}'), ("10", '{"global_step": 10}'), ("11", "{"), ("copy", "{}")):
        (tmp_path / f"checkpoint-{name}").mkdir()
        (tmp_path / f"checkpoint-{name}" / "trainer_state.json").write_text(state)
    assert last_whole(tmp_path) == tmp_path / "checkpoint-10"
    assert steps_done(tmp_path / "checkpoint-10") == 10


@pytest.mark.slow
@pytest.mark.parametrize(("step", "stops"), [(2, True), (3, False)])
def test_without_room_the_last_step_loses_its_checkpoint_only(
    tmp_path: Path, room: Any, capsys: pytest.CaptureFixture[str], step: int, stops: bool
) -> None:
    pytest.importorskip("transformers", reason="extra `train` is not installed")
    pytest.importorskip("accelerate", reason="extra `train` is not installed")
    watch = disk_callback(tmp_path, 10**9)
    state = SimpleNamespace(global_step=step, max_steps=3, is_world_process_zero=True)
    control = SimpleNamespace(should_save=True, should_evaluate=True, should_training_stop=step == 3)
    room(1_060_000_000)
    assert watch.on_step_end(None, state, control).should_save
    room(1_040_000_000)
    watch.on_step_end(None, state, control)
    assert not control.should_save
    assert control.should_training_stop
    assert control.should_evaluate is not stops
    assert (watch.stopped is not None) is stops
    assert ("The final model is saved without it" in capsys.readouterr().err) is not stops


def test_free_room_is_that_of_the_disk_where_a_folder_will_be(tmp_path: Path) -> None:
    free = shutil.disk_usage(tmp_path).free
    assert free_bytes(tmp_path / "a" / "b") == pytest.approx(free, rel=0.05)
