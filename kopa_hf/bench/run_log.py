"""The log of a run: one line of JSON per rollout, and before its first rollout each row that was run.

A rollout's line holds what scoring needs and what the model was answered; a row's line
holds what the rollout is scored against. So a log can be scored again without a model,
a backend or the tasks of that day. Later lines of a rollout replace earlier ones.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kopa_hf.agent.session import Session
from kopa_hf.bench.log_checks import line_problem
from kopa_hf.bench.response import Judge
from kopa_hf.bench.rollouts import Rollout
from kopa_hf.bench.rows import Row, row_fingerprint, row_from_dict, row_to_dict
from kopa_hf.bench.scoring import Fault, score_rollout
from kopa_hf.errors import DataError, KopaError
from kopa_hf.execution.result import CallResult
from kopa_hf.values.json_line import json_line
from kopa_hf.whole_file import write_whole

LOG_VERSION: Final = 1

RowKey = tuple[str, str]
"""A row's id and its fingerprint."""
Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class LoggedCall:
    """A call as the log has it: everything scoring reads, and no record."""

    call_id: str
    name: str
    arguments: Any
    result: CallResult
    step: int
    executed: bool
    result_id: str | None


@dataclass(frozen=True, slots=True)
class RunLog:
    """What a log holds."""

    lines: list[Line]
    """All lines, in the file's order."""

    @property
    def rollouts(self) -> list[Line]:
        """The rollouts' lines."""
        return [line for line in self.lines if "row" in line and "policy" in line]

    @property
    def last(self) -> list[Line]:
        """The last line of each rollout: a fault that was run again has several."""
        newest = {(agent_key(line), line["row"], line["seed"], line["rollout"]): line for line in self.rollouts}
        return list(newest.values())

    def rows(self) -> dict[RowKey, Row]:
        """The rows that were run, with an empty golden conversation; none in logs from before rows were kept."""
        kept = [line["ran"] for line in self.lines if "ran" in line]
        rows = [row_from_dict({**values, "completion": []}) for values in kept]
        return {(row.id, row_fingerprint(row)): row for row in rows}


def agent_key(line: Mapping[str, Any]) -> tuple[str, str]:
    """Who ran: a policy under its settings."""
    return line["policy"], json.dumps(line.get("settings") or {}, ensure_ascii=False, sort_keys=True)


def read_run_log(log: Path, *, resuming: bool = False) -> RunLog:
    """A log's content; a last line that was cut off by a crash is dropped, any other damage is a `DataError`.

    A log without a rollout is one as well, unless a run is `resuming` it.
    """
    if not log.exists():
        raise DataError(f"No log at {log.name}; `kopa eval --log FILE` writes one.")
    if log.suffix == ".eval":
        from kopa_hf.bench.inspect_reading import read_eval

        return read_eval(log)
    try:
        # some editors put a byte order mark in front
        lines = log.read_bytes().removeprefix(codecs.BOM_UTF8).split(b"\n")
    except OSError as error:
        raise DataError(f"The log {log.name} cannot be read: {error.strerror}.") from error
    records: list[Line] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            records.append(_record(line, f"{log.name}, line {number}"))
        except _NoJsonError as error:
            if number == len(lines) and (records or line.isascii()):
                break
            if isinstance(error.__cause__, UnicodeDecodeError):
                raise DataError(f"{log.name} is no JSONL log: line {number} is not UTF-8 text.") from error
            raise DataError(f"{log.name}, line {number} is damaged: it is no JSON. Remove it and resume.") from error
    found = RunLog(records)
    if not resuming and not found.rollouts:
        raise DataError(f"{log.name} is {'empty' if not any(map(bytes.strip, lines)) else 'a log without a rollout'}.")
    return found


class _NoJsonError(ValueError):
    """A line that is no JSON, as a crash leaves the last one."""


def _record(line: bytes, where: str) -> Line:
    """A line's content, checked. Raises `_NoJsonError`, or `DataError` for JSON that no run has written."""
    try:
        record = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise _NoJsonError from error
    if not isinstance(record, dict) or "version" not in record:
        raise DataError(f"{where} is damaged: it has no log version. Remove it and resume.")
    if record["version"] != LOG_VERSION:
        raise DataError(f"{where}: log version {record['version']}, this is {LOG_VERSION}.")
    problem = _row_problem(record["ran"]) if "ran" in record else line_problem(record)
    if problem:
        raise DataError(f"{where} is damaged: {problem}. Remove it and resume.")
    return record


