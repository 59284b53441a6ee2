"""Bundles: round trip, damage of every kind, and archives that were made to do harm."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kopa_hf.bench.rows import row_from_dict
from kopa_hf.errors import DataError, KopaError
from kopa_hf.hub.bundle import MANIFEST, read_manifest, unpack_bundle, verify_bundle, write_bundle
from kopa_hf.hub.offline_cache import fill_cache
from tests.cli.conftest import run_kopa
from tests.hub.rows import hard_rows
from tests.hub.test_publishing import write_rows

NAME = "kopa/edge-trajectories"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "rows", 3)


@pytest.fixture
def archive(folder: Path, tmp_path: Path) -> Path:
    write_bundle(tmp_path / "b.zip", datasets={NAME: folder})
    return tmp_path / "b.zip"


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_what_goes_in_comes_out(archive: Path, folder: Path, tmp_path: Path) -> None:
    manifest = unpack_bundle(archive, tmp_path / "out")
    assert content(tmp_path / "out" / "datasets" / NAME) == content(folder)
    assert dict(manifest.datasets) == {NAME: f"datasets/{NAME}"}
    assert verify_bundle(archive) == manifest == read_manifest(archive)


def test_the_same_content_gives_the_same_bytes(archive: Path, folder: Path, tmp_path: Path) -> None:
    for path in folder.rglob("*"):
        os.utime(path, (1, 1))
    write_bundle(tmp_path / "again.zip", datasets={NAME: folder})
    assert (tmp_path / "again.zip").read_bytes() == archive.read_bytes()


def test_nothing_is_overwritten(archive: Path, folder: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="exists"):
        write_bundle(archive, datasets={NAME: folder})
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("x")
    with pytest.raises(DataError, match="not empty"):
        unpack_bundle(archive, tmp_path / "out")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_changed_byte_of_a_file_is_found(archive: Path, tmp_path: Path, data: st.DataObject) -> None:
    whole = archive.read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1))
    changed = whole[:place] + bytes([whole[place] ^ data.draw(st.integers(1, 255))]) + whole[place + 1 :]
    (tmp_path / "damaged.zip").write_bytes(changed)
    try:
        found = verify_bundle(tmp_path / "damaged.zip")
    except DataError:
        return
    # what is not content (a time stamp of the ZIP, say) may change; what comes out is the same
    assert found.files == verify_bundle(archive).files


@pytest.mark.parametrize("length", [0, 10, 1000, -1])
def test_a_cut_archive_is_refused(archive: Path, tmp_path: Path, length: int) -> None:
    (tmp_path / "cut.zip").write_bytes(archive.read_bytes()[:length])
    with pytest.raises(DataError):
        unpack_bundle(tmp_path / "cut.zip", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def crafted(
    target: Path, files: dict[str, bytes], change: Callable[[dict[str, Any]], None] = lambda value: None
) -> Path:
    """An archive whose manifest names `files` truthfully, before `change`."""
    value: dict[str, Any] = {
        "format": "kopa-bundle", "version": 1, "made_by": "x", "datasets": {}, "snapshots": [], "models": {},
        "files": {n: {"size": len(d), "sha256": hashlib.sha256(d).hexdigest()} for n, d in files.items()},
    }  # fmt: skip
    change(value)
    with zipfile.ZipFile(target, "w") as out:
        out.writestr(MANIFEST, json.dumps(value))
        for name, data in files.items():
            out.writestr(name, data)
    return target


@pytest.mark.parametrize(
    "name",
    [
        "../evil",
        "/tmp/evil",
        "a/../../evil",
        "a//b",
        "C:evil",
        "a\\..\\evil",
        "~/evil",
        ".ssh/keys",
        "a/./b",
        "a\nb",
        "é",
    ],
)
def test_a_name_that_leads_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    made = crafted(tmp_path / "x.zip", {name: b"evil"})
    before = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(DataError):
        unpack_bundle(made, tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_names_that_overwrite_each_other_are_refused(tmp_path: Path) -> None:
    for files in ({"a": b"1", "A": b"2"}, {"a": b"1", "a/b": b"2"}):
        with pytest.raises(DataError, match="overwrite"):
            unpack_bundle(crafted(tmp_path / "x.zip", files), tmp_path / "out")


def test_a_file_that_unfolds_to_more_than_it_announces_stops_at_what_it_announced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tmp_path / "bomb.zip"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as out:
        entry = {"size": 10, "sha256": "0" * 64}
        base = {"format": "kopa-bundle", "version": 1, "made_by": "x", "datasets": {}, "snapshots": [], "models": {}}
        out.writestr(MANIFEST, json.dumps({**base, "files": {"a": entry}}))
        out.writestr("a", b"\0" * (64 << 20))
    written: list[int] = []
    monkeypatch.setattr("kopa_hf.hub.bundle.hashlib.sha256", lambda *a: _Counting(written))
    with pytest.raises(DataError, match="checksum"):
        unpack_bundle(made, tmp_path / "out")
    assert sum(written) <= 1 << 20
    assert not (tmp_path / "out").exists()


class _Counting:
    def __init__(self, written: list[int]) -> None:
        self.written = written

    def update(self, part: bytes) -> None:
        self.written.append(len(part))

    def hexdigest(self) -> str:
        return ""


def test_more_than_may_unfold_is_refused_before_a_byte_is_read(tmp_path: Path) -> None:
    def announce(value: dict[str, Any]) -> None:
        value["files"]["a"]["size"] = 1 << 50

    with pytest.raises(DataError, match="would unfold"):
        unpack_bundle(crafted(tmp_path / "x.zip", {"a": b"1"}, announce), tmp_path / "out")


def test_a_link_is_refused(tmp_path: Path) -> None:
    made = tmp_path / "x.zip"
    data = b"/etc/passwd"
    value = {"format": "kopa-bundle", "version": 1, "made_by": "x", "datasets": {}, "snapshots": [], "models": {},
             "files": {"a": {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}}}  # fmt: skip
    link = zipfile.ZipInfo("a")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(made, "w") as out:
        out.writestr(MANIFEST, json.dumps(value))
        out.writestr(link, data)
    with pytest.raises(DataError, match="link"):
        unpack_bundle(made, tmp_path / "out")


@pytest.mark.parametrize(
    "change",
    [
        lambda v: v.update(format="other"),
        lambda v: v.update(version=2),
        lambda v: v.pop("files"),
        lambda v: v.update(files=[]),
        lambda v: v["files"]["a"].update(size="1"),
        lambda v: v["files"]["a"].update(size=-1),
        lambda v: v["files"]["a"].update(sha256="zz"),
        lambda v: v.update(datasets={"a/b": "datasets/none"}),
        lambda v: v.update(datasets={"../x": "a"}),
        lambda v: v.update(snapshots=["nowhere.zip"]),
        lambda v: v["files"].update(b={"size": 1, "sha256": "0" * 64}),
        lambda v: v["files"].clear(),
    ],
)
def test_a_manifest_that_does_not_fit_is_a_data_error(tmp_path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    with pytest.raises(DataError):
        unpack_bundle(crafted(tmp_path / "x.zip", {"a": b"1"}, change), tmp_path / "out")
    assert not (tmp_path / "out").exists()


_OFFLINE = """
import json, sys
import datasets
assert "kopa_hf" not in sys.modules
whole = datasets.load_dataset(sys.argv[1], split="train")
conversations = datasets.load_dataset(sys.argv[1], "sft", split="train")
print(json.dumps([whole.to_list(), len(conversations)]))
"""


@pytest.mark.slow
def test_after_it_the_literal_load_works_offline_without_this_package(archive: Path, tmp_path: Path) -> None:
    out, home = tmp_path / "out", tmp_path / "home"
    manifest = unpack_bundle(archive, out)
    for _ in range(2):  # a second time changes nothing
        for repository, inside in manifest.datasets.items():
            assert fill_cache(out / inside, repository, cache=home / "datasets") == [
                "default",
                "sft",
                "SEQ",
                "finance",
                "politics",
            ]
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    env |= {"HF_HOME": str(home), "HF_HUB_OFFLINE": "1", "HF_DATASETS_CACHE": str(home / "datasets")}
    done = subprocess.run(
        [sys.executable, "-c", _OFFLINE, NAME], env=env, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    rows, conversations = json.loads(done.stdout.splitlines()[-1])
    assert [row_from_dict(row) for row in rows] == list(hard_rows())
    assert conversations == 3


def test_a_load_that_was_cut_after_unpacking_goes_on(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = unpack_bundle(archive, out)
    stamp = {path: path.stat().st_mtime_ns for path in out.rglob("*") if path.is_file()}
    assert unpack_bundle(archive, out) == first
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*") if path.is_file()} == stamp
    next(out.rglob("README.md")).write_text("changed")
    with pytest.raises(DataError, match="not empty"):
        unpack_bundle(archive, out)


@pytest.mark.parametrize("same", [True, False])
def test_a_folder_that_another_load_filled_meanwhile(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, same: bool
) -> None:
    out, replace = tmp_path / "out", os.replace

    def late(source: Path, target: Path) -> None:
        monkeypatch.setattr("kopa_hf.hub.bundle.os.replace", replace)
        unpack_bundle(archive, out)
        if not same:
            (out / "mine").write_text("x")
        replace(source, target)

    monkeypatch.setattr("kopa_hf.hub.bundle.os.replace", late)
    if same:
        assert unpack_bundle(archive, out) == read_manifest(archive)
    else:
        with pytest.raises(DataError, match="was filled meanwhile"):
            unpack_bundle(archive, out)
        assert (out / "mine").read_text() == "x"
    assert verify_bundle(archive).files.keys() <= content(out).keys()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".out")] == []


def test_another_packing_is_refused(tmp_path: Path) -> None:
    value = {"format": "kopa-bundle", "version": 1, "made_by": "x", "datasets": {}, "snapshots": [], "models": {},
             "files": {"a": {"size": 1, "sha256": hashlib.sha256(b"1").hexdigest()}}}  # fmt: skip
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_LZMA) as out:
        out.writestr(MANIFEST, json.dumps(value), zipfile.ZIP_DEFLATED)
        out.writestr("a", b"1")
    with pytest.raises(DataError, match="packed in a way"):
        verify_bundle(tmp_path / "x.zip")


@pytest.mark.slow
def test_new_content_under_old_names_is_taken_over(tmp_path: Path) -> None:
    import datasets

    folder, cache = tmp_path / "ds", tmp_path / "cache"
    found = []
    for values in ([1], [2, 3]):
        (folder / "data").mkdir(parents=True, exist_ok=True)
        datasets.Dataset.from_dict({"a": values}).to_parquet(folder / "data" / "train-00000-of-00001.parquet")
        (folder / "README.md").write_text(
            "---\nconfigs:\n- config_name: default\n  data_files:\n  - split: train\n    path: data/train-00000-of-00001.parquet\n---\n"
        )
        fill_cache(folder, "me/ds", cache=cache)
        newest = max(
            cache.glob("me___ds/default/0.0.0/*/dataset_info.json"), key=lambda path: path.parent.stat().st_mtime
        )
        found.append(datasets.Dataset.from_file(str(next(newest.parent.glob("*.arrow"))))["a"][:])
    assert found == [[1], [2, 3]]


def test_what_holds_a_token_is_not_bundled(folder: Path, tmp_path: Path) -> None:
    card = folder / "README.md"
    card.write_text(card.read_text() + "\nhf_" + "aB3" * 12)
    with pytest.raises(KopaError, match="keys stand in it"):
        write_bundle(tmp_path / "b.zip", datasets={NAME: folder})
    assert not (tmp_path / "b.zip").exists()


def test_more_than_is_ever_read_is_not_written(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kopa_hf.hub.bundle.LARGEST", 1000)
    with pytest.raises(DataError, match="the most that a bundle is read with"):
        write_bundle(tmp_path / "b.zip", datasets={NAME: folder})


@pytest.fixture
def make(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """`kopa bundle make` in an empty folder, where building the benchmark is the late step that must not be reached."""

    def late(*_: Any, **__: Any) -> None:
        raise AssertionError("it was checked too late")

    place = tmp_path / "place"
    place.mkdir()
    monkeypatch.chdir(place)
    monkeypatch.setattr("kopa_hf.cli.bench.write_bench", late)
    return partial(run_kopa, capsys, "bundle", "make")


def test_what_cannot_be_bundled_is_refused_before_anything_is_built(make: Any, folder: Path, tmp_path: Path) -> None:
    place, other = Path.cwd(), write_rows(tmp_path / "other", 1)
    Path("file").write_text("x")
    (place / "a").mkdir()
    for name in ("s.kopa", "a/s.kopa"):
        Path(name).write_text("no snapshot")
    before = sorted(map(str, place.rglob("*")))
    for arguments, word in {
        ("file",): "file exists",
        ("file/b.zip",): "is a file",
        ("new/b.zip", "--dataset", "gone"): "gone does not exist",
        ("new/b.zip", "--dataset", f"{folder}=no-owner"): "reads OWNER/NAME",
        ("new/b.zip", "--dataset", "=a/b"): "names no folder",
        ("new/b.zip", "--dataset", f"{folder}=a/b", "--dataset", f"{other}=a/b"): "Two folders are to be a/b",
        ("new/b.zip", "--model", f"{folder}=a/m"): "holds no weights",
        ("new/b.zip", "--snapshot", "s.kopa", "--snapshot", "a/s.kopa"): "Two snapshots are named s",
        ("new/b.zip", "--snapshot", "s.kopa"): "s.kopa",
        ("new/b.zip", "--snapshot", "한 글.kopa"): "no plain name",
    }.items():
        code, _, err = make(*arguments)
        assert code == 2, arguments
        assert word in err, arguments
    assert sorted(map(str, place.rglob("*"))) == before


def test_an_interrupted_bundle_says_that_nothing_was_written(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("kopa_hf.cli.bench.write_bench", stop)
    code, _, err = make("b.zip")
    assert code == 130
    assert err.startswith("Interrupted. Nothing was written")
    assert "checkpoint" not in err
    assert list(Path.cwd().iterdir()) == []


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of `datasets` of this machine."""
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def prepared(cache: Path) -> dict[str, bytes]:
    return content(cache / "kopa___edge-trajectories") if cache.exists() else {}


