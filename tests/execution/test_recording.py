"""Record and replay through the executor: the same results, no failure as an answer, no key in the file."""

from __future__ import annotations

import asyncio
import dataclasses
import socket
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from kopa_hf.catalog.arguments import bind_arguments
from kopa_hf.catalog.canonical import canonical_request
from kopa_hf.catalog.registry import Catalog, load_catalog
from kopa_hf.errors import ArgumentError, BackendError, DataError
from kopa_hf.execution.episode import DEFAULT_DATE, Episode
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.keys import Keyring
from kopa_hf.execution.live import LiveSettings
from kopa_hf.execution.network import TimeLimits
from kopa_hf.execution.replay import NO_KEY_MESSAGE, UNSEEN, UNSEEN_MESSAGE, Replay, request_text
from kopa_hf.execution.result import CallResult
from kopa_hf.execution.snapshot import Snapshot
from kopa_hf.sandbox.fates import Fates
from kopa_hf.sandbox.keys import sandbox_key
from kopa_hf.sandbox.server import SandboxTransport
from kopa_hf.sandbox.serving import SandboxServer, serving
from tests.execution.loopback import ECHO, http_answer, raw_server, settings
from tests.execution.snapshots import answer, failed, held, make

BILLS = "search_assembly_bills"
CALLS: list[tuple[str, dict[str, Any]]] = [
    (BILLS, {"AGE": "22", "pSize": 5}),
    (BILLS, {"AGE": "22", "pSize": 5, "pIndex": 2}),
    (BILLS, {"AGE": "22", "BILL_NAME": "없는이름의법"}),
    ("find_dart_corp_code", {"corp_name": "전자"}),
    ("find_dart_corp_code", {"corp_name": "이런 회사는 없음"}),
]


def bare(result: CallResult) -> CallResult:
    """A result without what may differ: where it came from, and what it cost."""
    return dataclasses.replace(result, elapsed=0.0, source="sandbox", requests=0)


def record(path: Path, **given: Any) -> Executor:
    return Executor("record", snapshot=path, **({"transport": SandboxTransport()} | given))


def patient(address: str, folder: Path) -> LiveSettings:
    """Live settings that wait for a busy machine."""
    return settings(address, folder, times=TimeLimits())


def replay(path: Path, **given: Any) -> Executor:
    return Executor("replay", snapshot=path, **given)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[CallResult]]:
    """The calls, recorded from the sandbox."""
    path = tmp_path_factory.mktemp("recorded") / "a.kopa"
    with record(path) as executor:
        return path, [executor.call_sync(name, arguments) for name, arguments in CALLS]


def test_a_replayed_call_gives_what_the_recorded_one_gave(recorded: tuple[Path, list[CallResult]]) -> None:
    path, results = recorded
    assert [result.outcome for result in results] == ["ok", "ok", "no_data", "ok", "no_data"]
    with replay(path) as executor:
        again = [executor.call_sync(name, arguments) for name, arguments in CALLS]
        loop = [asyncio.run(executor.call(name, arguments)) for name, arguments in CALLS]
        assert executor.replay is not None
        assert (executor.replay.answered, executor.replay.unseen) == (10, 0)
    assert [bare(result) for result in again] == [bare(result) for result in results]
    assert [bare(result) for result in loop] == [bare(result) for result in results]
    assert {result.source for result in again} == {"replay"}


@pytest.mark.parametrize("arguments", [{"AGE": 22, "pSize": "5"}, {"pSize": 5.0, "AGE": " 22 ", "pIndex": "1"}])
def test_another_spelling_of_a_request_finds_its_answer(
    recorded: tuple[Path, list[CallResult]], arguments: dict[str, Any]
) -> None:
    path, results = recorded
    with replay(path) as executor:
        assert executor.call_sync(BILLS, arguments).records == results[0].records


def test_a_filter_that_the_service_lacks_is_applied_to_the_recorded_answer(
    recorded: tuple[Path, list[CallResult]],
) -> None:
    path, _ = recorded
    with replay(path) as executor, Executor() as sandbox:
        for name in ("화학", "증권"):
            found = executor.call_sync("find_dart_corp_code", {"corp_name": name})
            assert found.outcome in ("ok", "no_data")
            assert bare(found) == bare(sandbox.call_sync("find_dart_corp_code", {"corp_name": name}))


