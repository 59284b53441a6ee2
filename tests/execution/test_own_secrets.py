"""What an MCP server is told in confidence shows in no result, error, record or snapshot."""

from __future__ import annotations

import base64
import dataclasses
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from kopa_hf.catalog.registry import Catalog
from kopa_hf.catalog.tool import Endpoint, Parameter, Tool
from kopa_hf.errors import BackendError, DataError
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.keys import KeyFilter, Keyring
from kopa_hf.execution.live import LiveSettings
from kopa_hf.execution.mcp_server import McpServer
from kopa_hf.execution.own_secrets import (
    OwnSecrets,
    encodings_of,
    forms_of,
    forms_of_key,
    names_a_secret,
    secrets_of_address,
    secrets_of_command,
)
from kopa_hf.execution.snapshot import Snapshot
from kopa_hf.execution.snapshot_check import check_snapshot
from kopa_hf.platforms.keys import redact

TOKEN = "tk-9f3a2b7c1d"
SERVICE = {"kind": "mcp", "url": "http://127.0.0.1:9/mcp", "headers": {"Authorization": "MINE_AUTH"}, "environment": []}
TOOL = Tool(
    "find_things", "mine", "mcp", "custom", "찾기", "찾는다.", Endpoint("mcp://mine/", operation="find"),
    (Parameter("q", "q"),), read=True,
)  # fmt: skip
CATALOG = Catalog([TOOL], services={"mine": SERVICE})


