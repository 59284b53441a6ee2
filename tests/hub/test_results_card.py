"""A results card: the held-out number first, counted from the log, and what the Hub reads."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from kopa_hf.bench.policies import FIRST_PAGE_ONLY, GOLD, GOLD_AND_ONE_READ, NULL
from kopa_hf.bench.rows import Row, is_held_out
from kopa_hf.bench.runner import evaluate
from kopa_hf.errors import DataError
from kopa_hf.execution.executor import Executor
from kopa_hf.hub.loading import embedded_rows, in_config
from kopa_hf.hub.results_card import RESULTS, check_tasks, results_card
from kopa_hf.hub.run_command import equal_command


@pytest.fixture
def small(rows: list[Row], monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows of this file are the whole published benchmark."""
    monkeypatch.setattr("kopa_hf.hub.results_card.embedded_rows", lambda: tuple(rows))


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    """Two held-out tasks and two others, from the cheap end."""
    finance = [row for row in embedded_rows() if row.domain == "finance" and is_held_out(row)]
    others = [row for row in embedded_rows() if row.domain == "politics"]
    return [*finance[:2], *others[:2]]


@pytest.fixture(scope="module")
def log(rows: list[Row], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "run.jsonl"
    with Executor() as executor:
        for policy in (GOLD, NULL):
            evaluate(policy, rows, executor, rollouts=4, log=path)
    return path


@pytest.mark.usefixtures("small")
def test_the_numbers_of_a_perfect_run(log: Path, rows: list[Row], tmp_path: Path) -> None:
    card = results_card(log, rows, agent="gold", revision="0" * 40)
    assert "**pass@1 on the withheld platforms: 1.00** (95% 1.00-1.00; 2 of 2 tasks,\n8 rollouts)" in card.markdown
    assert "| all tasks | 1.00 | 1.00-1.00 | 1.00 | 1.00 | 1.00 | 4 of 4 | 16 | 0 |" in card.markdown
    assert "Incomplete" not in card.markdown
    written = card.write(tmp_path / "card")
    assert [path.relative_to(tmp_path / "card") for path in written] == [Path("README.md"), RESULTS]
    entries = yaml.safe_load((tmp_path / "card" / RESULTS).read_text(encoding="utf-8"))
    assert [(e["dataset"]["task_id"], e["value"]) for e in entries] == [
        ("kopa_bench", 100.0),
        ("kopa_bench_held_out", 100.0),
    ]
    assert entries[0]["dataset"]["revision"] == "0" * 40
    card.write(tmp_path / "card")  # its own card is replaced
    (tmp_path / "card" / "README.md").write_text("# A model\n", encoding="utf-8")
    with pytest.raises(DataError, match="another card"):
        card.write(tmp_path / "card")


def test_a_failed_run_says_why_in_both_languages(log: Path, rows: list[Row]) -> None:
    card = results_card(log, rows, agent="null")
    assert "withheld platforms: 0.00**" in card.markdown
    assert "no tool was called (도구를 호출하지 않았습니다)" in card.markdown


def test_a_log_of_several_agents_needs_a_name(log: Path, rows: list[Row]) -> None:
    with pytest.raises(DataError, match="gold, null; choose one"):
        results_card(log, rows)


def test_a_part_of_the_tasks_is_no_result_for_the_hub(log: Path, tmp_path: Path) -> None:
    card = results_card(log, embedded_rows(), agent="gold")
    assert card.entries == []
    assert "**Incomplete:** 29 held-out tasks have no scored rollout." in card.markdown
    seen_only = tmp_path / "seen.jsonl"
    with Executor() as executor:
        evaluate(FIRST_PAGE_ONLY, [r for r in embedded_rows() if not is_held_out(r)][:1], executor, log=seen_only)
    with pytest.raises(DataError, match="--config held_out"):
        results_card(seen_only, embedded_rows())


def test_other_tasks_scored_in_full_are_no_result_of_the_benchmark(
    log: Path, rows: list[Row], monkeypatch: pytest.MonkeyPatch
) -> None:
    card = results_card(log, rows, agent="gold")  # four tasks of the benchmark, each scored
    assert card.entries == []
    assert "**Incomplete:** These tasks are not those of the published benchmark" in card.markdown
    with pytest.raises(
        DataError, match=rf"^4 of these 4 tasks are among the {len(embedded_rows())} of kopa/kopa-bench"
    ):
        check_tasks(rows)
    check_tasks(embedded_rows())
    check_tasks([row for row in embedded_rows() if is_held_out(row)])

    def published(*benchmark: Row) -> list[str]:
        monkeypatch.setattr("kopa_hf.hub.results_card.embedded_rows", lambda: benchmark)
        return [entry["dataset"]["task_id"] for entry in results_card(log, rows, agent="gold").entries]

    assert published(*rows) == ["kopa_bench", "kopa_bench_held_out"]
    assert published(*rows[:3]) == ["kopa_bench_held_out"], "one task more than the benchmark has, none of the withheld"
    assert published(replace(rows[0], answer="1"), *rows[1:]) == [], "grounded on other values"
    assert published(replace(rows[0], program={**rows[0].program, "answer": 1}), *rows[1:]) == [], "the same id"
    with pytest.raises(DataError, match=r"^3 of these 4 tasks are among the 4 "):
        check_tasks(rows)


@pytest.mark.usefixtures("small")
def test_the_command_of_the_run_stands_on_the_card_and_in_what_the_hub_reads(rows: list[Row], tmp_path: Path) -> None:
    log, typed = tmp_path / "run.jsonl", "kopa eval --model policy:gold --rollouts 2 --log run.jsonl"
    with Executor() as executor:
        evaluate(GOLD, rows, executor, rollouts=2, log=log, command=typed)
        evaluate(GOLD_AND_ONE_READ, rows[:1], executor, log=log, command="kopa eval --model policy:gold_and_one_read")
    card = results_card(log, rows, agent="gold")
    assert f"```bash\n{typed}     # as it was run\nkopa bench rescore run.jsonl" in card.markdown
    assert "gold_and_one_read" not in card.markdown, "another agent's"
    assert card.entries[0]["notes"].endswith(f", source sandbox; as run: {typed}")

    crafted = [{**json.loads(line), "command": "kopa eval\n```\n# A heading"} for line in log.read_text().splitlines()]
    log.write_text("".join(json.dumps(line) + "\n" for line in crafted))
    assert "\n```\n# A" not in results_card(log, rows, agent="gold").markdown
    log.write_text("".join(json.dumps({**line, "command": "rm -r ."}) + "\n" for line in crafted))
    assert "rm -r" not in results_card(log, rows, agent="gold").markdown


@pytest.mark.usefixtures("small")
def test_without_a_command_in_the_log_the_card_tells_one_that_comes_to_the_same(log: Path, rows: list[Row]) -> None:
    card = results_card(log, rows, agent="null")
    assert "```bash\nkopa eval --model policy:null --rollouts 4 --seed 0     # by what the log tells" in card.markdown
    assert "as run" not in card.entries[0]["notes"]


@pytest.mark.parametrize(
    ("policy", "config", "command"),
    [
        ("gold", "default", "kopa eval --model policy:gold --rollouts 3 --seed 5"),
        ("Qwen/Qwen3.5-4B", "held_out", "kopa eval --model http://HOST:PORT/v1#Qwen/Qwen3.5-4B --config held_out --rollouts 3 --seed 5"),
        ("most_frequent_answer", "law", "kopa eval --model policy:most_frequent_answer --config law --rollouts 3 --seed 5"),
    ],
)  # fmt: skip
def test_a_run_without_a_command_is_told_by_its_tasks_rollouts_and_seed(policy: str, config: str, command: str) -> None:
    rows = [row for row in embedded_rows() if in_config(row, config)]
    lines = [{"policy": policy, "row": row.id, "seed": 5, "rollout": number} for row in rows for number in range(3)]
    assert equal_command(lines, embedded_rows()) == command
