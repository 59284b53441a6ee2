"""TRL environment classes made from catalog signatures, one per toolset of a dataset.

TRL reads a class: its public methods are the tools, their signatures and Google
docstrings the schema. So each toolset becomes a subclass of `KopaEnvironment`
whose methods carry the catalog's signatures. No class defines `get_reward`:
TRL would add one reward column for each that does.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from kopa_hf.agent.environment import KopaEnvironment
from kopa_hf.bench.worlds import refuse_other_worlds
from kopa_hf.catalog.active import active_catalog
from kopa_hf.catalog.callables import tool_callable
from kopa_hf.catalog.registry import Catalog
from kopa_hf.errors import DataError, UnknownToolError


def build_toolsets(rows: Iterable[Mapping[str, Any]]) -> dict[str, type[KopaEnvironment]]:
    """Toolset key → environment class, for `GRPOTrainer(environment_factory=…)`.

    `rows` are dataset records (columns `environment` and `tools`). Rows of one toolset share
    one class, and equal toolsets over datasets too. Raises DataError for a row without toolset,
    for a key that stands for two different sets, for a tool that the catalog lacks, and for a row of another sandbox world.
    """
    names: dict[str, tuple[str, ...]] = {}
    for row in rows:
        key, tools = row.get("environment"), row.get("tools")
        if not key or not tools:
            raise DataError(
                f"Row {row.get('id', '?')} names no toolset: columns `environment` and `tools` must be filled."
            )
        refuse_other_worlds([row])
        offered = tuple(sorted(schema["function"]["name"] for schema in tools))
        if names.setdefault(key, offered) != offered:
            raise DataError(f"Row {row.get('id', '?')}: toolset {key} stands for different tools than in earlier rows.")
    return {key: toolset_class(key, offered) for key, offered in names.items()}


def show_schemas(trainer: Any, rows: Iterable[Mapping[str, Any]]) -> None:
    """Let a GRPO trainer's prompts show the rows' own schemas.

    TRL reads schemas back from the methods and so words them otherwise (nullable arguments, a result's type). A model
    would be asked in other words than it was taught by SFT, and than the benchmark asks in. Rows of one toolset are shown
    its tools in the order of the first.
    """
    shown: dict[str, list[Any]] = {}
    for row in rows:
        shown.setdefault(row["environment"], list(row["tools"]))
    # what TRL renders and reads calls by; what it executes are the environments' methods
    trainer._env_tools = {key: shown[key] for key in trainer._env_tools}


def toolset_class(key: str, tool_names: tuple[str, ...]) -> type[KopaEnvironment]:
    """The environment class that offers exactly `tool_names` of the catalog in force."""
    return _class_of(active_catalog(), key, tool_names)


@lru_cache(maxsize=4096)
def _class_of(catalog: Catalog, key: str, tool_names: tuple[str, ...]) -> type[KopaEnvironment]:
    try:
        methods = {name: _method(catalog, name) for name in tool_names if catalog.get(name)}
    except UnknownToolError as error:
        raise DataError(f"Toolset {key}: {error} The dataset needs another catalog.") from error
    return type(f"Toolset_{key}", (KopaEnvironment,), {**methods, "__doc__": f"Tools of toolset {key}."})


@lru_cache(maxsize=8192)
def _method(catalog: Catalog, name: str) -> Callable[..., str]:
    """A method with the tool's signature and docstring. It takes whatever a model passes:
    wrong arguments must reach the episode, be answered and count, not end as a TypeError."""

    def call(self: KopaEnvironment, /, **arguments: Any) -> str:
        return self._call(name, arguments)

    described = tool_callable(catalog.get(name), lambda *_: None)
    signature = inspect.signature(described)
    itself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    call.__name__ = name
    call.__qualname__ = f"KopaEnvironment.{name}"
    call.__doc__ = described.__doc__
    call.__annotations__ = {**described.__annotations__, "return": str}
    call.__signature__ = signature.replace(  # type: ignore[attr-defined]  # functions take one at run time
        parameters=[itself, *signature.parameters.values()], return_annotation=str
    )
    return call
