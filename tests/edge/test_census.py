"""The table of a data set: every number worked out by hand from small files in the real layouts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.edge.census import Link, Observed, census, observed_row, paper_table
from kopa_hf.edge.foreign import read_apigen_mt, read_toolbench
from kopa_hf.errors import DataError
from tests.bench.test_rows import make_row

SHOPS = [{"id": "SHOP_A", "name": "Alba"}, {"id": "SHOP_B", "name": "Bora"}, {"id": "SHOP_C", "name": "Cedar"}]


def toolbench_messages() -> list[dict[str, Any]]:
    """list → one of three ids → detail → Finish, as ToolBench's answers hold it; results are JSON in JSON."""
    listed = {"error": "", "response": json.dumps(SHOPS)}
    detail = {"error": "", "response": str({"id": "SHOP_B", "phone": "555-0101"})}  # they print Python literals, too
    return [
        {"role": "system", "content": "You are AutoGPT"},
        {"role": "user", "content": "\nWhat is the phone of Bora?\nBegin!\n"},
        {"role": "assistant", "content": None, "function_call": {"name": "list_for_shops", "arguments": "{}"}},
        {"role": "function", "name": "list_for_shops", "content": json.dumps(listed)},
        {
            "role": "assistant",
            "content": None,
            "function_call": {"name": "detail_for_shops", "arguments": '{\n  "is_id": "SHOP_B"\n}'},
        },
        {"role": "function", "name": "detail_for_shops", "content": json.dumps(detail)},
        {
            "role": "assistant",
            "content": None,
            "function_call": {
                "name": "Finish",
                "arguments": '{"return_type": "give_answer", "final_answer": "SHOP_B"}',
            },
        },
    ]


def test_a_toolbench_answer_is_counted_once_with_its_longest_conversation(tmp_path: Path) -> None:
    messages = toolbench_messages()
    answer = {
        "valid_data": True,
        "query": "q",
        "function": [],
        "train_messages": [messages[:3], messages[:5], messages],
    }
    folder = tmp_path / "G1_answer"
    folder.mkdir()
    (folder / "10_ChatGPT_DFS_woFilter_w2.json").write_text(json.dumps({"answer_generation": answer}))
    failed = {"answer_generation": {**answer, "valid_data": False}}
    (folder / "11_ChatGPT_DFS_woFilter_w2.json").write_text(json.dumps(failed))
    assert read_toolbench(folder) == [Observed(2, 2, False, ("list_for_shops", "detail_for_shops"), (Link(3, 3),))]


def test_toolllama_conversations_of_one_query_are_one_task(tmp_path: Path) -> None:
    listed = json.dumps({"error": "", "response": json.dumps(SHOPS)})
    turns = [
        {"from": "system", "value": "You are AutoGPT"},
        {"from": "user", "value": "\nPhone of Bora?\nBegin!\n"},
        {"from": "assistant", "value": "\nThought: \nAction: list_for_shops\nAction Input: {}"},
        {"from": "function", "value": listed},
        {"from": "assistant", "value": '\nThought: \nAction: detail_for_shops\nAction Input: {"is_id": "SHOP_B"}'},
    ]
    items = [
        {"id": "Step 2: Phone of Bora?", "conversations": turns[:3]},
        {"id": "Step 4: Phone of Bora?", "conversations": turns},
    ]
    path = tmp_path / "toolllama_G123_dfs_train.json"
    path.write_text(json.dumps(items))
    (task,) = read_toolbench(path)
    assert (task.calls, task.hops, task.links) == (2, 2, (Link(3, 3),))


def dialogue() -> dict[str, Any]:
    """APIGen-MT: the user says his id; two reservations come back; one is looked up and two flights side by side."""

    def call(name: str, **arguments: Any) -> dict[str, str]:
        return {"from": "function_call", "value": json.dumps({"name": name, "arguments": arguments})}

    def seen(value: Any) -> dict[str, str]:
        return {"from": "observation", "value": json.dumps(value)}

    return {
        "system": "# Airline policy",
        "tools": "[]",
        "conversations": [
            {"from": "human", "value": "I am ana_kim_1234, cancel my trip."},
            call("get_user_details", user_id="ana_kim_1234"),
            seen({"user_id": "ana_kim_1234", "reservations": ["Q1W2E3", "R4T5Y6"]}),
            call("get_reservation_details", reservation_id="R4T5Y6"),
            seen({"reservation_id": "R4T5Y6", "flights": [{"flight_number": "HAT069"}, {"flight_number": "HAT204"}]}),
            call("get_flight", flight_number="HAT069"),
            call("get_flight", flight_number="HAT204"),
            seen({"status": "landed"}),
            seen({"status": "available"}),
            {"from": "gpt", "value": "Done."},
        ],
    }


def test_a_value_that_the_user_said_is_no_link_and_calls_in_a_row_are_parallel(tmp_path: Path) -> None:
    path = tmp_path / "apigen-mt_5k.json"
    path.write_text(json.dumps([dialogue()]))
    (task,) = read_apigen_mt(path)
    assert (task.calls, task.hops, task.parallel) == (4, 3, True)
    assert task.links == (Link(2, 2), Link(2, 2), Link(2, 2))