class Server(httpx.BaseTransport):
    """Answers every call with one body, or breaks with one error."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if isinstance(self._answer, Exception):
            raise self._answer
        return httpx.Response(200, json={"result": self._answer})


def asked(answer: Any, tmp_path: Path) -> tuple[Any, Executor, bytes]:
    """(result, executor, bytes of the snapshot's files) of one recorded call."""
    path = tmp_path / "mine.kopa"
    with Executor("record", catalog=CATALOG, transport=Server(answer), snapshot=path) as executor:
        result = executor.call_sync("find_things", {"q": "x"})
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return result, executor, b"".join(file.read_bytes() for file in files)


@pytest.fixture(autouse=True)
def bearer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINE_AUTH", f"Bearer {TOKEN}")


@pytest.mark.parametrize(
    ("value", "forms"),
    [
        (f"Bearer {TOKEN}", {f"Bearer {TOKEN}", TOKEN}),
        ("plain-value", {"plain-value"}),
        # a switch is no secret
        ("1", set()),
        ("debug", set()),
        # YWRhOmxvdmVsYWNl is ada:lovelace
        ("Basic YWRhOmxvdmVsYWNl", {"Basic YWRhOmxvdmVsYWNl", "YWRhOmxvdmVsYWNl", "ada:lovelace", "lovelace"}),
        ("line-one\nline-two", {"line-one\nline-two", "line-one\\nline-two", "line-one", "line-two"}),
        # EA B0 80 are the bytes of 가
        ("가" * 6, {"가" * 6, "\xea\xb0\x80" * 6}),
    ],
)
def test_a_value_is_sought_in_every_form_that_a_server_can_make_of_it(value: str, forms: set[str]) -> None:
    assert set(forms_of(value)) == forms
    assert [len(form) for form in forms_of(value)] == sorted((len(form) for form in forms), reverse=True)


def test_the_basic_header_of_the_example_is_what_it_says() -> None:
    assert base64.b64encode(b"ada:lovelace") == b"YWRhOmxvdmVsYWNl"


ENCODED = {
    "hex": "746b2d39663361326237633164",
    "hex in capitals": "746B2D39663361326237633164",
    "hex with colons": "74:6b:2d:39:66:33:61:32:62:37:63:31:64",
    "Base64": "dGstOWYzYTJiN2MxZA==",
    "all percent-encoded": "%74%6B%2D%39%66%33%61%32%62%37%63%31%64",
    "all by number": r"\u0074\u006b\u002d\u0039\u0066\u0033\u0061\u0032\u0062\u0037\u0063\u0031\u0064",
}
"""TOKEN, put down by hand: t is 74, k 6b, - 2d; tk- is dGst, 9f3 OWYz, a2b YTJi, 7c1 N2Mx, d ZA==."""


@pytest.mark.parametrize("form", ENCODED.values(), ids=ENCODED)
def test_usual_encodings_are_masked_in_records_and_snapshot(form: str, tmp_path: Path) -> None:
    result, executor, _ = asked({"structuredContent": {"note": f"<{form}>", "n": 1}}, tmp_path)
    assert result.records == [{"note": "<***>", "n": 1}]
    assert executor.recorder is not None
    with Executor("replay", catalog=CATALOG, snapshot=tmp_path / "mine.kopa") as replaying:
        kept = replaying.call_sync("find_things", {"q": "x"})
    assert kept.unseen if executor.recorder.left_out else kept.records == result.records


@pytest.mark.parametrize("before", ["", "u", "me", "me:", "user: "])
@pytest.mark.parametrize("after", ["", "\n", "; a=1"])
@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
def test_in_base64_a_secret_is_found_wherever_it_begins(
    before: str, after: str, encode: Callable[[bytes], bytes]
) -> None:
    secret = "k?~9f>ÿ3a2b7"  # + and / stand in its Base64
    text = encode(f"{before}{secret}{after}".encode()).decode()
    masked = redact(text, encodings_of(secret))
    assert "***" in masked
    # what is left: the signs of the neighbours, and on either side one that the secret shares with them
    around = len(before.encode()) + len(after.encode())
    assert len(masked.replace("***", "").rstrip("=")) <= around * 4 / 3 + 2


def test_in_html_and_behind_basic_it_is_found_too() -> None:
    for said in ("a&amp;b&lt;c/d=e", "a&amp;b&lt;c&#x2F;d=e", "a&amp;b&lt;c&#x2F;d&#x3D;e"):
        assert redact(said, encodings_of("a&b<c/d=e")) == "***"
    # the hex digits of lovelace, a password: YWRhOmxvdmVsYWNl is ada:lovelace
    assert redact("6c6f76656c616365", encodings_of("Basic YWRhOmxvdmVsYWNl")) == "***"
    assert encodings_of("debug") == ()


def test_the_key_of_a_rest_service_is_masked_in_them_too() -> None:
    for said in (TOKEN, *ENCODED.values()):
        assert redact(f"<{said}>", forms_of_key(TOKEN)) == "<***>"
    # 6b is k, 2b is +
    assert redact("6b2b2b2b2b2b2b", forms_of_key("k%2B%2B%2B%2B%2B%2B")) == "***"
    shown = [redact(said, forms_of_key("ada:lovelace", "basic")) for said in ("YWRhOmxvdmVsYWNl", "6c6f76656c616365")]
    assert shown == ["***", "***"]
    assert forms_of_key("abc") == ("abc",)


@pytest.mark.parametrize(
    "name", ["key", "api_key", "apiKey", "exaApiKey", "--token", "GITHUB_TOKEN", "x-api-key", "pwd"]
)
def test_names_of_secrets(name: str) -> None:
    assert names_a_secret(name)


@pytest.mark.parametrize("name", ["keyword", "author", "monkey", "tokens_per_page", "", "q", "keyId"])
def test_other_names(name: str) -> None:
    assert not names_a_secret(name)


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("https://host.example/mcp", {}),
        ("https://host.example/mcp?profile=a&keyword=b", {}),
        (f"https://me:{TOKEN}@host.example/mcp", {"user and password": TOKEN}),
        (f"https://{TOKEN}@host.example/mcp", {"user and password": TOKEN}),
        (f"https://host.example/mcp?a=1&apiKey={TOKEN}", {"?apiKey=": TOKEN}),
    ],
)
def test_secrets_of_an_address(address: str, found: dict[str, str]) -> None:
    assert secrets_of_address(address) == found


