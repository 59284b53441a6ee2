"""An MCP server's tool list as catalog tools."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, get_args, get_type_hints

from kopa_hf.catalog.json_schema import fields_of, inlined, one_line, parameters_of
from kopa_hf.catalog.openapi_paging import pages
from kopa_hf.catalog.saving import tool_line
from kopa_hf.catalog.tool import Endpoint, Field, Paging, Tool
from kopa_hf.errors import KopaError

PAGING: Final = "kopa_hf/paging"
"""Under `_meta` of a tool that we serve: how its answers are cut, which the protocol has no word for."""
_LONGEST: Final = 64
"""Characters of a name that models' interfaces accept."""
_LONGEST_CALLED: Final = 128
"""Characters of a name that the protocol allows."""
_SHOWN: Final = 60
"""Characters that are shown of a name."""

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
    left_out: dict[str, str] | None = None,
) -> list[Tool]:
    """One catalog tool for each entry of tools/list that can be one, in its order.

    Args:
        platform: The server's name in the catalog.
        listed: Entries as the server sent them.
        taken: Names that no tool may get.
        rows_member: Which member of an answer holds its rows; the rule that reads answers decides for schemas too.
        reads: Whether an entry only reads; everything else runs only when it was allowed by name.
        source: Where the list was seen, without secrets.
        domain: What questions over these tools are filed under.
        left_out: Gets the other entries, by what they are called: why they are no tools.
    """
    names: set[str] = set(taken)
    called: set[str] = set()
    odd: dict[str, str] = {} if left_out is None else left_out
    tools: list[Tool] = []
    for entry in listed:
        operation = str(entry.get("name") or "")
        wrong = _wrong(operation, called)
        if wrong is None:
            name = _name(platform, operation, names)
            try:
                tool = _tool(
                    entry,
                    name=name,
                    platform=platform,
                    domain=domain,
                    source=source,
                    endpoint=Endpoint(f"mcp://{platform}/", "POST", operation=operation),
                    fields=_fields(entry.get("outputSchema"), rows_member),
                    read=reads(entry),
                )
                tool_line(tool).encode("utf-8")
            except KopaError as error:
                wrong = str(error).rstrip(".")
            except (TypeError, ValueError, LookupError, AttributeError, RecursionError) as error:
                # lists come from strangers: one odd entry is no reason to go without all others
                wrong = f"its description is damaged ({type(error).__name__}: {str(error)[:100]})"
            else:
                names.add(name)
                called.add(operation)
                tools.append(tool)
        if wrong is not None:
            odd[_shown(operation) or f"one without a name ({len(odd) + 1})"] = wrong
    return tools


def _wrong(called: str, before: Collection[str]) -> str | None:
    """Why nothing can be called so; None where it can."""
    if not called.strip():
        return "nothing could call it"
    if len(called) > _LONGEST_CALLED:
        return f"its name has {len(called):,} characters; the protocol allows {_LONGEST_CALLED}"
    if not called.isprintable():
        return "its name holds characters that no line shows"
    return "another tool of the list is called so, and comes first" if called in before else None


def _shown(called: str) -> str:
    name = one_line(called)
    return name if len(name) <= _SHOWN else f"{name[: _SHOWN - 1]}…"


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
        whole = all(type(value) is int and value >= 0 for value in (paging.default_size, paging.max_size, paging.first))
        known = paging.style in get_args(get_type_hints(Paging)["style"])
        return paging if whole and known and {paging.page, paging.size} <= set(names) else None
    except TypeError:
        return None


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
