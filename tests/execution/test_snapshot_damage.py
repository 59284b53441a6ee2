"""Damage of every kind: a false answer is never given out, and the check finds what is wrong."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.errors import DataError
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.keys import Keyring
from kopa_hf.execution.recorded import pack, seal
from kopa_hf.execution.snapshot import Snapshot
from kopa_hf.execution.snapshot_check import Checked, check_snapshot
from tests.execution.snapshots import answer, body_of, failed, make

ANSWERS = [answer(number) for number in range(12)]
TRUE = {one.request: one for one in ANSWERS}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make(tmp_path / "a.kopa", ANSWERS, [failed(20), failed(21, outcome="server", failure="environmental")])


def check(path: Path, keys: Keyring | None = None) -> Checked:
    with Snapshot(path) as snapshot:
        return check_snapshot(snapshot, load_catalog(), keys)


def change(path: Path, *statements: str, values: tuple[object, ...] = ()) -> None:
    """Somebody writes into the file by other means."""
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement, values)
    connection.commit()
    connection.close()


def damage_shows(path: Path) -> bool:
    """Ask for everything: wrong answers end the test. True where opening, asking or checking told of damage."""
    told = False
    try:
        snapshot = Snapshot(path)
    except DataError:
        return True
    with snapshot:
        for request, true in TRUE.items():
            try:
                found = snapshot.get(request)
            except DataError:
                told = True
                continue
            assert found in (true, None), "a false answer"
            told |= found is None
        return told or not check_snapshot(snapshot, load_catalog()).whole


def test_a_whole_snapshot_passes(path: Path) -> None:
    found = check(path)
    assert (found.whole, found.answers, found.failures, found.problems) == (True, 12, 2, [])
    assert found.outdated == 12, "their signature is none of today's catalog"


@pytest.mark.slow
def test_a_changed_byte_anywhere_gives_no_false_answer_and_is_found_where_it_matters(path: Path) -> None:
    whole = path.read_bytes()
    moments = random.Random(11)
    with Snapshot(path) as snapshot:
        content = (list(snapshot), list(snapshot.failures()))
    for position in moments.sample(range(len(whole)), 300):
        bad = bytearray(whole)
        bad[position] ^= moments.choice((1, 0x20, 0x80, 0xFF))
        path.write_bytes(bytes(bad))
        if not damage_shows(path):
            # nothing was told, so everything must still be there: a byte that nobody reads
            with Snapshot(path) as snapshot:
                assert (list(snapshot), list(snapshot.failures())) == content, position


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_cut_file_is_damaged(path: Path, share: float) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    assert damage_shows(path)


@pytest.mark.parametrize("start", [0, 4096, 8192, 12288])
def test_a_page_of_zeros_is_damage(path: Path, start: int) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:start] + bytes(4096) + whole[start + 4096 :])
    assert damage_shows(path)


def test_pages_that_changed_places_are_damage(path: Path) -> None:
    whole = path.read_bytes()
    pages = [whole[at : at + 4096] for at in range(0, len(whole), 4096)]
    pages[2], pages[-1] = pages[-1], pages[2]
    path.write_bytes(b"".join(pages))
    assert damage_shows(path)


def test_a_file_that_is_cut_while_it_is_open_is_damage_and_no_crash(path: Path) -> None:
    with Snapshot(path) as snapshot:
        assert snapshot.get(min(TRUE)) is not None
        os.truncate(path, path.stat().st_size // 2)
        with pytest.raises(DataError, match="damaged"):
            snapshot.get(max(TRUE))


FORGED = body_of(1, "거짓")


@pytest.mark.parametrize(
    ("statements", "problem"),
    [
        (["UPDATE answers SET status = 500 WHERE rowno = 1"], "seal"),
        (["UPDATE answers SET outcome = 'no_data' WHERE rowno = 1"], "seal"),
        (["UPDATE answers SET observed = '2027-01-01T00:00:00Z' WHERE rowno = 1"], "seal"),
        (["UPDATE bodies SET content = x'00'"], "another size"),
        (["UPDATE bodies SET content = x'0011223344'"], "cannot be unpacked"),
        (["UPDATE bodies SET size = size + 1"], "another size"),
        (["UPDATE bodies SET size = 99999999999"], "announced"),
        (["DELETE FROM bodies"], "missing"),
        (["UPDATE answers SET place = 99 WHERE rowno = 1"], "missing"),
        (["UPDATE answers SET place = (SELECT place FROM bodies WHERE digest <> body) WHERE rowno = 1"], "another one"),
        (["DELETE FROM answers WHERE rowno = 1"], "rows are missing"),
        (["DELETE FROM failures"], "rows are missing"),
        (["UPDATE failures SET outcome = 'server'"], "seal"),
        (["UPDATE meta SET value = '3 0' WHERE name = 'tally'"], "rows are missing"),
    ],
)
def test_what_is_changed_by_other_means_is_found(path: Path, statements: list[str], problem: str) -> None:
    first = min(TRUE)
    change(path, *[s.replace("rowno = 1", f"request = '{first}'") for s in statements])
    found = check(path)
    assert not found.whole
    assert problem in " ".join(found.problems)


def test_a_body_in_place_of_another_is_found(path: Path) -> None:
    change(path, "UPDATE bodies SET content = ?, size = ?", values=(pack(FORGED), len(FORGED)))
    with Snapshot(path) as snapshot, pytest.raises(DataError, match="another one"):
        snapshot.get(ANSWERS[0].request)


def test_a_body_that_unfolds_without_end_is_not_unfolded(path: Path) -> None:
    bomb = pack(bytes(200 * 2**20))
    assert len(bomb) < 300_000
    change(path, "UPDATE bodies SET content = ?, size = 1000", values=(bomb,))
    with Snapshot(path) as snapshot, pytest.raises(DataError, match="another size"):
        snapshot.get(ANSWERS[0].request)


def test_a_head_of_another_day_or_origin_is_refused(path: Path) -> None:
    change(path, "UPDATE meta SET value = 'live' WHERE name = 'origin'")
    with pytest.raises(DataError, match="head is damaged"):
        Snapshot(path)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER t AFTER INSERT ON answers BEGIN DELETE FROM failures; END",
        "CREATE VIEW v AS SELECT * FROM answers",
        "CREATE TABLE more (a)",
        "CREATE INDEX i ON answers (tool)",
        "DROP TABLE failures",
        "PRAGMA user_version = 9",
        "PRAGMA application_id = 1",
    ],
)
def test_a_file_with_other_tables_or_code_in_it_is_refused(path: Path, statement: str) -> None:
    change(path, statement)
    with pytest.raises(DataError):
        Snapshot(path)


def _text(path: Path) -> None:
    path.write_text("no database at all, but a text that is long enough to be one " * 100)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _gone(path: Path) -> None:
    path.unlink()


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("spoil", [_text, _empty, _gone, _folder])
def test_what_is_no_snapshot_is_refused_in_one_sentence(path: Path, spoil: Callable[[Path], None]) -> None:
    spoil(path)
    with pytest.raises(DataError, match=r"a\.kopa"):
        Executor("replay", snapshot=path)


def test_replay_stops_at_a_damaged_answer(path: Path) -> None:
    change(path, "UPDATE answers SET status = 201")
    with Executor("replay", snapshot=path) as executor, pytest.raises(DataError, match="kopa snapshot verify"):
        executor.call_sync("search_assembly_bills", {"AGE": "22", "pIndex": 3})


def test_the_check_reads_every_answer_again(tmp_path: Path) -> None:
    no_bill = b'{"RESULT": {"CODE": "ERROR-500", "MESSAGE": "\xec\x84\x9c\xeb\xb2\x84"}}'
    path = make(
        tmp_path / "b.kopa",
        [answer(1), answer(2, outcome="no_data"), answer(3, body=no_bill), answer(4, tool="list_law_articles"),
         answer(5, wire="moon"), answer(6, observed="yesterday")],
    )  # fmt: skip
    found = check(path)
    words = "\n".join(found.problems)
    assert found.count == 5
    for part in ("reads as ok, not as no_data", "reads as server, not as ok", "another tool", "moon", "no moment"):
        assert part in words


def test_the_check_looks_for_every_key_that_is_at_hand(tmp_path: Path) -> None:
    key = "abcd/efgh+ijkl=="
    spelt = body_of(1, "abcd%2Fefgh%2Bijkl%3D%3D")
    path = make(tmp_path / "b.kopa", [answer(1, body=spelt), answer(2)])
    found = check(path, Keyring({"assembly": key, "dart": "0" * 40}))
    assert found.keys == 2
    assert found.count == 1
    assert "the key assembly stands in it" in found.problems[0]
    assert key not in found.problems[0]


def test_parts_of_a_seal_cannot_run_into_each_other() -> None:
    assert seal("a", "bc") != seal("ab", "c")
    assert seal("1") != seal(1)
