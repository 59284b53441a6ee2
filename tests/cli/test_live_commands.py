"""Commands on the live backend, by way of the sandbox on a socket: what they print, refuse, keep and go on from."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.execution.episode import DEFAULT_DATE
from kopa_hf.execution.keys import KEY_NAMES, variable
from kopa_hf.sandbox.fates import Fates
from kopa_hf.sandbox.keys import sandbox_key
from kopa_hf.sandbox.serving import SandboxServer, serving
from kopa_hf.sandbox.world import default_world
from tests.cli.conftest import run_kopa

ROOT = Path(__file__).resolve().parents[2]
WORLD = default_world()
CALL = ("call", "search_assembly_bills", "AGE=22", "pSize=5")
ONE_PLATFORM = 'withhold=["seoul","gyeonggi","education","hrdk","law","kdic","expressway","dart"]'


@pytest.fixture
def kopa(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    """The command in this process, with the sandbox's keys and a record of calls of its own; no file keeps a key."""
    for name in KEY_NAMES:
        monkeypatch.setenv(variable(name), sandbox_key(name))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def run(*arguments: Any) -> tuple[int, str, str]:
        code, out, err = run_kopa(capsys, *arguments)
        for name in KEY_NAMES:
            assert sandbox_key(name) not in out + err
        return code, out, err

    yield run
    for path in tmp_path.rglob("*"):
        if path.is_file() and path.name != "keys.env":
            content = path.read_bytes()
            assert not [name for name in KEY_NAMES if sandbox_key(name).encode() in content], path


@pytest.fixture
def served() -> Iterator[tuple[SandboxServer, str]]:
    server = SandboxServer(WORLD)
    with serving(server) as address:
        yield server, address


@pytest.fixture
def unpaced(tmp_path: Path) -> Path:
    """Limits with which no test waits for its turn."""
    file = tmp_path / "limits.json"
    table = {name: {"per_second": 10_000, "per_minute": 100_000} for name in ("assembly", "dart", "krx", "data_go_kr")}
    file.write_text(json.dumps(table), encoding="utf-8")
    return file


def live(address: str, *more: Any) -> tuple[Any, ...]:
    return ("--backend", "live", "--via", address, *more)


def test_without_a_budget_the_plan_is_printed_and_nothing_is_sent(kopa: Any, served: Any) -> None:
    server, address = served
    code, out, err = kopa(*CALL, *live(address))
    assert (code, out, server.requests) == (2, "", 0)
    assert "10,000 a month" in err
    assert "--max-calls N" in err
    assert "one-day" in err


def test_a_call_with_a_budget_says_live(kopa: Any, served: Any) -> None:
    server, address = served
    code, out, err = kopa(*CALL, *live(address, "--max-calls", 3))
    assert (code, server.requests) == (0, 1)
    assert "source live" in out
    assert "1 call, 1 day(s) at quota" in err
    code, out, _ = kopa(*CALL, *live(address, "--max-calls", "one-day", "--json"))
    assert json.loads(out)["source"] == "live"


@pytest.mark.parametrize("wrong", ["0", "-3", "many", "1.5", "٣"])
def test_a_budget_that_is_none_is_refused(kopa: Any, served: Any, wrong: str) -> None:
    server, address = served
    code, _, err = kopa(*CALL, *live(address, "--max-calls", wrong))
    assert (code, server.requests) == (2, 0)
    assert "--max-calls" in err


