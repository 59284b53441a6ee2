"""Ctrl-C belongs to the process that the user sees."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time

import pytest

from kopa_hf.edge.processes import cores, ctrl_c_stays_here


def sleeper() -> None:
    time.sleep(60)


def interrupt_this_process() -> None:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.2)


def test_cores_are_those_that_this_process_may_use() -> None:
    assert cores() == len(os.sched_getaffinity(0))


@pytest.mark.slow
@pytest.mark.parametrize("after", [0.0, 0.1, 1.0])
def test_a_child_never_sees_ctrl_c_and_the_parent_does(after: float) -> None:
    child = multiprocessing.get_context("spawn").Process(target=sleeper, daemon=True)
    with ctrl_c_stays_here():
        child.start()
    time.sleep(after)
    os.kill(child.pid or 0, signal.SIGINT)
    child.join(1.5)
    assert child.is_alive()
    child.kill()
    with pytest.raises(KeyboardInterrupt):
        interrupt_this_process()


def test_ctrl_c_within_the_block_is_not_lost() -> None:
    with pytest.raises(KeyboardInterrupt), ctrl_c_stays_here():
        interrupt_this_process()
