"""`kopa edge`: settings given in every way, what building prints, and refreshing."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import click
import pytest

from kopa_hf.cli.edge_settings import Stage, read_age
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.graph import ToolGraph

KDIC = ("--set", "platforms=kdic", "--set", "neighbors=3", "--set", "cross_neighbors=0")


def settings(*pairs: str, **more: Any) -> EdgeConfig:
    return Stage(Path("x"), overrides=pairs, **more).config()


def test_settings_on_the_command_line_reach_every_kind_of_field() -> None:
    config = settings(
        "updates.timeout=0.2", "updates.server=1", "withhold=krx,dart", "rate_edges=null", "tau=0.4", "paths=7",
        'structures=["SEQ","FAN"]', "judge=http://127.0.0.1:8000/v1#Qwen/Qwen3.5-4B", "embedder=st:models/e5",
    )  # fmt: skip
    assert (config.updates.timeout, config.updates.server, config.updates.quota) == (0.2, 1.0, 0.1)
    assert (config.withhold, config.structures) == (("krx", "dart"), ("SEQ", "FAN"))
    assert (config.rate_edges, config.tau, config.paths) == (None, 0.4, 7)
    assert (config.judge, config.embedder) == ("http://127.0.0.1:8000/v1#Qwen/Qwen3.5-4B", "st:models/e5")


def test_the_command_line_outranks_the_file_and_the_file_the_preset(tmp_path: Path) -> None:
    file = tmp_path / "edge.yaml"
    file.write_text("preset: paper\niterations: 5\nupdates: {timeout: 0.4, quota: 0.2}\n", encoding="utf-8")
    config = settings("updates.timeout=0.5", config_file=file, seed=9)
    assert (config.name, config.withhold, config.iterations, config.seed) == ("paper", ("seoul", "dart", "krx"), 5, 9)
    assert (config.updates.timeout, config.updates.quota) == (0.5, 0.2)


def test_a_later_stage_goes_on_with_the_graphs_settings() -> None:
    graphs = EdgeConfig.preset("paper")
    assert Stage(Path("x")).config(graphs) == graphs
    assert Stage(Path("x"), overrides=("iterations=5",)).config(graphs) == graphs.replace(iterations=5)
    assert Stage(Path("x"), preset="demo").config(graphs) == EdgeConfig.preset("demo")


@pytest.mark.parametrize(
    ("pair", "word"),
    [
        ("updates.speed=1", "there is no speed"),
        ("updates.timeout=soon", "updates.timeout must be a number from 0.0 to 100.0, not 'soon'"),
        ("updates.timeout=-1", "updates.timeout must be a number from 0.0 to 100.0, not -1"),
        ("tau=NaN", "tau must be a number from 0.0 to 1.0, not nan"),
        ("iterations=1.5", "iterations must be a whole number from 0 to 100,000, not 1.5"),
        ("embedder=word2vec", "Unknown embedder"),
        ("judge=oracle", "no model"),
        ("judge=http://127.0.0.1:9/v1", "after '#'"),
        ("platforms=krxx", "platforms names krxx"),
        ("withhold=seul", "withhold names seul"),
        ("=1", "Unknown EDGE settings"),
    ],
)
def test_a_wrong_setting_is_one_clear_line(kopa: Any, tmp_path: Path, pair: str, word: str) -> None:
    code, _, err = kopa("edge", "build", "--output", tmp_path / "run", "--set", pair)
    assert code == 2
    assert word in err
    assert not (tmp_path / "run" / "graph.json").exists()


def test_building_prints_its_settings_and_counts(kopa: Any, tmp_path: Path) -> None:
    code, out, _ = kopa("edge", "build", "--output", tmp_path, *KDIC, "--set", "updates.timeout=0.2")
    assert code == 0
    for words in ("neighbors=3", "updates.timeout=0.2", "judge=rules", "embedder    hashed-ngrams", "UPSTREAM"):
        assert words in out
    graph = ToolGraph.load(tmp_path / "graph.json")
    assert graph.config.updates.timeout == 0.2
    code, out, _ = kopa("edge", "build", "--output", tmp_path, *KDIC, "--json")
    told = json.loads(out)
    assert told["config"]["neighbors"] == 3
    assert told["edges"] == len(graph)
    assert told["candidates"] == graph.candidates
    assert told["parameters"]["UPSTREAM"] == sum(len(edge.bindings) for edge in graph.edges())


def test_a_catalog_of_which_all_is_withheld_says_so_and_keeps_the_earlier_graph(kopa: Any, tmp_path: Path) -> None:
    kopa("edge", "build", "--output", tmp_path, *KDIC)
    before = (tmp_path / "graph.json").read_bytes()
    code, _, err = kopa("edge", "build", "--output", tmp_path, *KDIC, "--set", "withhold=kdic")
    assert code == 2
    assert "its platform is withheld" in err
    assert (tmp_path / "graph.json").read_bytes() == before


def test_a_skeleton_without_links_is_no_result(kopa: Any, tmp_path: Path) -> None:
    code, _, err = kopa("edge", "build", "--output", tmp_path, *KDIC, "--set", "min_score=0.999")
    assert code == 2
    assert "No link among" in err
    assert not (tmp_path / "graph.json").exists()


def test_a_judge_nobody_serves_is_a_failed_service(kopa: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kopa_hf.agent.models.RetryPolicy.wait", lambda *_: 0.0)
    judge = ("--set", "judge=http://127.0.0.1:9/v1#none")
    code, _, err = kopa("edge", "build", "--output", tmp_path, *KDIC, *judge)
    assert code == 3
    assert "does not answer" in err
    assert "the same command again" in err


def test_old_links_are_tried_again_and_young_ones_are_not(kopa: Any, tmp_path: Path) -> None:
    run = ("--output", tmp_path)
    kopa("edge", "build", *run, *KDIC)
    few = ("--set", "iterations=1", "--set", "paths=10", "--set", "rate_edges=0")
    assert kopa("edge", "refine", *run, *few)[0] == 0
    code, out, _ = kopa("edge", "refresh", *run, "--older-than", "30d", "--today", "2026-04-01", "--json")
    told = json.loads(out)
    assert code == 0
    assert (told["older_than"], told["today"]) == ("2026-03-02", "2026-04-01")
    assert 0 < told["retried"] <= told["stale"]
    again = json.loads(kopa("edge", "refresh", *run, "--today", "2026-04-01", "--json")[1])
    assert again["stale"] == told["unreached"]


def test_fewer_iterations_than_a_graph_has_been_through_are_refused(kopa: Any, tmp_path: Path) -> None:
    run = tmp_path / "run"
    small = ("--set", "paths=10", "--set", "rate_edges=5", "--output", run)
    assert kopa("edge", "build", "--set", "platforms=kdic", "--set", "iterations=2", *small)[0] == 0
    assert kopa("edge", "refine", "--output", run)[0] == 0
    before = (run / "graph.json").read_bytes()
    code, _, error = kopa("edge", "refine", "--set", "iterations=1", "--output", run)
    assert code == 2
    assert "2 iterations, more than the 1 asked for" in error
    assert (run / "graph.json").read_bytes() == before


def test_an_age_is_days_weeks_or_a_day() -> None:
    assert read_age(None, None, "30d") == datetime.timedelta(days=30)
    assert read_age(None, None, " 2w ") == datetime.timedelta(days=14)
    assert read_age(None, None, "2026-01-31") == datetime.date(2026, 1, 31)
    for text in ("", "30", "d", "-3d", "3 months", "2026-02-30", "３d"):
        with pytest.raises(click.UsageError, match="is not days"):
            read_age(None, None, text)
