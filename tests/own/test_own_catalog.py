"""A folder as the catalog in force: its files, its key, its limits, and what may write."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from kopa_hf import KopaEnvironment, canonical_request, load_catalog
from kopa_hf.catalog.active import VARIABLE, active_catalog, use_catalog
from kopa_hf.catalog.folder import load_folder, write_service
from kopa_hf.catalog.openapi import import_openapi
from kopa_hf.errors import BackendError, BudgetError, CatalogError, DataError
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.keys import Keyring, key_names
from kopa_hf.execution.limits import Limits
from kopa_hf.execution.live import LiveSettings
from kopa_hf.execution.opening import open_in_force
from tests.cli.conftest import run_kopa
from tests.own.airflow import DESCRIPTION, KEY, OVERRIDES, serving, stand_in, write_catalog
from tests.own.descriptions import listing, openapi

SECRET = "a1b2c3d4e5f6"


@pytest.fixture(autouse=True)
def _closed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """No state of the user's, and the ten platforms in force again afterwards."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv(VARIABLE, raising=False)
    yield
    use_catalog(None)


@pytest.fixture(scope="module")
def airflow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with serving() as address:
        yield write_catalog(tmp_path_factory.mktemp("own") / "mine", address)


def test_a_folder_gives_a_catalog_and_the_ten_platforms_stay_as_they_are(airflow: Path) -> None:
    before = len(load_catalog())
    catalog = load_folder(airflow)
    assert (len(catalog), catalog.platforms(), list(catalog.services)) == (89, ("airflow",), ["airflow"])
    use_catalog(airflow)
    assert "get_pools" in active_catalog()
    assert "get_pools" not in load_catalog()
    assert (len(load_catalog()), os.environ[VARIABLE]) == (before, str(airflow.absolute()))


def test_requests_of_own_tools_are_told_apart_by_their_signature(airflow: Path) -> None:
    plain = {"limit": "100", "offset": 0, "order_by": "name"}
    assert canonical_request("get_pools", plain) != canonical_request("get_pools", {"order_by": "name"})
    use_catalog(airflow)
    assert canonical_request("get_pools", plain) == canonical_request("get_pools", {"order_by": "name"})


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("airflow.json", "{}", "kind is rest or mcp"),
        ("airflow.json", "[", "cannot be read"),
        ("airflow.jsonl", "{}", "line 1 is damaged"),
        ("allow.txt", "no_such_tool\n", "names no_such_tool"),
        ("dart.jsonl", "", "its key is for nobody else"),
    ],
)
def test_folders_that_cannot_be_used_say_which_file(
    airflow: Path, tmp_path: Path, file: str, content: str, words: str
) -> None:
    folder = tmp_path / "copy"
    folder.mkdir()
    for part in airflow.iterdir():
        (folder / part.name).write_bytes(part.read_bytes())
    (folder / file).write_text(content, encoding="utf-8")
    with pytest.raises((DataError, CatalogError), match=words):
        load_folder(folder)


