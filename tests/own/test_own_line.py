"""The whole line on a service of one's own: public description, tools, graph, trajectories, gold in the trainer."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.catalog.active import VARIABLE, use_catalog
from kopa_hf.hub.loading import edge_splits, load_edge_trajectories
from tests.cli.conftest import run_kopa
from tests.own.airflow import KEY, serving, write_catalog

WANTED = 50

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1500)]
"""Seventy rows go through a trainer four times: a minute on two free cores, several on busy ones."""


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    """(catalog, folder of a run that need not exist yet), while the service answers."""
    folder = tmp_path_factory.mktemp("line")
    with serving() as address, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        patch.setenv("KOPA_AIRFLOW_KEY", KEY)
        patch.delenv(VARIABLE, raising=False)
        yield write_catalog(folder / "mine", address), folder / "run"
        use_catalog(None)


def test_a_run_on_own_tools_gives_verified_trajectories_that_pay_gold_and_nothing_for_silence(
    line: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("trl")
    from kopa_hf.train.preflight import Plan, run_checks

    catalog, run = line
    code, out, err = run_kopa(
        capsys, "edge", "run", "--catalog", catalog, "--output", run, "--max-calls", 30_000, "--json"
    )
    assert (code, KEY in out + err) == (0, False)
    dataset = run / "edge-trajectories"
    rows = [row for split in edge_splits(dataset) for row in load_edge_trajectories(dataset, split=split)]
    assert len(rows) >= WANTED
    _check_rows(rows)
    code, out, _ = run_kopa(capsys, "edge", "verify", dataset, "--catalog", catalog, "--max-calls", 5_000, "--json")
    verified = json.loads(out)
    assert (code, verified["rows"], verified["passed"]) == (0, len(rows), len(rows))
    use_catalog(catalog)
    played = 0
    for split in edge_splits(dataset):
        checks = {check.name: check for check in run_checks(Plan(str(dataset), split, rows=10**6))}
        assert all(check.passed for check in checks.values()), checks
        played += int(checks["gold agent"].says.split(" on ")[1].split()[0])
    assert played == len(rows)
    for file in run.rglob("*"):
        assert not file.is_file() or KEY.encode() not in file.read_bytes(), file


def _check_rows(rows: list[dict[str, Any]]) -> None:
    """Own tools only, grounded live, several structures, chains of calls, Korean questions."""
    assert {platform for row in rows for platform in row["platforms"]} == {"airflow"}
    assert {row["provenance"]["origin"] for row in rows} == {"live"}
    assert len(Counter(row["structure"] for row in rows)) >= 3
    assert sum(len(row["golden_actions"]) for row in rows) / len(rows) >= 2
    assert all(any("가" <= c <= "힣" for c in row["prompt"][-1]["content"]) for row in rows)
