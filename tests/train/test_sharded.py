"""The training commands under the shipped launch configurations, on the CPU.

Proven for one process, ZeRO-2, ZeRO-3 and FSDP2 (two processes over gloo), each launched with the shipped file in
which only the device, the number of processes and the precision are changed: four GRPO steps equal two steps and a
resume, in completions, rewards, gradient norms and the SHA-256 of the gathered weights, to the bit. The model is a
tiny one that the SFT command taught to call a tool in half of its rollouts, so that rewards differ inside a group
and processes need different numbers of rounds. Two launchers' habits on CPUs are overruled (see `tests.train.proof`):
accelerate drops FSDP there, and DeepSpeed compiles a reduction of its own. Not proven here: GPUs, bf16, vLLM.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from kopa_hf.bench.rendering import RowPlan, render_row
from kopa_hf.bench.rows import Row
from kopa_hf.execution.executor import Executor
from kopa_hf.shipped import shipped_path
from kopa_hf.train.tiny import tiny_model, tiny_tokenizer
from tests.train.proof import digest
from tests.train.runs import arguments, write_rows

for needed in ("trl", "deepspeed"):
    pytest.importorskip(needed, reason="extra `train` is not installed")

pytestmark = pytest.mark.slow

BACKENDS = {
    "single": ["NO", 0, None],
    "zero2": ["DEEPSPEED", 2, None],
    "zero3": ["DEEPSPEED", 3, None],
    "fsdp2": ["FSDP", 0, 2],
}
"""kind → what must have trained: accelerate's type, the stage of ZeRO, the version of FSDP."""
KINDS = tuple(BACKENDS)
SHARDED = KINDS[1:]
GROUP = 4
"""Rollouts of a task; also the whole batch of a step, so that a group lies across both processes."""
REPOSITORY = Path(__file__).parents[2]


@cache
def tasks() -> tuple[Row, ...]:
    """One task of one call and one of two calls after each other."""

    def plan(question: str, *companies: str) -> RowPlan:
        actions = [
            {"id": f"a{at}", "step": at, "name": "find_dart_corp_code", "arguments": {"corp_name": company}}
            for at, company in enumerate(companies, 1)
        ]
        return RowPlan(
            question=question,
            tools=("find_dart_corp_code",),
            program={"actions": actions, "answer": {"$from": f"a{len(actions)}", "field": "corp_code"}, "slots": {}},
            answer_type="code",
            system_prompt="도구로 찾아 답한다.",
        )

    with Executor() as executor:
        return (
            render_row(plan("해든들전자의 고유번호는?", "해든들전자"), executor),
            render_row(
                plan("나래담제지를 먼저 찾고 너울숲철강의 고유번호를 찾아 줘.", "나래담제지", "너울숲철강"), executor
            ),
        )


def taught() -> tuple[Row, ...]:
    """Each task twice: as it should go, and given up at once. What learns from both does either, half of the time."""
    silence = [{"role": "assistant", "content": "모르겠습니다."}]
    return tuple(row for task in tasks() for row in (task, replace(task, completion=silence)))


