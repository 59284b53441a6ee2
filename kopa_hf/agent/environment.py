"""The environment that trainers drive: `reset` per row, tools as methods of subclasses.

TRL offers every public method of an environment as a tool. So this class has
none but `reset`; toolset classes are made from it by adding one method per
offered tool, each of which hands its arguments to `_call`.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from kopa_hf.agent.session import Session
from kopa_hf.agent.trimming import TokenCounter
from kopa_hf.catalog.active import active_catalog
from kopa_hf.catalog.registry import Catalog
from kopa_hf.errors import BackendError, DataError, KopaError
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.opening import open_in_force

_log = logging.getLogger(__name__)
_lock = threading.Lock()
_shared: dict[Catalog, Executor] = {}


def shared_executor() -> Executor:
    """The process's executor over the catalog in force, made on first use: the default sandbox, unless it is one's own."""
    catalog = active_catalog()
    with _lock:
        if catalog not in _shared:
            _shared[catalog] = open_in_force()
        return _shared[catalog]


class KopaEnvironment:
    """One rollout at a time: instances are pooled, and `reset` leaves nothing of the rollout before.

    Subclass and set `_executor` for another backend, `_token_budget` (tokens of one
    tool answer) or `_count_tokens` (the model's own tokenizer).
    """

    _executor: ClassVar[Executor | None] = None
    """None: the process's shared executor."""
    _token_budget: ClassVar[int] = 2000
    _count_tokens: ClassVar[TokenCounter | None] = None

    def __init__(self) -> None:
        self._session: Session | None = None
        """The rollout's session; None until the first reset."""
        self._fault: Literal["backend_fault"] | None = None
        """Set where the backend broke under a call: trainers answer any exception of a tool with its text
        and go on, and the rollout must not look like a wrong answer."""
        self._broken = 0
        """Calls of the rollout under which the backend broke; the session noted none of them."""

    def reset(self, **row: Any) -> str | None:
        """Start a fresh episode for one dataset row.

        Args:
            **row: The row's columns. `tools`, `system_state`, `max_allowed_calls`, `id` and
                `prompt` are read, as objects or as JSON text; all others are ignored.

        Returns:
            What the prompt must show in addition: the episode's date, where neither the
            prompt nor a tool tells it; None where nothing is missing.
        """
        self._session = None
        self._fault = None
        self._broken = 0
        tools = [_object(tool, "tools") for tool in _object(row.get("tools"), "tools") or ()]
        state = _object(row.get("system_state"), "system_state") or {}
        if not isinstance(state, Mapping):
            raise DataError(f"Row {row.get('id', '?')}: system_state must be an object, not {type(state).__name__}.")
        limit = row.get("max_allowed_calls")
        counter = type(self)._count_tokens
        try:
            self._session = Session(
                type(self)._executor or shared_executor(),
                tools,
                system_state={name: value for name, value in state.items() if value is not None},
                seed=str(row.get("id") or ""),
                max_allowed_calls=None if limit is None else int(limit),
                token_budget=type(self)._token_budget,
                count_tokens=counter,
            )
        except (AttributeError, TypeError, ValueError) as error:
            raise DataError(f"Row {row.get('id', '?')} cannot start an episode: {error}") from error
        return self._unsaid(state.get("current_date"), row.get("prompt"))

    def _call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """Execute one call. An argument that is None counts as left out: trainers fill optional ones with it."""
        if self._session is None:
            raise KopaError(f"{name} was called before reset(); an environment needs a row first.")
        return self._issue(name, {key: value for key, value in arguments.items() if value is not None})

    def _issue(self, name: str, arguments: Any, *, call_id: str | None = None, step: int | None = None) -> str:
        """The session's answer. Whatever a model sends is answered, so an exception is never the model's doing."""
        assert self._session is not None
        try:
            return self._session.call(name, arguments, call_id=call_id, step=step)
        except Exception as error:
            self._fault = "backend_fault"
            self._broken += 1
            if not isinstance(error, (BackendError, OSError)):  # may be a bug of ours, and a trainer would hide it
                _log.warning("%s broke under a call; its rollout is not scored.", name, exc_info=True)
            raise

    def _unsaid(self, date: Any, prompt: Any) -> str | None:
        """A sentence with the episode's date, where an agent could not know it."""
        assert self._session is not None
        if not date or prompt is None or "get_current_date" in self._session.tool_names:
            return None
        day = self._session.episode.clock
        text = prompt if isinstance(prompt, str) else json.dumps(prompt, ensure_ascii=False, default=str)
        spellings = (day.isoformat(), f"{day:%Y%m%d}", f"{day.year}년 {day.month}월 {day.day}일")
        return None if any(spelling in text for spelling in spellings) else f"오늘은 {spellings[0]}이다."


def _object(value: Any, column: str) -> Any:
    """A column's value; JSON text (a bare tool name apart) is read first."""
    if not isinstance(value, str) or not value.lstrip().startswith(("[", "{")):
        return value
    try:
        return json.loads(value)
    except ValueError as error:
        raise DataError(f"Column {column} holds text that is no JSON: {error}") from error
