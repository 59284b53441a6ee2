"""Quotas: what counts together, what a day is, and that no two processes spend the same call."""

from __future__ import annotations

import datetime
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.errors import BackendError
from kopa_hf.execution.ledger import KOREA, Ledger
from kopa_hf.execution.limits import Limit, Limits, Quota
from kopa_hf.execution.pace import Pace, spans
from tests.execution.loopback import ECHO

ROOT = Path(__file__).resolve().parents[2]


def quota(**numbers: int) -> Quota:
    return Quota("dart", "dart", Limit(**numbers))


def at(text: str) -> float:
    return datetime.datetime.fromisoformat(text).replace(tzinfo=KOREA).timestamp()


def test_every_service_of_the_catalog_has_a_quota() -> None:
    limits = Limits.default()
    for tool in load_catalog():
        found = limits.quota_of(tool)
        assert 0 < found.limit.day <= 10_000, tool.name
        assert found.limit.note, tool.name


def test_the_gateway_counts_every_service_apart_and_others_by_key() -> None:
    limits = Limits.default()
    other = replace(ECHO, endpoint=replace(ECHO.endpoint, url="https://apis.data.go.kr/9999999/gasang/getOthers"))
    elsewhere = replace(ECHO, endpoint=replace(ECHO.endpoint, url="https://apis.data.go.kr/9999999/dareun/getRecords"))
    assert limits.quota_of(ECHO).counter == limits.quota_of(other).counter
    assert limits.quota_of(ECHO).counter != limits.quota_of(elsewhere).counter
    assert limits.quota_of(replace(ECHO, platform="kdic", wire="kdic")).name == "data_go_kr"
    assert limits.quota_of(replace(ECHO, platform="dart", wire="dart")).counter == "dart"


def test_a_file_overrides_single_numbers(tmp_path: Path) -> None:
    file = tmp_path / "limits.toml"
    file.write_text("[dart]\nper_day = 100000\n", encoding="utf-8")
    limit = Limits.load(file).of("dart")
    assert (limit.per_day, limit.per_minute) == (100_000, 600)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[dart]\nper_day = 0\n", "whole number above 0"),
        ("[dart]\nper_week = 5\n", "unknown setting 'per_week'"),
        ("dart = 5\n", "maps a provider to numbers"),
        ("not toml", "Limits file"),
    ],
)
def test_an_unusable_file_says_what_is_wrong(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "limits.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BackendError, match=words):
        Limits.load(file)


def test_days_count_a_monthly_quota_by_its_thirtieth_part() -> None:
    assert Limit(per_month=10_000).day == 333
    assert Limit(per_month=10_000).days_for(334) == 2
    assert Limit(per_day=1000).days_for(1000) == 1
    assert Limit(per_day=1000, per_month=3000).day == 100


def test_the_day_ends_at_midnight_in_korea(tmp_path: Path) -> None:
    now = at("2026-11-30 23:59:59")
    ledger = Ledger(tmp_path, clock=lambda: now)
    daily, monthly = quota(per_day=2), Quota("assembly", "assembly", Limit(per_month=3))
    assert [ledger.take(daily) for _ in range(3)] == [None, None, "day"]
    assert [ledger.take(monthly) for _ in range(4)] == [None, None, None, "month"]
    now = at("2026-12-01 00:00:00")
    assert ledger.take(daily) is None
    assert ledger.take(monthly) is None
    assert ledger.used("dart") == 1
    assert ledger.left(daily) == 1


def test_a_service_that_says_its_quota_is_used_up_is_left_alone_until_tomorrow(tmp_path: Path) -> None:
    now = at("2026-11-30 12:00:00")
    ledger = Ledger(tmp_path, clock=lambda: now)
    monthly = Quota("assembly", "assembly", Limit(per_month=100))
    assert ledger.take(monthly) is None
    ledger.exhaust(monthly)
    assert ledger.take(monthly) == "day"
    assert ledger.left(monthly) == 0
    now = at("2026-12-01 00:00:01")
    assert ledger.take(monthly) is None


def test_what_a_stand_in_was_asked_is_not_what_the_services_were_asked(tmp_path: Path) -> None:
    real, stand_in = Ledger(tmp_path), Ledger(tmp_path, "via")
    stand_in.take(quota(per_day=1))
    assert real.used("dart") == 0
    assert real.take(quota(per_day=1)) is None
    assert Ledger(tmp_path).used("dart") == 1


def test_a_folder_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(BackendError, match=r"record of calls.*--state"):
        Ledger(tmp_path / "file").take(quota(per_day=1))


def test_two_processes_never_spend_more_than_the_quota_together(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from kopa_hf.execution.ledger import Ledger\n"
        "from kopa_hf.execution.limits import Limit, Quota\n"
        "ledger = Ledger(Path(sys.argv[1]))\n"
        "print(sum(ledger.take(Quota('dart', 'dart', Limit(per_day=50))) is None for _ in range(40)))\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) for _ in range(2)]
    taken = [int(process.communicate(timeout=120)[0]) for process in processes]
    assert sum(taken) == 50
    assert Ledger(tmp_path).used("dart") == 50


@pytest.mark.slow
def test_two_processes_keep_one_pace(tmp_path: Path) -> None:
    script = (
        "import sys, time; from pathlib import Path\n"
        "from kopa_hf.execution.limits import Limit, Quota\n"
        "from kopa_hf.execution.pace import Pace\n"
        "pace, quota = Pace(Path(sys.argv[1])), Quota('dart', 'dart', Limit(per_second=10))\n"
        "for _ in range(15):\n"
        "    pace.wait(quota); print(time.time())\n"
        "pace.close()\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) for _ in range(2)]
    texts = [process.communicate(timeout=120)[0] for process in processes]
    moments = sorted(float(line) for text in texts for line in text.split())
    assert len(moments) == 30
    # 10 at once, then 10 in each further second; a fifth of slack for the time between turn and print
    assert all(moments[i + 10] - moments[i] > 0.8 for i in range(20))


@pytest.mark.parametrize(
    ("second", "minute", "bind"),
    [
        (10, 300, [(10, 1_000), (300, 60_000)]),
        (10, 600, [(10, 1_000)]),
        (10, 100_000, [(10, 1_000)]),
        (10, 10, [(10, 60_000)]),
        (None, 5, [(5, 60_000)]),
        (None, None, []),
    ],
)
def test_any_pair_of_rates_can_be_kept(
    second: int | None, minute: int | None, bind: list[tuple[int, int]], tmp_path: Path
) -> None:
    limit = Limit(per_day=10, per_second=second, per_minute=minute)
    assert spans(limit) == bind
    pace = Pace(tmp_path)
    pace.wait(Quota("dart", "dart", limit))
    pace.close()


def test_without_a_rate_nobody_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pace = Pace(tmp_path)
    monkeypatch.setattr(time, "sleep", lambda seconds: pytest.fail(f"waited {seconds} s"))
    for _ in range(100):
        pace.wait(quota(per_day=10))
    pace.close()
