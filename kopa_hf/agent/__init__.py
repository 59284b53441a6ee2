"""The agent's side: sessions, environments, turns, the tool-calling loop and model doors."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kopa_hf.agent.environment import KopaEnvironment as KopaEnvironment
    from kopa_hf.agent.loop import run_agent as run_agent
    from kopa_hf.agent.models import ChatModel as ChatModel
    from kopa_hf.agent.session import ExecutedCall as ExecutedCall
    from kopa_hf.agent.session import Session as Session
    from kopa_hf.agent.template import check_template as check_template
    from kopa_hf.agent.turns import Turn as Turn
    from kopa_hf.agent.turns import classify_turn as classify_turn

_HOMES = {
    "ChatModel": "kopa_hf.agent.models",
    "ExecutedCall": "kopa_hf.agent.session",
    "KopaEnvironment": "kopa_hf.agent.environment",
    "Session": "kopa_hf.agent.session",
    "Turn": "kopa_hf.agent.turns",
    "check_template": "kopa_hf.agent.template",
    "classify_turn": "kopa_hf.agent.turns",
    "run_agent": "kopa_hf.agent.loop",
}

__all__ = [
    "ChatModel",
    "ExecutedCall",
    "KopaEnvironment",
    "Session",
    "Turn",
    "check_template",
    "classify_turn",
    "run_agent",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
