"""Keys: found by the right name, refused from a file that others can read, shown nowhere."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.catalog.tool import Tool
from kopa_hf.errors import BackendError
from kopa_hf.execution.keys import KEY_NAMES, Keyring, key_names, read_key_file, variable
from tests.execution.loopback import ECHO

SECRET = "Zx9+Qw8/Er7==Ty6Ui5"


def key_file(folder: Path, text: str, mode: int = 0o600) -> Path:
    path = folder / "keys"
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return path


def tool(platform: str, wire: str) -> Tool:
    return replace(ECHO, platform=platform, wire=wire)


def test_every_tool_of_the_catalog_has_a_name_under_which_its_key_is_looked_for() -> None:
    for each in load_catalog():
        if each.endpoint.auth is not None:
            assert key_names(each)
            assert set(key_names(each)) <= set(KEY_NAMES)


@pytest.mark.parametrize(
    ("platform", "wire", "names"),
    [
        ("dart", "dart", ("dart",)),
        ("krx", "krx", ("krx",)),
        ("krx", "data_go_kr", ("data_go_kr",)),
        ("seoul", "seoul", ("seoul",)),
        ("seoul", "data_go_kr", ("data_go_kr",)),
        ("kdic", "kdic", ("kdic", "data_go_kr")),
        ("hrdk", "hrdk", ("hrdk", "data_go_kr")),
        ("education", "neis", ("neis", "education")),
        ("education", "data_go_kr", ("data_go_kr", "education")),
    ],
)
def test_a_key_goes_to_the_provider_that_issued_it_and_to_nobody_else(
    platform: str, wire: str, names: tuple[str, ...]
) -> None:
    assert key_names(tool(platform, wire)) == names


def test_the_environment_wins_over_the_file_and_both_say_where_a_key_came_from(tmp_path: Path) -> None:
    path = key_file(tmp_path, 'dart = "fromthefile"\nkrx = "fromthefile2"\n')
    keys = Keyring.load(path, {"KOPA_DART_KEY": "fromoutside", "KOPA_SEOUL_KEY": " ", "KOPA_OTHER_KEY": "x"})
    assert keys.key_for(tool("dart", "dart")) == "fromoutside"
    assert keys.key_for(tool("krx", "krx")) == "fromthefile2"
    assert (keys.origin("dart"), keys.origin("krx")) == ("KOPA_DART_KEY", "keys")
    assert keys.names == ("dart", "krx")


def test_a_tool_without_a_key_gets_none_even_where_there_is_one() -> None:
    keys = Keyring({"data_go_kr": SECRET})
    assert keys.key_for(replace(ECHO, endpoint=replace(ECHO.endpoint, auth=None))) is None
    assert keys.key_for(ECHO) == SECRET


@pytest.mark.parametrize(
    "text",
    [
        f'dart = "{SECRET}"\n',
        f'[keys]\ndart = "{SECRET}"\n',
        f'KOPA_DART_KEY = "{SECRET}"\n',
        f"# comment\n\nKOPA_DART_KEY={SECRET}\n",
        f"export KOPA_DART_KEY='{SECRET}'\r\n",
        f"\ufeffdart={SECRET}\n",
    ],
)
def test_a_key_file_is_toml_or_lines(tmp_path: Path, text: str) -> None:
    assert read_key_file(key_file(tmp_path, text)) == {"dart": SECRET}


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o660, 0o604, 0o700, 0o666])
def test_a_file_that_others_can_read_is_refused_and_the_remedy_is_named(tmp_path: Path, mode: int) -> None:
    path = key_file(tmp_path, f"dart={SECRET}\n", mode)
    with pytest.raises(BackendError, match=rf"mode {mode:04o}.*chmod 600") as caught:
        Keyring.load(path, {})
    assert SECRET not in repr(caught.getrepr(showlocals=False))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"moon={SECRET}\n", "unknown key name in entry 1"),
        (f"{SECRET}\n", "line 1: neither TOML nor NAME=KEY"),
        ("Zx9Qw8Er7Ty6Ui5==\n", "unknown key name in entry 1"),
        ("dart = 5\n", "dart must be a text in quotes"),
        (f'KOPA_DART_KEY="{SECRET}\n', "line 1: a quote stands on one side"),
        (f"# mine\nKOPA_DART_KEY={SECRET}'\n", "line 2: a quote stands on one side"),
        ('dart = "with blank inside"\n', "keys: A service key holds blanks"),
    ],
)
def test_an_unusable_file_is_one_clear_line_without_the_key(tmp_path: Path, text: str, words: str) -> None:
    path = key_file(tmp_path, text)
    with pytest.raises(BackendError, match=words) as caught:
        Keyring.load(path, {})
    assert caught.value.__cause__ is None
    assert SECRET not in str(caught.value) + str(caught.value.__context__)


def test_a_named_file_must_exist_and_the_usual_one_need_not(tmp_path: Path) -> None:
    assert len(Keyring.load(None, {})) == 0
    with pytest.raises(BackendError, match="cannot be read"):
        Keyring.load(tmp_path / "absent", {})
    with pytest.raises(BackendError, match="cannot be read"):
        Keyring.load(None, {"KOPA_KEYS_FILE": str(tmp_path / "absent")})


def test_a_keyring_shows_nothing_of_its_keys() -> None:
    keys = Keyring({"dart": SECRET, "krx": SECRET[::-1]})
    for text in (repr(keys), str(keys), f"{keys!a}", str(keys.names), variable("dart"), keys.origin("dart")):
        assert SECRET not in text
        assert SECRET[::-1] not in text
    for spread in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="not pickled or copied"):
            spread(keys)


def test_text_loses_every_spelling_of_every_key() -> None:
    keys = Keyring({"dart": "ab%2Bcd%2F1234%3D%3D"})
    assert keys.redact("ab+cd/1234== ab%2Bcd%2F1234%3D%3D ab%2bcd%2f1234%3d%3d ab%252Bcd%252F1234%253D%253D") == (
        "*** *** *** ***"
    )
