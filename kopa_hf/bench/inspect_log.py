"""Logs of `kopa eval` as Inspect logs: its viewer, its data frames and its readers open them.

Scores are today's (`runner.rescore`). A fault becomes a sample with an error and no
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
from kopa_hf.bench.rows import Row
from kopa_hf.bench.runner import PolicyReport, Rollout, read_log, rescore
from kopa_hf.errors import MissingExtraError

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

SCORER: Final = "kopa_score"
"""Name of the score in every sample."""


def require_inspect() -> None:
    """Say how to install Inspect where it is missing."""
    if find_spec("inspect_ai") is None:
        raise MissingExtraError("inspect_ai", "eval")


def inspect_logs(log: Path, rows: Iterable[Row]) -> dict[str, EvalLog]:
    """Policy → its runs in LOG as one Inspect log. Rows that are gone are left out."""
    require_inspect()
    known = {row.id: row for row in rows}
    lines = {(line["policy"], line["row"], line["rollout"]): line for line in read_log(log)}
    created = datetime.datetime.fromtimestamp(log.stat().st_mtime, datetime.UTC)
    return {
        policy: _eval_log(report, known, lines, log.name, created.isoformat(timespec="seconds"))
        for policy, report in rescore(log, known.values()).items()
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


def _eval_log(
    report: PolicyReport,
    rows: Mapping[str, Row],
    lines: Mapping[tuple[str, str, int], Mapping[str, Any]],
    source: str,
    created: str,
) -> EvalLog:
    from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalResults, EvalSpec, EvalStats

    rollouts = sorted(report.rollouts, key=lambda rollout: (_task(rows[rollout.row_id]), rollout.number))
    samples = [_sample(rows[r.row_id], r, lines[report.policy, r.row_id, r.number], report.policy) for r in rollouts]
    names = list(dict.fromkeys(sample.id for sample in samples))
    epochs = max(rollout.number for rollout in rollouts) + 1
    return EvalLog(
        status="success",
        eval=EvalSpec(
            created=created,
            task="kopa_hf/kopa_bench",
            task_registry_name="kopa_hf/kopa_bench",
            dataset=EvalDataset(name="kopa-bench", samples=len(names), sample_ids=names, shuffled=False),
            model=report.policy,
            config=EvalConfig(epochs=epochs),
            packages={"kopa_hf": __version__},
            metadata={"log": source},
        ),
        results=EvalResults(
            total_samples=len(samples),
            completed_samples=report.metrics.scored,
            scores=[_results(report.metrics)],
        ),
        stats=EvalStats(started_at=created, completed_at=created),
        samples=samples,
    )


def _results(metrics: Metrics) -> Any:
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


def _sample(row: Row, rollout: Rollout, line: Mapping[str, Any], model: str) -> EvalSample:
    from inspect_ai.log import EvalError, EvalSample
    from inspect_ai.model import ModelOutput
    from inspect_ai.scorer import Score

    score = rollout.score
    explained = "\n".join(explain(reason, "en") for reason in score.reasons)
    scores = error = None
    if score.reward is not None:
        scores = {
            SCORER: Score(
                value=score.reward, answer=rollout.answer, explanation=explained or None, metadata=score.to_dict()
            )
        }
    elif score.status != "unscored":
        error = EvalError(message=f"{score.status}: {explained}", traceback="", traceback_ansi="")
    prompt = [said(message) for message in row.prompt]
    return EvalSample(
        id=_task(row),
        epoch=rollout.number + 1,
        input=prompt,
        target=row.answer,
        messages=[*prompt, *conversation(line, model)],
        output=ModelOutput.from_content(model, rollout.answer or ""),
        scores=scores,
        error=error,
        metadata={
            "row": row.id, "domain": row.domain, "structure": row.structure, "platforms": row.platforms,
            "answer_type": row.answer_type, "version": row.version, "status": score.status, "seed": line["seed"],
        },
    )  # fmt: skip


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
