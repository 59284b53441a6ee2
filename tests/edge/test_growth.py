"""Candidate search grows as it should: embedding with the tools, neighbours with the pairs, memory with the tools.

A small check with a slack of 2; `benchmarks/edge_growth.py` measures the real sizes.
"""

from __future__ import annotations

import random
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kopa_hf.catalog.tool import Field, Parameter, Tool
from kopa_hf.edge.candidates import Signatures, embed_signatures, nearest_targets
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.embedding import HashedNgrams

from .world import make_tool

SMALL, LARGE = 200, 800
SLACK = 2.0


def tools(count: int) -> list[Tool]:
    rng = random.Random(3)
    words = [f"{a}{b}" for a in ("의안", "노선", "학교", "시설") for b in ("번호", "이름", "일자", "구분")]
    return [
        make_tool(
            f"get_{n:05}",
            (Parameter(f"p{rng.randrange(50)}", rng.choice(words)),),
            tuple(Field(f"f{rng.randrange(90)}", rng.choice(words)) for _ in range(8)),
            title=f"{rng.choice(words)} 자료 {n % 31}",
            domain=f"기관{rng.randrange(count // 20)}",
        )
        for n in range(count)
    ]


def seconds(work: Callable[[], Any]) -> float:
    """Least processor time of some rounds."""
    spent = []
    for _ in range(3):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return min(spent)


@pytest.fixture(scope="module")
def sets() -> tuple[list[Tool], list[Tool]]:
    return tools(SMALL), tools(LARGE)


def test_embedding_time_grows_with_the_tools_and_neighbours_with_the_pairs(sets: tuple[list[Tool], list[Tool]]) -> None:
    embedder, config, ratio = HashedNgrams(), EdgeConfig(), LARGE / SMALL
    embedding, nearest = [], []
    for group in sets:
        embedding.append(seconds(lambda group=group: embed_signatures(group, embedder)))  # type: ignore[misc]
        signatures = embed_signatures(group, embedder)
        assert signatures is not None
        nearest.append(seconds(lambda signatures=signatures: nearest_targets(signatures, config)))  # type: ignore[misc]
    assert embedding[1] <= SLACK * ratio * embedding[0]
    assert nearest[1] <= SLACK * ratio**2 * nearest[0]


def drawn(group: list[Tool]) -> Signatures:
    """Signatures with vectors drawn by chance: how texts become vectors is not what is measured."""
    vectors = np.random.default_rng(5).standard_normal((len(group), 32)).astype(np.float32)
    return Signatures(tuple(group), tuple(group), vectors, vectors)


def test_memory_grows_with_the_tools_and_no_matrix_of_all_pairs_is_made() -> None:
    peaks = []
    for count in (SMALL, 1600):
        signatures = drawn(tools(count))
        tracemalloc.start()
        nearest_targets(signatures, EdgeConfig())
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] <= SLACK * (1600 / SMALL) * peaks[0]
    assert peaks[1] < 1600 * 1600 * 4, "a matrix of all pairs in float32 would take as much"
