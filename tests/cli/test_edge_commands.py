"""`kopa edge`: settings given in every way, what building prints, and refreshing."""

from __future__ import annotations

import datetime
import json
import shutil
from pathlib import Path
from typing import Any

import click
import pytest

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.cli import main
from kopa_hf.cli.edge_settings import Stage, read_age
from kopa_hf.cli.edge_truth import truth_of
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.graph import ToolGraph
from kopa_hf.edge.scores import known_edges, truth_scores
from kopa_hf.sandbox.faults import Faults
from kopa_hf.sandbox.truth import binding_truth
from kopa_hf.sandbox.world import World

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
    later = Stage(Path("x"), preset="one-day").config(graphs)
    assert (later.name, later.iterations, later.withhold) == ("one-day", 5, graphs.withhold)


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


WRONG_DOORS = [
    ("solver=gold", "solver: 'gold' is no model"),
    ("solver=http://127.0.0.1:8000/v1", "solver=http://127.0.0.1:8000/v1: add the model's name after '#'"),
    ("solver=http://127.0.0.1:99999/v1#m", "is no address"),
    ("solver=./nowhere", "solver: there is no model at ./nowhere"),
    ("rephrase=qwen", "rephrase: 'qwen' is no model"),
    ('filter_judges=["http://127.0.0.1:9/v1#a","oracle"]', "filter_judges: 'oracle' is no model"),
    ("filter_judges=http://127.0.0.1:9/v1#a", "filter_judges must name two independent judges"),
    ("embedder=st:nowhere", "There is no folder nowhere"),
]


