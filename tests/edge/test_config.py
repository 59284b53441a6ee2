from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
import yaml

from kopa_hf.edge.config import PRESETS, EdgeConfig, Updates
from kopa_hf.edge.ranges import RANGES
from kopa_hf.errors import DataError


def test_defaults_are_the_published_hyperparameters() -> None:
    config = EdgeConfig()
    assert (config.neighbors, config.cross_neighbors, config.min_score) == (15, 10, 0.3)
    assert (config.kappa, config.iterations, config.paths, config.exploration) == (2.0, 100, 500, 0.1)
    assert (config.min_trials, config.tau, config.prune_below, config.fan_out) == (2, 0.5, 0.3, 5)
    assert config.updates.semantic == 1.0
    assert config.updates.generic == 0.3
    assert config.rows == 1781


def test_the_paper_preset_withholds_and_the_demo_preset_does_not() -> None:
    assert EdgeConfig.preset("paper").withhold == ("seoul", "dart", "krx")
    assert EdgeConfig.preset("demo").withhold == ()


def test_a_preset_that_is_asked_for_outranks_the_files(tmp_path: Path) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text("preset: paper\niterations: 5\n", encoding="utf-8")
    config = EdgeConfig.from_yaml(file, preset="demo")
    assert (config.name, config.iterations, config.withhold) == ("demo", 5, ())


@pytest.mark.parametrize("name", [None, *PRESETS])
def test_settings_come_back_from_their_dictionary(name: str | None) -> None:
    config = EdgeConfig.make(name, seed=7, updates={"no_data": 0.4})
    assert EdgeConfig.from_dict(config.to_dict()) == config
    assert config.updates == Updates(no_data=0.4)


def test_what_is_saved_does_not_tell_how_the_work_was_divided() -> None:
    alone, many = EdgeConfig(seed=3, concurrency=1, workers=1), EdgeConfig(seed=3, concurrency=64)
    assert alone.to_saved() == many.to_saved()
    assert many.to_dict().keys() - many.to_saved().keys() == {"concurrency", "model_concurrency", "workers"}
    assert EdgeConfig.from_dict(many.to_saved()) == EdgeConfig(seed=3)
    assert EdgeConfig.from_dict(many.to_dict()) == many  # a file of an earlier version that still has them


