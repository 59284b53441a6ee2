"""The judge that asks a model: what it reads, what of its answer counts, and what becomes of the rest."""

from __future__ import annotations

import dataclasses
import datetime
import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.agent.models import EndpointModel, Message, RetryPolicy
from kopa_hf.catalog.tool import Endpoint, Field, Parameter
from kopa_hf.edge.arguments import ArgumentSource, parameter_keys
from kopa_hf.edge.build import build_graph
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.consulting import Consultant
from kopa_hf.edge.doors import JUDGEMENTS, open_judge
from kopa_hf.edge.feasibility import Binding, Judgement, RuleJudge
from kopa_hf.edge.graph import ToolGraph
from kopa_hf.edge.model_judge import INSTRUCTIONS, MAX_COLUMNS, ModelJudge, judge_messages, read_judgement
from kopa_hf.edge.store import Store
from kopa_hf.errors import BackendError, DataError

from .world import BILLS, DETAIL, TOOLS, make_tool

REGIONS = make_tool(
    "list_regions", fields=(Field("SIGUN_NM", "시군명"), Field("SIGUN_CD", "시군코드", format="digits:5"))
)
SHOPS = make_tool(
    "list_shops",
    (
        Parameter("rgn", "지역명", required=True),
        Parameter("kind", "업종", required=True, enum=("food", "cafe"), enum_labels=("음식점", "카페")),
        Parameter("ymd", "기준일자", required=True, format="YYYYMMDD"),
        Parameter("pin", "비밀 기호", required=True),
        Parameter("name", "상호"),
        Parameter("pageNo", "쪽", role="page"),
        Parameter("serviceKey", "인증키", required=True, role="key"),
    ),
    (Field("name", "상호"),),
)
GOOD = {
    "score": 0.84,
    "bindings": [{"parameter": "rgn", "field": "SIGUN_NM"}],
    "defaults": {"kind": "cafe", "pin": 7},
}


