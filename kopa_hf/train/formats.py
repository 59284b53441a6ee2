"""Rows for other trainers: verl's Parquet, and `messages` with `tools` for any SFT trainer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kopa_hf.agent.trimming import dump
from kopa_hf.bench.rows import Row, row_to_dict
from kopa_hf.errors import DataError, KopaError
from kopa_hf.whole_file import whole_file

VERL_DATA_SOURCE: Final = "kopa/edge-trajectories"
VERL_AGENT: Final = "tool_agent"
"""verl's own multi-turn agent loop."""
FORMATS: Final[tuple[str, ...]] = ("verl", "messages")


def verl_record(row: Row, *, split: str, index: int) -> dict[str, Any]:
    """One row in the columns that verl's `RLHFDataset` reads; plain structs and texts, no JSON column.

    `tools_kwargs` is keyed by tool; in the file, whose rows share one struct, the tools of other rows are null
    there, and `tool_selection` names the row's own. `reward_model.ground_truth` is the answer; what an
    environment and the reward need beside it is the whole row as JSON text, `extra_info.row`.
    """
    names = [tool["function"]["name"] for tool in row.tools]
    whole = dump({name: value for name, value in row_to_dict(row).items() if name not in ("prompt", "completion")})
    return {
        "data_source": VERL_DATA_SOURCE,
        "agent_name": VERL_AGENT,
        "prompt": [{"role": message["role"], "content": message["content"]} for message in row.prompt],
        "ability": row.domain or "tool_use",
        "reward_model": {"style": "rule", "ground_truth": row.answer},
        "extra_info": {
            "index": index,
            "split": split,
            "row_id": row.id,
            "row": whole,
            "need_tools_kwargs": True,
            "tools_kwargs": {name: {"create_kwargs": {"row_id": row.id}} for name in names},
            "tool_selection": names,
        },
    }


def messages_record(row: Row) -> dict[str, Any]:
    """A whole golden conversation; arguments as JSON text and ids on every call, as OpenAI has them."""
    messages: list[dict[str, Any]] = []
    for message in (*row.prompt, *row.completion):
        calls = [
            {
                "id": call.get("id", ""),
                "type": "function",
                "function": {
                    "name": call["function"]["name"],
                    "arguments": dump(call["function"]["arguments"]),
                },
            }
            for call in message.get("tool_calls") or ()
        ]
        kept = {k: v for k, v in message.items() if v is not None and k in ("role", "content", "tool_call_id", "name")}
        messages.append(kept | ({"tool_calls": calls} if calls else {}))
    return {"id": row.id, "messages": messages, "tools": row.tools}


def export_rows(splits: Mapping[str, Sequence[Row]], form: str, folder: Path) -> list[Path]:
    """Write one file per split: `SPLIT.parquet` for verl, `SPLIT.jsonl` for messages; whole or not at all."""
    if form not in FORMATS:
        raise DataError(f"No format {form!r}; there are {', '.join(FORMATS)}.")
    write: Callable[[Sequence[Row], str, Path], Path] = _write_verl if form == "verl" else _write_messages
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return [write(rows, split, folder) for split, rows in splits.items()]
    except OSError as error:
        raise KopaError(f"Could not write to {folder}: {error.strerror or error}.") from error


def _write_verl(rows: Sequence[Row], split: str, folder: Path) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = folder / f"{split}.parquet"
    with whole_file(path) as fresh:
        table = pa.Table.from_pylist([verl_record(row, split=split, index=i) for i, row in enumerate(rows)])
        pq.write_table(table, fresh)
    return path


def _write_messages(rows: Sequence[Row], split: str, folder: Path) -> Path:
    path = folder / f"{split}.jsonl"
    with whole_file(path) as fresh, fresh.open("x", encoding="utf-8") as file:
        for row in rows:
            file.write(dump(messages_record(row)) + "\n")
    return path
