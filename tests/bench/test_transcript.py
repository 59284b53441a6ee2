"""Audit by solving: a hand-out holds no gold, a transcript replays to what the solver saw, an answer is final."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kopa_hf.bench.policies import GOLD
from kopa_hf.bench.rows import Row
from kopa_hf.bench.runner import open_session
from kopa_hf.bench.transcript import Transcript, TranscriptCall, digest, read_transcript
from kopa_hf.cli import kopa
from kopa_hf.errors import DataError
from kopa_hf.execution.executor import Executor
from kopa_hf.hub.loading import embedded_rows


def _row(name: str) -> Row:
    return next(row for row in embedded_rows() if row.provenance["task"] == name)


def _solved(path: Path, row: Row) -> Transcript:
    """The golden calls as a solver would have made them one by one."""
    transcript = Transcript.of(row)
    transcript.begin(path)
    with Executor() as executor:
        session = open_session(row, executor)
        answer = GOLD.run(row, session)
        for call in session.calls:
            assert isinstance(call.arguments, dict)
            transcript.note(path, TranscriptCall(call.name, call.arguments, digest(call.text)))
    transcript.close(path, answer or "", "script")
    return transcript


def test_a_handout_holds_no_gold(tmp_path: Path) -> None:
    row = _row("cb_refixing_gap")
    Transcript.of(row).begin(tmp_path / "t.jsonl")
    record = json.loads((tmp_path / "t.jsonl").read_text(encoding="utf-8"))
    assert set(record) == {"transcript", "row", "prompt", "tools", "system_state", "max_allowed_calls"}
    assert row.answer not in json.dumps(record, ensure_ascii=False)


@pytest.mark.parametrize("name", ["cb_refixing_gap", "register_numbers_need_key"])
def test_golden_calls_by_hand_score_as_the_gold_does(tmp_path: Path, name: str) -> None:
    row = _row(name)
    _solved(tmp_path / "t.jsonl", row)
    read = read_transcript(tmp_path / "t.jsonl")
    assert read.solver == "script"
    with Executor() as executor:
        assert read.score(row, executor).reward == 1.0
    assert Transcript.from_dict(json.loads(json.dumps(read.to_dict()))) == read


def test_results_that_changed_since_are_found(tmp_path: Path) -> None:
    transcript = _solved(tmp_path / "t.jsonl", _row("cb_refixing_gap"))
    first = transcript.calls[0]
    transcript.calls[0] = TranscriptCall(first.name, first.arguments, "0" * 16)
    with Executor() as executor, pytest.raises(DataError, match=r"call 1 .*answers otherwise"):
        transcript.replay(executor)


def test_an_answer_is_final_and_files_are_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    transcript = Transcript.of(_row("no_buyback"))
    transcript.begin(path)
    transcript.close(path, "자료 없음", "person")
    with pytest.raises(DataError, match="already holds an answer"):
        read_transcript(path).close(path, "다른 답", "person")
    with pytest.raises(DataError, match="exists already"):
        transcript.begin(path)


@pytest.mark.parametrize("line", ["", "[]", '{"call": "x"}', '{"answer"', "null"])
def test_a_damaged_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "t.jsonl"
    Transcript.of(_row("no_buyback")).begin(path)
    if line:
        path.write_text(path.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
        with pytest.raises(DataError, match="line 2"):
            read_transcript(path)
    else:
        path.write_text("", encoding="utf-8")
        with pytest.raises(DataError, match="line 1"):
            read_transcript(path)


def test_the_commands_from_handout_to_audit(tmp_path: Path) -> None:
    folder, run = tmp_path / "audit", CliRunner()
    row = _row("no_buyback")
    assert run.invoke(kopa, ["bench", "handout", str(folder), "--task", "no_buyback"]).exit_code == 0
    file = str(folder / f"{row.id}.jsonl")
    first = row.golden_actions[0]
    told = [f"{name}={value}" for name, value in first["arguments"].items()]
    result = run.invoke(kopa, ["call", first["name"], *told, "--transcript", file])
    assert '"source":"sandbox"' in result.output
    assert run.invoke(kopa, ["call", "no_such_tool", "--transcript", file]).exit_code == 2
    assert (
        run.invoke(kopa, ["bench", "answer", file, "자료 없음 \\boxed{자료 없음}", "--solver", "script"]).exit_code == 0
    )
    late = run.invoke(kopa, ["call", first["name"], *told, "--transcript", file])
    assert late.exit_code == 2
    assert "answered already" in late.output
    audit = run.invoke(kopa, ["bench", "audit", str(folder), "--json", "--output", str(tmp_path / "all.jsonl")])
    (task,) = json.loads(audit.output)["tasks"]
    # one lookup of the path is not the decisive one: saying "no data" by luck is no agreement
    assert (task["task"], task["agrees"], audit.exit_code) == ("no_buyback", False, 1)
    kept = json.loads((tmp_path / "all.jsonl").read_text(encoding="utf-8"))
    assert [call["call"] for call in kept["calls"]] == [first["name"], "no_such_tool"]
    again = run.invoke(kopa, ["bench", "audit", str(tmp_path / "all.jsonl"), "--json"])
    assert json.loads(again.output)["tasks"] == [task]
    (tmp_path / "all.jsonl").write_text("[]\n", encoding="utf-8")
    with pytest.raises(DataError, match="line 1 is no transcript"):
        run.invoke(kopa, ["bench", "audit", str(tmp_path / "all.jsonl")], catch_exceptions=False)
