"""Agents of several logs in one table: order, shared places, what is not comparable."""

from __future__ import annotations

from pathlib import Path

import pytest

from kopa_hf.agent.session import Session
from kopa_hf.bench.leaderboard import Leaderboard, leaderboard, leaderboard_figure
from kopa_hf.bench.policies import GOLD, NULL, ScriptedPolicy
from kopa_hf.bench.rendering import RowPlan, render_row
from kopa_hf.bench.rows import Row
from kopa_hf.bench.runner import evaluate
from kopa_hf.errors import DataError
from kopa_hf.execution.executor import Executor


@pytest.fixture(scope="module")
def executor() -> Executor:
    return Executor()


@pytest.fixture(scope="module")
def rows(executor: Executor) -> list[Row]:
    """Eight subtractions in two domains."""
    action = {"id": "a1", "step": 1, "name": "evaluate_expression"}
    plans = [
        RowPlan(
            question=f"{1000 + number}에서 1을 빼면 얼마야?",
            tools=("evaluate_expression",),
            program={
                "actions": [{**action, "arguments": {"expression": f"{1000 + number}-1"}}],
                "answer": {"$from": "a1"},
            },
            answer_type="number",
            domain="law" if number % 2 else "finance",
        )
        for number in range(1, 9)
    ]
    return [render_row(plan, executor) for plan in plans]


@pytest.fixture(scope="module")
def board(rows: list[Row], executor: Executor, tmp_path_factory: pytest.TempPathFactory) -> Leaderboard:
    folder = tmp_path_factory.mktemp("logs")

    def law_only(row: Row, session: Session) -> str | None:
        return GOLD.run(row, session) if row.domain == "law" else None

    def most(row: Row, session: Session) -> str | None:
        return GOLD.run(row, session) if row is not rows[0] else None

    for name, policies in (("first", [NULL, GOLD]), ("second", [ScriptedPolicy("la|w", law_only)])):
        for policy in policies:
            evaluate(policy, rows, executor, log=folder / f"{name}.jsonl")
    evaluate(ScriptedPolicy("most", most), rows, executor, log=folder / "second.jsonl")
    evaluate(GOLD, rows[:4], executor, log=folder / "third.jsonl")
    return leaderboard([folder / f"{name}.jsonl" for name in ("first", "second", "third")], rows)


def test_agents_stand_by_pass_at_1_and_share_a_place_where_intervals_overlap(board: Leaderboard) -> None:
    names = [entry.agent for entry in board.entries]
    assert names == ["gold (first)", "gold (third)", "most", "la|w", "null"]
    places = {entry.agent: entry.place for entry in board.entries}
    # seven of eight cannot be told from eight of eight; four of eight and none can
    assert places["gold (first)"] == places["most"] == 1
    assert places["null"] > places["la|w"] > 1


def test_the_table_shows_rates_domains_and_who_is_not_comparable(board: Leaderboard) -> None:
    text = board.markdown()
    lines = text.splitlines()
    assert lines[2].startswith("| place | agent | pass@1 |")
    assert "| la\\|w | 0.00 | 1.00 |" in text, "by domain: finance, law"
    assert "| 1 | most | 0.88 |" in text
    assert lines[-1] == "Scored on a part of the 8 tasks only, so no full result: gold (third)."
    widths = {line.replace("\\|", "").count("|") for line in lines[2:9]}
    assert widths == {12}
    assert "| gold (first) | 1 | 8 | 0 | 0 | 1.0 | 0.0 | 0 | 1: 1.00 |" in text, "one run, one call each, no request"
    assert "## pass@1 by structure" in text


def test_the_picture_is_the_same_each_time(board: Leaderboard, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    first = leaderboard_figure(board, tmp_path / "deep" / "a.png")
    second = leaderboard_figure(board, tmp_path / "b.png")
    assert first.read_bytes() == second.read_bytes()
    with pytest.raises(DataError, match="Cannot write the figure"):
        leaderboard_figure(board, tmp_path / "a.nonsense")


def test_a_log_of_other_tasks_is_named(rows: list[Row], executor: Executor, tmp_path: Path) -> None:
    evaluate(GOLD, rows[:1], executor, log=tmp_path / "other.jsonl")
    with pytest.raises(DataError, match=r"other\.jsonl holds no scored run of these tasks"):
        leaderboard([tmp_path / "other.jsonl"], rows[1:])
