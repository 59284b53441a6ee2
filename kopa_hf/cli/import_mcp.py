"""`kopa tools import mcp`: the tools of an MCP server as a catalog of one's own."""

from __future__ import annotations

import dataclasses
import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from kopa_hf.catalog.folder import check_name, names_of_others, read_allowed, write_service
from kopa_hf.catalog.import_mcp import import_tools, says_it_reads
from kopa_hf.catalog.local import local_tools
from kopa_hf.cli.file_path import FilePath, Name
from kopa_hf.cli.import_openapi import ended_line
from kopa_hf.cli.output import clip, print_table
from kopa_hf.errors import BackendError
from kopa_hf.values.printable import printable

if TYPE_CHECKING:
    from kopa_hf.catalog.tool import Tool
    from kopa_hf.execution.mcp_server import McpServer

OWN_PROGRAM: Final = 1_000_000
"""Calls a day to a program on this machine, which nobody counts; what stands behind it may have quotas (--per-day)."""
_SHOWN: Final = 20
"""Entries that are named with the reason why they were left out."""


@click.command("mcp")
@click.argument("target", metavar="COMMAND|URL")
@click.option("--output", required=True, type=FilePath(file_okay=False), help="Folder of the catalog.")
@click.option("--name", type=Name(), help="Name of the service in the catalog; default: what the server calls itself.")
@click.option(
    "--environment", multiple=True, type=Name(), metavar="VARIABLE", help="Variable that the command gets; repeatable."
)
@click.option(
    "--header", "headers", multiple=True, metavar="HEADER=VARIABLE", help="HTTP header, from a variable; repeatable."
)
@click.option("--timeout", default=60.0, show_default=True, type=click.FloatRange(0.1), help="Seconds for each answer.")
@click.option(
    "--per-day",
    type=click.IntRange(min=1),
    help="Calls a day that the server may be sent; default: 1,000 at an address, 1,000,000 to a command.",
)
@click.option("--trust-hints", is_flag=True, help="Believe the server which of its tools only read.")
@click.option(
    "--reads", multiple=True, type=Name(), metavar="TOOL", help="This tool only reads (a pattern such as list_*, too)."
)
@click.option(
    "--allow", multiple=True, type=Name(), metavar="TOOL", help="This tool may run although it may write; repeatable."
)
@click.option("--replace", is_flag=True, help="Put it in the place of another service of that name in the folder.")
def import_mcp(
    target: str,
    output: Path,
    name: str | None,
    environment: tuple[str, ...],
    headers: tuple[str, ...],
    timeout: float,
    per_day: int | None,
    trust_hints: bool,
    reads: tuple[str, ...],
    allow: tuple[str, ...],
    replace: bool,
) -> None:
    """List the tools of an MCP server (a COMMAND on standard input and output, or a URL) into a catalog folder.

    \b
    kopa tools import mcp "uvx some-mcp-server" --output mine --trust-hints
    kopa call TOOL key=value --catalog mine --max-calls 10

    Nothing runs that is not known to read: by --trust-hints or --reads, or by its name in allow.txt (--allow). Names of
    variables are kept, never what stands in them. An entry that is no tool is left out and named; the others come.
    """
    from kopa_hf.execution.mcp_server import McpServer

    pairs = {}
    for header in headers:
        key, equals, variable = header.partition("=")
        if not equals or not key or not variable:
            raise click.UsageError("--header takes HEADER=VARIABLE, e.g. --header Authorization=MY_TOKEN_HEADER.")
        pairs[key] = variable
    server = McpServer.named(
        check_name(name) if name else "server",
        target,
        environment=environment,
        headers=tuple(pairs.items()),
        timeout=timeout,
    )
    for option in server.exposed:
        click.echo(
            f"Warning: {option} looks like a secret, and {output} keeps the command as it is. Let the server take it from a "
            "variable: --environment VARIABLE.",
            err=True,
        )
    left_out: dict[str, str] = {}
    server, listed = _asked(server, name, left_out)
    tools = _tools(server, listed, output, left_out, trust_hints=trust_hints, reads=reads)
    missing = [wanted for wanted in allow if wanted not in {tool.name for tool in tools}]
    if missing:
        raise click.UsageError(f"No tool is called {missing[0]!r}; there are {', '.join(t.name for t in tools)}.")
    service = server.described()
    if per_day is not None or server.command:
        service["limits"] = {"per_day": per_day or OWN_PROGRAM}
    permitted = read_allowed(output)
    path = write_service(output, server.name, tools, service, allow, replace=replace)
    allowed = read_allowed(output)
    _print(tools, allowed, path)
    click.echo(ended_line(sorted(permitted - allowed)), nl=False)
    click.echo(_reasons(left_out), nl=False)


