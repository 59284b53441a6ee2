"""A snapshot keeps what it was given: whole, once, by many writers, through kills and full disks."""

from __future__ import annotations

import datetime
import os
import pickle
import random
import signal
import sqlite3
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kopa_hf.errors import DataError
from kopa_hf.execution.recorded import Recorded
from kopa_hf.execution.snapshot import Snapshot
from tests.execution.snapshots import DAY, answer, body_of, failed, held, make, start


def test_what_is_put_comes_back_in_the_order_of_requests(tmp_path: Path) -> None:
    given_ = [answer(3), answer(1, body=b"\x00\xff\r\n"), answer(2, body=b"", content_type="")]
    path = make(tmp_path / "a.kopa", given_)
    with Snapshot(path) as snapshot:
        assert len(snapshot) == 3
        assert [snapshot.get(one.request) for one in given_] == given_
        assert list(snapshot) == sorted(given_, key=lambda one: one.request)
        assert snapshot.get("nothing") is None
        assert given_[0].request in snapshot
        assert "nothing" not in snapshot
        assert (snapshot.origin, snapshot.day) == ("sandbox", DAY)


_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@settings(max_examples=20, deadline=None)
@given(
    request=_TEXT.filter(bool),
    texts=st.lists(_TEXT, min_size=6, max_size=6),
    status=st.integers(100, 599),
    body=st.binary(max_size=3000),
)
def test_any_text_and_any_bytes_come_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, request: str, texts: list[str], status: int, body: bytes
) -> None:
    tool, wire, operation, signature, kind, observed = texts
    one = Recorded(request, tool, wire, operation, signature, "ok", status, kind, observed, body)
    path = make(tmp_path_factory.mktemp("any") / "a.kopa", [one])
    with Snapshot(path) as snapshot:
        assert snapshot.get(request) == one
        assert snapshot.structure() == []


def test_equal_bodies_are_stored_once(tmp_path: Path) -> None:
    path = make(tmp_path / "a.kopa", [answer(number, body=body_of(5)) for number in range(20)])
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM bodies").fetchone() == (1,)
    connection.close()
    assert len(held(path)) == 20


def test_an_answer_is_never_overwritten(tmp_path: Path) -> None:
    path = make(tmp_path / "a.kopa", [answer(1, body=b"first")])
    with Snapshot(path, writable=True) as snapshot:
        assert snapshot.put(answer(1, body=b"second")) is False
        assert snapshot.put(answer(2, body=b"other")) is True
        found = snapshot.get(answer(1).request)
    assert found is not None
    assert found.body == b"first"


@pytest.mark.parametrize("outcome", ["server", "quota", "bad_param", "not_a_response", ""])
def test_a_failure_is_no_answer(tmp_path: Path, outcome: str) -> None:
    path = make(tmp_path / "a.kopa", [answer(1)])
    with Snapshot(path, writable=True) as snapshot:
        with pytest.raises(DataError, match="failures are not recorded"):
            snapshot.put_all([answer(2), answer(3, outcome=outcome)])
        assert len(snapshot) == 1, "all or none"
        assert snapshot.structure() == []


def test_a_failure_is_noted_until_there_is_an_answer(tmp_path: Path) -> None:
    path = make(tmp_path / "a.kopa", [answer(1)], [failed(1), failed(2), failed(3)])
    with Snapshot(path, writable=True) as snapshot:
        assert snapshot.failure(answer(1).request) is None, "it has an answer"
        assert snapshot.failure(answer(2).request) == failed(2)
        snapshot.note_failure(failed(2, outcome="server", failure="environmental", message=""))
        assert [note.outcome for note in snapshot.failures()] == ["server", "bad_param"]
        snapshot.put(answer(2))
        assert snapshot.failure(answer(2).request) is None
        assert [note.request for note in snapshot.failures()] == [answer(3).request]
        assert snapshot.structure() == []


def test_a_recording_keeps_its_first_day_and_its_origin(tmp_path: Path) -> None:
    path = make(tmp_path / "a.kopa", [answer(1)], origin="via")
    with Snapshot.create(path, origin="via", day=datetime.date(2026, 2, 1)) as snapshot:
        assert snapshot.day == DAY
    with pytest.raises(DataError, match="not mixed"):
        Snapshot.create(path, origin="live", day=DAY)


def test_the_fingerprint_is_of_what_was_answered_not_of_when_or_in_which_order(tmp_path: Path) -> None:
    def fingerprint(name: str, *answers: Recorded) -> str:
        with Snapshot(make(tmp_path / name, answers)) as snapshot:
            return snapshot.fingerprint()

    first = fingerprint("a.kopa", answer(1), answer(2))
    assert fingerprint("b.kopa", answer(2, observed="2026-03-01T00:00:00Z"), answer(1)) == first
    assert fingerprint("c.kopa", answer(1)) != first
    assert fingerprint("d.kopa", answer(1), answer(2, body=b"{}")) != first
    assert fingerprint("e.kopa", answer(1), answer(2, status=201)) != first


def test_a_snapshot_open_for_reading_takes_nothing(tmp_path: Path) -> None:
    with Snapshot(make(tmp_path / "a.kopa", [answer(1)])) as snapshot, pytest.raises(DataError, match="reading only"):
        snapshot.put(answer(2))


