"""Rules that hold on all wires: one taxonomy, no exception, nothing taken for data that is none."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kopa_hf.errors import CatalogError
from kopa_hf.platforms import WIRES, Answer, parse_answer, wire_for
from kopa_hf.platforms.failures import Outcome

from .bodies import SUCCESSES, gateway_xml

OUTCOMES = set(get_args(Outcome))
wires = st.sampled_from(WIRES)


def check(answer: Answer) -> None:
    """What holds for any answer to any body."""
    assert answer.outcome in OUTCOMES
    assert (answer.outcome == "ok") == bool(answer.records)
    assert all(isinstance(record, dict) and record for record in answer.records)
    assert answer.total_count is None or (type(answer.total_count) is int and answer.total_count >= 0)
    assert answer.code is None or isinstance(answer.code, str)
    assert answer.failure in (None, "no_data", "structural", "environmental")
    json.dumps(answer.records, ensure_ascii=False, allow_nan=False).encode("utf-8")


def test_all_thirteen_wires_are_there() -> None:
    assert set(WIRES) == set(SUCCESSES)
    assert len(WIRES) == 13


def test_an_unknown_wire_is_a_catalog_error_that_lists_the_known_ones() -> None:
    with pytest.raises(CatalogError, match="assembly"):
        wire_for("daart")


@pytest.mark.parametrize("wire", WIRES)
def test_a_success_gives_its_two_records(wire: str) -> None:
    answer = parse_answer(wire, SUCCESSES[wire])
    assert (answer.outcome, len(answer.records), answer.failure) == ("ok", 2, None)
    assert answer.total_count == (None if wire in ("krx", "schoolinfo") else 2)


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("body", [b"", b"  \r\n", b"\x00\x00", b"\xef\xbb\xbf"])
def test_an_empty_body_is_no_response_and_environmental(wire: str, body: bytes) -> None:
    answer = parse_answer(wire, body)
    assert (answer.outcome, answer.failure) == ("not_a_response", "environmental")


@pytest.mark.parametrize("wire", WIRES)
def test_a_body_cut_short_is_no_response_and_environmental(wire: str) -> None:
    body = SUCCESSES[wire]
    for cut in range(1, len(body) - 1, 7):
        answer = parse_answer(wire, body[:cut])
        assert (answer.outcome, answer.failure) == ("not_a_response", "environmental"), body[:cut]


@pytest.mark.parametrize("wire", WIRES)
def test_garbage_after_a_body_is_no_response(wire: str) -> None:
    answer = parse_answer(wire, SUCCESSES[wire] + b"}<br>")
    assert (answer.outcome, answer.failure) == ("not_a_response", "environmental")


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    "page",
    [
        "<html><head><title>점검</title></head><body>시스템 점검 중입니다.</body></html>",
        "<!DOCTYPE html>\n<html lang='ko'><body>서비스 점검 안내 (02:00~04:00)</body></html>",
    ],
)
def test_a_maintenance_page_with_http_200_is_maintenance(wire: str, page: str) -> None:
    for body in (page.encode("utf-8"), page.encode("euc-kr")):
        answer = parse_answer(wire, body, content_type="text/html")
        assert (answer.outcome, answer.failure) == ("maintenance", "environmental")


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    "page", ["<html><body>오류가 발생했습니다</body></html>", "  <!-- x --><HTML></HTML>", "<script>go()"]
)
def test_another_page_is_no_response_and_environmental(wire: str, page: str) -> None:
    answer = parse_answer(wire, page.encode(), content_type="application/json")
    assert (answer.outcome, answer.failure) == ("not_a_response", "environmental")


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    "body", [b'{"unheard": {"of": 1}}', b"[]", b"null", b"17", b'"text"', b"<unheard><of>1</of></unheard>", b"[[1]]"]
)
def test_well_formed_but_undocumented_is_no_response_and_structural(wire: str, body: bytes) -> None:
    answer = parse_answer(wire, body)
    assert (answer.outcome, answer.failure, answer.wrong_shape) == ("not_a_response", "structural", True)


@pytest.mark.parametrize("wire", WIRES)
def test_the_gateways_error_is_understood_behind_every_wire(wire: str) -> None:
    answer = parse_answer(wire, gateway_xml("22", "LIMITED_NUMBER_OF_SERVICE_REQUESTS_EXCEEDS_ERROR"))
    assert (answer.outcome, answer.code) == ("quota", "22")
    assert answer.message == "LIMITED_NUMBER_OF_SERVICE_REQUESTS_EXCEEDS_ERROR"


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(("status", "outcome"), [(500, "server"), (502, "server"), (504, "timeout"), (401, "auth")])
def test_a_bad_http_status_is_never_data(wire: str, status: int, outcome: str) -> None:
    for body in (SUCCESSES[wire], b"", b"<html><body>oops</body></html>", b'{"unheard": 1}'):
        answer = parse_answer(wire, body, http_status=status)
        assert (answer.outcome, answer.records) == (outcome, [])


@pytest.mark.parametrize(
    ("wire", "status", "outcome"),
    [
        ("data_go_kr", 429, "rate_limit"),
        ("krx", 429, "quota"),  # the day's calls are used up
        ("expressway", 400, "auth"),  # the firewall turns the client away
        ("edss", 400, "bad_param"),
        ("edss", 405, "unknown_operation"),
        ("expressway", 404, "unknown_operation"),
        ("law", 404, "server"),  # both addresses exist; it happens under bursts
        ("data_go_kr", 408, "timeout"),
        ("data_go_kr", 503, "server"),
    ],
)
def test_a_status_without_a_readable_body_means_what_the_wire_says(wire: str, status: int, outcome: str) -> None:
    assert parse_answer(wire, b"", http_status=status).outcome == outcome


@pytest.mark.parametrize("wire", WIRES)
def test_a_body_that_explains_the_failure_beats_the_status(wire: str) -> None:
    answer = parse_answer(wire, gateway_xml("12", "NO_OPENAPI_SERVICE_ERROR"), http_status=500)
    assert (answer.outcome, answer.code) == ("unknown_operation", "12")


@given(wires, st.binary(max_size=400), st.sampled_from([200, 404, 500]), st.none() | st.text(max_size=30))
def test_random_bytes_never_raise(wire: str, body: bytes, status: int, content_type: str | None) -> None:
    check(parse_answer(wire, body, http_status=status, content_type=content_type))


@given(wires, st.binary(max_size=200), st.sampled_from([b"{", b"[", b"<", b"<?xml version='1.0'?>", b"PK\x03\x04"]))
def test_random_bytes_behind_a_familiar_beginning_never_raise(wire: str, tail: bytes, start: bytes) -> None:
    check(parse_answer(wire, start + tail))


@settings(max_examples=300)
@given(wires, st.data())
def test_mutated_bodies_never_raise(wire: str, data: st.DataObject) -> None:
    body = bytearray(SUCCESSES[data.draw(wires)])
    for _ in range(data.draw(st.integers(1, 4))):
        position = data.draw(st.integers(0, len(body) - 1))
        if data.draw(st.booleans()):
            body[position] = data.draw(st.integers(0, 255))
        else:
            del body[position : position + data.draw(st.integers(1, 20))]
            body = body or bytearray(b"x")
    check(parse_answer(wire, bytes(body)))


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.just("")
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def flips(value: Any, choose: st.DataObject) -> Any:
    """A copy of a body's value with some parts exchanged for something of another type."""
    if choose.draw(st.integers(0, 7)) == 0:
        return choose.draw(values)
    if isinstance(value, dict):
        return {name: flips(item, choose) for name, item in value.items()}
    if isinstance(value, list):
        return [flips(item, choose) for item in value]
    return value


