"""`kopa lighteval custom`: both task file and agent, offline, scores in lighteval's own format."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kopa_hf.cli.bench import write_bench
from kopa_hf.hub.loading import embedded_rows
from kopa_hf.shipped import shipped_path

pytest.importorskip("lighteval", reason="extra `eval` is not installed")

ROOT = Path(__file__).resolve().parents[2]

EMPTY_NETWORK = (
    shutil.which("unshare") is not None
    and subprocess.run(["unshare", "-n", "true"], capture_output=True, check=False).returncode == 0
)
"""Whether this machine lets a process have a network namespace with nothing in it."""


def files_of_lighteval() -> set[str]:
    """What lies beside its built-in tasks, where one of them would put its download."""
    spec = importlib.util.find_spec("lighteval")
    assert spec is not None
    assert spec.origin is not None
    return {path.name for path in (Path(spec.origin).parent / "tasks" / "tasks").iterdir()} - {"__pycache__"}


@pytest.mark.slow
@pytest.mark.parametrize(("policy", "score"), [("gold", 1.0), ("null", 0.0)])
def test_two_tasks_are_scored_without_network(tmp_path: Path, policy: str, score: float) -> None:
    installed = files_of_lighteval()
    write_bench(embedded_rows(), tmp_path / "kopa-bench")
    command = [
        sys.executable, "-c", "from kopa_hf.cli import main; main()", "lighteval", "custom", f"policy:{policy}",
        str(shipped_path("tasks/kopa_agent.py")), "kopa_bench", "--custom-tasks", str(shipped_path("tasks/kopa_bench.py")),
        "--max-samples", "2", "--output-dir", str(tmp_path / "out"), "--save-details",
    ]  # fmt: skip
    if EMPTY_NETWORK:
        command = ["unshare", "-n", *command]
    environment = {**os.environ, "KOPA_BENCH_DATA": str(tmp_path / "kopa-bench"), "PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment, timeout=300
    )
    assert run.returncode == 0, run.stderr[-3000:]
    results = json.loads(next((tmp_path / "out").rglob("results_*.json")).read_text(encoding="utf-8"))
    scores = next(value for name, value in results["results"].items() if name.startswith("kopa_bench"))
    assert scores["pass@1"] == score
    assert files_of_lighteval() == installed, "site-packages stay as they were"
    assert list((tmp_path / "out").rglob("*.parquet")), "details were asked for"


def test_plain_text_of_a_model_without_tools_is_one_answer_without_calls() -> None:
    import importlib.util

    from kopa_hf.shipped import shipped_path

    spec = importlib.util.spec_from_file_location("kopa_bench_task", shipped_path("tasks/kopa_bench.py"))
    assert spec is not None
    assert spec.loader is not None
    task = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(task)
    told = [{"role": "assistant", "content": "답은 3입니다."}]
    assert task.transcript_of('[{"role": "assistant", "content": "답은 3입니다."}]') == told
    for text in ("답은 3입니다.", "3", "[1]", '{"a": 1}'):
        assert task.transcript_of(text) == [{"role": "assistant", "content": text}]