def launch(where: Path, kind: str, *command: str) -> None:
    """`accelerate launch` with the shipped configuration; only device, precision and number of processes differ."""
    name = "cpu" if kind == "single" else kind
    config = yaml.safe_load(shipped_path(f"accelerate_configs/{name}.yaml").read_text(encoding="utf-8"))
    if kind != "single":
        config |= {"use_cpu": True, "mixed_precision": "no", "num_processes": 2}
    file = where / f"{kind}.yaml"
    file.write_text(yaml.safe_dump(config), encoding="utf-8")
    path = os.pathsep.join(filter(None, (str(REPOSITORY), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, "-m", "accelerate.commands.launch", "--config_file", str(file), "--main_process_port", "0",
         "-m", *command],
        env={**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True, text=True, check=False, timeout=540,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.fixture(scope="module")
def where(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sharded")


@pytest.fixture(scope="module")
def model(where: Path) -> Path:
    """The tiny model after the SFT command: it does as it was taught."""
    # a tokenizer of whole words for exactly these conversations keeps them short
    tokenizer = tiny_tokenizer(tasks())
    said = [
        tokenizer.apply_chat_template([*row.prompt, *row.completion], tools=row.tools, tokenize=False)
        for row in taught()
    ]
    template, tokenizer = tokenizer.chat_template, tokenizer.train_new_from_iterator(said, 2000)
    tokenizer.chat_template = template
    tiny_model(tokenizer, hidden_size=64, initializer_range=0.1).save_pretrained(where / "untaught")
    tokenizer.save_pretrained(where / "untaught")
    rows = write_rows(where / "taught", taught())
    given = arguments(
        where / "untaught", rows, where / "model", "--max_steps", "40", "--per_device_train_batch_size", "4",
        "--max_length", "4096", "--lr_scheduler_type", "cosine", "--preflight", "false", "--save_steps", "40",
        "--activation_checkpointing", "false",
    )  # fmt: skip
    launch(where, "single", "kopa_hf.train.sft", *given)
    return where / "model"


@pytest.fixture(scope="module")
def launched(where: Path, model: Path) -> Any:
    """kind → what its runs left; each kind is launched once."""
    rows = write_rows(where / "rows", tasks())

    @cache
    def run(kind: str) -> dict[str, list[dict[str, Any]]]:
        output = where / kind
        output.mkdir()
        processes = 1 if kind == "single" else 2

        def plan(name: str, folder: str, steps: int, *more: str) -> dict[str, Any]:
            given = arguments(
                model, rows, output / folder, "--max_steps", str(steps), "--save_steps", "2", "--preflight", "false",
                "--per_device_train_batch_size", str(GROUP // processes), "--num_generations", str(GROUP),
                "--max_completion_length", "512", "--learning_rate", "1e-3", "--lr_scheduler_type", "constant",
                "--max_equal_steps", "0", "--activation_checkpointing", "false", *more,
            )  # fmt: skip
            return {"name": name, "dice": name == "alike", "arguments": given, "port": free_port()}

        runs = [
            plan("whole", "whole", 4),
            plan("half", "halves", 2),
            plan("rest", "halves", 4, "--resume_from_checkpoint", "true"),
            plan("alike", "alike", 2),
        ]
        file = output / "plan.json"
        file.write_text(json.dumps({"runs": runs, "output": str(output)}))
        launch(output, kind, "tests.train.proof", str(file))
        return {
            entry["name"]: [
                json.loads((output / f"{entry['name']}-{rank}.json").read_text()) for rank in range(processes)
            ]
            for entry in runs
        }

    return run


def grad_norms(process: dict[str, Any]) -> list[float]:
    return [entry["grad_norm"] for entry in process["log"] if "grad_norm" in entry]


def steps(processes: list[dict[str, Any]], column: str) -> list[list[Any]]:
    """A column of all processes, step by step, in the order of the whole batch."""
    own = GROUP // len(processes)
    number = len(processes[0][column]) // own
    return [[entry for p in processes for entry in p[column][at * own : (at + 1) * own]] for at in range(number)]


def saved(folder: Path) -> str:
    from safetensors.torch import load_file

    return digest(load_file(folder / "model.safetensors"))


def test_sft_reaches_what_can_be_known(model: Path) -> None:
    """Whether to call or to give up is a coin for each conversation; all other of their tokens can be known."""
    logged = json.loads((model / "checkpoint-40" / "trainer_state.json").read_text())["log_history"]
    losses = [entry["loss"] for entry in logged if "loss" in entry]
    assert losses[0] > 3
    assert losses[-1] < 0.05  # four coins, ln 2 each, over some 130 tokens are 0.02


@pytest.mark.parametrize("kind", KINDS)
def test_four_steps_equal_two_and_a_resume(launched: Any, model: Path, where: Path, kind: str) -> None:
    found = launched(kind)
    assert {tuple(process["backend"]) for runs in found.values() for process in runs} == {tuple(BACKENDS[kind])}
    for whole, half, rest in zip(found["whole"], found["half"], found["rest"], strict=True):
        assert half["completions"] + rest["completions"] == whole["completions"]
        assert half["rewards"] + rest["rewards"] == whole["rewards"]
        assert grad_norms(half) == grad_norms(whole)[:2]
        assert grad_norms(rest) == grad_norms(whole)
        assert len(grad_norms(whole)) == 4
    weights = {name: found[name][0]["sha"] for name in ("whole", "half", "rest")}
    assert weights["rest"] == weights["whole"]
    assert len({saved(model), weights["half"], weights["whole"]}) == 3, "the weights moved in both halves"
    assert saved(where / kind / "halves") == weights["rest"], "what is saved at the end is what was trained"


@pytest.mark.parametrize("kind", KINDS)
def test_rollouts_call_tools_and_earn_differently(launched: Any, kind: str) -> None:
    found = launched(kind)["whole"]
    rewards = steps(found, "rewards")
    assert [len(group) for group in rewards] == [GROUP] * 4
    assert {reward for group in rewards for reward in group} == {0.0, 1.0}
    spread = [group for group in rewards if len(set(group)) > 1]
    assert spread
    logged = [entry for entry in found[0]["log"] if "reward_std" in entry]
    assert sum(entry["reward_std"] > 0 for entry in logged) == len(spread)
    # only calls that were answered can be rewarded here: the code to answer is in no prompt
    assert sum(entry["tools/call_frequency"] * GROUP for entry in logged) >= sum(map(sum, rewards))
    if kind != "single":
        assert any(own != other for own, other in zip(*(p["rounds"] for p in found), strict=True)), (
            "processes needed different numbers of rounds, and none waited for ever"
        )


@pytest.mark.parametrize("kind", SHARDED)
def test_two_processes_train_as_one(launched: Any, kind: str) -> None:
    """With noise that a rollout's place in the batch decides; sums run in another order, so norms agree to rounding."""
    one, two = launched("single")["alike"], launched(kind)["alike"]
    assert steps(two, "completions") == steps(one, "completions")
    assert steps(two, "rewards") == steps(one, "rewards")
    assert any(len(set(group)) > 1 for group in steps(one, "rewards"))
    assert grad_norms(two[0]) == pytest.approx(grad_norms(one[0]), rel=1e-4)
