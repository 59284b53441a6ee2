"""KRX: rows in a block, errors in `respCode`, whatever the HTTP status."""

from __future__ import annotations

import pytest

from kopa_hf.platforms import parse_answer

from .bodies import as_json

ROW = {"BAS_DD": "20250102", "ISU_CD": "900010", "TDD_CLSPRC": "12,300", "FLUC_RT": "-"}


def test_rows_come_without_code_and_total() -> None:
    answer = parse_answer("krx", as_json({"OutBlock_1": [ROW, ROW]}))
    assert (answer.outcome, answer.records, answer.total_count, answer.code) == ("ok", [ROW, ROW], None, None)


@pytest.mark.parametrize("block", [[], None, ""])
def test_a_day_without_trading_is_no_data(block: object) -> None:
    answer = parse_answer("krx", as_json({"OutBlock_1": block}))
    assert (answer.outcome, answer.failure) == ("no_data", "no_data")


def test_a_single_object_is_a_list_of_one() -> None:
    assert parse_answer("krx", as_json({"OutBlock_1": ROW})).records == [ROW]


@pytest.mark.parametrize(
    ("code", "outcome"),
    [("401", "auth"), (401, "auth"), ("403", "auth"), ("429", "quota"), ("400", "bad_param"), ("500", "server")],
)
@pytest.mark.parametrize("http_status", [200, 401])
def test_an_error_in_the_body_counts_under_any_http_status(code: object, outcome: str, http_status: int) -> None:
    body = as_json({"respCode": code, "respMsg": "Unauthorized API Call"})
    answer = parse_answer("krx", body, http_status=http_status)
    assert (answer.outcome, answer.code, answer.message) == (outcome, str(code), "Unauthorized API Call")


def test_an_error_code_beside_an_empty_block_is_an_error() -> None:
    body = as_json({"respCode": "401", "respMsg": "Unauthorized API Call", "OutBlock_1": []})
    assert parse_answer("krx", body).outcome == "auth"


@pytest.mark.parametrize(("status", "outcome"), [(403, "auth"), (429, "quota"), (503, "server")])
def test_without_a_body_the_status_speaks(status: int, outcome: str) -> None:
    assert parse_answer("krx", b"", http_status=status).outcome == outcome


def test_the_xml_form_gives_the_same_rows() -> None:
    rows = "".join(f"<OutBlock_1><ISU_CD>{code}</ISU_CD></OutBlock_1>" for code in ("900010", "1"))
    assert parse_answer("krx", f"<response>{rows}</response>".encode()).records == [
        {"ISU_CD": "900010"},
        {"ISU_CD": "1"},
    ]
