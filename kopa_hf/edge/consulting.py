"""Asking a chat model for JSON: checked, asked again where it is malformed, kept by content, many at a time.

What a model answers wrongly and what its server fails to answer are two things. A
malformed answer is pointed out to the model and asked for again; after the last attempt
it is counted and stands for nothing. A server's failure is never kept, so the same
command asks again; a server that only fails stops the job, with every earlier answer kept.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Generic, NamedTuple, TypeVar

from kopa_hf.agent.models import ChatModel, Message, ModelError
from kopa_hf.edge.refinement import run_coroutine, run_together
from kopa_hf.edge.store import Store, content_key
from kopa_hf.errors import BackendError, DataError
from kopa_hf.execution.episode import canonical_json

log = logging.getLogger(__name__)

T = TypeVar("T")

ATTEMPTS: Final = 3
CONCURRENCY: Final = 16
PATIENCE: Final = 20
"""Questions in a row without an answer after which a model counts as down; the same many malformed ones before any good one."""
ANSWER_TOKENS: Final = 4096
_AGAIN: Final = "That cannot be used: {problem}. Answer with the corrected JSON object alone."


class Question(NamedTuple, Generic[T]):
    """What a model is asked, and what makes a value of its answer."""

    messages: Sequence[Message]
    check: Callable[[Any], T]
    """Takes the parsed JSON object; raises ValueError with words that the model can act on."""
    otherwise: Callable[[], T | None] = lambda: None
    """Makes the value that stands for an answer which stayed malformed."""


@dataclass(slots=True)
class Consultant:
    """A chat model that is asked many questions with JSON answers."""

    model: ChatModel
    name: str
    """Told in results; no machine's path."""
    realm: str = ""
    """What else an answer depends on: sampling, the weights' state. Part of the content that answers are kept by."""
    store: Store = field(default_factory=lambda: Store(None))
    concurrency: int = CONCURRENCY
    attempts: int = ATTEMPTS
    """Times a question is asked before its answer counts as malformed."""
    asked: int = 0
    """Questions put to the model."""
    cached: int = 0
    """Questions answered from the store."""
    answered: int = 0
    """Questions that the model answered in form."""
    malformed: int = 0
    """Questions whose answers stayed malformed or were withheld by a filter, or which are too long for the model."""
    faults: int = 0
    """Questions that the model's server failed to answer."""
    _silent: int = 0

    async def ask(self, question: Question[T]) -> T | None:
        """The checked value, or None where none was to be had; raises `BackendError` where the model counts as down."""
        messages, check, otherwise = question
        key = content_key(self.name, self.realm, list(messages))
        kept = self.store.get(key)
        if kept is not None:
            try:
                value = check(json_object(kept.decode("ascii")))
            except ValueError:
                pass  # kept under an older form of the check
            else:
                self.cached += 1
                return value
        self.asked += 1
        try:
            found = await self._converse(key, list(messages), check)
        except ModelError as fault:
            if fault.kind not in ("context", "filtered"):
                self._note_fault(fault)
                return None
            # this question is too long for this model, or its provider withholds the answer: asking again changes nothing
            found = None
            self._note_malformed(str(fault))
        return found[0] if found else otherwise()

    def ask_all(
        self,
        questions: Iterable[Question[T]],
        *,
        total: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> list[T | None]:
        """Answers in the questions' order; `concurrency` of them are on the way at once.

        Questions are taken one by one, so an iterator of a hundred thousand needs no memory.
        """
        found: dict[int, T | None] = {}
        numbered: Iterator[tuple[int, Question[T]]] = iter(enumerate(questions))

        async def work() -> None:
            for number, question in numbered:
                answer = await self.ask(question)
                found[number] = answer
                if progress is not None:
                    progress(len(found), total or 0)

        async def all_of_them() -> None:
            try:
                await run_together([work() for _ in range(self.concurrency)])
            finally:
                await self.aclose()

        run_coroutine(all_of_them())
        return [found[number] for number in range(len(found))]

    def counts(self) -> dict[str, int]:
        """How many questions were asked, taken from the store, malformed, or failed for the server's sake."""
        return {"asked": self.asked, "cached": self.cached, "malformed": self.malformed, "faults": self.faults}

    async def aclose(self) -> None:
        """Close the model's connections; the next question opens them again."""
        close = getattr(self.model, "aclose", None)
        if close is not None:
            await close()

    def close(self) -> None:
        """Close the store."""
        self.store.close()

    def __enter__(self) -> Consultant:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def _converse(self, key: str, messages: list[Message], check: Callable[[Any], T]) -> tuple[T] | None:
        problem = "nothing was asked"
        for _ in range(self.attempts):
            text = message_text(await self.model.complete(messages, ()))
            self._silent = 0
            try:
                content = json_object(text)
                value = check(content)
            except ValueError as error:
                problem = str(error)
                again = {"role": "user", "content": _AGAIN.format(problem=problem)}
                messages = [*messages, {"role": "assistant", "content": text}, again]
                continue
            self.answered += 1
            self.store.put({key: json.dumps(content).encode("ascii")})
            return (value,)
        self._note_malformed(problem)
        return None

    def _note_malformed(self, problem: str) -> None:
        self.malformed += 1
        log.warning("%s: no usable answer: %s", self.name, problem)
        if self.malformed >= PATIENCE and not self.answered and not self.cached:
            raise BackendError(
                f"The model {self.name!r} gave no usable answer to any of the first {PATIENCE} questions "
                f"(the last: {problem}). Choose a model that follows an output format."
            )

    def _note_fault(self, fault: ModelError) -> None:
        self.faults += 1
        self._silent += 1
        log.warning("%s: %s", self.name, fault)
        # a short outage hits everything that is on the way at once; it is no reason to give up
        if self._silent >= max(PATIENCE, 2 * self.concurrency) or fault.kind == "auth":
            where = f" in {self.store.path}" if self.store.path else ""
            raise BackendError(
                f"The model {self.name!r} does not answer ({fault}). {len(self.store)} answers are kept{where}; "
                "run the same command again and only the rest is asked."
            ) from fault


def open_consultant(
    spec: str,
    *,
    cache: Path | None = None,
    concurrency: int = CONCURRENCY,
    attempts: int = ATTEMPTS,
    tokens: int = ANSWER_TOKENS,
) -> Consultant:
    """A consultant for `http://HOST/v1#MODEL` (OpenAI-compatible, key from OPENAI_API_KEY) or a local model's folder.

    Answers are drawn without chance (temperature 0). `cache` is the file that keeps them.
    """
    model, name, realm = open_model(spec, concurrency=concurrency, tokens=tokens)
    return Consultant(model, name, realm, Store(cache), concurrency, attempts)


def open_model(spec: str, *, concurrency: int = CONCURRENCY, tokens: int = ANSWER_TOKENS) -> tuple[ChatModel, str, str]:
    """(model, its name, what else its answers depend on) for a model named by address or folder."""
    from kopa_hf.agent.opening import LocalSettings, is_path
    from kopa_hf.agent.opening import open_model as open_named

    if not spec.startswith(("http://", "https://")) and not is_path(spec):
        raise DataError(f"{spec!r} is no model: give http://HOST:PORT/v1#MODEL, or a model's folder or GGUF file.")
    sampling = {"temperature": 0.0, "max_tokens": tokens}
    local = LocalSettings(batch=concurrency, max_new_tokens=tokens)
    model = open_named(spec, sampling=sampling, local=local, tools=False)
    return model, model.name, canonical_json(model.settings)


def message_text(message: Message) -> str:
    """What an assistant message says, without a reasoning model's thoughts."""
    content = message.get("content")
    if isinstance(content, list):
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    if not isinstance(content, str):
        return ""
    # some templates open the thoughts themselves, and thoughts that were cut short never close
    said = content.rpartition("</think>")[2]
    return said.partition("<think>")[0].strip()


def json_object(text: str) -> dict[str, Any]:
    """The last JSON object in a text that may hold prose or a code fence around it; ValueError where there is none."""
    decoder = json.JSONDecoder(parse_constant=_refused)
    found: dict[str, Any] | None = None
    problem = "there is no JSON object in it"
    start = text.find("{")
    while start >= 0:
        try:
            value, end = decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            problem, end = f"the JSON is broken ({error.msg})", start + 1
        except RecursionError:
            problem, end = "the JSON is nested too deep", len(text)
        else:
            found = value if isinstance(value, dict) else found
        start = text.find("{", end)
    if found is None:
        raise ValueError(problem)
    return found


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON number")