def test_yaml_takes_a_preset_as_base_and_overrides_win(tmp_path: Path) -> None:
    file = tmp_path / "edge.yaml"
    file.write_text("preset: paper\niterations: 5\nwithhold: [krx]\ntau: 1\n", encoding="utf-8")
    config = EdgeConfig.from_yaml(file, paths=9)
    assert (config.name, config.iterations, config.withhold, config.paths, config.tau) == ("paper", 5, ("krx",), 9, 1)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"iteratoins": 3}, "Unknown EDGE settings: iteratoins. Did you mean iterations"),
        (
            {"structures": []},
            "structures must name one or more of SEQ, FAN, DRV, SEM, CMP, COND, MIXED, each once, not none",
        ),
        ({"structures": "SEQ,SEQ"}, "each once, not SEQ,SEQ"),
        ({"rows": 0}, "rows must be a whole number from 1 to 10,000,000, not 0"),
        ({"rows": -5}, "rows must be .* not -5"),
        ({"iterations": 10**12}, "iterations must be a whole number from 0 to 100,000, not 1000000000000"),
        ({"template_share": 0}, "template_share must be a number from 0.001 to 1.0, not 0.0"),
        ({"tau": 10**400}, "tau must be a number from 0.0 to 1.0, not inf"),
        ({"rate_edges": -1}, "rate_edges must be a whole number from 0 to 100,000,000, or null, not -1"),
        ({"headroom": 0.5}, "headroom must be a number from 1.0 to 100.0, not 0.5"),
        ({"filter_judges": ["http://h/v1#a"]}, "filter_judges must name two independent judges"),
        ({"paths": "many"}, "paths must be a whole number from 1 to 1,000,000, not 'many'"),
        ({"paths": 0}, "paths must be a whole number from 1 to 1,000,000, not 0"),
        ({"tau": 1.5}, "tau must be a number from 0.0 to 1.0, not 1.5"),
        ({"structures": ["SEQ", "LOOP"]}, "unknown structures LOOP"),
        ({"updates": {"mood": 1}}, "there is no mood"),
        ({"updates.mood": 1}, "there is no mood"),
        ({"updates.timeout": "long"}, "updates.timeout must be a number from 0.0 to 100.0, not 'long'"),
        ({"updates.timeout": -0.1}, "updates.timeout must be a number from 0.0 to 100.0, not -0.1"),
        ({"updates": 3}, "updates must be a mapping"),
        ({"tau.high": 0.4}, "tau must be a number from 0.0 to 1.0, not {"),
        ({"tau": float("nan")}, "tau must be a number from 0.0 to 1.0, not nan"),
        ({"kappa": float("inf")}, "kappa must be a number from 0.001 to 1,000.0, not inf"),
        ({"judge_fallback": "guess"}, "judge_fallback must be drop or rules"),
        ({"embedder": " "}, "embedder must not be empty"),
        ({"judge": 4}, "judge must be a text, not 4"),
        ({"embedding_batch": 0}, "embedding_batch must be a whole number from 1 to 100,000, not 0"),
        ({"kappa": 0}, "kappa must be a number from 0.001 to 1,000.0, not 0.0"),
        ({"seed": True}, "seed must be a whole number from 0 to 9,223,372,036,854,775,807, not True"),
    ],
)
def test_wrong_settings_say_what_is_wrong(settings: dict[str, object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        EdgeConfig().replace(**settings)


@pytest.mark.parametrize("rows", ["5", 1.5, True, float("nan"), [5]])
def test_a_number_is_due_where_one_is_even_without_a_file(rows: Any) -> None:
    with pytest.raises(DataError, match="rows must be a whole number from 1 to 10,000,000"):
        EdgeConfig(rows=rows)


def test_every_number_among_the_settings_has_a_range() -> None:
    numbers = {f.name for f in dataclasses.fields(EdgeConfig) if f.type in ("int", "float", "int | None")}
    assert numbers == set(RANGES)
    for name, (least, most) in RANGES.items():
        assert getattr(EdgeConfig().replace(**{name: least}), name) == least
        assert getattr(EdgeConfig().replace(**{name: most}), name) == most
        for beyond in (least - 1, most + 1):
            with pytest.raises(DataError, match=f"{name} must be"):
                EdgeConfig().replace(**{name: beyond})


def test_unreadable_yaml_and_unknown_presets_are_clear_errors(tmp_path: Path) -> None:
    file = tmp_path / "edge.yaml"
    with pytest.raises(DataError, match="Cannot read"):
        EdgeConfig.from_yaml(file)
    file.write_text("- 1\n", encoding="utf-8")
    with pytest.raises(DataError, match="mapping"):
        EdgeConfig.from_yaml(file)
    with pytest.raises(DataError, match="Unknown preset 'quick'"):
        EdgeConfig.preset("quick")


def _another(value: object) -> object:
    """A valid value that differs, for any setting."""
    if isinstance(value, float):
        return round(value / 2 + 0.01, 4)
    if isinstance(value, int):
        return value + 1
    if isinstance(value, tuple):
        return list(value[1:]) if value else ["krx", "law"]
    return 7 if value is None else {"drop": "rules"}.get(str(value), f"{value}2")


@pytest.mark.parametrize("name", [f.name for f in dataclasses.fields(EdgeConfig) if f.name != "updates"])
def test_every_setting_can_stand_in_a_file(tmp_path: Path, name: str) -> None:
    value = _another(getattr(EdgeConfig(), name))
    file = tmp_path / "settings.yaml"
    file.write_text(yaml.safe_dump({name: value}), encoding="utf-8")
    expected = tuple(value) if isinstance(value, list) else value
    assert EdgeConfig.from_yaml(file) == dataclasses.replace(EdgeConfig(), **{name: expected})


@pytest.mark.parametrize("name", [f.name for f in dataclasses.fields(Updates)])
def test_every_part_of_the_updates_is_named_with_a_dot_or_in_a_mapping(tmp_path: Path, name: str) -> None:
    expected = EdgeConfig(updates=dataclasses.replace(Updates(), **{name: 0.21}))
    file = tmp_path / "settings.yaml"
    for text in (f"updates: {{{name}: 0.21}}", f"updates.{name}: 0.21"):
        file.write_text(text, encoding="utf-8")
        assert EdgeConfig.from_yaml(file) == expected
    assert EdgeConfig.make(updates={name: 0.21}) == expected


def test_dotted_names_add_to_a_mapping_and_to_each_other() -> None:
    config = EdgeConfig().replace(**{"updates": {"quota": 0.4}, "updates.timeout": 0.2, "updates.server": 1})
    assert config.updates == Updates(quota=0.4, timeout=0.2, server=1.0)
    assert EdgeConfig().replace(**{"updates": Updates(quota=0.4), "updates.timeout": 0.2}).updates.quota == 0.4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rows: 0\n", "settings.yaml: EDGE settings: rows must be"),
        ("rowz: 5\n", "settings.yaml: Unknown EDGE settings: rowz. Did you mean rows"),
        ("tau: .nan\n", "settings.yaml: tau must be"),
        ("preset: [paper]\n", "settings.yaml: Unknown preset"),
        ("preset: fast\n", "settings.yaml: Unknown preset 'fast'"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_name(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        EdgeConfig.from_yaml(file)


def test_a_file_of_numbered_settings_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text("1: 2\n", encoding="utf-8")
    with pytest.raises(DataError, match="names of settings, not 1"):
        EdgeConfig.from_yaml(file)
