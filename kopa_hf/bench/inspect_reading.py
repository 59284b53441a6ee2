"""Inspect logs of our runs, read back as our log and written anew with other scores."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kopa_hf.bench.inspect_log import RAN, RUN, eval_score, require_inspect, sample_score
from kopa_hf.bench.rescoring import Rescoring
from kopa_hf.bench.run_log import LOG_VERSION, Line, RunLog, agent_key
from kopa_hf.errors import DataError

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample


def read_eval(log: Path) -> RunLog:
    """The rollouts of an `.eval` file, of `kopa eval` or of `inspect eval kopa_hf/kopa_bench`.

    Samples that ended in an error of Inspect's own hold no rollout and are left out.
    """
    samples = _read(log).samples or []
    rows: dict[str, Line] = {}
    rollouts: list[Line] = []
    for sample in samples:
        line = _line_of(sample)
        if line is None:
            continue
        row = _row_of(sample)
        if row is not None:
            rows.setdefault(f"{line['row']} {line.get('fingerprint')}", {"version": LOG_VERSION, "ran": row})
        rollouts.append(line)
    if not rollouts:
        raise DataError(
            f"{log.name} holds no rollout of KOPA-Bench that can be scored again; rescore the JSONL log of the run."
        )
    return RunLog([*rows.values(), *rollouts])


def rewrite_eval(source: Path, target: Path, rescoring: Rescoring) -> None:
    """`source` with today's scores as `target`; samples that were not scored again stay as they are."""
    from inspect_ai.log import write_eval_log

    log = _read(source)
    found = {_key(rescored.line): rescored for rescored in rescoring.rollouts}
    for sample in log.samples or ():
        line = _line_of(sample)
        rescored = found.get(_key(line)) if line is not None else None
        if rescored is None or rescored.rollout is None:
            continue
        sample.scores, sample.error = sample_score(rescored)
        sample.store[RUN] = rescored.to_line()
    reports = list(rescoring.reports().values())
    if log.results is not None and len(reports) == 1:
        log.results.scores = [eval_score(reports[0].metrics)]
        log.results.completed_samples = reports[0].metrics.scored
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(f"{target.stem}.tmp.eval")
    write_eval_log(log, str(fresh), format="eval")
    fresh.replace(target)


def _read(log: Path) -> EvalLog:
    require_inspect()
    from inspect_ai.log import read_eval_log

    try:
        return read_eval_log(str(log))
    except Exception as error:  # whatever its reader raises on a damaged file
        raise DataError(f"{log.name} cannot be read as an Inspect log: {type(error).__name__}.") from error


def _line_of(sample: EvalSample) -> Line | None:
    line = sample.store.get(RUN)
    return line if isinstance(line, dict) and "calls" in line else None


def _row_of(sample: EvalSample) -> dict[str, Any] | None:
    """What it ran on: kept in the store by `kopa eval`, in the metadata by the Inspect task."""
    kept = sample.store.get(RAN) or (sample.metadata or {}).get("row")
    return {k: v for k, v in kept.items() if k != "completion"} if isinstance(kept, dict) else None


def _key(line: Mapping[str, Any]) -> tuple[Any, ...]:
    return agent_key(line), line["row"], line["seed"], line["rollout"]