def _asked(server: McpServer, name: str | None, left_out: dict[str, str]) -> tuple[McpServer, list[dict[str, Any]]]:
    """(the server under its final name, its tool list)."""
    import httpx

    from kopa_hf.execution.mcp_sessions import McpSessions

    logging.getLogger("mcp").setLevel(logging.CRITICAL)  # it logs what becomes an error of ours
    sessions = McpSessions({server.name: server})
    try:
        listed = sessions.tools(server.name, left_out)
        called = name or re.sub(r"[^a-z0-9]+", "_", sessions.greeting(server.name).lower()).strip("_")
    except httpx.HTTPError as error:
        raise BackendError(f"{server.hide(str(error))}.") from None
    finally:
        sessions.close()
    if not called:
        raise click.UsageError("The server does not say what it is called. Name it: --name NAME.")
    return dataclasses.replace(server, name=check_name(called)), listed


def _tools(
    server: McpServer,
    listed: list[dict[str, Any]],
    output: Path,
    left_out: dict[str, str],
    *,
    trust_hints: bool,
    reads: tuple[str, ...],
) -> list[Tool]:
    from fnmatch import fnmatchcase

    from kopa_hf.platforms.mcp import rows_member

    taken = names_of_others(output, server.name) | {tool.name for tool in local_tools()}

    def only_reads(entry: Any) -> bool:
        called = str(entry.get("name"))
        return (trust_hints and says_it_reads(entry)) or any(fnmatchcase(called, pattern) for pattern in reads)

    tools = import_tools(
        server.name,
        listed,
        taken=taken,
        rows_member=rows_member,
        reads=only_reads,
        source="tools/list of the MCP server",
        domain=server.name,
        left_out=left_out,
    )
    if not tools:
        raise click.UsageError(f"The server offers no tool.\n{_reasons(left_out)}".rstrip())
    return tools


def _reasons(left_out: dict[str, str]) -> str:
    """A line for each entry that is no tool."""
    lines = [f"left out: {name}: {why}" for name, why in list(left_out.items())[:_SHOWN]]
    lines += [f"… {len(left_out) - _SHOWN} more left out"] if len(left_out) > _SHOWN else []
    return printable("".join(f"{line}\n" for line in lines))


def _print(tools: list[Tool], allowed: frozenset[str], path: Path) -> None:
    print_table(
        [(t.name, _state(t, allowed), str(len(t.inputs)), str(len(t.fields)), clip(t.title, 40)) for t in tools],
        ("tool", "runs", "inputs", "fields", "title"),
    )
    off = [tool.name for tool in tools if _state(tool, allowed) == "off"]
    click.echo(f"\n{len(tools)} tools -> {path}")
    if off:
        click.echo(
            f"{len(off)} are off: nothing says that they only read. Write a name into {path.parent / 'allow.txt'} to let "
            "the tool run, or import again with --reads TOOL."
        )
    if any(tool.fields_unknown for tool in tools):
        click.echo("Tools without fields (no output schema) can be called and enter no edge and no task.")


def _state(tool: Tool, allowed: frozenset[str]) -> str:
    return "reads" if tool.read else "allowed" if tool.name in allowed else "off"
