"""Which names mean a folder here and which the Hub, and what a slip in a path is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kopa_hf.bench.bfcl.source import open_source
from kopa_hf.errors import DataError
from kopa_hf.hub.loading import edge_splits, load_edge_trajectories, load_kopa_bench
from kopa_hf.hub.naming import dataset_source
from tests.cli.conftest import run_kopa


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with one run in it, and a Hub that must not be asked."""

    def asked(*_: Any, **__: Any) -> Any:
        raise AssertionError("the Hub was asked")

    monkeypatch.setattr("datasets.load_dataset", asked)
    monkeypatch.setattr("datasets.get_dataset_split_names", asked)
    (tmp_path / "demo-out" / "edge-trajectories").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("name", ["my-org/edge-trajectories", "kopa/kopa-bench", "a/b", "org_1/x.v2"])
def test_owner_and_name_is_the_hubs(name: str) -> None:
    assert dataset_source(name, owner="kopa") == name


def test_what_is_there_is_a_folder_under_every_spelling() -> None:
    found = {str(dataset_source(name, owner="kopa")) for name in ("demo-out/edge-trajectories", "./demo-out/")}
    assert found == {"demo-out/edge-trajectories", "demo-out"}
    assert dataset_source("~/demo-out", owner="kopa") == Path.home() / "demo-out"


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("demo-out/edge-trajectorie", "Did you mean demo-out/edge-trajectories?"),
        ("./demo-uot", "Did you mean demo-out?"),
        ("demo-ot/edge-trajectories", ""),
        ("demo-ot/edge-trajectories/", "there is no demo-ot. Did you mean demo-out?"),
        ("runs/a/x.parquet", "there is no runs."),
        ("~/demo-outt", "demo-out?"),
        ("/nowhere-at-all/x", "there is no /nowhere-at-all."),
        ("edge-trajectories", "A dataset on the Hub reads OWNER/NAME."),
    ],
)
def test_a_slip_in_a_path_is_named_with_what_comes_near(name: str, near: str) -> None:
    if not near:  # one slash and no such folder: nothing tells it from a repository's name
        assert dataset_source(name, owner="kopa") == name
        return
    for load in (edge_splits, load_edge_trajectories):
        with pytest.raises(DataError, match="does not exist") as caught:
            load(name)
        assert near in str(caught.value)


def test_datasets_of_this_project_are_the_hubs_beside_a_folder_of_its_owners_name(place: Path) -> None:
    (place / "kopa").mkdir()
    assert dataset_source("kopa/edge-trajectories", owner="kopa") == "kopa/edge-trajectories"
    with pytest.raises(DataError, match="kopa/edge-trajectories does not exist"):
        dataset_source("kopa/edge-trajectories", owner="my-org")


@pytest.mark.parametrize(
    "command",
    [
        ["edge", "export", "--format", "messages", "--output", "out"],
        ["edge", "verify"],
        ["edge", "table"],
        ["publish", "dataset", "--dry-run"],
        ["train", "integrity"],
        ["eval", "--model", "policy:gold", "--data"],
    ],
)
def test_every_command_says_that_the_folder_is_not_there(
    command: list[str], capsys: pytest.CaptureFixture[str], place: Path
) -> None:
    code, _, err = run_kopa(capsys, *command, "demo-out/edge-trajectorie")
    assert code == 2
    assert "demo-out/edge-trajectorie does not exist. Did you mean demo-out/edge-trajectories?" in err
    assert sorted(path.name for path in place.iterdir()) == ["demo-out"]


@pytest.mark.parametrize("name", ["", "  "])
def test_an_empty_name_is_no_folder(name: str) -> None:
    for load in (edge_splits, load_edge_trajectories, load_kopa_bench):
        with pytest.raises(DataError, match="is empty"):
            load(name)


@pytest.mark.parametrize(
    "command",
    [
        ["publish", "dataset", "tools", "--dry-run", "--repo", ""],
        ["publish", "dataset", "tools", "--dry-run", "--tag", ""],
        ["publish", "results", "log.jsonl", "--repo", ""],
        ["publish", "results", "log.jsonl", "--repo", "a/b", "--revision", ""],
        ["pull", "dataset", "a/b", "--output", "x", "--revision", " "],
        ["pull", "dataset", "", "--output", "x"],
    ],
)
def test_an_empty_name_stands_for_no_default(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run_kopa(capsys, *command)
    assert code == 2
    assert "is empty" in err


def test_the_home_of_a_user_who_is_not_there_is_no_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DataError, match=r"^~nobody-here/x does not exist"):
        dataset_source("~nobody-here/x", owner="kopa")
    code, _, err = run_kopa(capsys, "edge", "export", "~nobody-here/x", "--format", "verl", "--output", "out")
    assert (code, err.count("\n")) == (2, 1)
    assert "~nobody-here/x does not exist" in err
    with pytest.raises(DataError, match="~nobody-here/x holds no BFCL data"):
        open_source("~nobody-here/x")
