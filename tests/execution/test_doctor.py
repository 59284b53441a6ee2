"""`doctor`: one harmless call per service, and every failure explained for what it is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.catalog.registry import Catalog, load_catalog
from kopa_hf.execution.doctor import Finding, examine, probes
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.keys import Keyring
from kopa_hf.execution.limits import Limit
from kopa_hf.execution.live import LiveSettings
from kopa_hf.sandbox.fates import Fates
from kopa_hf.sandbox.keys import sandbox_key
from kopa_hf.sandbox.serving import SandboxServer, serving
from kopa_hf.sandbox.world import default_world
from tests.execution.loopback import QUICK, closed_port, http_answer, live, raw_server, unpaced

WORLD = default_world()


def one(executor: Executor, platform: str = "assembly") -> Finding:
    # its own services: what stands behind the gateway of data.go.kr is asked under another key
    executor.catalog = Catalog(tool for tool in executor.catalog if tool.wire != "data_go_kr")
    (finding,) = examine(executor, [platform])
    return finding


def test_every_platform_and_wire_has_a_tool_that_can_be_asked() -> None:
    asked = {(tool.platform, tool.wire) for tool in probes(load_catalog())}
    assert asked == {(tool.platform, tool.wire) for tool in load_catalog()}
    assert all(tool.read and not tool.endpoint.code_unresolved for tool in probes(load_catalog()))


@pytest.mark.slow
def test_all_services_of_the_sandbox_are_fine_and_each_costs_one_request(tmp_path: Path) -> None:
    server = SandboxServer(WORLD)
    patient = QUICK.__class__(connect=5, read=60, whole=60)
    with serving(server) as address, live(address, tmp_path, times=patient) as executor:
        findings = examine(executor)
    assert {finding.verdict for finding in findings} == {"fine"}, findings
    assert server.requests == len(findings) == len(probes(load_catalog()))


def test_without_keys_nothing_is_asked_and_every_variable_is_named(tmp_path: Path) -> None:
    server = SandboxServer(WORLD)
    with serving(server) as address, live(address, tmp_path, keys=Keyring()) as executor:
        findings = examine(executor)
    assert {finding.verdict for finding in findings} == {"no key"}
    assert all("KOPA_" in finding.what for finding in findings)
    assert all(re.search(r"at [\w.]+\.kr, then", finding.remedy) for finding in findings)
    assert server.requests == 0


def test_a_wrong_key_is_refused_and_shown_nowhere(tmp_path: Path) -> None:
    wrong = "f" * 32
    with (
        serving(SandboxServer(WORLD)) as address,
        live(address, tmp_path, keys=Keyring({"assembly": wrong})) as executor,
    ):
        finding = one(executor)
    assert (finding.verdict, finding.key) == ("refused", "KOPA_ASSEMBLY_KEY")
    assert "ERROR-290" in finding.what
    assert "copied whole" in finding.remedy
    assert wrong not in repr(finding)


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        ("quota", "the quota is used up: ERROR-337"),
        ("rate_limit", "asked too often"),
        ("page", "under maintenance"),
        ("server", "an error of its own: ERROR-500"),
        ("empty", "something else than data came back"),
        ("timeout", "connected, but no answer in time"),
        ("slow", "connected, but no answer in time"),
        ("reset", "the connection broke"),
        ("cut", "the connection broke"),
    ],
)
def test_each_failure_is_explained_with_what_to_do(kind: str, what: str, tmp_path: Path) -> None:
    server = SandboxServer(WORLD, fates=Fates.read(f"{kind}=1"), hold=3.0)
    with serving(server) as address, live(address, tmp_path) as executor:
        finding = one(executor)
    assert finding.verdict == "failed"
    assert what in finding.what
    assert finding.remedy
    assert server.requests == 1


def test_nobody_listening_and_a_name_that_does_not_exist_differ_from_a_service_that_fails(tmp_path: Path) -> None:
    for via in (f"http://127.0.0.1:{closed_port()}", "http://no-such-host.invalid"):
        with live(via, tmp_path) as executor:
            finding = one(executor)
        assert finding.verdict == "failed"
        assert "no connection" in finding.what
        assert via in finding.what


def test_a_quota_that_our_own_count_says_is_used_up_is_said_without_a_request(tmp_path: Path) -> None:
    server = SandboxServer(WORLD)
    limits = unpaced(assembly=Limit(per_day=1))
    with serving(server) as address, live(address, tmp_path, limits=limits) as executor:
        assert one(executor).verdict == "fine"
        finding = one(executor)
    assert (finding.verdict, server.requests) == ("failed", 1)
    assert "1 a day" in finding.what


def through_proxy(folder: Path, monkeypatch: pytest.MonkeyPatch, **proxies: str) -> Executor:
    """A live executor that reaches the real addresses by a proxy only."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    for name, address in proxies.items():
        monkeypatch.setenv(name, address)
    keys = Keyring({name: sandbox_key(name) for name in ("assembly", "seoul")})
    limits: Any = unpaced()
    return Executor(
        "live", live=LiveSettings(keys=keys, state=folder, limits=limits, times=QUICK, attempts=1, first_wait=0.01)
    )


def test_a_proxy_that_refuses_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    proxy = raw_server(lambda _: http_answer(b"", "403 Forbidden"))
    with proxy as (address, heard), through_proxy(tmp_path, monkeypatch, HTTPS_PROXY=address) as executor:
        finding = one(executor)
    assert (finding.verdict, len(heard)) == ("failed", 1)
    assert heard[0].startswith(b"CONNECT open.assembly.go.kr:443")
    assert "the proxy refused" in finding.what
    assert "HTTPS_PROXY" in finding.remedy


def test_a_proxy_carries_plain_requests_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = next(tool for tool in load_catalog() if tool.endpoint.url.startswith("http://openapi.seoul.go.kr"))
    proxy = serving(SandboxServer(WORLD))
    with proxy as address, through_proxy(tmp_path, monkeypatch, HTTP_PROXY=address) as executor:
        result = executor.probe(tool, {}).result
    assert result.outcome != "server", result.message
    assert result.source == "live"


def test_a_firewall_s_page_is_not_taken_for_an_answer(tmp_path: Path) -> None:
    page = http_answer(b"<html><body>Request blocked</body></html>", "200 OK", "Content-Type: text/html")
    with raw_server(lambda _: page) as (address, _), live(address, tmp_path) as executor:
        finding = one(executor)
    assert finding.verdict == "failed"
    assert "firewall" in finding.remedy
