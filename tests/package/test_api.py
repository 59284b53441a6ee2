"""The public API: listed once, as it is, and documented."""

from __future__ import annotations

import inspect
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import kopa_hf

ROOT = Path(kopa_hf.__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / ".ci"))
import api_page  # type: ignore[import-not-found]  # noqa: E402  # stands in .ci, outside any package

sys.path.pop(0)

NAMES = [(package, name) for package in api_page.PACKAGES for name, _ in api_page.exports(import_module(package))]


def test_the_page_lists_what_is_exported() -> None:
    assert (ROOT / "docs" / "api.md").read_text(encoding="utf-8") == api_page.page(), (
        "python .ci/api_page.py > docs/api.md"
    )


@pytest.mark.parametrize(("package", "name"), NAMES)
def test_every_public_name_is_documented(package: str, name: str) -> None:
    value = inspect.unwrap(getattr(import_module(package), name))
    if not (inspect.isclass(value) or inspect.isfunction(value)):
        return
    text = own_docstring(value)
    assert len(text) >= 20, f"{package}.{name} has no docstring of its own"
    if inspect.isfunction(value):
        assert all(p.annotation is not inspect.Parameter.empty for p in inspect.signature(value).parameters.values())


@pytest.mark.parametrize("package", api_page.PACKAGES)
def test_no_public_name_is_that_of_a_module(package: str) -> None:
    """Once such a module is imported, the package's attribute is the module."""
    folder = ROOT / package.replace(".", "/")
    modules = {path.stem for path in folder.glob("*.py")} | {path.parent.name for path in folder.glob("*/__init__.py")}
    assert not modules & set(import_module(package).__all__)


def own_docstring(value: Any) -> str:
    text = value.__dict__.get("__doc__", "") if inspect.isclass(value) else value.__doc__
    # a dataclass without one gets its signature as a docstring
    return "" if text is None or text.startswith(f"{value.__name__}(") else text


def test_every_package_with_exports_is_on_the_page() -> None:
    found = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for path in (ROOT / "kopa_hf").glob("*/__init__.py")
        if hasattr(import_module(".".join(path.parent.relative_to(ROOT).parts)), "__all__")
    } | {"kopa_hf"}
    assert found == set(api_page.PACKAGES)
