"""Processes with unequal numbers of calls, played by threads over a stand-in for TRL's loop and vLLM's server."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, BrokenBarrierError
from types import SimpleNamespace
from typing import Any

import pytest

from kopa_hf.train.rounds import Rounds

torch = pytest.importorskip("torch", reason="extra `train` is not installed")


class Meeting:
    """What processes say to each other: everybody waits for everybody, `patience` seconds long."""

    def __init__(self, processes: int, patience: float) -> None:
        self.said: list[Any] = [None] * processes
        self.barrier = Barrier(processes, timeout=patience)

    def gather(self, rank: int, value: Any) -> list[Any]:
        self.said[rank] = value
        self.barrier.wait()
        everything = list(self.said)
        self.barrier.wait()
        return everything


class Loop:
    """As TRL 1.16 goes through its loop: each round only with the rollouts that still call, generated all at once."""

    def __init__(self, rank: int, calls: list[int], meeting: Meeting, *, server: bool) -> None:
        self.rank, self.calls, self.meeting = rank, calls, meeting
        self.accelerator = SimpleNamespace(
            device="cpu",
            num_processes=len(meeting.said),
            gather=lambda own: torch.cat(meeting.gather(rank, own)),
        )
        self._dist = SimpleNamespace(is_zero3=not server, is_fsdp=False)
        self.use_vllm, self.vllm_mode, self.vllm_tensor_parallel_size = server, "server", 1
        self.generation_config = SimpleNamespace(max_new_tokens=9)
        self.limits: list[int] = []

    def _tool_call_loop(self, prompts: Any, prompt_ids: list[list[int]], *_: Any) -> list[list[list[int]]]:
        left, heard = list(self.calls), []
        while any(left):
            asked = [prompt_ids[i] for i, calls in enumerate(left) if calls]
            heard.append(self._generate_single_turn(asked, None, {}, num_generations=1)[0])
            left = [max(0, calls - 1) for calls in left]
        return heard

    def _generate_single_turn(self, prompt_ids: list[list[int]], *_: Any, **__: Any) -> Any:
        self.limits.append(self.generation_config.max_new_tokens)
        everyone = [ids for part in self.meeting.gather(self.rank, prompt_ids) for ids in part]
        if not self.use_vllm:
            return [[*ids, 0] for ids in prompt_ids], None
        # the server's answers are dealt out as if all had sent equally many
        start = self.rank * len(prompt_ids)
        return [[*ids, 0] for ids in everyone[start : start + len(prompt_ids)]], None


class InStep(Rounds, Loop):
    """The loop, kept in step."""


def play(
    loop: type[Loop], calls: list[list[int]], *, server: bool, patience: float = 60
) -> tuple[list[Any], list[Any]]:
    meeting = Meeting(len(calls), patience)
    ranks = [loop(rank, own, meeting, server=server) for rank, own in enumerate(calls)]
    prompts = [[[rank, at] for at in range(len(own))] for rank, own in enumerate(calls)]
    with ThreadPoolExecutor(len(calls)) as pool:
        done = [pool.submit(one._tool_call_loop, [], own) for one, own in zip(ranks, prompts, strict=True)]
        return [future.result() for future in done], ranks


UNEVEN = [[0, 3], [1, 0], [0, 0]]


@pytest.mark.parametrize("server", [False, True])
def test_each_process_hears_its_own_and_none_waits_for_ever(server: bool) -> None:
    heard, ranks = play(InStep, UNEVEN, server=server)
    assert heard == [[[[0, 1, 0]]] * 3, [[[1, 0, 0]]], []]
    # three rounds for all; a process without prompts says one token, except to a server, whose limit is one for all
    bound = 9 if server else 1
    assert [one.limits for one in ranks] == [[9] * 3, [9, bound, bound], [bound] * 3]
    assert {one.generation_config.max_new_tokens for one in ranks} == {9}


def test_the_loop_alone_waits_for_ever() -> None:
    with pytest.raises(BrokenBarrierError):
        play(Loop, UNEVEN, server=False, patience=1)


def test_a_server_deals_out_by_place() -> None:
    """Rounds of equal number, but unequally many prompts: without `Rounds` a process gets another's answers."""
    wrong, _ = play(Loop, [[1], [1, 1]], server=True)
    assert wrong == [[[[0, 0, 0]]], [[[1, 1, 0]]]]
    right, _ = play(InStep, [[1], [1, 1]], server=True)
    assert right == [[[[0, 0, 0]]], [[[1, 0, 0], [1, 1, 0]]]]


def test_one_process_goes_its_own_way() -> None:
    heard, ranks = play(InStep, [[2, 1]], server=False)
    assert heard == [[[[0, 0, 0], [0, 1, 0]], [[0, 0, 0]]]]
    assert ranks[0].limits == [9, 9]