def test_an_unseen_request_gets_the_one_declared_reply_and_counts(recorded: tuple[Path, list[CallResult]]) -> None:
    path, _ = recorded
    with replay(path) as executor:
        results = [executor.call_sync(BILLS, {"AGE": age}) for age in ("21", "20", "21")]
        assert executor.replay is not None
        assert (executor.replay.answered, executor.replay.unseen) == (0, 3)
        assert executor.replay.missing == {
            canonical_request(BILLS, {"AGE": "21"}): 2, canonical_request(BILLS, {"AGE": "20"}): 1,
        }  # fmt: skip
    assert {(r.outcome, r.failure, r.message, r.source, r.requests) for r in results} == {
        (UNSEEN, "environmental", UNSEEN_MESSAGE, "replay", 0)
    }


def test_without_a_key_in_force_recorded_answers_stay_closed(recorded: tuple[Path, list[CallResult]]) -> None:
    path, results = recorded
    episode = Episode(keys_required=frozenset({"assembly"}))
    with replay(path) as executor:
        refused = executor.call_sync(*CALLS[0], episode=episode)
        assert (refused.outcome, refused.message) == ("auth", NO_KEY_MESSAGE)
        assert executor.call_sync("request_api_key", {"platform": "assembly"}, episode=episode).ok
        assert executor.call_sync(*CALLS[0], episode=episode).records == results[0].records


def test_local_tools_need_no_snapshot(recorded: tuple[Path, list[CallResult]]) -> None:
    with replay(recorded[0]) as executor:
        assert executor.call_sync("evaluate_expression", {"expression": "2*3"}).value == "6"


def test_what_is_recorded_already_is_not_asked_again(recorded: tuple[Path, list[CallResult]]) -> None:
    def refuse(request: httpx.Request) -> httpx.Response:
        raise AssertionError("asked")

    path, results = recorded
    with record(path, transport=httpx.MockTransport(refuse)) as executor:
        again = [executor.call_sync(name, arguments) for name, arguments in CALLS]
        assert executor.recorder is not None
        assert (executor.recorder.known, executor.recorder.new) == (5, 0)
    assert [bare(result) for result in again] == [bare(result) for result in results]
    assert {result.requests for result in again} == {0}


FAILING = {
    "server": httpx.Response(500, text="internal error"),
    "quota": httpx.Response(200, json={"RESULT": {"CODE": "ERROR-337", "MESSAGE": "일별 트래픽 제한"}}),
    "html": httpx.Response(200, text="<html>점검</html>"),
    "empty": httpx.Response(200, text=""),
    "cut": httpx.Response(200, text='{"TVBPMBILL11": [{"head": '),
    "auth": httpx.Response(200, json={"RESULT": {"CODE": "ERROR-290", "MESSAGE": "인증키가 유효하지 않습니다."}}),
}


