"""Pulling into a folder that is there already: what may be replaced, and what a pull leaves alone."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kopa_hf.cli.publish import pull
from kopa_hf.errors import BackendError, DataError, KopaError
from kopa_hf.execution.snapshot import Snapshot
from kopa_hf.hub.folder import foreign_file
from kopa_hf.hub.loading import load_edge_trajectories
from kopa_hf.hub.validation import check_dataset
from tests.hub.hub_server import Fault, Hub
from tests.hub.test_further import recorded_answer
from tests.hub.test_publishing import NAME, folder, hub, run, write_rows

__all__ = ["folder", "hub"]


def pulled(output: Path, *arguments: str, fails: type[Exception] | None = None) -> Result:
    result = CliRunner().invoke(pull, ["dataset", NAME, "--output", str(output), *arguments])
    if fails is None:
        assert result.exception is None, result.output
    else:
        assert isinstance(result.exception, fails), (result.exception, result.output)
    return result


def content(folder: Path) -> dict[str, bytes]:
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items() if not name.startswith((".cache/", ".gitattr"))}


@pytest.fixture
def versions(hub: Hub, tmp_path: Path) -> dict[str, dict[str, bytes]]:
    """Two versions of one dataset on the Hub, of two rows and of three."""
    found = {}
    for tag, count in (("v1", 2), ("v2", 3)):
        made = write_rows(tmp_path / "made", count)
        run("dataset", str(made), "--repo", NAME, "--tag", tag)
        found[tag] = content(made)
    return found


@pytest.mark.slow
def test_a_folder_pulled_before_becomes_the_other_version(
    versions: dict[str, dict[str, bytes]], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    for tag, count in (("v1", 2), ("v2", 3), ("v1", 2)):
        pulled(out, "--revision", tag)
        assert content(out) == versions[tag]
        assert len(load_edge_trajectories(out)) == count
        assert check_dataset(out)["default", "train"] == count
    assert foreign_file(out) is None
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".out")) == []


def test_what_is_there_already_is_not_fetched_again(
    hub: Hub, versions: dict[str, dict[str, bytes]], tmp_path: Path
) -> None:
    pulled(tmp_path / "out")
    hub.requests.clear()
    pulled(tmp_path / "out")
    assert [asked for asked in hub.requests if asked.startswith("GET") and "/resolve/" in asked] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["README.md", "notes.txt", "album/a.png", ".hidden"])
def test_a_folder_of_ones_own_is_not_replaced(versions: dict[str, dict[str, bytes]], tmp_path: Path, name: str) -> None:
    mine = tmp_path / "mine"
    (mine / name).parent.mkdir(parents=True)
    (mine / name).write_text("mine")
    before = sorted(tmp_path.iterdir())
    assert "nothing is replaced" in str(pulled(mine, fails=DataError).exception)
    assert content(mine) == {name: b"mine"}
    assert sorted(tmp_path.iterdir()) == before


def test_a_file_added_to_a_pulled_folder_keeps_it_from_being_replaced(
    versions: dict[str, dict[str, bytes]], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    pulled(out, "--revision", "v1")
    (out / "notes.txt").write_text("mine")
    pulled(out, fails=DataError)
    assert content(out) == {**versions["v1"], "notes.txt": b"mine"}


def test_a_cut_pull_leaves_the_old_folder_and_goes_on(
    hub: Hub, versions: dict[str, dict[str, bytes]], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    pulled(out, "--revision", "v1")
    hub.faults.append(Fault("GET", r"/resolve/.*sft/", times=20))
    said = str(pulled(out, fails=BackendError).exception)
    assert said.endswith("Nothing was put in place; the same command fetches what is missing.")
    assert content(out) == versions["v1"]
    hub.faults.clear()
    pulled(out)
    assert content(out) == versions["v2"]


def test_what_does_not_hold_together_is_not_put_in_place(hub: Hub, tmp_path: Path) -> None:
    made = write_rows(tmp_path / "made", 2)
    run("dataset", str(made), "--repo", NAME)
    repository = hub.repository(NAME)
    tree = dict(repository.commits[repository.head].tree)
    tree["stray.parquet"] = next(blob for name, blob in tree.items() if name.endswith(".parquet"))
    repository.add("by hand", tree)
    said = str(pulled(tmp_path / "out", fails=DataError).exception)
    assert "stray.parquet stands in no config" in said
    assert "-pull-" not in said
    assert not (tmp_path / "out").exists()


def test_a_snapshot_is_not_merged_into_another(hub: Hub, tmp_path: Path) -> None:
    file, other = tmp_path / "answers.kopa", tmp_path / "other.kopa"
    with Snapshot.create(file, origin="sandbox", day=datetime.date(2026, 1, 30)) as snapshot:
        snapshot.put(recorded_answer())
    with Snapshot.create(other, origin="sandbox", day=datetime.date(2026, 1, 30)) as snapshot:
        empty = snapshot.fingerprint()
    run("snapshot", str(file), "--repo", "kopa/snapshots")
    for output, fails in ((file, False), (other, True)):
        result = CliRunner().invoke(pull, ["snapshot", "kopa/snapshots", "--output", str(output)])
        assert isinstance(result.exception, KopaError) == fails, result.output
    with Snapshot(other) as snapshot:
        assert snapshot.fingerprint() == empty
    (tmp_path / "letter").write_text("mine")
    result = CliRunner().invoke(pull, ["snapshot", "kopa/snapshots", "--output", str(tmp_path / "letter")])
    assert isinstance(result.exception, DataError)
    assert (tmp_path / "letter").read_text() == "mine"
