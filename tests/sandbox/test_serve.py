"""The sandbox on a socket: the transport's own bytes, kept connections, and faults that a client really meets."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from kopa_hf.errors import BackendError
from kopa_hf.sandbox.fates import KINDS, Fates
from kopa_hf.sandbox.faults import Faults
from kopa_hf.sandbox.keys import sandbox_key
from kopa_hf.sandbox.server import SandboxTransport
from kopa_hf.sandbox.serving import SandboxServer, serving
from kopa_hf.sandbox.world import World, default_world

ROOT = Path(__file__).resolve().parents[2]
WORLD = default_world()
HOST = "open.assembly.go.kr"
PATH = f"/portal/openapi/nwvrqwxyaytdsfvhu?KEY={sandbox_key('assembly')}&Type=json&pSize=3"


def get(address: str, path: str = PATH, host: str = HOST, **given: float) -> httpx.Response:
    with httpx.Client(trust_env=False, timeout=given.get("timeout", 10)) as client:
        return client.get(address + path, headers={"Host": host})


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(SandboxServer(WORLD)) as found:
        yield found


def expected(url: str) -> httpx.Response:
    with httpx.Client(transport=SandboxTransport(WORLD), trust_env=False) as client:
        return client.get(url)


def test_the_socket_sends_the_transport_s_bytes_type_and_status(address: str) -> None:
    for host, path in (
        (HOST, PATH),
        (HOST, PATH.replace("json", "xml")),
        (HOST, "/portal/openapi/nosuchservice?Type=json"),
        ("data-dbg.krx.co.kr", "/svc/apis/idx/krx_dd_trd.json?basDd=20260105"),
        ("opendart.fss.or.kr", "/api/company.xml?crtfc_key=wrong&corp_code=00126380"),
    ):
        sent, wanted = get(address, path, host), expected(f"https://{host}{path}")
        assert (sent.status_code, sent.content) == (wanted.status_code, wanted.content)
        assert sent.headers["content-type"] == wanted.headers["content-type"]


def test_a_browser_names_the_service_in_the_path(address: str) -> None:
    with httpx.Client(trust_env=False) as client:
        assert client.get(f"{address}/{HOST}{PATH}").content == get(address).content


def test_a_host_outside_the_sandbox_is_a_404_that_says_so(address: str) -> None:
    answer = get(address, "/x", "example.invalid")
    assert answer.status_code == 404
    assert "not part of the sandbox" in answer.text


def test_a_post_s_body_arrives(address: str) -> None:
    url, body = "https://openapi.edmgr.kr/openAPI/service/SA00202400011", {"apiId": "SA00202400011", "srhParam": {}}
    with httpx.Client(transport=SandboxTransport(WORLD), trust_env=False) as inside:
        wanted = inside.post(url, json=body)
    with httpx.Client(trust_env=False) as client:
        sent = client.post(address + urlsplit(url).path, json=body, headers={"Host": "openapi.edmgr.kr"})
    assert (sent.status_code, sent.content) == (wanted.status_code, wanted.content)


def test_one_connection_carries_many_requests(address: str) -> None:
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=10)
    connection.connect()
    own = connection.sock
    for _ in range(5):
        connection.request("GET", PATH, headers={"Host": HOST})
        answer = connection.getresponse()
        assert answer.status == 200
        assert len(answer.read()) == int(answer.getheader("Content-Length", "0"))
        assert connection.sock is own
    connection.close()


@pytest.mark.parametrize("nonsense", [b"\x00\x01\x02\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n"])
def test_nonsense_is_a_bad_request_and_the_server_lives_on(address: str, nonsense: bytes) -> None:
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname, parts.port or 0), timeout=5) as raw:
        raw.sendall(nonsense)
        assert raw.recv(1000).startswith(b"HTTP/1.1 4")
    assert get(address).status_code == 200


def test_a_body_without_end_is_refused(address: str) -> None:
    with httpx.Client(trust_env=False, timeout=10) as client:
        try:
            status = client.post(f"{address}/x", content=b"x" * (3 << 20), headers={"Host": HOST}).status_code
        except httpx.WriteError:  # the server may have gone before the client was done
            status = 413
    assert status == 413


# faults


def serve_fault(text: str, **given: float) -> SandboxServer:
    return SandboxServer(WORLD, fates=Fates.read(text), hold=given.get("hold", 30.0))


def test_a_held_connection_is_a_read_time_out_and_holds_nobody_else_up() -> None:
    with serving(serve_fault("timeout@1")) as address:
        began = time.monotonic()
        with pytest.raises(httpx.ReadTimeout):
            get(address, timeout=0.3)
        assert get(address).status_code == 200
        assert time.monotonic() - began < 15  # half of what the connection is held


def test_a_held_connection_ends_without_an_answer() -> None:
    with (
        serving(serve_fault("timeout@1", hold=0.2)) as address,
        pytest.raises((httpx.ReadError, httpx.RemoteProtocolError)),
    ):
        get(address)


def test_a_reset_is_a_reset() -> None:
    with serving(serve_fault("reset@1")) as address:
        parts = urlsplit(address)
        with socket.create_connection((parts.hostname, parts.port or 0), timeout=5) as raw:
            raw.sendall(f"GET {PATH} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
            with pytest.raises(ConnectionResetError):
                raw.recv(1000)
        assert get(address).status_code == 200


def test_a_cut_answer_promises_more_than_it_sends() -> None:
    with serving(serve_fault("cut@1")) as address:
        parts = urlsplit(address)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=5)
        connection.request("GET", PATH, headers={"Host": HOST})
        with pytest.raises(http.client.IncompleteRead) as caught:
            connection.getresponse().read()
        connection.close()
        whole = get(address).content
        assert caught.value.partial == whole[: len(whole) // 2]


def test_a_trickling_answer_is_whole_and_late() -> None:
    with serving(serve_fault("slow@1", hold=0.4)) as address:
        began = time.monotonic()
        slow = get(address)
        assert time.monotonic() - began >= 0.3
        assert slow.content == get(address).content


def test_a_429_says_how_long_to_wait() -> None:
    with serving(SandboxServer(WORLD, fates=Fates.read("rate_limit@1"), retry_after=7)) as address:
        answer = get(address)
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "7")
        assert "retry-after" not in get(address).headers


@pytest.mark.parametrize(("kind", "code"), [("quota", "ERROR-337"), ("server", "ERROR-500")])
def test_what_the_service_says_itself_comes_in_its_own_words(kind: str, code: str) -> None:
    with serving(serve_fault(f"{kind}@1")) as address:
        assert get(address).json()["RESULT"]["CODE"] == code
        assert "RESULT" not in get(address).json()


def test_pages_and_emptiness_come_with_status_200() -> None:
    with serving(serve_fault("page@1,empty@2")) as address:
        page, nothing = get(address), get(address)
    assert (page.status_code, "점검" in page.text) == (200, True)
    assert (nothing.status_code, nothing.content) == (200, b"")


def test_defects_are_the_world_s_own() -> None:
    faults = Faults.default(0)
    served = SandboxServer(WORLD, defects=faults)
    with serving(served) as address, httpx.Client(transport=SandboxTransport(WORLD, faults=faults)) as inside:
        for operation in ("nwvrqwxyaytdsfvhu", "ALLBILL", "nzmimeepazxkubdpn", "BILLRCP"):
            path = PATH.replace("nwvrqwxyaytdsfvhu", operation)
            assert get(address, path).content == inside.get(f"https://{HOST}{path}").content


def test_a_fate_depends_on_seed_request_and_try_only() -> None:
    fates = Fates.read("cut=0.3,slow=0.2", seed=4)
    seen = [fates.of(f"r{n}", attempt) for n in range(400) for attempt in range(2)]
    assert seen == [
        Fates.read("cut=0.3,slow=0.2", seed=4).of(f"r{n}", attempt) for n in range(400) for attempt in range(2)
    ]
    assert seen != [
        Fates.read("cut=0.3,slow=0.2", seed=5).of(f"r{n}", attempt) for n in range(400) for attempt in range(2)
    ]
    assert 0.24 < seen.count("cut") / len(seen) < 0.36
    assert 0.15 < seen.count("slow") / len(seen) < 0.25


def test_fates_are_read_as_they_are_written() -> None:
    assert Fates.read("") == Fates()
    assert Fates.read("cut@1, reset@2").fixed == (("cut", 1), ("reset", 2))
    assert dict(Fates.read("default").rates) == {kind: rate for kind, rate in Faults.default().transient if rate}
    assert {kind for kind, _ in Fates.read(",".join(f"{kind}=0.1" for kind in KINDS)).rates} == set(KINDS)


@pytest.mark.parametrize(
    "text", ["boom", "cut", "cut@0", "cut@x", "cut=2", "cut=x", "cut=-1", "cut=0.6,slow=0.6", "nan=nan"]
)
def test_a_fault_that_is_none_is_refused_with_what_there_is(text: str) -> None:
    with pytest.raises(BackendError, match="KIND@N"):
        Fates.read(text)


# the command


def start(*arguments: str) -> tuple[subprocess.Popen[str], str]:
    process = subprocess.Popen(
        [sys.executable, "-c", "from kopa_hf.cli import main; main()", "sandbox", "serve", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command_prints_its_address_and_ends_cleanly_while_connections_are_held(number: int) -> None:
    process, address = start("--faults", "timeout@2", "--value-seed", "3")
    try:
        with httpx.Client(transport=SandboxTransport(World(0, 3)), trust_env=False) as inside:
            assert get(address).content == inside.get(f"https://{HOST}{PATH}").content
        with pytest.raises(httpx.ReadTimeout):
            get(address, timeout=0.3)
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0
    assert "2 requests answered" in err
    assert "Traceback" not in err


@pytest.mark.slow
def test_a_port_that_is_taken_is_one_clear_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        process, _ = start("--port", str(taken.getsockname()[1]))
        _, err = process.communicate(timeout=60)
    assert process.returncode == 3
    assert err.startswith("Error: Cannot listen on 127.0.0.1")
    assert json.dumps(err).count("Traceback") == 0
