"""The regulator's market data is the exchange's, DART's and the register's, under other names and on another wire."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.result import CallResult
from kopa_hf.platforms import parse_answer
from kopa_hf.sandbox import Faults, SandboxTransport, World, sandbox_key
from kopa_hf.sandbox.finance.companies import companies
from kopa_hf.sandbox.market.filters import conditions
from kopa_hf.sandbox.query import Query
from kopa_hf.sandbox.world import default_world

DAY = "20260129"
CATALOG = load_catalog()
STOCKS = "https://apis.data.go.kr/1160100/service/GetStockSecuritiesInfoService/getStockPriceInfo"
Record = dict[str, Any]


@pytest.fixture(scope="module")
def executor(world: World) -> Iterator[Executor]:
    with Executor(world=world, faults=Faults.none()) as made:
        yield made


def call(executor: Executor, tool: str, **arguments: str) -> CallResult:
    return executor.call_sync(CATALOG.get(tool), arguments)


def rows(executor: Executor, tool: str, **arguments: str) -> list[Record]:
    """Up to a thousand records."""
    return call(executor, tool, **{"numOfRows": "1000", **arguments}).records


def money(record: Record, name: str) -> int:
    return int(str(record[name] or 0).replace(",", ""))


# the same things elsewhere


def test_a_close_of_the_regulator_is_the_exchanges(executor: Executor) -> None:
    theirs: dict[str, Record] = {}
    for tool in ("get_krx_kospi_stock_daily", "get_krx_kosdaq_stock_daily", "get_krx_konex_stock_daily"):
        theirs |= {r["ISU_CD"]: r for r in call(executor, tool, basDd=DAY).records}
    ours = rows(executor, "list_fsc_stock_prices", basDt=DAY)
    assert {r["srtnCd"] for r in ours} == theirs.keys()
    for ours_, column, other in (
        (r, c, o) for r in ours for c, o in (("clpr", "TDD_CLSPRC"), ("mrktTotAmt", "MKTCAP"))
    ):
        assert ours_[column] == theirs[ours_["srtnCd"]][other]


@pytest.mark.parametrize(
    ("tool", "key", "price", "theirs", "their_key", "their_price"),
    [
        ("list_fsc_etf_prices", "srtnCd", "nav", "get_krx_etf_daily", "ISU_CD", "NAV"),
        ("list_fsc_bond_prices", "isinCd", "clprBnfRt", "get_krx_government_bond_daily", "ISU_CD", "CLSPRC_YD"),
        ("list_fsc_stock_index_prices", "idxNm", "clpr", "get_krx_kospi_index_daily", "IDX_NM", "CLSPRC_IDX"),
        ("list_fsc_oil_prices", "oilCtg", "wtAvgPrcCptn", "get_krx_oil_market_daily", "OIL_NM", "WT_AVG_PRC"),
    ],
)
def test_other_prices_are_the_exchanges_too(
    executor: Executor, tool: str, key: str, price: str, theirs: str, their_key: str, their_price: str
) -> None:
    ours = {r[key]: r[price] for r in rows(executor, tool, basDt=DAY)}
    for record in call(executor, theirs, basDd=DAY).records:
        if record[their_key] in ours:
            assert ours[record[their_key]] == record[their_price]
    assert ours


def test_key_figures_are_those_that_dart_prints(executor: Executor) -> None:
    listed = rows(executor, "list_fsc_listed_items", basDt=DAY)[:5]
    for item in listed:
        outline = rows(executor, "list_fsc_companies", crno=item["crno"])
        assert [o["corpNm"] for o in outline] == [item["corpNm"]]
        report = call(
            executor,
            "get_dart_single_company_key_accounts",
            corp_code=outline[0]["fssCorpUnqNo"],
            bsns_year="2024",
            reprt_code="11011",
        ).records
        ofs = {r["account_nm"]: r["thstrm_amount"].replace(",", "") for r in report if r["fs_div"] == "OFS"}
        mine = next(
            r
            for r in rows(executor, "list_fsc_key_financial_statements", crno=item["crno"], bizYear="2024")
            if r["fnclDcdNm"] == "별도요약재무제표"
        )
        assert (mine["enpTastAmt"], mine["enpSaleAmt"]) == (ofs["자산총계"], ofs["매출액"])
        assert money(mine, "enpTastAmt") == money(mine, "enpTdbtAmt") + money(mine, "enpTcptAmt")


def test_a_bond_decision_is_darts_by_register_number(executor: Executor, world: World) -> None:
    company = next(c for c in companies(world) if call_decisions(executor, c.corp_code))
    theirs = call_decisions(executor, company.corp_code)
    ours = rows(executor, "list_fsc_convertible_bond_decisions", crno=company.jurir_no)
    assert Counter(r["cbCnvrPrc"] for r in ours) == Counter(r["cv_prc"].replace(",", "") for r in theirs)
    assert all(
        money(r, "tcpbFcvlAmt")
        == sum(money(r, name) for name in ("fctfndAt", "mgmCptAt", "otcoScrtAcqAmt", "etcCptlAmt"))
        for r in ours
    )


def call_decisions(executor: Executor, corp_code: str) -> list[Record]:
    tool = "get_dart_convertible_bond_issue_decision"
    return call(executor, tool, corp_code=corp_code, bgn_de="20230101", end_de="20260130").records


def test_the_listed_items_code_looks_like_a_short_code_and_is_none(executor: Executor) -> None:
    item = rows(executor, "list_fsc_listed_items", basDt=DAY)[0]
    assert not rows(executor, "list_fsc_stock_prices", basDt=DAY, likeSrtnCd=item["srtnCd"])
    assert rows(executor, "list_fsc_stock_prices", basDt=DAY, likeSrtnCd=item["srtnCd"][1:])
    assert rows(executor, "list_fsc_stock_prices", basDt=DAY, isinCd=item["isinCd"])[0]["itmsNm"] == item["itmsNm"]


# sums


def test_issues_add_up_to_the_listed_shares(executor: Executor) -> None:
    listed = {r["isinCd"]: money(r, "lstgStCnt") for r in rows(executor, "list_fsc_stock_prices", basDt=DAY)}
    issued: Counter[str] = Counter()
    for page in ("1", "2"):
        for record in rows(executor, "list_fsc_stock_issues", basDt=DAY, pageNo=page):
            issued[record["isinCd"]] += money(record, "issuStckCnt")
    assert issued == listed


def test_holders_and_their_shares_add_up(executor: Executor) -> None:
    item = rows(executor, "list_fsc_stock_prices", basDt=DAY)[3]
    parts = rows(executor, "list_fsc_share_distributions", stckIssuCmpyNm=item["itmsNm"], rgtExertQualBasDt="20241231")
    assert sum(money(p, "issuStckCnt") for p in parts) == money(item, "lstgStCnt")
    assert sum(float(p["sthdNopeRto"]) for p in parts) == pytest.approx(100, abs=0.05)


def test_interest_is_the_coupon_and_the_principal_comes_last(executor: Executor) -> None:
    bond = next(r for r in rows(executor, "list_fsc_bonds", basDt=DAY) if r["crno"])
    paid = [r for r in rows(executor, "list_fsc_bond_payments", crno=bond["crno"]) if r["isinCd"] == bond["isinCd"]]
    assert [r["piamPayDt"] for r in paid] == sorted(r["piamPayDt"] for r in paid)
    assert (paid[-1]["piamDcdNm"], paid[-1]["pamtPayAmt"]) == ("원금", bond["bondIssuAmt"])
    yearly = [money(r, "intPayAmt") for r in paid if r["piamDcdNm"] == "이자"][:4]
    due = money(bond, "bondIssuAmt") * float(bond["bondSrfcInrt"]) / 100
    assert sum(yearly) == pytest.approx(due, abs=4)
    schedule = rows(
        executor,
        "list_fsc_bond_rights_schedules",
        basDt=paid[0]["piamPayDt"],
        crno=bond["crno"],
        bondIsurNm=bond["bondIsurNm"],
    )
    assert bond["isinCd"] in {r["isinCd"] for r in schedule}


def test_parts_of_a_balance_sheet_add_up_to_its_assets(executor: Executor) -> None:
    sheet = rows(executor, "list_fsc_credit_card_financial_status", basYm="202509")
    for name in {r["fncoNm"] for r in sheet}:
        mine = {r["astSmryStfnpsAcitCd"]: money(r, "astSmryStfnpsAcitAmt") for r in sheet if r["fncoNm"] == name}
        assert mine.pop("A") == sum(mine.values())


def test_a_days_lending_is_the_sum_of_its_shares(executor: Executor) -> None:
    every = rows(executor, "list_fsc_stock_lending_details", likeBasDt=DAY)
    whole = rows(executor, "list_fsc_stock_lending_trends", likeBasDt=DAY)[0]
    before = {r["stckItmsCd"]: r for r in rows(executor, "list_fsc_stock_lending_details", likeBasDt="20260128")}
    for column in ("cclStckCnt", "rdptStckCnt", "balnStckCnt", "balnStckAmt"):
        assert sum(money(r, column) for r in every) == money(whole, column)
    for r in every:
        kept = money(before[r["stckItmsCd"]], "balnStckCnt") + money(r, "cclStckCnt") - money(r, "rdptStckCnt")
        assert kept == money(r, "balnStckCnt")


def test_both_markets_are_the_whole_credit(executor: Executor) -> None:
    for r in rows(executor, "list_fsc_margin_credit_balances", beginBasDt="20260101"):
        assert money(r, "crdTrFingWhl") == money(r, "crdTrFingScrs") + money(r, "crdTrFingKosdaq")


# filters


def test_a_span_holds_its_first_day_and_not_its_last(executor: Executor) -> None:
    isin = rows(executor, "list_fsc_stock_prices", basDt=DAY)[0]["isinCd"]
    span = rows(executor, "list_fsc_stock_prices", isinCd=isin, beginBasDt="20260126", endBasDt=DAY)
    assert [r["basDt"] for r in span] == ["20260128", "20260127", "20260126"]


_NUMBER = st.integers(-3_000, 9_000_000).map(str)
_ASKED = st.fixed_dictionaries(
    {"basDt": st.sampled_from((DAY, "20250602", "20260131"))},
    optional={
        "likeItmsNm": st.sampled_from(("전자", "바이오", "가", "없는이름")),
        "mrktCls": st.sampled_from(("KOSPI", "KOSDAQ", "KONEX")),
        "beginTrqu": _NUMBER,
        "endTrqu": _NUMBER,
        "beginVs": st.integers(-900, 900).map(str),
        "endFltRt": st.integers(-9, 9).map(str),
    },
)


@settings(max_examples=25, deadline=None)
@given(asked=_ASKED, page=st.integers(1, 4), size=st.integers(1, 60))
def test_any_filter_keeps_exactly_what_fits_page_by_page(asked: dict[str, str], page: int, size: int) -> None:
    tool = CATALOG.get("list_fsc_stock_prices")
    with Executor(world=_WORLD, faults=Faults.none()) as executor:
        everything = rows(executor, tool.name, basDt=asked["basDt"])
        tests = conditions(Query(tool.endpoint.operation, asked, tool))
        kept = [r for r in everything if all(c.holds(r) for c in tests)]
        result = call(executor, tool.name, **asked, pageNo=str(page), numOfRows=str(size))
    assert result.total_count == (len(kept) if result.outcome != "server" else None)
    assert result.records == kept[(page - 1) * size : page * size]
    assert result.outcome == ("ok" if result.records else "no_data")


_WORLD = default_world()


# the wire


def test_refusals_are_the_gateways(client: httpx.Client) -> None:
    key = sandbox_key("krx")
    without = client.get(STOCKS, params={"resultType": "json"})
    assert "<returnReasonCode>30</returnReasonCode>" in without.text
    wrong = client.get(STOCKS, params={"serviceKey": "x" * 40, "resultType": "json"})
    assert "<returnReasonCode>30</returnReasonCode>" in wrong.text
    page = client.get(STOCKS, params={"serviceKey": key, "resultType": "json", "pageNo": "zero"})
    assert page.json()["response"]["header"]["resultCode"] == "10"
    number = client.get(STOCKS, params={"serviceKey": key, "resultType": "json", "basDt": DAY, "beginTrqu": "많이"})
    assert number.json()["response"]["header"]["resultCode"] == "10"


def test_json_and_xml_hold_the_same_rows(client: httpx.Client) -> None:
    asked = {"serviceKey": sandbox_key("krx"), "basDt": DAY, "numOfRows": "2"}
    body = client.get(STOCKS, params={**asked, "resultType": "json"}).json()["response"]["body"]
    assert (body["numOfRows"], body["pageNo"]) == (2, 1)
    text = client.get(STOCKS, params={**asked, "resultType": "xml"}).text
    for item in body["items"]["item"]:
        assert f"<isinCd>{item['isinCd']}</isinCd>" in text
        assert f"<clpr>{item['clpr']}</clpr>" in text


@pytest.mark.parametrize("form", ["json", "xml"])
def test_statistics_come_in_titled_tables(client: httpx.Client, form: str) -> None:
    tool = CATALOG.get("list_fsc_domestic_bank_financial_status")
    asked = {"serviceKey": sandbox_key("krx"), "basYm": "202509", "numOfRows": "3", "resultType": form}
    answer = client.get(tool.endpoint.url, params=asked)
    if form == "json":
        table = answer.json()["response"]["body"]["tableList"][0]
        assert (table["title"], table["numOfRows"], table["totalCount"]) == ("요약재무상태표(자산)", 3, 120)
        assert "title" not in table["items"]["item"][0]
    parsed = parse_answer("data_go_kr", answer.content, operation=tool.endpoint.operation)
    assert (parsed.outcome, parsed.total_count, len(parsed.records)) == ("ok", 120, 3)
    assert parsed.records[0].keys() == {field.name for field in tool.fields}
    none = client.get(tool.endpoint.url, params={**asked, "pageNo": "99"})
    assert parse_answer("data_go_kr", none.content).outcome == "no_data"


def test_past_the_last_page_and_without_a_demand(executor: Executor) -> None:
    past = call(executor, "list_fsc_stock_prices", basDt=DAY, pageNo="400")
    assert (past.outcome, past.total_count) == ("no_data", 420)
    assert call(executor, "list_fsc_stock_issues").outcome == "bad_param"


def test_a_new_value_seed_keeps_names_and_redraws_prices() -> None:
    def day(value_seed: int) -> list[Record]:
        with Executor(world=World(value_seed=value_seed), faults=Faults.none()) as executor:
            return rows(executor, "list_fsc_stock_prices", basDt=DAY)

    first, second = day(0), day(7)
    assert [r["isinCd"] for r in first] == [r["isinCd"] for r in second]
    assert sum(a["clpr"] != b["clpr"] for a, b in zip(first, second, strict=True)) > 400


def test_every_sector_answers_with_its_own_institutions() -> None:
    transport = SandboxTransport(World(), Faults.none())
    assert transport.world is not None
    with Executor(world=transport.world, faults=Faults.none()) as executor:
        named: dict[str, set[str]] = {}
        for tool in CATALOG:
            if tool.name.startswith("list_fsc_") and tool.name.endswith("_general_status"):
                named[tool.name] = {r["fncoCd"] for r in rows(executor, tool.name, basYm="202509")}
    assert len(named) == 20
    assert sum(map(len, named.values())) == len(set().union(*named.values()))