@pytest.mark.parametrize(
    ("command", "found"),
    [
        (("uvx", "server", "--token", TOKEN, "--verbose"), {"--token": TOKEN}),
        (("uvx", "server", f"--api-key={TOKEN}"), {"--api-key": TOKEN}),
        (("env", f"MY_TOKEN={TOKEN}", "server"), {"MY_TOKEN": TOKEN}),
        (("npx", "remote", "--header", f"Authorization: Bearer {TOKEN}"), {"Authorization": f"Bearer {TOKEN}"}),
        (
            ("npx", "postgres", f"postgresql://me:{TOKEN}@host/db"),
            {"the user and password in an address": TOKEN},
        ),
        # no value follows, or no secret
        (("server", "--token", "--verbose"), {}),
        (("server", "--keyword", "seoul", "MODE=fast", "token.py"), {}),
    ],
)
def test_secrets_of_a_command(command: tuple[str, ...], found: dict[str, str]) -> None:
    assert secrets_of_command(command) == found


def test_a_variable_that_changes_is_known_with_both_values(monkeypatch: pytest.MonkeyPatch) -> None:
    secrets = OwnSecrets({"mine": SERVICE, "other": {"kind": "rest", "environment": ["MINE_AUTH"]}})
    known = secrets.of("mine")
    assert {f"Bearer {TOKEN}", TOKEN} < set(known)
    monkeypatch.setenv("MINE_AUTH", "another-one")
    assert {*known, "another-one"} < set(secrets.of("mine"))
    assert [len(form) for form in secrets.of("mine")] == sorted(map(len, secrets.of("mine")), reverse=True)
    assert secrets.named() == {"mine: MINE_AUTH": "another-one"}
    assert (secrets.of("other"), secrets.of("dart")) == ((), ())


@pytest.mark.parametrize(
    ("answer", "records", "recorded"),
    [
        ({"structuredContent": {"auth": f"Bearer {TOKEN}", "n": 1}}, [{"auth": "***", "n": 1}], 1),
        ({"structuredContent": {"note": f"sent {TOKEN}!"}}, [{"note": "sent ***!"}], 1),
        # JSON in a text block, the key in escapes (74 is t): the bytes cannot be cleaned, so they are not kept
        ({"content": [{"type": "text", "text": '{"a": "\\u0074' + TOKEN[1:] + '"}'}]}, [{"a": "***"}], 0),
        ({"content": [{"type": "text", "text": f"you are {TOKEN}"}]}, [{"text": "you are ***"}], 1),
    ],
)
def test_records_and_snapshot_are_free_of_it(
    answer: Any, records: list[dict[str, Any]], recorded: int, tmp_path: Path
) -> None:
    result, executor, kept = asked(answer, tmp_path)
    assert result.records == records
    assert TOKEN.encode() not in kept
    assert executor.recorder is not None
    assert (executor.recorder.new, executor.recorder.left_out) == (recorded, 1 - recorded)


def test_a_snapshot_with_a_secret_is_not_whole(tmp_path: Path) -> None:
    """Recorded while the variable was called otherwise, so that nothing was masked."""
    path = tmp_path / "open.kopa"
    unaware = Catalog([TOOL], services={"mine": {**SERVICE, "headers": {}}})
    answer = {"structuredContent": {"auth": f"Bearer {TOKEN}"}}
    with Executor("record", catalog=unaware, transport=Server(answer), snapshot=path) as executor:
        assert executor.call_sync("find_things", {"q": "x"}).ok
    plain = Keyring(names=("mine",))
    with Snapshot(path) as snapshot:
        assert check_snapshot(snapshot, CATALOG, plain).whole
        found = check_snapshot(snapshot, CATALOG, plain.with_services(CATALOG.services))
    # the whole header, and the token behind "Bearer"
    assert found.keys == 2
    assert found.problems == ['["find_things",{"q":"x"}]: the key mine: MINE_AUTH, mine: MINE_AUTH (2) stands in it']


def test_a_snapshot_with_an_encoded_secret_is_not_whole(tmp_path: Path) -> None:
    path = tmp_path / "open.kopa"
    unaware = Catalog([TOOL], services={"mine": {**SERVICE, "headers": {}}})
    answer = {"structuredContent": {"auth": ENCODED["Base64"]}}
    with Executor("record", catalog=unaware, transport=Server(answer), snapshot=path) as executor:
        assert executor.call_sync("find_things", {"q": "x"}).ok
    with Snapshot(path) as snapshot:
        found = check_snapshot(snapshot, CATALOG, Keyring(names=("mine",)).with_services(CATALOG.services))
    assert found.problems == ['["find_things",{"q":"x"}]: the key mine: MINE_AUTH (2) stands in it']


