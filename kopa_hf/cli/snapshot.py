"""`kopa snapshot`: what recorded answers a file holds, whether it is whole, and how it travels."""

from __future__ import annotations

import dataclasses
import shlex
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kopa_hf.cli.catalog_option import CATALOG
from kopa_hf.cli.file_path import FilePath, Name
from kopa_hf.cli.live import Backend, connection_options
from kopa_hf.cli.output import clip, json_option, print_json, print_table, progress
from kopa_hf.errors import DataError
from kopa_hf.execution.recorded import request_of
from kopa_hf.execution.snapshot import WHO, Head, Snapshot

if TYPE_CHECKING:
    from kopa_hf.execution.live import Live
    from kopa_hf.execution.plan import Plan

_FILE = click.argument("file", type=FilePath())


@click.group()
def snapshot() -> None:
    """Recorded answers in a file: list, verify, hand on, ask again.

    `--backend record --snapshot FILE` of any command writes one, `--backend replay --snapshot FILE` answers from it.
    """


@snapshot.command("ls")
@_FILE
@click.option("--tool", metavar="NAME", type=Name(), help="The requests of one tool instead of a line per tool.")
@json_option
def list_answers(file: Path, tool: str | None, as_json: bool) -> None:
    """Tools, answers, bytes and times of FILE, and its fingerprint, which is equal for equal answers."""
    with Snapshot(file) as found:
        heads = list(found.heads())
        failures = list(found.failures())
        about = {
            "origin": found.origin, "day": found.day.isoformat(), "answers": len(heads), "failures": len(failures),
            "bodies": len({head.body for head in heads}), "bytes": sum({h.body: h.size for h in heads}.values()),
            "fingerprint": found.fingerprint(),
        }  # fmt: skip
    if tool is not None:
        _list_requests([h for h in heads if h.tool == tool], [f for f in failures if f.tool == tool], as_json)
        return
    lines = _by_tool(heads, Counter(failed.tool for failed in failures))
    if as_json:
        print_json(about | {"tools": lines})
        return
    table = [
        (
            r["tool"],
            f"{r['answers']:,}",
            f"{r['no_data']:,}",
            f"{r['failures']:,}",
            f"{r['bytes']:,}",
            r["first"],
            r["last"],
        )
        for r in lines
    ]
    print_table(table, ("tool", "answers", "no data", "failures", "bytes", "first", "last"))
    click.echo(
        f"\n{about['answers']:,} answers of {len(lines):,} tools in {about['bodies']:,} bodies ({about['bytes']:,} bytes), "
        f"{about['failures']:,} failures noted"
    )
    click.echo(f"from {WHO[str(about['origin'])]}, recording begun {about['day']}")
    click.echo(f"fingerprint {about['fingerprint']}")


def _by_tool(heads: list[Head], failures: Counter[str]) -> list[dict[str, Any]]:
    groups: dict[str, list[Head]] = {name: [] for name in failures}
    for head in heads:
        groups.setdefault(head.tool, []).append(head)
    return [
        {
            "tool": name,
            "answers": len(group),
            "no_data": sum(head.outcome == "no_data" for head in group),
            "failures": failures[name],
            "bytes": sum(head.size for head in group),
            "first": min((head.observed for head in group), default="-"),
            "last": max((head.observed for head in group), default="-"),
        }
        for name, group in sorted(groups.items())
    ]


def _list_requests(heads: list[Head], failures: list[Any], as_json: bool) -> None:
    if as_json:
        print_json(
            {"answers": [head._asdict() for head in heads], "failures": [dataclasses.asdict(f) for f in failures]}
        )
        return
    rows = [(head.outcome, f"{head.size:,}", head.observed, clip(_asked(head.request), 90)) for head in heads]
    rows += [(f"failed: {f.outcome}", "-", f.observed, clip(_asked(f.request), 90)) for f in failures]
    print_table(rows, ("outcome", "bytes", "observed", "arguments"))
    if not rows:
        click.echo("No request of that tool is recorded.")
        raise click.exceptions.Exit(1)


def _asked(request: str) -> str:
    found = request_of(request)
    return request if found is None else ", ".join(f"{name}={value}" for name, value in found[1].items()) or "-"


