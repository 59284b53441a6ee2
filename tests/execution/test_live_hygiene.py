"""No key in anything that is kept, printed or raised, whatever a service or the network does."""

from __future__ import annotations

import asyncio
import json
import logging
import pickle
import traceback
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from kopa_hf.catalog.registry import Catalog
from kopa_hf.errors import BackendError, KopaError
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.keys import Keyring
from kopa_hf.execution.network import NetworkTransport, TimeLimits
from kopa_hf.sandbox.fates import Fates
from kopa_hf.sandbox.serving import SandboxServer, serving
from tests.execution.loopback import ECHO, QUICK, closed_port, http_answer, live, raw_server, settings

DECODED = "ab+Cd/1234Ef==XyZ987"
ENCODED = "ab%2BCd%2F1234Ef%3D%3DXyZ987"
FORMS = (DECODED, ENCODED, quote(ENCODED, safe=""), "ab%2bCd%2f1234Ef%3d%3dXyZ987")
SPELLINGS = pytest.mark.parametrize("key", [DECODED, ENCODED], ids=["decoded", "encoded"])


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """Everything that any library says, from DEBUG on."""
    caplog.set_level(logging.DEBUG)
    for name in ("httpx", "httpcore", "asyncio", "pyrate_limiter", "tenacity", "kopa_hf"):
        caplog.set_level(logging.DEBUG, logger=name)
    return caplog


def assert_clean(*things: Any) -> None:
    for thing in things:
        text = thing if isinstance(thing, str) else f"{thing!r} {thing}"
        for form in FORMS:
            assert form not in text


def assert_error_clean(error: BaseException | None) -> None:
    """An error, its causes and contexts, its traceback and its attributes."""
    while error is not None:
        assert_clean(error, "".join(traceback.format_exception(error)), str(vars(error)), *error.args)
        assert not hasattr(error, "_request") or error._request is None
        assert error.__cause__ is None or isinstance(error.__cause__, KopaError)
        error = error.__cause__ or error.__context__


def echo(request: bytes) -> bytes:
    """A service that repeats everything it was told, in rows, message and headers, in every spelling."""
    line = request.split(b"\r\n", 1)[0].decode()
    words = [line, *FORMS]
    rows = [{"name": word, "link": f"https://example.invalid/?key={word}&x=1"} for word in words]
    body = {"response": {"header": {"resultCode": "00", "resultMsg": " ".join(words)},
                         "body": {"items": {"item": rows}, "totalCount": len(rows)}}}  # fmt: skip
    return http_answer(json.dumps(body).encode(), "200 OK", f"X-Echo: {ENCODED}", "Content-Type: application/json")


def refuse(request: bytes) -> bytes:
    """A gateway that repeats the key in its refusal."""
    body = (
        "<OpenAPI_ServiceResponse><cmmMsgHeader><errMsg>SERVICE ERROR</errMsg><returnAuthMsg>SERVICE_KEY_IS_NOT_REGISTERED"
        f"_ERROR {DECODED} {ENCODED}</returnAuthMsg><returnReasonCode>30</returnReasonCode></cmmMsgHeader>"
        "</OpenAPI_ServiceResponse>"
    )
    return http_answer(body.encode(), "200 OK", "Content-Type: text/xml")


def garbage(request: bytes) -> bytes:
    """No HTTP at all, but the request itself."""
    return request


@SPELLINGS
@pytest.mark.parametrize("service", [echo, refuse, garbage])
def test_whatever_a_service_repeats_no_result_shows_a_key(
    service: Any, key: str, tmp_path: Path, logged: pytest.LogCaptureFixture
) -> None:
    answers = tmp_path / "answers.sqlite3"
    with raw_server(service) as (address, heard):
        given: dict[str, Any] = {"keys": Keyring({"data_go_kr": key}), "attempts": 2, "answers": answers}
        with live(address, tmp_path, **given) as executor:
            results = [executor.call_sync(ECHO, {"name": "가"}), asyncio.run(executor.call(ECHO, {"name": "나"}))]
    assert all(b"serviceKey=" + ENCODED.encode() in request for request in heard)
    assert not any(b"%25" in request for request in heard)
    for result in results:
        assert_clean(result, json.dumps(asdict(result), ensure_ascii=False), pickle.loads(pickle.dumps(result)))
    assert_clean(logged.text, *(str(record.__dict__) for record in logged.records))
    for kept in [path for path in tmp_path.rglob("*") if path.is_file()]:
        assert_clean(kept.read_bytes().decode("utf-8", "replace"))


