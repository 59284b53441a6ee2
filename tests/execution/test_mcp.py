"""Tools of an MCP server: imported, executed over kept sessions, and nothing left running afterwards."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from kopa_hf.catalog.folder import load_folder, write_service
from kopa_hf.catalog.import_mcp import import_tools, says_it_reads
from kopa_hf.catalog.registry import Catalog
from kopa_hf.errors import BackendError, DataError
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.live import LiveSettings
from kopa_hf.execution.mcp_server import McpServer
from kopa_hf.execution.mcp_sessions import McpSessions
from kopa_hf.platforms.mcp import rows_member

pytest.importorskip("mcp")
pytestmark = pytest.mark.slow

TOY = Path(__file__).with_name("mcp_toy.py")


def toy(name: str = "toy", *, timeout: float = 60.0, command: tuple[str, ...] = ()) -> McpServer:
    return McpServer(
        name,
        command or (sys.executable, str(TOY)),
        environment=("TOY_MARKS", *(name for name in ("TOY_STUBBORN", "TOY_TOKEN") if name in os.environ)),
        timeout=timeout,
    )


def catalog_of(server: McpServer, folder: Path, allowed: tuple[str, ...] = ()) -> Catalog:
    sessions = McpSessions({server.name: server})
    try:
        listed = sessions.tools(server.name)
    finally:
        sessions.close()
    tools = import_tools(
        server.name, listed, taken=(), rows_member=rows_member, reads=says_it_reads, source="toy", domain="toy"
    )
    write_service(folder, server.name, tools, server.described(), allowed)
    return load_folder(folder)


@pytest.fixture
def marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "marks"
    folder.mkdir()
    monkeypatch.setenv("TOY_MARKS", str(folder))
    return folder


@pytest.fixture
def live(tmp_path: Path) -> LiveSettings:
    return LiveSettings(state=tmp_path / "state", first_wait=0.01, longest_wait=0.05, attempts=1)


@pytest.fixture
def executor(tmp_path: Path, marks: Path, live: LiveSettings) -> Iterator[Executor]:
    catalog = catalog_of(toy(timeout=5.0), tmp_path / "mine", ("die", "sleep", "fail"))
    for mark in marks.iterdir():
        mark.unlink()
    with Executor("live", catalog=catalog, live=live) as executor:
        yield executor


def running(marks: Path) -> list[int]:
    """Programs of the toy that are still there."""
    found = []
    for mark in marks.iterdir():
        try:
            state = Path(f"/proc/{mark.name}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            continue
        if state != "Z":
            found.append(int(mark.name))
    return found


def test_a_tool_list_of_several_pages_becomes_a_catalog(tmp_path: Path, marks: Path) -> None:
    catalog = catalog_of(toy(), tmp_path / "mine")
    cities = catalog.get("list_cities")
    assert [tool.name for tool in catalog] == ["list_cities", "echo", "fail", "die", "sleep", "remove_city"]
    assert catalog.get("remove_city").endpoint.operation == "remove.city"
    assert [(f.name, f.label, f.type) for f in cities.fields] == [
        ("city", "도시", "string"), ("code", "도시 코드", "string"), ("people", "인구", "integer"),
    ]  # fmt: skip
    assert [(p.name, p.type, p.required) for p in catalog.get("echo").inputs] == [
        ("n", "integer", True), ("on", "boolean", False), ("deep", "object", False), ("text", "string", False),
    ]  # fmt: skip
    # a hint of destruction outweighs one of reading
    assert [tool.name for tool in catalog if tool.read] == ["list_cities", "echo"]
    assert McpServer.read("toy", catalog.services["toy"]) == toy()


def test_calls_are_executed_over_one_session_from_threads_and_event_loops(executor: Executor, marks: Path) -> None:
    first = executor.call_sync("list_cities", {"codes": ["012"]})
    assert (first.outcome, first.records, first.total_count) == (
        "ok", [{"city": "나래시", "code": "012", "people": None}], 1,
    )  # fmt: skip
    typed = {"n": "7", "on": "true", "deep": {"가": [1, None]}, "text": " 두 줄\n "}
    second = executor.call_sync("echo", typed)

    async def twice() -> list[object]:
        results = await asyncio.gather(*(executor.call("echo", {"n": n}) for n in (1, 2)))
        return [result.records[0] for result in results]

    given = second.records[0]["given"]
    assert given == {"n": 7, "on": True, "deep": {"가": [1, None]}, "text": " 두 줄\n ", "kind": "int"}
    third, fourth = asyncio.run(twice())
    assert third["process"] == fourth["process"] == second.records[0]["process"]  # type: ignore[index]
    assert len(running(marks)) == 1
    executor.close()
    assert running(marks) == []


def test_nothing_is_no_data_and_what_is_not_allowed_is_not_sent(executor: Executor, marks: Path) -> None:
    assert executor.call_sync("list_cities", {"prefix": "없"}).outcome == "no_data"
    refused = executor.call_sync("remove_city", {"code": "011"})
    assert (refused.outcome, refused.requests) == ("bad_param", 0)


def test_an_error_result_has_our_outcome_and_its_words(executor: Executor, marks: Path) -> None:
    result = executor.call_sync("fail", {"words": "rate limit reached"})
    assert (result.outcome, result.failure, result.message) == ("rate_limit", "environmental", "rate limit reached")
    result = executor.call_sync("fail", {"words": "[Errno 111] Connection refused"})
    assert (result.outcome, result.failure) == ("server", "environmental")
    result = executor.call_sync("fail", {"words": "code must be two digits"})
    assert (result.outcome, result.failure) == ("bad_param", "structural")
    # nothing in "nothing works" speaks of what was asked for
    result = executor.call_sync("fail", {})
    assert (result.outcome, result.failure) == ("server", "environmental")


def test_what_a_server_repeats_of_its_environment_shows_nowhere(
    tmp_path: Path, marks: Path, live: LiveSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOY_TOKEN", "tk-9f3a2b7c1d")
    catalog, path = catalog_of(toy(), tmp_path / "mine", ("fail",)), tmp_path / "toy.kopa"
    with Executor("record", catalog=catalog, live=live, snapshot=path) as recording:
        told = recording.call_sync("echo", {"n": 1, "text": "my token is $TOY_TOKEN."})
        refused = recording.call_sync("fail", {"words": "invalid argument for $TOY_TOKEN"})
    assert told.records[0]["given"]["text"] == "my token is ***."
    assert (refused.outcome, refused.message) == ("bad_param", "invalid argument for ***")
    kept = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    assert all(b"tk-9f3a2b7c1d" not in file.read_bytes() for file in (*kept, *(tmp_path / "mine").iterdir()))
    with Executor("replay", catalog=catalog, snapshot=path) as replaying:
        again = replaying.call_sync("echo", {"n": 1, "text": "my token is $TOY_TOKEN."})
    assert again.records == told.records


def test_what_a_program_says_at_its_end_is_told_without_its_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOY_TOKEN", "tk-9f3a2b7c1d")
    program = (sys.executable, "-c", "import os, sys; sys.exit('refused: Bearer ' + os.environ['TOY_TOKEN'])")
    sessions = McpSessions({"none": McpServer("none", program, environment=("TOY_TOKEN",))})
    with pytest.raises(Exception, match=r"it said: refused: Bearer \*\*\*$"):
        sessions.tools("none")
    sessions.close()


def test_the_last_ten_lines_of_a_program_that_does_not_start_are_told() -> None:
    words = "import sys; [print(chr(27) + '[31mline', n, file=sys.stderr) for n in range(1, 14)]; sys.exit(1)"
    sessions = McpSessions({"none": McpServer("none", (sys.executable, "-c", words))})
    with pytest.raises(httpx.ConnectError) as caught:
        sessions.tools("none")
    sessions.close()
    said = str(caught.value).partition("it said:")[2]
    assert said == "".join(f"\n  line {n}" for n in range(4, 14))


def test_of_a_program_that_says_much_no_half_line_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOY_TOKEN", "tk-9f3a2b7c1d")
    # the last 64 KiB begin in the middle of the token
    words = (
        "import os, sys; t = os.environ['TOY_TOKEN']; end = '\\nthe end\\n'; "
        "sys.stderr.write('x' * 9999 + t + 'y' * (65536 - len(end) - len(t[6:])) + end); sys.exit(1)"
    )
    program = (sys.executable, "-c", words)
    sessions = McpSessions({"none": McpServer("none", program, environment=("TOY_TOKEN",))})
    with pytest.raises(httpx.ConnectError, match=r"it said: the end$") as caught:
        sessions.tools("none")
    sessions.close()
    assert "2b7c1d" not in str(caught.value)


def test_a_program_that_never_starts_is_heard_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kopa_hf.execution.mcp_server.START", 0.5)
    words = "import sys, time; print('waiting for the disk', file=sys.stderr, flush=True); time.sleep(60)"
    sessions = McpSessions({"none": McpServer("none", (sys.executable, "-c", words), timeout=1.0)})
    with pytest.raises(httpx.ConnectTimeout, match=r"did not start in 1 s; it said: waiting for the disk$"):
        sessions.tools("none")
    sessions.close()


def test_a_server_that_dies_is_a_failure_from_outside_and_is_started_anew(executor: Executor, marks: Path) -> None:
    before = executor.call_sync("echo", {"n": 1}).records[0]["process"]
    dead = executor.call_sync("die", {})
    assert (dead.outcome, dead.failure) == ("server", "environmental")
    assert executor.call_sync("echo", {"n": 1}).records[0]["process"] != before


def test_a_hung_server_is_given_up_and_ended(executor: Executor, marks: Path) -> None:
    late = [executor.call_sync("sleep", {"seconds": 60}) for _ in range(2)]
    assert {result.outcome for result in late} == {"timeout"}
    assert executor.call_sync("list_cities", {}).total_count == 2
    executor.close()
    assert running(marks) == []


def test_what_was_recorded_of_a_server_is_replayed_without_it(tmp_path: Path, marks: Path, live: LiveSettings) -> None:
    catalog = catalog_of(toy(), tmp_path / "mine")
    path = tmp_path / "toy.kopa"
    with Executor("record", catalog=catalog, live=live, snapshot=path) as recording:
        told = [
            recording.call_sync("list_cities", {"codes": ["011"]}),
            recording.call_sync("list_cities", {"prefix": "없"}),
        ]
    assert running(marks) == []
    for mark in marks.iterdir():
        mark.unlink()
    with Executor("replay", catalog=catalog, snapshot=path) as replaying:
        again = [
            replaying.call_sync("list_cities", {"codes": ["011"]}),
            replaying.call_sync("list_cities", {"prefix": "없"}),
        ]
        unseen = replaying.call_sync("list_cities", {})
    assert [(r.outcome, r.records, r.message) for r in again] == [(r.outcome, r.records, r.message) for r in told]
    assert unseen.unseen
    assert list(marks.iterdir()) == []


def test_a_program_that_does_not_want_to_end_is_ended(
    tmp_path: Path, marks: Path, live: LiveSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOY_STUBBORN", "1")
    catalog = catalog_of(toy(), tmp_path / "mine")
    with Executor("live", catalog=catalog, live=live) as executor:
        assert executor.call_sync("list_cities", {}).ok
        assert running(marks)
    assert running(marks) == []


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_no_program_outlives_the_process_that_started_it(
    how: signal.Signals, tmp_path: Path, marks: Path, live: LiveSettings
) -> None:
    catalog_of(toy(), tmp_path / "mine", ("sleep",))
    script = (
        "from kopa_hf.execution import Executor\nfrom kopa_hf.catalog.folder import load_folder\n"
        f"executor = Executor('live', catalog=load_folder({str(tmp_path / 'mine')!r}))\n"
        "print(executor.call_sync('list_cities', {}).outcome, flush=True)\n"
        "executor.call_sync('sleep', {'seconds': 2})\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ok\n"
    time.sleep(0.3)
    child.send_signal(how)
    assert child.wait(60) != 0
    deadline = time.monotonic() + 60
    while running(marks) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert running(marks) == []


def test_a_command_that_is_not_there_stops_the_job(tmp_path: Path) -> None:
    sessions = McpSessions({"none": McpServer("none", ("/nowhere/server",))})
    with pytest.raises(BackendError, match="/nowhere/server cannot be run"):
        sessions.tools("none")
    sessions.close()


def test_a_program_that_ends_at_once_says_why(tmp_path: Path) -> None:
    program = (sys.executable, "-c", "import sys; sys.exit('the key is missing')")
    sessions = McpSessions({"none": McpServer("none", program)})
    with pytest.raises(Exception, match=r"cannot be reached.*the key is missing"):
        sessions.tools("none")
    sessions.close()


def test_a_server_at_an_address_is_asked_and_its_end_is_seen(tmp_path: Path, marks: Path, live: LiveSettings) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = McpServer("web", url=f"http://127.0.0.1:{port}/mcp", timeout=10.0)
    started = subprocess.Popen([sys.executable, str(TOY), "http", str(port)])
    try:
        deadline = time.monotonic() + 60
        while socket.socket().connect_ex(("127.0.0.1", port)) and time.monotonic() < deadline:
            time.sleep(0.05)
        catalog = catalog_of(server, tmp_path / "mine")
        with Executor("live", catalog=catalog, live=live) as executor:
            assert executor.call_sync("list_cities", {"prefix": "가"}).records[0]["code"] == "011"
            started.terminate()
            started.wait(10)
            ended = executor.call_sync("list_cities", {})
    finally:
        started.kill()
        started.wait()
    assert (ended.outcome, ended.failure) == ("server", "environmental")


@pytest.mark.parametrize(
    ("described", "words"),
    [
        ({"kind": "mcp"}, "either `command` or `url`"),
        ({"kind": "mcp", "command": ["a"], "url": "http://x"}, "either `command` or `url`"),
        ({"kind": "mcp", "command": [1]}, "1 is no text"),
        ({"kind": "mcp", "command": ["a"], "timeout": 0}, "above 0"),
    ],
)
def test_a_file_that_describes_no_server_is_refused(described: dict[str, object], words: str) -> None:
    with pytest.raises(DataError, match=words):
        McpServer.read("x", described)


def test_a_missing_variable_is_named_and_its_value_is_never_written(monkeypatch: pytest.MonkeyPatch) -> None:
    server = McpServer("x", url="http://127.0.0.1:9/mcp", headers=(("Authorization", "TOY_TOKEN"),))
    monkeypatch.setenv("TOY_TOKEN", "secret-value")
    assert "secret-value" not in str(server.described())
    monkeypatch.delenv("TOY_TOKEN")
    sessions = McpSessions({"x": server})
    with pytest.raises(BackendError, match="TOY_TOKEN"):
        sessions.tools("x")
    sessions.close()
