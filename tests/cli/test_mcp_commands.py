"""`kopa mcp` and `kopa tools import mcp` as programs, with the official client on the other side."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from kopa_hf.catalog.folder import load_folder
from kopa_hf.catalog.registry import load_catalog
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.live import LiveSettings

mcp = pytest.importorskip("mcp")
pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
KOPA = (sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); from kopa_hf.cli import main; main()")
BILLS = "search_assembly_bills"
GIVEN = {"AGE": "22", "BILL_NAME": "주택법", "pSize": 5}


def with_program(work: Coroutine[Any, Any, Any]) -> Any:
    """Run it; the official client leaves before the loop has noticed that its program has ended, so that is waited for."""

    async def noticed() -> None:
        while any(thread.name.startswith("asyncio-waitpid-") for thread in threading.enumerate()):
            await asyncio.sleep(0.02)
        await asyncio.sleep(0)

    with asyncio.Runner() as runner:
        found = runner.run(work)
        runner.run(noticed())
    return found


@contextmanager
def over_http(*arguments: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """(address, process) of `kopa mcp ARGUMENTS --http 0`."""
    process = subprocess.Popen(
        [*KOPA, "mcp", *arguments, "--http", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip(), process
    finally:
        process.kill()
        process.communicate()


def test_standard_output_carries_the_protocol_and_nothing_else() -> None:
    requests = [
        {"id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
        {"id": 3, "method": "tools/call", "params": {"name": BILLS, "arguments": GIVEN}},
        {"id": 4, "method": "tools/call", "params": {"name": BILLS, "arguments": {"AGE": []}}},
    ]  # fmt: skip
    process = subprocess.Popen(
        [*KOPA, "mcp", "--tools", BILLS],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    answers: dict[int, Any] = {}
    for request in requests:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **request}, ensure_ascii=False) + "\n")
        process.stdin.flush()
        if "id" in request:
            line = process.stdout.readline()
            answers[json.loads(line)["id"]] = line
    rest, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    assert (rest, errors) == ("", "")
    assert list(answers) == [1, 2, 3, 4]
    # Hangul as it is, not as escapes
    assert "주택법 일부개정법률안" in answers[3]
    assert json.loads(answers[3])["result"]["isError"] is False
    refused = json.loads(answers[4])["result"]
    assert refused["isError"] is True
    assert refused["structuredContent"]["error"]["outcome"] == "bad_param"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_while_it_waits_for_a_line(number: signal.Signals) -> None:
    process = subprocess.Popen(
        [*KOPA, "mcp", "--tools", BILLS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write('{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
    process.stdin.flush()
    process.stdout.readline()
    process.send_signal(number)
    try:
        assert process.wait(20) == 128 + number
        assert process.stderr is not None
        assert process.stderr.read() == ""
    finally:
        process.kill()
        process.communicate()


def test_the_official_client_starts_the_command_itself() -> None:
    program = mcp.StdioServerParameters(command=KOPA[0], args=[*KOPA[1:], "mcp", "--tools", BILLS, "--with-local"])

    async def work() -> tuple[list[str], dict[str, Any]]:
        async with mcp.Client(program) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            await client.call_tool(BILLS, GIVEN)
            counted = await client.call_tool("reduce_records", {"result_id": "r1", "operation": "count"})
            return names, counted.structured_content

    names, counted = with_program(work())
    assert names[:2] == [BILLS, "evaluate_expression"]
    assert counted["value"] == 5


def test_http_clients_have_sessions_of_their_own_and_ctrl_c_ends_in_peace() -> None:
    count = {"result_id": "r1", "operation": "count"}

    async def work(address: str) -> list[Any]:
        async with mcp.Client(address) as one, mcp.Client(address) as other:
            await one.call_tool(BILLS, GIVEN)
            return [await client.call_tool("reduce_records", count) for client in (one, other)]

    with over_http("--tools", BILLS, "--with-local") as (address, process):
        mine, theirs = asyncio.run(work(address))
        # a page in a browser that names another host does not get through
        foreign = httpx.post(
            address, headers={"Host": "evil.example"}, json={"jsonrpc": "2.0", "id": 1, "method": "ping"}
        )
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=60)
    assert address.startswith("http://127.0.0.1:")
    assert mine.structured_content["value"] == 5
    assert theirs.structured_content["error"]["outcome"] == "bad_param"
    assert foreign.status_code == 421
    assert (process.returncode, out) == (0, "")
    assert "3 calls answered" in errors


def test_tools_that_were_served_and_imported_answer_as_they_do_here(kopa: Any, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    command = shlex.join([*KOPA, "mcp", "--platform", "kdic"])
    code, out, _ = kopa("tools", "import", "mcp", command, "--output", mine, "--name", "insurer", "--trust-hints")
    assert code == 0
    here = [tool for tool in load_catalog() if tool.platform == "kdic"]
    assert f"{len(here)} tools -> {mine / 'insurer.jsonl'}" in out
    catalog = load_folder(mine)
    for tool in here:
        there = catalog.get(tool.name)
        assert (there.title, there.description, there.read, there.paging) == (
            tool.title, tool.description, tool.read, tool.paging,
        )  # fmt: skip
        assert [(f.name, f.label, f.type, f.format) for f in there.fields] == [
            (f.name, f.label, f.type, f.format) for f in tool.fields
        ]
        assert [
            (p.name, p.label, p.type, p.required, p.format, p.enum, p.role, p.default) for p in there.inputs
        ] == sorted(
            ((p.name, p.label, p.type, p.required, p.format, p.enum, p.role, p.default) for p in tool.inputs),
            key=lambda p: not p[3],
        )
    asked = [(tool.name, {}) for tool in here if not any(p.required for p in tool.inputs)][:20]
    asked += [(here[0].name, {here[0].paging.page: 2, here[0].paging.size: 7}), (here[0].name, {"nope": 1})]
    live = LiveSettings(state=tmp_path / "state")
    with Executor("live", catalog=catalog, live=live) as served:
        there_results = [served.call_sync(name, given) for name, given in asked]

        async def again() -> list[Any]:
            return [await served.call(name, given) for name, given in asked[:3]]

        assert [r.records for r in asyncio.run(again())] == [r.records for r in there_results[:3]]
    direct = Executor()
    for (name, given), theirs in zip(asked, there_results, strict=True):
        ours = direct.call_sync(name, given)
        same = ("outcome", "records", "total_count", "page", "page_size", "next_page", "failure")
        assert [getattr(theirs, word) for word in same] == [getattr(ours, word) for word in same], name
    assert {r.outcome for r in there_results} >= {"ok", "bad_param"}


def test_a_catalog_of_ones_own_is_served_too(kopa: Any, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    command = shlex.join([*KOPA, "mcp", "--tools", BILLS])
    assert kopa("tools", "import", "mcp", command, "--output", mine, "--reads", "search_*")[0] == 0
    program = mcp.StdioServerParameters(
        command=KOPA[0],
        args=[*KOPA[1:], "mcp", "--catalog", str(mine), "--max-calls", "5", "--state", str(tmp_path / "state")],
        env={name: os.environ[name] for name in os.environ if name.startswith("XDG_")},
    )

    async def work() -> Any:
        async with mcp.Client(program) as client:
            return await client.call_tool(BILLS, GIVEN)

    told = with_program(work()).structured_content
    assert (told["source"], told["records"]) == ("live", Executor().call_sync(BILLS, GIVEN).records)


def test_a_toolset_of_the_benchmark_is_served(kopa: Any) -> None:
    from kopa_hf.hub.loading import embedded_rows

    row = next(iter(embedded_rows()))
    program = mcp.StdioServerParameters(command=KOPA[0], args=[*KOPA[1:], "mcp", "--toolset", row.environment])

    async def work() -> list[str]:
        async with mcp.Client(program) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    assert with_program(work()) == [tool["function"]["name"] for tool in row.tools]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("mcp",), 2, "Say which tools"),
        (("mcp", "--tools", " , "), 2, "--tools names none: ' , '"),
        (("mcp", "--platform", "nope"), 2, "No platform 'nope'; there are assembly, dart"),
        (("mcp", "--tools", "find_dart_corp_cod"), 2, "Did you mean find_dart_corp_code"),
        (("mcp", "--toolset", "nope"), 2, "has the environment or id 'nope'"),
        (("tools", "import", "mcp", "/nowhere/server", "--output", "x"), 3, "/nowhere/server cannot be run"),
        (
            ("tools", "import", "mcp", "http://127.0.0.1:9/mcp", "--output", "x"),
            3,
            "cannot be reached",
        ),
        (("tools", "import", "mcp", "x", "--output", "x", "--name", "dart"), 2, "dart is a provider of the built-in"),
        (("tools", "import", "mcp", "x", "--output", "x", "--header", "nothing"), 2, "HEADER=VARIABLE"),
    ],
)
def test_wrong_input_is_one_readable_line(
    kopa: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    found = kopa(*arguments)
    assert found[0] == code
    assert words in found[2]
    assert list(tmp_path.iterdir()) in ([], [tmp_path / "datasets-cache"])


def test_what_is_kept_of_a_server_names_variables_and_no_values(
    kopa: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOY_TOKEN", "secret-value")
    toy = shlex.join([sys.executable, str(ROOT / "tests" / "execution" / "mcp_toy.py")])
    mine = tmp_path / "mine"
    code, out, _ = kopa(
        "tools", "import", "mcp", toy, "--output", mine, "--environment", "TOY_TOKEN", "--allow", "echo"
    )
    assert code == 0
    assert "toy_town.jsonl" in out
    assert all("secret-value" not in path.read_text() for path in mine.iterdir())
    assert json.loads((mine / "toy_town.json").read_text())["environment"] == ["TOY_TOKEN"]
    catalog = load_folder(mine)
    assert catalog.allowed == {"echo"}
    assert not any(tool.read for tool in catalog)
    assert dataclasses.asdict(catalog.get("echo"))["endpoint"]["operation"] == "echo"


def test_another_server_of_that_name_is_refused_until_it_is_to_replace_the_first(kopa: Any, tmp_path: Path) -> None:
    toy = str(ROOT / "tests" / "execution" / "mcp_toy.py")
    first, second = shlex.join([sys.executable, toy]), shlex.join([sys.executable, "-u", toy])
    mine = tmp_path / "mine"

    def imported(command: str, *more: str) -> tuple[int, str, str]:
        found: tuple[int, str, str] = kopa("tools", "import", "mcp", command, "--output", mine, *more)
        return found

    def state(out: str) -> str:
        return next(line.split()[1] for line in out.splitlines() if line.startswith("echo "))

    assert state(imported(first, "--allow", "echo")[1]) == "allowed"
    before = {path.name: path.read_text() for path in mine.iterdir()}
    assert state(imported(first)[1]) == "allowed"  # the same server: what was allowed still is, and is shown
    code, _, err = imported(second)
    assert (code, "toy_town" in err, "--replace" in err) == (2, True, True)
    assert {path.name: path.read_text() for path in mine.iterdir()} == before
    assert state(imported(second, "--replace")[1]) == "off"
    assert load_folder(mine).allowed == frozenset()


def test_an_odd_tool_of_a_server_is_named_and_the_others_come(kopa: Any, tmp_path: Path) -> None:
    talker = str(ROOT / "tests" / "execution" / "mcp_talker.py")
    fine = {"inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}
    listed: list[dict[str, Any]] = [
        {"name": "one", **fine},
        {"name": "odd"},
        {"name": "one", **fine},
        {"name": "two", **fine},
    ]

    def imported(tools: list[dict[str, Any]]) -> tuple[int, str, str]:
        command = shlex.join([sys.executable, "-S", talker, "stdio", json.dumps(tools)])
        found: tuple[int, str, str] = kopa(
            "tools", "import", "mcp", command, "--output", tmp_path / "mine", "--trust-hints"
        )
        return found

    code, out, _ = imported(listed)
    assert code == 0
    assert [tool.name for tool in load_folder(tmp_path / "mine")] == ["one", "two"]
    assert [line for line in out.splitlines() if line.startswith("left out")] == [
        "left out: odd: inputSchema: Field required",
        "left out: one: another tool of the list is called so, and comes first",
    ]
    code, _, err = imported([{"name": "odd"}])
    assert (code, "The server offers no tool.\nleft out: odd: inputSchema: Field required" in err) == (2, True)
