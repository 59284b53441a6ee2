"""The failure report names causes in both languages; difficulty is worked by hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from kopa_hf.bench.difficulty import item_difficulty
from kopa_hf.bench.failures import failure_report, first_causes, nearest_cause
from kopa_hf.bench.rollouts import PolicyReport, Rollout, report
from kopa_hf.bench.rows import Row
from kopa_hf.bench.scoring import Score
from kopa_hf.cli.bench import bench

from .test_rows import make_row


def row_named(name: str) -> Row:
    return make_row(id=name, provenance={"task": name}, prompt=[{"role": "user", "content": f"{name}은 몇 명이야?"}],
                    answer="23", answer_type="number", answer_unit="명")  # fmt: skip


def rollout(row: str, reward: float | None, *reasons: str, number: int = 0, answer: str = "답") -> Rollout:
    status = "scored" if reward is not None else "tool_fault"
    score = Score(status, reward, reward, None, 0.0, 0.0, 0.0, 0.0, 0.0, reasons)  # type: ignore[arg-type]
    return Rollout(row, number, answer, score, 1)


ROWS = [row_named("가"), row_named("나"), row_named("다")]
RUNS = [
    rollout("가", 1.0),
    rollout("가", 0.0, "wrong_answer: different", "first_page_only: list_a", number=1, answer="10명"),
    rollout("나", 0.0, "no_evidence", "skipped_lookup: find_b", "bad_arguments: get_b", answer=""),
    rollout("나", 0.0, "ambiguous: ambiguous", number=1, answer="3 또는 4"),
    rollout("다", None, "tool_fault: list_a: timeout"),
]


def test_the_cause_in_the_run_goes_before_what_follows_from_it() -> None:
    assert nearest_cause(["wrong_answer: different", "skipped_lookup: find_b"]) == "skipped_lookup"
    assert nearest_cause(["wrong_answer: different"]) == "wrong_answer"
    assert nearest_cause(["missing_write: save_table", "budget: 9 > 5"]) == "budget"
    assert first_causes(RUNS) == {"ambiguous": 1, "first_page_only": 1, "skipped_lookup": 1}


def test_the_report_says_how_many_failed_and_why_in_korean() -> None:
    text = failure_report(report("가짜", ROWS, RUNS), ROWS)
    assert "채점한 실행 4건 가운데 1건이 통과하고 3건이 실패했습니다" in text
    assert "| first_page_only | 1 | 1 | 첫 페이지만 보았습니다 |" in text
    assert "### 나 (2/2회 실패)" in text
    assert "- 답 1: (없음)" in text
    assert "선행 조회를 건너뛰었습니다 (find_b)" in text
    assert "서비스 장애로 채점하지 않았습니다 (list_a: timeout)" in text
    assert "- 정답: 23명" in text


def test_the_english_report_has_the_same_findings_and_no_korean_of_its_own() -> None:
    text = failure_report(report("fake", ROWS, RUNS), ROWS, "en")
    assert "Of 4 scored rollouts 1 passed and 3 failed" in text
    assert "a prerequisite lookup was skipped (find_b)" in text
    own = [line for line in text.splitlines() if not re.match(r"- (question|expected|answer)|### |- 다", line)]
    assert not re.search("[가-힣]", "\n".join(own))


def test_a_perfect_run_has_no_causes() -> None:
    text = failure_report(report("gold", ROWS, [rollout("가", 1.0)]), ROWS)
    assert "##" not in text.replace("# gold", "")


def test_the_command_reads_a_log(tmp_path: Path) -> None:
    from kopa_hf.bench.policies import NULL
    from kopa_hf.bench.runner import evaluate
    from kopa_hf.execution.executor import Executor
    from kopa_hf.hub.loading import embedded_rows

    log = tmp_path / "runs.jsonl"
    with Executor() as executor:
        evaluate(NULL, embedded_rows()[:2], executor, log=log)
    result = CliRunner().invoke(bench, ["failures", str(log), "--language", "en"])
    assert result.exit_code == 0, result.output
    assert "Of 2 scored rollouts 0 passed and 2 failed" in result.output
    assert "no tool was called" in result.output


def agent(name: str, rewards: Sequence[tuple[str, Sequence[float]]]) -> PolicyReport:
    runs = [rollout(row, reward, number=n) for row, group in rewards for n, reward in enumerate(group)]
    return report(name, ROWS, runs)


def test_difficulty_is_worked_by_hand() -> None:
    strong = agent("strong", [("가", [1.0, 1.0]), ("나", [1.0, 0.0]), ("다", [0.0])])
    middle = agent("middle", [("가", [1.0]), ("나", [0.0]), ("다", [0.0])])
    weak = agent("weak", [("가", [0.0]), ("나", [0.0]), ("다", [0.0])])
    items = {item.task: item for item in item_difficulty(ROWS, [strong, middle, weak])}
    assert list(items) == ["다", "나", "가"]
    assert [item.difficulty for item in items.values()] == pytest.approx([1.0, 5 / 6, 1 / 3])
    # 가: here 1, 1, 0; elsewhere 1/4, 0, 0. Deviations 1/3, 1/3, −2/3 and 1/6, −1/12, −1/12:
    # 1/12 over the root of 2/3 · 1/24 = 1/6
    assert items["가"].discrimination == pytest.approx(0.5)
    assert items["다"].discrimination is None, "nobody solves it, so it tells nobody apart"
    assert items["가"].agents == 3


def test_spoiled_rollouts_say_nothing_of_difficulty() -> None:
    assert item_difficulty(ROWS, [agent("none", [])]) == []
    spoiled = report("spoiled", ROWS, [rollout("다", None)])
    assert item_difficulty(ROWS, [spoiled]) == []
