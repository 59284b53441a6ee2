"""A small bill service behind an httpx transport: eight bills, their details, their votes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx

from kopa_hf.catalog.registry import Catalog
from kopa_hf.catalog.tool import Endpoint, Field, Paging, Parameter, Tool
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.feasibility import Binding
from kopa_hf.edge.graph import Edge, Evidence, ToolGraph
from kopa_hf.execution.executor import Executor

PAGING = Paging("pIndex", "pSize", default_size=5, max_size=100)


def service(name: str, title: str, parameters: tuple[Parameter, ...], fields: tuple[Field, ...]) -> Tool:
    paged = (
        Parameter("pIndex", "페이지", type="integer", role="page", default="1"),
        Parameter("pSize", "건수", type="integer", role="size", default="5"),
    )
    return Tool(
        name=name,
        platform="assembly",
        wire="assembly",
        domain="politics",
        title=title,
        description=title,
        endpoint=Endpoint(f"https://open.assembly.go.kr/portal/openapi/{name.upper()}", operation=name.upper()),
        parameters=(*parameters, *paged),
        fields=fields,
        paging=PAGING,
    )


BILLS = service(
    "list_bills",
    "의안 목록",
    (Parameter("BILL_NAME", "의안명"),),
    (
        Field("BILL_ID", "의안ID"),
        Field("BILL_NAME", "의안명"),
        Field("PROPOSE_DT", "제안일"),
        Field("YES", "찬성 의원수"),
    ),
)
DETAIL = service(
    "get_bill_detail",
    "의안 상세정보",
    (Parameter("BILL_ID", "의안ID", required=True),),
    (Field("BILL_ID", "의안ID"), Field("PROPOSER", "제안자"), Field("COST", "추계 금액", unit="원")),
)
COMMITTEE = service(
    "get_bill_committee",
    "의안 심사정보",
    (Parameter("BILL_ID", "의안ID", required=True),),
    (Field("BILL_ID", "의안ID"), Field("CMIT_NM", "위원회명"), Field("MEETINGS", "회의 횟수")),
)
VOTES = service(
    "list_bill_votes",
    "의안 표결 명단",
    (Parameter("BILL_ID", "의안ID", required=True),),
    (Field("HG_NM", "의원명"), Field("POLY_NM", "정당명"), Field("AGE_YEARS", "나이수")),
)
OPINIONS = service(
    "list_bill_opinions",
    "의안 의견 접수 현황",
    (Parameter("BILL_NAME", "의안명"),),
    (Field("BILL_NAME", "의안명"), Field("OPINIONS", "의견 접수건수", unit="건")),
)
ESTIMATES = service(
    "list_bill_estimates",
    "의안 비용추계 현황",
    (Parameter("BILL_NAME", "의안명"),),
    (Field("BILL_NAME", "의안명"), Field("ESTIMATES", "추계 요구건수", unit="건")),
)
TOOLS = (BILLS, DETAIL, COMMITTEE, VOTES, OPINIONS, ESTIMATES)

NAMES = ("하천법", "도로법", "산림법", "어촌법", "하천법", "공원법", "항만법", "철도법")
ROWS: list[dict[str, Any]] = [
    {"BILL_ID": f"PRC_{i:03}", "BILL_NAME": name, "PROPOSE_DT": f"2025-03-{10 + i}", "YES": 140 + 7 * i}
    for i, name in enumerate(NAMES)
]


def records_of(operation: str, asked: dict[str, str]) -> list[dict[str, Any]]:
    if operation == "LIST_BILLS":
        return [row for row in ROWS if asked.get("BILL_NAME", "") in row["BILL_NAME"]]
    if operation in ("LIST_BILL_OPINIONS", "LIST_BILL_ESTIMATES"):
        column, step = ("OPINIONS", 30) if operation == "LIST_BILL_OPINIONS" else ("ESTIMATES", 7)
        named = [(i, name) for i, name in enumerate(NAMES) if asked.get("BILL_NAME", "") in name]
        return [{"BILL_NAME": name, column: str(100 + step * i)} for i, name in named]
    index = next((i for i, row in enumerate(ROWS) if row["BILL_ID"] == asked.get("BILL_ID")), None)
    if index is None:
        return []
    bill = ROWS[index]["BILL_ID"]
    if operation == "GET_BILL_DETAIL":
        return [{"BILL_ID": bill, "PROPOSER": f"{'가나다라마바사아'[index]}온결", "COST": f"{(index + 1) * 1500:,}"}]
    if operation == "GET_BILL_COMMITTEE":
        return [{"BILL_ID": bill, "CMIT_NM": f"{'가나다라마바사아'[index]}람위원회", "MEETINGS": str(40 + index)}]
    return [
        {
            "HG_NM": f"{'가나다라마바사아'[v]}{'강남동렬'[index % 4]}솔",
            "POLY_NM": "새길당" if v < 3 else "온빛당",
            "AGE_YEARS": 41 + v,
        }
        for v in range(5)
    ]


def handler(request: httpx.Request) -> httpx.Response:
    operation = request.url.path.rsplit("/", 1)[-1]
    asked = dict(request.url.params)
    rows = records_of(operation, asked)
    page, size = int(asked.get("pIndex", 1)), int(asked.get("pSize", 5))
    shown = rows[(page - 1) * size : page * size]
    if not shown:
        return httpx.Response(200, json={"RESULT": {"CODE": "INFO-200", "MESSAGE": "해당하는 데이터가 없습니다."}})
    head = [{"list_total_count": len(rows)}, {"RESULT": {"CODE": "INFO-000", "MESSAGE": "정상"}}]
    return httpx.Response(200, text=json.dumps({operation: [{"head": head}, {"row": shown}]}, ensure_ascii=False))


def executor(answer: Callable[[httpx.Request], httpx.Response] = handler) -> Executor:
    return Executor(catalog=Catalog(TOOLS), transport=httpx.MockTransport(answer))


def graph(config: EdgeConfig | None = None) -> ToolGraph:
    """Every link from the list, tried and never failed."""
    made = ToolGraph(config or EdgeConfig(), judge="hand", embedder="hand")
    for name in NAMES[:6]:
        made.values.add(("used", "list_bills", "BILL_NAME"), name)
        made.values.add(("label", "name", "의안"), name)
    for tool in TOOLS:
        made.add_tool(tool)
    for target in (DETAIL, COMMITTEE, VOTES):
        evidence = Evidence(trials=4, semantic=4, cardinalities={8: 4}, backend="hand", first_trial=0, last_trial=1)
        binding = Binding("BILL_ID", "BILL_ID", 0.97)
        made.add_edge(Edge("list_bills", target.name, 0.97, 0.5, (binding,), (), (), 6.9, 1.06, evidence))
    return made
