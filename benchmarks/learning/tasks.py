"""The subset `easy-2hop`: one or two calls about one entity, for models too small for anything else.

Every row is executed on the sandbox by `render_row`, as all rows of this project are. Its entities (tollgates,
bus stops, skilled artisans) are parted before any row is made, so no entity of one split occurs in another.
A question names its entity and nothing that only an answer gives.
"""

from __future__ import annotations

import dataclasses
import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.bench.expressions import ProgramError
from kopa_hf.bench.rendering import RowPlan, render_row
from kopa_hf.bench.rows import Row
from kopa_hf.execution.executor import Executor
from kopa_hf.sandbox.entities import population

SUBSET: Final = "easy-2hop"
SPLITS: Final = ("train", "dev", "validation")
SHARES: Final = {"validation": 0.25, "dev": 0.1}
"""Of the entities; the others are for training. `dev` is what settings were chosen by."""
SYSTEM_PROMPT: Final = "도구를 호출해 답하고, 답이 되는 값은 마지막에 \\boxed{} 안에 적는다."
"""Shorter than the benchmark's own: a small model pays for every token of it in each of its turns."""
REPLY: Final = "답은 다음과 같다."

_CODES: Final = "list_expressway_tollgate_codes"
_PLACES: Final = "list_expressway_tollgate_locations"
_STOP: Final = "get_gyeonggi_bus_station"
_ARTISAN: Final = "get_hrdk_meisternet_artisan"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of task: a chain of calls over entities of one code system."""

    name: str
    system: str
    """Code system of the entity that the question names."""
    offered: tuple[str, str]
    chain: tuple[tuple[str, str], ...]
    """(tool, parameter) in order. The first parameter is filled from the question, the others from the field of the
    same name in the answer before."""
    field: str
    """What is asked for, in the last answer."""
    answer_type: str
    domain: str
    questions: tuple[str, ...]
    """With `{x}` for the entity."""

    def program(self, entity: str) -> dict[str, Any]:
        """In the program language of the benchmark."""
        actions = []
        for at, (tool, parameter) in enumerate(self.chain, start=1):
            source = {"$slot": "x"} if at == 1 else {"$from": f"a{at - 1}", "field": parameter}
            actions.append({"id": f"a{at}", "step": at, "name": tool, "arguments": {parameter: source}})
        return {"actions": actions, "answer": {"$from": actions[-1]["id"], "field": self.field}, "slots": {"x": entity}}


_TOLLGATES: Final[dict[str, Any]] = {"offered": (_CODES, _PLACES), "domain": "traffic"}
_NUMBERED: Final[dict[str, Any]] = {"offered": (_STOP, _ARTISAN)}

KINDS: Final = (
    Kind(
        "tollgate-code", "ex.tollgate.name", chain=((_CODES, "unitName"),), field="unitCode", answer_type="code",
        questions=("'{x}' 영업소의 코드는?", "영업소 '{x}'의 코드를 알려 줘.", "'{x}' 영업소 코드가 무엇인가요?"), **_TOLLGATES,
    ),
    Kind(
        "tollgate-route", "ex.tollgate.name", chain=((_CODES, "unitName"), (_PLACES, "unitCode")), field="routeNo",
        answer_type="code",
        questions=("'{x}' 영업소의 노선번호는?", "영업소 '{x}'의 노선번호를 알려 줘.", "'{x}' 영업소 노선번호가 무엇인가요?"),
        **_TOLLGATES,
    ),
    Kind(
        "tollgate-longitude", "ex.tollgate.name", chain=((_CODES, "unitName"), (_PLACES, "unitCode")), field="xValue",
        answer_type="number",
        questions=("'{x}' 영업소의 경도는?", "영업소 '{x}'의 경도를 알려 줘.", "'{x}' 영업소 경도가 얼마인가요?"), **_TOLLGATES,
    ),
    Kind(
        "tollgate-latitude", "ex.tollgate.name", chain=((_CODES, "unitName"), (_PLACES, "unitCode")), field="yValue",
        answer_type="number",
        questions=("'{x}' 영업소의 위도는?", "영업소 '{x}'의 위도를 알려 줘.", "'{x}' 영업소 위도가 얼마인가요?"), **_TOLLGATES,
    ),
    Kind(
        "stop-number", "gyeonggi.bus.station_id", chain=((_STOP, "stationId"),), field="mobileNo", answer_type="code",
        questions=("정류소 '{x}'의 정류소번호는?", "정류소 '{x}'의 정류소번호를 알려 줘."), domain="district", **_NUMBERED,
    ),
    Kind(
        "stop-name", "gyeonggi.bus.station_id", chain=((_STOP, "stationId"),), field="stationName", answer_type="text",
        questions=("정류소 '{x}'의 이름은?", "정류소 '{x}'의 이름을 알려 줘."), domain="district", **_NUMBERED,
    ),
    Kind(
        "artisan-name", "hrdk.artisan_no", chain=((_ARTISAN, "queryNo"),), field="meiNm", answer_type="text",
        questions=("기술인 '{x}'의 이름은?", "기술인 '{x}'의 이름을 알려 줘."), domain="education", **_NUMBERED,
    ),
)  # fmt: skip


def split_of(system: str, entity: str) -> str:
    """The split of an entity, by a hash of it alone: the same in every run and for all kinds of tasks."""
    digest = hashlib.sha256(f"{SUBSET}/{system}/{entity}".encode()).digest()
    place = int.from_bytes(digest[:8], "big") / 2**64
    if place < SHARES["validation"]:
        return "validation"
    return "dev" if place < SHARES["validation"] + SHARES["dev"] else "train"


def build(sizes: dict[str, int], executor: Executor, seed: int = 0) -> dict[str, list[Row]]:
    """Rows per split, as many of each kind as there can be without one kind outnumbering another."""
    rows: dict[str, list[Row]] = {}
    for split, size in sizes.items():
        per_kind = -(-size // len(KINDS))
        made = [row for kind in KINDS for row in _rows(kind, split, per_kind, executor, seed)]
        random.Random(f"{SUBSET}/{split}/{seed}").shuffle(made)
        rows[split] = made[:size]
    return rows


def _rows(kind: Kind, split: str, number: int, executor: Executor, seed: int) -> Iterator[Row]:
    """Up to `number` rows of one kind: each entity in one wording before any in a second one."""
    entities = [x for x in population(executor.transport.world, kind.system) if split_of(kind.system, x) == split]
    dice = random.Random(f"{SUBSET}/{kind.name}/{split}/{seed}")
    dice.shuffle(entities)
    wordings = {entity: dice.sample(kind.questions, len(kind.questions)) for entity in entities}
    jobs = [(entity, wordings[entity][turn]) for turn in range(len(kind.questions)) for entity in entities]
    made = 0
    for entity, wording in jobs:
        if made == number:
            return
        row = _row(kind, entity, wording, executor)
        if row is not None:
            made += 1
            yield row


def _row(kind: Kind, entity: str, wording: str, executor: Executor) -> Row | None:
    """One row; None where the chain does not lead to exactly one value (names that others contain, empty fields)."""
    plan = RowPlan(
        question=wording.format(x=entity),
        tools=kind.offered,
        program=kind.program(entity),
        answer_type=kind.answer_type,
        reply=REPLY,
        system_prompt=SYSTEM_PROMPT,
        domain=kind.domain,
        provenance={"subset": SUBSET, "kind": kind.name, "system": kind.system, "entity": entity},
    )
    try:
        row = render_row(plan, executor)
    except ProgramError:
        return None
    single = all('"total":1,' in message["content"] for message in row.completion if message["role"] == "tool")
    found = [str(value) for action in row.golden_actions[1:] for value in action["arguments"].values()]
    leaks = any(value in plan.question for value in (*found, row.answer))
    return row if single and row.answer and not leaks else None


def shuffled(rows: Sequence[Row], seed: int = 0) -> list[Row]:
    """The control: every question with the golden run of another entity's row of the same kind.

    Tools, form and length of the runs stay what they are; what a run does no longer follows from the question.
    Prompts, ids and what rewards are judged by stay true: only the demonstrations lie.
    """
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.provenance["kind"], []).append(row)
    given: dict[str, Row] = {}
    for kind, group in groups.items():
        order = list(group)
        random.Random(f"{SUBSET}/shuffled/{kind}/{seed}").shuffle(order)
        order.sort(key=lambda row: row.provenance["entity"])
        # rows of one entity stand together; by half the list further on there is always another one
        step = len(order) // 2
        for at, row in enumerate(order):
            given[row.id] = order[(at + step) % len(order)]
    return [
        dataclasses.replace(row, completion=given[row.id].completion, golden_actions=given[row.id].golden_actions)
        for row in rows
    ]


def entities(rows: Sequence[Row]) -> set[tuple[str, str]]:
    """(code system, entity) of the rows."""
    return {(row.provenance["system"], row.provenance["entity"]) for row in rows}
