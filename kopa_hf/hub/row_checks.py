"""Whether rows are what they were made as: their own ids, known platforms and domains, and one content in every config.

Config `default` is checked row by row. The other configs hold parts of it and are compared with it as they are stored,
which takes milliseconds; so the ids, the costly part, are worked out once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kopa_hf.bench.canary import CANARY
from kopa_hf.bench.rows import Row, features, row_from_dict, row_id
from kopa_hf.catalog.callables import tool_schema
from kopa_hf.catalog.registry import load_catalog
from kopa_hf.errors import DataError
from kopa_hf.hub.folder import DEFAULT, sft_features

if TYPE_CHECKING:
    import pyarrow as pa

_REMEDY: Final = "Rows are not changed by hand: build the dataset again."
_PARTS: Final = ("sft", "held_out")
"""Configs that hold rows of the default one and no other, beside those of a structure or a domain."""


def check_rows(folder: Path, named: Mapping[tuple[str, str], str]) -> None:
    """Raise `DataError` for the first row in a dataset folder that is not as it was made.

    named: (config, split) → Parquet file. Files in another layout than the rows' (and than config `sft`'s) are left alone.
    """
    tables = {key: table for key, file in named.items() if (table := _table(folder / file)) is not None}
    if not tables:
        return
    whole = {split: table for (config, split), table in tables.items() if config == DEFAULT and _is_rows(table)}
    places = _unique(folder, named, tables)
    parts: set[str] = set(_PARTS)
    for split, table in whole.items():
        parts |= _checked(folder / named[DEFAULT, split], split, table)
    for (config, split), table in tables.items():
        file = folder / named[config, split]
        if config == DEFAULT:
            continue
        if _is_rows(table) and not (whole and set(places[config]) & set(places[DEFAULT])):
            _checked(file, split, table)  # a config of its own
        elif whole:
            _compare(file, table, _originals(file, table, split, places[DEFAULT], whole, config in parts))


def _table(file: Path) -> pa.Table | None:
    """A file in the layout of rows or of config sft; None for any other. `DataError` where it is nearly that of rows."""
    import pyarrow.parquet as pq

    names = pq.read_schema(file).names
    if {"golden_actions", "answer_type"} & set(names):
        if names != list(features()):
            differ = sorted(set(names) ^ set(features())) or ["their order"]
            raise DataError(f"{file} is in the layout of rows but for {', '.join(differ[:5])}.")
    elif names != list(sft_features()):
        return None
    return pq.read_table(file)


def _is_rows(table: pa.Table) -> bool:
    return "answer_type" in table.schema.names


def _unique(
    folder: Path, named: Mapping[tuple[str, str], str], tables: Mapping[tuple[str, str], pa.Table]
) -> dict[str, dict[str, tuple[str, int]]]:
    """Config → id → where it stands (split, row); `DataError` where a config holds an id twice, over all its splits."""
    places: dict[str, dict[str, tuple[str, int]]] = {DEFAULT: {}}
    for (config, split), table in tables.items():
        there = places.setdefault(config, {})
        for number, name in enumerate(table["id"].to_pylist()):
            if not isinstance(name, str):
                raise DataError(f"{folder / named[config, split]}, row {number}: id must be text.")
            if name in there:
                other, before = there[name]
                raise DataError(
                    f"{folder / named[config, split]}, row {number}: id {name} stands in config {config} already "
                    f"({named[config, other]}, row {before}). Every row is there once: build the dataset again."
                )
            there[name] = (split, number)
    return places


def _checked(file: Path, split: str, table: pa.Table) -> set[str]:
    """Check every row of a file by itself; the structures and domains that occur."""
    from datasets import Dataset

    found: set[str] = set()
    for number, record in enumerate(Dataset(table)):
        try:
            row = row_from_dict(record)
        except DataError as error:
            raise DataError(f"{file}, row {number}: {error}") from error
        if split == "test" and row.provenance.get("canary") != CANARY:
            raise DataError(f"{file}, row {number}: a row of the benchmark without its canary.")
        for problem in _changes(row):
            raise DataError(f"{file}, row {number}: {problem}. {_REMEDY}")
        found |= {row.structure, row.domain}
    return found


def _changes(row: Row) -> Iterator[str]:
    """What a row says that does not follow from its content."""
    made = row_id(row)
    if made != row.id:
        yield f"id {row.id} does not follow from its content, which gives {made}"
    # a tool of that name in another catalog or version has another schema; what follows from it is not known here
    own: dict[str, str] = {}
    for tool in row.tools:
        function = tool.get("function")
        name = function.get("name") if isinstance(function, dict) else None
        if isinstance(name, str) and _own_tools().get(name, ({}, ""))[0] == tool:
            own[name] = _own_tools()[name][1]
    called = [action["name"] for action in row.golden_actions]
    platforms = [name for name in dict.fromkeys(own.get(name, "local") for name in called) if name != "local"]
    if own.keys() >= set(called) and row.platforms != platforms:
        yield f"its platforms are {_listed(row.platforms)}, but its calls are of {_listed(platforms)}"
    all_own = len(own) == len(row.tools) and any(platform != "local" for platform in own.values())
    if all_own and row.domain and row.domain not in _own_domains():
        yield f"its domain {row.domain!r} is none of {', '.join(sorted(_own_domains()))}"


def _listed(names: list[str]) -> str:
    return ", ".join(names) or "none"


@lru_cache(maxsize=1)
def _own_tools() -> dict[str, tuple[dict[str, Any], str]]:
    """Name → (schema, platform) of the built-in catalog's tools, the local ones among them."""
    from kopa_hf.catalog.local import local_tools

    return {tool.name: (tool_schema(tool), tool.platform) for tool in (*load_catalog(), *local_tools())}


