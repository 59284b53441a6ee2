"""How an MCP server is reached: a command that is run, or an address; and the client that talks to it.

A catalog folder keeps this as `NAME.json`. It names environment variables and never holds what stands in them.
"""

from __future__ import annotations

import logging
import os
import shlex
import threading
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, Final

from kopa_hf._version import __version__
from kopa_hf.errors import BackendError, DataError, MissingExtraError
from kopa_hf.execution.bounded import Bound
from kopa_hf.execution.own_secrets import OwnSecrets, secrets_of_address, secrets_of_command
from kopa_hf.platforms.keys import redact, redact_pieces

if TYPE_CHECKING:
    from mcp import Client

TIMEOUT: Final = 60.0
"""Seconds that one call may take where a server's file says nothing else."""
START: Final = 60.0
"""Seconds that any server may take to start: some are fetched first."""
SESSIONS: Final = "mcp-sessions"
"""Name of the threads in which sessions are held."""
_LOGGERS: Final = ("client.client", "client.session", "client.streamable_http", "shared.jsonrpc_dispatcher")
"""Parts of the protocol's client that log what went wrong, and quote there what came."""


@dataclass(frozen=True, slots=True)
class McpServer:
    """One server, as its file describes it."""

    name: str
    command: tuple[str, ...] = ()
    """Program and arguments of a server on standard input and output; empty: `url` is asked."""
    url: str = ""
    """Address of a server on streamable HTTP."""
    environment: tuple[str, ...] = ()
    """Names of variables that the program gets beside HOME, PATH and the like."""
    headers: tuple[tuple[str, str], ...] = ()
    """(header, name of the variable that holds its value), for an address."""
    timeout: float = TIMEOUT
    """Seconds, for each call."""

    @classmethod
    def read(cls, name: str, service: Mapping[str, Any]) -> McpServer:
        """From the content of its file; `DataError` says what is wrong with it."""
        try:
            server = cls(
                name,
                tuple(map(_text, service.get("command") or ())),
                _text(service.get("url") or ""),
                tuple(map(_text, service.get("environment") or ())),
                tuple((_text(header), _text(variable)) for header, variable in (service.get("headers") or {}).items()),
                float(service.get("timeout", TIMEOUT)),
            )
        except (TypeError, ValueError, AttributeError) as error:
            raise DataError(f"{name}.json does not describe an MCP server ({error}).") from error
        if bool(server.command) == bool(server.url) or not server.timeout > 0:
            raise DataError(f"{name}.json needs either `command` or `url`, and a `timeout` above 0 seconds.")
        _check_address(server.url)
        return server

    @classmethod
    def named(cls, name: str, target: str, **more: Any) -> McpServer:
        """From what a user types: an address, or a command line."""
        if target.startswith(("http://", "https://")):
            _check_address(target)
            return cls(name, url=target, **more)
        try:
            command = tuple(shlex.split(target))
        except ValueError as error:
            raise DataError(f"{target!r} is no command line ({error}).") from error
        if not command:
            raise DataError("Name the server's command, or its address (http://HOST/mcp).")
        return cls(name, command, **more)

    @property
    def start(self) -> float:
        """Seconds that it may take until a session is open."""
        return max(self.timeout, START)

    @property
    def exposed(self) -> tuple[str, ...]:
        """Options of the command whose values look like secrets, which its file would keep in clear."""
        return tuple(secrets_of_command(self.command))

    def hide(self, text: str) -> str:
        """`text`, which the server or its connection wrote, without the server's secrets."""
        return redact(text, OwnSecrets({self.name: self.described()}).of(self.name))

    def hide_pieces(self, pieces: Sequence[str]) -> list[str]:
        """Texts that follow one another, without secrets that begin in one and go on in the next."""
        return redact_pieces(pieces, OwnSecrets({self.name: self.described()}).of(self.name))

    def described(self) -> dict[str, Any]:
        """The content of its file; `read` is the inverse."""
        told: dict[str, Any] = {"kind": "mcp"}
        told |= {"command": list(self.command)} if self.command else {"url": self.url}
        told |= {"environment": list(self.environment)} if self.environment else {}
        told |= {"headers": dict(self.headers)} if self.headers else {}
        return told | {"timeout": self.timeout}


@asynccontextmanager
async def open_client(server: McpServer, log: IO[str], bound: Bound, left_out: dict[str, str]) -> AsyncIterator[Client]:
    """A client whose session is open; what a started program writes on standard error goes into `log`.

    No answer is read beyond the bound; listed tools that are none go into `left_out`, by name with the reason.
    """
    try:
        import httpx2
        from mcp import Client
        from mcp.client.streamable_http import streamable_http_client
        from mcp.types import Implementation

        from kopa_hf.execution.mcp_bounded import BoundedTransport
        from kopa_hf.execution.mcp_program import run_program
        from kopa_hf.execution.mcp_tool_list import sifted
        from kopa_hf.execution.mcp_unnamed import placed
    except ImportError as error:
        raise MissingExtraError("mcp", "mcp") from error
    for part in _LOGGERS:
        logging.getLogger(f"mcp.{part}").addFilter(_of_others)
    info = Implementation(name="kopa_hf", version=__version__)
    if server.command:
        variables = {name: _variable(server, name) for name in server.environment}
        program = run_program(server.command, variables, log, bound)
        async with Client(sifted(placed(program), server, left_out), client_info=info, cache=None) as client:
            yield client
        return
    headers = {header: _variable(server, name) for header, name in server.headers}
    bounded = BoundedTransport(httpx2.AsyncHTTPTransport(), bound)
    async with httpx2.AsyncClient(headers=headers, timeout=server.timeout, transport=bounded) as http:
        transport = streamable_http_client(server.url, http_client=http, max_sse_event_size=bound.most)
        async with Client(sifted(placed(transport), server, left_out), client_info=info, cache=None) as client:
            yield client


def _of_others(record: logging.LogRecord) -> bool:
    """Without what goes wrong in our sessions: it becomes an error of ours, in which secrets are masked."""
    return record.levelno < logging.WARNING or threading.current_thread().name != SESSIONS


def _variable(server: McpServer, name: str) -> str:
    value = os.environ.get(name)
    if value is None:
        raise BackendError(f"{server.name} needs the environment variable {name}, which is not set.")
    return value


def _check_address(address: str) -> None:
    """An address stands in the catalog as it is, so no secret may be part of it; the error shows none."""
    found = secrets_of_address(address)
    if found:
        raise DataError(
            f"The server's address holds a secret ({', '.join(found)}), and the catalog would keep it in clear. Leave it "
            "out and send it as a header: --header Authorization=VARIABLE, where VARIABLE is set to e.g. 'Bearer …'."
        )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value
