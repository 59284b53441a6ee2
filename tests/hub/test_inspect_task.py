"""`inspect eval kopa_hf/kopa_bench`: Inspect's models in our loop, scored by our scorer."""

from __future__ import annotations

import configparser
import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import kopa_hf
from kopa_hf.bench.inspect_log import RUN
from kopa_hf.bench.rescoring import rescore_log
from kopa_hf.bench.rows import Row
from kopa_hf.bench.run_log import read_run_log
from kopa_hf.bench.task import ground_tasks, load_tasks
from kopa_hf.cli.bench import write_bench
from kopa_hf.errors import DataError
from kopa_hf.execution.executor import Executor

pytest.importorskip("inspect_ai", reason="extra `eval` is not installed")
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ModelAPI, ModelOutput, get_model, modelapi

from kopa_hf.hub.inspect_task import kopa_bench

Reply = Callable[[list[Any], list[Any]], ModelOutput]

pytestmark = pytest.mark.slow
"""Inspect loads every package's entry points first, which takes ten seconds."""

ROOT = Path(kopa_hf.__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    """Two tasks that call tools."""
    with Executor() as executor:
        tasks = [task for task in load_tasks() if task.answer_type in ("number", "amount")][:2]
        return ground_tasks(executor, tasks=tasks).rows


@pytest.fixture(scope="module")
def folder(rows: list[Row], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bench") / "two"
    write_bench(rows, path)
    return path


@modelapi(name="scripted")
class Scripted(ModelAPI):
    """A model that is a function; Inspect's own mock counts tokens with a vocabulary that it downloads."""

    def __init__(self, model_name: str, reply: Reply, **settings: Any) -> None:
        super().__init__(model_name)
        self.reply = reply

    async def generate(self, input: Any, tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        return self.reply(input, tools)


def scripted(reply: Reply) -> Any:
    return get_model("scripted/model", memoize=False, reply=reply)


def run(folder: Path, logs: Path, model: Any = "none/none", *, fail_on_error: bool = True, **arguments: Any) -> EvalLog:
    task = kopa_bench(data=str(folder), **arguments)
    (log,) = inspect_eval(task, model=model, log_dir=str(logs), display="none", fail_on_error=fail_on_error)
    assert log.status == "success", log.error
    return read_eval_log(log.location)


@pytest.mark.parametrize(("policy", "rate"), [("gold", 1.0), ("null", 0.0)])
def test_scripted_policies_score_as_they_must(folder: Path, tmp_path: Path, policy: str, rate: float) -> None:
    log = run(folder, tmp_path, policy=policy)
    # what Inspect wrote can be scored again, and that against the rows it ran on
    found = read_run_log(Path(log.location.removeprefix("file://")))
    again = rescore_log(found, found.rows().values()).reports()
    assert again[policy].pass_at_1 == rate
    assert {rescored.standing for rescored in rescore_log(found, found.rows().values()).rollouts} == {"same"}
    assert log.results is not None
    assert log.results.scores[0].metrics["mean"].value == rate
    assert log.samples is not None
    assert len(log.samples) == 2


def test_a_model_that_makes_the_golden_calls_passes(rows: list[Row], folder: Path, tmp_path: Path) -> None:
    """One scripted model per row would need to know the row; so the model looks up which one it is asked."""

    def reply(messages: list[Any], tools: list[Any]) -> ModelOutput:
        asked = next(message.text for message in reversed(messages) if message.role == "user")
        row = next(row for row in rows if row.prompt[-1]["content"] == asked)
        turn = [m for m in row.completion if m["role"] == "assistant"][sum(m.role == "assistant" for m in messages)]
        output = ModelOutput.from_content("scripted", turn.get("content") or "")
        if turn.get("tool_calls"):
            functions = [call["function"] for call in turn["tool_calls"]]
            made = [ModelOutput.for_tool_call("scripted", f["name"], f["arguments"]) for f in functions]
            output.message.tool_calls = [one.message.tool_calls[0] for one in made if one.message.tool_calls]
            assert {f["name"] for f in functions} <= {tool.name for tool in tools}
        return output

    log = run(folder, tmp_path, scripted(reply))
    assert log.results is not None
    assert log.results.scores[0].metrics["mean"].value == 1.0
    assert log.samples is not None
    for sample in log.samples:
        ids = [call.id for m in sample.messages if m.role == "assistant" for call in m.tool_calls or ()]
        assert ids == [m.tool_call_id for m in sample.messages if m.role == "tool"]
        assert sample.messages[-1].role == "assistant"


def test_a_model_that_says_nothing_useful_scores_0_and_is_told_why(folder: Path, tmp_path: Path) -> None:
    log = run(folder, tmp_path, scripted(lambda messages, tools: ModelOutput.from_content("scripted", "안녕하세요.")))
    assert log.samples is not None
    for sample in log.samples:
        assert sample.scores is not None
        (score,) = sample.scores.values()
        assert score.value == 0.0
        assert score.explanation


@pytest.mark.parametrize(
    ("reason", "text", "says"),
    [
        ("content_filter", "답은 1명", "a filter of the provider withheld the turn"),
        ("unknown", " ", "the turn ended with nothing said"),
        ("model_length", "too long", "the conversation does not fit: too long"),
    ],
)
def test_a_turn_that_the_provider_ended_is_an_error_of_its_sample(
    folder: Path, tmp_path: Path, reason: Any, text: str, says: str
) -> None:
    model = scripted(lambda messages, tools: ModelOutput.from_content("scripted", text, stop_reason=reason))
    log = run(folder, tmp_path, model, fail_on_error=False)
    assert log.samples is not None
    for sample in log.samples:
        assert sample.error is not None
        assert says in sample.error.message
        assert not sample.scores


@pytest.mark.parametrize(
    ("reason", "text", "notes"),
    [
        ("unknown", "모르겠습니다.", []),
        ("max_tokens", "먼저 고유번호를 찾", ["token_budget"]),
        ("model_length", "too long", ["context"]),
    ],
)
def test_what_the_model_ended_is_scored(folder: Path, tmp_path: Path, reason: Any, text: str, notes: list[str]) -> None:
    def reply(messages: list[Any], tools: list[Any]) -> ModelOutput:
        if messages[-1].role == "tool":
            return ModelOutput.from_content("scripted", text, stop_reason=reason)
        return ModelOutput.for_tool_call("scripted", tools[0].name, {})

    log = run(folder, tmp_path, scripted(reply))
    assert log.samples is not None
    for sample in log.samples:
        line = sample.store[RUN]
        assert line["notes"] == notes
        assert (line["score"]["status"], line["score"]["reward"]) == ("scored", 0.0)
        assert line["answer"] == (None if notes == ["context"] else text)


def test_wrong_task_arguments_are_clear(folder: Path) -> None:
    with pytest.raises(DataError, match="no config 'weather'"):
        kopa_bench(config="weather")
    with pytest.raises(DataError, match="No scripted policy 'oracle'"):
        kopa_bench(data=str(folder), policy="oracle")


def test_the_entry_point_names_the_module_that_registers_the_task() -> None:
    parser = configparser.ConfigParser()
    parser.read(ROOT / "setup.cfg", encoding="utf-8")
    name, _, module = parser["options.entry_points"]["inspect_ai"].strip().partition(" = ")
    assert name == "kopa_hf"
    assert import_module(module).kopa_bench is kopa_bench


def test_inspects_own_command_finds_the_installed_task(folder: Path, tmp_path: Path) -> None:
    """As pip installs it: the package under site-packages, its entry points beside it."""
    site = tmp_path / "site-packages"
    (site / "kopa_hf-0.dist-info").mkdir(parents=True)
    (site / "kopa_hf").symlink_to(ROOT / "kopa_hf")
    (site / "kopa_hf-0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: kopa_hf\nVersion: 0\n")
    (site / "kopa_hf-0.dist-info" / "entry_points.txt").write_text("[inspect_ai]\nkopa_hf = kopa_hf.hub.inspect_task\n")
    command = [
        sys.executable, "-m", "inspect_ai", "eval", "kopa_hf/kopa_bench", "--model", "none/none",
        "-T", f"data={folder}", "-T", "policy=gold", "--log-dir", str(tmp_path / "logs"), "--display", "none",
    ]  # fmt: skip
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(site)}, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    log = read_eval_log(str(next((tmp_path / "logs").iterdir())))
    assert log.eval.task == "kopa_hf/kopa_bench"
    assert log.results is not None
    assert log.results.scores[0].metrics["mean"].value == 1.0
