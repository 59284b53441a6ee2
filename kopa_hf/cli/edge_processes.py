"""Processes beside this one for the calls of a long sandbox run."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Final

from kopa_hf.execution.executor import Executor
from kopa_hf.sandbox.faults import Faults
from kopa_hf.sandbox.server import SandboxTransport
from kopa_hf.sandbox.world import World

if TYPE_CHECKING:
    from kopa_hf.edge.config import EdgeConfig
    from kopa_hf.edge.observe import Ask

WORTH: Final = 5_000
"""Sampled paths from which on processes save more than opening them costs: each builds the world's tables itself."""


def answering_processes(executor: Executor, config: EdgeConfig, done: int) -> AbstractContextManager[Ask | None]:
    """As many as `config.workers` says; none where little is left to do (`done`: finished iterations) or services are asked."""
    from kopa_hf.edge.answering import answerers

    transport = executor.transport
    left = max(config.iterations - done, 0) * config.paths
    if type(executor) is not Executor or not isinstance(transport, SandboxTransport) or left < WORTH:
        return nullcontext()
    world = transport.world
    seeds = (world.identity_seed, world.value_seed, world.scale)
    return answerers(partial(reopen, seeds, transport.faults), config.workers)


def reopen(world: tuple[int, int, float], faults: Faults) -> Executor:
    """An executor that answers as the one that it was described from does."""
    return Executor(world=World(*world), faults=faults)
