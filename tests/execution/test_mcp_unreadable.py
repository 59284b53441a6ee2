"""An MCP server's answer that is none: a failure from outside at once, never a wait for what has come already."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from kopa_hf.catalog.folder import load_folder, write_service
from kopa_hf.catalog.import_mcp import import_tools, says_it_reads
from kopa_hf.execution.bounded import UnreadableError
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.live import LiveSettings
from kopa_hf.execution.mcp_server import McpServer
from kopa_hf.execution.mcp_sessions import McpSessions
from kopa_hf.platforms.mcp import rows_member

pytest.importorskip("mcp")
from mcp.types import ErrorData, JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from kopa_hf.execution.mcp_program import answered
from kopa_hf.execution.mcp_unnamed import Waiting

TALKER = Path(__file__).with_name("mcp_talker.py")
GOOD = '{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"fine"}]}}'
DEEP = '{"jsonrpc":"2.0","id":ID,"result":{"content":[],"structuredContent":{"a":' + "[" * 5000 + "]" * 5000 + "}}}"
UNREADABLE = {
    "a lone surrogate": '{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"a\\ud800b"}]}}',
    "a code that is no number": '{"jsonrpc":"2.0","id":ID,"error":{"code":"x","message":null}}',
    "too deep": DEEP,
    "a result that is a list": '{"jsonrpc":"2.0","id":ID,"result":[1]}',
    "content that is a text": '{"jsonrpc":"2.0","id":ID,"result":{"content":"fine"}}',
    "no version": '{"id":ID,"result":{"content":[]}}',
    "cut short": '{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"te',
}


@pytest.fixture(scope="module", params=["stdio", "json", "events"])
def server(request: pytest.FixtureRequest) -> Iterator[McpServer]:
    """A program that answers with any line, on standard output or over HTTP."""
    command = (sys.executable, "-S", str(TALKER), request.param)
    if request.param == "stdio":
        yield McpServer("talker", command, timeout=20.0)
        return
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        yield McpServer("talker", url=started.stdout.readline().strip(), timeout=20.0)
        started.kill()


@pytest.fixture(scope="module")
def sessions(server: McpServer) -> Iterator[McpSessions]:
    opened = McpSessions({server.name: server})
    yield opened
    opened.close()


@pytest.mark.parametrize("line", UNREADABLE.values(), ids=UNREADABLE)
def test_an_answer_that_cannot_be_read_is_told_at_once_and_the_session_goes_on(
    sessions: McpSessions, line: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert sessions.call("talker", "talk", {"line": GOOD})["result"]["content"][0]["text"] == "fine"
    began = time.monotonic()
    caplog.clear()
    with pytest.raises(UnreadableError, match=r"^talker: the answer is not of the protocol's form$"):
        sessions.call("talker", "talk", {"line": line})
    assert caplog.records == []  # the protocol's client would log the answer with whatever stands in it
    assert time.monotonic() - began < 15  # of the 20 s that an answer may take
    assert sessions.call("talker", "talk", {"line": GOOD})["result"]["content"][0]["text"] == "fine"


def test_an_error_that_names_no_request_is_the_one_that_waits(sessions: McpSessions) -> None:
    began = time.monotonic()
    line = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}'
    assert sessions.call("talker", "talk", {"line": line}) == {"error": {"code": -32700, "message": "Parse error"}}
    assert time.monotonic() - began < 15  # of the 20 s that an answer may take
    assert sessions.call("talker", "talk", {"line": GOOD})["result"]["content"][0]["text"] == "fine"


def test_an_answer_to_a_request_that_was_never_made_is_not_waited_for(
    sessions: McpSessions, request: pytest.FixtureRequest
) -> None:
    foreign, began = {"line": GOOD.replace("ID", "987654")}, time.monotonic()
    if request.node.callspec.params["server"] == "events":  # a stream of its own is whose answer it is
        assert sessions.call("talker", "talk", foreign)["result"]["content"][0]["text"] == "fine"
    else:
        with pytest.raises(UnreadableError, match=r"^talker: the answer is not of the protocol's form$"):
            sessions.call("talker", "talk", foreign)
    assert time.monotonic() - began < 15
    assert sessions.call("talker", "talk", {"line": GOOD})["result"]["content"][0]["text"] == "fine"


def test_an_answer_without_a_name_belongs_to_no_one_of_several() -> None:
    waiting = Waiting()
    nameless = JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=-32700, message="Parse error"))
    assert waiting.place(nameless) is nameless  # nobody waits
    for number in (1, 2, 3):
        waiting.note(JSONRPCRequest(jsonrpc="2.0", id=number, method="tools/call"))
    assert waiting.place(nameless) is nameless
    given_up = {"requestId": 2}
    waiting.note(JSONRPCNotification(jsonrpc="2.0", method="notifications/cancelled", params=given_up))
    answered_late = JSONRPCResponse(jsonrpc="2.0", id=2, result={})
    assert waiting.place(answered_late) is answered_late
    assert waiting.place(JSONRPCResponse(jsonrpc="2.0", id=1, result={"a": 1})).result == {"a": 1}
    assert waiting.place(nameless) == nameless.model_copy(update={"id": 3})
    assert waiting.place(nameless) is nameless  # it has been given to whom it belongs


def test_it_is_no_response_and_is_not_asked_for_again(server: McpServer, sessions: McpSessions, tmp_path: Path) -> None:
    tools = import_tools(
        server.name, sessions.tools(server.name), taken=(), rows_member=rows_member, reads=says_it_reads,
        source="talker", domain="talker",
    )  # fmt: skip
    write_service(tmp_path / "mine", server.name, tools, server.described(), ())
    live = LiveSettings(state=tmp_path / "state", attempts=4, first_wait=0.001, longest_wait=0.002)
    with Executor("live", catalog=load_folder(tmp_path / "mine"), live=live) as executor:
        result = executor.call_sync("talk", {"line": UNREADABLE["a lone surrogate"]})
        assert (result.outcome, result.failure, result.requests) == ("not_a_response", "environmental", 1)
        assert executor.call_sync("talk", {"line": GOOD}).records == [{"text": "fine"}]


GREETER = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        print(sys.argv[1].replace("ID", json.dumps(asked["id"])), flush=True)
"""


