"""Text files as Windows editors save them: a byte order mark in front, and lines that end with CR LF."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.agent.transformers_model import _template_text
from kopa_hf.bench.audit_record import load_transcripts, read_collected
from kopa_hf.bench.bfcl.source import load_entries, present
from kopa_hf.bench.functionchat import load_items
from kopa_hf.bench.kept_answers import Run, cut_short, go_on_from, read_results, result_line
from kopa_hf.bench.rows import row_text
from kopa_hf.bench.transcript import Transcript, TranscriptCall, read_transcript
from kopa_hf.catalog.registry import read_tools
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.foreign import read_apigen_mt
from kopa_hf.execution.limits import Limits
from kopa_hf.hub.builders import EdgeTrajectories
from kopa_hf.hub.loading import embedded_rows
from tests.bench.bfcl.leaderboard import write

RUN = Run("m", "fc", "abc", {})
ODD = "가\u2028나"
"""A text with a sign that `splitlines` takes for an end of line, which JSON text may hold as it is."""


class _Entry:
    id, category = "irrelevance_0", "irrelevance"


def _functionchat(folder: Path) -> Path:
    record = {
        "serial_num": "7",
        "input_messages": [{"role": "user", "content": ODD}],
        "input_tools": [],
        "type_of_output": "slot",
        "ground_truth": {"role": "assistant", "content": "어디요?"},
        "acceptable_arguments": None,
    }
    text = json.dumps(record, ensure_ascii=False) + "\n"
    (folder / "FunctionChat-CallDecision.jsonl").write_text(text * 2, encoding="utf-8")
    dialog = {"tools": [], "turns": [{**record, "serial_num": 1, "query": record["input_messages"]}]}
    (folder / "FunctionChat-Dialog.jsonl").write_text(json.dumps(dialog, ensure_ascii=False), encoding="utf-8")
    (folder / "system_prompt.txt").write_text("도구를 쓰세요.\n", encoding="utf-8")
    return folder


def _results(folder: Path) -> Path:
    line = json.dumps(result_line(RUN, _Entry(), ODD, ()), ensure_ascii=False)
    (folder / "results.jsonl").write_text(line + "\n", encoding="utf-8")
    return folder / "results.jsonl"


def _transcript(folder: Path) -> Path:
    path = folder / "t.jsonl"
    transcript = Transcript.of(embedded_rows()[0])
    transcript.begin(path)
    transcript.note(path, TranscriptCall("get_current_date", {}, "0123"))
    transcript.close(path, ODD, "person")
    return path


def _collected(folder: Path) -> Path:
    records = [{**one.to_dict(), "answer": ODD} for one in load_transcripts()[:2]]
    text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    (folder / "all.jsonl").write_text(text, encoding="utf-8")
    return folder / "all.jsonl"


def _apigen(folder: Path) -> Path:
    turns = [
        {"from": "human", "value": ODD},
        {"from": "function_call", "value": '{"name": "list_shops", "arguments": {}}'},
        {"from": "observation", "value": "[]"},
    ]
    text = json.dumps({"conversations": turns}, ensure_ascii=False) + "\n"
    (folder / "dialogues.jsonl").write_text(text * 2, encoding="utf-8")
    return folder / "dialogues.jsonl"


def _tools(folder: Path) -> Path:
    source = Path(read_tools.__code__.co_filename).parent / "data"
    first = min(source.glob("*.jsonl"))
    (folder / first.name).write_bytes(first.read_bytes())
    return folder / first.name


def _written(name: str, text: str) -> Callable[[Path], Path]:
    def write_it(folder: Path) -> Path:
        (folder / name).write_text(text, encoding="utf-8")
        return folder / name

    return write_it


def _kept(path: Path) -> Any:
    return read_results(path), cut_short(path), go_on_from(path, RUN)


def _limit(path: Path) -> Any:
    return Limits.load(path).of("dart")


def _examples(path: Path) -> Any:
    builder = EdgeTrajectories(data_dir=str(path.parent), cache_dir=str(path.parent / "cache"))
    return list(builder._generate_examples(path))


CASES: dict[str, tuple[Callable[[Path], Path], Callable[[Path], Any]]] = {
    "functionchat": (_functionchat, load_items),
    "bfcl": (write, lambda data: list(load_entries(data, present(data)))),
    "bfcl results": (_results, _kept),
    "transcript": (_transcript, read_transcript),
    "collected transcripts": (_collected, read_collected),
    "foreign dialogues": (_apigen, read_apigen_mt),
    "catalog": (_tools, lambda path: list(read_tools(path))),
    "limits": (_written("limits.toml", "[dart]\nper_day = 7\n"), _limit),
    "limits as JSON": (_written("limits.json", '{"dart": {"per_day": 7}}\n'), _limit),
    "settings": (_written("edge.yaml", "preset: demo\nseed: 5\n"), EdgeConfig.from_yaml),
    "trajectories": (_written("train.jsonl", row_text(embedded_rows()[0]) + "\n"), _examples),
    "chat template": (_written("chat.jinja", "{{ messages }}\n"), _template_text),
}


def as_notepad_saves(path: Path) -> None:
    """Rewrite every text file below a path."""
    for file in [path] if path.is_file() else [*path.rglob("*.jsonl"), *path.rglob("*.json"), *path.rglob("*.txt")]:
        file.write_bytes(codecs.BOM_UTF8 + file.read_bytes().replace(b"\n", b"\r\n"))


@pytest.mark.parametrize("kind", CASES)
def test_a_file_from_an_editor_of_windows_reads_as_it_did(tmp_path: Path, kind: str) -> None:
    make, read = CASES[kind]
    path = make(tmp_path)
    before = read(path)
    as_notepad_saves(path)
    assert read(path) == before
    assert before
