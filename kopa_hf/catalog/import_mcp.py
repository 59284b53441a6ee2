"""An MCP server's tool list as catalog tools."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from kopa_hf.catalog.json_schema import fields_of, inlined, one_line, parameters_of
from kopa_hf.catalog.openapi_paging import pages
from kopa_hf.catalog.tool import Endpoint, Field, Paging, Tool

PAGING: Final = "kopa_hf/paging"
"""Under `_meta` of a tool that we serve: how its answers are cut, which the protocol has no word for."""
_LONGEST: Final = 64
"""Characters of a name that models' interfaces accept."""

RowsMember = Callable[[Mapping[str, Any]], str | None]


def import_tools(
    platform: str,
    listed: Iterable[Mapping[str, Any]],
    *,
    taken: Collection[str],
    rows_member: RowsMember,
    reads: Callable[[Mapping[str, Any]], bool],
    source: str,
    domain: str,
) -> list[Tool]:
    """One catalog tool for each entry of tools/list, in its order.

    Args:
        platform: The server's name in the catalog.
        listed: Entries as the server sent them.
        taken: Names that no tool may get.
        rows_member: Which member of an answer holds its rows; the rule that reads answers decides for schemas too.
        reads: Whether an entry only reads; everything else runs only when it was allowed by name.
        source: Where the list was seen, without secrets.
        domain: What questions over these tools are filed under.
    """
    names: set[str] = set(taken)
    tools: list[Tool] = []
    for entry in listed:
        called = str(entry.get("name") or "")
        if not called:
            continue
        name = _name(platform, called, names)
        names.add(name)
        tools.append(
            _tool(
                entry,
                name=name,
                platform=platform,
                domain=domain,
                source=source,
                endpoint=Endpoint(f"mcp://{platform}/", "POST", operation=called),
                fields=_fields(entry.get("outputSchema"), rows_member),
                read=reads(entry),
            )
        )
    return tools


def says_it_reads(entry: Mapping[str, Any]) -> bool:
    """The server's own word that a tool changes nothing; the protocol calls it a hint."""
    hints = entry.get("annotations")
    return isinstance(hints, Mapping) and hints.get("readOnlyHint") is True and hints.get("destructiveHint") is not True


def _tool(entry: Mapping[str, Any], **known: Any) -> Tool:
    called = known["endpoint"].operation
    hints = entry.get("annotations")
    title = entry.get("title") or (hints.get("title") if isinstance(hints, Mapping) else None) or called
    words = entry.get("description")
    title = one_line(str(title)) or called
    schema = entry.get("inputSchema")
    parameters = parameters_of(schema) if isinstance(schema, Mapping) else ()
    paging = _paging(entry, {parameter.name for parameter in parameters if pages(parameter)})
    if paging is not None:
        roles = {paging.page: "page", paging.size: "size"}
        parameters = tuple(replace(p, role=roles.get(p.name, "input")) for p in parameters)  # type: ignore[arg-type]  # both are roles
    text = (one_line(words) if isinstance(words, str) else "") or title
    return Tool(
        wire="mcp",
        title=title,
        # our own server writes the title before the description, as a model reads it
        description=text.removeprefix(f"{title}: "),
        parameters=parameters,
        paging=paging,
        **known,
    )


def _fields(schema: Any, rows_member: RowsMember) -> tuple[Field, ...]:
    """The columns of the rows that an output schema describes; none where it does not say."""
    if not isinstance(schema, Mapping):
        return ()
    whole = inlined(schema, schema)
    properties = whole.get("properties")
    if not isinstance(properties, Mapping) or not properties:
        return ()
    member = rows_member(properties)
    if member is not None:
        items = properties[member].get("items")
        found = fields_of(items) if isinstance(items, Mapping) else ()
        return found or fields_of({"properties": {member: items if isinstance(items, Mapping) else {}}})
    only = next(iter(properties.values()))
    if list(properties) == ["result"] and isinstance(only, Mapping) and fields_of(only):
        return fields_of(only)
    return fields_of(whole)


def _paging(entry: Mapping[str, Any], names: Collection[str]) -> Paging | None:
    meta = entry.get("_meta")
    told = meta.get(PAGING) if isinstance(meta, Mapping) else None
    if not isinstance(told, Mapping):
        return None
    try:
        paging = Paging(**told)
    except TypeError:
        return None
    return paging if {paging.page, paging.size} <= set(names) else None


def _name(platform: str, called: str, taken: Collection[str]) -> str:
    """The server's name for it where that can be one here; else with the platform before it, or numbered."""
    plain = re.sub(r"\W+", "_", called, flags=re.ASCII).strip("_").lower()
    plain = plain if plain and not plain[0].isdigit() else f"{platform}_{plain}".rstrip("_")
    wanted: Sequence[str] = (plain[:_LONGEST], f"{platform}_{plain}"[:_LONGEST])
    for name in wanted:
        if name not in taken:
            return name
    number = 2
    while (name := f"{wanted[1][: _LONGEST - 4]}_{number}") in taken:
        number += 1
    return name
