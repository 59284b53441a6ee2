"""A run from SFT by LoRA to a repository on a Hub, in a process of its own, against a Hub on loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.train.hub_server import hub_server
from tests.train.runs import arguments, short_rows, write_model, write_rows

pytest.importorskip("trl", reason="extra `train` is not installed")

pytestmark = pytest.mark.slow

LORA = ("--use_peft", "true", "--lora_r", "2", "--lora_target_modules", "q_proj", "v_proj")
STEPS = (
    "--max_length", "60000", "--preflight", "false", "--save_strategy", "steps", "--save_steps", "1", "--eval_strategy",
    "steps", "--eval_steps", "1", "--load_best_model_at_end", "true", "--metric_for_best_model", "eval_loss",
    "--save_total_limit", "2",
)  # fmt: skip


def run(given: list[str], address: str) -> subprocess.CompletedProcess[str]:
    """The command as a user types it, with the Hub at `address`."""
    return subprocess.run(
        [sys.executable, "-m", "kopa_hf.train.sft", *given],
        env=os.environ | {"HF_ENDPOINT": address, "HF_HUB_OFFLINE": "0", "HF_HUB_DISABLE_XET": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def state(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "trainer_state.json").read_text()))


def test_sft_by_lora_evaluates_resumes_and_is_published(tmp_path: Path) -> None:
    rows = short_rows(3)
    model, data = write_model(tmp_path / "tiny", rows), write_rows(tmp_path / "edge", rows[:2], rows[2:])
    output, hub = tmp_path / "run", ("--push_to_hub", "true", "--hub_model_id", "someone/tiny-kopa", "--hub_token")
    given = [*arguments(model, data, output), *LORA, *STEPS]
    with hub_server("hf_right") as server:
        refused = run([*given, "--max_steps", "2", *hub, "hf_wrong"], server.address)
        assert refused.returncode == 2, refused.stderr
        assert "its repository not made" in refused.stderr
        assert "hf_wrong" not in refused.stderr
        assert not list(tmp_path.glob("run/checkpoint-*"))

        first = run([*given, "--max_steps", "2"], server.address)
        assert first.returncode == 0, first.stderr
        logged = state(output / "checkpoint-2")["log_history"]
        assert sum("eval_loss" in entry for entry in logged) == 2
        assert not server.files

        resumed = [*given, "--max_steps", "3", "--resume_from_checkpoint", "true", *hub, "hf_right"]
        done = run(resumed, server.address)
        assert done.returncode == 0, done.stderr
        assert [entry["step"] for entry in state(output / "checkpoint-3")["log_history"] if "loss" in entry] == [
            1,
            2,
            3,
        ]
        assert state(output / "checkpoint-3")["best_metric"] == min(
            entry["eval_loss"] for entry in state(output / "checkpoint-3")["log_history"] if "eval_loss" in entry
        )
        assert server.repositories == ["someone/tiny-kopa"] * len(server.repositories)
    # the adapter alone was trained and saved, and what came to the Hub is what lies in the folder
    assert not (output / "model.safetensors").exists()
    assert server.files["adapter_model.safetensors"] == (output / "adapter_model.safetensors").read_bytes()
    card = server.files["README.md"].decode()
    assert "kopa" in card
    assert "tool-use" in card
    assert str(tmp_path) not in card.replace(str(model), "")
    assert not any("checkpoint" in path for path in server.files)