class Scripted:
    """Says one thing, or what a function of the question says."""

    def __init__(self, said: Any) -> None:
        self.said = said
        self.asked = 0

    async def complete(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> Message:
        self.asked += 1
        text = self.said(messages) if callable(self.said) else json.dumps(self.said)
        return {"role": "assistant", "content": text}


def test_every_required_input_gets_one_place() -> None:
    judgement = read_judgement(GOOD, REGIONS, SHOPS)
    assert judgement == Judgement(
        0.84,
        (Binding("rgn", "SIGUN_NM", 0.84, False),),
        defaults=("kind", "ymd"),
        clarify=("pin",),
        proposals=(("kind", "cafe"), ("pin", "7")),
    )
    places = {p.name: judgement.how(p.name) for p in SHOPS.parameters}
    assert places == {
        "rgn": "UPSTREAM", "kind": "DEFAULT", "ymd": "DEFAULT", "pin": "CLARIFY",
        "name": None, "pageNo": None, "serviceKey": None,
    }  # fmt: skip


def test_without_a_binding_there_is_no_link() -> None:
    assert read_judgement({"score": 0.9, "bindings": []}, REGIONS, SHOPS).score == 0.0
    assert read_judgement({"score": 0, "bindings": [], "defaults": None}, REGIONS, SHOPS).bindings == ()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"score": 1.2}, "between 0 and 1"),
        ({"score": "high"}, "between 0 and 1"),
        ({"score": True}, "between 0 and 1"),
        ({"score": None}, "between 0 and 1"),
        ({"bindings": None}, "bindings must be a list"),
        ({"bindings": {"rgn": "SIGUN_NM"}}, "bindings must be a list"),
        ({"bindings": ["rgn"]}, "each binding must be"),
        ({"bindings": [{"parameter": "rgn"}]}, "each binding must be"),
        ({"bindings": [{"parameter": "region", "field": "SIGUN_NM"}]}, "no input 'region'"),
        ({"bindings": [{"parameter": ["rgn"], "field": "SIGUN_NM"}]}, "no input"),
        ({"bindings": [{"parameter": "serviceKey", "field": "SIGUN_NM"}]}, "no input 'serviceKey'"),
        ({"bindings": [{"parameter": "pageNo", "field": "SIGUN_NM"}]}, "no input 'pageNo'"),
        ({"bindings": [{"parameter": "rgn", "field": "REGION"}]}, "no field 'REGION'"),
        ({"bindings": [{"parameter": "kind", "field": "SIGUN_NM"}]}, "listed choices"),
        ({"bindings": [{"parameter": "rgn", "field": f} for f in ("SIGUN_NM", "SIGUN_CD")]}, "bound twice"),
        ({"defaults": ["x"]}, "defaults must be an object"),
        ({"defaults": {"colour": "red"}}, "no input 'colour'"),
        ({"defaults": {"kind": "bar"}}, "'bar' is no choice of kind"),
        ({"defaults": {"pin": [1]}}, "must be one value"),
    ],
)
def test_what_does_not_fit_the_signatures_is_malformed(change: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_judgement({**GOOD, **change}, REGIONS, SHOPS)


PARTS = st.sampled_from(["score", "bindings", "defaults", "parameter", "field", "rgn", "SIGUN_NM"])
ANSWERS = st.recursive(
    st.none() | st.booleans() | st.floats() | PARTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(PARTS, inner, max_size=3),
    max_leaves=8,
)


@given(ANSWERS)
def test_no_answer_raises_anything_but_value_error(answer: object) -> None:
    try:
        judgement = read_judgement(answer, REGIONS, SHOPS)
    except ValueError:
        return
    assert 0 <= judgement.score <= 1


def test_the_prompt_carries_the_rules_and_the_two_signatures() -> None:
    for word in ("SIGUN_NM, REGION_NM and rgn", "between 0 and 1", "bindings", "defaults", "by meaning"):
        assert word in INSTRUCTIONS
    system, user = judge_messages(REGIONS, SHOPS)
    assert system == {"role": "system", "content": INSTRUCTIONS}
    assert user["content"].splitlines() == [
        "SOURCE list_regions: list_regions. list_regions",
        "Fields of its records:",
        "- SIGUN_NM (string): 시군명",
        "- SIGUN_CD (string, format digits:5): 시군코드",
        "",
        "TARGET list_shops: list_shops. list_shops",
        "Inputs:",
        "- rgn (string, required): 지역명",
        "- kind (string, required): 업종 [choices: food 음식점, cafe 카페]",
        "- ymd (string, required, format YYYYMMDD): 기준일자",
        "- pin (string, required): 비밀 기호",
        "- name (string, optional): 상호",
    ]


def test_a_wide_tool_is_cut_and_the_cut_is_said() -> None:
    wide = make_tool("wide", fields=tuple(Field(f"F{i}", f"열 {i}") for i in range(MAX_COLUMNS + 5)))
    text = judge_messages(wide, SHOPS)[1]["content"]
    assert f"F{MAX_COLUMNS - 1} " in text
    assert f"F{MAX_COLUMNS} " not in text
    assert "… and 5 more" in text


def test_the_model_reads_only_what_an_imported_specification_has() -> None:
    """Address, platform, wire, domain and source of the facts change; the question does not."""
    other = {"platform": "krx", "wire": "krx", "domain": "finance", "source": "elsewhere", "verified": False}
    moved = dataclasses.replace(SHOPS, endpoint=Endpoint(url="https://other.invalid", operation="x"), **other)  # type: ignore[arg-type]
    assert judge_messages(dataclasses.replace(REGIONS, **other), moved) == judge_messages(REGIONS, SHOPS)  # type: ignore[arg-type]


def links(messages: Sequence[Message]) -> str:
    """Links everything by CONF_ID or BILL_ID where both sides have it."""
    source, _, target = messages[1]["content"].partition("\n\n")
    for name in ("BILL_ID", "CONF_ID"):
        if f"- {name} " in source and f"- {name} " in target:
            return json.dumps({"score": 0.7, "bindings": [{"parameter": name, "field": name}]})
    return json.dumps({"score": 0.0, "bindings": []})


def test_a_graph_is_built_with_a_model_and_its_words_are_kept(tmp_path: Path) -> None:
    model = Scripted(links)
    graph = build_graph(TOOLS, judge=ModelJudge(Consultant(model, "m", store=Store(tmp_path / "j"))))
    assert graph.judge == "m (prompt 1)"
    assert {(e.source, e.target): e.score for e in graph.edges()} == {
        ("list_bills", "get_bill_detail"): 0.7,
        ("list_bills", "get_meeting_minutes"): 0.7,
    }
    asked = model.asked
    again = build_graph(TOOLS, judge=ModelJudge(Consultant(model, "m", store=Store(tmp_path / "j"))))
    assert model.asked == asked == graph.candidates
    assert again.signature() == graph.signature()


def test_a_proposed_value_is_taken_only_where_no_answer_has_shown_one(tmp_path: Path) -> None:
    tools = (REGIONS, SHOPS)
    said = {**GOOD, "defaults": {"pin": "7"}}
    empty = '{"score": 0, "bindings": []}'
    judge = ModelJudge(
        Consultant(Scripted(lambda m: json.dumps(said) if "TARGET list_shops" in m[1]["content"] else empty), "m")
    )
    build_graph(tools, judge=judge).save(tmp_path / "graph.json")
    values = ToolGraph.load(tmp_path / "graph.json").values
    pin = SHOPS.parameter("pin")
    assert pin is not None
    source = ArgumentSource({tool.name: tool for tool in tools}, values, datetime.date(2026, 1, 30))
    assert source.fillable(SHOPS, pin)
    assert values.choose(SHOPS.name, pin, random.Random(1)) == "7"
    values.add(parameter_keys(SHOPS.name, pin)[0], "42")
    assert {values.choose(SHOPS.name, pin, random.Random(seed)) for seed in range(20)} == {"42"}


@pytest.mark.parametrize(("concurrency"), [1, 7])
def test_a_pair_that_stays_malformed_is_left_out_and_counted_or_falls_to_the_rules(concurrency: int) -> None:
    def says(messages: Sequence[Message]) -> str:
        return "hm" if "TARGET get_bill_detail" in messages[1]["content"] else links(messages)

    dropped = build_graph(TOOLS, judge=ModelJudge(Consultant(Scripted(says), "m", concurrency=concurrency)))
    pairs = {(e.source, e.target) for e in dropped.edges()}
    assert pairs == {("list_bills", "get_meeting_minutes")}
    assert dropped.judge_errors == 2
    ruled = build_graph(TOOLS, judge=ModelJudge(Consultant(Scripted(says), "m", concurrency=concurrency), RuleJudge()))
    assert ruled.edge(BILLS.name, DETAIL.name).score == RuleJudge().judge(BILLS, DETAIL).score
    assert ruled.judge_errors == 2
    assert ruled.judge == "m (prompt 1), else rules-1"


def test_a_judge_that_never_answers_ends_the_build_with_state_kept(tmp_path: Path) -> None:
    many = tuple(
        make_tool(f"t{i:02}", (Parameter("BILL_ID", "의안ID"),), (Field("BILL_ID", "의안ID"),)) for i in range(12)
    )
    refused = EndpointModel(
        "http://judge.test/v1",
        "m",
        retry=RetryPolicy(attempts=2, first_wait=0.0),
        transport=httpx.MockTransport(lambda request: httpx.Response(500, text="out of memory")),
    )
    consultant = Consultant(refused, "m", store=Store(tmp_path / "j"))
    with pytest.raises(BackendError, match=r"'m' does not answer \(.*out of memory.*\)\. 0 answers are kept in"):
        build_graph(many, judge=ModelJudge(consultant))


def test_the_settings_name_the_judge(tmp_path: Path) -> None:
    assert isinstance(open_judge(EdgeConfig()), RuleJudge)
    judge = open_judge(EdgeConfig(judge="http://127.0.0.1:9/v1#Qwen/Qwen3.5-4B", judge_fallback="rules"), tmp_path)
    assert judge.name == "Qwen/Qwen3.5-4B (prompt 1), else rules-1"
    assert (tmp_path / JUDGEMENTS).exists()
    with pytest.raises(DataError, match="is no model"):
        open_judge(EdgeConfig(judge="oracle"))


def test_one_pair_can_be_judged_alone() -> None:
    assert ModelJudge(Consultant(Scripted(GOOD), "m")).judge(REGIONS, SHOPS).score == 0.84
    with pytest.raises(ValueError, match="no usable judgement"):
        ModelJudge(Consultant(Scripted("x"), "m")).judge(REGIONS, SHOPS)


@pytest.mark.slow
def test_a_model_on_this_machine_can_be_the_judge(tmp_path: Path) -> None:
    """One whose context no question fits into: every pair is counted and left to the rules."""
    pytest.importorskip("transformers")
    from tests.agent import tiny_chat

    tiny_chat.model().save_pretrained(tmp_path / "tiny")
    tiny_chat.tokenizer().save_pretrained(tmp_path / "tiny")
    settings = EdgeConfig(judge=str(tmp_path / "tiny"), judge_tokens=12, judge_attempts=2, judge_fallback="rules")
    graph = build_graph(TOOLS, settings, folder=tmp_path)
    ruled = build_graph(TOOLS)
    assert graph.judge == "tiny (prompt 1), else rules-1"
    assert graph.judge_errors == graph.candidates
    assert [(e.source, e.target, e.score) for e in graph.edges()] == [
        (e.source, e.target, e.score) for e in ruled.edges()
    ]
