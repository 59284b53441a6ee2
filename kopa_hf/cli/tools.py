"""`kopa tools`: what can be called."""

from __future__ import annotations

import dataclasses
import textwrap

import click

from kopa_hf.catalog.active import active_catalog
from kopa_hf.catalog.tool import Parameter, Tool
from kopa_hf.cli.catalog_option import CATALOG
from kopa_hf.cli.import_mcp import import_mcp
from kopa_hf.cli.import_openapi import openapi
from kopa_hf.cli.output import clip, json_option, print_json, print_table
from kopa_hf.values.printable import printable


@click.group()
def tools() -> None:
    """Search and show the catalog's tools."""


@tools.group("import")
def import_group() -> None:
    """Make a catalog of your own: tools of a service that is described for machines."""


import_group.add_command(openapi)
import_group.add_command(import_mcp)


@tools.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--limit", default=10, show_default=True, type=click.IntRange(min=1), help="At most so many tools.")
@CATALOG
@json_option
def search(words: tuple[str, ...], limit: int, as_json: bool) -> None:
    """Tools whose name, title, description or fields match WORDS (Korean or English), best first."""
    found = active_catalog().search(" ".join(words), limit)
    if as_json:
        print_json([{"name": t.name, "platform": t.platform, "title": t.title, "needs": _needs(t)} for t in found])
    elif found:
        print_table([(t.name, t.title, _needs(t)) for t in found], ("name", "title", "needs"))
        click.echo(f"\n`kopa tools show {found[0].name}` shows parameters and fields.")
    else:
        click.echo("No tool matches. Try one word, in Korean (`전환사채`) or English (`dividend`).")
        raise click.exceptions.Exit(1)


@tools.command()
@click.argument("name")
@CATALOG
@json_option
def show(name: str, as_json: bool) -> None:
    """One tool: what it does, its parameters, its fields."""
    tool = active_catalog().get(name)
    if as_json:
        print_json(dataclasses.asdict(tool))
        return
    click.echo(f"{tool.name}  ({tool.platform}, {'reads' if tool.read else 'writes'})")
    click.echo(printable(f"{tool.title}\n{tool.description}\n"))
    print_table([_parameter_line(p) for p in tool.inputs], ("parameter", "type", "needed", "meaning"))
    for parameter in tool.inputs:
        if parameter.enum:
            click.echo(
                textwrap.fill(printable(_choices(parameter)), 118, subsequent_indent="  ", break_long_words=False)
            )
    click.echo("")
    if tool.fields:
        print_table(
            [(f.name, f.format or f.type, f.unit or "", clip(f.label, 60)) for f in tool.fields],
            ("field", "type", "unit", "meaning"),
        )
    else:
        click.echo("no documented fields" if tool.platform != "local" else "what comes back is said above")
    required = " ".join(f"{p.name}={_example(p)}" for p in tool.inputs if p.required)
    click.echo(f"\nkopa call {tool.name} {required}".rstrip())


@tools.command()
@CATALOG
@json_option
def stats(as_json: bool) -> None:
    """Counts per platform: callable, parameters known, four or more fields, chainable."""
    figures = active_catalog().stats()
    if as_json:
        print_json(figures)
        return
    keys = ("callable", "parameters_known", "fields4", "chainable")
    rows = [(name, *(str(counts[key]) for key in keys)) for name, counts in figures["platforms"].items()]
    print_table(rows, ("platform", "callable", "parameters known", "≥ 4 fields", "chainable"))
    click.echo(f"\n{figures['tools']} tools")


def _needs(tool: Tool) -> str:
    return ", ".join(p.name for p in tool.inputs if p.required) or "-"


def _parameter_line(parameter: Parameter) -> tuple[str, str, str, str]:
    meaning = parameter.description or parameter.label
    return parameter.name, parameter.format or parameter.type, "yes" if parameter.required else "", clip(meaning, 120)


def _choices(parameter: Parameter) -> str:
    """Every accepted value: a list cut short would hide the one that is needed."""
    values = parameter.enum or ()
    labels = parameter.enum_labels or ("",) * len(values)
    return f"{parameter.name}: " + ", ".join(f"{v}={m}" if m else v for v, m in zip(values, labels, strict=True))


def _example(parameter: Parameter) -> str:
    if parameter.enum:
        return parameter.enum[0]
    return (parameter.format or parameter.type).upper().replace(":", "_")
