"""A second import into a folder: the same service again, another one under its name, and what may write afterwards."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.catalog.active import VARIABLE, active_catalog, use_catalog
from kopa_hf.catalog.folder import load_folder, write_service
from kopa_hf.catalog.tool import Endpoint, Tool
from kopa_hf.errors import CatalogError, DataError
from tests.cli.conftest import run_kopa
from tests.own.descriptions import get, imported, openapi

BANK, EVIL = "https://bank.example/v1", "https://evil.example/v1"


@pytest.fixture(autouse=True)
def _closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv(VARIABLE, raising=False)
    yield
    os.environ.pop(VARIABLE, None)
    use_catalog(None)


def bank(folder: Path, server: str = BANK, *, title: str = "Pet Bank", post: str = "/pets") -> Path:
    """A description with a reading and a writing operation."""
    paths: dict[str, Any] = {"/pets": get(operationId="list_pets")}
    paths[post] = {**paths.get(post, {}), "post": {"operationId": "create_pet", "responses": {}}}
    file = folder / "bank.json"
    file.write_text(json.dumps(openapi(paths, info={"title": title, "version": "1"}, servers=[{"url": server}])))
    return file


def contents(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()}


def allowed(folder: Path) -> list[str]:
    return sorted(load_folder(folder).allowed)


def test_the_same_description_again_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine"
    command = ("tools", "import", "openapi", bank(tmp_path), "--output", mine)
    assert run_kopa(capsys, *command, "--allow-write", "create_pet")[0] == 0
    first = contents(mine)
    assert sorted(first) == ["allow.txt", "pet_bank.json", "pet_bank.jsonl"]
    for more in ((), ("--allow-write", "create_pet"), ("--name", "pet_bank")):
        code, out, _ = run_kopa(capsys, *command, *more)
        assert (code, "1 read, 1 write (1 allowed)" in out) == (0, True)
        assert contents(mine) == first
    assert (sorted(t.name for t in load_folder(mine)), allowed(mine)) == (["create_pet", "list_pets"], ["create_pet"])


def test_a_name_that_only_the_overrides_give_is_the_services_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine"
    file = bank(tmp_path)
    file.with_suffix(".kopa.yaml").write_text("name: money\nallow_write: [create_pet]\n", encoding="utf-8")
    for _ in range(2):
        assert run_kopa(capsys, "tools", "import", "openapi", file, "--output", mine)[0] == 0
    assert (sorted(t.name for t in load_folder(mine)), allowed(mine)) == (["create_pet", "list_pets"], ["create_pet"])
    assert sorted(contents(mine)) == ["allow.txt", "money.json", "money.jsonl"]


def test_another_service_of_that_name_is_refused_and_inherits_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine"
    run_kopa(capsys, "tools", "import", "openapi", bank(tmp_path), "--output", mine, "--allow-write", "create_pet")
    before = contents(mine)
    command = ("tools", "import", "openapi", bank(tmp_path, EVIL), "--output", mine)
    code, _, err = run_kopa(capsys, *command)
    assert (code, BANK in err, EVIL in err, "--replace" in err) == (2, True, True, True)
    assert contents(mine) == before
    code, out, _ = run_kopa(capsys, *command, "--replace")
    assert (code, "1 write (0 allowed)" in out) == (0, True)
    assert {tool.endpoint.url for tool in load_folder(mine)} == {f"{EVIL}/pets"}
    assert "allow.txt" not in contents(mine)
    code, out, _ = run_kopa(capsys, *command, "--replace", "--allow-write", "create_pet", "--json")
    assert (code, json.loads(out)["allowed"], allowed(mine)) == (0, ["create_pet"], ["create_pet"])
    code, _, _ = run_kopa(capsys, *command[:3], bank(tmp_path), "--output", mine, "--name", "second")
    assert (code, len(load_folder(mine)), allowed(mine)) == (0, 4, ["create_pet"])
    assert load_folder(mine).get("second_create_pet").endpoint.url == f"{BANK}/pets"


def test_a_permission_is_for_what_a_tool_did_and_ends_with_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine"
    run_kopa(capsys, "tools", "import", "openapi", bank(tmp_path), "--output", mine, "--allow-write", "create_pet")
    # the name stands for another address now
    code, out, _ = run_kopa(capsys, "tools", "import", "openapi", bank(tmp_path, post="/all"), "--output", mine)
    assert (code, "(0 allowed)" in out, allowed(mine)) == (0, True, [])
    assert "no longer allowed to write: create_pet (" in out
    # a name without a tool is no permission for the next tool that is called so
    (mine / "allow.txt").write_text("create_pet\nonce_there\n", encoding="utf-8")
    code, out, _ = run_kopa(capsys, "tools", "import", "openapi", bank(tmp_path, post="/all"), "--output", mine)
    assert (code, "(1 allowed)" in out, allowed(mine)) == (0, True, ["create_pet"])
    assert "no longer allowed to write: once_there (" in out
    other = bank(tmp_path, "https://other.example", title="Other")
    assert run_kopa(capsys, "tools", "import", "openapi", other, "--output", mine)[0] == 0
    assert allowed(mine) == ["create_pet"]


def test_a_damaged_file_of_tools_is_mended_by_importing_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine"
    command = ("tools", "import", "openapi", bank(tmp_path), "--output", mine)
    run_kopa(capsys, *command, "--allow-write", "create_pet")
    (mine / "pet_bank.jsonl").write_text("{", encoding="utf-8")
    assert run_kopa(capsys, *command)[0] == 0
    assert (len(load_folder(mine)), allowed(mine)) == (2, [])  # nobody knows what was allowed
    (mine / "pet_bank.json").unlink()
    assert run_kopa(capsys, *command)[0] == 2
    assert run_kopa(capsys, *command, "--replace")[0] == 0


@pytest.mark.parametrize("limit", ["per_secnd=5", "per_day=0"])
def test_limits_are_checked_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], limit: str
) -> None:
    mine = tmp_path / "mine"
    code, _, err = run_kopa(capsys, "tools", "import", "openapi", bank(tmp_path), "--output", mine, "--limit", limit)
    assert (code, limit.partition("=")[0] in err, mine.exists()) == (2, True, False)
    said = tmp_path / "said.yaml"
    said.write_text(f"limits: {{{limit.replace('=', ': ')}}}", encoding="utf-8")
    code, _, err = run_kopa(capsys, "tools", "import", "openapi", bank(tmp_path), "--output", mine, "--overrides", said)
    assert (code, "Limits of the service pet_bank" in err, mine.exists()) == (2, True, False)


def test_a_folder_takes_no_name_twice_and_no_permission_without_a_tool(tmp_path: Path) -> None:
    made = imported(tmp_path, openapi({"/x": get()}), name="one")
    write_service(tmp_path / "mine", "one", made.tools, made.service)
    two = imported(tmp_path, openapi({"/x": get()}), name="two")
    with pytest.raises(CatalogError, match="get_things"):
        write_service(tmp_path / "mine", "two", two.tools, two.service)
    with pytest.raises(CatalogError, match="cannot name nothing"):
        write_service(tmp_path / "mine", "one", made.tools, made.service, ["nothing"])
    assert sorted(contents(tmp_path / "mine")) == ["one.json", "one.jsonl"]
    free = imported(tmp_path, openapi({"/x": get()}), name="two", folder=tmp_path / "mine")
    assert [tool.name for tool in free.tools] == ["two_get_things"]


def test_another_program_under_a_servers_name_is_refused(tmp_path: Path) -> None:
    tool = Tool(
        "send", "town", "mcp", "town", "보내기", "보낸다.", Endpoint("mcp://town/", operation="send"), read=False
    )
    one = {"kind": "mcp", "command": ["town", "serve"]}
    write_service(tmp_path, "town", [tool], one, ["send"])
    with pytest.raises(CatalogError, match="town serve; this one is at other"):
        write_service(tmp_path, "town", [tool], {"kind": "mcp", "command": ["other"]})
    with pytest.raises(CatalogError, match=r"this one is at https://town\.example/mcp"):
        write_service(tmp_path, "town", [tool], {"kind": "mcp", "url": "https://town.example/mcp"})
    with pytest.raises(CatalogError, match="this one is at"):
        write_service(tmp_path, "town", [tool], {**one, "kind": "rest"})
    write_service(tmp_path, "town", [tool], {**one, "timeout": 5})
    assert allowed(tmp_path) == ["send"]
    write_service(tmp_path, "town", [tool], {"kind": "mcp", "command": ["other"]}, replace=True)
    assert allowed(tmp_path) == []


def test_an_option_puts_back_a_folder_that_is_gone_without_reading_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = imported(tmp_path, openapi({"/x": get()}), name="one")
    write_service(tmp_path / "mine", "one", made.tools, made.service)
    monkeypatch.setenv(VARIABLE, "/nonexistent")
    code, out, err = run_kopa(capsys, "tools", "show", "get_things", "--catalog", tmp_path / "mine")
    assert (code, "get_things" in out, err) == (0, True, "")
    assert os.environ[VARIABLE] == "/nonexistent"
    monkeypatch.delenv(VARIABLE)
    assert "get_things" not in active_catalog()


def _edit(file: Path, old: str, new: str) -> None:
    before = file.read_text(encoding="utf-8")
    assert old in before
    file.write_text(before.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize(
    ("elsewhere", "shown"),
    [
        ("https://evil.example/v1/pets", "https://evil.example"),
        ("http://bank.example/v1/pets", "http://bank.example"),
        ("https://bank.example:8443/v1/pets", "https://bank.example:8443"),
        ("https://bank.example@evil.example/pets", "https://bank.example@evil.example"),
        ("https://bank.example.evil.example/pets", "https://bank.example.evil.example"),
    ],
)
def test_a_tool_that_would_take_its_services_key_elsewhere_is_refused(
    tmp_path: Path, elsewhere: str, shown: str
) -> None:
    made = imported(tmp_path, openapi({"/pets": get()}, servers=[{"url": BANK}]), name="bank")
    mine = tmp_path / "mine"
    write_service(mine, "bank", made.tools, made.service)
    _edit(mine / "bank.jsonl", f"{BANK}/pets", elsewhere)
    with pytest.raises(CatalogError) as refused:
        load_folder(mine)
    told = str(refused.value)
    assert f"get_things would be asked at {shown}, but" in told
    assert "stands at https://bank.example, and its key is for nobody else" in told
    assert f"`kopa tools import openapi api.json --output {mine} --name bank`" in told


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (f'"server": "{BANK}"', '"host": ""', "stands at no address"),
        (f'"server": "{BANK}"', '"server": "https://{h}.example"', "would be asked at"),
        ('"kind": "rest"', '"kind": "mcp", "url": "https://bank.example"', "is of wire rest, and"),
    ],
)
def test_a_service_without_an_address_of_its_own_lends_its_key_to_no_tool(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    made = imported(tmp_path, openapi({"/pets": get()}, servers=[{"url": BANK}]), name="bank")
    write_service(tmp_path / "mine", "bank", made.tools, made.service)
    _edit(tmp_path / "mine" / "bank.json", old, new)
    with pytest.raises(CatalogError, match=words):
        load_folder(tmp_path / "mine")


def test_a_permission_may_be_written_with_a_mark_before_it(tmp_path: Path) -> None:
    document = json.loads(bank(tmp_path).read_text())
    made = imported(tmp_path, document, name="bank")
    write_service(tmp_path / "mine", "bank", made.tools, made.service)
    (tmp_path / "mine" / "allow.txt").write_bytes(b"\xef\xbb\xbfcreate_pet\r\n")
    assert allowed(tmp_path / "mine") == ["create_pet"]


def test_what_is_damaged_names_the_command_that_mends_it(tmp_path: Path) -> None:
    made = imported(tmp_path, openapi({"/pets": get()}), name="bank")
    mine = tmp_path / "mine"
    write_service(mine, "bank", made.tools, made.service)
    (mine / "bank.jsonl").write_text("{", encoding="utf-8")
    with pytest.raises(DataError, match=f"Import it again: `kopa tools import openapi api.json --output {mine} --name"):
        load_folder(mine)
    (mine / "bank.json").unlink()
    with pytest.raises(DataError, match=f"`kopa tools import openapi FILE --output {mine} --name bank --replace`"):
        load_folder(mine)


@pytest.mark.parametrize("failing", [1, 2, 3])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_an_import_that_fails_half_way_leaves_the_old_service_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: int, error: BaseException
) -> None:
    mine = tmp_path / "mine"
    old = imported(tmp_path, json.loads(bank(tmp_path).read_text()), name="bank")
    write_service(mine, "bank", old.tools, old.service, ["create_pet"])
    before = contents(mine)
    assert sorted(before) == ["allow.txt", "bank.json", "bank.jsonl"]
    new = imported(tmp_path, json.loads(bank(tmp_path, EVIL).read_text()), name="bank")
    replace, calls = os.replace, 0

    def broken(*paths: Any) -> None:
        nonlocal calls
        calls += 1
        if calls == failing:
            raise error
        replace(*paths)

    # another writing permission comes, so the steps that replace are the tools, their service and the permissions
    new.tools = [*new.tools, dataclasses.replace(new.tools[-1], name="other_pet", read=False)]
    monkeypatch.setattr(os, "replace", broken)
    with pytest.raises((DataError, KeyboardInterrupt)):
        write_service(mine, "bank", new.tools, new.service, ["other_pet"], replace=True)
    monkeypatch.undo()
    assert calls >= failing
    assert contents(mine) == before
    assert allowed(mine) == ["create_pet"]


def test_an_import_after_which_the_folder_could_not_be_used_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine"
    run_kopa(capsys, "tools", "import", "openapi", bank(tmp_path), "--output", mine, "--allow-write", "create_pet")
    (mine / "other.jsonl").write_text("", encoding="utf-8")
    before = contents(mine)
    code, _, err = run_kopa(capsys, "tools", "import", "openapi", bank(tmp_path, EVIL), "--output", mine, "--replace")
    assert (code, "other.json" in err, "take the service's files away" in err) == (2, True, True)
    assert contents(mine) == before
    # a tool that no folder may hold: its service's key would go elsewhere
    (mine / "other.jsonl").unlink()
    before = contents(mine)
    made = imported(tmp_path, openapi({"/pets": get()}, servers=[{"url": EVIL}]), name="pet_bank")
    with pytest.raises(CatalogError, match="its key is for nobody else"):
        write_service(mine, "pet_bank", made.tools, {**made.service, "server": BANK})
    assert contents(mine) == before
    with pytest.raises(CatalogError, match="its key is for nobody else"):
        write_service(tmp_path / "new", "pet_bank", made.tools, {**made.service, "server": BANK})
    assert not (tmp_path / "new").exists()


def test_a_damaged_server_names_its_command_and_shows_nothing_of_what_starts_it(tmp_path: Path) -> None:
    tool = Tool("send", "town", "mcp", "town", "보내기", "보낸다.", Endpoint("mcp://town/", operation="send"))
    write_service(tmp_path, "town", [tool], {"kind": "mcp", "command": ["town", "--token", "s3cret-word"]})
    (tmp_path / "town.jsonl").write_text("{", encoding="utf-8")
    with pytest.raises(DataError) as damaged:
        load_folder(tmp_path)
    assert f"`kopa tools import mcp COMMAND|URL --output {tmp_path} --name town`" in str(damaged.value)
    assert "s3cret-word" not in str(damaged.value)