@pytest.mark.parametrize("kind", FAILING)
def test_a_failure_from_outside_is_noted_and_replayed_as_unseen(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.kopa"
    with record(path, transport=httpx.MockTransport(lambda request: FAILING[kind])) as executor:
        assert executor.call_sync(BILLS, {"AGE": "22"}).failure == "environmental"
    with Snapshot(path) as snapshot:
        assert len(snapshot) == 0
        notes = list(snapshot.failures())
    assert [(note.tool, note.failure, note.message) for note in notes] == (
        [] if kind == "auth" else [(BILLS, "environmental", "")]
    )
    with replay(path) as executor:
        assert executor.call_sync(BILLS, {"AGE": "22"}).message == UNSEEN_MESSAGE


@pytest.mark.parametrize("error", [httpx.ReadTimeout, httpx.ConnectError])
def test_a_broken_connection_is_no_answer(tmp_path: Path, error: type[httpx.HTTPError]) -> None:
    def broken(request: httpx.Request) -> httpx.Response:
        raise error("https://open.assembly.go.kr/?KEY=geheim", request=request)  # type: ignore[call-arg]

    path = tmp_path / "a.kopa"
    with record(path, transport=httpx.MockTransport(broken)) as executor:
        asyncio.run(executor.call(BILLS, {"AGE": "22"}))
    assert held(path) == {}
    assert b"geheim" not in path.read_bytes()


def test_a_refusal_is_replayed_as_the_refusal_it_was(tmp_path: Path) -> None:
    words = {"RESULT": {"CODE": "ERROR-300", "MESSAGE": "필수 값이 누락되어 있습니다."}}
    path = tmp_path / "a.kopa"
    with record(path, transport=httpx.MockTransport(lambda request: httpx.Response(200, json=words))) as executor:
        first = executor.call_sync(BILLS, {"AGE": "22"})
    assert (first.outcome, first.failure) == ("bad_param", "structural")
    with replay(path) as executor:
        again = executor.call_sync(BILLS, {"AGE": "22"})
        assert executor.replay is not None
        assert (executor.replay.answered, executor.replay.unseen) == (1, 0)
    assert (again.outcome, again.failure, again.message) == ("bad_param", "structural", first.message)


def test_an_answer_after_a_failure_clears_it(tmp_path: Path) -> None:
    told = iter([httpx.Response(500), httpx.Response(200, content=answer(3).body)])
    path = tmp_path / "a.kopa"
    with record(path, transport=httpx.MockTransport(lambda request: next(told))) as executor:
        assert executor.call_sync(BILLS, {"AGE": "22"}).outcome == "server"
        assert executor.call_sync(BILLS, {"AGE": "22"}).ok
    with Snapshot(path) as snapshot:
        assert len(snapshot) == 1
        assert list(snapshot.failures()) == []


KEY = "Abcd1234/Efgh+5678=="
ECHOES: dict[str, Callable[[str], str]] = {
    "as it is": lambda key: key,
    "encoded": lambda key: "Abcd1234%2FEfgh%2B5678%3D%3D",
    "encoded, small": lambda key: "Abcd1234%2fEfgh%2b5678%3d%3d",
    "twice": lambda key: "Abcd1234%252FEfgh%252B5678%253D%253D",
    "in one case": str.upper,
    "with a backslash": lambda key: key.replace("/", "\\/"),
}


def echoing(told: str) -> bytes:
    return (
        '{"response": {"header": {"resultCode": "00", "resultMsg": "NORMAL"}, "body": {"totalCount": 1, "pageNo": 1, '
        '"numOfRows": 10, "items": {"item": [{"name": "가상", "asked": "' + told + '"}]}}}}'
    ).encode()


@pytest.mark.parametrize("form", ECHOES)
def test_a_key_that_a_service_echoes_is_masked_and_the_rest_is_recorded(tmp_path: Path, form: str) -> None:
    told = ECHOES[form](KEY)
    catalog, path = Catalog([ECHO]), tmp_path / "a.kopa"
    reply = http_answer(echoing(told), "200 OK", f"Set-Cookie: id={KEY}", f"Content-Type: application/json; k={KEY}")
    with raw_server(lambda request: reply) as (address, heard):
        live = settings(address, tmp_path, keys=Keyring({"data_go_kr": KEY}))
        with Executor("record", snapshot=path, live=live, catalog=catalog) as executor:
            first = executor.call_sync(ECHO.name, {"name": "가상"})
        assert len(heard) == 1
    assert first.ok
    content = path.read_bytes()
    assert not [spelt for make_it in ECHOES.values() if (spelt := make_it(KEY).encode()) in content]
    assert Keyring({"data_go_kr": KEY}).shown_in(content) == ()
    with replay(path, catalog=catalog) as executor:
        again = executor.call_sync(ECHO.name, {"name": "가상"})
    assert again.records == first.records == [{"name": "가상", "asked": "***"}]
    with Snapshot(path) as snapshot:
        assert snapshot.origin == "via"


def test_a_key_that_cannot_be_taken_out_of_the_bytes_keeps_the_answer_out(tmp_path: Path) -> None:
    hidden = "".join(f"\\u{ord(sign):04x}" for sign in KEY)
    catalog, path = Catalog([ECHO]), tmp_path / "a.kopa"
    with raw_server(lambda request: http_answer(echoing(hidden))) as (address, _):
        live = settings(address, tmp_path, keys=Keyring({"data_go_kr": KEY}))
        with Executor("record", snapshot=path, live=live, catalog=catalog) as executor:
            first = executor.call_sync(ECHO.name, {"name": "가상"})
            assert executor.recorder is not None
            assert (executor.recorder.new, executor.recorder.left_out) == (0, 1)
    assert first.records == [{"name": "가상", "asked": "***"}], "the caller has it, masked"
    assert held(path) == {}


ESCAPED: dict[str, str] = {
    "JSON, some signs": r"Abcd1234/Efgh\u002b5678\u003d\u003D",
    "JSON, twice": r"Abcd1234\\/Efgh\\u002B5678\\u003d\\u003d",
    "numbers": "Abcd1234&#47;Efgh&#x2b;5678&#61;&#61;",
    "names": "Abcd1234&sol;Efgh&plus;5678&equals;&equals;",
    "one in another": "Abcd1234%26%2347%3BEfgh&amp;plus;5678%253D%253d",
}


@pytest.mark.parametrize("form", ESCAPED)
def test_an_escaped_key_that_no_record_shows_keeps_the_answer_out(tmp_path: Path, form: str) -> None:
    keys = Keyring({"data_go_kr": KEY})
    body = echoing("x").replace(b'"NORMAL"', f'"NORMAL", "seen": "{ESCAPED[form]}"'.encode())
    other = body.replace(b"5678", b"5679")
    catalog, path = Catalog([ECHO]), tmp_path / "a.kopa"
    for reply, expected in ((body, (0, 1)), (other, (1, 0))):
        with raw_server(lambda request, reply=reply: http_answer(reply)) as (address, _):
            live = settings(address, tmp_path, keys=keys)
            with Executor("record", snapshot=path, live=live, catalog=catalog) as executor:
                assert executor.call_sync(ECHO.name, {"name": "가상"}).ok
                assert executor.recorder is not None
                assert (executor.recorder.new, executor.recorder.left_out) == expected
    assert list(held(path).values()) == [other]
    assert (keys.shown_in(body), keys.shown_in(other)) == (("data_go_kr",), ())


def test_a_request_that_holds_a_key_is_not_written(tmp_path: Path) -> None:
    catalog, path = Catalog([ECHO]), tmp_path / "a.kopa"
    for reply in (http_answer(echoing("x")), http_answer(b"", "500 Failed")):
        with raw_server(lambda request, reply=reply: reply) as (address, _):
            live = settings(address, tmp_path, keys=Keyring({"data_go_kr": KEY}), attempts=1)
            with Executor("record", snapshot=path, live=live, catalog=catalog) as executor:
                executor.call_sync(ECHO.name, {"name": KEY})
    assert held(path) == {}
    assert KEY.encode() not in path.read_bytes()


def test_nothing_about_who_asked_is_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.kopa"
    with serving(SandboxServer()) as address, Executor("record", snapshot=path, live=patient(address, tmp_path)) as own:
        assert own.call_sync(*CALLS[0]).ok
        assert own.source == own.backend == "live"
    content = path.read_bytes()
    port = address.rpartition(":")[2]
    for word in (sandbox_key("assembly"), f":{port}", "127.0.0.1", socket.gethostname(), "User-Agent", str(tmp_path)):
        assert word.encode() not in content
    with sqlite3.connect(path) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(answers)")]
    connection.close()
    assert columns == [
        "request", "tool", "wire", "operation", "signature", "outcome", "status", "content_type", "observed", "body",
        "seal", "place",
    ]  # fmt: skip


def test_retries_end_in_one_answer(tmp_path: Path) -> None:
    path = tmp_path / "a.kopa"
    server = SandboxServer(fates=Fates.read("server@1,cut@2"))
    with serving(server) as address, Executor("record", snapshot=path, live=patient(address, tmp_path)) as executor:
        result = executor.call_sync(*CALLS[0])
    assert (result.ok, result.requests) == (True, 3)
    with Snapshot(path) as snapshot:
        assert len(snapshot) == 1
        assert list(snapshot.failures()) == []


def test_a_run_on_a_snapshot_counts_from_the_day_the_recording_began(tmp_path: Path) -> None:
    path = make(tmp_path / "a.kopa", [answer(1)])
    with replay(path) as executor:
        assert executor.today == DEFAULT_DATE
        assert executor.backend == "replay"
    with record(path) as executor:
        assert executor.today == DEFAULT_DATE


@pytest.mark.parametrize(
    ("backend", "given_"),
    [("replay", {}), ("record", {}), ("sandbox", {"snapshot": "a.kopa"}), ("live", {"snapshot": "a.kopa"})],
)
def test_a_snapshot_goes_with_record_and_replay_only(backend: str, given_: dict[str, Any]) -> None:
    with pytest.raises(BackendError, match="snapshot"):
        Executor(backend, **given_)


def test_a_disk_that_is_full_stops_the_recording_in_words(tmp_path: Path) -> None:
    path = make(tmp_path / "a.kopa", [answer(number) for number in range(3)])
    with (
        Snapshot(path, writable=True) as snapshot,
        Executor("record", snapshot=snapshot, transport=SandboxTransport()) as executor,
    ):
        assert snapshot._connection is not None
        pages = snapshot._connection.execute("PRAGMA page_count").fetchone()[0]
        snapshot._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(DataError, match=r"full.*kept"):
            executor.call_sync("find_dart_corp_code", {"corp_name": "전자"})
        snapshot._connection.execute("PRAGMA max_page_count = 100000")
        assert executor.call_sync("find_dart_corp_code", {"corp_name": "전자"}).ok
        assert len(snapshot) == 4
        assert snapshot.structure() == []


def test_anything_that_answers_by_request_can_be_replayed() -> None:
    class Dictionary:
        day = DEFAULT_DATE

        def get(self, request: str) -> Any:
            return {answer(2).request: answer(2)}.get(request)

        def failure(self, request: str) -> Any:
            return {failed(5).request: failed(5)}.get(request)

        def close(self) -> None:
            raise AssertionError("it is not ours")

    with Executor("replay", snapshot=Dictionary()) as executor:
        assert executor.call_sync(BILLS, {"AGE": "22", "pIndex": 3}).total_count == 3
        assert executor.call_sync(BILLS, {"AGE": "22", "pIndex": 6}).outcome == "bad_param"
        assert isinstance(executor.replay, Replay)


_TOOLS = [tool for tool in load_catalog() if tool.inputs]


@hypothesis_settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_key_of_an_answer_is_the_canonical_request(data: st.DataObject) -> None:
    tool = data.draw(st.sampled_from(_TOOLS))
    arguments: dict[str, Any] = {}
    for parameter in tool.inputs:
        if parameter.location == "client" or not (parameter.required or data.draw(st.booleans())):
            continue
        values = {"YYYYMMDD": ["2024-05-01", "20240501", "2024.05.01"], "YYYYMM": ["202405"], "YYYY": ["2024", 2024],
                  None: ["가나", "01", 60, "60", " 전자 "]}.get(parameter.format)  # fmt: skip
        if parameter.enum:
            values = list(parameter.enum)
        if values is None:
            return
        arguments[parameter.name] = data.draw(st.sampled_from(values))
    try:
        bound = bind_arguments(tool, arguments)
    except ArgumentError:
        return  # never sent
    assert request_text(tool, bound) == canonical_request(tool.name, arguments)


def test_rows_are_told_who_answered_whether_live_recorded_or_replayed(tmp_path: Path) -> None:
    stand_in = settings("http://127.0.0.1:9", tmp_path, keys=Keyring())
    real = dataclasses.replace(stand_in, via=None)
    for given_, origin in ((stand_in, "via"), (real, "live")):
        path = tmp_path / f"{origin}.kopa"
        with Executor("live", live=given_) as executor:
            assert executor.provenance == {"backend": "live", "origin": origin}
        with Executor("record", live=given_, snapshot=path) as executor:
            assert executor.provenance == {"backend": "live", "origin": origin}
        with replay(path) as executor:
            assert executor.provenance["origin"] == origin
    assert Executor().provenance == {"backend": "sandbox"}


def test_an_open_snapshot_takes_no_answers_of_another_origin(tmp_path: Path) -> None:
    with Snapshot(make(tmp_path / "a.kopa", [], origin="live"), writable=True) as snapshot:
        with pytest.raises(DataError, match="real and invented answers are not mixed"):
            Executor("record", snapshot=snapshot, transport=SandboxTransport())
        assert len(snapshot) == 0


def test_a_request_that_fails_again_and_is_answered_then_is_not_counted_as_failed(tmp_path: Path) -> None:
    replies = [http_answer(b"", "500 Failed")] * 3 + [http_answer(echoing("x"))]
    with raw_server(lambda request: replies.pop(0)) as (address, _):
        live = settings(address, tmp_path, keys=Keyring({"data_go_kr": KEY}), attempts=1)
        with Executor("record", snapshot=tmp_path / "a.kopa", live=live, catalog=Catalog([ECHO])) as executor:
            recorder = executor.recorder
            assert recorder is not None
            for name, failed_ in (("가", 1), ("가", 1), ("나", 2), ("가", 1)):
                executor.call_sync(ECHO.name, {"name": name})
                assert recorder.failed == failed_ == len(list(recorder.snapshot.failures()))
            assert recorder.new == 1
