"""What the world says about bindings."""

from __future__ import annotations

import pytest

from kopa_hf.catalog.registry import Catalog
from kopa_hf.sandbox import Faults, World
from kopa_hf.sandbox.codes import system_of, systems
from kopa_hf.sandbox.probing import Prober
from kopa_hf.sandbox.truth import BindingTruth, binding_truth


@pytest.fixture(scope="module")
def truth(world: World, catalog: Catalog) -> BindingTruth:
    return binding_truth(world, catalog)


@pytest.mark.parametrize(
    "binding",
    [
        ("find_dart_corp_code", "corp_code", "get_dart_convertible_bond_issue_decision", "corp_code"),
        ("search_dart_disclosures", "corp_code", "get_dart_company_overview", "corp_code"),
        ("get_krx_kospi_stock_daily", "ISU_CD", "find_dart_corp_code", "stock_code"),
        ("get_krx_kosdaq_stock_base_info", "ISU_SRT_CD", "find_dart_corp_code", "stock_code"),
        ("get_krx_kospi_stock_daily", "ISU_NM", "find_dart_corp_code", "corp_name"),
        ("search_dart_disclosures", "rcept_dt", "get_krx_kospi_stock_daily", "basDd"),
    ],
)
def test_true_bindings(truth: BindingTruth, binding: tuple[str, str, str, str]) -> None:
    assert truth[binding] is True


@pytest.mark.parametrize(
    ("binding", "why"),
    [
        (("get_krx_kospi_stock_base_info", "ISU_CD", "find_dart_corp_code", "stock_code"), "the standard code"),
        (("get_dart_company_overview", "corp_name", "find_dart_corp_code", "corp_name"), "the registered name"),
        (("get_krx_kospi_stock_base_info", "ISU_NM", "find_dart_corp_code", "corp_name"), "the share's name"),
        (("get_krx_etf_daily", "ISU_CD", "find_dart_corp_code", "stock_code"), "a fund"),
        (("search_dart_disclosures", "rcept_no", "get_dart_company_overview", "corp_code"), "a receipt number"),
        (("get_dart_company_overview", "jurir_no", "get_dart_company_overview", "corp_code"), "a register number"),
        (("get_dart_auditor_and_opinion", "bsns_year", "get_dart_dividend_matters", "bsns_year"), "a term in words"),
    ],
)
def test_what_only_looks_alike_is_false(truth: BindingTruth, binding: tuple[str, str, str, str], why: str) -> None:
    assert truth[binding] is False, why


def test_pairs_without_any_known_system_are_not_in_the_table(truth: BindingTruth) -> None:
    unknown = ("get_dart_company_overview", "adres", "search_dart_disclosures", "sort")
    assert unknown not in truth
    with pytest.raises(KeyError):
        truth[unknown]
    with pytest.raises(KeyError):
        truth["nobody", "x", "search_dart_disclosures", "corp_code"]


def test_length_counts_what_iteration_yields(world: World, catalog: Catalog) -> None:
    small = binding_truth(world, [tool for tool in catalog if tool.wire == "dart"][:8])
    assert len(small) == sum(1 for _ in small) > 0


def test_dead_ends_and_missing_fields_make_a_binding_false(world: World, catalog: Catalog) -> None:
    binding = ("search_dart_disclosures", "corp_code", "get_dart_company_overview", "corp_code")
    assert binding_truth(world, catalog, Faults(seed=1, dead_share=1.0))[binding] is False
    assert binding_truth(world, catalog, Faults(seed=1, missing_share=1.0))[binding] is False


def test_every_named_system_is_explained_and_every_name_is_in_the_catalog(catalog: Catalog) -> None:
    explained = systems()
    for tool in catalog:
        for field in tool.fields:
            system = system_of(tool.wire, tool.endpoint.operation, "fields", field.name)
            assert system is None or system in explained
        for parameter in tool.inputs:
            system = system_of(tool.wire, tool.endpoint.operation, "parameters", parameter.name)
            assert system is None or system in explained


def test_an_undeclared_column_belongs_where_nearly_all_of_its_values_are_known(
    truth: BindingTruth, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The company number without its declaration is still one; a column of figures never is."""
    number = ("search_dart_disclosures", "corp_code", "get_dart_company_overview", "corp_code")
    market = ("search_dart_disclosures", "corp_cls", "get_dart_company_overview", "corp_code")
    monkeypatch.setattr("kopa_hf.sandbox.truth._field_system", lambda tool, name: None)
    assert truth[number] is True
    assert truth[market] is False
    monkeypatch.setattr("kopa_hf.sandbox.truth.kind_of", lambda field: "count")
    assert truth[number] is False


def test_stopping_early_says_what_the_whole_share_says(truth: BindingTruth) -> None:
    for binding in (
        ("get_krx_kospi_stock_daily", "ISU_CD", "find_dart_corp_code", "stock_code"),
        ("get_krx_etf_daily", "ISU_CD", "find_dart_corp_code", "stock_code"),
    ):
        for share in (0.1, 0.25, 0.9):
            assert truth._overlaps(binding, share) == (truth.overlap(binding) >= share)


def test_a_demanded_parameter_without_a_say_is_none(world: World, catalog: Catalog) -> None:
    """Which pages of a school's report are wanted is asked for and makes no difference."""
    tool = catalog.get("list_schoolinfo_school_libraries")
    parameter = tool.parameter("depthNo")
    assert parameter is not None
    assert parameter.required
    assert Prober(world, [tool]).filters(tool, parameter) is False
