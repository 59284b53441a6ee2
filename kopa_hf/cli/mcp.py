"""`kopa mcp`: any subset of the tools as an MCP server."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kopa_hf.catalog.active import active_catalog, is_own
from kopa_hf.catalog.local import local_tools
from kopa_hf.cli.file_path import FilePath, Name
from kopa_hf.cli.live import ONE_DAY, Backend, backend_options
from kopa_hf.errors import BackendError, DataError

if TYPE_CHECKING:
    from kopa_hf.agent.mcp_serving import McpServing
    from kopa_hf.catalog.tool import Tool
    from kopa_hf.execution.executor import Executor
    from kopa_hf.execution.live import Live
    from kopa_hf.execution.plan import Plan


@click.command()
@click.option(
    "--toolset", metavar="KEY", type=Name(), help="The tools of a dataset's row with this `environment` or `id`."
)
@click.option(
    "--data",
    type=FilePath(),
    help="Dataset folder that --toolset is looked for in; default: the benchmark.",
)
@click.option("--tools", "names", metavar="A,B,C", type=Name(), help="These tools.")
@click.option("--platform", "platforms", multiple=True, help="All tools of a platform; repeatable.")
@click.option("--with-local", is_flag=True, help="The agent's own tools too: pages, sums, dates, saved tables.")
@click.option("--token-budget", type=click.IntRange(min=200), help="Cut longer answers; default: answers are whole.")
@click.option("--http", "port", type=click.IntRange(0, 65535), help="Serve HTTP on this machine; 0: any free port.")
@backend_options
def mcp(
    toolset: str | None,
    data: Path | None,
    names: str | None,
    platforms: tuple[str, ...],
    with_local: bool,
    token_budget: int | None,
    port: int | None,
    backend: Backend,
) -> None:
    """Serve tools to any MCP client: over standard input and output, or with --http on 127.0.0.1.

    \b
    A client starts the command itself:   kopa mcp --platform dart --with-local
    or is given the address that this prints:   kopa mcp --platform dart --http 8800

    With --catalog and nothing chosen, all tools of that catalog are served.
    """
    from kopa_hf.agent.mcp_serving import McpServing

    logging.getLogger("mcp").setLevel(logging.CRITICAL)
    tools = _chosen(toolset, data, names, platforms)
    if with_local:
        known = {tool.name for tool in tools}
        tools += [tool for tool in local_tools() if tool.name not in known]
    with backend.open() as executor:
        backend.start(executor, lambda live: _plan(live, tools, backend), quiet=False)
        serving = McpServing(executor, tools, token_budget=token_budget)
        if port is None:
            asyncio.run(_over_stdio(serving, executor))
        else:
            asyncio.run(_over_http(serving, port, len(tools)))


def _chosen(toolset: str | None, data: Path | None, names: str | None, platforms: tuple[str, ...]) -> list[Tool]:
    """The tools that the options name, each once, in the order named."""
    catalog = active_catalog()
    if data is not None and toolset is None:
        raise click.UsageError("--data goes with --toolset.")
    wanted: list[str] = list(_toolset(toolset, data)) if toolset is not None else []
    named = [name.strip() for name in (names or "").split(",") if name.strip()]
    if names is not None and not named:
        raise click.UsageError(f"--tools names none: {names!r}.")
    wanted += named
    for platform in platforms:
        if platform not in catalog.platforms():
            raise click.UsageError(f"No platform {platform!r}; there are {', '.join(catalog.platforms())}.")
        wanted += [tool.name for tool in catalog if tool.platform == platform]
    if not wanted and is_own():
        wanted = [tool.name for tool in catalog]
    if not wanted:
        raise click.UsageError("Say which tools: --toolset KEY, --tools A,B,C, --platform NAME or --catalog FOLDER.")
    return [catalog.get(name) for name in dict.fromkeys(wanted)]


def _toolset(key: str, data: Path | None) -> list[str]:
    """The names that a row offers."""
    from kopa_hf.hub.loading import load_edge_trajectories, load_kopa_bench

    try:
        rows = load_kopa_bench(data)
    except DataError:
        if data is None:
            raise
        rows = load_edge_trajectories(data)
    for row in rows:
        if key in (row["environment"], row["id"]):
            return [tool["function"]["name"] for tool in row["tools"]]
    raise click.UsageError(f"No row of {data or 'the benchmark'} has the environment or id {key!r}.")


def _plan(live: Live, tools: list[Tool], backend: Backend) -> Plan:
    """Who calls what is the client's; the budget is spread over the tools to show which quotas it meets."""
    from kopa_hf.execution.plan import Plan

    plan = Plan()
    budget = backend.max_calls
    asked = [tool for tool in tools if tool.platform != "local"]
    plan.spread(live, asked, int(budget) if budget not in (None, ONE_DAY) and str(budget).isdigit() else len(asked))
    return plan


async def _over_stdio(serving: McpServing, executor: Executor) -> None:
    """Serve until the client closes standard input, or a signal comes."""
    context, loop = click.get_current_context(), asyncio.get_running_loop()

    def stop(number: int) -> None:
        # a thread waits for the next line and cannot be called back, so what is open is closed here and the process ends
        executor.close()
        context.close()
        sys.stderr.flush()
        os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop, number)
    await serving.over_stdio()


async def _over_http(serving: McpServing, port: int, tools: int) -> None:
    """Serve until Ctrl-C or a termination signal."""
    import uvicorn

    class _Quiet(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            """Signals are ours: uvicorn would raise them again once it has stopped."""
            yield

    bound = socket.socket()
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind(("127.0.0.1", port))
    except OSError as error:
        raise BackendError(f"Cannot listen on 127.0.0.1:{port}: {error.strerror or error}") from error
    config = uvicorn.Config(serving.http_app(), log_level="error", access_log=False, timeout_graceful_shutdown=1)
    server = _Quiet(config)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, lambda: setattr(server, "should_exit", True))
    # alone on its line and flushed: scripts read it
    click.echo(f"http://127.0.0.1:{bound.getsockname()[1]}/mcp")
    sys.stdout.flush()
    click.echo(f"serving {tools} tools; Ctrl-C stops", err=True)
    await server.serve(sockets=[bound])
    click.echo(f"{serving.calls:,} calls answered", err=True)
