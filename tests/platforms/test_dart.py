"""OpenDART: lists, groups, flat records, archives and every status of the guide."""

from __future__ import annotations

import io
import struct
import zipfile

import pytest

from kopa_hf.platforms import parse_answer
from kopa_hf.platforms.archives import MAX_FILES

from .bodies import as_json, as_zip

ROW = {"corp_code": "00999001", "corp_name": "한빛가상"}


@pytest.mark.parametrize(
    ("status", "outcome", "failure"),
    [
        ("010", "auth", "environmental"),
        ("011", "auth", "environmental"),
        ("012", "auth", "environmental"),
        ("013", "no_data", "no_data"),
        ("014", "no_data", "no_data"),
        ("020", "quota", "environmental"),
        ("021", "bad_param", "structural"),
        ("100", "bad_param", "structural"),
        ("101", "unknown_operation", "structural"),
        ("800", "maintenance", "environmental"),
        ("900", "server", "environmental"),
        ("901", "auth", "environmental"),
        ("777", "server", "environmental"),  # not in the guide: nothing to blame the request for
    ],
)
def test_every_status_means_the_same_in_json_and_xml(status: str, outcome: str, failure: str) -> None:
    as_xml = f"<?xml version='1.0' encoding='UTF-8'?><result><status>{status}</status><message>알림</message></result>"
    for body in (as_json({"status": status, "message": "알림"}), as_xml.encode()):
        answer = parse_answer("dart", body)
        assert (answer.outcome, answer.failure, answer.code) == (outcome, failure, status)
        assert (answer.message, answer.records) == ("알림", [])


def test_a_status_written_as_a_number_gets_its_three_digits_back() -> None:
    assert parse_answer("dart", as_json({"status": 13, "message": "없음"})).code == "013"
    assert parse_answer("dart", as_json({"status": 0, "list": [ROW]})).outcome == "ok"


@pytest.mark.parametrize("rows", [[], None, "", [{}], [None, ""]])
def test_success_without_rows_is_no_data(rows: object) -> None:
    answer = parse_answer("dart", as_json({"status": "000", "message": "정상", "total_count": 0, "list": rows}))
    assert (answer.outcome, answer.total_count, answer.code) == ("no_data", 0, "000")


def test_one_row_as_an_object_is_a_list_of_one() -> None:
    assert parse_answer("dart", as_json({"status": "000", "list": ROW})).records == [ROW]


def test_counts_come_as_numbers_or_text_and_are_never_negative() -> None:
    for given, total in (
        (15, 15),
        ("15", 15),
        ("1,234", 1234),
        (15.0, 15),
        (-1, None),
        ("", None),
        ("많음", None),
        (True, None),
    ):
        body = as_json({"status": "000", "total_count": given, "list": [ROW]})
        assert parse_answer("dart", body).total_count == total


def test_rows_that_are_no_rows_are_the_wrong_shape() -> None:
    for rows in (7, "문장", [1, 2], [[ROW]]):
        answer = parse_answer("dart", as_json({"status": "000", "list": rows}))
        assert (answer.outcome, answer.failure) == ("not_a_response", "structural")


def test_the_record_in_the_envelope_is_found() -> None:
    answer = parse_answer(
        "dart", as_json({"status": "000", "message": "정상", **ROW, "ir_url": ""}), operation="company"
    )
    assert (answer.records, answer.total_count) == ([{**ROW, "ir_url": ""}], None)


def test_every_group_row_carries_its_groups_title() -> None:
    groups = [
        {
            "title": "일반사항",
            "list": [{"rcept_no": "20250101900001", "tm": "1"}, {"rcept_no": "20250101900001", "tm": "2"}],
        },
        {"title": "인수인정보", "list": {"actnmn": "가상증권"}},
        {"title": "빈 묶음", "list": []},
    ]
    answer = parse_answer("dart", as_json({"status": "000", "message": "정상", "group": groups}))
    assert [record["title"] for record in answer.records] == ["일반사항", "일반사항", "인수인정보"]
    assert answer.records[2] == {"title": "인수인정보", "actnmn": "가상증권"}


def test_a_list_in_xml_reads_like_one_in_json() -> None:
    row = "<list><corp_code>00999001</corp_code><corp_name>한빛가상</corp_name></list>"
    for times in (1, 2):
        body = f"<result><status>000</status><message>정상</message><total_count>2</total_count>{row * times}</result>"
        answer = parse_answer("dart", body.encode())
        assert (answer.records, answer.total_count) == ([ROW] * times, 2)


def test_the_list_of_companies_is_unpacked() -> None:
    table = (
        "<?xml version='1.0' encoding='UTF-8'?><result>"
        "<list><corp_code>00999001</corp_code><corp_name>한빛가상</corp_name><stock_code>900010</stock_code></list>"
        "<list><corp_code>00999002</corp_code><corp_name>솔가상</corp_name><stock_code> </stock_code></list></result>"
    )
    answer = parse_answer("dart", as_zip({"CORPCODE.xml": table.encode()}), operation="corpCode")
    assert (answer.outcome, answer.total_count) == ("ok", 2)
    assert answer.records[1] == {"corp_code": "00999002", "corp_name": "솔가상", "stock_code": ""}


def test_an_error_in_place_of_an_archive_is_read_as_an_error() -> None:
    body = b"<?xml version='1.0' encoding='UTF-8'?><result><status>014</status><message>-</message></result>"
    assert parse_answer("dart", body, operation="document").outcome == "no_data"


def test_documents_become_one_record_per_file() -> None:
    body = as_zip({"20250101900001.xml": "<문서>가상</문서>".encode("euc-kr"), "20250101900001_1.xml": b""})
    answer = parse_answer("dart", body, operation="document")
    assert answer.records == [
        {"file_name": "20250101900001.xml", "size": 17, "text": "<문서>가상</문서>"},
        {"file_name": "20250101900001_1.xml", "size": 0, "text": ""},
    ]


def test_an_empty_archive_is_no_data() -> None:
    assert parse_answer("dart", as_zip({})).outcome == "no_data"


def test_a_broken_archive_is_no_response_and_environmental() -> None:
    whole = as_zip({"CORPCODE.xml": b"<result></result>" * 50})
    for body in (
        whole[: len(whole) // 2],
        whole[:4],
        b"PK\x03\x04" + b"\x00" * 40,
        whole[:40] + b"\xff" * 9 + whole[49:],
    ):
        answer = parse_answer("dart", body)
        assert (answer.outcome, answer.failure) == ("not_a_response", "environmental")


def test_an_archive_that_unpacks_to_gigabytes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kopa_hf.platforms.archives.MAX_BYTES", 1_000_000)
    bomb = as_zip({"a.xml": b"0" * 600_000, "b.xml": b"0" * 600_000})
    assert len(bomb) < 5_000
    assert parse_answer("dart", bomb).outcome == "not_a_response"


def test_a_size_that_lies_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kopa_hf.platforms.archives.MAX_BYTES", 1_000)
    body = bytearray(as_zip({"a.xml": b"0" * 50_000}))
    directory = body.rindex(b"PK\x01\x02")
    body[directory + 24 : directory + 28] = struct.pack("<I", 10)
    assert parse_answer("dart", bytes(body)).outcome == "not_a_response"


def test_too_many_files_and_unusual_compression_are_refused() -> None:
    assert parse_answer("dart", as_zip({f"{n}": b"" for n in range(MAX_FILES + 1)})).outcome == "not_a_response"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.xml", b"<result/>")
    assert parse_answer("dart", buffer.getvalue()).outcome == "not_a_response"
