"""Audit by solving: hand out a task without its gold, keep every call of whoever solves it, score the answer.

A transcript is a JSONL file. Its first line is the hand-out: what a solver may see of a task. Each
call adds a line, the final answer the last one. The sandbox answers alike every time, so a
transcript holds no results, only a digest of each, and replaying it proves what the solver saw.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from kopa_hf.agent.session import Session
from kopa_hf.bench.rows import Row
from kopa_hf.bench.scoring import Score, score_rollout
from kopa_hf.errors import DataError
from kopa_hf.execution.executor import Executor

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class TranscriptCall:
    """One call as it was issued."""

    name: str
    arguments: Mapping[str, Any]
    seen: str
    """Digest of the text that came back."""


@dataclass(slots=True)
class Transcript:
    """One task in the hands of a solver, who knows neither golden actions nor answer."""

    row: str
    """Id of the row; it comes from the content, so that a changed task is another row."""
    prompt: Sequence[Mapping[str, Any]]
    """System text and question."""
    tools: tuple[str, ...]
    system_state: Mapping[str, Any]
    max_allowed_calls: int
    calls: list[TranscriptCall] = field(default_factory=list)
    answer: str | None = None
    solver: str = ""
    """Kind of the solver, as it says of itself."""

    @classmethod
    def of(cls, row: Row) -> Transcript:
        """The hand-out of a row."""
        return cls(
            row=row.id,
            prompt=row.prompt,
            tools=tuple(tool["function"]["name"] for tool in row.tools),
            system_state=row.system_state,
            max_allowed_calls=row.max_allowed_calls,
        )

    def replay(self, executor: Executor) -> Session:
        """A session in which every call so far has been made again.

        Raises DataError where a result is not the one that the solver saw: another version of the sandbox.
        """
        session = Session(
            executor,
            self.tools,
            system_state=self.system_state,
            seed=self.row,
            max_allowed_calls=self.max_allowed_calls,
        )
        for number, call in enumerate(self.calls, start=1):
            if digest(session.call(call.name, call.arguments)) != call.seen:
                raise DataError(
                    f"Transcript of {self.row}, call {number} ({call.name}): the sandbox answers otherwise now. "
                    "Hand the task out again."
                )
        return session

    def score(self, row: Row, executor: Executor) -> Score:
        """What the solver's run earns, by the benchmark's own rules."""
        session = self.replay(executor)
        return score_rollout(row, session.calls, session.state_hash, self.answer)

    def to_dict(self) -> dict[str, Any]:
        """For a file of many transcripts."""
        return {**self._head(), "calls": [_line(call) for call in self.calls], **self._end()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Transcript:
        """The inverse of `to_dict`; raises KeyError or TypeError for anything else."""
        if values["transcript"] != VERSION:
            raise KeyError(f"transcript version {values['transcript']}, this is {VERSION}")
        return cls(
            row=values["row"],
            prompt=list(values["prompt"]),
            tools=tuple(values["tools"]),
            system_state=values["system_state"],
            max_allowed_calls=values["max_allowed_calls"],
            calls=[TranscriptCall(c["call"], dict(c["arguments"]), c["seen"]) for c in values["calls"]],
            answer=values.get("answer"),
            solver=values.get("solver", ""),
        )

    def _head(self) -> dict[str, Any]:
        return {
            "transcript": VERSION,
            "row": self.row,
            "prompt": [dict(message) for message in self.prompt],
            "tools": list(self.tools),
            "system_state": dict(self.system_state),
            "max_allowed_calls": self.max_allowed_calls,
        }

    def _end(self) -> dict[str, Any]:
        return {} if self.answer is None else {"answer": self.answer, "solver": self.solver}

    # the file that is being worked on

    def begin(self, path: Path) -> None:
        """Write the hand-out; an existing file is somebody's work and is never replaced."""
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(_json(self._head()))
        except FileExistsError as error:
            raise DataError(f"{path} exists already; hand out into an empty folder.") from error

    def note(self, path: Path, call: TranscriptCall) -> None:
        """Add a call, here and to the file."""
        self.calls.append(call)
        _append(path, _line(call))

    def close(self, path: Path, answer: str, solver: str) -> None:
        """Add the final answer; there is one chance only."""
        if self.answer is not None:
            raise DataError(f"{path} already holds an answer; it is not changed.")
        self.answer, self.solver = answer, solver
        _append(path, self._end())


def read_transcript(path: Path) -> Transcript:
    """A transcript from the file that is being worked on; DataError names the line that cannot be read."""
    at = 1
    try:
        lines = [line for line in path.read_text(encoding="utf-8-sig").split("\n") if line.strip()]
        transcript = Transcript.from_dict({**json.loads(lines[0]), "calls": []})
        for at, line in enumerate(lines[1:], start=2):  # noqa: B007 - the error names it
            record = json.loads(line)
            if transcript.answer is not None:
                raise KeyError("it follows the answer")
            if "answer" in record:
                transcript.answer, transcript.solver = str(record["answer"]), str(record.get("solver", ""))
            else:
                transcript.calls.append(TranscriptCall(record["call"], dict(record["arguments"]), record["seen"]))
    except OSError as error:
        raise DataError(f"Cannot read {path}: {error.strerror}. `kopa bench handout` writes transcripts.") from error
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise DataError(f"{path}, line {at} is no line of a transcript ({error}).") from error
    return transcript


def digest(text: str) -> str:
    """Short SHA-256 of what a solver read."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _line(call: TranscriptCall) -> dict[str, Any]:
    return {"call": call.name, "arguments": dict(call.arguments), "seen": call.seen}


def _append(path: Path, record: Mapping[str, Any]) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(_json(record))


def _json(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"