@lru_cache(maxsize=1)
def _own_domains() -> frozenset[str]:
    return frozenset(tool.domain for tool in load_catalog())


def _originals(
    file: Path,
    table: pa.Table,
    split: str,
    places: Mapping[str, tuple[str, int]],
    whole: Mapping[str, pa.Table],
    is_part: bool,
) -> tuple[list[int], pa.Table]:
    """The rows of a part that stand in the default config, by number, and what stands there of the same ids."""
    kept, wanted = list[int](), list[int]()
    for number, name in enumerate(table["id"].to_pylist()):
        if name in places and places[name][0] != split:
            raise DataError(
                f"{file}, row {number}: id {name} stands in split {places[name][0]} of config {DEFAULT}. {_REMEDY}"
            )
        if name in places:
            kept.append(number)
            wanted.append(places[name][1])
        elif is_part or not _is_rows(table):
            raise DataError(f"{file}, row {number}: config {DEFAULT} holds no row of id {name}. {_REMEDY}")
    return kept, whole[split].take(wanted) if wanted else table.slice(0, 0)


def _compare(file: Path, table: pa.Table, originals: tuple[list[int], pa.Table]) -> None:
    """Raise `DataError` for the first row of a part that differs from the default config's."""
    from datasets import Dataset

    numbers, wanted = originals
    if not numbers:
        return
    if len(numbers) < table.num_rows:
        table = table.take(numbers)
    columns: Mapping[str, Callable[[dict[str, Any]], Any]] = {name: _get(name) for name in table.schema.names}
    if _is_rows(table):
        if table.equals(wanted):
            return
    else:
        if _same_talks(table, wanted):
            return
        columns = {**columns, "messages": lambda record: [*record["prompt"], *record["completion"]]}
    # stored otherwise, which need not be another value
    for number, here, there in zip(numbers, Dataset(table), Dataset(wanted), strict=True):
        differ = [name for name, of in columns.items() if _lean(here[name]) != _lean(of(there))]
        if differ:
            raise DataError(
                f"{file}, row {number}: {', '.join(differ)} of id {here['id']} differ from config {DEFAULT}. {_REMEDY}"
            )


def _get(name: str) -> Callable[[dict[str, Any]], Any]:
    return lambda record: record[name]


def _same_talks(table: pa.Table, wanted: pa.Table) -> bool:
    """Whether conversations of config sft are stored as prompt and completion of the rows are."""
    if not all(table[name].equals(wanted[name]) for name in ("id", "tools", "structure")):
        return False
    parts = zip(wanted["prompt"].to_pylist(), wanted["completion"].to_pylist(), strict=True)
    made = [_lean([*prompt, *completion]) for prompt, completion in parts]
    return [_lean(messages) for messages in table["messages"].to_pylist()] == made


def _lean(value: Any) -> Any:
    """A list of messages without the keys that Parquet filled with None; any other value as it is."""
    if not isinstance(value, list) or not all(isinstance(item, dict) and "role" in item for item in value):
        return value
    return [{key: part for key, part in item.items() if part is not None} for item in value]
