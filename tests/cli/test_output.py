"""What a terminal would obey never reaches it, whoever wrote it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kopa_hf.cli.call import _print
from kopa_hf.cli.output import clip, print_json, print_table
from kopa_hf.execution.result import CallResult
from kopa_hf.values.printable import printable
from tests.cli.conftest import run_kopa
from tests.execution.loopback import ECHO

HOSTILE = [
    ("\x1b]0;title\x07가", "가"),
    ("\x1b]8;;https://x.example\x1b\\link\x1b]8;;\x1b\\", "link"),
    ("\x1b]52;c;aGk=\x07나", "나"),
    ("\x9d52;c;aGk=\x9c나", "나"),
    ("\x1b[31mred\x1b[0m", "red"),
    ("\x9b2Jgone", "gone"),
    ("\x1bPq#0\x1b\\sixel", "sixel"),
    ("\x1bcreset", "reset"),
    ("a\x08b\x7fc\x00d", "abcd"),
    ("\u202egpj.exe\u2066", "gpj.exe"),
    ("\x1b]no end 다", "no end 다"),
    ("first\r\nsecond\tthird", "first\nsecond\tthird"),
    ("서울 특별시", "서울 특별시"),
]


@pytest.mark.parametrize(("text", "shown"), HOSTILE)
def test_a_terminal_is_told_nothing(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert clip(text, 80) == " ".join(shown.split())


def test_tables_messages_and_cursors_are_clean(capsys: pytest.CaptureFixture[str]) -> None:
    print_table([("\x1b[2Ja", "\x9b1mb")], ("\x1b]0;x\x07h", "i"))
    _print(CallResult("t", {}, "server", message="\x1b]0;x\x07said", failure="environmental"), ECHO, 5)
    row = {"\x1b[1mname": "\x1b]52;c;eA==\x07값"}
    _print(CallResult("t", {}, "ok", [row], cursor="\x1b[5mnext"), ECHO, 5)
    _print(CallResult("t", {}, "ok", [row, row], value=None, page=1), ECHO, 5)
    _print(CallResult("t", {}, "ok", value="\x1b[5mword"), ECHO, 5)
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\x9b" not in out
    assert "server: said" in out
    assert "next: cursor=next" in out
    assert "eA==" not in out


def test_json_holds_controls_as_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    value = {"a": "\x1b[2J\x9b2J\x7f가"}
    print_json(value)
    out = capsys.readouterr().out
    assert json.loads(out) == value
    assert not set(out) & {"\x1b", "\x9b", "\x7f"}
    assert "가" in out


@pytest.mark.parametrize(
    ("command", "entered", "said"),
    [
        (["bench", "export", "out", "--quick"], "kopa_hf.hub.loading.embedded_rows", "whole or not at all"),
        (
            ["edge", "export", "data", "--format", "verl", "--output", "out"],
            "kopa_hf.hub.loading.edge_splits",
            "Every file that stands there is whole",
        ),
        (["publish", "dataset", "kopa-bench"], "kopa_hf.hub.loading.embedded_rows", "The Hub takes a commit whole"),
    ],
)
def test_what_has_no_checkpoint_speaks_of_none(
    command: list[str],
    entered: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(entered, stop)
    code, _, err = run_kopa(capsys, *command)
    assert code == 130
    assert err.startswith("Interrupted. ")
    assert said in err
    assert "checkpointed" not in err
