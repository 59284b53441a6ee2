"""The agent's side: sessions, environments, turns, the tool-calling loop and model doors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kopa_hf._lazy import lazy_exports

if TYPE_CHECKING:
    from kopa_hf.agent.environment import KopaEnvironment as KopaEnvironment
    from kopa_hf.agent.loop import run_agent as run_agent
    from kopa_hf.agent.models import ChatModel as ChatModel
    from kopa_hf.agent.opening import LocalSettings as LocalSettings
    from kopa_hf.agent.opening import open_model as open_model
    from kopa_hf.agent.session import ExecutedCall as ExecutedCall
    from kopa_hf.agent.session import Session as Session
    from kopa_hf.agent.template import check_template as check_template
    from kopa_hf.agent.turns import Turn as Turn
    from kopa_hf.agent.turns import classify_turn as classify_turn

_HOMES = {
    "ChatModel": "models",
    "ExecutedCall": "session",
    "KopaEnvironment": "environment",
    "LocalSettings": "opening",
    "Session": "session",
    "Turn": "turns",
    "check_template": "template",
    "classify_turn": "turns",
    "open_model": "opening",
    "run_agent": "loop",
}

__all__ = [
    "ChatModel",
    "ExecutedCall",
    "KopaEnvironment",
    "LocalSettings",
    "Session",
    "Turn",
    "check_template",
    "classify_turn",
    "open_model",
    "run_agent",
]

__getattr__, __dir__ = lazy_exports(__name__, _HOMES)
