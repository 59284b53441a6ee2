"""Final sentences of trajectories: in words of their own, values as people write them, the plain value in the box."""

from __future__ import annotations

import dataclasses
import re

import pytest

from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.export import row_of
from kopa_hf.edge.synthesis import synthesize
from kopa_hf.edge.trajectory import Trajectory
from kopa_hf.hub.folder import sft_table

from . import bill_service as bills

CONFIG = EdgeConfig(rows=40, attempts_per_row=30, seed=3)


@pytest.fixture(scope="module")
def made() -> list[Trajectory]:
    return synthesize(bills.graph(), bills.executor(), CONFIG)


def sentence(trajectory: Trajectory, **changes: object) -> str:
    changed = dataclasses.replace(trajectory, row=None, **changes)  # type: ignore[arg-type]
    return str(row_of(changed, bills.executor(), CONFIG).completion[-1]["content"])


def test_numbers_and_days_are_written_out_beside_the_plain_box(made: list[Trajectory]) -> None:
    base = next(t for t in made if t.structure == "SEQ")
    program = {**base.program, "answer": "12000"}
    said = sentence(
        base, program=program, answer="12000", answer_type="amount", answer_unit="원", reply="값은 {answer}입니다."
    )
    assert said == "값은 12,000원입니다. \\boxed{12000원}"
    program = {**base.program, "answer": "20260105"}
    said = sentence(
        base, program=program, answer="20260105", answer_type="date", answer_unit="", reply="{answer:으로/로} 나옵니다."
    )
    assert said == "2026년 1월 5일로 나옵니다. \\boxed{20260105}"
    program = {**base.program, "answer": "00123"}
    said = sentence(
        base, program=program, answer="00123", answer_type="code", answer_unit="", reply="답은 {answer}입니다."
    )
    assert said == "답은 00123입니다. \\boxed{00123}"


def test_rows_for_fine_tuning_are_whole_conversations_that_end_in_words_of_their_own(made: list[Trajectory]) -> None:
    rows = [row_of(t, bills.executor(), CONFIG) for t in made]
    records = sft_table(rows, split="train").records
    assert len(records) == len(rows)
    shapes = set()
    for record, row in zip(records, rows, strict=True):
        roles = [message["role"] for message in record["messages"]]
        assert roles[:3] == ["system", "user", "assistant"]
        assert roles[-1] == "assistant"
        calls = [call for m in record["messages"] for call in m.get("tool_calls") or ()]
        assert [call["id"] for call in calls] == [m["tool_call_id"] for m in record["messages"] if m["role"] == "tool"]
        assert [(c["function"]["name"], c["function"]["arguments"]) for c in calls] == [
            (action["name"], action["arguments"]) for action in row.golden_actions
        ]
        assert record["tools"] == row.tools
        last = record["messages"][-1]["content"]
        assert re.search(r"[가-힣].*\\boxed\{.+\}$", last)
        shapes.add(re.sub(r"[\d,.]+|[^ ]+(은|는) ", "", last.split(" \\boxed")[0])[:12])
    assert len(shapes) >= 6
