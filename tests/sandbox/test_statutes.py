"""Laws hang together: editions follow promulgations, articles their amendments, documents their lists."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from kopa_hf.sandbox import World
from kopa_hf.sandbox.finance.companies import companies
from kopa_hf.sandbox.places import districts, municipalities, provinces
from kopa_hf.sandbox.registry import handlers
from kopa_hf.sandbox.statutes.articles import all_articles, plain_text, touched_by
from kopa_hf.sandbox.statutes.laws import ACT, Law, editions, law_by_name, laws
from kopa_hf.sandbox.statutes.ministries import lawmaking
from kopa_hf.sandbox.statutes.ordinances import ordinances
from kopa_hf.sandbox.statutes.rulebooks import books, issues
from kopa_hf.sandbox.universities.university import universities

from .law_service import TOOLS, WORLD, call, records, truth

MANY = [law for law in laws(WORLD) if len(law.editions) > 3][::97]


def test_every_operation_with_known_columns_is_answered_by_hand() -> None:
    known = {operation for operation, tool in TOOLS.items() if tool.fields}
    assert set(handlers("law")) == known
    assert len(known) == 186


# laws and editions


def test_an_edition_takes_effect_on_or_after_its_promulgation_and_in_order() -> None:
    for law in laws(WORLD):
        assert law.editions[0].change == "제정"
        assert all(e.promulgated <= e.effective for e in law.editions), law.name
        for before, after in pairwise(law.editions):
            assert before.promulgated <= after.promulgated
            assert before.effective < after.effective
            assert int(before.mst) < int(after.mst)
            assert after.change != "제정"
            assert before.change != "폐지"


def test_names_ids_serials_and_numbers_are_unique() -> None:
    everything = laws(WORLD)
    assert len({law.name for law in everything}) == len({law.law_id for law in everything}) == len(everything)
    every = editions(WORLD)
    assert len({e.mst for e in every}) == len(every)
    assert max(Counter((e.law.kind, e.number) for e in every).values()) == 1
    assert {len(law.law_id) for law in everything} == {6}


def test_one_edition_is_in_force_unless_the_law_is_repealed_or_not_yet() -> None:
    for law in laws(WORLD):
        states = Counter(e.state for e in law.editions)
        assert states["현행"] == (law.current is not None)
        if law.current is None:
            repealed = any(e.change == "폐지" and e.state == "연혁" for e in law.editions)
            assert repealed or law.editions[0].effective > "20260130"


def test_decrees_and_rules_follow_their_act() -> None:
    for law in laws(WORLD):
        if law.parent is None:
            continue
        act = law.act
        assert law.name.startswith(act.name)
        assert law.editions[0].promulgated >= act.editions[0].promulgated
        assert law.editions[0].effective == act.editions[0].effective
        assert law.ministry is act.ministry
        assert law in law.parent.children


def test_the_lists_of_editions_and_of_laws_in_force_agree() -> None:
    all_, current = truth("lawSearch/eflaw", {}), truth("lawSearch/law", {})
    assert truth("lawSearch/eflaw", {"nw": "3"}).total == current.total
    assert sum(truth("lawSearch/eflaw", {"nw": n}).total for n in "123") == all_.total
    assert truth("lawSearch/eflaw", {"nw": "1,2"}).total == all_.total - current.total
    assert sum(truth("lawSearch/law", {"gana": g}).total for g in _gana()) == current.total


def _gana() -> tuple[str, ...]:
    parameter = TOOLS["lawSearch/law"].parameter("gana")
    assert parameter is not None
    return parameter.enum


@pytest.mark.parametrize("law", MANY, ids=lambda law: law.law_id)
def test_the_history_of_a_law_is_found_by_its_id(law: Law) -> None:
    rows = truth("lawSearch/eflaw", {"LID": law.law_id}).all()
    assert [row["법령일련번호"] for row in rows] == [e.mst for e in law.editions]
    assert [row["시행일자"] for row in rows] == sorted(row["시행일자"] for row in rows)
    (detail,) = records("lawService/law", MST=law.editions[1].mst)
    assert (detail["법령ID"], detail["공포번호"]) == (law.law_id, law.editions[1].number)
    added = detail["부칙"]["부칙단위"]
    assert [unit["부칙공포번호"] for unit in added] == [e.number for e in law.editions[:2]]


# articles


@pytest.mark.parametrize("law", MANY, ids=lambda law: law.law_id)
def test_an_article_says_the_same_until_an_amendment_touches_it(law: Law) -> None:
    for before, after in pairwise(law.editions):
        touched = {a.key for a in touched_by(WORLD, after)}
        if after.change == "폐지":
            assert not touched
            continue
        assert touched
        for article in all_articles(WORLD, law):
            if article.created <= before.ordinal:
                same = plain_text(before, article) == plain_text(after, article)
                assert same == (article.key not in touched), (law.name, article.label)


def test_an_articles_history_is_that_of_the_days_it_was_amended() -> None:
    law = next(law for law in MANY if law.level == ACT)
    for article in all_articles(WORLD, law)[:6]:
        rows = records("lawService/lsJoHstInf", ID=law.law_id, JO=article.key)
        days = [row["조문변경일"] for row in rows]
        assert days == sorted(days, reverse=True)
        for row in rows[:-1]:
            listed = records("lawSearch/lsJoHstInf", regDt=row["조문변경일"], ID=law.law_id)
            inside = listed[0]["조문정보"]["jo"]
            inside = inside if isinstance(inside, list) else [inside]
            assert article.key in {jo["조문번호"] for jo in inside}


def test_old_and_new_text_differ_and_belong_to_neighbouring_editions() -> None:
    for row in truth("lawSearch/oldAndNew", {}).slice(0, 400)[::40]:
        (record,) = records("lawService/oldAndNew", MST=row["신구법일련번호"])
        old, new = record["구조문_기본정보"], record["신조문_기본정보"]
        assert old["법령ID"] == new["법령ID"] == row["신구법ID"]
        assert old["시행일자"] < new["시행일자"]
        sides = [record[name]["조문"] for name in ("구조문목록", "신조문목록")]
        sides = [side if isinstance(side, list) else [side] for side in sides]
        assert [a["no"] for a in sides[0]] == [b["no"] for b in sides[1]]
        assert all(a["content"] != b["content"] for a, b in zip(*sides, strict=True))


def test_delegations_lead_to_articles_that_carry_them_out() -> None:
    by_name = law_by_name(WORLD)
    for row in truth("lawSearch/thdCmp", {}).slice(0, 300)[::60]:
        delegated = records("lawService/lsDelegated", MST=row["삼단비교일련번호"])
        for record in delegated:
            if record["위임구분"] == "위임행정규칙":
                (rule,) = records("lawService/admrul", ID=record["위임행정규칙일련번호"])
                assert rule["행정규칙명"] == record["위임행정규칙제목"]
                assert row["법령명한글"] in str(rule["조문내용"])
                continue
            target = by_name[record["위임법령제목"]]
            assert target.current is not None
            assert target.current.mst == record["위임법령일련번호"]
            assert target.act.name == row["법령명한글"]
        (compared,) = records("lawService/thdCmp", MST=row["삼단비교일련번호"], knd="2")
        lines = compared["위임조문삼단비교"]["법률조문"]
        lines = lines if isinstance(lines, list) else [lines]
        by_decree = {record["조문번호"] for record in delegated if record["위임구분"] != "위임행정규칙"}
        assert {str(int(line["조번호"])) for line in lines} == by_decree


def test_one_article_is_the_whole_laws_article() -> None:
    row = truth("lawSearch/law", {"query": "기본법"}).slice(0, 1)[0]
    (whole,) = records("lawService/law", MST=row["법령일련번호"])
    units = [unit for unit in whole["조문"]["조문단위"] if unit["조문여부"] == "조문"]
    for unit in units:
        key = f"{int(unit['조문번호']):04d}{int(unit.get('조문가지번호', 0)):02d}"
        (single,) = records("lawService/lawjosub", MST=row["법령일련번호"], JO=key)
        assert single["조문"]["조문단위"] == unit
        assert single["조문제목"] == unit["조문제목"]
    assert call("lawService/lawjosub", MST=row["법령일련번호"], JO="009900").outcome == "no_data"


# ordinances, rules, decisions


def test_ordinances_belong_to_real_places_and_come_after_their_act() -> None:
    names = {p.name for p in provinces()} | {d.full_name for p in provinces() for d in municipalities(p.code)}
    for ordinance in ordinances(WORLD):
        assert ordinance.body.name in names
        assert ordinance.promulgated <= ordinance.effective
        assert ordinance.promulgated > ordinance.law.editions[0].promulgated
    assert {d.full_name for d in districts("11")} <= {o.body.name for o in ordinances(WORLD)}


def test_links_count_the_same_from_every_side() -> None:
    linked = truth("lawSearch/lnkLs", {})
    ids = {row["법령ID"] for row in linked.all()}
    total = 0
    for org in {law.ministry.code for law in laws(WORLD)}:
        rows = truth("lawSearch/lnkDep", {"org": org}).all()
        total += len(rows)
        assert {row["법령ID"] for row in rows} <= ids
    assert total == truth("lawSearch/lnkDep", {}).total
    assert total > truth("lawSearch/lnkOrd", {}).total == len(ordinances(WORLD))


def test_rules_have_one_issue_in_force_and_two_kinds_of_numbers() -> None:
    for family in ("admrul", "school", "public", "pi"):
        kept = books(WORLD, family)
        assert len({book.rule_id for book in kept}) == len({book.name for book in kept}) == len(kept)
        every = issues(WORLD, family)
        assert len({issue.serial for issue in every}) == len(every)
        assert all(sum(i.state == "현행" for i in book.issues) == 1 for book in kept)
        assert all(i.issued <= i.effective and len(i.serial) == 13 for i in every)
    book = books(WORLD, "admrul")[5]
    assert records("lawService/admrul", LID=book.rule_id) == records("lawService/admrul", ID=book.current.serial)
    refused = call("lawService/admrul", ID=book.rule_id)
    assert (refused.outcome, refused.message) == (
        "no_data",
        "일치하는 행정규칙이 없습니다. 행정규칙명을 확인하여 주십시오.",
    )


DECIDED = [
    operation.removeprefix("lawSearch/")
    for operation, tool in TOOLS.items()
    if operation.count("/") == 1
    and operation.startswith("lawSearch/")
    and f"lawService/{operation.removeprefix('lawSearch/')}" in TOOLS
    and any(name.endswith("일련번호") and "결정" in name + tool.title for name in (f.name for f in tool.fields))
]


@pytest.mark.parametrize(
    "target", [*DECIDED, "prec", "expc", "decc", "moelCgmExpc", "ttSpecialDecc", "baiPvcs", "trty"]
)
def test_a_document_repeats_what_its_row_says(target: str) -> None:
    rows = truth(f"lawSearch/{target}", {})
    for row in (rows.slice(0, 1)[0], rows.slice(rows.total - 1, rows.total)[0]):
        number = next(value for name, value in row.items() if name.endswith("일련번호"))
        (record,) = records(f"lawService/{target}", ID=number)
        assert number in record.values()
        for name in row.keys() & record.keys() - {"id"}:
            assert record[name].replace(".", "") == row[name].replace(".", ""), (target, name)


def test_precedents_filter_by_court_law_and_day() -> None:
    everything = truth("lawSearch/prec", {})
    supreme, lower = (truth("lawSearch/prec", {"org": org}).total for org in ("400201", "400202"))
    assert supreme + lower == everything.total
    case = everything.slice(7, 8)[0]
    (record,) = records("lawService/prec", ID=case["판례일련번호"])
    name = record["참조조문"].split("」")[0][1:]
    found = {row["판례일련번호"] for row in truth("lawSearch/prec", {"JO": name}).all()}
    assert case["판례일련번호"] in found
    day = record["선고일자"]
    assert {row["선고일자"].replace(".", "") for row in truth("lawSearch/prec", {"date": day}).all()} == {day}


def test_interpretations_are_about_the_ministrys_own_acts() -> None:
    names = {law.name for law in laws(WORLD) if law.ministry.short == "moel"}
    rows = truth("lawSearch/moelCgmExpc", {}).slice(0, 50)
    assert all(row["안건명"].split("「")[1].rstrip("」)") in names for row in rows)


def test_terms_and_everyday_words_point_at_each_other() -> None:
    term = truth("lawSearch/lstrmAI", {"query": "기본계획"}).slice(0, 1)[0]["법령용어명"]
    for row in records("lawService/lstrmRlt", query=term):
        back = records("lawService/dlytrmRlt", query=row["일상용어명"])
        assert (term, row["용어관계"]) in {(r["법령용어명"], r["용어관계"]) for r in back}
    articles = records("lawService/lstrmRltJo", query=term)
    law = law_by_name(WORLD)[articles[0]["법령명"]]
    key = articles[0]["조번호"] + articles[0]["조가지번호"]
    assert term in {r["법령용어명"] for r in records("lawService/joRltLstrm", ID=law.law_id, JO=key)}


# other domains


def test_rulebooks_are_those_of_the_universities_and_rulings_those_about_filing_companies() -> None:
    houses = {university.name for university in universities(WORLD)}
    assert {row["소관부처명"] for row in truth("lawSearch/school", {}).all()} == houses
    names = {company.name for company in companies(WORLD)}
    for target in ("fsc", "sfc"):
        for row in truth(f"lawSearch/{target}", {}).slice(0, 200)[::50]:
            (record,) = records(f"lawService/{target}", ID=row["결정문일련번호"])
            assert record["조치대상"] in names
            assert record["조치대상"] in row["안건명"]
    codes = {row["소관부처코드"] for row in truth("lawSearch/eflaw", {"nw": "3"}).all()}
    assert codes == {ministry.code for ministry, _ in lawmaking()}


# worlds


def test_a_new_value_seed_leaves_the_law_alone_and_a_new_identity_does_not() -> None:
    small = [[law.name for law in laws(World(i, v, 0.02))] for i, v in ((0, 0), (0, 9), (9, 0))]
    assert small[0] == small[1] != small[2]


def test_a_small_world_answers_everything() -> None:
    from kopa_hf.sandbox.query import Query

    world = World(3, scale=0.02)
    empty = [
        operation
        for operation, handler in handlers("law").items()
        if operation.startswith("lawSearch/")
        and not any(p.required and p.role == "input" for p in TOOLS[operation].inputs)
        and not handler(world, Query(operation, {}, TOOLS[operation])).total  # type: ignore[union-attr]
    ]
    assert set(empty) <= {"lawSearch/lsRlt", "lawSearch/aiSearch", "lawSearch/aiRltLs", "lawSearch/oneview"}
