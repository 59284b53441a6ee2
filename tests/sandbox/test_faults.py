from __future__ import annotations

import asyncio
from collections import Counter

import httpx
import pytest

from kopa_hf.catalog.registry import Catalog
from kopa_hf.sandbox import Faults, SandboxTransport, World, sandbox_key

URL = "https://data-dbg.krx.co.kr/svc/apis/sto/knx_bydd_trd"


def fates(faults: Faults, count: int = 20_000) -> Counter[str | None]:
    return Counter(faults.transient_fault(f"request {n}") for n in range(count))


def test_no_faults_means_none() -> None:
    assert set(fates(Faults.none(), 2_000)) == {None}
    assert Faults.none().defect("dart", "list") is None
    assert Faults.none().missing_fields("dart", "list", ("a", "b")) == frozenset()


def test_default_rates_are_the_committed_ones() -> None:
    drawn = fates(Faults.default(3))
    assert drawn["rate_limit"] / 20_000 == pytest.approx(0.02, abs=0.004)
    assert drawn["timeout"] / 20_000 == pytest.approx(0.015, abs=0.004)
    assert drawn["server"] / 20_000 == pytest.approx(0.015, abs=0.004)


def test_scaling_moves_weather_but_kills_no_service() -> None:
    once, twice = Faults.scaled(5, 1.0), Faults.scaled(5, 2.0)
    assert fates(twice)["timeout"] > 1.6 * fates(once)["timeout"]
    names = [f"operation{n}" for n in range(500)]
    assert [once.defect("w", name) for name in names] == [twice.defect("w", name) for name in names]


def test_a_fate_depends_on_seed_request_attempt_and_stream_only() -> None:
    faults = Faults.scaled(1, 20.0)
    base = [faults.transient_fault(f"r{n}", 0, "s") for n in range(300)]
    assert base == [Faults.scaled(1, 20.0).transient_fault(f"r{n}", 0, "s") for n in range(300)]
    assert base != [faults.transient_fault(f"r{n}", 1, "s") for n in range(300)]
    assert base != [faults.transient_fault(f"r{n}", 0, "t") for n in range(300)]
    assert base != [Faults.scaled(2, 20.0).transient_fault(f"r{n}", 0, "s") for n in range(300)]


def test_defects_hit_about_their_share() -> None:
    faults = Faults.default(11)
    dead = sum(faults.defect("w", f"operation{n}") is not None for n in range(5_000)) / 5_000
    assert dead == pytest.approx(0.08, abs=0.015)
    names = tuple(f"F{n}" for n in range(40))
    gone = sum(len(faults.missing_fields("w", f"operation{n}", names)) for n in range(200)) / 8_000
    assert gone == pytest.approx(0.06, abs=0.01)


def transport(world: World, faults: Faults) -> SandboxTransport:
    return SandboxTransport(world, faults)


def send(over: SandboxTransport, attempt: int = 0, **headers: str) -> httpx.Response:
    request = httpx.Request("GET", URL, params={"basDd": "20250513"}, headers=headers)
    request.extensions = {**request.extensions, "kopa_attempt": attempt}
    return over.handle_request(request)


def only(kind: str) -> Faults:
    return Faults(seed=1, transient=((kind, 1.0),))  # type: ignore[arg-type]  # a fault kind


def test_a_timeout_fault_raises_at_once(world: World) -> None:
    with pytest.raises(httpx.ReadTimeout):
        send(transport(world, only("timeout")))


def test_rate_limit_and_quota_are_http_429_at_krx_and_a_status_at_dart(world: World) -> None:
    assert send(transport(world, only("rate_limit"))).status_code == 429
    request = httpx.Request("GET", "https://opendart.fss.or.kr/api/list.json")
    assert transport(world, only("quota")).handle_request(request).json()["status"] == "020"
    assert transport(world, only("rate_limit")).handle_request(request).status_code == 429
    assert transport(world, only("server")).handle_request(request).json()["status"] == "900"


def test_another_attempt_can_meet_another_fate(world: World) -> None:
    over = transport(world, Faults.scaled(4, 12.0))
    seen = set()
    for attempt in range(40):
        try:
            seen.add(send(over, attempt, AUTH_KEY=sandbox_key("krx")).status_code)
        except httpx.ReadTimeout:
            seen.add(0)
    assert 200 in seen
    assert len(seen) > 1


def test_sync_and_async_answer_the_same_bytes(world: World) -> None:
    over = transport(world, Faults.none())
    request = httpx.Request("GET", URL, params={"basDd": "20250513"}, headers={"AUTH_KEY": sandbox_key("krx")})

    async def ask() -> bytes:
        async with httpx.AsyncClient(transport=over) as client:
            return (await client.send(request)).content

    assert asyncio.run(ask()) == over.handle_request(request).content


def test_dead_operations_and_missing_fields_show_on_the_wire(world: World, catalog: Catalog) -> None:
    tools = [tool for tool in catalog if tool.wire == "krx"]
    faults = Faults.default(2)
    over = transport(world, faults)
    states = Counter()  # type: ignore[var-annotated]  # counts of defects
    for tool in tools:
        request = httpx.Request(
            "GET", tool.endpoint.url, params={"basDd": "20250513"}, headers={"AUTH_KEY": sandbox_key("krx")}
        )
        quiet = Faults(
            seed=2, dead_share=faults.dead_share, failing_share=faults.failing_share, missing_share=faults.missing_share
        )
        over.faults = quiet
        response = over.handle_request(request)
        defect = quiet.defect("krx", tool.endpoint.operation)
        states[defect] += 1
        if defect is not None:
            assert response.status_code == (404 if defect == "gone" else 500)
            continue
        names = tuple(field.name for field in tool.fields)
        absent = quiet.missing_fields("krx", tool.endpoint.operation, names)
        assert set(names) - set(response.json()["OutBlock_1"][0]) == set(absent)
    assert states[None] > 20
