"""What fidelity counts, on recordings made from the sandbox's own answers and then changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.cli.sandbox import sandbox
from kopa_hf.errors import DataError
from kopa_hf.platforms.wires import wire_for
from kopa_hf.sandbox import SandboxTransport, sandbox_key
from kopa_hf.sandbox.fidelity import Comparison, Fidelity
from kopa_hf.sandbox.recordings import read_recordings

BILLS = "/portal/openapi/TVBPMBILL11?Type=json&AGE=22"


def answered(name: str, **arguments: str) -> Any:
    """What the sandbox sends, as JSON."""
    tool = load_catalog().get(name)
    request = wire_for(tool.wire).build_request(tool, arguments, sandbox_key(tool.platform))
    return json.loads(SandboxTransport().handle_request(request).content)


def recorded(folder: Path, body: Any, **line: Any) -> Comparison | None:
    """The comparison of one recording."""
    (folder / "a.json").write_text(json.dumps(body, ensure_ascii=False), encoding="utf-8")
    entry = {"file": "a.json", "platform": "x", "endpoint": BILLS, "operation": "TVBPMBILL11", "http_status": 200}
    (folder / "INDEX.jsonl").write_text(json.dumps(entry | line) + "\n", encoding="utf-8")
    (recording,) = read_recordings(folder)
    return Fidelity(load_catalog()).compare(recording)


@pytest.fixture
def bills() -> Any:
    return answered("search_assembly_bills", AGE="22", pSize="2")


def test_the_sandboxs_own_answer_agrees_in_everything(tmp_path: Path, bills: Any) -> None:
    found = recorded(tmp_path, bills)
    assert found is not None
    assert (found.tool, found.platform) == ("search_assembly_bills", "assembly")
    assert found.same_envelope
    assert found.agreeing == found.recorded == len(load_catalog().get("search_assembly_bills").fields)
    assert (found.differing, found.unrecorded) == ((), ())


def test_a_field_of_another_name_or_kind_does_not_agree(tmp_path: Path, bills: Any) -> None:
    for row in bills["TVBPMBILL11"][1]["row"]:
        row["BILL_TITLE"] = row.pop("BILL_NAME")
        row["BILL_NO"] = int(row["BILL_NO"])
    found = recorded(tmp_path, bills)
    assert found is not None
    assert set(found.differing) == {"BILL_TITLE", "BILL_NO"}
    assert found.unrecorded == ("BILL_NAME",)
    assert found.same_envelope


def test_what_stands_around_the_rows_counts_by_name_and_kind(tmp_path: Path, bills: Any) -> None:
    head = bills["TVBPMBILL11"][0]["head"]
    head[0]["list_total_count"] = str(head[0]["list_total_count"])
    head.append({"api_version": "1"})
    found = recorded(tmp_path, bills)
    assert found is not None
    assert [line.partition(":")[0].partition(" is")[0] for line in found.envelope] == [
        "TVBPMBILL11.head.api_version",
        "TVBPMBILL11.head.list_total_count",
    ]


def test_what_a_condensed_recording_lacks_counts_for_nothing(tmp_path: Path, bills: Any) -> None:
    del bills["TVBPMBILL11"][0]["head"][1]
    whole = recorded(tmp_path, bills)
    assert whole is not None
    assert not whole.same_envelope
    condensed = recorded(tmp_path, bills, note="[condensed test literal]")
    assert condensed is not None
    assert condensed.same_envelope


@pytest.mark.parametrize(
    ("body", "agrees"),
    [
        ({"RESULT": {"CODE": "INFO-200", "MESSAGE": "자료가 없다."}}, True),
        ({"RESULT": {"CODE": "ERROR-290", "MESSAGE": "인증키가 틀리다."}}, True),
        ({"RESULT": {"CODE": "ERROR-300", "MESSAGE": "필수 값이 없다."}}, True),
        ({"RESULT": {"CODE": "ERROR-337", "MESSAGE": "오늘은 끝이다."}}, True),
        ({"RESULT": {"CODE": "INFO-777", "MESSAGE": "자료가 없다."}}, False),
    ],
)
def test_the_sandbox_is_asked_for_the_situation_that_was_recorded(tmp_path: Path, body: Any, agrees: bool) -> None:
    found = recorded(tmp_path, body)
    assert found is not None
    assert found.same_envelope is agrees


def test_a_service_that_the_catalog_lacks_is_not_compared(tmp_path: Path, bills: Any) -> None:
    assert recorded(tmp_path, bills, endpoint="/1360000/Weather/getIt", operation="getIt") is None


@pytest.mark.parametrize(
    "line", ["{", "{}", "[1]", "null", '{"file": "../../x", "platform": "x"}', '{"file": "none.json", "platform": "x"}']
)
def test_a_damaged_index_is_named_with_its_line(tmp_path: Path, line: str) -> None:
    (tmp_path / "INDEX.jsonl").write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(DataError, match="line 2"):
        read_recordings(tmp_path)


def test_the_command_ends_with_the_share_and_fails_below_a_bound(tmp_path: Path, bills: Any) -> None:
    row = bills["TVBPMBILL11"][1]["row"]
    for record in row:
        record |= {f"NEW{number}": "x" for number in range(len(record))}
    recorded(tmp_path, bills)
    told = CliRunner().invoke(sandbox, ["fidelity", str(tmp_path), "-v"])
    assert told.exit_code == 0
    assert told.output.splitlines()[-1] == "50.0%"
    assert "field: NEW0" in told.output
    assert CliRunner().invoke(sandbox, ["fidelity", str(tmp_path), "--at-least", "51"]).exit_code == 1
    assert CliRunner().invoke(sandbox, ["fidelity", str(tmp_path), "--at-least", "50"]).exit_code == 0