def test_threads_write_and_read_at_once(tmp_path: Path) -> None:
    path = make(tmp_path / "a.kopa", [])
    with Snapshot(path, writable=True) as snapshot:
        new: list[int] = []

        def work(offset: int) -> None:
            for number in range(20):
                new.append(snapshot.put(answer(number + offset)))
                assert snapshot.get(answer(number + offset).request) == answer(number + offset)

        threads = [threading.Thread(target=work, args=(offset,)) for offset in (0, 10, 20, 0)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(new) == 80, "no thread failed"
        assert sum(new) == len(snapshot) == 40
        assert snapshot.structure() == []


WRITER = """
    with Snapshot.create(sys.argv[1], origin="sandbox", day=DAY) as snapshot:
        for number in range(int(sys.argv[2]), int(sys.argv[3])):
            print(number, int(snapshot.put(answer(number))))
"""


def test_processes_write_at_once_and_make_the_file_together(tmp_path: Path) -> None:
    path = tmp_path / "a.kopa"
    writers = [start(WRITER, path, first, first + 20) for first in (0, 10, 20)]
    told = [writer.communicate(timeout=120) for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0, 0], told
    assert sum(int(line.split()[1]) for out, _ in told for line in out.splitlines()) == 40
    assert held(path) == {answer(number).request: answer(number).body for number in range(40)}
    with Snapshot(path) as snapshot:
        assert snapshot.structure() == []


@pytest.mark.slow
def test_a_killed_writer_leaves_every_answer_that_it_was_told_is_kept(tmp_path: Path) -> None:
    moments = random.Random(7)
    path, number, kept = tmp_path / "a.kopa", 0, 0
    for _ in range(8):
        writer = start(WRITER, path, number, number + 10_000)
        assert writer.stdout is not None
        time.sleep(0.3)
        last = int(writer.stdout.readline().split()[0])
        time.sleep(moments.uniform(0.0, 0.15))
        writer.send_signal(signal.SIGKILL)
        told = [
            last,
            *[int(line.split()[0]) for line in writer.communicate()[0].splitlines() if line.endswith(("0", "1"))],
        ]
        with Snapshot(path) as snapshot:
            assert snapshot.structure() == []
            for one in range(kept, told[-1] + 1):
                assert snapshot.get(answer(one).request) == answer(one)
            assert told[-1] + 1 <= len(snapshot) <= told[-1] + 2, "at most the one that was being told"
            kept = number = len(snapshot)
    assert kept > 8


def test_a_reader_takes_back_what_a_killed_writer_left_half(tmp_path: Path) -> None:
    path = make(tmp_path / "a.kopa", [answer(number) for number in range(30)])
    writer = start(
        """
        import os, signal
        with Snapshot(sys.argv[1], writable=True) as snapshot:
            def many():
                snapshot._connection.execute("PRAGMA cache_size = 1")  # pages reach the file before the commit
                for number in range(30, 400):
                    yield answer(number, body=os.urandom(3000))
                os.kill(os.getpid(), signal.SIGKILL)
            snapshot.put_all(many())
        """,
        path,
    )
    writer.communicate(timeout=60)
    assert writer.returncode == -signal.SIGKILL
    journal = path.with_name("a.kopa-journal")
    assert journal.stat().st_size > 0, "the writer was in the middle"
    with Snapshot(path) as snapshot:
        assert len(snapshot) == 30
        assert snapshot.structure() == []


def test_a_full_disk_loses_nothing_that_was_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.kopa"
    # a limit on the size of files is the full disk that needs no mount
    writer = start(
        """
        import os, resource, signal
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
        with Snapshot.create(sys.argv[1], origin="sandbox", day=DAY) as snapshot:
            for number in range(1000):
                try:
                    snapshot.put(answer(number, body=bytes([number % 256]) * 9 + os.urandom(5000)))
                except Exception as error:
                    print(number, len(snapshot), type(error).__name__, error)
                    break
        """,
        path,
    )
    out, err = writer.communicate(timeout=60)
    assert writer.returncode == 0, err
    count, there, kind, *words = out.split()
    assert kind == "DataError"
    assert "What was recorded before is kept" in " ".join(words)
    assert count == there
    assert 10 < int(count) < 100
    with Snapshot(path) as snapshot:
        assert len(list(snapshot)) == int(count)
        assert snapshot.structure() == []


def test_a_forked_process_reads_and_writes_beside_its_parent(tmp_path: Path) -> None:
    path = make(tmp_path / "a.kopa", [answer(1)])
    with Snapshot(path, writable=True) as snapshot:
        child = os.fork()
        if not child:
            good = snapshot.get(answer(1).request) == answer(1) and snapshot.put(answer(2))
            os._exit(0 if good else 1)
        assert snapshot.put(answer(3))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert len(snapshot) == 3
        assert snapshot.structure() == []


def test_a_snapshot_goes_to_another_process_by_its_path(tmp_path: Path) -> None:
    with Snapshot(make(tmp_path / "a.kopa", [answer(1)])) as snapshot:
        copy = pickle.loads(pickle.dumps(snapshot))
        assert copy.get(answer(1).request) == answer(1)
        copy.close()
