"""The preflight through TRL's own path, and what stops a run under way."""

from __future__ import annotations

import errno
import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from kopa_hf.agent.environment import KopaEnvironment
from kopa_hf.cli.train import train
from kopa_hf.execution.executor import Executor
from kopa_hf.sandbox.server import SandboxTransport
from tests.hub.rows import hard_rows
from tests.train.runs import arguments, short_rows, write_model, write_rows

pytest.importorskip("trl", reason="extra `train` is not installed")

from kopa_hf.bench.scoring import Score
from kopa_hf.errors import MissingExtraError
from kopa_hf.train import grpo
from kopa_hf.train.preflight import Check, Plan, _scripted, check_apart, run_checks, spoken_turns
from kopa_hf.train.tiny import tiny_tokenizer

pytestmark = pytest.mark.slow

SHORT = ("--num_generations", "2", "--max_completion_length", "8")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("model") / "tiny", short_rows(2))


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_rows(tmp_path_factory.mktemp("rows") / "edge", short_rows(2))


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rollouts of eight tokens, far too short for gold: what is under test here comes after that check."""
    monkeypatch.setattr("kopa_hf.train.running._demand_room", lambda *_: None)


@pytest.mark.parametrize("template", ["qwen3", "qwen3_5_think"])
def test_gold_earns_one_and_silence_nothing_whatever_the_template(template: str) -> None:
    checks = run_checks(Plan("embedded", "test", template=template, rows=1))
    assert [check.name for check in checks] == [
        "dataset",
        "template",
        "gold agent",
        "budget",
        "environment",
        "null agent",
    ]
    assert all(check.passed for check in checks), checks


def test_a_rollout_too_short_for_gold_fails_and_says_so() -> None:
    checks = run_checks(Plan("embedded", "test", rows=1, max_completion_length=60))
    failed = {check.name: check.says for check in checks if not check.passed}
    assert set(failed) == {"gold agent", "budget"}
    assert "instead of 1" in failed["gold agent"]
    assert "within 60 tokens" in failed["budget"]


def test_what_the_script_says_is_what_the_template_writes() -> None:
    row = hard_rows()[0]
    turns = spoken_turns(tiny_tokenizer([row]), row, row.completion, None, {})
    assert len(turns) == sum(message["role"] == "assistant" for message in row.completion)
    assert turns[0].count("<tool_call>") == len(row.completion[0]["tool_calls"])
    assert all(turn.endswith("<|im_end|>") and "<|im_start|>" not in turn for turn in turns)
    assert row.completion[-1]["content"] in turns[-1]


def test_the_doctor_needs_no_arguments_and_no_network() -> None:
    done = CliRunner().invoke(train, ["doctor", "--rows", "1", "--json"])
    assert done.exit_code == 0, done.output
    assert all(check["passed"] for check in json.loads(done.output))


def test_a_failed_preflight_refuses_the_run(
    model: Path, rows: Path, tmp_path: Path, short: None, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr("kopa_hf.train.running.check_apart", lambda plan: [Check("gold agent", False, "got 0.0")])
    assert grpo.main(arguments(model, rows, tmp_path / "run", *SHORT)) == 1
    assert "Training refused, the preflight failed. gold agent: got 0.0" in capsys.readouterr().err
    assert not list(tmp_path.glob("run/checkpoint-*"))


def test_equal_rewards_stop_the_run(model: Path, rows: Path, tmp_path: Path, short: None, capsys: Any) -> None:
    given = arguments(model, rows, tmp_path / "run", *SHORT, "--preflight", "false", "--max_steps", "5")
    assert grpo.main([*given, "--max_equal_steps", "2", "--save_strategy", "no"]) == 1
    assert "stopped at step 2: all rewards were 0 for 2 steps in a row" in capsys.readouterr().err


def test_an_environment_that_dies_stops_the_run(
    model: Path, rows: Path, tmp_path: Path, short: None, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    lost = Score("backend_fault", None, None, None, None, 0.0, 0.0, 0.0, 0.0, ("backend_fault",))
    monkeypatch.setattr("kopa_hf.train.reward.rollout_score", lambda *_: lost)
    monkeypatch.setattr("kopa_hf.train.guard._ENOUGH", 4)
    given = arguments(model, rows, tmp_path / "run", *SHORT, "--preflight", "false", "--max_steps", "5")
    assert grpo.main([*given, "--save_steps", "2"]) == 3
    assert "stopped at step 2: 4 of 4 rollouts could not be scored" in capsys.readouterr().err
    assert not list(tmp_path.glob("run/checkpoint-*"))


def test_a_full_disk_leaves_whole_checkpoints_and_says_how_to_go_on(
    model: Path, rows: Path, tmp_path: Path, short: None, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    from transformers import Trainer

    save = Trainer._save_optimizer_and_scheduler

    def full(self: Any, folder: str) -> None:
        if folder.endswith("-2"):
            raise OSError(errno.ENOSPC, "No space left on device")
        save(self, folder)

    monkeypatch.setattr(Trainer, "_save_optimizer_and_scheduler", full)
    given = arguments(model, rows, tmp_path / "run", *SHORT, "--preflight", "false", "--max_steps", "3")
    assert grpo.main([*given, "--save_steps", "1"]) == 3
    told = capsys.readouterr().err
    assert "No space left on device" in told
    assert "--resume_from_checkpoint true" in told
    assert {path.name for path in (tmp_path / "run").glob("*checkpoint-*")} == {
        "checkpoint-1",
        "_incomplete-checkpoint-2",
    }


def test_a_disk_that_fills_up_stops_the_run_before_the_next_checkpoint(
    model: Path, rows: Path, tmp_path: Path, short: None, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    run = tmp_path / "run"

    def usage(_: Any) -> Any:
        """Room for anything until the first checkpoint is there, then none."""
        return SimpleNamespace(free=10 if (run / "checkpoint-1").exists() else 10**12)

    monkeypatch.setattr(shutil, "disk_usage", usage)
    given = arguments(model, rows, run, *SHORT, "--preflight", "false", "--max_steps", "3", "--save_steps", "1")
    assert grpo.main(given) == 3
    told = capsys.readouterr().err
    assert "stopped at step 2" in told
    assert f"The last whole one is {run / 'checkpoint-1'}" in told
    assert [path.name for path in run.glob("*checkpoint-*")] == ["checkpoint-1"]
    assert (run / "checkpoint-1" / "model.safetensors").is_file()


def test_a_disk_without_room_at_the_last_step_still_takes_the_final_model(
    model: Path, rows: Path, tmp_path: Path, short: None, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    run = tmp_path / "run"
    monkeypatch.setattr(
        shutil, "disk_usage", lambda _: SimpleNamespace(free=10 if (run / "checkpoint-1").exists() else 10**12)
    )
    given = arguments(model, rows, run, *SHORT, "--preflight", "false", "--max_steps", "2", "--save_steps", "1")
    assert grpo.main(given) == 0
    assert "no checkpoint of the last step" in capsys.readouterr().err
    assert [path.name for path in run.glob("*checkpoint-*")] == ["checkpoint-1"]
    assert (run / "model.safetensors").is_file()


def test_a_disk_without_room_for_one_checkpoint_is_refused_before_the_first_step(
    model: Path, rows: Path, tmp_path: Path, short: None, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=100_000))
    given = arguments(model, rows, tmp_path / "run", *SHORT, "--preflight", "false", "--max_steps", "3")
    assert grpo.main(given) == 2
    told = capsys.readouterr().err
    assert "0.00 GB free" in told
    assert "--save_total_limit" in told
    assert not (tmp_path / "run" / "checkpoint-1").exists()


def test_a_reward_that_is_no_number_ends_the_run_with_its_earlier_checkpoint(
    model: Path, rows: Path, tmp_path: Path, short: None, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    scored = {"zero": 0}

    def score(*_: Any) -> Score:
        scored["zero"] += 1
        # two rollouts a step: the first step is sound
        return Score("scored", 0.0 if scored["zero"] <= 2 else float("nan"), 0.0, None, 0.0, 0.0, 0.0, 0.0, 0.0)

    monkeypatch.setattr("kopa_hf.train.reward.rollout_score", score)
    given = arguments(model, rows, tmp_path / "run", *SHORT, "--preflight", "false", "--max_steps", "3")
    assert grpo.main([*given, "--save_steps", "1"]) == 2
    assert "the reward is nan" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "run").glob("*checkpoint-*")] == ["checkpoint-1"]


class DyingTransport(SandboxTransport):
    """The sandbox for so many requests, then nothing answers."""

    def __init__(self, requests: int) -> None:
        super().__init__()
        self.left = requests

    def respond(self, request: httpx.Request, body: bytes = b"") -> Any:
        self.left -= 1
        if self.left < 0:
            raise httpx.ConnectError("refused", request=request)
        return super().respond(request, body)


def test_a_backend_that_dies_under_way_stops_the_run(
    model: Path, rows: Path, tmp_path: Path, short: None, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """The run's own trainer speaks golden turns, so that calls are made; after the first step no service answers."""
    calls = [sum(len(m.get("tool_calls") or ()) for m in row.completion) for row in short_rows(2)]
    monkeypatch.setattr("trl.GRPOTrainer", _scripted(short_rows(2), gold=True))
    monkeypatch.setattr(KopaEnvironment, "_executor", Executor(transport=DyingTransport(2 * min(calls))))
    monkeypatch.setattr("kopa_hf.train.guard._ENOUGH", 4)
    given = arguments(model, rows, tmp_path / "run", "--num_generations", "2", "--max_completion_length", "60000")
    assert grpo.main([*given, "--preflight", "false", "--max_steps", "6", "--save_steps", "1"]) == 3
    told = capsys.readouterr().err
    assert "Training stopped at step" in told
    assert "by fault of the environment" in told or "could not be scored" in told
    logged = json.loads((tmp_path / "run" / "checkpoint-1" / "trainer_state.json").read_text())["log_history"]
    assert logged[0]["rewards/kopa_reward/mean"] > 0
    assert not (tmp_path / "run" / "model.safetensors").exists()


def test_without_trl_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kopa_hf.train.preflight.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[train\]'"):
        check_apart(Plan("embedded", "test", rows=1))
