from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kopa_hf.bench.rows import Row, row_from_dict, row_id, row_to_dict
from kopa_hf.cli import kopa
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.export import trajectories_to_rows
from kopa_hf.edge.filtering import filter_trajectories
from kopa_hf.edge.synthesis import synthesize
from kopa_hf.edge.verifying import verify_records, verify_rows
from kopa_hf.errors import DataError
from kopa_hf.execution.executor import Executor
from kopa_hf.hub.folder import row_table, write_folder
from kopa_hf.hub.loading import edge_splits, embedded_rows

from . import bill_service as bills

CONFIG = EdgeConfig(rows=30, attempts_per_row=30, seed=3)
Record = dict[str, Any]


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    kept = filter_trajectories(synthesize(bills.graph(), bills.executor(), CONFIG), bills.executor(), CONFIG)
    return [row for split in trajectories_to_rows(kept, bills.executor(), CONFIG).values() for row in split]


def record_with(rows: list[Row], structure: str) -> Record:
    fitting = (row for row in rows if row.structure == structure and row.answer_type == "text")
    return copy.deepcopy(row_to_dict(next(fitting)))


def renamed(record: Record) -> Record:
    """The record with the id that its content gives, as a careful forger would write it."""
    return {**record, "id": row_id(record)}


def problem_of(record: Record) -> str:
    found = verify_records([record], bills.executor)
    assert found.rows == 1
    return found.problems.get(record["id"], "")


