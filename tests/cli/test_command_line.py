"""A command in a log: nothing in it that is for nobody else, and a shell runs it again."""

from __future__ import annotations

import asyncio
import shlex
import subprocess
from pathlib import Path

import click
import pytest

from kopa_hf.agent.models import EndpointModel, ModelError, RetryPolicy
from kopa_hf.cli.command_line import quoted, without_secrets
from kopa_hf.cli.evaluate import read_sampling


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("http://127.0.0.1:8000/v1#Qwen/Qwen3.5-4B", "http://127.0.0.1:8000/v1#Qwen/Qwen3.5-4B"),
        ("http://h/v1/@cf#@cf/meta", "http://h/v1/@cf#@cf/meta"),
        ("http://secrettoken@h/v1#m", "http://h/v1#m"),
        ("http://:pw@h/v1#m", "http://h/v1#m"),
        ("http://user:p@ss@h:80/v1#m", "http://h:80/v1#m"),
        ("HTTP://user:pw@h/v1#m", "HTTP://h/v1#m"),
        ("http://user:p/w@h/v1#m", "http://***"),
        ("http://[user:pw@h/v1#m", "http://***"),
        ("http://h/v1?token=x#m", "http://h/v1?token=***#m"),
        ("http://h/v1?key=x&code=y;api-key=z#m", "http://h/v1?key=***&code=***;api-key=***#m"),
        ("http://h/v1?sig=a%3D=b&subscription-key=c&bare#m", "http://h/v1?sig=***&subscription-key=***&***#m"),
        ("http://h/v1#m?token=x", "http://h/v1#m?token=***"),
        ("--model=http://u:p@h/v1?next=https://v:q@i/w#m", "--model=http://h/v1?next=***#m"),
        ("http://a:b@h/v1,https://c:d@i/w?e=f", "http://h/v1,https://i/w?e=***"),
        ("api_key=k", "api_key=***"),
        ("--sampling=apiKey=a&b c", "--sampling=apiKey=***"),
        ("X-Auth-Token=http://h/?a", "X-Auth-Token=***"),
        ("password=", "password=***"),
        ("max_tokens=20", "max_tokens=20"),
        ("temperature=0.7", "temperature=0.7"),
    ],
)
def test_keys_in_an_argument_are_masked(typed: str, shown: str) -> None:
    assert without_secrets(typed) == shown


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("{home}", "~"),
        ("{home}/", "~/"),
        ("{home}/my runs/a.jsonl", "~/'my runs/a.jsonl'"),
        ("--log={home}/my runs/a.jsonl", "--log=\"$HOME\"'/my runs/a.jsonl'"),
        ("--log={home}", '--log="$HOME"'),
        ("a b={home}/x", "'a b='\"$HOME\"/x"),
        ("{home},{home}/x", '"$HOME","$HOME"/x'),
        ("file://{home}/x", 'file://"$HOME"/x'),
        # another's folder, and one below another root
        ("{home}2/x", "{home}2/x"),
        ("{home}.old", "{home}.old"),
        ("/mnt{home}/x", "/mnt{home}/x"),
        ("it's", "'it'\"'\"'s'"),
    ],
)
def test_the_home_folder_is_not_named_and_a_shell_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, shown: str
) -> None:
    home = str(tmp_path / "who")
    monkeypatch.setenv("HOME", home)
    typed, shown = typed.format(home=home), shown.format(home=home)
    assert quoted(typed) == shown
    script = f"printf %s {quoted(typed)}"
    read = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, env={"HOME": home})
    assert read.stdout == typed


def test_a_home_that_is_the_root_folder_is_not_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/")
    assert shlex.split(quoted("/a b")) == ["/a b"]


@pytest.mark.parametrize(
    "pair",
    [
        "api_key=k", "apiKey=k", "x-auth-token=k", "password=k", "TOKEN=k",
        'extra_headers={"Authorization": "Bearer k"}', 'extra_body={"via": [{"api-key": "k"}]}',
    ],
)  # fmt: skip
def test_a_key_is_no_setting(pair: str) -> None:
    with pytest.raises(click.UsageError, match="OPENAI_API_KEY"):
        read_sampling([pair])


def test_names_that_sound_alike_are_settings() -> None:
    told = ["max_tokens=5", "prompt_cache_key=a", "skip_special_tokens=true", "stop=token"]
    assert read_sampling(told) == {
        "max_tokens": 5, "prompt_cache_key": "a", "skip_special_tokens": True, "stop": "token"
    }  # fmt: skip


def test_a_server_that_is_not_there_is_named_without_who_logs_in() -> None:
    async def ask() -> None:
        async with EndpointModel("http://user:pw@127.0.0.1:1/v1", "m", retry=RetryPolicy(attempts=1)) as model:
            await model.complete([{"role": "user", "content": "x"}], [])

    with pytest.raises(ModelError, match=r"at http://127\.0\.0\.1:1/v1; is the server up") as caught:
        asyncio.run(ask())
    assert "pw" not in str(caught.value)
