"""The public names of the agent and execution packages."""

from __future__ import annotations

import importlib

import pytest


@pytest.mark.parametrize("package", ["kopa_hf.agent", "kopa_hf.execution"])
def test_every_listed_name_is_there_and_nothing_else_is_promised(package: str) -> None:
    module = importlib.import_module(package)
    assert sorted(module._HOMES) == sorted(module.__all__)
    for name in module.__all__:
        assert getattr(module, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = module.nothing
