"""Archives of snapshots: the same content gives the same bytes, and a crafted one gets nowhere."""

from __future__ import annotations

import io
import json
import os
import random
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.errors import DataError
from kopa_hf.execution.recorded import LARGEST_BODY
from kopa_hf.execution.snapshot import Snapshot
from kopa_hf.execution.snapshot_archive import export_snapshot, import_archive
from tests.execution.snapshots import answer, body_of, failed, held, make, start

Members = dict[str, bytes]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An archive of six answers with five bodies, and one failure."""
    answers = [answer(number) for number in range(5)] + [answer(9, body=answer(1).body)]
    return packed(make(tmp_path / "from.kopa", answers, [failed(20)]), tmp_path / "a.zip")


def packed(path: Path, target: Path) -> Path:
    with Snapshot(path) as snapshot:
        export_snapshot(snapshot, target)
    return target


def members(archive: Path) -> Members:
    with zipfile.ZipFile(archive) as file:
        return {name: file.read(name) for name in file.namelist()}


def write(target: Path, content: Members | list[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> Path:
    pairs = content.items() if isinstance(content, dict) else content
    with zipfile.ZipFile(target, "w", method) as file:
        for name, body in pairs:
            file.writestr(name, body)
    return target


def test_an_archive_brings_everything_back(archive: Path, tmp_path: Path) -> None:
    target = tmp_path / "to.kopa"
    found = import_archive(archive, target)
    assert (found.answers, found.new) == (6, 6)
    assert held(target) == held(tmp_path / "from.kopa")
    with Snapshot(target) as there, Snapshot(tmp_path / "from.kopa") as here:
        assert list(there) == list(here)
        assert list(there.failures()) == list(here.failures()) == [failed(20)]
        assert (there.origin, there.day) == (here.origin, here.day)
        assert there.fingerprint() == here.fingerprint() == json.loads(members(archive)["snapshot.json"])["fingerprint"]
        assert there.structure() == []
    assert packed(target, tmp_path / "again.zip").read_bytes() == archive.read_bytes()


def test_the_same_content_gives_the_same_bytes_however_it_came_in(tmp_path: Path) -> None:
    answers = [answer(number) for number in range(30)]
    random.Random(3).shuffle(answers)
    first = make(tmp_path / "a.kopa", answers, [failed(40), failed(41)])
    second = tmp_path / "b.kopa"
    for part in (answers[20:], answers[:20]):
        make(second, part)
    make(second, (), [failed(41), failed(5), failed(40)])
    assert first.read_bytes() != second.read_bytes(), "the files differ, and nobody promised otherwise"
    one, two = packed(first, tmp_path / "a.zip"), packed(second, tmp_path / "b.zip")
    assert one.read_bytes() == two.read_bytes()


def test_the_archive_is_an_ordinary_one_with_the_bodies_as_sent(archive: Path) -> None:
    found = members(archive)
    lines = [json.loads(line) for line in found["answers.jsonl"].splitlines()]
    assert [line["request"] for line in lines] == sorted(line["request"] for line in lines)
    assert {found[f"bodies/{line['body']}"] for line in lines} == {answer(number).body for number in range(5)}
    assert len(found) == 3 + 5


def test_an_import_adds_to_what_is_there_and_changes_nothing(archive: Path, tmp_path: Path) -> None:
    target = make(tmp_path / "to.kopa", [answer(1, body=b"mine"), answer(50)])
    found = import_archive(archive, target)
    assert (found.answers, found.new) == (6, 5)
    assert held(target)[answer(1).request] == b"mine"
    assert len(held(target)) == 7


def test_answers_of_another_origin_are_not_mixed_in(archive: Path, tmp_path: Path) -> None:
    target = make(tmp_path / "to.kopa", [answer(1)], origin="live")
    with pytest.raises(DataError, match="not mixed"):
        import_archive(archive, target)
    assert len(held(target)) == 1


def test_a_file_that_is_there_is_not_written_over(archive: Path, tmp_path: Path) -> None:
    with Snapshot(tmp_path / "from.kopa") as snapshot, pytest.raises(DataError, match="exists"):
        export_snapshot(snapshot, archive)


ESCAPES = [
    "../outside", "/etc/outside", "bodies/../../outside", "bodies/..\\..\\outside", "C:\\outside", "\\\\server\\outside",
    "bodies/" + "a" * 63 + "/", "bodies/" + "A" * 64, "bodies/" + "a" * 64 + "/../x", "./snapshot.json", "answers.jsonl/",
    "bodies/" + "a" * 64 + "\n", "..", "~/.ssh/authorized_keys", "bodies/" + "ａ" * 64,
]  # fmt: skip


@pytest.mark.parametrize("name", ESCAPES)
def test_a_member_with_another_name_is_refused_and_nothing_is_written(archive: Path, tmp_path: Path, name: str) -> None:
    room = tmp_path / "room" / "inner"
    room.mkdir(parents=True)
    bad = write(room / "bad.zip", [*members(archive).items(), (name, b"payload")])
    before = {path for path in tmp_path.rglob("*")}
    with pytest.raises(DataError):
        import_archive(bad, room / "to.kopa")
    assert {path for path in tmp_path.rglob("*")} == before


def test_a_zero_byte_does_not_hide_a_name(archive: Path, tmp_path: Path) -> None:
    name = b"bodies/" + b"a" * 64
    bad = write(tmp_path / "bad.zip", [*members(archive).items(), (name.decode() + "XX../../out", b"payload")])
    bad.write_bytes(bad.read_bytes().replace(name + b"XX", name + b"\x00\x00"))
    with pytest.raises(DataError):
        import_archive(bad, tmp_path / "to.kopa")


def test_a_link_is_only_its_text_which_is_no_body(archive: Path, tmp_path: Path) -> None:
    found = members(archive)
    name = next(one for one in found if one.startswith("bodies/"))
    link = zipfile.ZipInfo(name)
    link.create_system, link.external_attr = 3, 0o120777 << 16
    bad = tmp_path / "bad.zip"
    with zipfile.ZipFile(bad, "w") as file:
        for one, body in found.items():
            file.writestr(link if one == name else one, b"/etc/passwd" if one == name else body)
    with pytest.raises(DataError, match="another one than its name says"):
        import_archive(bad, tmp_path / "to.kopa")
    assert not (tmp_path / "to.kopa").exists()


def test_a_bomb_is_refused_by_what_it_announces(archive: Path, tmp_path: Path) -> None:
    bomb = bytes(LARGEST_BODY + 1)
    bad = write(tmp_path / "bad.zip", [*members(archive).items(), ("bodies/" + "a" * 64, bomb)])
    assert bad.stat().st_size < 200_000
    with pytest.raises(DataError, match="too much"):
        import_archive(bad, tmp_path / "to.kopa")
    with pytest.raises(DataError, match="too much"):
        import_archive(archive, tmp_path / "to.kopa", largest=1000)


def test_a_bomb_that_lies_about_its_size_is_cut_off(archive: Path, tmp_path: Path) -> None:
    found = members(archive)
    name = next(one for one in found if one.startswith("bodies/"))
    found[name] = bytes(5 * 2**20)
    bad = write(tmp_path / "bad.zip", found)
    size = (5 * 2**20).to_bytes(4, "little")
    bad.write_bytes(bad.read_bytes().replace(size, (100).to_bytes(4, "little")))
    with pytest.raises(DataError):
        import_archive(bad, tmp_path / "to.kopa")


def test_one_large_body_in_every_line_is_not_read_without_end(tmp_path: Path) -> None:
    body = body_of(1) + bytes(100_000)
    many = packed(make(tmp_path / "from.kopa", [answer(n, body=body) for n in range(40)]), tmp_path / "a.zip")
    assert many.stat().st_size < 10_000
    with pytest.raises(DataError, match="unfold to too much"):
        import_archive(many, tmp_path / "to.kopa", largest=39 * len(body))
    assert not list(tmp_path.glob("*to.kopa*"))
    assert import_archive(many, tmp_path / "to.kopa", largest=40 * len(body)).new == 40


@pytest.mark.parametrize("name", ["a.zip/to.kopa", "n" * 300, "."])
def test_a_target_that_cannot_be_written_is_not_the_archive_s_fault(archive: Path, tmp_path: Path, name: str) -> None:
    before = sorted(tmp_path.iterdir())
    with pytest.raises(DataError) as caught:
        import_archive(archive, tmp_path / name)
    assert "no whole archive" not in str(caught.value)
    assert sorted(tmp_path.iterdir()) == before


def _edited(name: str, change: Callable[[Any], Any]) -> Callable[[Members], Any]:
    """A change of one member, which holds JSON or lines of it."""

    def edit(found: Members) -> Members:
        if name.endswith(".json"):
            return {**found, name: json.dumps(change(json.loads(found[name]))).encode()}
        lines = change([json.loads(line) for line in found[name].splitlines()])
        return {**found, name: "".join(json.dumps(line) + "\n" for line in lines).encode()}

    return edit


def _first(**values: Any) -> Callable[[Any], Any]:
    return lambda lines: [{**lines[0], **values}, *lines[1:]]


def _without(name: str) -> Callable[[Members], Any]:
    return lambda found: {one: body for one, body in found.items() if one != name}


CRAFTED: dict[str, Callable[[Members], Any]] = {
    "no head": _without("snapshot.json"),
    "no answers": _without("answers.jsonl"),
    "no failures": _without("failures.jsonl"),
    "a body less": lambda found: dict(list(found.items())[1:]),
    "a body more": lambda found: {**found, "bodies/" + "a" * 64: b"more"},
    "a member twice": lambda found: [*found.items(), ("answers.jsonl", b"")],
    "another format": _edited("snapshot.json", lambda head: {**head, "format": "x"}),
    "another version": _edited("snapshot.json", lambda head: {**head, "version": 2}),
    "another origin": _edited("snapshot.json", lambda head: {**head, "origin": "moon"}),
    "an odd day": _edited("snapshot.json", lambda head: {**head, "day": "30.1.2026"}),
    "a day that is no text": _edited("snapshot.json", lambda head: {**head, "day": 7}),
    "another fingerprint": _edited("snapshot.json", lambda head: {**head, "fingerprint": "0" * 64}),
    "another count": _edited("snapshot.json", lambda head: {**head, "answers": 5}),
    "fewer bodies told": _edited("snapshot.json", lambda head: {**head, "bodies": 4}),
    "another count of failures": _edited("snapshot.json", lambda head: {**head, "failures": 0}),
    "a head that is a list": _edited("snapshot.json", lambda head: [head]),
    "a head that is nested without end": lambda found: {**found, "snapshot.json": b"[" * 60_000},
    "lines nested without end": lambda found: {**found, "answers.jsonl": b"[" * 900_000 + b"\n"},
    "a line without end": lambda found: {**found, "answers.jsonl": b"[" * 3_000_000},
    "no text": lambda found: {**found, "answers.jsonl": b"\xff\xfe\n"},
    "an answer less": _edited("answers.jsonl", lambda lines: lines[1:]),
    "another order": _edited("answers.jsonl", lambda lines: lines[::-1]),
    "a failure as an answer": _edited("answers.jsonl", _first(outcome="server")),
    "an answer of another tool": _edited("answers.jsonl", _first(tool="find_dart_corp_code")),
    "a status as text": _edited("answers.jsonl", _first(status="200")),
    "a status that is true": _edited("answers.jsonl", _first(status=True)),
    "a column more": _edited("answers.jsonl", _first(more="x")),
    "a column that is far too long": _edited("answers.jsonl", _first(content_type="x" * 70_000)),
    "a body of another answer": _edited("answers.jsonl", lambda lines: [{**lines[0], "body": lines[-1]["body"]}, *lines[1:]]),
    "a body by a path": _edited("answers.jsonl", _first(body="../../etc/passwd")),
    "a body that is no text": _edited("answers.jsonl", _first(body=None)),
    "lines that are lists": _edited("answers.jsonl", lambda lines: [list(lines[0])]),
    "half a character": _edited("answers.jsonl", _first(content_type="\ud800")),
    "an answer as a failure": _edited("failures.jsonl", _first(outcome="ok")),
    "an unknown outcome": _edited("answers.jsonl", _first(outcome="fine")),
    "an unknown wire": _edited("answers.jsonl", _first(wire="telegraph")),
    "an unknown failure": _edited("failures.jsonl", _first(outcome="moonrise", failure="environmental")),
    "a failure of another class": _edited("failures.jsonl", _first(outcome="bad_param", failure="environmental")),
    "a failure of no class": _edited("failures.jsonl", _first(failure="none")),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("kind", CRAFTED)
def test_a_crafted_archive_is_refused_and_leaves_the_snapshot_as_it_was(
    archive: Path, tmp_path: Path, kind: str
) -> None:
    bad = write(tmp_path / "bad.zip", CRAFTED[kind](members(archive)))
    with pytest.raises(DataError):
        import_archive(bad, tmp_path / "new.kopa")
    assert not list(tmp_path.glob("*new.kopa*"))
    there = make(tmp_path / "there.kopa", [answer(70)])
    before = there.read_bytes()
    with pytest.raises(DataError):
        import_archive(bad, there)
    with Snapshot(there) as snapshot:
        assert [one.request for one in snapshot] == [answer(70).request]
        assert snapshot.structure() == []
    assert len(there.read_bytes()) == len(before)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_of_packing_are_not_read(archive: Path, tmp_path: Path, method: int) -> None:
    with pytest.raises(DataError, match="not read"):
        import_archive(write(tmp_path / "bad.zip", members(archive), method), tmp_path / "to.kopa")


def test_a_damaged_archive_is_refused_wherever_a_byte_changed(archive: Path, tmp_path: Path) -> None:
    whole, moments = archive.read_bytes(), random.Random(5)
    true = held(tmp_path / "from.kopa")
    for number, position in enumerate(moments.sample(range(len(whole)), 80)):
        bad = bytearray(whole)
        bad[position] ^= moments.choice((1, 0x20, 0xFF))
        source = tmp_path / "bad.zip"
        source.write_bytes(bytes(bad))
        target = tmp_path / f"to{number}.kopa"
        try:
            import_archive(source, target)
        except DataError:
            assert not target.exists()
        else:
            assert held(target) == true, "a byte that nobody reads"


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x05\x06" + bytes(18)])
def test_what_is_no_archive_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad.zip").write_bytes(content)
    with pytest.raises(DataError, match=r"bad\.zip"):
        import_archive(tmp_path / "bad.zip", tmp_path / "to.kopa")
    with pytest.raises(DataError, match="not there"):
        import_archive(tmp_path / "none.zip", tmp_path / "to.kopa")


def test_an_archive_that_cannot_be_finished_is_not_left_half(tmp_path: Path) -> None:
    path = make(tmp_path / "a.kopa", [answer(number, body=os.urandom(9000)) for number in range(40)])
    writer = start(
        """
        import resource, signal
        from pathlib import Path
        from kopa_hf.execution.snapshot_archive import export_snapshot
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        with Snapshot(sys.argv[1]) as snapshot:
            try:
                export_snapshot(snapshot, Path(sys.argv[2]))
            except Exception as error:
                print(type(error).__name__)
        """,
        path,
        tmp_path / "out" / "a.zip",
    )
    out, err = writer.communicate(timeout=60)
    assert out.strip() == "DataError", err
    assert list((tmp_path / "out").iterdir()) == []


def test_damage_is_not_handed_on(tmp_path: Path) -> None:
    path = make(tmp_path / "a.kopa", [answer(1), answer(2)])
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE answers SET status = 500")
    connection.close()
    with Snapshot(path) as snapshot, pytest.raises(DataError, match="seal"):
        export_snapshot(snapshot, tmp_path / "a.zip")
    assert not list(tmp_path.glob("*zip*"))


def test_the_archive_holds_no_clock_and_no_machine(archive: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(archive.read_bytes())) as file:
        assert {info.date_time for info in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {info.external_attr >> 16 for info in file.infolist()} == {0o100644}
        assert file.comment == b""
    assert body_of(1) in members(archive).values()