@SPELLINGS
@pytest.mark.parametrize("kind", ["timeout", "reset", "cut", "slow", "server", "rate_limit", "quota", "page"])
def test_whatever_befalls_a_connection_no_log_shows_a_key(
    kind: str, key: str, tmp_path: Path, logged: pytest.LogCaptureFixture
) -> None:
    server = SandboxServer(fates=Fates.read(f"{kind}=1"), hold=2.0, retry_after=0)
    with serving(server) as address:
        times = TimeLimits(connect=1.0, read=0.15, whole=0.4)
        given: dict[str, Any] = {"keys": Keyring({"data_go_kr": key}), "attempts": 2, "times": times}
        with live(address, tmp_path, **given) as executor:
            for result in (executor.call_sync(ECHO, {}), asyncio.run(executor.call(ECHO, {}))):
                assert not result.ok
                assert_clean(result)
    assert_clean(logged.text, *(str(record.__dict__) for record in logged.records))


@pytest.mark.parametrize("kind", ["timeout", "reset", "cut", "slow"])
def test_the_transport_s_own_errors_hold_neither_request_nor_key(kind: str) -> None:
    request = httpx.Request("GET", f"https://apis.data.go.kr/x/y?serviceKey={ENCODED}", headers={"api_key": DECODED})
    with serving(SandboxServer(fates=Fates.read(f"{kind}=1"), hold=2.0)) as address:
        transport = NetworkTransport(via=address, times=QUICK)
        with pytest.raises(httpx.TransportError) as caught:
            transport.handle_request(request)
        assert_error_clean(caught.value)
        with pytest.raises(httpx.TransportError) as caught:
            asyncio.run(transport.handle_async_request(request))
        assert_error_clean(caught.value)
        transport.close()


def test_a_header_that_cannot_be_written_is_not_quoted() -> None:
    request = httpx.Request("GET", "https://apis.data.go.kr/x", headers={"api_key": f"{DECODED}\r\nX: y"})
    transport = NetworkTransport(via=f"http://127.0.0.1:{closed_port()}", times=QUICK)
    with pytest.raises(httpx.TransportError) as caught:
        transport.handle_request(request)
    assert_error_clean(caught.value)


def test_a_proxy_that_cannot_be_used_is_named_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", f"gopher://user:{DECODED}@127.0.0.1:1")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with pytest.raises(BackendError, match="proxy named in the environment") as caught:
        NetworkTransport().handle_request(httpx.Request("GET", "https://apis.data.go.kr/x"))
    assert_clean(caught.value, "".join(traceback.format_exception(caught.value)))


def test_the_sandbox_logs_no_key_either(logged: pytest.LogCaptureFixture) -> None:
    from kopa_hf.sandbox.keys import sandbox_key

    with Executor() as executor:
        executor.call_sync("search_assembly_bills", {"AGE": "22"})
        asyncio.run(executor.call("search_assembly_bills", {"AGE": "22"}))
    assert sandbox_key("assembly") not in logged.text


def test_a_key_that_was_pasted_wrongly_is_named_by_its_variable_only(tmp_path: Path) -> None:
    with pytest.raises(BackendError, match="KOPA_DART_KEY: A service key holds blanks") as caught:
        Keyring.load(None, {"KOPA_DART_KEY": f"{DECODED} {DECODED}"})
    assert_error_clean(caught.value)


def test_settings_and_executors_show_no_key(tmp_path: Path) -> None:
    given = settings("http://127.0.0.1:1", tmp_path, keys=Keyring({"data_go_kr": DECODED}))
    with Executor("live", live=given, catalog=Catalog([ECHO])) as executor:
        assert_clean(given, executor, executor.live, vars(executor))
