"""Logs of `kopa eval` as Inspect logs: its viewer, its data frames and its readers open them.

Scores are today's (`rescoring.rescore`). Each sample's store holds the rollout as a line of our
log and the row that it ran on, so a file can be scored again as our own logs can. A fault becomes a sample with an error and no
score, so Inspect leaves it out of its averages as we do.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kopa_hf._version import __version__
from kopa_hf.agent.trimming import dump
from kopa_hf.bench.metrics import Metrics
from kopa_hf.bench.reasons import explain
from kopa_hf.bench.rescoring import Rescored, rescore_log
from kopa_hf.bench.rollouts import PolicyReport
from kopa_hf.bench.rows import Row
from kopa_hf.bench.run_log import read_run_log, row_line
from kopa_hf.errors import MissingExtraError

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

SCORER: Final = "kopa_score"
"""Name of the score in every sample."""
RUN: Final = "kopa_run"
"""Key of a sample's store that holds the rollout as a line of our log."""
RAN: Final = "kopa_row"
"""Key of a sample's store that holds the row it ran on."""


def require_inspect() -> None:
    """Say how to install Inspect where it is missing."""
    if find_spec("inspect_ai") is None:
        raise MissingExtraError("inspect_ai", "eval")


def inspect_logs(log: Path, rows: Iterable[Row]) -> dict[str, EvalLog]:
    """Policy → its runs in LOG as one Inspect log. Rows that are gone are left out."""
    require_inspect()
    rescoring = rescore_log(read_run_log(log), rows)
    created = datetime.datetime.fromtimestamp(log.stat().st_mtime, datetime.UTC).isoformat(timespec="seconds")
    compared = [rescored for rescored in rescoring.rollouts if rescored.comparable]
    return {
        agent: _eval_log(found, [r for r in compared if r.agent == agent], log.name, created)
        for agent, found in rescoring.reports().items()
    }


def write_inspect_logs(log: Path, rows: Iterable[Row], folder: Path) -> list[Path]:
    """One `.eval` file per policy of LOG in `folder`; the files' paths."""
    require_inspect()
    from inspect_ai.log import write_eval_log

    written = []
    folder.mkdir(parents=True, exist_ok=True)
    for policy, found in inspect_logs(log, rows).items():
        name = "".join(char if char.isalnum() or char in "-._" else "-" for char in policy)
        path = folder / f"{log.stem}.{name}.eval"
        write_eval_log(found, str(path), format="eval")
        written.append(path)
    return written


def _eval_log(report: PolicyReport, rollouts: Sequence[Rescored], source: str, created: str) -> EvalLog:
    from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalResults, EvalSpec, EvalStats

    samples = sorted((_sample(rescored) for rescored in rollouts), key=lambda sample: (str(sample.id), sample.epoch))
    names = list(dict.fromkeys(sample.id for sample in samples))
    epochs = max(sample.epoch for sample in samples)
    return EvalLog(
        status="success",
        eval=EvalSpec(
            created=created,
            task="kopa_hf/kopa_bench",
            task_registry_name="kopa_hf/kopa_bench",
            dataset=EvalDataset(name="kopa-bench", samples=len(names), sample_ids=names, shuffled=False),
            model=report.policy,
            model_args=dict(rollouts[0].line.get("settings") or {}),
            config=EvalConfig(epochs=epochs),
            packages={"kopa_hf": __version__},
            metadata={"log": source},
        ),
        results=EvalResults(
            total_samples=len(samples),
            completed_samples=report.metrics.scored,
            scores=[eval_score(report.metrics)],
        ),
        stats=EvalStats(started_at=created, completed_at=created),
        samples=samples,
    )


def eval_score(metrics: Metrics) -> Any:
    """The rates of a run as Inspect has them."""
    from inspect_ai.log import EvalMetric, EvalScore

    interval = metrics.interval
    values = {
        "pass@1": metrics.pass_at_1,
        "pass@1 low": interval.low if interval else None,
        "pass@1 high": interval.high if interval else None,
        "pass@4": metrics.pass_at_4,
        "pass^4": metrics.pass_hat_4,
        "action": metrics.action,
    }
    return EvalScore(
        name=SCORER,
        scorer=SCORER,
        scored_samples=metrics.scored,
        unscored_samples=metrics.unscored + metrics.faults,
        metrics={name: EvalMetric(name=name, value=value) for name, value in values.items() if value is not None},
    )