@pytest.mark.parametrize(("pair", "words"), WRONG_DOORS)
@pytest.mark.parametrize("command", ["build", "run"])
def test_a_model_that_cannot_be_is_refused_before_anything_runs(
    kopa: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, pair: str, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = kopa("edge", command, "--output", tmp_path / "run", *KDIC, "--set", pair)
    assert code == 2
    assert words in err
    assert not (tmp_path / "run").exists()


def test_a_server_that_is_not_there_ends_a_run_before_it_begins(kopa: Any, tmp_path: Path) -> None:
    code, _, err = kopa("edge", "run", "--output", tmp_path / "run", *KDIC, "--set", "solver=http://127.0.0.1:9/v1#m")
    assert code == 3
    assert "Nobody answers at http://127.0.0.1:9/v1 (ConnectError), which solver names" in err
    assert not (tmp_path / "run").exists()


@pytest.fixture(scope="module")
def refined(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small graph that was refined with faults of seed 0."""
    folder = tmp_path_factory.mktemp("refined")
    for command in ("build", "refine"):
        few = ("--set", "iterations=2", "--set", "paths=20", "--set", "rate_edges=5")
        main(["edge", command, "--output", str(folder), *KDIC, *few])
    return folder


@pytest.fixture
def copied(refined: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(refined, tmp_path / "run"))


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("refine", "--no-faults", "--set", "iterations=3"), "refined with faults on with seed 0, now off"),
        (("refresh", "--no-faults", "--older-than", "2027-01-01"), "refined with faults on with seed 0, now off"),
        (("refine", "--seed", "5", "--set", "iterations=3"), "refined with seed 0, not 5"),
        (("refine", "--set", "iterations=3", "--set", "updates.timeout=0.9"), "refined with updates semantic=1.0"),
        (("refine", "--set", "neighbors=9"), "built with neighbors 3, not 9"),
        (("synthesize", "--set", "tau=0.6"), "refined with tau 0.5, not 0.6"),
        (("synthesize", "--set", "withhold=krx"), "built with withhold (none), not krx"),
        (("synthesize", "--preset", "demo"), "built with platforms kdic, not dart,assembly,expressway,gyeonggi"),
        (("refresh", "--set", "kappa=3", "--older-than", "2027-01-01"), "built with kappa 2.0, not 3.0"),
    ],
)
def test_a_later_stage_with_other_settings_is_refused_by_name(
    kopa: Any, copied: Path, command: tuple[str, ...], words: str
) -> None:
    before = (copied / "graph.json").read_bytes()
    code, _, err = kopa("edge", *command, "--output", copied)
    assert code == 2
    assert words in err
    assert "another --output" in err
    assert (copied / "graph.json").read_bytes() == before


@pytest.mark.slow
def test_the_report_tells_what_the_graph_was_refined_on_and_measures_against_that(kopa: Any, copied: Path) -> None:
    found = json.loads(kopa("edge", "report", copied, "--json")[1])
    assert found["surroundings"]["faults"]["seed"] == 0
    assert found["surroundings"]["world"]["identity_seed"] == 0
    assert found["backends"] == {"sandbox": sum(found["backends"].values())}
    assert "faults of seed 0" in (copied / "report.html").read_text(encoding="utf-8")
    code, _, err = kopa("edge", "report", copied, "--no-faults")
    assert (code, "refined with faults" in err) == (2, True)


@pytest.mark.slow
def test_the_truth_is_that_of_the_noted_world_and_faults(copied: Path) -> None:
    graph = ToolGraph.load(copied / "graph.json")
    assert graph.surroundings is not None

    def valid() -> int | None:
        truth = truth_of(graph)
        return None if truth is None else sum(right for _, right in known_edges(graph, truth))

    assert valid()
    graph.surroundings["faults"]["dead_share"] = 1.0
    assert valid() == 0, "no binding of dead operations is valid"
    graph.surroundings["faults"] = None
    assert valid()
    graph.surroundings["world"]["version"] -= 1
    assert valid() is None, "that world is not to be had any more"


@pytest.mark.slow
def test_several_processes_find_the_truth_that_one_finds(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = ToolGraph.load(copied / "graph.json")
    alone = truth_of(graph)
    assert alone is not None
    assert not isinstance(alone, dict), "looked up when asked for"
    monkeypatch.setattr("kopa_hf.cli.edge_truth.WORTH_IT", 1)
    spread = truth_of(graph, workers=2)
    assert isinstance(spread, dict), "looked up by processes"
    assert sum(spread.values()) > 50
    for binding in {
        (e.source, b.field, e.target, b.parameter) for e in graph.edges() for b in e.bindings if not b.generic
    }:
        assert spread.get(binding) == alone.get(binding)
    assert truth_scores(graph, spread) == truth_scores(graph, alone)


def pairwise(scored: list[tuple[float, bool]]) -> float:
    """The AUC by its definition: every valid edge against every invalid one, a tie counting half."""
    wins = [(a > b) + (a == b) / 2 for a, good in scored if good for b, bad in scored if not bad]
    return sum(wins) / len(wins)


@pytest.mark.slow
def test_auc_and_brier_score_are_those_of_every_pair_in_the_saved_file(kopa: Any, copied: Path) -> None:
    report = json.loads(kopa("edge", "report", copied, "--json")[1])
    edges = json.loads((copied / "graph.json").read_text(encoding="utf-8"))["content"]["edges"]
    truth = binding_truth(World(), load_catalog(), Faults.default(0))
    scored: dict[str, list[tuple[float, bool]]] = {"prior": [], "posterior": []}
    for edge in edges:
        keys = [
            (edge["source"], column, edge["target"], name)
            for name, column, _, generic in edge["bindings"]
            if not generic
        ]
        try:
            right = all([truth[key] for key in keys])
        except KeyError:
            continue
        if keys:
            # alpha = 1 + 2s and beta = 1 + 2(1 - s): their sum is 4
            scored["prior"].append(((1 + 2 * edge["score"]) / 4, right))
            scored["posterior"].append((edge["alpha"] / (edge["alpha"] + edge["beta"]), right))
    assert len(scored["prior"]) == report["truth"]["groups"]["all"]["edges"] > 20
    for name, found in scored.items():
        told = report["truth"]["groups"]["all"][name]
        assert told["auc"] == pytest.approx(pairwise(found), abs=1e-12)
        assert told["brier"] == pytest.approx(sum((p - good) ** 2 for p, good in found) / len(found), abs=1e-12)


def test_an_unrefined_graph_is_not_synthesized(kopa: Any, tmp_path: Path) -> None:
    kopa("edge", "build", "--output", tmp_path, *KDIC)
    code, _, err = kopa("edge", "synthesize", "--output", tmp_path)
    assert code == 2
    assert "no tried and kept edge" in err


def test_a_first_day_minus_an_age_is_no_day(kopa: Any, copied: Path) -> None:
    code, _, err = kopa("edge", "refresh", "--output", copied, "--today", "0001-01-02")
    assert code == 2
    assert "before the first day" in err
