"""A wheel and an sdist that work outside the repository: built here, unpacked elsewhere, run in an empty folder."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import kopa_hf

ROOT = Path(kopa_hf.__file__).resolve().parent.parent
LARGEST = 25 * 2**20
_BUILD = (
    "import sys; from setuptools import build_meta; print(getattr(build_meta, 'build_' + sys.argv[1])(sys.argv[2]))"
)
_MAIN = "from kopa_hf.cli import main; main()"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that git would hand on, so that nothing left over in the checkout gets in."""
    clean = tmp_path_factory.mktemp("source")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout.decode()
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (clean / name).parent.mkdir(parents=True, exist_ok=True)
            (clean / name).write_bytes((ROOT / name).read_bytes())
    return clean


def build(kind: str, source: Path, into: Path) -> Path:
    done = subprocess.run(
        [sys.executable, "-c", _BUILD, kind, str(into)], cwd=source, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return into / done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", source, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel's content as an importable folder; what it depends on comes from this environment."""
    site = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    return site


def run(installed: Path, folder: Path, *command: str, env: dict[str, str] | None = None) -> str:
    """A command in `folder` on the unpacked wheel; `kopa` as the entry point would run it."""
    program = ["-c", _MAIN, *command[1:]] if command[0] == "kopa" else list(command)
    done = subprocess.run(
        [sys.executable, *program],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(installed),
            "HF_HOME": str(folder / "hf"),
            "HF_HUB_OFFLINE": "1",
            **(env or {}),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def test_the_wheel_is_small_and_holds_data_and_the_three_folders(wheel: Path) -> None:
    assert wheel.stat().st_size < LARGEST
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    tracked = subprocess.run(
        ["git", "ls-files", "kopa_hf", "hub_cards", "accelerate_configs", "tasks"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    expected = {n if n.startswith("kopa_hf/") else f"kopa_hf/shipped/{n}" for n in tracked if (ROOT / n).is_file()}
    assert expected <= names, sorted(expected - names)[:5]
    assert "kopa_hf/py.typed" in names
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/", "docs/"))]


def test_the_sdist_builds_the_same_wheel(source: Path, wheel: Path, tmp_path: Path) -> None:
    sdist = build("sdist", source, tmp_path)
    assert sdist.stat().st_size < LARGEST
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (inner,) = (tmp_path / "unpacked").iterdir()
    again = build("wheel", inner, tmp_path)
    with zipfile.ZipFile(wheel) as first, zipfile.ZipFile(again) as second:
        content = [
            {name: a.read(name) for name in a.namelist() if not name.endswith("RECORD")} for a in (first, second)
        ]
    assert content[0] == content[1]


def test_it_is_the_wheel_that_runs(installed: Path, tmp_path: Path) -> None:
    where = run(installed, tmp_path, "-c", "import kopa_hf; print(kopa_hf.__file__)").strip()
    assert Path(where).is_relative_to(installed)
    for name in ("tasks/kopa_bench.py", "accelerate_configs", "hub_cards"):
        path = Path(run(installed, tmp_path, "kopa", "path", name).strip())
        assert path.exists()
        assert path.is_relative_to(installed)


def test_demo_publish_training_and_lighteval_run_in_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    smallest = ("platforms=kdic", "iterations=2", "paths=30", "rows=7", "rate_edges=10", "workers=1")
    quick = [part for setting in smallest for part in ("--set", setting)]
    printed = run(installed, tmp_path, "kopa", "demo", *quick)
    assert "gold 1.00" in printed
    assert "null 0.00" in printed

    dry = run(installed, tmp_path, "kopa", "publish", "dataset", "demo-out/edge-trajectories", "--dry-run")
    assert "nothing was written" in dry

    presets = (
        Path(run(installed, tmp_path, "-c", "import kopa_hf.train as t; print(t.__path__[0])").strip()) / "presets"
    )
    preset = str(presets / "qwen3_5_4b_grpo_8gpu.yaml")
    train = [
        "-m",
        "kopa_hf.train.grpo",
        "--config",
        preset,
        "--dataset_name",
        "demo-out/edge-trajectories",
        "--dry-run",
    ]
    assert "GB" in run(installed, tmp_path, *train)

    agent, task = (
        run(installed, tmp_path, "kopa", "path", f"tasks/{name}.py").strip() for name in ("kopa_agent", "kopa_bench")
    )
    run(
        installed, tmp_path, "kopa", "lighteval", "custom", "policy:gold", agent, "kopa_bench",
        "--custom-tasks", task, "--max-samples", "2", "--output-dir", "lighteval-out",
        env={"KOPA_BENCH_DATA": str(tmp_path / "demo-out" / "kopa-bench")},
    )  # fmt: skip
    assert list((tmp_path / "lighteval-out").rglob("results_*.json"))
