"""The commands that train, from their arguments to the saved model, with a tiny model on the CPU."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.train.runs import arguments, short_rows, write_model, write_rows

pytest.importorskip("trl", reason="extra `train` is not installed")

from kopa_hf.train import grpo, sft

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("model") / "tiny", short_rows(3))


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_rows(tmp_path_factory.mktemp("rows") / "edge", short_rows(3)[:2], short_rows(3)[2:])


def weights(folder: Path) -> dict[str, Any]:
    from safetensors.torch import load_file

    return dict(load_file(folder / "model.safetensors"))


def history(folder: Path) -> list[dict[str, Any]]:
    return list(json.loads((folder / "trainer_state.json").read_text())["log_history"])


def test_grpo_trains_evaluates_keeps_the_best_and_resumes(
    model: Path, rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One run of the whole line, its preflight included; random tokens end after a few, so the check of lengths is off."""
    monkeypatch.setattr("kopa_hf.train.running._demand_room", lambda *_: None)
    whole = (
        "--num_generations", "2", "--max_steps", "2", "--max_completion_length", "8", "--save_strategy", "steps",
        "--save_steps", "1", "--eval_strategy", "steps", "--eval_steps", "1", "--load_best_model_at_end", "true",
        "--metric_for_best_model", "eval_rewards/kopa_reward/mean", "--greater_is_better", "true",
    )  # fmt: skip
    output = tmp_path / "run"
    assert grpo.main(arguments(model, rows, output, *whole, "--preflight", "false")) == 0
    logged = history(output / "checkpoint-2")
    assert [entry["rewards/kopa_reward/mean"] for entry in logged if "rewards/kopa_reward/mean" in entry] == [0.0, 0.0]
    assert sum("eval_rewards/kopa_reward/mean" in entry for entry in logged) == 2
    assert "kopa/environment_errors" in logged[0]
    card = (output / "README.md").read_text()
    assert "kopa" in card
    assert str(rows) not in card
    assert grpo.main(arguments(model, rows, output, *whole, "--preflight", "false", "--max_steps", "3",
                               "--resume_from_checkpoint", "true")) == 0  # fmt: skip
    assert [entry["step"] for entry in history(output / "checkpoint-3") if "loss" in entry] == [1, 2, 3]


def test_sft_gives_loss_to_the_assistant_only(model: Path, rows: Path, tmp_path: Path) -> None:
    """Labels of the trainer's own batch: what carries loss is exactly what the assistant says."""
    output = tmp_path / "run"
    given = arguments(model, rows, output, "--max_steps", "1", "--max_length", "60000", "--preflight", "false")
    seen: dict[str, Any] = {}
    build = sft.build_trainer

    def keep(*parts: Any) -> Any:
        seen["trainer"] = build(*parts)
        return seen["trainer"]

    sft.build_trainer = keep  # type: ignore[assignment]
    try:
        assert sft.main(given) == 0
    finally:
        sft.build_trainer = build  # type: ignore[assignment]
    trainer = seen["trainer"]
    batch = trainer.data_collator([trainer.train_dataset[0]])
    tokenizer = trainer.processing_class
    ids, labels = batch["input_ids"][0].tolist(), batch["labels"][0].tolist()
    learned = tokenizer.decode([i for i, label in zip(ids, labels, strict=True) if label != -100])
    masked = tokenizer.decode([i for i, label in zip(ids, labels, strict=True) if label == -100])
    first = min(short_rows(3)[:2], key=lambda row: row.prompt[-1]["content"] not in masked)
    results = [m["content"] for m in first.completion if m["role"] == "tool"]
    assert results
    for result in results:
        assert result in masked
        assert result not in learned
    assert "<tool_response>" not in learned
    for message in first.completion:
        for call in message.get("tool_calls") or ():
            assert f'"name": "{call["function"]["name"]}"' in learned
    assert first.completion[-1]["content"] in learned
    before, after = weights(model), weights(output)
    assert any(not (before[name] == after[name]).all() for name in before)
