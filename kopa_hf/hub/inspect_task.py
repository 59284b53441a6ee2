"""KOPA-Bench as an Inspect task: `inspect eval kopa_hf/kopa_bench --model PROVIDER/MODEL`.

Inspect's models, our loop, tools and scorer: what a rollout earns here it earns in
`kopa eval`. The module is the package's `inspect_ai` entry point, so only Inspect
loads it.

    -T config=held_out      default, held_out or a domain
    -T data=FOLDER          a folder of `kopa bench export`, or a Hub repository; default: the embedded tasks
    -T policy=gold          a scripted policy in the model's place (with --model none/none)

`kopa_hf/bfcl` is registered here, too.
"""

from __future__ import annotations

from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Score, Scorer, Target, accuracy, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from kopa_hf.agent.environment import shared_executor
from kopa_hf.agent.loop import run_agent
from kopa_hf.agent.models import ModelError
from kopa_hf.agent.session import Session
from kopa_hf.bench.inspect_log import RUN, conversation, said
from kopa_hf.bench.model_policy import run_notes
from kopa_hf.bench.policies import POLICIES
from kopa_hf.bench.reasons import explain
from kopa_hf.bench.rollouts import Rollout
from kopa_hf.bench.rows import Row, row_from_dict, row_to_dict
from kopa_hf.bench.run_log import log_line, scored_again
from kopa_hf.bench.runner import open_session
from kopa_hf.bench.scoring import score_rollout
from kopa_hf.bench.worlds import refuse_other_worlds
from kopa_hf.errors import DataError
from kopa_hf.hub.inspect_bfcl import bfcl as bfcl
from kopa_hf.hub.inspect_model import InspectModel
from kopa_hf.hub.loading import CONFIGS, dataset_rows, embedded_rows, in_config, load_kopa_bench


@task  # type: ignore[untyped-decorator]
def kopa_bench(config: str = "default", data: str | None = None, policy: str | None = None) -> Task:
    """Korean tasks that need chains of tool calls over open public APIs."""
    if config not in CONFIGS:
        raise DataError(f"The benchmark has no config {config!r}; it has {', '.join(CONFIGS)}.")
    if data is None:
        rows = [row for row in embedded_rows() if in_config(row, config)]
    else:
        rows = dataset_rows(load_kopa_bench(data, config=config))
    return Task(
        dataset=MemoryDataset([kopa_sample(row) for row in rows], name="kopa-bench"),
        solver=kopa_agent(policy=policy),
        scorer=kopa_score(),
    )


@solver  # type: ignore[untyped-decorator]
def kopa_agent(policy: str | None = None, max_turns: int = 30) -> Solver:
    """The benchmark's tool-calling loop around the model under evaluation, or a scripted policy."""
    if policy is not None and policy not in POLICIES:
        raise DataError(f"No scripted policy {policy!r}. There are: {', '.join(POLICIES)}.")

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        row = row_from_dict(state.metadata["row"])
        number = state.epoch - 1
        session = open_session(row, shared_executor(), stream=f"0/{number}")
        model = InspectModel()
        notes: tuple[str, ...] = ()
        if policy is not None:
            answer = POLICIES[policy].run(row, session)
        else:
            answer, notes = await _played(model, row, session, max_turns)
        line = _line(policy or str(state.model), row, number, session, answer, notes)
        state.store.set(RUN, line)
        state.messages = model.messages or [*map(said, row.prompt), *conversation(line, policy or "")]
        state.output = model.output or ModelOutput.from_content(policy or str(state.model), answer or "")
        return state

    return solve


@scorer(metrics=[mean(), stderr()])  # type: ignore[untyped-decorator]
def kopa_score() -> Scorer:
    """1 where every basis of the task holds, else 0, with the reasons; a spoiled rollout counts in no mean."""

    async def score(state: TaskState, target: Target) -> Score:
        line = state.store.get(RUN)
        if line is None:
            raise DataError("This run has no KOPA rollout in its store; use the solver kopa_hf/kopa_agent.")
        score = scored_again(line, row_from_dict(state.metadata["row"])).score
        return Score(
            value=float("nan") if score.reward is None else score.reward,
            answer=line["answer"],
            explanation="\n".join(explain(reason, "en") for reason in score.reasons) or None,
            metadata=score.to_dict(),
        )

    return score


@scorer(metrics=[accuracy(), stderr()])  # type: ignore[untyped-decorator]
def kopa_accuracy() -> Scorer:
    """`kopa_score` under the name that lighteval's table has a column for."""
    return kopa_score()


async def _played(
    model: InspectModel, row: Row, session: Session, max_turns: int
) -> tuple[str | None, tuple[str, ...]]:
    """The final answer and notes; raises `ModelError` for a fault, which makes the sample an error and no score."""
    try:
        run = await run_agent(model, row.prompt, row.tools, session, max_turns=max_turns)
    except ModelError as error:
        # as at `ModelPolicy.arun`: a prompt that does not fit is the set-up's fault, what outgrows the context later is not
        if error.kind == "context" and model.turns:
            return None, ("context",)
        raise
    cut_off = model.output is not None and model.output.stop_reason in ("max_tokens", "model_length")
    return run.answer, run_notes(run) + ("token_budget",) * cut_off


def _line(
    agent: str, row: Row, number: int, session: Session, answer: str | None, notes: tuple[str, ...]
) -> dict[str, Any]:
    score = score_rollout(row, session.calls, session.state_hash, answer, notes=notes)
    requests = sum(call.result.requests for call in session.calls)
    rollout = Rollout(row.id, number, answer, score, len(session.calls), requests, int("wrong_channel" in notes))
    return log_line(agent, row, 0, rollout, session, notes)


def kopa_sample(row: Row) -> Sample:
    """A row as a sample; the whole row travels in its metadata. Raises `DataError` for a row of another sandbox world."""
    refuse_other_worlds([{"id": row.id, "provenance": row.provenance}])
    return Sample(
        id=str(row.provenance.get("task", row.id)),
        input=[said(message) for message in row.prompt],
        target=row.answer,
        metadata={"domain": row.domain, "structure": row.structure, "row": row_to_dict(row)},
    )