def test_a_stray_tool_and_an_empty_folder_are_refused(airflow: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no folder"):
        load_folder(tmp_path / "nowhere")
    with pytest.raises(DataError, match="holds no catalog"):
        load_folder(tmp_path)
    (tmp_path / "other.jsonl").write_bytes((airflow / "airflow.jsonl").read_bytes())
    (tmp_path / "other.json").write_text('{"kind": "rest"}', encoding="utf-8")
    with pytest.raises(CatalogError, match="has platform 'airflow'"):
        load_folder(tmp_path)


def test_own_keys_have_own_names(airflow: Path, tmp_path: Path) -> None:
    tool = load_folder(airflow).get("get_pools")
    assert key_names(tool) == ("airflow",)
    environ = {"KOPA_AIRFLOW_KEY": SECRET, "KOPA_DART_KEY": "x" * 40}
    assert Keyring.load(environ=environ).key_for(tool) is None
    ring = Keyring.load(environ=environ, names=["airflow"])
    assert ring.key_for(tool) == SECRET
    assert ring.redact(f"key {SECRET}") == "key ***"
    pair = Keyring({"airflow": KEY}, names=["airflow"])
    assert pair.redact("Basic cmVhZGVyOm9wZW4tc2VzYW1l, open-sesame, reader") == "Basic ***, ***, reader"
    file = tmp_path / "keys.toml"
    file.write_text(f'dart = "{"x" * 40}"\n[own]\nairflow = "{SECRET}"\nshop = "abc"\n', encoding="utf-8")
    file.chmod(0o600)
    assert Keyring.load(file, environ={}).names == ("dart",)
    assert Keyring.load(file, environ={}, names=["airflow"]).key_for(tool) == SECRET


def test_own_limits_stand_in_the_folder_and_a_limits_file_goes_before(airflow: Path) -> None:
    catalog = load_folder(airflow)
    tool = catalog.get("get_pools")
    assert Limits.default().quota_of(tool).limit.per_day == 1000
    quota = Limits.default().with_services(catalog.services).quota_of(tool)
    assert (quota.name, quota.limit.per_day, quota.limit.concurrency) == ("airflow", 1_000_000, 8)
    with pytest.raises(BackendError, match="per_day must be a whole number"):
        Limits.default().with_services({"airflow": {"limits": {"per_day": 0}}})


@pytest.mark.parametrize(
    ("said", "words", "known"),
    [
        ({}, "1,000 a day", False),
        ({"per_second": 3}, "1,000 a day", False),
        ({"per_day": 50}, "50 a day", True),
        ({"per_month": 900}, "900 a month", True),
    ],
)
def test_a_quota_that_the_user_wrote_is_no_caution_of_ours(said: dict[str, int], words: str, known: bool) -> None:
    limit = Limits.default().with_services({"shop": {"limits": said}}).of("shop")
    assert (limit.words, limit.documented) == (words, known)


def test_the_sandbox_does_not_answer_for_own_services(airflow: Path) -> None:
    with pytest.raises(BackendError, match="ten platforms only, not for airflow"):
        Executor(catalog=load_folder(airflow))


def test_the_stand_in_answers_as_its_description_says() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    import yaml

    document = yaml.load(DESCRIPTION.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    service = stand_in()
    key = service._BASIC
    asked = {
        "/pools": "/pools", "/dags": "/dags?limit=3", "/users": "/users", "/eventLogs": "/eventLogs?limit=5",
        "/variables": "/variables", "/pools/{pool_name}": "/pools/%EA%B8%B0%EB%B3%B8%20%ED%92%80",
        "/dags/{dag_id}": "/dags/flow-001", "/dags/{dag_id}/details": "/dags/flow-001/details",
        "/dags/{dag_id}/tasks": "/dags/flow-001/tasks", "/dags/{dag_id}/dagRuns": "/dags/flow-001/dagRuns",
        "/dags/{dag_id}/dagRuns/{dag_run_id}/taskInstances": "/dags/flow-001/dagRuns/flow-001-run01/taskInstances",
        "/users/{username}": "/users/user101", "/eventLogs/{event_log_id}": "/eventLogs/7",
        "/connections": "/connections", "/connections/{connection_id}": "/connections/conn-01", "/health": "/health",
    }  # fmt: skip
    for path, target in asked.items():
        status, value = service.Service().answer(f"/api/v1{target}", key)
        assert status == 200, target
        told = document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        schema = _nullable({**told, "components": document["components"]})
        jsonschema.Draft7Validator(schema).validate(value)
    assert service.Service().answer("/api/v1/pools", None)[0] == 401
    assert service.Service().answer("/api/v1/pools/none", key)[0] == 404


def _nullable(node: Any) -> Any:
    """OpenAPI 3.0 has `nullable` where JSON Schema has a type null."""
    if isinstance(node, list):
        return [_nullable(item) for item in node]
    if not isinstance(node, dict):
        return node
    found = {name: _nullable(item) for name, item in node.items()}
    if node.get("nullable") is True and isinstance(node.get("type"), str):
        found["type"] = [node["type"], "null"]
    return found


def settings(tmp_path: Path, **more: Any) -> LiveSettings:
    more = {"keys": Keyring({"airflow": KEY}, names=["airflow"]), "first_wait": 0.01} | more
    return LiveSettings(state=tmp_path / "state", **more)


def test_own_tools_are_called_with_their_key_and_pages(airflow: Path, tmp_path: Path) -> None:
    with Executor("live", catalog=load_folder(airflow), live=settings(tmp_path)) as executor:
        pools = executor.call_sync("get_pools", {})
        assert (pools.outcome, len(pools.records), pools.total_count) == ("ok", 5, 5)
        events = executor.call_sync("get_event_logs", {"limit": 50, "offset": 100})
        assert (events.page, len(events.records), events.total_count, events.next_page) == (3, 50, 160, 4)
        assert executor.call_sync("get_pool", {"pool_name": "없는 풀"}).outcome == "no_data"
        assert executor.call_sync("get_pools", {"limit": "many"}).outcome == "bad_param"
        assert executor.call_sync("get_pools", {"order_by": "nothing"}).outcome == "bad_param"
        refused = executor.call_sync("delete_pool", {"pool_name": "기본 풀"})
        assert (refused.outcome, refused.requests) == ("bad_param", 0)
        assert "allowed by name" in (refused.message or "")
    wrong = settings(tmp_path, keys=Keyring({"airflow": "reader:wrong"}, names=["airflow"]))
    with Executor("live", catalog=load_folder(airflow), live=wrong) as executor:
        assert executor.call_sync("get_pools", {}).outcome == "auth"
    without = settings(tmp_path, keys=Keyring(names=["airflow"]))
    with Executor("live", catalog=load_folder(airflow), live=without) as executor:
        told = executor.call_sync("get_pools", {})
        assert (told.outcome, told.requests) == ("auth", 0)
        assert "KOPA_AIRFLOW_KEY" in (told.message or "")


class Writing(BaseHTTPRequestHandler):
    """Notes what it is told to write, and repeats the key that it was told with."""

    seen: list[tuple[str, str, bytes]] = []  # of the test, emptied in it
    status = 201

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.seen.append((self.command, self.path, body))
        answer = json.dumps({"id": 7, "echo": self.headers.get("X-Key")}).encode()
        self.send_response(self.status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None: ...


def test_writes_run_only_where_allowed_once_and_every_time(tmp_path: Path) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Writing)
    Thread(target=server.serve_forever, daemon=True).start()
    Writing.seen.clear()
    body = {"required": True, "content": {"application/json": {"schema": {
        "type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}}}}  # fmt: skip
    operation = {"operationId": "addPet", "requestBody": body, "responses": {"201": {"description": "made"}}}
    schemes = {"securitySchemes": {"k": {"type": "apiKey", "in": "header", "name": "X-Key"}}}
    document = openapi({"/pets": {"post": operation}}, components=schemes, security=[{"k": []}])
    path = tmp_path / "pets.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    address = f"http://127.0.0.1:{server.server_port}"
    live = settings(tmp_path, keys=Keyring({"pets": SECRET}, names=["pets"]), answers=tmp_path / "answers.sqlite3")
    for allowed in ((), ("add_pet",)):
        made = import_openapi(path, name="pets", server=address, allow_write=allowed)
        write_service(tmp_path / "mine", made.name, made.tools, made.service, made.allowed)
        with Executor("live", catalog=load_folder(tmp_path / "mine"), live=live) as executor:
            told = [executor.call_sync("add_pet", {"name": "보리"}) for _ in range(2)]
            assert {result.outcome for result in told} == {"ok" if allowed else "bad_param"}
            assert SECRET not in str(told)
    assert Writing.seen == [("POST", "/pets", '{"name":"보리"}'.encode())] * 2
    Writing.status, before = 500, len(Writing.seen)
    with Executor("live", catalog=load_folder(tmp_path / "mine"), live=live) as executor:
        assert executor.call_sync("add_pet", {"name": "x"}).outcome == "server"
    Writing.status = 201
    server.shutdown()
    assert len(Writing.seen) == before + 1  # nobody knows whether it was written, so it is not sent again
    for file in (tmp_path / "mine").iterdir():
        assert SECRET not in file.read_text(encoding="utf-8")


class _Unpaid(BaseHTTPRequestHandler):
    """One operation is not in the plan; another says that the quota of the day is used up."""

    def do_GET(self) -> None:
        status, body = {
            "/v2/premium": (402, {"message": "Payment required: not in your plan"}),
            "/v2/spent": (402, {"message": "daily quota exceeded"}),
        }.get(self.path.partition("?")[0], (200, {"items": [{"id": 1}]}))
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None: ...


def test_what_one_operation_costs_closes_no_service(tmp_path: Path) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Unpaid)
    Thread(target=server.serve_forever, daemon=True).start()
    answer = listing({"type": "object", "properties": {"id": {"type": "integer"}}})
    paths = {f"/{name}": {"get": {"operationId": name, "responses": answer}} for name in ("premium", "spent", "things")}
    (tmp_path / "api.json").write_text(json.dumps(openapi(paths)), encoding="utf-8")
    made = import_openapi(tmp_path / "api.json", server=f"http://127.0.0.1:{server.server_port}/v2")
    made.service["limits"] = {"per_day": 100_000}
    write_service(tmp_path / "mine", made.name, made.tools, made.service, ())
    try:
        with Executor("live", catalog=load_folder(tmp_path / "mine"), live=settings(tmp_path)) as executor:
            unpaid = executor.call_sync("premium", {})
            assert (unpaid.outcome, unpaid.requests) == ("quota", 1)
            assert executor.call_sync("things", {}).outcome == "ok"
            assert executor.call_sync("spent", {}).requests == 1
            closed = executor.call_sync("things", {})
    finally:
        server.shutdown()
    assert (closed.outcome, closed.requests) == ("quota", 0)
    assert "itself said today" in (closed.message or "")
    assert "by our count 3 sent, of 100,000 a day" in (closed.message or "")


def test_an_environment_of_own_tools_asks_their_service_or_a_snapshot(
    airflow: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KOPA_AIRFLOW_KEY", KEY)
    use_catalog(airflow)
    tools = [{"function": {"name": "get_pools"}}]

    def first_call() -> dict[str, Any]:
        environment = KopaEnvironment()
        environment.reset(id="a", tools=tools)
        told: dict[str, Any] = json.loads(environment._call("get_pools", {"limit": 2}))
        return told

    assert (first_call()["total"], first_call()["source"]) == (5, "live")
    snapshot = tmp_path / "pools.kopa"
    with Executor("record", live=settings(tmp_path), snapshot=snapshot) as executor:
        executor.call_sync("get_pools", {"limit": 2})
    assert KEY.encode() not in snapshot.read_bytes()
    monkeypatch.setenv("KOPA_SNAPSHOT", str(snapshot))
    use_catalog(airflow)  # read anew, so the process opens anew
    assert (first_call()["total"], first_call()["source"]) == (5, "replay")


def test_a_snapshot_of_own_tools_is_verified_with_their_catalog(
    airflow: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "own.kopa"
    with Executor("record", catalog=load_folder(airflow), live=settings(tmp_path), snapshot=file) as executor:
        for limit in (1, 2, 3):
            assert executor.call_sync("get_pools", {"limit": limit}).outcome == "ok"
    code, out, _ = run_kopa(capsys, "snapshot", "verify", file)
    assert (code, "3 answers, 0 failures noted: whole" in out) == (0, True)
    assert "0 answers of tools that the catalog now describes otherwise" in out
    assert "3 answers of tools that the catalog does not know" in out
    assert f"kopa snapshot verify {file} --catalog DIR" in out
    code, out, _ = run_kopa(capsys, "snapshot", "verify", file, "--catalog", airflow)
    assert (code, "does not know" in out) == (0, False)
    assert "0 answers of tools that the catalog now describes otherwise" in out
    code, out, _ = run_kopa(capsys, "snapshot", "verify", file, "--json")
    told = json.loads(out)
    assert (code, told["unknown"], told["outdated"], told["whole"]) == (0, 3, 0, True)


def test_a_process_that_asks_live_services_is_bounded_or_says_that_it_is_not(
    airflow: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("KOPA_AIRFLOW_KEY", KEY)
    monkeypatch.setenv("KOPA_MAX_CALLS", "2")
    use_catalog(airflow)
    environment = KopaEnvironment()
    environment.reset(id="a", tools=[{"function": {"name": "get_pools"}}])
    for limit in (1, 2):
        environment._call("get_pools", {"limit": limit})
    with pytest.raises(BudgetError, match="Stopped after 2 live requests"):
        environment._call("get_pools", {"limit": 3})
    assert environment._fault == "backend_fault"  # of the run, never of the rollout's answer
    assert not caplog.records
    monkeypatch.setenv("KOPA_MAX_CALLS", "one-day")
    with open_in_force() as executor:
        assert executor.live is not None
        assert executor.live.settings.max_calls == "one-day"
    for wrong in ("0", "-3", "many", "٣"):
        monkeypatch.setenv("KOPA_MAX_CALLS", wrong)
        with pytest.raises(BackendError, match="KOPA_MAX_CALLS takes a whole number"):
            open_in_force()
    monkeypatch.delenv("KOPA_MAX_CALLS")
    open_in_force().close()
    assert [record.getMessage() for record in caplog.records] == [
        "airflow: asked live, as often as quotas allow; KOPA_MAX_CALLS=N bounds it."
    ]


def test_the_command_imports_shows_and_calls(
    airflow: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = load_folder(airflow).services["airflow"]["server"]
    mine = tmp_path / "mine"
    told = (
        "tools",
        "import",
        "openapi",
        DESCRIPTION,
        "--output",
        mine,
        "--server",
        address,
        "--allow-write",
        "post_pool",
    )
    code, out, _ = run_kopa(capsys, *told)
    assert (code, "89 tools of Airflow API" in out, "37 write (1 allowed)" in out) == (0, True, True)
    assert sorted(file.name for file in mine.iterdir()) == ["airflow.json", "airflow.jsonl", "allow.txt"]
    code, out, _ = run_kopa(capsys, *told[:-1], "post_pol")
    assert (code, "No writing tool is called post_pol" in out) == (2, False)
    code, out, _ = run_kopa(capsys, "tools", "show", "get_pools", "--catalog", mine)
    assert (code, "전체 자리 수" in out, "get_pools  (airflow, reads)" in out) == (0, True, True)
    assert not active_catalog().services  # the option is the command's alone
    code, out, _ = run_kopa(capsys, "tools", "search", "풀", "--catalog", mine)
    assert (code, "get_pool" in out) == (0, True)
    call = ("call", "get_pool", "pool_name=기본 풀", "--catalog", mine, "--max-calls", 5, "--json")
    code, out, err = run_kopa(capsys, *call)
    assert (code, "KOPA_AIRFLOW_KEY" in err) == (3, True)
    monkeypatch.setenv("KOPA_AIRFLOW_KEY", KEY)
    code, out, err = run_kopa(capsys, *call)
    assert (code, json.loads(out)["records"][0]["name"], KEY in out + err) == (0, "기본 풀", False)
    code, _, err = run_kopa(capsys, *call[:-3], "--backend", "sandbox")
    assert (code, "ten platforms only" in err) == (3, True)


@pytest.mark.parametrize("named", ["", ","])
def test_a_choice_of_no_tool_serves_none_of_a_folder(
    airflow: Path, capsys: pytest.CaptureFixture[str], named: str
) -> None:
    code, out, err = run_kopa(capsys, "mcp", "--catalog", airflow, "--tools", named)
    assert (code, out, "--tools" in err) == (2, "", True)


def test_names_stay_unique_over_the_services_of_a_folder(airflow: Path, capsys: pytest.CaptureFixture[str]) -> None:
    address = load_folder(airflow).services["airflow"]["server"]
    run_kopa(capsys, "tools", "import", "openapi", DESCRIPTION, "--output", airflow, "--server", address,
             "--name", "second", "--overrides", OVERRIDES)  # fmt: skip
    catalog = load_folder(airflow)
    assert (len(catalog), catalog.get("second_get_pools").platform) == (178, "second")
    for name in ("second.jsonl", "second.json"):
        (airflow / name).unlink()
