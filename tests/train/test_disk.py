"""Room for checkpoints: sizes worked out by hand, and what is said where a disk has too little."""

from __future__ import annotations

import shutil
from collections import namedtuple
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kopa_hf.errors import DataError
from kopa_hf.train.disk import checkpoint_bytes, checkpoints_at_once, demand_disk, free_bytes, is_whole

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


def test_free_room_is_that_of_the_disk_where_a_folder_will_be(tmp_path: Path) -> None:
    free = shutil.disk_usage(tmp_path).free
    assert free_bytes(tmp_path / "a" / "b") == pytest.approx(free, rel=0.05)
