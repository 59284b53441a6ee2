"""What is declared must be what is there."""

from __future__ import annotations

import configparser
import os
import subprocess
import sys
from pathlib import Path

import pytest

import kopa_hf
from kopa_hf.errors import DataError
from kopa_hf.shipped import FOLDERS, shipped_path

ROOT = Path(kopa_hf.__file__).resolve().parent.parent


def setup_cfg() -> configparser.ConfigParser:
    parser = configparser.ConfigParser()
    parser.read(ROOT / "setup.cfg", encoding="utf-8")
    return parser


def test_every_package_folder_is_declared_in_setup_cfg() -> None:
    declared = {name for name in setup_cfg()["options"]["packages"].split() if ".shipped" not in name}
    found = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for path in (ROOT / "kopa_hf").rglob("__init__.py")
        if "shipped" not in path.parts
    }
    assert declared == found


def test_every_data_file_matches_a_package_data_pattern() -> None:
    patterns = setup_cfg()["options.package_data"]
    for path in (ROOT / "kopa_hf").rglob("data/**/*"):
        if path.is_dir() or "__pycache__" in path.parts or path.suffix == ".py":
            continue
        package = next(p for p in path.parents if (p / "__init__.py").is_file())
        globs = [g.strip() for g in patterns[".".join(package.relative_to(ROOT).parts)].split(",")]
        assert any(path in set(package.glob(glob)) for glob in globs), f"{path} would be missing from a wheel"


@pytest.mark.parametrize("name", kopa_hf.__all__)
def test_every_public_name_loads(name: str) -> None:
    assert getattr(kopa_hf, name) is not None


def test_an_unknown_public_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = kopa_hf.nothing


@pytest.mark.parametrize("folder", FOLDERS)
def test_shipped_folders_are_found(folder: str) -> None:
    assert shipped_path(folder).is_dir()


@pytest.mark.parametrize("name", ["", "kopa_hf", "tasks/../setup.cfg", "/etc/passwd", "tasks/none.py"])
def test_what_is_not_shipped_is_a_clear_error(name: str) -> None:
    with pytest.raises(DataError, match=r"shipped|holds no"):
        shipped_path(name)


def test_importing_the_package_loads_no_heavy_library() -> None:
    heavy = "torch", "trl", "transformers", "datasets", "pandas", "matplotlib", "networkx", "sympy", "lighteval"
    code = (
        "import sys, kopa_hf, kopa_hf.agent.environment, kopa_hf.execution.executor\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT, env={**os.environ}
    )
    assert run.stdout.strip() == "[]"


def test_the_version_is_the_same_wherever_it_is_told() -> None:
    import yaml

    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == kopa_hf.__version__
    assert f"## {kopa_hf.__version__.split('.dev')[0]} " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "name", ["README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "SECURITY.md"]
)
def test_what_a_reader_looks_for_is_there(name: str) -> None:
    assert (ROOT / name).stat().st_size > 500
