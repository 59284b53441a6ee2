"""How an imported operation cuts its answers: read off its inputs, or as the overrides say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal

from kopa_hf.catalog.openapi_overrides import OverridesError
from kopa_hf.catalog.openapi_schemas import Shape
from kopa_hf.catalog.tool import Paging, Parameter
from kopa_hf.catalog.usual_names import folded

Style = Literal["page", "offset", "cursor"]

_SIZES: Final = ("limit", "perpage", "pagesize", "size", "maxresults", "maxitems", "itemsperpage", "resultsperpage",
                 "pagelimit", "take", "top", "rows", "count", "numofrows", "length", "num")  # fmt: skip
_PAGES: Final = ("page", "pagenumber", "pageno", "pageindex", "currentpage", "pagenum")
_OFFSETS: Final = ("offset", "skip", "start", "startindex", "startat", "pageoffset", "from")
_CURSORS: Final = ("cursor", "pagetoken", "nexttoken", "nextpagetoken", "startingafter", "after", "continuationtoken",
                   "continuation", "marker", "pagecursor", "pageafter", "scrollid")  # fmt: skip
_DEFAULT: Final = 20
"""Rows that are asked for where a description names no number of its own."""
_LARGEST: Final = 100
"""Rows that are asked for at most where a description names no limit."""


def paging_of(
    parameters: Sequence[Parameter],
    bounds: Mapping[str, Mapping[str, Any]],
    shape: Shape,
    said: Mapping[str, Any] | bool | None,
) -> Paging | None:
    """The paging of an operation that answers with a list; None where none is known.

    `bounds`: the settled schema of each input by its wire name; `said`: parts that the overrides give.
    """
    if said is False or (not shape.many and not isinstance(said, Mapping)):
        return None
    given = dict(said) if isinstance(said, Mapping) else {}
    inputs = {
        parameter.sent_as or parameter.name: parameter
        for parameter in parameters
        if parameter.location != "path" and pages(parameter)
    }
    size = _named(inputs, given.get("size"), _SIZES)
    style, place = _place(inputs, given, size)
    if place is None or (style == "page" and place == size):
        return None
    bound, paged = bounds.get(size or "", {}), bounds.get(place, {})
    default = _number(given.get("default_size"), _number(bound.get("default"), _DEFAULT))
    largest = _number(given.get("max_size"), _number(bound.get("maximum"), max(_LARGEST, default)))
    first = 0 if paged.get("default") == 0 or paged.get("minimum") == 0 else 1
    return Paging(
        page=inputs[place].name,
        size=inputs[size].name if size else "",
        style=style,
        default_size=min(default, largest),
        max_size=largest,
        first=_first_page(given.get("first", first if style == "page" else 1)),
    )


def pages(parameter: Parameter) -> bool:
    """False for an object, a list or a flag: whatever it is called, no page number stands in it."""
    return parameter.type in ("integer", "number", "string")


def with_roles(parameters: Sequence[Parameter], paging: Paging | None) -> tuple[Parameter, ...]:
    """The inputs with the paging's own marked; they are always sent, so nobody has to give them."""
    if paging is None:
        return tuple(parameters)
    found = []
    for parameter in parameters:
        if parameter.name == paging.page:
            parameter = replace(parameter, role="page", required=False)
        elif parameter.name == paging.size:
            parameter = replace(parameter, role="size", required=False)
        found.append(parameter)
    return tuple(found)


def _place(inputs: Mapping[str, Parameter], given: Mapping[str, Any], size: str | None) -> tuple[Style, str | None]:
    """(style, the input that says which page)."""
    style = given.get("style")
    if style not in (None, "page", "offset", "cursor"):
        raise OverridesError(f"paging: style is page, offset or cursor, not {style!r}.")
    named = _named(inputs, given.get("page"), ())
    kinds: tuple[tuple[Style, tuple[str, ...]], ...] = (("page", _PAGES), ("offset", _OFFSETS), ("cursor", _CURSORS))
    for kind, names in kinds:
        if style not in (None, kind):
            continue
        found = (
            named
            if named and (style == kind or folded(named) in names)
            else None
            if named
            else _named(inputs, None, names)
        )
        if found is None or (kind == "offset" and size is None):
            continue
        if kind == "offset" and style is None and inputs[found].type == "string":
            continue  # `from` and `start` may be days or names
        return kind, found
    return "page", named if style is None else None


def _named(inputs: Mapping[str, Parameter], said: Any, names: tuple[str, ...]) -> str | None:
    if said is not None:
        if said not in inputs:
            raise OverridesError(
                f"paging: there is no input {said!r} for a number or a text; there are {', '.join(inputs) or 'none'}."
            )
        return str(said)
    plain = {folded(name): name for name in reversed(list(inputs))}
    return next((plain[name] for name in names if name in plain), None)


def _first_page(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise OverridesError(f"paging: first is the number of the first page, not {value!r}.")
    return value


def _number(value: Any, otherwise: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else otherwise
