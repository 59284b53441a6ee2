"""Answers on disk: what was received is there, whatever cut the run short, and the run goes on from it."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from kopa_hf.bench.asking import Solved
from kopa_hf.bench.kept_answers import Run, ask_and_keep, cut_short, go_on_from, read_results
from kopa_hf.errors import DataError

RUN = Run("m", "fc", "abc", {})


@dataclass(frozen=True)
class Item:
    id: str
    category: str = "c"


class Says:
    """Answers every item with one text; an item named `broken` is the set-up's fault."""

    name = "m"

    def __init__(self, text: str) -> None:
        self.text = text
        self.log: list[str] = []

    async def answer(self, entry: Item) -> Solved:
        try:
            if entry.id == "broken":
                raise DataError("no data")
            if entry.id == "slow":
                await asyncio.sleep(60)
            return Solved(self.text)
        finally:
            self.log.append(entry.id)

    async def aclose(self) -> None:
        self.log.append("closed")


def keep(path: Path, text: str, *ids: str) -> Says:
    agent = Says(text)
    asyncio.run(ask_and_keep(agent, [Item(name) for name in ids], RUN, path))
    return agent


def test_a_file_cut_at_any_byte_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    keep(path, "가나다", "a", "b")
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    assert "가나다".encode() in whole, "people read these files"
    for end in range(first + 1, len(whole) - 1):
        path.write_bytes(whole[:end])
        assert cut_short(path)
        assert [line["id"] for line in read_results(path)] == ["a"]
        assert go_on_from(path, RUN) == {"a"}
        assert path.read_bytes() == whole[:first]
    path.write_bytes(whole[:-1])  # all but the line feed
    assert not cut_short(path)
    assert go_on_from(path, RUN) == {"a", "b"}
    assert path.read_bytes() == whole


def test_a_broken_last_line_with_an_end_is_no_ones_neighbour(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    keep(path, "x", "a")
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"id": "b", "res\xea\n')
    assert go_on_from(path, RUN) == {"a"}
    keep(path, "x", "b")
    assert [line["id"] for line in read_results(path)] == ["a", "b"]


def test_a_line_that_is_no_text_amid_others_is_named(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    keep(path, "x", "a")
    path.write_bytes(b"\xff\xfe\n" + path.read_bytes())
    with pytest.raises(DataError, match="line 1 is no JSON"):
        read_results(path)


def test_an_answer_with_half_a_character_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    keep(path, "a\ud83d\\\ud83d가", "a", "b")
    assert [line["result"] for line in read_results(path)] == ["a\ud83d\\\ud83d가"] * 2
    assert json.loads(path.read_bytes().splitlines()[0])["result"] == "a\ud83d\\\ud83d가"


def test_what_was_received_is_kept_when_another_item_ends_the_run(tmp_path: Path) -> None:
    path, agent = tmp_path / "answers.jsonl", Says("x")
    items = [Item(name) for name in ("broken", "a", "b", "slow", "c")]
    with pytest.raises(DataError, match="no data"):
        asyncio.run(ask_and_keep(agent, items, RUN, path))
    assert sorted(line["id"] for line in read_results(path)) == ["a", "b", "c"]
    # nobody asks any more when the agent is closed
    assert agent.log[-2:] == ["slow", "closed"]
