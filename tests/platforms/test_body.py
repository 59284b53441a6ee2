"""Shapes and encodings: the first characters decide, declarations are hints."""

from __future__ import annotations

import pytest

from kopa_hf.platforms import parse_answer
from kopa_hf.platforms.body import decode, read_document
from tests.timing import loops

from .bodies import as_json, portal_json

ROW = {"BILL_NAME": "가상수목원법안"}
JSON = portal_json("nabcdefghijklmnop", [ROW], 1)
XML = (
    "<nabcdefghijklmnop><head><list_total_count>1</list_total_count><RESULT><CODE>INFO-000</CODE></RESULT></head>"
    "<row><BILL_NAME>가상수목원법안</BILL_NAME></row></nabcdefghijklmnop>"
)


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (JSON, None),
        (JSON, "text/html;charset=UTF-8"),
        (JSON, "application/xml"),
        (b"\xef\xbb\xbf" + JSON, "application/json"),
        (b"\r\n\r\n" + JSON + b"\r\n", "application/json"),
        (JSON.decode().encode("euc-kr"), "application/json;charset=euc-kr"),
        (JSON.decode().encode("cp949"), "application/json"),
        (JSON.decode().encode("cp949"), "application/json; charset=ISO-8859-1"),
        (JSON.decode().encode("cp949"), "application/json; charset=UTF-8"),
        (JSON, "application/json; charset=EUC-KR"),  # a declaration left over from elsewhere
        (JSON, "application/json; charset=no-such-charset"),
        (JSON.decode().encode("utf-16"), "application/json"),
        (XML.encode(), "application/json"),
        (b"<?xml version='1.0' encoding='UTF-8'?>" + XML.encode(), None),
        (b"\xef\xbb\xbf<?xml version='1.0' encoding='UTF-8'?>" + XML.encode(), None),
        (b"<?xml version='1.0' encoding='EUC-KR'?>" + XML.encode("euc-kr"), "text/xml"),
        (b"<?xml version='1.0' encoding='EUC-KR'?>" + XML.encode("utf-8"), "text/xml"),
        (XML.encode("cp949"), "text/xml"),
        (XML.encode("utf-16"), "text/xml"),
        (b"<!-- made by hand -->" + XML.encode(), None),
    ],
)
def test_the_same_record_comes_out_of_every_encoding(body: bytes, content_type: str | None) -> None:
    answer = parse_answer("assembly", body, content_type=content_type)
    assert (answer.outcome, answer.records, answer.total_count) == ("ok", [ROW], 1)


def test_a_declared_korean_encoding_wins_where_the_bytes_happen_to_be_valid_utf8() -> None:
    body = "징".encode("euc-kr")
    assert body.decode("utf-8") != "징"  # the trap: these two bytes are one letter of UTF-8
    assert decode(body, "text/plain; charset=euc-kr") == "징"


def test_raw_control_characters_inside_json_text_are_kept() -> None:
    answer = parse_answer("dart", b'{"status":"000","list":[{"intr":"2.\n980\t"}]}')
    assert answer.records == [{"intr": "2.\n980\t"}]


def test_numbers_that_json_cannot_write_back_become_null() -> None:
    answer = parse_answer("dart", b'{"status":"000","list":[{"a":NaN,"b":-Infinity,"c":1e999,"d":1.5}]}')
    assert answer.records == [{"a": None, "b": None, "c": None, "d": 1.5}]


def test_half_a_surrogate_pair_is_replaced() -> None:
    answer = parse_answer("dart", b'{"status":"000","list":[{"a":"x\\ud83d","b":"\\ud83d\\ude00"}]}')
    assert answer.records == [{"a": "x�", "b": "😀"}]


def test_a_number_of_five_thousand_digits_is_no_response() -> None:
    assert parse_answer("dart", b'{"status":"000","total_count":' + b"9" * 5000 + b"}").outcome == "not_a_response"


def test_xml_becomes_what_json_would_be() -> None:
    articles = "<조 no='1'><![CDATA[제1조 <P>가</P>]]></조><조 no='2'/><빈칸/>"
    document = read_document(f"<r xmlns='urn:x'>{articles}<a><b>1</b><b>2</b></a>  <c> x </c></r>".encode())
    assert document.value == {
        "r": {
            "조": [{"no": "1", "content": "제1조 <P>가</P>"}, {"no": "2"}],
            "빈칸": "",
            "a": {"b": ["1", "2"]},
            "c": "x",
        }
    }


def test_an_entity_bomb_does_not_go_off() -> None:
    layers = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12))
    bomb = f'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY l0 "lol">{layers}]><result><status>&l11;</status></result>'
    answer = parse_answer("dart", bomb.encode())
    assert (answer.outcome, answer.failure) == ("not_a_response", "structural")
    assert loops(lambda: parse_answer("dart", bomb.encode())) < 20


def test_an_entity_never_reads_a_file() -> None:
    body = b'<!DOCTYPE r [<!ENTITY f SYSTEM "file:///etc/passwd">]><result><status>000</status><nm>&f;</nm></result>'
    answer = parse_answer("dart", body)
    assert (answer.outcome, answer.records) == ("not_a_response", [])


def test_many_comments_before_a_root_cost_no_time() -> None:
    assert loops(lambda: parse_answer("law", b"<!---->" * 5_000 + b"<x")) < 20


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Unexpected errors", "server"),
        ("API not found", "unknown_operation"),
        ("Forbidden", "auth"),
        ("SERVICE_KEY_IS_NOT_REGISTERED_ERROR", "auth"),
        ("API rate limit exceeded", "rate_limit"),
        ("서비스 점검 중입니다", "maintenance"),
        ("hello", "not_a_response"),
    ],
)
def test_a_short_text_is_understood_by_what_it_says(text: str, outcome: str) -> None:
    answer = parse_answer("data_go_kr", text.encode(), content_type="text/plain")
    assert (answer.outcome, answer.message) == (outcome, text)
    assert answer.failure != "no_data"


def test_a_long_message_is_cut_and_kept_on_one_line() -> None:
    answer = parse_answer("dart", as_json({"status": "900", "message": "가\n" * 2_000}))
    assert answer.message is not None
    assert len(answer.message) == 400
    assert "\n" not in answer.message
