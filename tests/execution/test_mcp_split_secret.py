"""A secret that a server hands out in halves, one content block each, reaches neither records nor snapshot."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.catalog.folder import load_folder, write_service
from kopa_hf.catalog.import_mcp import import_tools, says_it_reads
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.live import LiveSettings
from kopa_hf.execution.mcp_server import McpServer
from kopa_hf.platforms.mcp import rows_member

pytest.importorskip("mcp")

TALKER = Path(__file__).with_name("mcp_talker.py")
TOKEN = "tk-9f3a2b7c1d9e"
HEAD, TAIL = "tk-9f3a", "2b7c1d9e"


def line(*blocks: dict[str, Any], **more: Any) -> str:
    told = json.dumps({"content": blocks, **more})
    return f'{{"jsonrpc":"2.0","id":ID,"result":{told}}}'


def text(words: str) -> dict[str, str]:
    return {"type": "text", "text": words}


def test_halves_in_two_blocks_are_masked_before_anything_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert HEAD + TAIL == TOKEN
    monkeypatch.setenv("TALKER_TOKEN", TOKEN)
    server = McpServer("talker", (sys.executable, "-S", str(TALKER), "stdio"), environment=("TALKER_TOKEN",))
    schema = {"type": "object", "properties": {"line": {"type": "string"}}}
    tool = {"name": "talk", "inputSchema": schema, "annotations": {"readOnlyHint": True}}
    tools = import_tools(
        "talker", [tool], taken=(), rows_member=rows_member, reads=says_it_reads, source="talker", domain="talker"
    )
    write_service(tmp_path / "mine", "talker", tools, server.described(), ())
    catalog, path = load_folder(tmp_path / "mine"), tmp_path / "talker.kopa"
    held = {"type": "resource", "resource": {"uri": "note://1", "text": "TAIL."}}
    asked = {
        "two texts": line(text("it is HEAD"), text("TAIL, all of it")),
        "a text and a resource": line(text("HEAD"), held),
        "with an image between": line(text("HEAD"), {"type": "image", "data": "AAAA", "mimeType": "image/png"}, text("TAIL")),
        "an error": line(text("HEAD"), text("TAIL"), isError=True),
    }  # fmt: skip
    with Executor("record", catalog=catalog, live=LiveSettings(state=tmp_path / "state"), snapshot=path) as executor:
        told = {name: executor.call_sync("talk", {"line": given}) for name, given in asked.items()}
        assert executor.recorder is not None
        assert executor.recorder.new == 3
    assert [record["text"] for record in told["two texts"].records] == ["it is ***", ", all of it"]
    assert told["a text and a resource"].records == [{"text": "***"}, {"uri": "note://1", "text": "."}]
    assert [record.get("text") for record in told["with an image between"].records] == ["***", None]
    assert told["an error"].message == "***"
    with Executor("replay", catalog=catalog, snapshot=path) as replaying:
        for name in list(asked)[:3]:
            assert replaying.call_sync("talk", {"line": asked[name]}).records == told[name].records
    kept = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert HEAD.encode() not in kept
    assert TAIL.encode() not in kept
