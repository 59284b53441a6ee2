"""Identical requests are rendered once; nothing else changes by it."""

from __future__ import annotations

import httpx
import pytest

from kopa_hf.sandbox import Faults, SandboxTransport, World, sandbox_key
from kopa_hf.sandbox.envelopes.base import Outgoing
from kopa_hf.sandbox.query import Query, Reply
from kopa_hf.sandbox.server import OVERHEAD, Rendered

from .services import ASSEMBLY

BILLS = ASSEMBLY + "nzmimeepazxkubdpn"


def request(page: int = 1, *, key: str = "", attempt: int = 0) -> httpx.Request:
    asked = httpx.Request(
        "GET",
        BILLS,
        params={"KEY": key or sandbox_key("assembly"), "Type": "json", "pIndex": page, "pSize": 5, "AGE": "22"},
    )
    asked.extensions = {**asked.extensions, "kopa_attempt": attempt}
    return asked


class Counting(SandboxTransport):
    """Counts what is really answered."""

    made = 0

    def _answer(self, *given: object) -> Outgoing:
        self.made += 1
        return super()._answer(*given)  # type: ignore[arg-type]


def test_an_identical_request_is_answered_once_with_the_same_bytes(world: World) -> None:
    over, anew = Counting(world), Counting(world, kept_bytes=0)
    bodies = [over.respond(request(page)).body for page in (1, 2, 1, 2, 1)]
    assert bodies == [anew.respond(request(page)).body for page in (1, 2, 1, 2, 1)]
    assert bodies[0] != bodies[1]
    assert (over.made, anew.made) == (2, 5)


def test_another_key_is_another_request(world: World) -> None:
    over = Counting(world)
    assert over.respond(request()).body != over.respond(request(key="0" * 32)).body
    assert over.made == 2


def test_faults_befall_known_requests_all_the_same(world: World) -> None:
    faults = Faults(seed=1, transient=(("server", 0.5),))
    over, anew = Counting(world, faults), SandboxTransport(world, faults, kept_bytes=0)
    seen = [over.respond(request(attempt=attempt)) for attempt in range(40)]
    assert seen == [anew.respond(request(attempt=attempt)) for attempt in range(40)]
    assert len(set(seen)) == 2
    assert over.made == 1


def test_other_faults_forget_what_was_rendered(world: World) -> None:
    over = SandboxTransport(world)
    whole = over.respond(request()).body
    over.faults = Faults(seed=4, missing_share=0.5)
    assert len(over.respond(request()).body) < len(whole)


def test_refusals_are_the_same_every_time(world: World) -> None:
    over = Counting(world)
    refused = [
        over.respond(httpx.Request("GET", BILLS, params={"KEY": sandbox_key("assembly"), "pIndex": "x"})) for _ in "ab"
    ]
    assert refused[0] == refused[1]
    assert b"ERROR" in refused[0].body


def test_a_handler_sees_a_query_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Query] = []
    over = SandboxTransport(world)
    kept = over._reply

    def noting(wire: str, query: Query, handler: object) -> Reply:
        asked.append(query)
        return kept(wire, query, handler)  # type: ignore[arg-type]

    monkeypatch.setattr(over, "_reply", noting)
    for page in (1, 1, 3):
        over.respond(request(page))
    assert [query.page for query in asked] == [1, 3]


def test_the_longest_unused_answers_make_room() -> None:
    kept = Rendered(capacity=3 * (10 + OVERHEAD), largest=20 + OVERHEAD)
    answers = {name: Outgoing(name.encode() * 10, "text/plain") for name in "abcd"}
    for name in "abc":
        kept.keep((name,), answers[name])
    assert kept.get(("a",)) is answers["a"]
    kept.keep(("d",), answers["d"])
    assert [kept.get((name,)) is not None for name in "abcd"] == [True, False, True, True]
    assert kept.held == 3 * (10 + OVERHEAD)
    kept.keep(("d",), answers["d"])
    assert kept.held == 3 * (10 + OVERHEAD)
    kept.keep(("e",), Outgoing(b"e" * 21, "text/plain"))
    assert kept.get(("e",)) is None
