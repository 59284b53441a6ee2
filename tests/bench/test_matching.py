"""The largest matching beside networkx's."""

from __future__ import annotations

import networkx
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.bench.matching import largest_matching


def test_an_early_taker_moves_over() -> None:
    assert largest_matching([[0, 1], [0]]) == (1, 0)
    assert largest_matching([[0], [0]]) == (0, None)
    assert largest_matching([[], [2]]) == (None, 2)
    assert largest_matching([]) == ()


@given(st.lists(st.lists(st.integers(0, 6), unique=True), max_size=7))
def test_it_is_one_to_one_and_as_large_as_any(options: list[list[int]]) -> None:
    found = largest_matching(options)
    placed = [option for option in found if option is not None]
    assert len(set(placed)) == len(placed)
    assert all(option is None or option in options[wanted] for wanted, option in enumerate(found))
    graph = networkx.Graph()
    tops = [("wanted", number) for number in range(len(options))]
    graph.add_nodes_from(tops)
    graph.add_edges_from((("wanted", number), option) for number, fitting in enumerate(options) for option in fitting)
    assert len(networkx.bipartite.hopcroft_karp_matching(graph, tops)) == 2 * len(placed)
