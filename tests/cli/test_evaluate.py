"""`kopa eval` on fresh worlds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kopa_hf.bench.task import ground_tasks, load_tasks
from kopa_hf.cli import main
from kopa_hf.cli.bench import write_bench
from kopa_hf.execution.executor import Executor


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tasks as a benchmark folder."""
    path = tmp_path_factory.mktemp("bench") / "two"
    with Executor() as executor:
        write_bench(ground_tasks(executor, tasks=load_tasks()[:2]).rows, path)
    return path


def kopa(*arguments: str) -> int:
    try:
        main([str(argument) for argument in arguments])
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


def test_fresh_worlds_are_scored_beside_the_frozen_one(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "run.jsonl"
    options = ("--data", str(folder), "--model", "policy:gold", "--values-seed", "fresh:2", "--log", str(log), "--json")
    assert kopa("eval", *options) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["reports"][0]["pass@1"] == 1.0
    (gap,) = printed["contamination"]["gaps"]
    assert (gap["tasks"], gap["frozen"], gap["fresh"], gap["gap"]) == (2, 1.0, 1.0, 0.0)
    assert gap["interval"] == {"low": 0.0, "high": 0.0}
    seeds = printed["contamination"]["seeds"]
    assert sorted(path.name for path in tmp_path.glob("run*")) == sorted(
        ["run.jsonl", *(f"run.values-{seed}.jsonl" for seed in seeds)]
    )


def test_a_log_becomes_a_leaderboard_and_inspect_logs(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("inspect_ai", reason="extra `eval` is not installed")
    pytest.importorskip("matplotlib", reason="extra `report` is not installed")
    log, data = str(tmp_path / "run.jsonl"), ("--data", str(folder))
    assert kopa("eval", *data, "--model", "policy:gold", "--model", "policy:null", "--log", log) == 0
    capsys.readouterr()
    assert kopa("bench", "leaderboard", log, *data, "--output", str(tmp_path / "board")) == 0
    printed = capsys.readouterr().out
    assert "| 1 | gold | 1.00 |" in printed
    assert (tmp_path / "board" / "leaderboard.md").read_text(encoding="utf-8") in printed
    assert (tmp_path / "board" / "leaderboard.png").stat().st_size > 1000
    assert kopa("bench", "inspect", log, *data, "--output", str(tmp_path / "logs")) == 0
    assert sorted(path.name for path in (tmp_path / "logs").iterdir()) == ["run.gold.eval", "run.null.eval"]


def test_a_log_names_the_command_without_keys_and_without_the_home_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("OPENAI_API_KEY", "not-to-be-written-0123456789")
    (tmp_path / "bench").symlink_to(folder)
    log = tmp_path / "my runs" / "run.jsonl"
    options = (
        "--data",
        str(tmp_path / "bench"),
        "--model",
        "policy:gold",
        "--sampling",
        "user=not-to-be-written-0123456789",
    )
    assert kopa("eval", *options, "--log", str(log)) == 0
    text = log.read_text(encoding="utf-8")
    assert "not-to-be-written" not in text
    commands = {json.loads(line)["command"] for line in text.splitlines() if "calls" in json.loads(line)}
    assert commands == {
        "kopa eval --data ~/bench --model policy:gold --sampling user=*** --log ~/'my runs/run.jsonl'",
    }
    again = tmp_path / "again.jsonl"
    monkeypatch.setenv("KOPA_KEYS_FILE", str(tmp_path / "gone.toml"))
    assert kopa("eval", *options[:4], "--log", str(again)) == 0, "keys that cannot be read stop no run"
    assert '"command"' not in again.read_text(encoding="utf-8")


def test_an_inspect_log_is_written_where_it_was_asked_for(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reader = pytest.importorskip("inspect_ai.log", reason="extra `eval` is not installed")
    one, two = tmp_path / "one.eval", tmp_path / "two.eval"
    assert kopa("eval", "--data", str(folder), "--model", "policy:gold", "--log", str(one)) == 0
    assert (
        kopa("eval", "--data", str(folder), "--model", "policy:gold", "--model", "policy:null", "--log", str(two)) == 0
    )
    assert {path.name for path in tmp_path.iterdir()} == {
        "one.eval", "one.jsonl", "two.gold.eval", "two.null.eval", "two.jsonl",
    }  # fmt: skip
    assert reader.read_eval_log(str(one)).results.scores[0].metrics["pass@1"].value == 1.0


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--values-seed", "fresh"), "names no value seeds"),
        (("--values-seed", "0"), "frozen world itself"),
        (("--sampling", "temperature"), "NAME=VALUE"),
        (("--concurrency", "0"), "1<=x<=512"),
        (("--seed", "-5"), "'--seed'"),
        (("--sampling", "messages=[]"), "does not set messages"),
        (("--sampling", "n=4"), "does not set n"),
        (("--sampling", "temperature=warm"), "temperature takes a number"),
        (("--sampling", "top_p=NaN"), "top_p takes a number"),
        (("--model", "http://127.0.0.1:99999/v1#x"), "is no address"),
        (("--model", "http://:8000/v1#x"), "is no address"),
        (("--model", "meta-llama/Llama-3"), "nothing is downloaded"),
    ],
)
def test_settings_that_mean_nothing_are_refused(
    folder: Path, options: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kopa("eval", "--data", str(folder), "--model", "policy:null", *options) == 2
    assert says in capsys.readouterr().err


def test_the_most_frequent_answer_is_an_agent_like_the_others(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert kopa("eval", "--data", str(folder), "--model", "policy:most_frequent_answer", "--json") == 0
    (report,) = json.loads(capsys.readouterr().out)
    assert (report["policy"], report["metrics"]["scored"]) == ("most_frequent_answer", 2)
