"""The sandbox: a local replica of the platforms, served as an httpx transport over a synthetic world.

All records are invented and say so; only official code formats and region names are real.
"""

from __future__ import annotations

from kopa_hf.sandbox.faults import Faults
from kopa_hf.sandbox.keys import sandbox_key, valid_key
from kopa_hf.sandbox.server import SandboxTransport
from kopa_hf.sandbox.world import LAST_DAY, World

__all__ = ["LAST_DAY", "Faults", "SandboxTransport", "World", "sandbox_key", "valid_key"]