def told(problem: str, record: Record) -> str:
    """The expected words; a budget is 2.45 times the golden calls, rounded up."""
    golden = len(record["golden_actions"])
    budget = -(-245 * golden // 100)
    return problem.format(golden=golden, budget=budget, more=budget + 3)


def changed_answer(record: Record) -> None:
    record["answer"] = "없는답"


def changed_sentence(record: Record) -> None:
    record["answer"] = "없는답"
    record["completion"][-1]["content"] = "답은 없는답입니다. \\boxed{없는답}"


def changed_argument(record: Record) -> None:
    record["golden_actions"][0]["arguments"]["BILL_NAME"] = "하늘법"


def changed_argument_everywhere(record: Record) -> None:
    changed_argument(record)
    calls = next(m["tool_calls"] for m in record["completion"] if m.get("tool_calls"))
    calls[0]["function"]["arguments"] = {**calls[0]["function"]["arguments"], "BILL_NAME": "하늘법"}


def changed_order(record: Record) -> None:
    record["golden_actions"].reverse()


def changed_text(record: Record) -> None:
    message = next(m for m in record["completion"] if m["role"] == "tool")
    message["content"] = (
        message["content"].replace("도로법", "바다법").replace("산림법", "바다법").replace("어촌법", "바다법")
    )


def changed_state(record: Record) -> None:
    record["program"]["state_hash"] = "0" * 64


def missing_tool(record: Record) -> None:
    record["tools"][0]["function"]["name"] = "list_bill_colors"


def changed_signature(record: Record) -> None:
    record["tools"][0]["function"]["description"] = "다른 설명"


def small_budget(record: Record) -> None:
    record["max_allowed_calls"] = 1


def larger_budget(record: Record) -> None:
    record["max_allowed_calls"] += 3


def changed_last_text(record: Record) -> None:
    [m for m in record["completion"] if m["role"] == "tool"][-1]["content"] = '{"records": []}'


def other_toolset(record: Record) -> None:
    record["environment"] = "tools_0"


@pytest.mark.parametrize(
    ("tamper", "problem"),
    [
        (changed_answer, "the final sentence does not say the answer '없는답'"),
        (changed_sentence, "the row holds '없는답'"),
        (changed_argument, "the completion makes other calls than the golden actions"),
        (changed_argument_everywhere, "the replay makes other calls than the golden actions, from call 1 on"),
        (changed_order, "the completion makes other calls than the golden actions"),
        (changed_text, "a tool answers otherwise than in the completion: call 1, other records"),
        (changed_state, "the final state differs"),
        (missing_tool, "the catalog lacks the tool list_bill_colors"),
        (changed_signature, "has another signature in the catalog"),
        (small_budget, "max_allowed_calls 1 is below the {golden} golden actions"),
    ],
)
def test_a_tampered_row_is_found_and_what_was_tampered_with_is_said(
    rows: list[Row], tamper: Callable[[Record], None], problem: str
) -> None:
    record = record_with(rows, "SEQ")
    assert problem_of(record) == ""
    tamper(record)
    assert told(problem, record) in problem_of(renamed(record))


@pytest.mark.parametrize(
    ("tamper", "problem"),
    [
        (changed_answer, "the final sentence does not say the answer '없는답' but "),
        (changed_sentence, "the row holds '없는답'"),
        (changed_argument, "the completion makes other calls than the golden actions: call 1"),
        (changed_argument_everywhere, "the replay makes other calls than the golden actions, from call 1 on"),
        (changed_last_text, "a tool answers otherwise than in the completion: call {golden}, "),
        (larger_budget, "max_allowed_calls is {more}, the id was made with {budget}"),
        (small_budget, "max_allowed_calls 1 is below the {golden} golden actions"),
        (other_toolset, "environment is 'tools_0', the tools give 'tools_"),
    ],
)
def test_a_row_changed_under_its_old_id_is_told_by_what_was_changed(
    rows: list[Row], tamper: Callable[[Record], None], problem: str
) -> None:
    record = record_with(rows, "SEQ")
    tamper(record)
    assert told(problem, record) in problem_of(record)


def test_a_changed_question_shows_in_the_id(rows: list[Row]) -> None:
    record = record_with(rows, "SEQ")
    record["prompt"][-1]["content"] = "감사합니다. " + record["prompt"][-1]["content"]
    problem = problem_of(record)
    assert "the id does not follow from the content" in problem
    assert "another column was changed: the question" in problem
    assert "감사합니다. " in problem


def test_a_budget_of_tokens_is_the_rows_own(rows: list[Row]) -> None:
    record = record_with(rows, "SEQ")
    record["provenance"]["token_budget"] = 200
    assert verify_rows([row_from_dict(record)], bills.executor()).rows == 1
    assert record["provenance"]["token_budget"] != CONFIG.token_budget


def test_rows_verify_from_a_snapshot_of_their_answers(rows: list[Row], tmp_path: Path) -> None:
    """Its answers say `replay` where the rows' say `sandbox`; what is answered is the same."""
    asked = bills.executor()
    with Executor(
        "record", catalog=asked.catalog, transport=asked.transport, snapshot=tmp_path / "a.kopa"
    ) as recording:
        assert verify_rows(rows, recording).problems == {}
    with Executor("replay", catalog=asked.catalog, snapshot=tmp_path / "a.kopa") as replaying:
        assert replaying.call_sync("list_bills", rows[0].golden_actions[0]["arguments"]).source == "replay"
        assert verify_rows(rows, replaying).problems == {}
        record = record_with(rows, "SEQ")
        changed_text(record)
        (problem,) = verify_rows([row_from_dict(record)], replaying).problems.values()
    assert problem == "a tool answers otherwise than in the completion: call 1, other records"


def test_processes_find_what_one_finds(rows: list[Row]) -> None:
    records = [row_to_dict(row) for row in rows for _ in range(2)][:40]
    bad = copy.deepcopy(records[3])
    bad["answer"] = "없는답"
    records[3] = renamed(bad)
    alone = verify_records(records, bills.executor)
    several = verify_records(records, partial(bills.executor, bills.handler), workers=2)
    assert several.to_dict() == alone.to_dict()
    assert alone.passed == len(records) - 1


def test_an_empty_dataset_is_no_success() -> None:
    with pytest.raises(DataError, match="holds no rows"):
        verify_records([], bills.executor)


def folder_of(rows: list[Row], path: Path, splits: tuple[str, ...] = ("train", "validation")) -> Path:
    tables = [row_table(rows, split=split) for split in splits]

    def card(files: list[dict[str, Any]]) -> str:
        return f"---\nconfigs: {json.dumps(files)}\n---\n"

    return write_folder(tables, path, card)


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(kopa, ["edge", "verify", *arguments], catch_exceptions=True)
    return result.exit_code, result.output + str(result.exception or "")


@pytest.mark.parametrize("split", ["train", "validation"])
def test_a_truncated_file_of_any_split_is_named(rows: list[Row], tmp_path: Path, split: str) -> None:
    folder = folder_of(rows[:2], tmp_path / "data")
    assert edge_splits(folder) == ["train", "validation"]
    damaged = next((folder / "data").glob(f"{split}-*.parquet"))
    damaged.write_bytes(damaged.read_bytes()[:-20])
    code, text = run(str(folder))
    assert code != 0
    assert "Cannot load" in text
    assert split in text


def test_the_command_says_that_there_is_nothing_or_nothing_to_read(tmp_path: Path) -> None:
    code, text = run(str(folder_of([], tmp_path / "empty", ("train",))))
    assert code != 0
    assert "holds no rows" in text
    code, text = run(str(tmp_path / "absent"))
    assert code != 0
    assert "absent" in text


def test_rows_of_another_catalog_fail_one_by_one(rows: list[Row], tmp_path: Path) -> None:
    """The bill service is none of the embedded catalog's."""
    code, text = run(str(folder_of(rows[:2], tmp_path / "data", ("train",))), "--workers", "1")
    assert code == 1
    assert "the catalog lacks the tool" in text
    assert "0 of 2 rows replay" in text


def test_a_task_that_must_be_asked_back_has_no_value_to_say() -> None:
    asking = next(row for row in embedded_rows() if row.answer_type == "ask")
    with Executor() as executor:
        assert verify_rows([asking], executor).passed == 1
