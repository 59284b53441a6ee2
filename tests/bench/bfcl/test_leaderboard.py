"""Data, categories, the three numbers, and what a model is shown."""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.bench.bfcl.backends import load_class
from kopa_hf.bench.bfcl.categories import CATEGORIES, Rate, categories_of, three_numbers
from kopa_hf.bench.bfcl.docs import tool_schemas
from kopa_hf.bench.bfcl.entries import Entry
from kopa_hf.bench.bfcl.prepared import prepared
from kopa_hf.bench.bfcl.prompts import with_system
from kopa_hf.bench.bfcl.source import API_PACKAGE, code_root, fingerprint, load_entries, open_source, present
from kopa_hf.bench.bfcl.summary import Mark, figures
from kopa_hf.errors import DataError
from tests.bench.bfcl.leaderboard import WEATHER, write
from tests.cli.conftest import kopa as kopa


def test_nothing_is_fetched_unless_it_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="KOPA_BFCL_DATA"):
        open_source(None)
    with pytest.raises(DataError, match="holds no BFCL data"):
        open_source(tmp_path)
    with pytest.raises(DataError, match="cannot be fetched"):
        open_source("hub:gorilla-llm/Berkeley-Function-Calling-Leaderboard")  # the tests are offline


def test_a_folder_an_unpacked_wheel_and_a_wheel_are_the_same_data(tmp_path: Path, data: Path) -> None:
    unpacked = tmp_path / "unpacked"
    write(unpacked)
    wheel = tmp_path / "bfcl_eval-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path in sorted(unpacked.rglob("*")):
            archive.write(path, path.relative_to(unpacked))
    loaded = [list(load_entries(open_source(source), present(data))) for source in (data, unpacked, wheel)]
    assert loaded[0] == loaded[1] == loaded[2]
    assert code_root(open_source(wheel)).name.startswith("wheel-")


def test_simulated_apis_are_asked_for_where_only_data_is_there(tmp_path: Path, data: Path) -> None:
    for path in data.rglob("*.json"):
        target = tmp_path / path.relative_to(data)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    with pytest.raises(DataError, match="KOPA_BFCL_CODE"):
        code_root(open_source(tmp_path))
    assert code_root(open_source(tmp_path), data.parents[1]) == data.parents[1].resolve()


def test_questions_and_answers_must_belong_together(tmp_path: Path) -> None:
    broken = write(tmp_path)
    key = broken / "possible_answer" / "BFCL_v4_simple_python.json"
    key.write_text(key.read_text(encoding="utf-8").replace("simple_python_0", "simple_python_1"), encoding="utf-8")
    with pytest.raises(DataError, match="do not belong together"):
        list(load_entries(broken, ("simple_python",)))


@pytest.mark.parametrize(
    ("files", "category", "said"),
    [
        (["possible_answer/BFCL_v4_parallel.json"], "parallel", "the answer key of parallel"),
        (
            ["multi_turn_func_doc/message_api.json", "multi_turn_func_doc/trading_bot.json"],
            "multi_turn_base",
            "`--category single_turn` does without",
        ),
    ],
)
def test_a_folder_that_is_not_complete_names_what_it_lacks(
    tmp_path: Path, kopa: Any, files: list[str], category: str, said: str
) -> None:
    data = write(tmp_path)
    for file in files:
        (data / file).unlink()
    code, out, err = kopa("bfcl", "eval", "--model", "policy:gold", "--data", data, "--category", category)
    assert (code, out) == (2, "")
    assert f"is not complete: it lacks {', '.join(files)}, " in err
    assert said in err
    assert "pip download --no-deps bfcl-eval" in err
    assert "Errno" not in err
    assert kopa("bfcl", "eval", "--model", "policy:gold", "--data", data, "--category", "simple_python")[0] == 0


def test_a_simulated_api_that_is_missing_is_named(tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, f"{'.'.join(API_PACKAGE.parts)}.posting_api", raising=False)
    with pytest.raises(DataError, match=r"lacks posting_api\.py, the simulated API TwitterAPI.*KOPA_BFCL_CODE"):
        load_class(tmp_path, "TwitterAPI")


def test_the_fingerprint_knows_the_documents_of_functions(tmp_path: Path) -> None:
    data = write(tmp_path)
    before = fingerprint(data)
    document = data / "multi_turn_func_doc" / "message_api.json"
    document.write_text(document.read_text(encoding="utf-8").replace("Counts notes.", "Counts them."), encoding="utf-8")
    assert fingerprint(data) != before
    for path in data.glob("BFCL_v4_multi_turn_*.json"):
        path.unlink()
    single = fingerprint(data)
    document.unlink()
    assert fingerprint(data) == single, "single turn does not show them"