def test_without_a_key_a_job_does_not_start(kopa: Any, served: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    server, address = served
    monkeypatch.delenv("KOPA_ASSEMBLY_KEY")
    code, _, err = kopa(*CALL, *live(address, "--max-calls", 3))
    assert (code, server.requests) == (3, 0)
    assert "KOPA_ASSEMBLY_KEY" in err


def test_a_refused_key_is_the_callers_to_mend(kopa: Any, served: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """1, as `kopa doctor` has it; 3 is for services that fail."""
    monkeypatch.setenv("KOPA_ASSEMBLY_KEY", "0123456789abcdef0123456789abcdef")
    code, out, _ = kopa(*CALL, *live(served[1], "--max-calls", 3))
    assert code == 1
    assert out.startswith("auth")


def test_a_key_file_that_others_can_read_is_refused(kopa: Any, served: Any, tmp_path: Path) -> None:
    path = tmp_path / "keys.env"
    assert kopa("sandbox", "keys", "--output", path)[0] == 0
    assert path.stat().st_mode & 0o777 == 0o600
    assert kopa(*CALL, *live(served[1], "--max-calls", 3, "--keys", path))[0] == 0
    path.chmod(0o644)
    code, _, err = kopa(*CALL, *live(served[1], "--max-calls", 3, "--keys", path))
    assert code == 3
    assert "chmod 600" in err


def test_a_failing_service_is_exit_code_3_within_the_budget(kopa: Any) -> None:
    server = SandboxServer(WORLD, fates=Fates.read("server=1"))
    with serving(server) as address:
        code, out, _ = kopa(*CALL, *live(address, "--max-calls", 2))
    assert (code, server.requests) == (3, 2)
    assert out.startswith("server")


def test_the_day_s_quota_is_remembered_by_the_next_process(served: Any, tmp_path: Path) -> None:
    server, address = served
    limits = tmp_path / "limits.toml"
    limits.write_text("[assembly]\nper_day = 2\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "KOPA_ASSEMBLY_KEY": sandbox_key("assembly")}
    command = [sys.executable, "-c", "from kopa_hf.cli import main; main()", *CALL, *live(address, "--max-calls", "5")]
    command += ["--state", str(tmp_path / "state"), "--limits", str(limits)]
    ends = [subprocess.run(command, env=environment, capture_output=True, text=True) for _ in range(3)]
    assert [end.returncode for end in ends] == [0, 0, 3]
    assert "2 a day, 10,000 a month) is used up for this day" in ends[2].stderr
    assert server.requests == 2


def test_doctor_reports_as_a_table_and_as_json(kopa: Any, served: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    _, address = served
    code, out, _ = kopa("doctor", "--via", address, "--platform", "assembly", "--platform", "dart")
    assert code == 0
    assert "KOPA_DART_KEY" in out
    assert "3 of 3 answer" in out
    monkeypatch.delenv("KOPA_DART_KEY")
    code, out, _ = kopa("doctor", "--via", address, "--platform", "assembly", "--platform", "dart", "--json")
    assert code == 1
    assert [finding["verdict"] for finding in json.loads(out)] == ["fine", "fine", "no key"]
    code, out, _ = kopa("doctor", "--via", "http://127.0.0.1:9", "--platform", "assembly")
    assert code == 3
    assert "no connection" in out
    assert kopa("doctor", "--platform", "moon")[0] == 2


def test_faults_that_can_be_served_are_listed(kopa: Any) -> None:
    code, out, _ = kopa("sandbox", "faults")
    assert code == 0
    assert "held" in out


def test_tasks_of_the_sandbox_are_not_scored_against_the_real_world(kopa: Any) -> None:
    code, _, err = kopa("eval", "--model", "policy:gold", "--limit", 1, "--backend", "live", "--max-calls", 5)
    assert code == 2
    assert "kopa bench ground --backend live" in err


@pytest.mark.slow
def test_grounding_and_evaluation_stop_at_their_budget_go_on_and_end_as_in_the_sandbox(
    kopa: Any, served: Any, unpaced: Path, tmp_path: Path
) -> None:
    server, address = served
    tasks, log, way = tmp_path / "tasks", tmp_path / "log.jsonl", live(address, "--limits", unpaced, "--max-calls")
    code, _, err = kopa("bench", "ground", "--output", tasks, *way, 40)
    assert (code, server.requests) == (3, 40)
    assert "Stopped after 40 live requests" in err
    assert (tmp_path / "tasks.answers.sqlite3").exists()
    code, out, _ = kopa("bench", "ground", "--output", tasks, *way, 5000, "--json")
    assert code == 0
    assert not (tmp_path / "tasks.answers.sqlite3").exists()
    inside = json.loads(kopa("bench", "ground", "--json")[1])
    assert len(json.loads(out)["rows"]) == len(inside["rows"])

    job = ("eval", "--model", "policy:gold", "--data", tasks, "--log", log, *way)
    code, _, err = kopa(*job, 10)
    assert code == 3
    assert "Stopped after 10 live requests" in err
    assert log.read_text(encoding="utf-8").splitlines()
    code, out, _ = kopa(*job, 5000)
    assert code == 0
    assert "gold 1.00" in out
    assert "source live" in out


@pytest.mark.slow
def test_refinement_stops_at_its_budget_and_goes_on(
    kopa: Any, served: Any, unpaced: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, address = served
    # live jobs ask about today's days, the sandbox about its own; here both must ask alike
    for module in ("refinement", "rates"):
        monkeypatch.setattr(f"kopa_hf.edge.{module}.today_of", lambda executor: DEFAULT_DATE)
    settings = ("--set", "iterations=2", "--set", "paths=15", "--set", "rate_edges=5", "--set", ONE_PLATFORM)
    assert kopa("edge", "build", "--output", tmp_path / "run", *settings)[0] == 0
    shutil.copytree(tmp_path / "run", tmp_path / "inside")
    job = ("edge", "refine", "--output", tmp_path / "run", *live(address, "--limits", unpaced), "--max-calls")
    code, _, err = kopa(*job, 20)
    assert (code, "Stopped after 20 live requests" in err) == (3, True)
    assert 0 < server.requests <= 20  # calls under way at the stop are dropped
    assert "planned calls" in err
    code, out, _ = kopa(*job, "one-day", "--json")
    assert code == 0
    inside = json.loads(kopa("edge", "refine", "--output", tmp_path / "inside", "--no-faults", "--json")[1])
    found = json.loads(out)
    # the way there changes nothing, and neither does a stop
    assert (found["edges"], found["rates"], found["gain"]) == (inside["edges"], inside["rates"], inside["gain"])
    assert (tmp_path / "run" / "live-answers.sqlite3").exists()
