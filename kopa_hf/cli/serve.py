"""`kopa sandbox serve` and `kopa sandbox keys`: the replica over a socket, and what opens it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kopa_hf.cli.file_path import FilePath, Name
from kopa_hf.errors import BackendError
from kopa_hf.sandbox.fates import KINDS, Fates
from kopa_hf.sandbox.faults import Faults

if TYPE_CHECKING:
    from kopa_hf.sandbox.serving import SandboxServer


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, type=Name("address"), help="Address to listen on.")
@click.option("--port", default=0, show_default=True, type=click.IntRange(0, 65535), help="0: any free port.")
@click.option("--identity-seed", default=0, show_default=True, help="World: who exists.")
@click.option("--value-seed", default=0, show_default=True, help="World: which figures they have.")
@click.option(
    "--faults", default="", metavar="LIST", help="default, KIND=SHARE of all tries, or KIND@N for the N-th try; commas."
)
@click.option("--defects", is_flag=True, help="Dead operations and missing fields as committed.")
@click.option("--fault-seed", default=0, show_default=True, help="Which requests the shares hit.")
@click.option("--hold", default=60.0, show_default=True, type=click.FloatRange(0), help="Seconds a connection is held.")
@click.option(
    "--retry-after", default=1, show_default=True, type=click.IntRange(0), help="Seconds that a 429 asks for."
)
@click.option("--delay", default=0.0, show_default=True, type=click.FloatRange(0), help="Seconds before every answer.")
def serve(
    host: str,
    port: int,
    identity_seed: int,
    value_seed: int,
    faults: str,
    defects: bool,
    fault_seed: int,
    hold: float,
    retry_after: int,
    delay: float,
) -> None:
    """Answer the ten platforms' requests over a real socket until Ctrl-C; prints the address.

    \b
    Another terminal then runs live against it:
      kopa sandbox keys --output sandbox-keys.env
      kopa doctor --via ADDRESS --keys sandbox-keys.env
    A browser names the service first: ADDRESS/opendart.fss.or.kr/api/…

    Kinds of --faults: see `kopa sandbox faults`.
    """
    from kopa_hf.sandbox.serving import SandboxServer
    from kopa_hf.sandbox.world import World

    server = SandboxServer(
        world=World(identity_seed, value_seed),
        defects=Faults.default(fault_seed) if defects else Faults.none(),
        fates=Fates.read(faults, fault_seed),
        hold=hold,
        retry_after=retry_after,
        delay=delay,
    )
    asyncio.run(_until_stopped(server, host, port))
    click.echo(f"{server.requests:,} requests answered", err=True)


@click.command()
def faults() -> None:
    """The faults that `serve` can make, and what a client sees of each."""
    for kind, words in KINDS.items():
        click.echo(f"{kind:<11} {words}")


@click.command()
@click.option("--output", type=FilePath(dir_okay=False), help="Write a key file with mode 0600.")
def keys(output: Path | None) -> None:
    """Keys that open the sandbox and nothing else, as KOPA_…_KEY=… lines."""
    from kopa_hf.execution.keys import KEY_NAMES, variable
    from kopa_hf.sandbox.keys import sandbox_key

    text = "".join(f"{variable(name)}={sandbox_key(name)}\n" for name in KEY_NAMES)
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        with os.fdopen(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(text)
    except FileExistsError:
        raise click.UsageError(f"{output} exists; name another file.") from None
    click.echo(f"{len(KEY_NAMES)} sandbox keys -> {output}")


async def _until_stopped(server: SandboxServer, host: str, port: int) -> None:
    """Serve until Ctrl-C or a termination signal."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    try:
        address = await server.start(host, port)
    except OSError as error:
        raise BackendError(f"Cannot listen on {host}:{port}: {error.strerror or error}") from error
    # alone on its line and flushed: scripts read it
    click.echo(address)
    sys.stdout.flush()
    click.echo("serving the sandbox (all records are invented); Ctrl-C stops", err=True)
    await stopped.wait()
    await server.stop()
