"""The law service's bytes: round trips in both formats, pages, refusals, and the caller's key in links."""

from __future__ import annotations

import httpx
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kopa_hf.catalog.tool import Tool
from kopa_hf.platforms import parse_answer
from kopa_hf.sandbox import sandbox_key

from .law_service import TOOLS, TRANSPORT, call, lists, parsed, raw, truth

LISTS = lists()
BASE = "https://www.law.go.kr/DRF/"
REFERER = {"Referer": "https://www.law.go.kr/"}
WORDS = ("누리", "빈집", "지원", "등록", "가온골목상권", "없는말")


def fetch(address: str, headers: dict[str, str] | None = None, **given_: str) -> httpx.Response:
    client = httpx.Client(transport=TRANSPORT, trust_env=False)
    return client.get(f"{BASE}{address}.do", params=given_, headers=REFERER if headers is None else headers)


def filtering(tool: Tool, draw: st.DataObject) -> dict[str, str]:
    """One or two filters that the tool has."""
    options = {
        "query": WORDS,
        "gana": ("ga", "na", "ha"),
        "org": ("1613000", "1352000"),
        "ancYd": ("20150101~20201231",),
    }
    names = [p.name for p in tool.inputs if (p.name in options and not p.enum) or p.name == "gana"]
    chosen = draw.draw(st.lists(st.sampled_from(names), max_size=2, unique=True)) if names else []
    given_ = {name: draw.draw(st.sampled_from(options[name])) for name in chosen}
    sorts = tool.parameter("sort")
    if sorts is not None and draw.draw(st.booleans()):
        given_["sort"] = draw.draw(st.sampled_from(sorts.enum))
    return given_


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(LISTS), st.data(), st.integers(1, 5), st.integers(1, 40), st.sampled_from(("json", "xml")))
def test_lists_come_back_as_the_world_holds_them(
    tool: Tool, data: st.DataObject, page: int, size: int, form: str
) -> None:
    operation = tool.endpoint.operation
    given_ = filtering(tool, data)
    rows = truth(operation, given_)
    paged = {"page": str(page), "display": str(size)} if tool.paging is not None else {}
    answer = call(operation, form=form, **given_, **paged)
    expected = rows.slice((page - 1) * size, page * size) if tool.paging is not None else rows.all()
    assert answer.records == expected
    assert answer.outcome == ("ok" if expected else "no_data")
    if tool.paging is not None:
        assert answer.total_count == rows.total


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(LISTS), st.integers(1, 7))
def test_every_documented_column_is_in_every_record(tool: Tool, page: int) -> None:
    given_ = {"page": str(page)} if tool.paging is not None else {}
    for record in call(tool.endpoint.operation, **given_).records[:100]:
        assert {f.name for f in tool.fields} == record.keys()