@snapshot.command()
@_FILE
@CATALOG
@click.option("--keys", type=FilePath(), help="Key file whose keys must not stand in it, too.")
@json_option
def verify(file: Path, keys: Path | None, as_json: bool) -> None:
    """Check every row and body of FILE, read every answer once more, and look for your keys in it.

    Exit code 1: something is wrong. Keys are those of the environment and of your key file, and with --catalog what its
    MCP servers are told in variables.
    """
    from kopa_hf.catalog.active import active_catalog
    from kopa_hf.execution.keys import Keyring
    from kopa_hf.execution.snapshot_check import check_snapshot

    with Snapshot(file) as found, progress("verifying", quiet=as_json) as tick:
        catalog = active_catalog()
        ring = Keyring.load(keys, names=catalog.services).with_services(catalog.services)
        checked = check_snapshot(found, catalog, ring, tick)
    if as_json:
        print_json(dataclasses.asdict(checked) | {"whole": checked.whole})
    else:
        for problem in checked.problems:
            click.echo(problem)
        if checked.count > len(checked.problems):
            click.echo(f"… and {checked.count - len(checked.problems):,} more")
        state = "whole" if checked.whole else f"{checked.count:,} problems"
        click.echo(f"{checked.answers:,} answers, {checked.failures:,} failures noted: {state}")
        click.echo(
            f"{checked.keys} keys looked for; {checked.outdated:,} answers of tools that the catalog now describes otherwise"
        )
        if checked.unknown:
            click.echo(
                f"{checked.unknown:,} answers of tools that the catalog does not know; were they recorded with one of your "
                f"own: kopa snapshot verify {shlex.quote(str(file))} --catalog DIR"
            )
    if not checked.whole:
        raise click.exceptions.Exit(1)


@snapshot.command("export")
@_FILE
@click.argument("archive", type=FilePath())
def export_file(file: Path, archive: Path) -> None:
    """Write FILE as one ZIP ARCHIVE to hand on; the same content gives the same bytes."""
    from kopa_hf.execution.snapshot_archive import export_snapshot

    with Snapshot(file) as found, progress("exporting") as tick:
        fingerprint = export_snapshot(found, archive, progress=tick)
        count = len(found)
    click.echo(f"{count:,} answers -> {archive} ({archive.stat().st_size:,} bytes)\nfingerprint {fingerprint}")


@snapshot.command("import")
@click.argument("archive", type=FilePath())
@_FILE
def import_file(archive: Path, file: Path) -> None:
    """Take the answers of ARCHIVE into the snapshot FILE, all or none; what FILE holds already stays.

    Nothing in the archive is trusted: names, sizes, digests and counts are checked before anything counts.
    """
    from kopa_hf.execution.snapshot_archive import import_archive

    with progress("importing") as tick:
        found = import_archive(archive, file, progress=tick)
    click.echo(f"{found.answers:,} answers in {archive}, {found.new:,} of them new -> {file}")


@snapshot.command()
@click.argument("old", type=FilePath())
@click.argument("new", type=FilePath())
@connection_options
@click.option("--max-calls", metavar="N", help="Requests that may be sent, or one-day; needed.")
def renew(old: Path, new: Path, backend: Backend) -> None:
    """Ask the services everything that OLD holds once more, and record the answers in NEW: then compare with `kopa drift`.

    Stopped by its budget, the same command goes on.
    """
    backend = dataclasses.replace(backend, name="record", snapshot=new)
    if new.exists() and new.samefile(old):
        raise click.UsageError("OLD and NEW are one file; name another one for the new answers.")
    with Snapshot(old) as before:
        if (before.origin == "live") != (backend.via is None):
            raise DataError(
                f"{old} holds answers from {WHO[before.origin]}: its requests go "
                f"{'to them, without' if before.origin == 'live' else 'to a stand-in, with'} --via."
            )
        asked = [found for text in _requests(before) if (found := request_of(text)) is not None]
    with backend.open() as executor:
        known = [(name, arguments) for name, arguments in asked if name in executor.catalog]
        if len(known) < len(asked):
            click.echo(f"{len(asked) - len(known)} requests of tools that the catalog lacks are left out", err=True)
        if not known:
            raise DataError(f"{old} holds no request to ask again.")
        backend.start(executor, lambda live: _plan(live, executor.catalog, known))
        outcomes: Counter[str] = Counter()
        with progress("asking again", len(known)) as tick:
            for done, (name, arguments) in enumerate(known, 1):
                outcomes[executor.call_sync(name, arguments).outcome] += 1
                tick(done, len(known))
    click.echo(", ".join(f"{outcome} {count:,}" for outcome, count in sorted(outcomes.items())))


def _requests(old: Snapshot) -> list[str]:
    return sorted({head.request for head in old.heads()} | {failed.request for failed in old.failures()})


def _plan(live: Live, catalog: Any, asked: list[tuple[str, dict[str, Any]]]) -> Plan:
    from kopa_hf.execution.plan import Plan

    plan = Plan()
    for name, count in Counter(name for name, _ in asked).items():
        plan.add(live, catalog.get(name), count)
    return plan
