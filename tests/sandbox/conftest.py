"""One world for all read-only tests; worlds are lazy, so building another costs only what a test asks of it."""

from __future__ import annotations

import httpx
import pytest

from kopa_hf.catalog.registry import Catalog, load_catalog
from kopa_hf.sandbox import SandboxTransport, World, sandbox_key
from kopa_hf.sandbox.world import default_world

from .services import ASSEMBLY, DART, KRX, Ask


@pytest.fixture(scope="session")
def world() -> World:
    return default_world()


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture(scope="session")
def client(world: World) -> httpx.Client:
    return httpx.Client(transport=SandboxTransport(world), trust_env=False)


@pytest.fixture(scope="session")
def dart(client: httpx.Client) -> Ask:
    """`dart("company.json", corp_code=…)` with a valid key."""
    return lambda path, **given: client.get(DART + path, params={"crtfc_key": sandbox_key("dart"), **given})


@pytest.fixture(scope="session")
def krx(client: httpx.Client) -> Ask:
    """`krx("sto/stk_bydd_trd", "20250513")` with a valid key in the header."""
    return lambda path, day: client.get(KRX + path, params={"basDd": day}, headers={"AUTH_KEY": sandbox_key("krx")})


@pytest.fixture(scope="session")
def assembly(client: httpx.Client) -> Ask:
    """`assembly("nwvrqwxyaytdsfvhu", pSize="5")` as JSON with a valid key."""
    return lambda code, **given: client.get(
        ASSEMBLY + code, params={"KEY": sandbox_key("assembly"), "Type": "json", **given}
    )
