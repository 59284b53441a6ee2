"""Both task files through lighteval's doors, in an empty network namespace where this machine allows one."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kopa_hf.agent.models import ModelError
from kopa_hf.agent.session import Session
from kopa_hf.bench.asking import Solved
from kopa_hf.bench.bfcl.agents import response_of
from kopa_hf.bench.bfcl.answer_key import key_result
from kopa_hf.bench.bfcl.entries import Entry
from kopa_hf.bench.bfcl.source import load_entries, present
from kopa_hf.bench.policies import POLICIES
from kopa_hf.bench.rows import Row, row_to_dict
from kopa_hf.cli.bench import write_bench
from kopa_hf.errors import DataError, ModelServerError
from kopa_hf.hub.loading import embedded_rows
from kopa_hf.shipped import shipped_path
from tests.bench.bfcl.leaderboard import write, write_live
from tests.cli.test_lighteval import EMPTY_NETWORK, files_of_lighteval

pytest.importorskip("lighteval", reason="extra `eval` is not installed")
pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
BFCL, BENCH, AGENT = (str(shipped_path(f"tasks/{name}.py")) for name in ("bfcl", "kopa_bench", "kopa_agent"))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Variables that name a small BFCL and a small benchmark."""
    folder = tmp_path_factory.mktemp("doors")
    write_bench([row for row in embedded_rows() if "dart" in row.platforms][:2], folder / "bench")
    return {"KOPA_BFCL_DATA": str(write(folder)), "KOPA_BENCH_DATA": str(folder / "bench")}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of a few thousand random weights."""
    pytest.importorskip("torch")
    from tests.agent import tiny_chat

    folder = tmp_path_factory.mktemp("model")
    tiny_chat.model(8192).save_pretrained(folder)
    tiny_chat.tokenizer().save_pretrained(folder)
    return folder


def lighteval(arguments: list[str], folder: Path, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from kopa_hf.cli import main; main()", "lighteval", *arguments]
    return subprocess.run(
        ["unshare", "-n", *command] if EMPTY_NETWORK else command,
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, **variables, "PYTHONPATH": str(ROOT)},
        timeout=500,
    )


def results(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(next(folder.rglob("results_*.json")).read_text(encoding="utf-8"))
    return found["results"]  # type: ignore[no-any-return]


def loaded(file: str, variables: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """A shipped file as lighteval loads it."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    spec = importlib.util.spec_from_file_location(Path(file).stem + "_file", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Failing:
    """A scripted agent of either benchmark that fails on the first of what it is given."""

    name = "failing"

    def __init__(self, error: Exception, always: bool = False) -> None:
        self.error, self.always, self.asked = error, always, 0

    def _fail(self) -> None:
        self.asked += 1
        if self.always or self.asked == 1:
            raise self.error

    async def answer(self, entry: Entry) -> Solved:
        self._fail()
        return Solved(key_result(entry, "fc"))

    async def aclose(self) -> None:
        """Nothing is open."""

    def run(self, row: Row, session: Session) -> str | None:
        self._fail()
        return POLICIES["gold"].run(row, session)


def aggregated(task: Any, docs: list[Any], said: list[Any]) -> dict[str, float]:
    """A task's figures as lighteval makes them of documents and responses."""
    (metric,) = task.metrics
    marks = [metric.sample_level_fn.compute(doc, response) for doc, response in zip(docs, said, strict=True)]
    found: dict[str, float] = {}
    for name, corpus in metric.corpus_level_fn.items():
        value = corpus([mark[name] for mark in marks])
        found.update(value if isinstance(value, dict) else {name: value})
    return found


