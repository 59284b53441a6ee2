"""`--backend record` and `replay`, `kopa snapshot …` and `kopa drift`, over a socket against the sandbox."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.execution.keys import KEY_NAMES, variable
from kopa_hf.execution.snapshot import Snapshot
from kopa_hf.sandbox.keys import sandbox_key
from kopa_hf.sandbox.serving import SandboxServer, serving
from kopa_hf.sandbox.world import World
from tests.bench.test_rows import make_row
from tests.execution.snapshots import answer, body_of, failed, make

CALL = ("call", "search_assembly_bills", "AGE=22", "pSize=5")


@pytest.fixture
def live(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    """Options that lead to a served world of value seed 7, and what was asked of it."""
    for name in KEY_NAMES:
        monkeypatch.setenv(variable(name), sandbox_key(name))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    limits = tmp_path / "limits.json"
    names = ("assembly", "dart", "krx", "law", "neis", "seoul", "data_go_kr")
    limits.write_text(json.dumps({name: {"per_second": 10_000, "per_minute": 100_000} for name in names}))
    server = SandboxServer(World(0, 7))
    with serving(server) as address:

        def options(snapshot: Path, calls: int = 60) -> tuple[Any, ...]:
            return (
                "--backend",
                "record",
                "--snapshot",
                snapshot,
                "--max-calls",
                calls,
                "--via",
                address,
                "--limits",
                limits,
            )

        options.server = server  # type: ignore[attr-defined]
        options.to = ("--via", address, "--limits", limits)  # type: ignore[attr-defined]
        yield options


def test_a_recorded_call_is_replayed_without_a_socket_and_word_for_word(kopa: Any, live: Any, tmp_path: Path) -> None:
    file = tmp_path / "a.kopa"
    code, told, err = kopa(*CALL, *live(file))
    assert (code, "1 answers recorded" in err) == (0, True)
    asked = live.server.requests
    code, again, _ = kopa(*CALL, "--backend", "replay", "--snapshot", file)
    assert (code, live.server.requests) == (0, asked)
    assert again == told.replace("source live", "source replay")
    code, _, err = kopa(*CALL, *live(file))
    assert (code, live.server.requests) == (0, asked), "it is not asked again"
    assert "1 calls answered from before" in err
    for name in KEY_NAMES:
        assert sandbox_key(name).encode() not in file.read_bytes()


def test_an_unseen_call_fails_as_the_service_s_and_is_counted(kopa: Any, tmp_path: Path) -> None:
    file = make(tmp_path / "a.kopa", [answer(1)])
    code, out, err = kopa("call", "search_assembly_bills", "AGE=21", "--backend", "replay", "--snapshot", file)
    assert code == 3
    assert out.startswith("maintenance: This request is not in the snapshot")
    assert f"1 of 1 calls asked what {file} does not hold" in err
    code, out, _ = kopa("call", "search_assembly_bills", "AGE=21", "--backend", "replay", "--snapshot", file, "--json")
    assert json.loads(out)["source"] == "replay"


@pytest.mark.slow
def test_tasks_grounded_on_a_snapshot_are_those_grounded_while_recording(kopa: Any, live: Any, tmp_path: Path) -> None:
    file = tmp_path / "a.kopa"
    tasks = [word for name in TASKS for word in ("--task", name)]
    code, told, err = kopa("bench", "ground", *tasks, *live(file, 400))
    assert code == 0, err
    assert "not grounded" not in told
    code, again, err = kopa("bench", "ground", *tasks, "--backend", "replay", "--snapshot", file)
    assert (code, again) == (0, told)
    assert "does not hold" not in err
    assert kopa("bench", "ground", *tasks, "--values-seed", "7")[1] == told, "the served world was that of seed 7"
    assert kopa("bench", "ground", *tasks)[1] != told
    folder = tmp_path / "tasks"
    code, _, err = kopa("bench", "ground", *tasks, "--backend", "replay", "--snapshot", file, "--output", folder)
    assert code == 0, err
    code, out, err = kopa("eval", "--data", folder, "--model", "policy:gold", "--backend", "replay", "--snapshot", file)
    assert code == 0, err
    assert "gold 1.00" in " ".join(out.split()) or "source replay" in out
    code, out, _ = kopa("bench", "ground", "--backend", "replay", "--snapshot", file, "--task", "no_such_task")
    assert code == 2


TASKS = ("exam_turnout_gap", "index_gap")


@pytest.mark.parametrize(
    ("provenance", "real"),
    [
        ({"backend": "live", "origin": "live"}, True),
        ({"backend": "replay", "origin": "live", "snapshot": "0" * 16}, True),
        ({"backend": "live", "origin": "via"}, False),
        ({"backend": "replay", "origin": "via", "snapshot": "0" * 16}, False),
        ({"backend": "live"}, False),
        ({"backend": "sandbox"}, False),
    ],
)
def test_only_tasks_about_real_records_are_put_to_real_services(
    kopa: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, provenance: dict[str, str], real: bool
) -> None:
    monkeypatch.setattr("kopa_hf.cli.evaluate.bench_rows", lambda *_: [make_row(provenance=provenance)])
    file = make(tmp_path / "a.kopa", [answer(1)], origin="live")
    code, _, err = kopa("eval", "--model", "policy:null", "--backend", "replay", "--snapshot", file)
    assert ("grounded on invented records" in err) is not real
    assert (code == 0) is real, err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((*CALL, "--backend", "replay"), "need --snapshot FILE"),
        ((*CALL, "--backend", "record", "--max-calls", "1"), "need --snapshot FILE"),
        ((*CALL, "--snapshot", "a.kopa"), "do not take it"),
        (("bench", "ground", "--backend", "replay", "--snapshot", "a.kopa", "--values-seed", "1"), "only one"),
        (("eval", "--backend", "replay", "--snapshot", "a.kopa", "--values-seed", "fresh:1"), "only one"),
        ((*CALL, "--backend", "replay", "--snapshot", "none.kopa"), "none.kopa is not there"),
    ],
)
def test_what_does_not_go_together_is_said_in_one_line(kopa: Any, arguments: tuple[str, ...], words: str) -> None:
    code, out, err = kopa(*arguments)
    assert (code, out) == (2, "")
    assert words in err


def test_the_list_names_tools_answers_and_fingerprint(kopa: Any, tmp_path: Path) -> None:
    file = make(tmp_path / "a.kopa", [answer(1), answer(2, body=b"", outcome="no_data"), answer(8)], [failed(20)])
    code, out, _ = kopa("snapshot", "ls", file)
    assert code == 0
    assert out.splitlines()[1].split()[:4] == ["search_assembly_bills", "3", "1", "1"]
    assert "3 answers of 1 tools in 2 bodies" in out, "the first and the eighth page have one body"
    assert "from the embedded sandbox" in out
    with Snapshot(file) as snapshot:
        assert snapshot.fingerprint() in out
    code, out, _ = kopa("snapshot", "ls", file, "--tool", "search_assembly_bills")
    assert [line.split()[0] for line in out.splitlines()[1:]] == ["ok", "no_data", "ok", "failed:"]
    code, out, _ = kopa("snapshot", "ls", file, "--json")
    assert (json.loads(out)["answers"], json.loads(out)["tools"][0]["failures"]) == (3, 1)
    assert kopa("snapshot", "ls", file, "--tool", "other")[0] == 1


def test_verify_says_whole_or_what_is_wrong(kopa: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = make(tmp_path / "a.kopa", [answer(1), answer(2, body=body_of(1, "a1b2c3d4e5"))])
    code, out, _ = kopa("snapshot", "verify", file)
    assert (code, "2 answers, 0 failures noted: whole" in out) == (0, True)
    monkeypatch.setenv("KOPA_ASSEMBLY_KEY", "a1b2c3d4e5")
    code, out, _ = kopa("snapshot", "verify", file)
    assert (code, "the key assembly stands in it" in out, "a1b2c3d4e5" in out) == (1, True, False)
    bad = make(tmp_path / "b.kopa", [answer(1, outcome="no_data")])
    assert kopa("snapshot", "verify", bad, "--json")[0] == 1
    odd = make(tmp_path / "d.kopa", [], [failed(1, outcome="moonrise", failure="environmental")])
    code, out, _ = kopa("snapshot", "verify", odd)
    assert (code, "moonrise is no environmental failure" in out) == (1, True)
    (tmp_path / "c.kopa").write_bytes(b"no snapshot")
    assert kopa("snapshot", "verify", tmp_path / "c.kopa")[0] == 2


def test_export_and_import_bring_the_same_fingerprint(kopa: Any, tmp_path: Path) -> None:
    file = make(tmp_path / "a.kopa", [answer(number) for number in range(5)])
    code, out, _ = kopa("snapshot", "export", file, tmp_path / "a.zip")
    assert code == 0
    code, told, _ = kopa("snapshot", "import", tmp_path / "a.zip", tmp_path / "b.kopa")
    assert (code, "5 of them new" in told) == (0, True)
    assert out.split()[-1] in kopa("snapshot", "ls", tmp_path / "b.kopa")[1]
    assert kopa("snapshot", "export", file, tmp_path / "a.zip")[0] == 2, "it is not written over"
    assert kopa("snapshot", "import", file, tmp_path / "c.kopa")[0] == 2


def test_asking_again_and_comparing_finds_the_other_world(kopa: Any, live: Any, tmp_path: Path) -> None:
    first, second, third = (tmp_path / f"{name}.kopa" for name in ("first", "second", "third"))
    assert kopa(*CALL, *live(first))[0] == 0
    kopa("call", "search_assembly_bills", "AGE=22", "BILL_NAME=없는이름의법", *live(first))
    code, out, err = kopa("snapshot", "renew", first, second, "--max-calls", 5, *live.to)
    assert (code, out.strip()) == (0, "no_data 1, ok 1"), err
    code, out, _ = kopa("drift", first, second)
    assert (code, "2 requests shared by both, 2 answered alike" in out) == (0, True)
    make(third, [], origin="via")
    with Snapshot(first) as before, Snapshot(third, writable=True) as after:
        rows = [one for one in before if one.outcome == "ok"]
        changed = rows[0].body.replace("법률안".encode(), "다른안".encode())
        after.put(
            answer(1, request=rows[0].request, body=changed, operation=rows[0].operation, signature=rows[0].signature)
        )
    code, out, _ = kopa("drift", first, third)
    assert code == 1
    assert "1 of 1 tools drifted" in out
    assert "values of BILL_NAME" in out
    code, out, _ = kopa("drift", first, third, "--json")
    found = json.loads(out)
    assert found["tools"]["search_assembly_bills"]["values"] == {"BILL_NAME": 1}
    assert found["tools"]["search_assembly_bills"]["unasked"] == 1
    assert kopa("snapshot", "renew", first, first, "--max-calls", 5, *live.to)[0] == 2


@pytest.mark.parametrize(
    ("origin", "to", "words"),
    [
        ("via", (), "with --via"),
        ("sandbox", (), "with --via"),
        ("live", ("--via", "http://127.0.0.1:9"), "without --via"),
    ],
)
def test_what_one_side_was_asked_is_not_asked_of_the_other(
    kopa: Any, tmp_path: Path, origin: str, to: tuple[str, ...], words: str
) -> None:
    old, new = make(tmp_path / "old.kopa", [answer(1)], origin=origin), tmp_path / "new.kopa"
    code, _, err = kopa("snapshot", "renew", old, new, "--max-calls", 5, *to)
    assert (code, words in err, new.exists()) == (2, True, False)


_EDGE = [
    word
    for setting in ("iterations=2", "paths=30", "rows=4", "rate_edges=10", "fresh_executions=1", "platforms=kdic")
    for word in ("--set", setting)
]


@pytest.mark.slow
def test_a_graph_and_its_rows_made_on_a_snapshot_are_those_made_while_recording(
    kopa: Any, live: Any, tmp_path: Path
) -> None:
    file = tmp_path / "a.kopa"
    start = tmp_path / "start"
    code, _, err = kopa("edge", "build", "--preset", "demo", *_EDGE, "--output", start)
    assert code == 0, err

    def stages(name: str, backend: tuple[Any, ...]) -> tuple[Path, str]:
        """Refine and synthesize in a folder of their own; what was said beside."""
        folder, said = tmp_path / name, ""
        folder.mkdir()
        (folder / "graph.json").write_bytes((start / "graph.json").read_bytes())
        for stage in ("refine", "synthesize"):
            code, out, err = kopa("edge", stage, "--output", folder, *backend)
            assert code == 0, out + err
            said += err
        return folder, said

    recorded, _ = stages("recorded", live(file, 20_000))
    asked = live.server.requests
    replay = ("--backend", "replay", "--snapshot", file)
    replayed, said = stages("replayed", replay)
    again, _ = stages("again", replay)
    assert live.server.requests == asked, "nothing was sent"
    assert "does not hold" not in said, "every request was recorded"
    code, out, _ = kopa("edge", "verify", replayed / "edge-trajectories", *replay, "--json")
    assert code == 0, out
    assert json.loads(out)["passed"] == json.loads(out)["rows"] > 0

    def content(folder: Path) -> dict[str, bytes]:
        files = (
            path for path in folder.rglob("*") if path.is_file() and path.suffix in (".json", ".parquet", ".jsonl")
        )
        return {str(path.relative_to(folder)): path.read_bytes() for path in files}

    # byte for byte, and against the recording run but for the word that says who answered
    assert content(replayed) == content(again)
    told = {
        name: json.loads((folder / "graph.json").read_text())
        for name, folder in (("live", recorded), ("replay", replayed))
    }
    assert _without_source(told["live"]) == _without_source(told["replay"])
    rows = [_rows_of(folder / "edge-trajectories") for folder in (recorded, replayed)]
    assert rows[0] == rows[1]
    assert len(rows[0]) == json.loads(out)["rows"]


def _without_source(value: Any) -> Any:
    """A graph without who answered, and without its digest."""
    if isinstance(value, dict):
        return {
            name: _without_source(inner)
            for name, inner in value.items()
            if name not in ("backend", "surroundings", "head")
        }
    return [_without_source(item) for item in value] if isinstance(value, list) else value


def _rows_of(folder: Path) -> list[dict[str, Any]]:
    """The rows of a dataset without their provenance, and without who answered."""
    from kopa_hf.hub.loading import edge_splits, load_edge_trajectories

    rows = [row for split in edge_splits(folder) for row in load_edge_trajectories(folder, split=split)]
    text = json.dumps([{k: v for k, v in row.items() if k not in ("provenance", "id")} for row in rows])
    found: list[dict[str, Any]] = json.loads(text.replace(r"\"source\":\"live\"", r"\"source\":\"replay\""))
    return found
