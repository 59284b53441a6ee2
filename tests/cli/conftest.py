"""The command in this process: what the tests of its commands share."""

from __future__ import annotations

from typing import Any

import pytest

from kopa_hf.cli import main


@pytest.fixture
def kopa(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run `kopa ARGUMENTS`; gives the exit code and both outputs, and lets no traceback pass."""

    def run(*arguments: Any) -> tuple[int, str, str]:
        code = 0
        try:
            main([str(a) for a in arguments])
        except SystemExit as stop:
            code = int(stop.code or 0)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return code, captured.out, captured.err

    return run