@pytest.mark.parametrize("told", [r'"text \ud800"', '"2025-06-18", "serverInfo": "text"', "5"])
def test_a_greeting_that_cannot_be_read_is_told_at_once_and_not_quoted(told: str) -> None:
    line = f'{{"jsonrpc": "2.0", "id": ID, "result": {{"capabilities": {{}}, "protocolVersion": {told}}}}}'
    opened = McpSessions({"odd": McpServer("odd", (sys.executable, "-S", "-c", GREETER, line), timeout=20.0)})
    words = r"^odd cannot be reached \(the answer is not of the protocol's form\)$"
    began = time.monotonic()
    try:
        with pytest.raises(httpx.ConnectError, match=words):
            opened.tools("odd")
    finally:
        opened.close()
    assert time.monotonic() - began < 20  # of the minute that a server has to start


def test_what_else_a_program_prints_is_no_answer() -> None:
    noise = ("print('a line of a log')", 'print(\'{"id": 1, "level": "info"}\')', "print('[1, 2]')")
    program = ("-S", "-c", "; ".join((*noise, f"import runpy, sys; sys.argv[1:] = ['stdio']; runpy.run_path({str(TALKER)!r}, run_name='__main__')")))  # fmt: skip
    opened = McpSessions({"noisy": McpServer("noisy", (sys.executable, *program), timeout=20.0)})
    try:
        assert opened.call("noisy", "talk", {"length": 1})["result"]["content"][0]["text"] == "x"
    finally:
        opened.close()


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        (b'{"id": 7, "error": {"code": "x"}}', 7),
        (b'{"jsonrpc": "2.0", "result": [], "id": "a-1"}', "a-1"),
        # no JSON: the id stands at the beginning, or at the end
        (b' {"jsonrpc":"2.0", "id":-3, "result":{"id":4', -3),
        (b'{"result":{"text":"\xb0\xa1"},"jsonrpc":"2.0","id":5}\r', 5),
        (b'{"result":{"text":"\xb0\xa1"},"id":"b","jsonrpc":"2.0"}', "b"),
        # an id of something inside is not the answer's
        (b'{"result":{"text":"\xb0\xa1","id":5}', None),
        # requests and notices of the server, and words
        (b'{"jsonrpc": "2.0", "id": 7, "method": 1}', None),
        (b'{"jsonrpc":"2.0","id":7,"method":"\xb0\xa1"}', None),
        (b'{"id": 7, "level": "info"}', None),
        (b'{"id": true, "result": {}}', None),
        (b'{"id": null, "error": {}}', None),
        (b"[7]", None),
        (b"", None),
        (b'"id":7}', None),
    ],
)
def test_the_request_that_a_broken_line_answers(line: bytes, asked: int | str | None) -> None:
    assert answered(line) == asked
