"""Rows that were changed after they were made: each config is held to the content, and the content to its id."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.bench.rendering import RowPlan, render_row
from kopa_hf.bench.rows import Row, is_held_out, row_id
from kopa_hf.catalog.registry import load_catalog
from kopa_hf.errors import DataError
from kopa_hf.execution.executor import Executor
from kopa_hf.hub.bundle import unpack_bundle
from kopa_hf.hub.folder import Table, row_configs, row_table, sft_table, write_folder
from kopa_hf.hub.loading import embedded_rows
from kopa_hf.hub.validation import check_dataset
from tests.hub.rows import hard_rows
from tests.hub.test_publishing import CARD
from tests.hub.test_validation import bundled

Change = Callable[[Row], dict[str, Any]]


def tables(rows: Iterable[Row], split: str = "train") -> list[Table]:
    made = list(rows)
    parts = [row_table(made, split=split), sft_table(made, split=split)]
    for name in row_configs(made):
        parts.append(row_table([r for r in made if name in (r.structure, r.domain)], config=name, split=split))
    return parts


def written(folder: Path, parts: list[Table]) -> Path:
    return write_folder(parts, folder, lambda configs: CARD.format(configs=json.dumps(configs)))


def refused(folder: Path, *says: str) -> str:
    with pytest.raises(DataError) as error:
        check_dataset(folder)
    assert "\n" not in str(error.value)
    for part in says:
        assert part in str(error.value)
    return str(error.value)


def test_rows_as_they_were_made_pass_in_every_config(tmp_path: Path) -> None:
    folder = written(tmp_path / "ds", [*tables(hard_rows()[:2]), *tables(hard_rows()[2:], "validation")])
    rows = check_dataset(folder)
    assert rows["default", "train"] == 2
    assert rows["sft", "validation"] == 1


@pytest.fixture(scope="module")
def krx() -> Row:
    """A benchmark row that asks the exchange, so that it is held out."""
    return next(row for row in embedded_rows() if row.platforms == ["krx"])


def test_a_row_of_the_benchmark_passes(tmp_path: Path, krx: Row) -> None:
    assert is_held_out(krx)
    assert check_dataset(written(tmp_path / "ds", tables([krx], "test")))["default", "test"] == 1


CHANGES: list[tuple[Change, str]] = [
    (lambda row: {"id": "same"}, "id same does not follow from its content, which gives {id}"),
    (lambda row: {"answer": "999999"}, "id {id} does not follow from its content"),
    (lambda row: {"max_allowed_calls": 99}, "id {id} does not follow from its content"),
    (lambda row: {"platforms": ["zzz"]}, "its platforms are zzz, but its calls are of krx"),
    (lambda row: {"platforms": ["law"]}, "its platforms are law, but its calls are of krx"),
    (lambda row: {"platforms": []}, "its platforms are none, but its calls are of krx"),
    (lambda row: {"domain": "zzz"}, "its domain 'zzz' is none of district, education, finance, law, politics, traffic"),
]


@pytest.mark.parametrize(("change", "says"), CHANGES)
def test_a_row_that_was_changed_in_every_config_is_refused(tmp_path: Path, krx: Row, change: Change, says: str) -> None:
    changed = dataclasses.replace(krx, **change(krx))
    folder = written(tmp_path / "ds", tables([changed], "test"))
    said = refused(folder, "data/test-", ", row 0: ", says.format(id=krx.id), "build the dataset again")
    with pytest.raises(DataError, match="row 0") as error:
        unpack_bundle(bundled(folder, tmp_path / "b.zip"), tmp_path / "out")
    assert said.partition("data/")[2] in str(error.value)


def test_an_id_stands_once_in_a_config_over_all_its_splits(tmp_path: Path) -> None:
    first, second, third = hard_rows()
    twice = written(tmp_path / "a", [row_table([first, second, first], split="train")])
    refused(twice, "row 2: id " + first.id, "in config default already (data/train-", ", row 0)", "again")
    parted = [row_table([first, second], split="train"), row_table([third, second], split="validation")]
    refused(written(tmp_path / "b", parted), "data/validation-", "row 1: id " + second.id, "(data/train-", ", row 1)")


@pytest.mark.parametrize("config", ["SEQ", "finance", "sft"])
def test_a_part_that_differs_from_the_default_config_is_refused(tmp_path: Path, config: str) -> None:
    first, second, third = hard_rows()
    reply = [*third.completion[:-1], {"role": "assistant", "content": "다른 답입니다."}]
    changed = dataclasses.replace(third, completion=reply)
    parts = [*tables([first, second, third])]
    other = next(part for part in tables([first, second, changed]) if part.config == config)
    parts = [other if part.config == config else part for part in parts]
    column = "messages" if config == "sft" else "completion"
    refused(
        written(tmp_path / "ds", parts), f"{config}/train-", f"{column} of id {third.id} differ from config default"
    )


def test_an_answer_that_was_changed_with_its_id_in_one_config_only_is_refused(tmp_path: Path) -> None:
    first, second, third = hard_rows()
    changed = dataclasses.replace(third, answer="999999")
    changed = dataclasses.replace(changed, id=row_id(changed))
    parts = [row_table([first, second, changed], split="train"), *tables([first, second, third])[1:]]
    refused(written(tmp_path / "ds", parts), "sft/train-", "row 2", f"config default holds no row of id {third.id}")


def test_a_row_stands_in_the_same_split_of_every_config(tmp_path: Path) -> None:
    first, second, third = hard_rows()
    parts = [row_table([first, second], split="train"), row_table([third], split="validation")]
    parts.append(sft_table([first, third], split="train"))
    refused(written(tmp_path / "ds", parts), "sft/train-", f"row 1: id {third.id} stands in split validation")


def test_the_same_content_that_is_stored_otherwise_is_the_same(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = written(tmp_path / "ds", tables(hard_rows()))
    (file,) = (folder / "finance").iterdir()
    table = pq.read_table(file)
    column = table.schema.get_field_index("provenance")
    text = [json.dumps(json.loads(one), indent=1, sort_keys=True) for one in table["provenance"].to_pylist()]
    spread = pa.array(text, type=pa.string()).cast(table.schema.field(column).type.storage_type)
    spread = pa.ExtensionArray.from_storage(table.schema.field(column).type, spread)
    changed = table.set_column(column, table.schema.field(column), spread)
    assert not changed.equals(table)
    pq.write_table(changed, file)
    assert check_dataset(folder)["finance", "train"] == 2


def test_platforms_and_domains_of_a_catalog_of_ones_own_are_free(tmp_path: Path, krx: Row) -> None:
    tools = json.loads(json.dumps(krx.tools).replace("get_", "my_get_").replace("search_", "my_search_"))
    actions = [{**action, "name": f"my_{action['name']}"} for action in krx.golden_actions]
    assert not any(action["name"] in load_catalog() for action in actions)
    own = dataclasses.replace(krx, tools=tools, golden_actions=actions, platforms=["warehouse"], domain="stock")
    own = dataclasses.replace(own, id=row_id(own))
    assert check_dataset(written(tmp_path / "ds", [row_table([own], split="test")])) == {("default", "test"): 1}


def test_what_is_offered_alone_makes_a_domain_ones_own(tmp_path: Path, krx: Row) -> None:
    first = hard_rows()[0]  # local tools alone, which belong to no domain
    asked: dict[str, Any] = {"golden_actions": [], "platforms": [], "domain": "stock"}
    tools = json.loads(json.dumps(krx.tools).replace("get_", "my_get_").replace("search_", "my_search_"))
    rows = [dataclasses.replace(first, domain="mine"), dataclasses.replace(krx, tools=tools, **asked)]
    rows = [dataclasses.replace(row, id=row_id(row)) for row in rows]
    assert check_dataset(written(tmp_path / "a", [row_table(rows, split="validation")]))["default", "validation"] == 2
    known = dataclasses.replace(krx, **asked)
    known = dataclasses.replace(known, id=row_id(known))
    refused(written(tmp_path / "b", [row_table([known], split="validation")]), "its domain 'stock' is none of")


def test_a_config_of_other_rows_is_checked_by_itself(tmp_path: Path) -> None:
    first, second, third = hard_rows()
    parts = [row_table([first, second], split="train"), row_table([third], config="mine", split="train")]
    assert check_dataset(written(tmp_path / "a", parts))["mine", "train"] == 1
    parts[1] = row_table([dataclasses.replace(third, answer="5931")], config="mine", split="train")
    refused(written(tmp_path / "b", parts), "mine/train-", "does not follow from its content")


def test_a_question_without_a_domain_is_no_fault(tmp_path: Path) -> None:
    plan = RowPlan(
        question="오늘이 며칠인지 알려 줘.",
        tools=("get_current_date",),
        program={
            "actions": [{"id": "a1", "step": 1, "name": "get_current_date", "arguments": {}}],
            "answer": {"$from": "a1"},
            "slots": {},
        },
        answer_type="date",
    )
    with Executor() as executor:
        row = render_row(plan, executor)
    assert check_dataset(written(tmp_path / "ds", [row_table([row], split="train")])) == {("default", "train"): 1}