def _row_problem(values: Any) -> str:
    """What makes a row's line unusable; empty where it is sound."""
    if not isinstance(values, dict):
        return "its task is no object"
    try:
        row_fingerprint(row_from_dict({**values, "completion": []}))
    except KopaError as error:
        return str(error).rstrip(".")
    except (KeyError, TypeError, ValueError, AttributeError):
        return "its task cannot be read"
    return ""


def read_log(log: Path) -> list[Line]:
    """The rollouts' lines of a log, as `read_run_log` reads it."""
    return read_run_log(log).rollouts


def write_lines(log: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """A whole log at once: it stands complete, or not at all."""
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        write_whole(log, "".join(json_line(line) for line in lines))
    except OSError as error:
        raise DataError(f"Cannot write the log {log.name}: {error.strerror}.") from error


def append_lines(log: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """Further lines, each whole."""
    try:
        with log.open("a", encoding="utf-8") as file:
            file.writelines(json_line(line) for line in lines)
    except OSError as error:
        raise DataError(f"Cannot write the log {log.name}: {error.strerror}. What it holds is kept.") from error


def mend_torn_end(log: Path, found: RunLog) -> None:
    """A last line without its end would swallow the next one."""
    content = log.read_bytes()
    if content and not content.endswith(b"\n"):
        write_lines(log, found.lines)


def row_line(row: Row) -> Line:
    """What a rollout of the row is scored against; the golden conversation is no part of that."""
    values = row_to_dict(row)
    del values["completion"]
    return {"version": LOG_VERSION, "ran": values}


def log_line(
    policy: str, row: Row, seed: int, rollout: Rollout, session: Session, notes: Sequence[str], judge: str | None = None
) -> Line:
    """A rollout as one line of a log: what scoring needs and what the model was answered, as plain JSON."""
    return {
        "version": LOG_VERSION,
        "policy": policy,
        "row": row.id,
        "fingerprint": row_fingerprint(row),
        "task": row.provenance.get("task"),
        "task_version": row.version,
        "task_fingerprint": row.provenance.get("fingerprint"),
        "seed": seed,
        "rollout": rollout.number,
        "answer": rollout.answer,
        "notes": list(notes),
        "wrong_channel": rollout.wrong_channel,
        "state_hash": session.state_hash,
        "calls": [_log_call(call) for call in session.calls],
        "score": rollout.score.to_dict(),
        # who decided an open answer; a typed one needs nobody
        "judge": judge if row.answer_type == "judge" else None,
        **({"fault": rollout.fault} if rollout.fault else {}),
    }


def scored_again(line: Mapping[str, Any], row: Row, judge: Judge | None = None) -> Rollout:
    """The rollout of a log's line, scored with today's rules.

    An open answer that was judged keeps its verdict unless a judge is given.
    """
    calls = [_logged_call(call) for call in line["calls"]]
    was = line["score"]
    fault: Fault | None = was["status"] if was["status"] in ("backend_fault", "model_fault") else None
    if judge is None and row.answer_type == "judge" and was["status"] == "scored":
        judge = _verdict_of(was)
    notes = line.get("notes", ())
    score = score_rollout(row, calls, line["state_hash"], line["answer"], judge=judge, fault=fault, notes=notes)
    return Rollout(
        row.id, line["rollout"], line["answer"], score, len(calls),
        requests=sum(call.result.requests for call in calls),
        wrong_channel=line.get("wrong_channel", int("wrong_channel" in notes)),
        fault=line.get("fault") or "",
    )  # fmt: skip


def _verdict_of(score: Mapping[str, Any]) -> Judge:
    return lambda row, answer: score["response"] == 1.0


def _log_call(call: Any) -> dict[str, Any]:
    result: CallResult = call.result
    return {
        "call_id": call.call_id,
        "name": call.name,
        "arguments": call.arguments,
        "step": call.step,
        "executed": call.executed,
        "result_id": call.result_id,
        "outcome": result.outcome,
        "failure": result.failure,
        "total": result.total_count,
        "page": result.page,
        "page_size": result.page_size,
        "message": result.message,
        "requests": result.requests,
        "text": call.text,
    }


def _logged_call(line: Mapping[str, Any]) -> LoggedCall:
    result = CallResult(
        tool=line["name"],
        arguments=line["arguments"] if isinstance(line["arguments"], dict) else {},
        outcome=line["outcome"],
        failure=line["failure"],
        total_count=line["total"],
        page=line["page"],
        page_size=line["page_size"],
        message=line["message"],
        requests=line["requests"],
    )
    return LoggedCall(
        line["call_id"], line["name"], line["arguments"], result, line["step"], line["executed"], line["result_id"]
    )
