"""Empty names of files and folders, as an unset variable leaves them, are refused by every command."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from kopa_hf.cli import kopa as root
from kopa_hf.cli.file_path import FilePath, Source


def _parameters(command: click.Command, name: str) -> Iterator[tuple[str, click.Parameter]]:
    if isinstance(command, click.Group):
        context = click.Context(command)
        for part in command.list_commands(context):
            found = command.get_command(context, part)
            assert found is not None
            yield from _parameters(found, f"{name} {part}")
        return
    for parameter in command.params:
        yield f"{name} {parameter.opts[0]}", parameter


def test_no_command_takes_a_path_that_may_be_empty() -> None:
    found = dict(_parameters(root, "kopa"))
    paths = {name for name, parameter in found.items() if isinstance(parameter.type, FilePath | Source)}
    lax = {name for name, parameter in found.items() if isinstance(parameter.type, click.Path | click.File)} - paths
    assert lax == set()
    assert {"kopa demo --output", "kopa edge run --output", "kopa bundle make output", "kopa eval --model"} <= paths


@pytest.mark.parametrize(
    "command",
    [
        ["edge", "build", "--output", ""],
        ["demo", "--output", ""],
        ["bundle", "make", ""],
        ["bundle", "make", "x.zip", "--dataset", ""],
        ["bench", "export", ""],
        ["edge", "export", "", "--format", "verl", "--output", "out"],
        ["publish", "dataset", "", "--dry-run"],
        ["train", "doctor", ""],
    ],
)
def test_an_empty_name_is_refused_before_anything_is_written(
    kopa: Any, command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = kopa(*command)
    assert code == 2
    assert "the name is empty" in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "command",
    [
        ["tools", "import", "openapi", "api.yaml", "--output", "mine", "--server"],
        ["tools", "import", "openapi", "api.yaml", "--output", "mine", "--name"],
        ["tools", "import", "openapi", "api.yaml", "--output", "mine", "--allow-write"],
        ["tools", "import", "mcp", "a-server", "--output", "mine", "--name"],
        ["tools", "import", "mcp", "a-server", "--output", "mine", "--environment"],
        ["tools", "import", "mcp", "a-server", "--output", "mine", "--reads"],
        ["tools", "import", "mcp", "a-server", "--output", "mine", "--allow"],
        ["mcp", "--tools"],
        ["mcp", "--toolset"],
        ["edge", "run", "--preset"],
        ["edge", "refresh", "--today"],
        ["demo", "--preset"],
        ["eval", "--limit", "1", "--dtype"],
        ["eval", "--limit", "1", "--device"],
        ["bfcl", "eval", "--category"],
        ["bench", "card", "run.jsonl", "--agent"],
        ["bench", "card", "run.jsonl", "--revision"],
        ["snapshot", "ls", "run.kopa", "--tool"],
        ["sandbox", "serve", "--host"],
        ["train", "doctor", "--split"],
        ["train", "doctor", "--chat-template"],
        ["train", "integrity", "--split"],
    ],
)
@pytest.mark.parametrize("value", ["", " \t"])
def test_an_option_that_is_given_without_a_value_is_not_one_that_was_left_out(
    kopa: Any, command: list[str], value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = kopa(*command, value)
    assert code == 2
    assert command[-1] in err
    assert "is empty (a variable without a value?)" in " ".join(err.split())
    assert list(tmp_path.iterdir()) == []


def test_a_dot_is_the_folder_that_one_stands_in() -> None:
    assert FilePath().convert(".", None, None) == Path(".")
