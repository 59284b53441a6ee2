"""An MCP server that is a program: started, spoken to line by line, ended; no line is read beyond a size.

The protocol's own client holds a line until its end comes, however long that takes. Here it is counted as it comes,
and a program that goes past the bound has ended its session and is ended itself. Others are ended as the protocol says:
input closed, two seconds, then the whole process group terminated, two seconds, killed.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import IO, TYPE_CHECKING, Any, Final

import anyio
import mcp.types
from mcp.client.stdio import get_default_environment
from mcp.os.posix.utilities import terminate_posix_process_tree
from mcp.shared.message import SessionMessage

from kopa_hf.execution.bounded import Bound

if TYPE_CHECKING:
    from anyio.abc import ByteReceiveStream, Process
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

_PATIENCE: Final = 2.0
"""Seconds for a program to end by itself, and again after each stronger word."""
_FLUSH: Final = 0.5
"""Seconds for what was said to it to be written."""
_ID: Final = rb'"id"\s*:\s*(-?\d{1,18}|"[^"\\]{0,200}")\s*'
_VERSION: Final = rb'"jsonrpc"\s*:\s*"2\.0"\s*'
_ANSWER: Final = re.compile(rb'\s*\{\s*(?:(?:%b|%b),\s*){0,2}"(?:result|error)"\s*:' % (_ID, _VERSION))
_ANSWER_END: Final = re.compile(rb"[}\]]\s*,\s*(?:%b,\s*)?%b(?:,\s*%b)?\}\s*$" % (_VERSION, _ID, _VERSION))
"""How an answer begins and ends that is no JSON, or JSON too deep to be read: there programs put the id."""
_END: Final = 512
"""Bytes of a line in which its end is looked for."""
_GONE: Final = (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError, OSError)


@asynccontextmanager
async def run_program(
    command: Sequence[str], environment: Mapping[str, str], log: IO[str], bound: Bound
) -> AsyncIterator[tuple[Any, Any]]:
    """A transport of the protocol's client: (messages of the program, messages to it). Raises `OSError`.

    `environment` is added to HOME, PATH and the like; standard error goes into `log`.
    """
    process = await anyio.open_process(
        [*command], env=get_default_environment() | dict(environment), stderr=log, start_new_session=True
    )
    heard, messages = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, said = anyio.create_memory_object_stream[SessionMessage](0)
    written = anyio.Event()
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_listen, process, heard, bound)
            tasks.start_soon(_speak, process, said, heard, written)
            try:
                yield messages, outgoing
            finally:
                with anyio.CancelScope(shield=True):  # every wait inside is bounded; else a program would go on
                    messages.close()
                    outgoing.close()
                    with anyio.move_on_after(_FLUSH):
                        await written.wait()
                    await _end(process, at_once=bound.passed)
                tasks.cancel_scope.cancel()
    finally:
        _let_go(process)  # whatever cut the steps above short: a loop that closes cancels through every shield


async def read_lines(stream: ByteReceiveStream, bound: Bound) -> AsyncIterator[bytes]:
    """Lines without their ends, until the stream ends or a line is longer than the bound; its rest is left unread."""
    held = bytearray()
    with suppress(*_GONE):
        while True:
            *ends, rest = (await stream.receive()).split(b"\n")
            for end in ends:
                if bound.passes(len(held) + len(end)):
                    return
                yield bytes(held + end)
                held.clear()
            if bound.passes(len(held) + len(rest)):
                return
            held += rest


async def _listen(process: Process, heard: MemoryObjectSendStream[SessionMessage | Exception], bound: Bound) -> None:
    assert process.stdout is not None
    async with heard:
        async for line in read_lines(process.stdout, bound):
            try:
                await heard.send(_message(line))
            except _GONE:
                break
    # one that still writes would not see its closed input
    with anyio.CancelScope(shield=True), suppress(*_GONE):
        while True:
            await process.stdout.receive()


async def _speak(
    process: Process,
    said: MemoryObjectReceiveStream[SessionMessage],
    heard: MemoryObjectSendStream[SessionMessage | Exception],
    written: anyio.Event,
) -> None:
    assert process.stdin is not None
    try:
        async with said:
            async for outgoing in said:
                text = outgoing.message.model_dump_json(by_alias=True, exclude_unset=True)
                await process.stdin.send(text.encode("utf-8", "replace") + b"\n")
    except _GONE:
        await heard.aclose()  # nobody is there to answer, and nobody should wait
    finally:
        written.set()


def _message(line: bytes) -> SessionMessage | Exception:
    """A line as a message; one that is none is passed on as what is wrong with it.

    Where it answers a request, that has failed: whoever waits for it would wait for something that has come already.
    """
    try:
        return SessionMessage(mcp.types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except (ValueError, RecursionError) as error:
        asked = answered(line)
        if asked is None:
            return error
        # the words with which the protocol's client gives up such an answer over HTTP
        words = mcp.types.ErrorData(code=mcp.types.PARSE_ERROR, message="Failed to parse the program's answer")
        return SessionMessage(mcp.types.JSONRPCError(jsonrpc="2.0", id=asked, error=words))


def answered(line: bytes) -> int | str | None:
    """The id of the request that is answered by a line which is no message; None where it answers none."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        begins = _ANSWER.match(line)
        ends = _ANSWER_END.search(line, max(0, len(line) - _END)) if begins and begins[1] is None else None
        found = ends or begins
        value = {"id": json.loads(found[1]), "error": None} if found and found[1] is not None else None
    if not isinstance(value, dict) or "method" in value or not value.keys() & {"result", "error"}:
        return None
    asked = value.get("id")
    return asked if isinstance(asked, int | str) and not isinstance(asked, bool) else None


async def _end(process: Process, at_once: bool) -> None:
    assert process.stdin is not None
    with suppress(*_GONE):
        await process.stdin.aclose()
    if at_once or not await _ended(process):
        await terminate_posix_process_tree(process, _PATIENCE)
        await _ended(process)


def _let_go(process: Process) -> None:
    """Kill what still runs and close its pipes: one that was not read to its end stays open, and nothing public closes it."""
    close = getattr(getattr(getattr(process, "_process", None), "_transport", None), "close", None)
    if close is not None:
        close()


async def _ended(process: Process) -> bool:
    """Whether it ends in time; not by `wait`, which also waits for children that hold its output."""
    with anyio.move_on_after(_PATIENCE):
        while process.returncode is None:
            await anyio.sleep(0.01)
    return process.returncode is not None
