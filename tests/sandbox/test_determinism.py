"""The same call gives the same bytes: in another process, with another hash seed, after other calls."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import httpx
import pytest

from kopa_hf.sandbox import Faults, SandboxTransport, World, sandbox_key
from tests.timing import loops

from .services import ASSEMBLY, DART, KRX

CALLS: tuple[tuple[str, dict[str, str]], ...] = (
    (DART + "list.json", {"bgn_de": "20260101", "end_de": "20260130"}),
    (DART + "corpCode.xml", {}),
    (KRX + "sto/ksq_bydd_trd", {"basDd": "20250513"}),
    (KRX + "idx/kospi_dd_trd", {"basDd": "20250513"}),
    (KRX + "bon/kts_bydd_trd", {"basDd": "20240514"}),
    (ASSEMBLY + "nwvrqwxyaytdsfvhu", {"Type": "json", "pSize": "20"}),
    (ASSEMBLY + "nzmimeepazxkubdpn", {"Type": "json", "AGE": "22", "pSize": "20"}),
)


def digest(order: int = 1, value_seed: int = 0) -> str:
    """SHA-256 over the answers to all calls, asked in one order or the other."""
    transport = SandboxTransport(World(value_seed=value_seed), Faults.default(4))
    bodies = {}
    for url, given in CALLS[::order]:
        keys = {"crtfc_key": sandbox_key("dart"), "KEY": sandbox_key("assembly"), "AUTH_KEY": sandbox_key("krx")}
        try:
            answer = transport.handle_request(httpx.Request("GET", url, params={**given, **keys}))
        except httpx.ReadTimeout:
            continue
        bodies[url] = answer.content
    return hashlib.sha256(b"|".join(bodies[url] for url, _ in CALLS if url in bodies)).hexdigest()


def test_the_order_of_calls_changes_no_byte() -> None:
    assert digest(1) == digest(-1)


def test_a_new_value_seed_changes_bytes() -> None:
    assert digest(value_seed=0) != digest(value_seed=1)


@pytest.mark.parametrize("hash_seed", ["1", "31337"])
def test_another_process_with_another_hash_seed_gives_the_same_bytes(hash_seed: str) -> None:
    code = "from tests.sandbox.test_determinism import digest; print(digest())"
    path = os.pathsep.join(entry for entry in ("", *sys.path) if entry is not None)
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == digest()


def test_cold_start_and_a_warm_call_are_fast() -> None:
    transport = SandboxTransport(World())
    request = httpx.Request(
        "GET", KRX + "sto/knx_bydd_trd", params={"basDd": "20250513", "AUTH_KEY": sandbox_key("krx")}
    )
    cold = loops(lambda: transport.handle_request(request))
    small = httpx.Request("GET", KRX + "gen/ets_bydd_trd", params={"basDd": "20250513", "AUTH_KEY": sandbox_key("krx")})
    transport.handle_request(small)
    warm = loops(lambda: [transport.handle_request(small) for _ in range(200)])
    # the figures themselves are what benchmarks/sandbox_speed.py prints
    assert cold < 100
    assert warm < 30
