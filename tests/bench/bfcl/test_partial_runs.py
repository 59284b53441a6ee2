"""What is no complete run: a limit, a file cut short, entries that the server failed on."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.bench.bfcl.answer_key import key_result
from kopa_hf.bench.bfcl.categories import LIVE, Rate, categories_of, three_numbers
from kopa_hf.bench.bfcl.entries import Entry
from kopa_hf.bench.bfcl.results import category_of, without_faults
from kopa_hf.bench.bfcl.summary import Mark, figures, scored_share, strict_figures, typed_figures
from kopa_hf.bench.log_lock import hold_log
from kopa_hf.errors import DataError
from tests.bench.bfcl.leaderboard import QUESTIONS, write_live
from tests.cli.conftest import run_kopa

FAULT = "Error during inference: Connection refused"


def test_a_number_stands_only_on_complete_categories() -> None:
    counts = dict.fromkeys(LIVE, 2)
    whole = {name: Rate(1, 2) for name in LIVE}
    assert three_numbers(whole, counts=counts) == {"single_live": 0.5}
    assert three_numbers(whole, "v3", counts) == {"single_live": 0.5}
    short = {**whole, "live_relevance": Rate(1, 1)}
    assert three_numbers(short, counts=counts) == {"single_live": 0.5}, "V4 leaves relevance out"
    assert three_numbers(short, "v3", counts) == {}
    assert three_numbers({**whole, "live_simple": Rate(1, 1)}, counts=counts) == {}
    marks = [Mark(1, name) for name in categories_of(["live"])]
    assert "single_live" in figures(marks)
    assert figures(marks, counts) == dict.fromkeys(LIVE, 1.0), "shares of categories stand in any case"


def test_a_table_without_room_for_remarks_names_what_is_not_complete() -> None:
    counts = {"live_simple": 4, "live_multiple": 2}
    marks = [Mark(1, "live_simple"), Mark(0, "live_simple"), Mark(1, "live_multiple"), Mark(1, "live_multiple")]
    assert strict_figures(marks, counts) == {"live_simple (2 of 4)": 0.5, "live_multiple": 1}
    assert typed_figures(marks, counts) == {"typed:live_simple (2 of 4)": 0.5, "typed:live_multiple": 1}


def test_a_fault_counts_in_no_figure_and_leaves_its_category_incomplete() -> None:
    counts = dict.fromkeys(LIVE, 1)
    marks = [Mark(1, name) for name in LIVE]
    assert strict_figures(marks, counts)["single_live"] == 1
    fault = Mark(float("nan"), "live_simple")
    assert strict_figures([fault, *marks[1:]], counts) == dict.fromkeys(LIVE[1:], 1.0)
    assert strict_figures([*marks, fault], {**counts, "live_simple": 2})["live_simple (1 of 2)"] == 1
    assert scored_share([Mark(1, "live_simple"), Mark(0, "live_multiple")], {"live_simple": 3, "live_multiple": 1}) == {
        "scored": 0.25
    }


@pytest.mark.parametrize(
    ("identity", "category"),
    [
        ("simple_3", "simple_python"), ("java_5", "simple_java"), ("javascript_2", "simple_javascript"),
        ("simple_python_3", "simple_python"), ("simple_java_5", "simple_java"), ("parallel_multiple_1", "parallel_multiple"),
        ("live_simple_3-0-0", "live_simple"), ("multi_turn_miss_param_7", "multi_turn_miss_param"),
    ],
)  # fmt: skip
def test_ids_of_both_editions_name_their_category(identity: str, category: str) -> None:
    assert category_of({"id": identity}) == category


def test_a_lines_own_category_comes_first() -> None:
    assert category_of({"id": "simple_3", "category": "live_simple"}) == "live_simple"
    with pytest.raises(DataError, match="no entry of a supported category"):
        category_of({"id": "web_search_1"})


def test_only_official_files_tell_failures_of_a_server() -> None:
    fault = {"id": "parallel_0", "result": FAULT}
    said = {"id": "parallel_0", "result": FAULT, "mode": "fc"}
    assert without_faults([fault, said]) == ([said], [f"parallel_0: {FAULT}"])


@pytest.fixture
def live(data: Path, tmp_path: Path) -> Path:
    """The data with a second entry of live_simple, and every other live category that makes the number."""
    return write_live(data, tmp_path / "data")


def evaluated(capsys: pytest.CaptureFixture[str], live: Path, *more: str) -> tuple[dict[str, Any], str]:
    told = ("bfcl", "eval", "--model", "policy:gold", "--data", live, *more)
    shown = json.loads(run_kopa(capsys, *told, "--json")[1])
    return shown, run_kopa(capsys, *told)[1]


def test_a_limit_makes_no_number(capsys: pytest.CaptureFixture[str], live: Path) -> None:
    shown, text = evaluated(capsys, live)
    assert shown["strict"]["single_live"] == shown["typed"]["single_live"] == 1
    assert shown["partial"] == {}
    assert "single_live" in text
    assert "not complete" not in text
    shown, text = evaluated(capsys, live, "--limit", "1")
    assert "single_live" not in {**shown["strict"], **shown["typed"]}
    assert shown["partial"] == {"live_simple": {"scored": 1, "of": 2}}
    assert "single_live" not in text
    assert "1 of 2" in text
    assert "not complete" in text


def test_a_file_cut_short_and_failures_make_no_number(
    capsys: pytest.CaptureFixture[str], live: Path, entries: dict[str, Entry], tmp_path: Path
) -> None:
    result = key_result(entries["live_simple"], "fc")
    ids = [f"{name}_0-0-0" for name in LIVE[:4]]
    lines = [{"id": identity, "result": result} for identity in [*ids, "live_simple_1-0-0"]]

    def scored(lines: list[dict[str, Any]]) -> tuple[dict[str, Any], str]:
        path = tmp_path / "results.json"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        told = ("bfcl", "score", path, "--data", live, "--mode", "fc")
        return json.loads(run_kopa(capsys, *told, "--json")[1]), run_kopa(capsys, *told)[1]

    assert scored(lines)[0]["strict"]["single_live"] == 1
    shown, text = scored(lines[:-1])
    assert "single_live" not in shown["strict"]
    assert "single_live" not in text
    shown, text = scored([*lines[:-1], {"id": "live_simple_1-0-0", "result": FAULT}])
    assert (shown["strict"]["live_simple"], shown["entries"]) == (1, 4)
    assert "single_live" not in shown["strict"]
    assert shown["faults"] == [f"live_simple_1-0-0: {FAULT}"]
    assert "1 entries could not be asked and count nowhere" in text


def test_two_results_of_one_entry_are_refused(capsys: pytest.CaptureFixture[str], live: Path, tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text(2 * (json.dumps({"id": QUESTIONS["live_simple"][0]["id"], "result": ""}) + "\n"), encoding="utf-8")
    code, _, told = run_kopa(capsys, "bfcl", "score", path, "--data", live, "--mode", "fc")
    assert code != 0
    assert "two results" in told


def test_a_busy_answers_file_names_the_option_of_the_command(
    capsys: pytest.CaptureFixture[str], live: Path, tmp_path: Path
) -> None:
    output = tmp_path / "answers.jsonl"
    with ThreadPoolExecutor(1) as elsewhere, hold_log(output):
        told = ("bfcl", "eval", "--model", "policy:gold", "--data", live, "--output", output)
        code, _, err = elsewhere.submit(run_kopa, capsys, *told).result()
    assert code == 2
    assert "Another run is writing answers.jsonl" in err
    assert err.endswith("name another file with --output.\n")