def test_an_entry_survives_its_row(entries: dict[str, Entry]) -> None:
    for entry in entries.values():
        assert Entry.from_row(entry.to_row()) == entry


def test_the_prepared_dataset_loads_by_category_and_group(data: Path, entries: dict[str, Entry]) -> None:
    from datasets import load_dataset

    folder = prepared(data)
    for config, wanted in {"parallel": {"parallel"}, "multi_turn": {"multi_turn_base", "multi_turn_miss_func"}}.items():
        rows = load_dataset(str(folder), config, split="test")
        assert {row["category"] for row in rows} == wanted
        assert all(Entry.from_row(row) == entries[row["category"]] for row in rows)


def test_the_three_numbers() -> None:
    rates = {name: Rate(0, 10) for name in CATEGORIES}
    rates |= {"simple_python": Rate(9, 10), "simple_java": Rate(6, 10), "simple_javascript": Rate(3, 10)}  # mean 0.6
    rates |= {
        "multiple": Rate(1, 2),
        "parallel": Rate(1, 4),
        "parallel_multiple": Rate(1, 4),
        "irrelevance": Rate(1, 1),
    }
    rates |= {"live_simple": Rate(8, 10), "live_multiple": Rate(15, 30), "live_irrelevance": Rate(20, 20)}
    rates |= {"live_parallel": Rate(0, 5), "live_parallel_multiple": Rate(5, 5), "live_relevance": Rate(0, 10)}
    rates |= {"multi_turn_base": Rate(1, 2), "multi_turn_long_context": Rate(1, 10)}
    assert three_numbers(rates) == pytest.approx(
        {"multi_turn": 0.15, "single_non_live": (0.6 + 0.5 + 0.25 + 0.25) / 4, "single_live": 28 / 50}
    )
    assert three_numbers(rates, "v3") == pytest.approx(
        {"multi_turn": 0.15, "single_non_live": (0.6 + 0.5 + 0.25 + 0.25 + 1) / 5, "single_live": 48 / 80}
    )


def test_a_number_stands_only_where_all_of_its_categories_were_run() -> None:
    marks = [Mark(1, name) for name in categories_of(["live"]) if name != "live_parallel"]
    assert "single_live" not in figures(marks)
    assert figures([*marks, Mark(0, "live_parallel")])["single_live"] == 0.75


def test_unknown_categories_are_named() -> None:
    assert categories_of(["parallel", "multi_turn", "parallel"])[0] == "parallel"
    with pytest.raises(DataError, match="No category 'web_search'"):
        categories_of(["web_search"])


def test_type_words_become_json_schema_and_dots_go() -> None:
    nested = {
        "name": "a.b.c",
        "description": "Does it.",
        "parameters": {
            "type": "dict",
            "properties": {
                "rows": {
                    "type": "array",
                    "description": "Rows.",
                    "items": {"type": "tuple", "items": {"type": "float"}},
                },
                "more": {
                    "type": "dict",
                    "description": "More.",
                    "properties": {"n": {"type": "any", "description": ""}},
                },
                "odd": {"type": "object of mine", "description": "Odd."},
            },
            "required": ["rows"],
        },
    }
    function = tool_schemas([nested, WEATHER], "python")[0]["function"]
    assert function["name"] == "a_b_c"
    assert function["description"] == "Does it. Note that the provided function is in Python 3 syntax."
    assert function["parameters"]["type"] == "object"
    rows, more, odd = function["parameters"]["properties"].values()
    assert rows["items"] == {"type": "array", "items": {"type": "number"}}
    assert (more["type"], more["properties"]["n"]["type"], odd["type"]) == ("object", "string", "string")
    assert nested["parameters"]["type"] == "dict", "the document itself stays as it was"


def test_java_values_are_asked_for_as_text(entries: dict[str, Entry]) -> None:
    function = tool_schemas(entries["simple_java"].functions, "java")[0]["function"]
    names = function["parameters"]["properties"]["names"]
    assert names["type"] == "string"
    assert "items" not in names
    assert names["description"] == (
        "Names. This is Java Array type parameter in string representation. The list elements are of type String; they "
        "are not in string representation."
    )


def test_a_system_message_of_the_entry_stays_behind_the_instructions() -> None:
    messages = with_system([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}], [WEATHER])
    assert [message["role"] for message in messages] == ["system", "user"]
    assert messages[0]["content"].endswith("\n\n\nBe brief.")
    assert json.dumps([WEATHER], indent=4) in messages[0]["content"]
