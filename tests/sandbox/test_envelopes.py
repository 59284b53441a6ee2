"""What the wires look like: codes, content types and shapes as the services' documents and recordings give them."""

from __future__ import annotations

import io
import zipfile

import httpx
import pytest

from kopa_hf.sandbox import Faults, SandboxTransport, World, sandbox_key, valid_key
from kopa_hf.sandbox.finance.companies import companies

from .services import ASSEMBLY, DART, KRX, Ask


def test_keys_check_themselves() -> None:
    for platform, length in (("dart", 40), ("krx", 40), ("assembly", 32)):
        key = sandbox_key(platform, "seed")
        assert len(key) == length
        assert valid_key(platform, key)
        assert not valid_key(platform, key[:-1] + ("0" if key[-1] != "0" else "1"))
    assert not valid_key("krx", sandbox_key("dart"))
    assert sandbox_key("dart") != sandbox_key("dart", "other")
    assert not valid_key("dart", "")
    assert not valid_key("dart", None)


# DART


def test_dart_refuses_without_and_with_a_wrong_key(client: httpx.Client) -> None:
    for params in ({}, {"crtfc_key": "x" * 40}):
        answer = client.get(DART + "company.json", params={**params, "corp_code": "00126380"})
        assert answer.status_code == 200
        assert answer.json()["status"] == "010"
        assert "list" not in answer.json()


@pytest.mark.parametrize(
    ("path", "given", "status"),
    [
        ("company.json", {}, "100"),
        ("company.json", {"corp_code": "99999999"}, "013"),
        ("nothing.json", {}, "101"),
        ("alotMatter.json", {"corp_code": "00126380", "bsns_year": "20x4", "reprt_code": "11011"}, "100"),
        ("list.json", {"bgn_de": "20250101", "end_de": "20260130"}, "100"),
        ("list.json", {"bgn_de": "20250101", "end_de": "20250131", "page_no": "x"}, "100"),
        ("list.json", {"bgn_de": "20250101", "end_de": "20250131", "page_count": "101"}, "100"),
        ("list.json", {"bgn_de": "20250101", "end_de": "20250131", "page_no": "9999"}, "013"),
        (
            "fnlttMultiAcnt.json",
            {"corp_code": ",".join(["1"] * 101), "bsns_year": "2024", "reprt_code": "11011"},
            "021",
        ),
    ],
)
def test_dart_says_what_is_wrong_in_the_status(dart: Ask, path: str, given: dict[str, str], status: str) -> None:
    assert dart(path, **given).json()["status"] == status


