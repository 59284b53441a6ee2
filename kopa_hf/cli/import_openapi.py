"""`kopa tools import openapi`: a description of a service becomes a catalog of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kopa_hf.cli.file_path import FilePath, Name, Source
from kopa_hf.cli.output import json_option, print_json
from kopa_hf.errors import BackendError
from kopa_hf.values.printable import printable

_SHOWN = 8
"""Operations left out that are named; --json names all."""


@click.command()
@click.argument("source", metavar="FILE|URL", type=Source())
@click.option("--output", required=True, type=FilePath(file_okay=False), help="The catalog's folder.")
@click.option("--name", type=Name(), help="Name of the service: of its files, its key (KOPA_<NAME>_KEY) and its quota.")
@click.option(
    "--server", type=Name("address"), metavar="URL", help="Where the service stands, in place of what FILE says."
)
@click.option(
    "--overrides",
    type=FilePath(exists=True, dir_okay=False),
    help="YAML file of names, labels, paging and places of rows; default: FILE with .kopa.yaml, where it is there.",
)
@click.option(
    "--allow-write", multiple=True, type=Name(), metavar="NAME", help="A tool that may change something. Repeatable."
)
@click.option(
    "--limit", "limits", multiple=True, metavar="NAME=N", help="per_day, per_second, concurrency, … Repeatable."
)
@click.option("--replace", is_flag=True, help="Put it in the place of another service of that name in the folder.")
@json_option
def openapi(
    source: str,
    output: Path,
    name: str | None,
    server: str | None,
    overrides: Path | None,
    allow_write: tuple[str, ...],
    limits: tuple[str, ...],
    replace: bool,
    as_json: bool,
) -> None:
    """Read FILE or URL (OpenAPI 3, Swagger 2; JSON or YAML) and write its operations as tools into --output.

    Nothing is asked of the service. Its operations that change something stay off until they are named with
    --allow-write, or in allow.txt of the folder. Use the folder with --catalog, or as KOPA_CATALOG.
    """
    from kopa_hf.catalog.folder import load_folder, read_allowed, write_service
    from kopa_hf.catalog.openapi import import_openapi

    told = overrides or _beside(source)
    made = import_openapi(
        source, name=name or "", server=server or "", overrides=told, allow_write=allow_write, folder=output
    )
    made.service["limits"] = {**made.service["limits"], **dict(_limit(pair) for pair in limits)}
    _check_limits(made.name, made.service)
    permitted = read_allowed(output)
    path = write_service(output, made.name, made.tools, made.service, made.allowed, replace=replace)
    catalog = load_folder(output)
    allowed = read_allowed(output)
    made.allowed = tuple(sorted(allowed & {tool.name for tool in made.tools}))
    ended = sorted(permitted - allowed)
    reads = sum(tool.read for tool in made.tools)
    keyed = sum(tool.endpoint.auth is not None for tool in made.tools)
    known = sum(bool(tool.fields) for tool in made.tools)
    if as_json:
        print_json({**_facts(made), "file": str(path), "tools": len(made.tools), "reading": reads, "with_key": keyed,
                    "with_fields": known, "in_folder": len(catalog), "no_longer_allowed": ended})  # fmt: skip
        return
    click.echo(f"{len(made.tools)} tools of {made.service['title']} at {made.service['server']} -> {path}")
    click.echo(
        f"{reads} read, {len(made.tools) - reads} write ({len(made.allowed)} allowed) · {known} with known fields"
    )
    if keyed:
        click.echo(f"{keyed} take a key: KOPA_{made.name.upper()}_KEY, or {made.name} in the table [own] of a key file")
    click.echo(ended_line(ended), nl=False)
    for where, why in list(made.left_out.items())[:_SHOWN]:
        click.echo(f"left out: {where}: {why}")
    if len(made.left_out) > _SHOWN:
        click.echo(f"… {len(made.left_out) - _SHOWN} more left out (--json names them)")
    for note in made.notes[:_SHOWN]:
        click.echo(f"note: {note}")
    click.echo(f"\nkopa tools stats --catalog {output}")


def ended_line(names: list[str]) -> str:
    """The line that says which permissions to write an import has ended; nothing where it ended none."""
    if not names:
        return ""
    return printable(
        f"no longer allowed to write: {', '.join(names)} (gone, or another call than the one that was allowed)\n"
    )


def _facts(made: Any) -> dict[str, Any]:
    return {
        "name": made.name,
        "server": made.service["server"],
        "allowed": list(made.allowed),
        "left_out": made.left_out,
        "notes": made.notes,
    }


def _beside(source: str) -> Path | None:
    """`api.yaml` → `api.kopa.yaml`, where that is there."""
    if source.startswith(("http://", "https://")):
        return None
    path = Path(source).with_suffix(".kopa.yaml")
    return path if path.is_file() else None


def _check_limits(name: str, service: dict[str, Any]) -> None:
    """Limits that no call could be made under are wrong input now, not later."""
    from kopa_hf.execution.limits import Limits

    try:
        Limits.default().with_services({name: service})
    except BackendError as error:
        raise click.UsageError(str(error)) from error


def _limit(pair: str) -> tuple[str, int]:
    key, equals, value = pair.partition("=")
    if not equals or not (value.isascii() and value.isdigit()):
        raise click.UsageError(f"--limit takes NAME=N, e.g. per_second=5, not {pair!r}.")
    return key, int(value)