def _sample(rescored: Rescored) -> EvalSample:
    from inspect_ai.log import EvalSample
    from inspect_ai.model import ModelOutput

    row, rollout, line = rescored.row, rescored.rollout, rescored.line
    if row is None or rollout is None:
        raise ValueError(f"{rescored.task}: a rollout without its row has no score")
    scores, error = sample_score(rescored)
    prompt = [said(message) for message in row.prompt]
    return EvalSample(
        id=_task(row),
        epoch=rollout.number + 1,
        input=prompt,
        target=row.answer,
        messages=[*prompt, *conversation(line, rescored.agent)],
        output=ModelOutput.from_content(rescored.agent, rollout.answer or ""),
        scores=scores,
        error=error,
        metadata={
            "row": row.id, "domain": row.domain, "structure": row.structure, "platforms": row.platforms,
            "answer_type": row.answer_type, "version": row.version, "status": rollout.score.status,
            "seed": line["seed"],
        },
        store={RUN: rescored.to_line(), RAN: row_line(row)["ran"]},
    )  # fmt: skip


def sample_score(rescored: Rescored) -> tuple[dict[str, Any] | None, Any]:
    """(scores, error) of a sample: one of the two, or neither for an open answer without a judge."""
    from inspect_ai.log import EvalError
    from inspect_ai.scorer import Score

    if rescored.rollout is None:
        raise ValueError(f"{rescored.task}: a rollout without its row has no score")
    score = rescored.rollout.score
    explained = "\n".join(explain(reason, "en") for reason in score.reasons)
    if score.reward is not None:
        value = Score(
            value=score.reward,
            answer=rescored.rollout.answer,
            explanation=explained or None,
            metadata=score.to_dict(),
        )
        return {SCORER: value}, None
    if score.status == "unscored":
        return None, None
    return None, EvalError(message=f"{score.status}: {explained}", traceback="", traceback_ansi="")


def _task(row: Row) -> str:
    return str(row.provenance.get("task", row.id))


def said(message: Mapping[str, Any]) -> Any:
    """A message of a prompt as Inspect has it."""
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser

    kind = ChatMessageSystem if message["role"] == "system" else ChatMessageUser
    return kind(content=message["content"])


def conversation(line: Mapping[str, Any], model: str) -> list[Any]:
    """Calls by step, their answers, and the final answer."""
    from inspect_ai.model import ChatMessageAssistant, ChatMessageTool

    calls: Sequence[Mapping[str, Any]] = line["calls"]
    messages: list[Any] = []
    for step in dict.fromkeys(call["step"] for call in calls):
        together = [call for call in calls if call["step"] == step]
        messages.append(ChatMessageAssistant(content="", tool_calls=[_tool_call(c) for c in together], model=model))
        messages += [
            ChatMessageTool(content=_told(call), tool_call_id=call["call_id"], function=call["name"])
            for call in together
        ]
    if line["answer"] is not None:
        messages.append(ChatMessageAssistant(content=line["answer"], model=model))
    return messages


def _tool_call(call: Mapping[str, Any]) -> Any:
    from inspect_ai.tool import ToolCall

    given = call["arguments"]
    readable = given if isinstance(given, dict) else {"unreadable": str(given)}
    broken = None if isinstance(given, dict) else call["message"] or "unreadable arguments"
    return ToolCall(id=call["call_id"], function=call["name"], arguments=readable, parse_error=broken)


def _told(call: Mapping[str, Any]) -> str:
    """What the model was answered; logs of before that was kept have its outcome only."""
    kept = ("outcome", "total", "message")
    return str(call.get("text") or dump({name: call[name] for name in kept if call[name] is not None}))
