"""`kopa call`: one tool call, as an agent would make it."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kopa_hf.catalog.active import active_catalog
from kopa_hf.catalog.tool import Tool
from kopa_hf.cli.file_path import FilePath
from kopa_hf.cli.live import Backend, backend_options
from kopa_hf.cli.output import clip, json_option, print_json, print_table
from kopa_hf.execution.episode import Episode
from kopa_hf.execution.result import CallResult
from kopa_hf.values.printable import printable

if TYPE_CHECKING:
    from kopa_hf.execution.live import Live
    from kopa_hf.execution.plan import Plan


@click.command()
@click.argument("name")
@click.argument("arguments", nargs=-1, metavar="[KEY=VALUE]…")
@backend_options
@click.option(
    "--limit", default=10, show_default=True, type=click.IntRange(min=1), help="Print at most so many records."
)
@click.option(
    "--transcript",
    type=FilePath(),
    help="Call within the task handed out into this file (`kopa bench handout`), and note the call there.",
)
@json_option
def call(
    name: str, arguments: tuple[str, ...], backend: Backend, limit: int, transcript: Path | None, as_json: bool
) -> None:
    """Call the tool NAME with KEY=VALUE arguments and print its records, total, page and source.

    A value that opens with [ or { is read as JSON. Exit code 1: the call failed or found nothing, or the key was
    refused; 2: the arguments do not fit the tool, and nothing was sent; 3: the service failed. Live, --max-calls bounds the requests (retries are requests too).
    With --transcript the answer is printed as a model reads it, and later calls may use its result_id.
    """
    if "=" in name:
        raise click.UsageError("Name the tool first, then KEY=VALUE arguments.")
    if transcript is not None:
        if not backend.is_sandbox:
            raise click.UsageError("A transcript is kept on the sandbox only: earlier calls are made again each time.")
        _call_in(transcript, name, _parse(arguments))
        return
    tool, given = active_catalog().get(name), _parse(arguments)
    with backend.open() as executor:
        backend.start(executor, lambda live: _plan(live, tool), quiet=as_json)
        result = executor.call_sync(tool, given, episode=Episode())
    if as_json:
        record = dataclasses.asdict(result)
        # only what the tool takes is shown: anything else could be a key
        known = {parameter.name for parameter in tool.inputs}
        record["arguments"] = {name: value for name, value in result.arguments.items() if name in known}
        record["next_page"] = result.next_page
        print_json(record)
    elif _unfit(result):
        raise click.ClickException(f"{result.message}\n{_takes(tool)}")
    else:
        _print(result, tool, limit)
    if not result.ok:
        raise click.exceptions.Exit(_exit_code(result))


def _unfit(result: CallResult) -> bool:
    """Whether the arguments were refused here, before anything was sent."""
    return result.outcome == "bad_param" and result.requests == 0


def _takes(tool: Tool) -> str:
    """The names that a tool knows, and where more about them stands."""
    names = [f"{parameter.name} (required)" if parameter.required else parameter.name for parameter in tool.inputs]
    more = f" `kopa tools show {tool.name}` explains each." if names else ""
    return f"It takes: {', '.join(names) or 'no arguments'}.{more}"


def _exit_code(result: CallResult) -> int:
    """As `kopa doctor` has it: a refused key is the caller's to mend, all else from outside is the service's."""
    if _unfit(result):
        return 2
    return 3 if result.failure == "environmental" and result.outcome != "auth" else 1


def _call_in(path: Path, name: str, arguments: dict[str, Any]) -> None:
    """The next call of a task that somebody is solving."""
    from kopa_hf.bench.transcript import TranscriptCall, digest, read_transcript
    from kopa_hf.execution.executor import Executor

    transcript = read_transcript(path)
    if transcript.answer is not None:
        raise click.UsageError(f"{path} is answered already.")
    with Executor() as executor:
        session = transcript.replay(executor)
        text = session.call(name, arguments)
    transcript.note(path, TranscriptCall(name, arguments, digest(text)))
    click.echo(printable(text))
    if not session.calls[-1].result.ok:
        raise click.exceptions.Exit(_exit_code(session.calls[-1].result))


def _plan(live: Live, tool: Tool) -> Plan:
    from kopa_hf.execution.plan import Plan

    plan = Plan()
    plan.add(live, tool)
    return plan


def _parse(pairs: tuple[str, ...]) -> dict[str, Any]:
    parsed: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            # the text is not repeated: it could be a key
            raise click.UsageError(
                "An argument is not KEY=VALUE. Example: kopa call find_dart_corp_code corp_name=전자"
            )
        if key in parsed:
            raise click.UsageError(f"{key} is given twice.")
        if value[:1] in ("[", "{"):
            try:
                parsed[key] = json.loads(value)
            except json.JSONDecodeError as error:
                raise click.UsageError(f"{key}: not JSON ({error.msg} at character {error.pos + 1}).") from error
        else:
            parsed[key] = value
    return parsed


def _print(result: CallResult, tool: Tool, limit: int) -> None:
    if not result.ok:
        click.echo(f"{result.outcome}: {printable(result.message or 'no further word from the service')}")
        if result.outcome == "bad_param":
            click.echo(_takes(tool))
        _print_facts(result)
        return
    if result.value is not None and not result.records:
        text = result.value if isinstance(result.value, str) else json.dumps(result.value, ensure_ascii=False)
        click.echo(printable(text))
    elif len(result.records) == 1:
        print_table([(key, clip(str(value), 100)) for key, value in result.records[0].items()])
    else:
        columns = list(result.records[0])[:8]
        rows = [[clip(str(record.get(c, "")), 28) for c in columns] for record in result.records[:limit]]
        print_table(rows, columns)
        if len(result.records[0]) > len(columns):
            click.echo(f"… {len(result.records[0]) - len(columns)} more columns (--json shows all)")
        if len(result.records) > limit:
            click.echo(f"… {len(result.records) - limit} more records on this page (--limit)")
    _print_facts(result)


def _print_facts(result: CallResult) -> None:
    total = "unknown" if result.total_count is None else f"{result.total_count:,}"
    following = f"cursor={clip(result.cursor, 200)}" if result.cursor is not None else result.next_page or "none"
    paged = result.page is not None or result.cursor is not None
    page = f"{result.page or 'unknown'} (next: {following})" if paged else "-"
    click.echo(f"\nrecords {len(result.records)} · total {total} · page {page} · source {result.source}")
    if result.slips:
        click.echo(printable("forgiven: " + "; ".join(result.slips)))
