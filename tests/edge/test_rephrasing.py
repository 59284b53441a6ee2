from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from kopa_hf.agent.models import EndpointModel, RetryPolicy
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.consulting import Consultant
from kopa_hf.edge.filtering import filter_trajectories
from kopa_hf.edge.rephrasing import check_rephrased, literals, names_to_keep, open_rephraser, rephrase
from kopa_hf.edge.store import Store
from kopa_hf.edge.synthesis import synthesize
from kopa_hf.edge.trajectory import Funnel, Trajectory

from . import bill_service as bills

CONFIG = EdgeConfig(rows=12, attempts_per_row=30, seed=3)
TEXT = "열린국회정보의 의안 목록에서 의안명이 '도로법'이고 추계 금액이 1,500원 이상인 의안의 제안일이 2025년 3월 5일보다 늦은지 알려 주세요."


def trajectory(**changes: Any) -> Trajectory:
    settings: dict[str, Any] = {
        "structure": "SEQ",
        "program": {"actions": [], "answer": "나온결"},
        "question": TEXT,
        "answer_type": "text",
        "answer": "나온결",
        "tools": ("list_bills",),
        "intermediate": ("PRC_001",),
    }
    return Trajectory(**{**settings, **changes})


KEPT = ("의안 목록", "의안명", "추계 금액", "제안일")


@pytest.mark.parametrize(
    "text",
    [
        "의안 목록(열린국회정보)을 보고, 의안명이 '도로법'이면서 추계 금액이 1500원 이상인 의안의 제안일이 2025.3.5보다 늦은지 알려 주세요.",
        "열린국회정보의 의안 목록 기준으로 추계 금액 1,500원 이상, 의안명 '도로법'인 의안은 제안일이 2025-03-05보다 늦은가요?",
    ],
)
def test_other_words_with_the_same_literals_are_taken(text: str) -> None:
    check_rephrased(text, trajectory(), KEPT)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (TEXT.replace("도로법", "산림법"), "quoted names"),
        (TEXT.replace("3월 5일", "3월 6일"), "dates"),
        (TEXT.replace("1,500원", "1,500건"), "numbers with units"),
        (TEXT.replace("1,500원", "1,600원"), "numbers with units"),
        (TEXT.replace("알려", "3건만 알려"), "numbers with units"),
        (TEXT.replace("알려", "백오십 건까지 알려"), "numbers with units"),
        (TEXT.replace("이상", "이하"), "comparisons"),
        (TEXT.replace("의안 목록", "법안 목록"), "letter by letter"),
        (TEXT.replace("추계 금액", "비용"), "letter by letter"),
        (TEXT.replace("알려", "BILL로 알려"), "these words are new"),
        (TEXT.replace("알려", "나온결을 알려"), "has to be looked up"),
        (TEXT.rstrip("."), "no clean Korean sentence"),
    ],
)
def test_a_lost_or_added_literal_is_refused_with_its_name(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem.replace("(", r"\(")):
        check_rephrased(text, trajectory(), KEPT)


def test_literals_are_read_by_value_not_by_spelling() -> None:
    assert literals("1,680원과 2025년 3월 5일, 1.5km") == literals("1680 원과 2025-03-05, 1,500m")
    assert literals("제22대 국회의 '가법'").names == {"가법": 1}
    assert literals("값이 가장 큰 것의 합계").directions == {"가장 큰 쪽": 1, "합계": 1}


def endpoint(say: Callable[[str], str], seen: list[str] | None = None) -> EndpointModel:
    """An OpenAI-compatible server that answers by a function of the user's text."""

    def handle(request: httpx.Request) -> httpx.Response:
        asked = json.loads(request.content)["messages"][1]["content"].split("\n")[0].removeprefix("질문: ")
        if seen is not None:
            seen.append(asked)
        content = json.dumps({"question": say(asked)}, ensure_ascii=False)
        return httpx.Response(200, json={"choices": [{"message": {"role": "assistant", "content": content}}]})

    return EndpointModel("http://127.0.0.1:9/v1", "m", transport=httpx.MockTransport(handle), retry=RetryPolicy(1))


def found() -> list[Trajectory]:
    return synthesize(bills.graph(), bills.executor(), CONFIG)


def politely(question: str) -> str:
    """The same sentence with a greeting in front: every literal stays."""
    return f"안녕하세요. {question}"


def test_rephrased_rows_pass_the_filter_and_say_so(tmp_path: Path) -> None:
    made, funnel = found(), Funnel()
    seen: list[str] = []
    before = [t.question for t in made]
    with Consultant(endpoint(politely, seen), "m", store=Store(tmp_path / "kept")) as consultant:
        rephrase(made, consultant, bills.executor().catalog, funnel=funnel)
    assert [t.question for t in made] == [politely(text) for text in before]
    assert [t.drafted for t in made] == before
    assert funnel.notes["questions rephrased"] == len(made)
    kept = filter_trajectories(made, bills.executor(), CONFIG)
    assert len(kept) >= 0.8 * len(made)
    row = kept[0].row
    assert row is not None
    assert row.prompt[-1]["content"].startswith("안녕하세요.")
    assert row.provenance["rephrased"] is True
    again = found()
    with Consultant(endpoint(politely, seen), "m", store=Store(tmp_path / "kept")) as consultant:
        rephrase(again, consultant, bills.executor().catalog)
        assert consultant.cached == len(again)
    assert len(seen) == len(made), "kept answers are not asked for again"


def test_what_the_model_breaks_stays_in_the_templates_words() -> None:
    made, funnel = found()[:8], Funnel()
    before = [t.question for t in made]
    consultant = Consultant(endpoint(lambda text: text + " 2030년 기준입니다."), "m", attempts=2)
    rephrase(made, consultant, bills.executor().catalog, funnel=funnel)
    assert [t.question for t in made] == before
    assert all(not t.drafted for t in made)
    assert consultant.malformed == len(made)
    assert funnel.notes["questions left in the template's words"] == len(made)


def test_titles_and_columns_of_the_question_are_kept() -> None:
    kept = names_to_keep(trajectory(), bills.executor().catalog)
    assert "의안 목록" in kept
    assert {"의안명", "제안일"} <= set(kept)


def test_no_model_no_door() -> None:
    assert open_rephraser(EdgeConfig()) is None