def test_what_the_http_libraries_log_is_free_of_it() -> None:
    ring = Keyring().with_services(CATALOG.services)
    record = logging.LogRecord("httpcore2.http11", 10, "", 0, "head %s", (f"x-you: Bearer {TOKEN}",), None)
    assert KeyFilter(ring).filter(record)
    assert record.getMessage() == "head x-you: ***"
    assert "httpcore2.http11" in KeyFilter.LOGGERS


def test_a_refusal_is_noted_and_told_without_it(tmp_path: Path) -> None:
    answer = {"isError": True, "content": [{"type": "text", "text": f"invalid argument; authorization was {TOKEN}"}]}
    result, _, kept = asked(answer, tmp_path)
    assert (result.outcome, result.message) == ("bad_param", "invalid argument; authorization was ***")
    assert TOKEN.encode() not in kept
    with Executor("replay", catalog=CATALOG, snapshot=tmp_path / "mine.kopa") as replaying:
        again = replaying.call_sync("find_things", {"q": "x"})
    assert (again.outcome, again.message) == (result.outcome, result.message)


def test_a_broken_connection_is_told_without_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = LiveSettings(state=tmp_path / "state", attempts=1)
    with Executor("live", catalog=CATALOG, live=settings) as executor:
        monkeypatch.setattr(executor, "transport", Server(httpx.ConnectError(f"mine said: Bearer {TOKEN}")))
        result = executor.call_sync("find_things", {"q": "x"})
    assert (result.outcome, result.message) == ("server", "ConnectError: the connection broke (mine said: ***)")


@pytest.mark.parametrize(
    "make",
    [
        lambda url: McpServer.named("mine", url),
        lambda url: McpServer.read("mine", {"kind": "mcp", "url": url}),
    ],
)
@pytest.mark.parametrize("url", [f"https://me:{TOKEN}@h.example/mcp", f"https://h.example/mcp?api_key={TOKEN}"])
def test_an_address_with_a_secret_is_refused_without_repeating_it(make: Callable[[str], McpServer], url: str) -> None:
    with pytest.raises(DataError, match="--header Authorization=VARIABLE") as caught:
        make(url)
    assert TOKEN not in str(caught.value)


def test_an_exposed_command_names_the_option_only() -> None:
    assert McpServer.named("mine", f"uvx server --token {TOKEN}").exposed == ("--token",)
    assert McpServer.named("mine", "uvx server --quiet").exposed == ()


def test_a_stand_in_does_not_go_with_mcp_servers(tmp_path: Path) -> None:
    settings = LiveSettings(state=tmp_path / "state", via="http://127.0.0.1:9")
    for backend, more in (("live", {}), ("record", {"snapshot": tmp_path / "never.kopa"})):
        with pytest.raises(BackendError, match=r"--via .* mine is reached over MCP"):
            Executor(backend, catalog=CATALOG, live=settings, **more)
    assert not (tmp_path / "never.kopa").exists()


@pytest.mark.parametrize(("read", "sent"), [(True, 3), (False, 1)])
def test_writes_are_sent_once_even_where_words_say_rate_limit(
    read: bool, sent: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalog = Catalog([dataclasses.replace(TOOL, read=read)], services={"mine": SERVICE}, allowed=("find_things",))
    settings = LiveSettings(state=tmp_path / "state", attempts=3, first_wait=0.001, longest_wait=0.002)
    limited = {"isError": True, "content": [{"type": "text", "text": "done, but rate limit reached"}]}
    with Executor("live", catalog=catalog, live=settings) as executor:
        monkeypatch.setattr(executor, "transport", Server(limited))
        result = executor.call_sync("find_things", {"q": "x"})
    assert (result.outcome, result.requests) == ("rate_limit", sent)
