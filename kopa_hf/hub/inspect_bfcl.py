"""BFCL as an Inspect task: `inspect eval kopa_hf/bfcl --model PROVIDER/MODEL -T data=WHEEL`.

Inspect's models, our loop and both verdicts; no download, unlike with inspect-evals' own port.

    -T data=SOURCE          a folder, a bfcl-eval wheel, or hub:OWNER/NAME; default: KOPA_BFCL_DATA
    -T category=NAME        a category or group (default all), several with commas
    -T mode=prompt          functions in the system prompt and calls as text; default fc, the call channel
    -T policy=gold          a scripted agent in the model's place (with --model none/none)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageAssistant, ModelOutput
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from kopa_hf.bench.asking import Solved
from kopa_hf.bench.bfcl.agents import agent_named
from kopa_hf.bench.bfcl.categories import categories_of, is_multi_turn
from kopa_hf.bench.bfcl.entries import Entry
from kopa_hf.bench.bfcl.scoring import Mode, score
from kopa_hf.bench.bfcl.solving import solve
from kopa_hf.bench.bfcl.source import code_root, load_entries, open_source, present
from kopa_hf.bench.bfcl.summary import Mark, labelled_figures
from kopa_hf.bench.inspect_log import said
from kopa_hf.errors import DataError
from kopa_hf.hub.inspect_model import InspectModel

RESULT: Final = "kopa_bfcl"
"""Key of a sample's store: mode, result and notes, in the shape of the official result files."""


@task  # type: ignore[untyped-decorator]
def bfcl(
    category: str | list[str] = "all", data: str | None = None, mode: str = "fc", policy: str | None = None
) -> Task:
    """The Berkeley Function-Calling Leaderboard: the official verdict, and a value-typed one beside it."""
    source = open_source(data)
    asked = category.split(",") if isinstance(category, str) else list(category)
    held = present(source)
    categories = [name for name in categories_of(asked) if name in held or name in asked]
    root = code_root(source) if any(map(is_multi_turn, categories)) else None
    entries = list(load_entries(source, categories))
    counts = Counter(entry.category for entry in entries)
    return Task(
        dataset=MemoryDataset([bfcl_sample(entry.to_row(), counts) for entry in entries], name="bfcl"),
        solver=bfcl_agent(mode=mode, policy=policy, root=None if root is None else str(root)),
        scorer=bfcl_score(root=None if root is None else str(root)),
    )


@solver  # type: ignore[untyped-decorator]
def bfcl_agent(mode: str = "fc", policy: str | None = None, root: str | None = None) -> Solver:
    """The leaderboard's protocol around the model under evaluation. `root`: where bfcl_eval lies."""
    if mode not in ("fc", "prompt"):
        raise DataError(f"No mode {mode!r}; there are fc and prompt.")
    way: Mode = "prompt" if mode == "prompt" else "fc"
    if policy not in (None, "gold", "null"):
        raise DataError(f"No scripted agent {policy!r}; there are gold and null.")

    async def run(state: TaskState, generate: Generate) -> TaskState:
        entry = Entry.from_row(state.metadata["row"])
        if policy is not None:
            solved = await agent_named(f"policy:{policy}", way, None).answer(entry)
            state.output = ModelOutput.from_content(policy, str(solved.result))
        else:
            model = InspectModel()
            solved = await solve(entry, model, way, _apis(entry, root))
            state.messages, state.output = model.messages, model.output
        state.store.set(RESULT, _record(way, solved))
        return state

    return run


@metric  # type: ignore[untyped-decorator]
def leaderboard() -> Metric:
    """The three numbers, then every category, from samples' marks.

    With --limit, or where samples failed, a category that is not complete is named with how much of it was scored,
    and no number stands on it.
    """

    def compute(scores: list[SampleScore]) -> dict[str, str | int | float | bool | None]:
        told = [one.sample_metadata or {} for one in scores]
        marks = [Mark(one.score.as_float(), about["category"]) for one, about in zip(scores, told, strict=True)]
        counts = {about["category"]: about["entries"] for about in told if "entries" in about}
        return dict(labelled_figures(marks, counts))

    return compute


@metric  # type: ignore[untyped-decorator]
def overall() -> Metric:
    """Share of right answers over all categories that were asked; of a part of their entries it goes by another name."""

    def compute(scores: list[SampleScore]) -> dict[str, str | int | float | bool | None]:
        if not scores:
            return {}
        asked = (scores[0].sample_metadata or {}).get("asked", len(scores))
        share = sum(one.score.as_float() for one in scores) / len(scores)
        if asked != len(scores):
            return {f"accuracy ({len(scores)} of {asked})": share}
        return {"accuracy": share, "stderr": cast(float, stderr()(scores))}

    return compute


@scorer(metrics={"strict": [overall(), leaderboard()], "typed": [overall(), leaderboard()]})  # type: ignore[untyped-decorator]
def bfcl_score(root: str | None = None) -> Scorer:
    """Both verdicts on what the agent did, with the kinds of errors."""

    async def compute(state: TaskState, target: Target) -> Score:
        record = state.store.get(RESULT)
        if record is None:
            raise DataError("This run has no BFCL result in its store; use the solver kopa_hf/bfcl_agent.")
        entry = Entry.from_row(state.metadata["row"])
        found = score(entry, record["mode"], record["result"], _apis(entry, root))
        return Score(
            value={"strict": float(found.strict.valid), "typed": float(found.typed.valid)},
            answer=str(record["result"]),
            explanation=f"strict: {found.strict.error or 'right'}; typed: {found.typed.error or 'right'}",
            metadata={"notes": record["notes"], "wrong_channel": found.wrong_channel},
        )

    return compute


@scorer(metrics=[overall()])  # type: ignore[untyped-decorator]
def bfcl_accuracy() -> Scorer:
    """The official verdict alone, under the name that lighteval's table has a column for if the run was complete."""
    both = bfcl_score()

    async def compute(state: TaskState, target: Target) -> Score:
        found = await both(state, target)
        assert found is not None
        assert isinstance(found.value, dict)
        return Score(value=found.value["strict"], answer=found.answer, explanation=found.explanation)

    return compute


def bfcl_sample(row: dict[str, Any], counts: Mapping[str, int] | None = None) -> Sample:
    """A row of the prepared dataset as a sample; the whole row travels in its metadata.

    `counts`: entries by category that the task has, so that metrics know when a part of them was scored.
    """
    entry = Entry.from_row(row)
    kept = {name: row[name] for name in ("id", "category", "entry")}
    about = {} if counts is None else {"entries": counts[entry.category], "asked": sum(counts.values())}
    return Sample(
        id=entry.id,
        input=[
            ChatMessageAssistant(content=message["content"]) if message["role"] == "assistant" else said(message)
            for message in entry.turns[0]
        ],
        target=[str(call) for call in entry.gold] or "",
        metadata={"category": entry.category, "row": kept, **about},
    )


def _apis(entry: Entry, root: str | None) -> Path | None:
    if not is_multi_turn(entry.category):
        return None
    return Path(root) if root is not None else code_root(open_source(None))


def _record(mode: Mode, solved: Solved) -> dict[str, Any]:
    return {"mode": mode, "result": solved.result, "notes": list(solved.notes)}