@pytest.mark.parametrize("error", [ModelError("server", "down"), KeyError("choices")])
def test_a_fault_costs_its_entry_only(
    tmp_path: Path,
    data: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
) -> None:
    live = {**data, "KOPA_BFCL_DATA": str(write_live(Path(data["KOPA_BFCL_DATA"]), tmp_path / "live"))}
    tasks = {task.name: task for task in loaded(BFCL, live, monkeypatch).TASKS_TABLE}
    agent = loaded(AGENT, live, monkeypatch)
    model = object.__new__(agent.KopaAgentModel)
    model.config = SimpleNamespace(model_name="failing")
    failing = Failing(error)
    monkeypatch.setattr(agent, "agent_named", lambda *given: failing)
    entries = list(load_entries(Path(live["KOPA_BFCL_DATA"]), present(Path(live["KOPA_BFCL_DATA"]))))
    docs = [tasks["bfcl_live"].prompt_function(entry.to_row(), "bfcl_live") for entry in entries]
    said = model.greedy_until(docs)
    assert [bool(response.text) for response in said] == [False, True, True, True, True]
    figures = aggregated(tasks["bfcl_live"], docs, said)
    assert figures["live_simple (1 of 2)"] == figures["typed:live_simple (1 of 2)"] == figures["live_multiple"] == 1
    assert figures["scored"] == 0.8
    assert not {"single_live", "typed:single_live", "live_simple"} & figures.keys()
    simple = aggregated(tasks["bfcl_category:live_simple"], docs[:2], said[:2])
    assert simple == {"strict": 1, "typed": 1, "scored": 0.5}
    assert "1 of 5 could not be asked and count nowhere" in caplog.text
    assert "live_simple_0-0-0: " in caplog.text

    rows = embedded_rows()[:2]
    bench = loaded(BENCH, live, monkeypatch).TASKS_TABLE[0]
    docs = [bench.prompt_function(row_to_dict(row), "kopa_bench") for row in rows]
    monkeypatch.setattr(agent, "policy_named", lambda name: Failing(error))
    assert aggregated(bench, docs, model.greedy_until(docs)) == {"pass@1": 1, "action": 1, "scored": 0.5}

    again = object.__new__(agent.KopaAgentModel)
    again.config = model.config
    dead = Failing(error, always=True)
    monkeypatch.setattr(agent, "policy_named", lambda name: dead)
    with pytest.raises(ModelServerError, match="could not be asked"):
        again.greedy_until(docs * 4)
    assert dead.asked == 5, "a server that answers nobody is not asked for all"


def test_an_agent_answers_every_category(tmp_path: Path, data: dict[str, str]) -> None:
    installed = files_of_lighteval()
    told = ["custom", "policy:gold", AGENT, "bfcl", "--custom-tasks", BFCL, "--output-dir", "out", "--save-details"]
    run = lighteval(told, tmp_path, data)
    assert run.returncode == 0, run.stderr[-3000:]
    scores = results(tmp_path / "out")["bfcl|0"]
    assert scores["parallel"] == scores["multi_turn_base"] == scores["typed:multi_turn_miss_func"] == 1
    assert (scores["simple_java"], scores["typed:simple_java"]) == (0, 1), "Java's quotes are right by value only"
    assert scores["scored"] == scores["simple_python"] == 1
    assert list((tmp_path / "out").rglob("*.parquet")), "details were asked for"
    assert files_of_lighteval() == installed, "site-packages stay as they were"


@pytest.mark.parametrize(("tasks", "file"), [("bfcl_category:live_simple", BFCL), ("kopa_bench:held_out", BENCH)])
def test_a_local_model_completes_text(tmp_path: Path, data: dict[str, str], model: Path, tasks: str, file: str) -> None:
    settings = f"model_name={model},batch_size=1,generation_parameters={{max_new_tokens:4}}"
    told = ["accelerate", settings, tasks, "--custom-tasks", file, "--max-samples", "1", "--output-dir", "out"]
    run = lighteval(told, tmp_path, data)
    assert run.returncode == 0, run.stderr[-3000:]
    scores = results(tmp_path / "out")["all"]
    assert scores.pop("scored") == 1
    assert scores
    assert all(value == 0 for value in scores.values()), "random weights"


def test_several_turns_are_refused_where_nobody_calls(data: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    task = loaded(BFCL, data, monkeypatch)
    entry = next(iter(load_entries(Path(data["KOPA_BFCL_DATA"]), ("multi_turn_base",))))
    with pytest.raises(DataError, match="kopa lighteval custom"):
        task.score_response(entry, "Noted.")
    single = next(iter(load_entries(Path(data["KOPA_BFCL_DATA"]), ("simple_python",))))
    result = [{"weather_get": '{"city": "Seoul"}'}]
    assert task.score_response(single, json.dumps(response_of("fc", result))).strict.valid
    own = json.dumps({"mode": "fc", "result": result})
    assert not task.score_response(single, own).strict.valid, "a model does not choose how it is read"


@pytest.mark.parametrize(
    ("tasks", "file", "scripted"),
    [("bfcl_multi_turn", BFCL, "KOPA_BFCL_POLICY"), ("kopa_bench", BENCH, "KOPA_BENCH_POLICY")],
)
def test_lightevals_inspect_backend_runs_custom_tasks(
    tmp_path: Path, data: dict[str, str], tasks: str, file: str, scripted: str
) -> None:
    told = [
        "eval",
        "none/none",
        tasks,
        "--custom-tasks",
        file,
        "--max-samples",
        "2",
        "--log-dir",
        "logs",
        "--display",
        "none",
    ]
    run = lighteval(told, tmp_path, {**data, scripted: "gold"})
    assert run.returncode == 0, run.stderr[-3000:]
    assert "|none/none|" in run.stdout
    assert list((tmp_path / "logs").glob("*.eval"))
    row = next(line for line in run.stdout.splitlines() if line.startswith("|none/none|"))
    assert {cell.strip() for cell in row.split("|")[2:-1]} == {"1"}