@settings(max_examples=400)
@given(wires, wires, st.data())
def test_flipped_types_never_raise(wire: str, other: str, data: st.DataObject) -> None:
    value = flips(json.loads(SUCCESSES[other]), data)
    check(parse_answer(wire, json.dumps(value).encode("utf-8")))


def to_xml(name: str, value: Any) -> str:
    name = "".join(c for c in name if c.isalnum() or c == "_") or "x"
    name = name if not name[0].isdigit() else f"n{name}"
    if isinstance(value, dict):
        return f"<{name}>{''.join(to_xml(k, v) for k, v in value.items())}</{name}>"
    if isinstance(value, list):
        return "".join(to_xml(name, item) for item in value)
    text = "" if value is None else str(value).replace("&", "&amp;").replace("<", "&lt;")
    return f"<{name}>{text}</{name}>"


@settings(max_examples=300)
@given(wires, wires, st.data())
def test_flipped_xml_never_raises(wire: str, other: str, data: st.DataObject) -> None:
    value = flips(json.loads(SUCCESSES[other]), data)
    text = to_xml("response", value)
    check(parse_answer(wire, text.encode("utf-8", "replace")))


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("depth", [400, 5_000, 100_000])
def test_bottomless_nesting_never_raises(wire: str, depth: int) -> None:
    for body in (b'{"a":' * depth + b"1" + b"}" * depth, b"[" * depth + b"]" * depth, b"<a>" * depth + b"</a>" * depth):
        answer = parse_answer(wire, body)
        assert answer.outcome == "not_a_response"