def test_verify_and_load_print_the_names_that_the_maker_chose(
    archive: Path, cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (["verify"], ["load", "--output", str(tmp_path / "out")]):
        code, out, _ = run_kopa(capsys, "bundle", command[0], str(archive), *command[1:])
        assert code == 0
        assert f"  dataset {NAME}\n" in out
    assert prepared(cache)


def test_a_cache_that_cannot_be_written_leaves_the_folder_and_the_same_command_goes_on(
    archive: Path, cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    cache.write_text("a file where the cache is to stand")
    code, _, err = run_kopa(capsys, "bundle", "load", str(archive), "--output", str(out))
    assert code == 2
    assert f"{out} is unpacked, each file as its checksum says; only the cache of `datasets` lacks {NAME}" in err
    assert "the same command goes on" in err
    assert content(out).keys() == read_manifest(archive).files.keys()
    cache.unlink()
    code, printed, _ = run_kopa(capsys, "bundle", "load", str(archive), "--output", str(out))
    assert code == 0
    assert f'load_dataset("{NAME}")' in printed
    assert any(name.endswith(".arrow") for name in prepared(cache))


def test_a_cached_dataset_that_came_from_elsewhere_is_not_hidden(
    archive: Path, folder: Path, cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    foreign = cache / "kopa___edge-trajectories" / "default" / "0.0.0" / ("c" * 40)
    foreign.mkdir(parents=True)
    (foreign / "dataset_info.json").write_text('{"config_name": "default"}')
    before = prepared(cache)
    code, _, err = run_kopa(capsys, "bundle", "load", str(archive), "--output", str(tmp_path / "out"))
    assert code == 2
    assert f"holds a copy of {NAME} that did not come from a bundle" in err
    assert err.endswith("Nothing was unpacked.\n")
    with pytest.raises(DataError, match="did not come from a bundle"):
        fill_cache(folder, NAME, cache=cache)
    assert prepared(cache) == before
    assert not (tmp_path / "out").exists()
    code, _, _ = run_kopa(capsys, "bundle", "load", str(archive), "--output", str(tmp_path / "out"), "--no-cache")
    assert code == 0
    assert prepared(cache) == before


def test_a_bundle_takes_over_what_an_earlier_bundle_brought(cache: Path, tmp_path: Path) -> None:
    for count in (1, 3):
        fill_cache(write_rows(tmp_path / "rows", count), NAME, cache=cache)
        fill_cache(tmp_path / "rows", NAME, cache=cache)
    assert len(list((cache / "kopa___edge-trajectories" / "default" / "0.0.0").glob("*/dataset_info.json"))) == 2


def test_a_name_that_no_file_system_takes_is_told_of_the_bundle(folder: Path, tmp_path: Path) -> None:
    made = crafted(tmp_path / "x.zip", {"a" * 256: b"1"})
    for read in (verify_bundle, lambda path: unpack_bundle(path, tmp_path / "out")):
        with pytest.raises(
            DataError, match=r"x\.zip holds a file whose name is too long \(a{60}…\)\. Nothing was unpacked"
        ):
            read(made)
    unpack_bundle(crafted(tmp_path / "y.zip", {"a" * 255: b"1"}), tmp_path / "whole")
    with pytest.raises(
        KopaError, match=r"y\.zip could not be unpacked into .*: File name too long\. Nothing was unpacked"
    ):
        unpack_bundle(tmp_path / "y.zip", tmp_path / ("b" * 255))
    (folder / ("c" * 200) / ("d" * 200)).mkdir(parents=True)
    (folder / ("c" * 200) / ("d" * 200) / "e").write_text("x")
    with pytest.raises(DataError, match="too long a name for a file of a bundle"):
        write_bundle(tmp_path / "z.zip", datasets={NAME: folder})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rows", "whole", "x.zip", "y.zip"]