def test_dart_list_pages_with_integers_beside_text_rows(dart: Ask) -> None:
    body = dart("list.json", bgn_de="20260101", end_de="20260130", page_count="7").json()
    assert list(body)[:6] == ["status", "message", "page_no", "page_count", "total_count", "total_page"]
    assert (body["page_no"], body["page_count"]) == (1, 7)
    assert body["total_page"] == -(-body["total_count"] // 7)
    assert all(isinstance(value, str) for row in body["list"] for value in row.values())


def test_dart_company_is_flat(dart: Ask, world: World) -> None:
    body = dart("company.json", corp_code=companies(world)[0].corp_code).json()
    assert body["status"] == "000"
    assert body["corp_code"] == companies(world)[0].corp_code
    assert "list" not in body


def test_dart_answers_xml_at_the_xml_twin(dart: Ask, world: World) -> None:
    answer = dart("company.xml", corp_code=companies(world)[0].corp_code)
    assert answer.headers["content-type"].startswith("application/xml")
    assert f"<corp_code>{companies(world)[0].corp_code}</corp_code>" in answer.text


def test_corp_codes_come_as_a_zip_and_its_errors_as_xml(dart: Ask, client: httpx.Client) -> None:
    archive = zipfile.ZipFile(io.BytesIO(dart("corpCode.xml").content))
    assert archive.namelist() == ["CORPCODE.xml"]
    refused = client.get(DART + "corpCode.xml", params={"crtfc_key": "no"})
    assert "<status>010</status>" in refused.text
    assert "<status>014</status>" in dart("document.xml", rcept_no="20250101000001").text


def test_dart_registrations_come_in_titled_groups(dart: Ask, world: World) -> None:
    for company in companies(world):
        if company.listed:
            body = dart("bdRs.json", corp_code=company.corp_code, bgn_de="20230101", end_de="20260130").json()
            if body["status"] == "000":
                break
    assert [group["title"] for group in body["group"]] == [
        "일반사항",
        "인수인정보",
        "자금의사용목적",
        "매출인에관한사항",
    ]
    assert "bdnmn" in body["group"][0]["list"][0]
    assert "bdnmn" not in body["group"][1]["list"][0]


# KRX


def test_krx_wants_its_key_in_the_header(client: httpx.Client) -> None:
    answer = client.get(KRX + "sto/stk_bydd_trd", params={"basDd": "20250513"})
    assert answer.json() == {"respCode": "401", "respMsg": "Unauthorized API Call"}
    keyed = client.get(KRX + "sto/stk_bydd_trd", params={"basDd": "20250513", "AUTH_KEY": sandbox_key("krx")})
    assert "OutBlock_1" in keyed.json()


@pytest.mark.parametrize("day", ["20250510", "20250501", "20250128", "20260130", "20231228", "20270104"])
def test_krx_is_empty_on_weekends_holidays_and_days_without_data(krx: Ask, day: str) -> None:
    assert krx("sto/stk_bydd_trd", day).json() == {"OutBlock_1": []}


def test_krx_takes_a_json_body_too(client: httpx.Client, krx: Ask) -> None:
    headers = {"AUTH_KEY": sandbox_key("krx")}
    posted = client.post(KRX + "sto/knx_bydd_trd", json={"basDd": "20250513"}, headers=headers)
    assert posted.content == krx("sto/knx_bydd_trd", "20250513").content


def test_krx_refuses_a_malformed_day_and_knows_no_other_address(krx: Ask) -> None:
    assert krx("sto/stk_bydd_trd", "2025-05").status_code == 400
    assert krx("sto/nothing", "20250513").status_code == 404


# 열린국회정보


def test_assembly_json_is_served_as_html_under_its_code(assembly: Ask) -> None:
    answer = assembly("nwvrqwxyaytdsfvhu", pSize="3")
    assert answer.headers["content-type"].startswith("text/html")
    head, rows = answer.json()["nwvrqwxyaytdsfvhu"]
    assert head["head"][1]["RESULT"]["CODE"] == "INFO-000"
    assert isinstance(head["head"][0]["list_total_count"], int)
    assert len(rows["row"]) == 3


def test_assembly_answers_xml_where_the_type_is_left_out(client: httpx.Client) -> None:
    answer = client.get(ASSEMBLY + "nwvrqwxyaytdsfvhu", params={"KEY": sandbox_key("assembly"), "pSize": "2"})
    assert answer.text.startswith("<?xml")
    assert answer.text.count("<row>") == 2


@pytest.mark.parametrize(
    ("code", "given", "expected"),
    [
        ("nzmimeepazxkubdpn", {}, "ERROR-300"),
        ("no_such_service", {}, "ERROR-310"),
        ("nwvrqwxyaytdsfvhu", {"pIndex": "x"}, "ERROR-333"),
        ("nwvrqwxyaytdsfvhu", {"pSize": "1001"}, "ERROR-336"),
        ("nwvrqwxyaytdsfvhu", {"KEY": "wrong"}, "ERROR-290"),
        ("nwvrqwxyaytdsfvhu", {"pIndex": "9999"}, "INFO-200"),
        ("nzmimeepazxkubdpn", {"AGE": "제22대"}, "INFO-200"),
    ],
)
def test_assembly_errors_are_a_bare_result(assembly: Ask, code: str, given: dict[str, str], expected: str) -> None:
    answer = assembly(code, **given)
    assert answer.status_code == 200
    assert answer.json()["RESULT"]["CODE"] == expected
    assert code not in answer.json()


def test_the_sample_key_returns_at_most_ten_rows(assembly: Ask) -> None:
    body = assembly("nwvrqwxyaytdsfvhu", KEY="sample", pSize="100").json()
    assert len(body["nwvrqwxyaytdsfvhu"][1]["row"]) == 10
    assert body["nwvrqwxyaytdsfvhu"][0]["head"][0]["list_total_count"] > 10


def test_other_hosts_are_not_part_of_the_sandbox(world: World) -> None:
    client = httpx.Client(transport=SandboxTransport(world, Faults.none()), trust_env=False)
    with pytest.raises(httpx.ConnectError):
        client.get("https://example.org/")
