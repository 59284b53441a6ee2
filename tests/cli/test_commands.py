"""The `kopa` command: what people see, exit codes, and words instead of tracebacks."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.cli import COMMANDS

SMALL = ("--set", "iterations=3", "--set", "paths=40", "--set", "rows=24", "--set", "rate_edges=20")


def kopa_process(*arguments: str, cwd: Path) -> subprocess.Popen[str]:
    root = Path(__file__).resolve().parents[2]
    return subprocess.Popen(
        [sys.executable, "-c", "from kopa_hf.cli import main; main()", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd, env={**os.environ, "PYTHONPATH": str(root)},
    )  # fmt: skip


@pytest.mark.parametrize(
    "command",
    [
        [],
        *([name] for name in COMMANDS if name != "lighteval"),
        ["edge", "run"],
        ["bench", "ground"],
        ["tools", "show"],
    ],
)
def test_help_of_every_command_explains_it(kopa: Any, command: list[str]) -> None:
    code, out, _ = kopa(*command, "--help")
    assert code == 0
    assert "Usage: kopa" in out
    assert len(out.splitlines()) > 4


def test_search_finds_the_convertible_bond_tool_first(kopa: Any) -> None:
    code, out, _ = kopa("tools", "search", "전환사채", "--json")
    assert code == 0
    assert json.loads(out)[0]["name"] == "get_dart_convertible_bond_issue_decision"


def test_search_without_a_hit_says_so(kopa: Any) -> None:
    code, out, _ = kopa("tools", "search", "없는말없는말")
    assert code == 1
    assert "No tool matches" in out


def test_one_task_can_be_proved_by_name(kopa: Any) -> None:
    code, out, _ = kopa("bench", "validate", "--task", "absorbed_bill_proposers")
    assert (code, out) == (0, "1 task proves itself.\n")
    code, out, err = kopa("bench", "validate", "--task", "absorbed_bill_proposers", "--task", "no_such_task")
    assert (code, out) == (2, "")
    assert "No task no_such_task." in err


def test_show_prints_parameters_and_fields(kopa: Any) -> None:
    code, out, _ = kopa("tools", "show", "find_dart_corp_code")
    assert code == 0
    assert "corp_name" in out
    assert "stock_code" in out
    assert "crtfc_key" not in out


def test_stats_add_up(kopa: Any) -> None:
    _, out, _ = kopa("tools", "stats", "--json")
    figures = json.loads(out)
    assert len(figures["platforms"]) == 10
    assert figures["platforms"]["dart"] == {"callable": 85, "parameters_known": 85, "fields4": 83, "chainable": 83}
    assert figures["tools"] >= 1900


def test_call_prints_records_total_page_and_source(kopa: Any) -> None:
    code, out, _ = kopa("call", "list_assembly_bills", "ERACO=제22대", "pSize=3")
    assert code == 0
    assert re.search(r"records 3 · total \d,\d{3} · page 1 \(next: 2\) · source sandbox", out)


def test_call_as_json_is_one_document(kopa: Any) -> None:
    code, out, _ = kopa("call", "evaluate_expression", "expression=(1680-532)/532*100", "--json")
    assert code == 0
    assert json.loads(out)["value"].startswith("215.789473684")


def test_bad_arguments_get_one_message_with_the_names_that_the_tool_knows(kopa: Any) -> None:
    code, out, err = kopa("call", "get_dart_dividend_matters", "corp_code=12", "year=2024")
    assert (code, out) == (2, "")
    wrong, names = err.splitlines()
    assert wrong.startswith("Error: get_dart_dividend_matters: corp_code: ")
    assert "year: no such parameter; did you mean bsns_year?" in wrong
    assert "reprt_code: missing" in wrong
    takes = "It takes: corp_code (required), bsns_year (required), reprt_code (required)."
    assert names == f"{takes} `kopa tools show get_dart_dividend_matters` explains each."
    code, out, _ = kopa("call", "get_dart_dividend_matters", "corp_code=12", "year=2024", "--json")
    assert (code, json.loads(out)["outcome"]) == (2, "bad_param")


def test_an_empty_answer_is_told_apart_from_a_failure(kopa: Any) -> None:
    code, out, _ = kopa("call", "get_krx_kospi_stock_daily", "basDd=20260125")
    assert code == 1
    assert out.startswith("no_data")


@pytest.mark.parametrize("pair", ["crtfc_key=SECRET123", "KEY=SECRET123", "KEY:SECRET123"])
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_key_among_the_arguments_is_never_printed(kopa: Any, pair: str, form: tuple[str, ...]) -> None:
    code, out, err = kopa("call", "find_dart_corp_code", pair, *form)
    assert code in (1, 2)
    assert "SECRET123" not in out + err


@pytest.mark.parametrize("value", ["\udcff", "[" * 60_000, "[" + "9" * 5_000 + "]"])
def test_text_that_cannot_be_read_is_one_line(kopa: Any, value: str) -> None:
    code, _, err = kopa("call", "search_assembly_bills", "AGE=22", f"BILL_NAME={value}")
    assert code in (1, 2)
    assert len(err.splitlines()) < 6


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("call", "find_dart_corp_cod"), "find_dart_corp_code"),
        (("tools", "show", "nope"), "Unknown tool"),
        (("call", "get_current_date", "x"), "KEY=VALUE"),
        (("call", "get_current_date", "a=1", "a=2"), "twice"),
        (("call", "save_table", "rows=[1,"), "not JSON"),
        (("call", "get_current_date", "--backend", "moon"), "Unknown backend"),
        (("toools",), "Did you mean `kopa tools`"),
        (("edge", "refine", "--output", "nowhere"), "kopa edge build"),
        (("edge", "build", "--set", "speed=9"), "speed"),
        (("edge", "build", "--set", "speed"), "NAME=VALUE"),
        (("edge", "build", "--preset", "huge"), "demo"),
        (("edge", "verify", "nowhere"), "nowhere"),
        (("eval", "--model", "gpt"), "Unknown agent"),
        (("eval", "--model", "http://127.0.0.1:9/v1"), "#"),
        (("eval", "--data", "nowhere"), "nowhere"),
        (("eval", "--config", "astrology"), "astrology"),
        (("path", "secrets"), "not shipped"),
    ],
)
def test_wrong_input_is_one_clear_line_and_no_traceback(
    kopa: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], word: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = kopa(*arguments)
    assert code in (2, 3)
    assert word in err + out


def test_a_reader_that_stops_early_is_no_error(tmp_path: Path) -> None:
    process = kopa_process("tools", "show", "get_dart_split_merger_decision", cwd=tmp_path)
    assert process.stdout is not None
    process.stdout.close()
    process.wait(timeout=60)
    assert process.stderr is not None
    assert process.stderr.read() == ""
    assert process.returncode == 0


def test_path_names_an_existing_file(kopa: Any) -> None:
    _, out, _ = kopa("path", "tasks/kopa_bench.py")
    assert Path(out.strip()).is_file()


def test_path_without_a_name_lists_the_folders(kopa: Any) -> None:
    code, out, _ = kopa("path")
    found = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert (code, list(found)) == (0, ["accelerate_configs", "hub_cards", "tasks"])
    for name, where in found.items():
        assert Path(where).is_dir()
        assert kopa("path", name)[1] == f"{where}\n"
    _, described, _ = kopa("path", "--help")
    assert all(name in described for name in found)
    code, out, err = kopa("path", "")
    assert (code, out) == (2, "")
    assert "is not shipped" in err


def test_eval_prints_pass_at_1_as_a_fraction_per_policy(kopa: Any) -> None:
    code, out, _ = kopa("eval", "--limit", "3")
    assert code == 0
    assert out.splitlines()[:2] == ["gold 1.00", "null 0.00"]


def test_a_dead_model_server_is_a_fault_and_no_wrong_answer(kopa: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kopa_hf.agent.models.RetryPolicy.attempts", 1, raising=False)
    code, out, _ = kopa("eval", "--model", "http://127.0.0.1:9/v1#none", "--limit", "1", "--json")
    report = json.loads(out)[0]
    assert code == 3
    assert report["rollouts"][0]["score"]["status"] == "model_fault"
    assert report["rollouts"][0]["score"]["reward"] is None


@pytest.mark.slow
def test_the_stages_run_one_after_the_other_and_the_rows_replay(kopa: Any, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    code, out, _ = kopa("edge", "build", "--preset", "demo", *SMALL, "--output", str(folder))
    assert code == 0, out
    for stage in ("refine", "synthesize"):
        code, out, _ = kopa("edge", stage, "--output", str(folder))
        assert code == 0, out
    code, out, _ = kopa("edge", "verify", str(folder / "edge-trajectories"), "--json")
    assert code == 0, out
    assert json.loads(out)["passed"] == json.loads(out)["rows"] > 0
    (folder / "graph.json").write_text((folder / "graph.json").read_text(encoding="utf-8")[:-200], encoding="utf-8")
    code, _, err = kopa("edge", "refine", "--output", str(folder))
    assert code == 2
    assert "graph.json" in err


@pytest.mark.slow
def test_ctrl_c_in_the_middle_of_refinement_loses_nothing(tmp_path: Path) -> None:
    arguments = ("--set", "iterations=6", "--set", "paths=60", "--set", "rate_edges=10")
    build = kopa_process("edge", "build", "--preset", "demo", *arguments, "--output", "a", cwd=tmp_path)
    build.communicate(timeout=300)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "graph.json").write_bytes((tmp_path / "a" / "graph.json").read_bytes())
    whole = kopa_process("edge", "refine", "--output", "a", cwd=tmp_path)
    whole.communicate(timeout=300)
    assert whole.returncode == 0

    cut = kopa_process("edge", "refine", "--output", "b", cwd=tmp_path)
    checkpoint = tmp_path / "b" / "refine.checkpoint.json"
    deadline = time.monotonic() + 120
    while not checkpoint.exists() and cut.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    cut.send_signal(signal.SIGINT)
    _, err = cut.communicate(timeout=120)
    if cut.returncode == 130:
        assert "the same command goes on" in err
        resumed = kopa_process("edge", "refine", "--output", "b", cwd=tmp_path)
        resumed.communicate(timeout=300)
        assert resumed.returncode == 0
    else:
        assert cut.returncode == 0, err  # it had finished before the signal came
    assert (tmp_path / "a" / "graph.json").read_bytes() == (tmp_path / "b" / "graph.json").read_bytes()
