"""The command in this process: what the tests of its commands share."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from kopa_hf.cli import main


def run_kopa(capsys: pytest.CaptureFixture[str], *arguments: Any) -> tuple[int, str, str]:
    """Exit code and both outputs of `kopa ARGUMENTS`; no traceback passes."""
    code = 0
    try:
        main([str(a) for a in arguments])
    except SystemExit as stop:
        code = int(stop.code or 0)
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return code, captured.out, captured.err


@pytest.fixture
def kopa(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run `kopa ARGUMENTS`."""
    return partial(run_kopa, capsys)
