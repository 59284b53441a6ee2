"""The commands of the pages: a block has ended when its shell has, whatever it leaves running."""

from __future__ import annotations

import importlib.util
import time
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / ".ci" / "readme_commands.py"


@pytest.fixture(scope="module")
def commands() -> ModuleType:
    spec = importlib.util.spec_from_file_location("readme_commands", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_output_comes_whole_and_its_end_is_kept(commands: ModuleType, capfd: pytest.CaptureFixture[str]) -> None:
    script = "for i in $(seq 100); do echo 줄 $i; done; echo bad >&2; printf end; exit 3"
    code, last = commands.run_streaming(["bash", "-c", script])
    told = [f"줄 {i}\n" for i in range(1, 101)] + ["bad\n", "end"]
    assert (code, last) == (3, told[-60:])
    assert capfd.readouterr().out == "".join(told)


def test_a_chatty_server_that_is_left_behind_is_neither_waited_for_nor_stopped(
    commands: ModuleType, tmp_path: Path
) -> None:
    server = "(for ((i = 0; i < 150000; i++)); do echo x; done; touch ended) &"
    code, _ = commands.run_streaming(["bash", "-c", f"cd {tmp_path}; {server}"])
    ended, late = tmp_path / "ended", time.monotonic() + 15
    assert code == 0
    assert not ended.exists()
    while not ended.exists():
        assert time.monotonic() < late, "it ended with the block"
        time.sleep(0.01)