def test_pages_put_together_are_the_list() -> None:
    whole = truth("lawSearch/prec", {"query": "부당이득금"})
    rows = []
    for page in range(1, whole.total // 100 + 2):
        rows += call("lawSearch/prec", query="부당이득금", page=str(page), display="100").records
    assert rows == whole.all()
    beyond = call("lawSearch/prec", query="부당이득금", page="9999")
    assert (beyond.outcome, beyond.total_count) == ("no_data", whole.total)


def test_paging_is_forgiving_and_caps_at_five_hundred() -> None:
    base = call("lawSearch/law").records
    for page, display in (("0", "x"), ("-1", ""), ("eins", "0")):
        given_ = {"OC": sandbox_key("law"), "target": "law", "type": "JSON", "page": page, "display": display}
        answer = parsed("lawSearch/law", fetch("lawSearch", **given_).content)
        assert answer.records == base
    given_ = {"OC": sandbox_key("law"), "target": "law", "type": "JSON", "display": "1000"}
    assert len(parsed("lawSearch/law", fetch("lawSearch", **given_).content).records) == 500


def test_one_row_is_an_object_and_none_has_no_key() -> None:
    name = truth("lawSearch/law", {}).slice(0, 1)[0]["법령명한글"]
    given_ = {"OC": sandbox_key("law"), "target": "law", "type": "JSON"}
    one = fetch("lawSearch", query=name, date=_day(name), **given_).json()["LawSearch"]
    assert isinstance(one["law"], dict)
    assert (one["totalCnt"], one["resultCode"], one["키워드"]) == ("1", "00", name)
    none = fetch("lawSearch", query="없는법", **given_).json()["LawSearch"]
    assert (none["totalCnt"], "law" in none) == ("0", False)


def _day(name: str) -> str:
    return str(truth("lawSearch/law", {"query": name}).slice(0, 1)[0]["공포일자"])


def test_links_carry_the_callers_key_on_the_wire_and_never_in_records() -> None:
    key = sandbox_key("law")
    for operation, given_ in (
        ("lawSearch/eflaw", {}),
        ("lawSearch/prec", {}),
        ("lawService/lsStmd", {"MST": truth("lawSearch/lsStmd", {}).slice(0, 1)[0]["법령일련번호"]}),
    ):
        body = raw(operation, **given_)
        if operation.startswith("lawSearch"):
            assert f"OC={key}&".encode() in body.replace(b"&amp;", b"&")
        answer = parsed(operation, body)
        assert answer.outcome == "ok"
        assert key not in str(answer.records)


def test_without_a_key_with_a_wrong_one_or_without_a_referer_the_user_is_unknown() -> None:
    for form, kind in (("JSON", "json"), ("XML", "xml")):
        good = {"target": "law", "type": form, "OC": sandbox_key("law")}
        for given_, headers in (
            ({**good, "OC": ""}, REFERER),
            ({**good, "OC": "someone"}, REFERER),
            (good, {}),
        ):
            response = fetch("lawSearch", headers=headers, **given_)
            answer = parse_answer("law", response.content)
            assert (response.status_code, answer.outcome, answer.failure) == (200, "auth", "environmental")
            assert kind in response.headers["content-type"]
        assert parse_answer("law", fetch("lawSearch", **good).content).outcome == "ok"


def test_an_unknown_target_is_answered_with_nothing_at_all() -> None:
    response = fetch("lawSearch", OC=sandbox_key("law"), target="lsDogs", type="JSON")
    assert (response.status_code, response.content) == (200, b"")


def test_an_unknown_number_is_a_sentence_and_an_unknown_article_an_empty_object() -> None:
    key = sandbox_key("law")
    for target, given_ in (
        ("law", {"MST": "1"}),
        ("prec", {"ID": "1"}),
        ("ordin", {"MST": "7"}),
        ("trty", {"ID": "2"}),
    ):
        response = fetch("lawService", OC=key, target=target, type="JSON", **given_)
        assert list(response.json()) == ["Law"]
        assert response.json()["Law"].startswith("일치하는 ")
        assert parse_answer("law", response.content).outcome == "no_data"
    row = truth("lawSearch/eflaw", {"nw": "3"}).slice(0, 1)[0]
    given_ = {"MST": row["법령일련번호"], "efYd": row["시행일자"], "JO": "099900"}
    response = fetch("lawService", OC=key, target="eflawjosub", type="JSON", **given_)
    assert response.content == b"{}"


def test_a_body_without_its_day_of_effect_is_a_page_for_data_not_applied_for() -> None:
    row = truth("lawSearch/eflaw", {"nw": "3"}).slice(4, 5)[0]
    good = call("lawService/eflaw", MST=row["법령일련번호"], efYd=row["시행일자"])
    assert (good.outcome, good.records[0]["법령명_한글"]) == ("ok", row["법령명한글"])
    for given_ in ({"efYd": "19990101"}, {}):
        assert call("lawService/eflaw", MST=row["법령일련번호"], **given_).outcome == "auth"
    assert call("lawService/eflaw", ID=row["법령ID"]).outcome == "ok"


def test_pages_for_people_and_formats_that_a_data_set_lacks() -> None:
    key = sandbox_key("law")
    page = fetch("lawSearch", OC=key, target="lsAbrv", type="HTML")
    assert parse_answer("law", page.content).outcome == "auth"
    assert "html" in fetch("lawSearch", OC=key, target="law", type="HTML").headers["content-type"]
    assert call("lawSearch/lsHistory").outcome == "not_a_response"
    for operation, tool in TOOLS.items():
        if not tool.fields and "type=HTML" not in tool.endpoint.url:
            assert call(operation).outcome == "no_data"


def test_xml_texts_stand_in_cdata_and_positions_in_attributes() -> None:
    body = raw("lawSearch/eflaw", display="2").decode()
    assert body.startswith('<?xml version="1.0" encoding="UTF-8"?><LawSearch><target>eflaw</target>')
    assert '<law id="1"><법령일련번호>' in body
    assert "<법령명한글><![CDATA[" in body


def test_trimming_leaves_the_named_columns() -> None:
    answer = call("lawSearch/moelCgmExpc", fields="안건명,해석일자")
    assert {tuple(record) for record in answer.records} == {("id", "안건명", "해석일자")}
