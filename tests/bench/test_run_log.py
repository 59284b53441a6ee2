"""Logs that no run has written are one clear line, not a traceback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.bench.policies import NULL
from kopa_hf.bench.run_log import append_lines, mend_torn_end, read_run_log
from kopa_hf.bench.runner import evaluate
from kopa_hf.cli import main
from kopa_hf.errors import DataError
from kopa_hf.execution.executor import Executor
from kopa_hf.hub.loading import embedded_rows


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """A row's line and its rollout's."""
    log = tmp_path_factory.mktemp("log") / "run.jsonl"
    with Executor() as executor:
        evaluate(NULL, embedded_rows()[:1], executor, log=log)
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def write(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path


def says(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    return int(stop.value.code or 0), capsys.readouterr().err


def test_a_log_cut_inside_a_character_goes_on(whole: list[dict[str, Any]], tmp_path: Path) -> None:
    log = write(tmp_path / "run.jsonl", *whole)
    kept = log.read_bytes()
    log.write_bytes(kept + '{"version": 1, "answer": "가'.encode()[:-1])
    found = read_run_log(log, resuming=True)
    assert found.lines == whole
    mend_torn_end(log, found)
    assert log.read_bytes() == kept
    log.write_bytes(b"\xff\n" + kept)
    with pytest.raises(DataError, match="line 1 is not UTF-8"):
        read_run_log(log)
    log.write_bytes("한글".encode("cp949"))
    with pytest.raises(DataError, match="line 1 is not UTF-8"):
        read_run_log(log)


def test_a_rollout_with_half_a_character_is_written_and_read(whole: list[dict[str, Any]], tmp_path: Path) -> None:
    row, rollout = whole
    append_lines(tmp_path / "run.jsonl", [row, {**rollout, "answer": "값 a\ud83d"}])
    assert read_run_log(tmp_path / "run.jsonl").rollouts[0]["answer"] == "값 a\ud83d"


CALL = {"call_id": "c", "name": "x", "arguments": {}, "outcome": "ok", "failure": None, "total": 1, "page": None,
        "page_size": None, "message": "", "requests": 1, "step": 1, "executed": True, "result_id": None}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"answer": 5}, "'answer' must be text or null"),
        ({"calls": None}, "'calls' must be a list"),
        ({"calls": [5]}, "call 1 is no object"),
        ({"calls": [CALL, {**CALL, "outcome": 5}]}, "call 2: 'outcome' must be text"),
        ({"calls": [{"name": "x"}]}, "call 1: 'call_id' is missing"),
        ({"notes": None}, "'notes' must be a list of known reasons"),
        ({"notes": ["no such reason"]}, "'notes' must be a list of known reasons"),
        ({"score": None}, "'score' must be an object"),
        ({"score": {"status": "odd", "reward": 1.0, "response": None}}, "score: 'status' must be a known status"),
        ({"score": {"status": "scored", "reward": "1", "response": None}}, "score: 'reward' must be a number or null"),
        ({"policy": 5}, "'policy' must be text"),
        ({"seed": True}, "'seed' must be a whole number"),
        ({"row": ["y"]}, "'row' must be text"),
        ({"settings": []}, "'settings' must be an object"),
    ],
)
def test_a_field_of_a_wrong_type_is_damage(
    whole: list[dict[str, Any]], change: dict[str, Any], what: str, tmp_path: Path
) -> None:
    log = write(tmp_path / "run.jsonl", whole[0], {**whole[1], **change})
    with pytest.raises(DataError) as caught:
        read_run_log(log)
    assert str(caught.value) == f"run.jsonl, line 2 is damaged: {what}. Remove it and resume."


@pytest.mark.parametrize(
    "line",
    [{"version": 1, "policy": "x", "row": "y"}, {"version": 1, "ran": {"id": 5}}, {"version": 1, "ran": 5}, {}, [1]],
)
@pytest.mark.parametrize("command", ["rescore", "failures", "leaderboard", "card"])
def test_every_reader_says_so(line: Any, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, error = says("bench", command, str(write(tmp_path / "run.jsonl", line)), capsys=capsys)
    assert code == 2
    assert error.startswith("Error: run.jsonl, line 1 is damaged: ")
    assert error.count("\n") == 1


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_log_is_named_as_such(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "run.jsonl"
    log.write_text(text, encoding="utf-8")
    assert says("bench", "failures", str(log), capsys=capsys) == (2, "Error: run.jsonl is empty.\n")
    with Executor() as executor:
        assert evaluate(NULL, embedded_rows()[:1], executor, log=log).metrics.scored == 1


def test_a_byte_order_mark_is_no_damage(whole: list[dict[str, Any]], tmp_path: Path) -> None:
    log = write(tmp_path / "run.jsonl", *whole)
    log.write_bytes(b"\xef\xbb\xbf" + log.read_bytes())
    assert len(read_run_log(log).rollouts) == 1
