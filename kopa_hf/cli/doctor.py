"""`kopa doctor`: is everything there for a live run?"""

from __future__ import annotations

import dataclasses

import click

from kopa_hf.cli.live import Backend, connection_options
from kopa_hf.cli.output import json_option, print_json, print_table


@click.command()
@click.option("--platform", "platforms", multiple=True, metavar="NAME", help="Only this platform. Repeatable.")
@connection_options
@json_option
def doctor(platforms: tuple[str, ...], backend: Backend, as_json: bool) -> None:
    """Say which keys are there (never what they are), make one harmless call per service, explain each failure.

    Exit code 0: every service answers; 1: a key is missing or refused; 3: a service or the way to it fails.
    """
    from kopa_hf.catalog.active import active_catalog
    from kopa_hf.execution.doctor import examine

    known = tuple(dict.fromkeys(tool.platform for tool in active_catalog()))
    for name in platforms:
        if name not in known:
            raise click.UsageError(f"No platform {name!r}. There are: {', '.join(known)}.")
    with dataclasses.replace(backend, name="live").open() as executor:
        findings = examine(executor, platforms)
    if as_json:
        print_json([dataclasses.asdict(finding) for finding in findings])
    else:
        rows = [
            (f.platform, f.wire, f.verdict, f"{f.seconds:.1f} s", f"{f.left or 0:,}", f.key or "-", f.what)
            for f in findings
        ]
        print_table(rows, ("platform", "wire", "verdict", "time", "left today", "key from", "what"))
        remedies: dict[str, list[str]] = {}
        for finding in findings:
            if finding.remedy:
                remedies.setdefault(finding.remedy, []).append(f"{finding.platform}/{finding.wire}")
        for remedy, names in remedies.items():
            click.echo(f"\n{', '.join(names)}: {remedy}")
        fine = sum(finding.verdict == "fine" for finding in findings)
        click.echo(f"\n{fine} of {len(findings)} answer; one request each, counted against today's quotas")
    verdicts = {finding.verdict for finding in findings}
    if "failed" in verdicts:
        raise click.exceptions.Exit(3)
    if verdicts - {"fine"}:
        raise click.exceptions.Exit(1)
