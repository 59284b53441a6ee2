"""Who answers BFCL: a scripted agent, a model behind an endpoint, or one on this machine."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kopa_hf.agent.opening import LocalSettings, open_model
from kopa_hf.bench.asking import Agent, AskedModel, Solved
from kopa_hf.bench.bfcl.answer_key import key_result
from kopa_hf.bench.bfcl.categories import is_multi_turn
from kopa_hf.bench.bfcl.entries import Entry
from kopa_hf.bench.bfcl.scoring import Mode
from kopa_hf.bench.bfcl.solving import solve

_RESPONSE: Final = "kopa_hf.bench.bfcl/agent response"


@dataclass(frozen=True, slots=True)
class ScriptedAgent:
    """Answers without a model."""

    name: str
    say: Callable[[Entry], Any]

    async def answer(self, entry: Entry) -> Solved:
        return Solved(self.say(entry))

    async def aclose(self) -> None:
        """Nothing is held open."""


@dataclass(slots=True)
class ModelAgent(AskedModel):
    """A chat model in one of the two modes."""

    mode: Mode
    root: Path | None

    async def answer(self, entry: Entry) -> Solved:
        return await solve(entry, self.model, self.mode, self.root)


def agent_named(
    name: str,
    mode: Mode,
    root: Path | None,
    *,
    sampling: dict[str, Any] | None = None,
    local: LocalSettings | None = None,
) -> Agent[Entry]:
    """`policy:gold` answers with the key, `policy:null` says nothing; else a model as `kopa eval --model` names it.

    Models sample with temperature 0 unless told otherwise, as the leaderboard has it.
    """
    scripted = name.removeprefix("policy:")
    if scripted == "gold":
        return ScriptedAgent("gold", lambda entry: key_result(entry, mode))
    if scripted == "null":
        return ScriptedAgent("null", lambda entry: [[""] for _ in entry.turns] if is_multi_turn(entry.category) else "")
    settings = {"temperature": 0.0, **(sampling or {})}
    return ModelAgent(open_model(name, sampling=settings, local=local, tools=mode == "fc"), mode, root)


def response_of(mode: Mode, result: Any) -> dict[str, Any]:
    """An agent's answer where only text travels: marked, so that a model's own JSON is not taken for it."""
    return {_RESPONSE: {"mode": mode, "result": result}}


def read_response(text: str) -> tuple[Mode, Any] | None:
    """Mode and result of a text that `response_of` made; None for any other text."""
    try:
        response = json.loads(text)
    except (ValueError, RecursionError):
        return None
    found = response.get(_RESPONSE) if isinstance(response, dict) and len(response) == 1 else None
    if not isinstance(found, dict) or found.keys() != {"mode", "result"}:
        return None
    return ("prompt" if found["mode"] == "prompt" else "fc"), found["result"]
