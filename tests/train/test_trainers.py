"""The rows, unchanged, in TRL's own trainers, with a tiny random model on the CPU."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.bench.rows import Row
from kopa_hf.hub.cards import dataset_card
from kopa_hf.hub.folder import row_table, sft_table, write_folder
from kopa_hf.hub.loading import embedded_rows
from kopa_hf.train.reward import kopa_reward
from kopa_hf.train.toolsets import build_toolsets
from tests.hub.rows import hard_rows
from tests.train.tiny import tiny_model, tiny_tokenizer

trl = pytest.importorskip("trl", reason="extra `train` is not installed")

pytestmark = pytest.mark.slow


def short_rows() -> tuple[Row, ...]:
    """The hard rows and three of the benchmark's whose golden conversations are short."""
    by_length = sorted(embedded_rows(), key=lambda row: sum(len(str(m["content"])) for m in row.completion))
    return (*hard_rows(), *by_length[:3])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = short_rows()
    tables = [row_table(rows, split="train"), sft_table(rows, split="train")]
    where = tmp_path_factory.mktemp("rows") / "data"
    return write_folder(tables, where, lambda files: dataset_card("edge-trajectories", {"train": rows}, files))


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return tiny_tokenizer(short_rows())


def load(folder: Path, config: str = "default") -> Any:
    from datasets import load_dataset

    return load_dataset(str(folder), name=config, split="train")


def weights(model: Any) -> Any:
    import torch

    return torch.cat([p.detach().flatten().clone() for p in model.parameters()])


@pytest.mark.parametrize("config", ["default", "sft"])
def test_sft_trains_on_the_rows_as_they_are(folder: Path, tokenizer: Any, tmp_path: Path, config: str) -> None:
    from trl import SFTConfig, SFTTrainer

    model = tiny_model(tokenizer)
    before = weights(model)
    arguments = SFTConfig(
        str(tmp_path), max_steps=2, per_device_train_batch_size=1, max_length=2048, use_cpu=True, report_to="none",
        save_strategy="no", logging_steps=1, learning_rate=1e-2, bf16=False,
    )  # fmt: skip
    trainer = SFTTrainer(model=model, args=arguments, train_dataset=load(folder, config), processing_class=tokenizer)
    trainer.train()
    losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    assert len(losses) == 2
    assert all(loss > 0 for loss in losses)
    assert not (weights(trainer.model.cpu()) == before).all()


def grpo(folder: Path, tokenizer: Any, where: Path, trainer_class: Any, *, steps: int = 2, **settings: Any) -> Any:
    from trl import GRPOConfig

    rows = load(folder)
    arguments = GRPOConfig(
        str(where), max_steps=steps, per_device_train_batch_size=2, num_generations=2, use_cpu=True, report_to="none",
        save_strategy="no", logging_steps=1, learning_rate=1e-2, bf16=False, **settings,
    )  # fmt: skip
    return trainer_class(
        model=tiny_model(tokenizer),
        args=arguments,
        reward_funcs=kopa_reward,
        train_dataset=rows,
        environment_factory=build_toolsets(rows),
        processing_class=tokenizer,
    )


def test_grpo_takes_two_steps_with_the_tools_of_each_row(folder: Path, tokenizer: Any, tmp_path: Path) -> None:
    from trl import GRPOTrainer

    trainer = grpo(folder, tokenizer, tmp_path, GRPOTrainer, max_completion_length=16)
    assert trainer.reward_func_names == ["kopa_reward"]
    trainer.train()
    logged = [entry for entry in trainer.state.log_history if "rewards/kopa_reward/mean" in entry]
    assert len(logged) == 2
    assert all(entry["rewards/kopa_reward/mean"] == 0.0 for entry in logged)
    # random tokens call nothing, but every rollout had a fresh episode of its row
    assert all(environment._session is not None for environment in trainer.environments)


def scripted(rows: Sequence[Row], *, gold: bool) -> Any:
    """TRL's trainer with the model's tokens replaced by a script; parsing, tools and reward stay TRL's and ours."""
    from trl import GRPOTrainer

    class ScriptedTrainer(GRPOTrainer):
        def _generate_single_turn(self, prompt_ids: Any, *args: Any, **kwargs: Any) -> Any:
            return [self._turn(self.processing_class.decode(ids)) for ids in prompt_ids], None

        def _turn(self, prompt: str) -> list[int]:
            row = next(row for row in rows if row.prompt[-1]["content"] in prompt)
            turns = [m for m in row.completion if m["role"] == "assistant"] if gold else []
            done = prompt.count("<|im_start|>assistant") - 1
            text = _spoken(turns[done]) if turns else "모르겠습니다."
            ids: list[int] = self.processing_class(text + "<|im_end|>", add_special_tokens=False)["input_ids"]
            return ids

    return ScriptedTrainer


def _spoken(message: dict[str, Any]) -> str:
    """An assistant turn as the template's model writes it."""
    calls = [
        {"name": c["function"]["name"], "arguments": c["function"]["arguments"]}
        for c in message.get("tool_calls") or ()
    ]
    blocks = [f"<tool_call>\n{json.dumps(call, ensure_ascii=False)}\n</tool_call>" for call in calls]
    return "\n".join([str(message["content"]), *blocks]).strip()


@pytest.mark.parametrize(("gold", "reward"), [(True, 1.0), (False, 0.0)])
def test_a_scripted_agent_earns_exactly_its_reward_through_the_trainers_own_path(
    folder: Path, tokenizer: Any, tmp_path: Path, gold: bool, reward: float
) -> None:
    trainer = grpo(
        folder, tokenizer, tmp_path, scripted(short_rows(), gold=gold),
        max_completion_length=16000, max_tool_calling_iterations=12, shuffle_dataset=False, steps=len(short_rows()),
    )  # fmt: skip
    trainer.train()
    logs = [entry for entry in trainer.state.log_history if "rewards/kopa_reward/mean" in entry]
    assert [entry["rewards/kopa_reward/mean"] for entry in logs] == [reward] * len(short_rows())
    golden = [len(row.golden_actions) for row in short_rows()]
    assert [entry["tools/call_frequency"] for entry in logs] == (golden if gold else [0] * len(golden))
    assert {entry["tools/failure_frequency"] for entry in logs} == {0.0}
    # the pool holds the rollouts of the last row: each has its own episode with exactly its own calls
    assert [len(environment._session.calls) for environment in trainer.environments] == [golden[-1] if gold else 0] * 2
