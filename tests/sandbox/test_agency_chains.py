"""The agencies' lists and details speak of the same things, though nobody modelled them by hand."""

from __future__ import annotations

import pytest

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.sandbox.entities import population
from kopa_hf.sandbox.places import districts, provinces
from kopa_hf.sandbox.probing import Prober
from kopa_hf.sandbox.query import Record
from kopa_hf.sandbox.world import default_world

WORLD = default_world()
CATALOG = load_catalog()
PROBER = Prober(WORLD, CATALOG)


def ask(name: str, **parameters: str) -> list[Record]:
    """The first records of an answer."""
    answer = PROBER.ask(CATALOG.get(name), parameters)
    assert answer is not None
    return answer[0]


def test_a_train_leaves_from_the_station_that_was_asked_for() -> None:
    names = population(WORLD, "tago.train_station")
    first, second = list(names)[:2]
    name_of = {s["nodeid"]: s["nodename"] for s in ask("list_expressway_tago_train_stations", cityCode="11")}
    trains = ask("list_expressway_tago_trains_between_stations", depPlaceId=first, arrPlaceId=second)
    assert trains
    assert {t["depplacename"] for t in trains} == {name_of[first]}
    assert ask("list_expressway_tago_trains_between_stations", depPlaceId=first, arrPlaceId="NAT999999") == []


def test_a_candidate_s_number_opens_the_pledges() -> None:
    candidates = ask("list_assembly_nec_candidates", sgId="20240410", sgTypecode="2")
    assert candidates
    assert all(c["sgId"] == "20240410" and c["sgTypecode"] == "2" for c in candidates)
    answered = [
        ask("list_assembly_nec_candidate_pledges", sgId="20240410", sgTypecode="2", cnddtId=c["huboid"])
        for c in candidates
    ]
    assert sum(map(bool, answered)) > len(answered) // 2
    assert ask("list_assembly_nec_candidate_pledges", sgId="20240410", sgTypecode="2", cnddtId="1") == []


def test_a_candidate_belongs_to_a_party_of_the_assembly() -> None:
    parties = {m["POLY_NM"] for m in ask("list_assembly_members")}
    assert parties <= set(population(WORLD, "assembly.party"))


@pytest.mark.slow
def test_the_court_and_the_law_service_know_the_same_cases() -> None:
    numbers = {r["사건번호"] for r in ask("search_law_constitutional_decisions")}
    assert numbers <= set(population(WORLD, "law.detc.no"))


def test_a_district_is_found_with_its_province_only() -> None:
    seoul, gyeonggi = (next(p for p in provinces() if p.name == name) for name in ("서울특별시", "경기도"))
    second = districts(gyeonggi.code)[1].code
    asked = {"opr_ymd": "20250602", "sgg_cd": second}
    found = ask("list_expressway_card_route_boardings_by_day", ctpv_cd=gyeonggi.code, **asked)
    assert {(r["ctpv_cd"], r["sgg_cd"], r["opr_ymd"]) for r in found} <= {(gyeonggi.code, second, "20250602")}
    assert ask("list_expressway_card_route_boardings_by_day", ctpv_cd=seoul.code, **asked) == []


def test_a_subway_stop_keeps_its_code_through_fares_and_lifts() -> None:
    lifts = ask("list_seoul_metro_accessible_elevators")
    code, name = lifts[0]["stnCd"], lifts[0]["stnNm"]
    assert {r["stnNm"] for r in ask("list_seoul_metro_accessible_elevators", stnCd=code)} == {name}
    assert code in population(WORLD, "seoul.station_code")