def test_json_lines_are_read_and_other_files_refused(tmp_path: Path) -> None:
    lines = tmp_path / "apigen.jsonl"
    lines.write_text(json.dumps(dialogue()) + "\n" + json.dumps(dialogue()) + "\n")
    assert len(read_apigen_mt(lines)) == 2
    other = tmp_path / "other.json"
    other.write_text('{"rows": []}')
    with pytest.raises(DataError, match="holds no list but dict"):
        read_apigen_mt(other)
    with pytest.raises(DataError, match="neither"):
        read_toolbench(other)


GOOD_LINE = json.dumps({"conversations": []})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no json", "other.json, line 1: neither JSON nor JSON lines"),
        (f"{GOOD_LINE}\n\n{GOOD_LINE}\n{{cut", "other.json, line 4: neither JSON nor JSON lines"),
        ('[\n{"conversations": []},\n{"conversations": [}\n]', "other.json, line 3: neither JSON nor JSON lines"),
        ("[" * 100_000, "other.json, line 1: neither JSON nor JSON lines .nested too deep"),
        ("", "other.json holds no "),
        ("[]", "other.json holds no "),
        ('[{"conversations": []}, 5]', "other.json, item 2 has no conversations"),
        ('[{"conversations": 7}]', "other.json, item 1 holds no list of turns"),
        ('[{"conversations": ["hello"]}]', "other.json, item 1 holds no list of turns"),
    ],
)
@pytest.mark.parametrize("read", [read_apigen_mt, read_toolbench])
def test_what_is_wrong_in_a_file_of_others_is_said_with_its_place(
    tmp_path: Path, read: Callable[[Path], list[Observed]], text: str, words: str
) -> None:
    other = tmp_path / "other.json"
    other.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=words):
        read(other)


def test_a_folder_without_tasks_is_no_column_of_zeros(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"holds no \.json file"):
        read_toolbench(tmp_path)
    (tmp_path / "answer.json").write_text('{"answer_generation": {"valid_data": false}}')
    with pytest.raises(DataError, match="holds no ToolBench task with valid_data"):
        read_toolbench(tmp_path)
    (tmp_path / "answer.json").write_text('{"answer_generation": {"valid_data": true, "train_messages": [["hi"]]}}')
    with pytest.raises(DataError, match=r"answer\.json, train_messages 1 holds no list of turns"):
        read_toolbench(tmp_path)


def test_the_census_has_its_hand_worked_values() -> None:
    tasks = [
        Observed(4, 4, False, ("list", "get"), (Link(30, 200, "max"),), "DRV", ("law",)),
        Observed(2, 2, False, ("list", "get"), (Link(1, 1),), "SEQ", ("law",)),
        Observed(5, 2, True, ("list", "get"), (Link(4, 4),), "FAN", ("kdic",)),
        Observed(5, 5, True, ("a", "b", "c"), (Link(100, 224_958, "filter"), Link(1, 1)), "MIXED", ("law", "kdic")),
    ]
    table = census(tasks)
    assert table["structures"] == {"DRV": 1, "FAN": 1, "MIXED": 1, "SEQ": 1}
    assert table["calls"] == {"mean": 4.0, "max": 5}
    assert table["hops"] == {"mean": 3.25, "max": 5, "four_or_more": 0.5}
    assert table["parallel"] == 0.5
    assert table["single_junction_sequential"] == {"rows": 3, "fan_or_drv": 2 / 3}
    assert table["junctions"] == {
        "count": 5,
        "one_to_many": 0.6,
        "cardinality": {"median": 4, "max": 100},
        "records": {"median": 4, "max": 224_958},
        "reductions": {"filter": 1, "max": 1},
    }
    assert table["platforms"] == {"law": 3, "kdic": 2}
    assert (table["operations"], table["chains"]) == (5, 2)


def test_an_empty_data_set_has_no_shares() -> None:
    table = census([])
    assert table["rows"] == 0
    assert (table["parallel"], table["junctions"]["one_to_many"], table["calls"]["mean"]) == (None, None, None)


def test_our_rows_bring_their_recorded_junctions() -> None:
    golden = [
        {"name": name, "arguments": {}, "value_compare_args": [], "step": step}
        for name, step in (("list_a", 1), ("reduce_records", 2), ("get_b", 3), ("get_c", 3))
    ]
    junctions = [{"kind": "DRV", "cardinality": 31, "records": 310, "reduction": "max"}] * 2
    row = make_row(golden_actions=golden, hops=3, max_allowed_calls=9, provenance={"junctions": junctions})
    task = observed_row(row)
    assert (task.calls, task.hops, task.parallel, task.tools) == (4, 3, True, ("list_a", "get_b", "get_c"))
    assert task.links == (Link(31, 310, "max"), Link(31, 310, "max"))
    assert set(paper_table([row], {"other": [task]})) == {"ours", "paper", "others", "paper_others"}
