"""Rows that are hard to carry: codes that look like numbers, absent and null keys, empty objects, nested lists."""

from __future__ import annotations

from functools import lru_cache

from kopa_hf.bench.rendering import RowPlan, render_row
from kopa_hf.bench.rows import Row
from kopa_hf.execution.executor import Executor


@lru_cache(maxsize=1)
def hard_rows() -> tuple[Row, ...]:
    """Three rows over local tools, each executed."""
    plans = (
        RowPlan(
            question="1,680원이 532원보다 몇 % 높은지 소수 둘째 자리까지 구해 줘.",
            tools=("evaluate_expression", "get_current_date"),
            program={
                "actions": [
                    {"id": "a1", "step": 1, "name": "evaluate_expression", "arguments": {"expression": "round((1680-532)/532*100, 2)"}}
                ],
                "answer": {"$from": "a1"},
                "slots": {},
            },
            answer_type="number",
            answer_unit="%",
            domain="finance",
            provenance={"note": {}, "codes": ["005930", "01", "null"], "nothing": None, "nested": [[1, [2, []]], {"x": []}]},
        ),
        RowPlan(
            question="오늘이 며칠인지 알려 줘.",
            tools=("get_current_date",),
            program={"actions": [{"id": "a1", "step": 1, "name": "get_current_date", "arguments": {}}], "answer": {"$from": "a1"}, "slots": {}},
            answer_type="date",
            domain="politics",
        ),
        RowPlan(
            question="'종목'이 005930인 한 줄짜리 표를 '코드표'로 저장해 줘.",
            tools=("save_table", "get_current_date"),
            program={
                "actions": [
                    {"id": "a1", "step": 1, "name": "save_table", "arguments": {"name": "코드표", "rows": [{"종목": "005930"}]}}
                ],
                "answer": "005930",
                "slots": {},
            },
            answer_type="code",
            reward_basis=("RESPONSE", "ENVIRONMENT"),
            domain="finance",
        ),
    )  # fmt: skip
    with Executor() as executor:
        return tuple(render_row(plan, executor) for plan in plans)
