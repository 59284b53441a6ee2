"""Settings as TRL's parser reads them, the shipped presets, and what is refused before a run."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

import kopa_hf.train
from kopa_hf.bench.rows import Row, row_to_dict
from kopa_hf.errors import DataError, KopaError
from kopa_hf.hub.folder import rows_to_dataset
from kopa_hf.train.dataset import load_rows, sft_records
from tests.hub.rows import hard_rows
from tests.train.runs import arguments, short_rows, write_model, write_rows

pytest.importorskip("trl", reason="extra `train` is not installed")

from kopa_hf.train import grpo, running, sft
from kopa_hf.train.estimate import Layout, Shape, TokenCount, hours, length_problems, memory, model_shape
from kopa_hf.train.settings import KopaArguments, parse_settings
from kopa_hf.train.templates import set_template, template_names
from kopa_hf.train.tiny import tiny_tokenizer

PRESETS = sorted((Path(kopa_hf.train.__file__).parent / "presets").glob("*.yaml"))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("model") / "tiny", short_rows(2))


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_rows(tmp_path_factory.mktemp("rows") / "edge", short_rows(2))


def test_both_sizes_both_methods_and_three_numbers_of_gpus_are_shipped() -> None:
    names = {f"qwen3_5_{size}_{m}_{n}gpu" for size in ("4b", "9b") for m in ("grpo", "sft") for n in (1, 2, 8)}
    assert {path.stem for path in PRESETS} == names


@pytest.mark.parametrize("path", PRESETS, ids=lambda path: path.stem)
def test_the_installed_trl_reads_every_preset(path: Path) -> None:
    method = "grpo" if "_grpo_" in path.stem else "sft"
    # `use_cpu` as on any machine without a GPU
    settings = parse_settings(method, ["--config", str(path), "--use_cpu", "true"])  # type: ignore[arg-type]
    size = "4B" if "_4b_" in path.stem else "9B"
    assert settings.model.model_name_or_path == f"Qwen/Qwen3.5-{size}"
    assert settings.script.dataset_test_split == "validation"
    assert f"_{settings.kopa.planned_gpus}gpu" in path.stem
    assert settings.model.use_peft is (settings.kopa.planned_gpus < 8)
    assert settings.kopa.chat_template in template_names()
    assert settings.training.load_best_model_at_end
    if method == "grpo":
        assert settings.training.num_generations == 4
        assert settings.training.generation_batch_size % 4 == 0
        assert (settings.kopa.action_weight, settings.kopa.format_weight) == (0.0, 0.0)
    else:
        assert settings.training.assistant_only_loss


MEASURED = TokenCount(
    prompt_max=8599, prompt_mean=4069, schema_max=8178, schema_mean=3656, completion_max=12185, completion_mean=5131,
    spoken_mean=1296, whole_max=20784, rows=1781, source="a dry run over the 1,781 rows of preset `paper`",
)  # fmt: skip


@lru_cache(maxsize=2)
def shape_of(name: str) -> Shape:
    return model_shape(name)


@pytest.mark.slow
@pytest.mark.parametrize("path", PRESETS, ids=lambda path: path.stem)
def test_every_preset_has_room_for_the_longest_rows_on_its_gpus(path: Path) -> None:
    method: Any = "grpo" if "_grpo_" in path.stem else "sft"
    settings = parse_settings(method, ["--config", str(path), "--use_cpu", "true"])
    shape, layout = (
        shape_of(settings.model.model_name_or_path),
        Layout(settings.kopa.planned_gpus, settings.kopa.planned_sharding),
    )
    assert length_problems(method, settings, MEASURED, shape.context) == []
    used = memory(method, settings, shape, MEASURED, layout)
    assert 0.1 * settings.kopa.gpu_memory_gb < used["total"] <= settings.kopa.gpu_memory_gb
    assert 0 < hours(method, settings, shape, MEASURED, layout)["total"] < 100


@pytest.mark.parametrize("method", ["grpo", "sft"])
def test_a_dry_run_needs_neither_gpu_nor_download(method: str, rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main = grpo.main if method == "grpo" else sft.main
    preset = next(path for path in PRESETS if path.stem == f"qwen3_5_4b_{method}_8gpu")
    assert main(["--config", str(preset), "--dataset_name", str(rows), "--dry-run"]) == 0
    told = capsys.readouterr().out
    for word in ("4.21e9 parameters", "estimate without tokenizer", "tool schemas", "8 GPU(s)", "memory", "time"):
        assert word in told


def test_a_dry_run_checks_how_vllm_generates(
    model: Path, rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [*arguments(model, rows, tmp_path), "--num_generations", "2", "--dry_run", "--use_vllm", "true"]
    given += ["--max_completion_length", "20000", "--planned_gpus", "4"]
    assert grpo.main([*given, "--vllm_mode", "colocate", "--vllm_tensor_parallel_size", "2"]) == 0
    assert "colocate, 30% of each GPU, tensor parallel 2" in capsys.readouterr().out
    assert grpo.main([*given, "--vllm_mode", "colocate", "--vllm_tensor_parallel_size", "3"]) == 1
    assert "vllm_tensor_parallel_size 3 does not divide 4 GPU(s)" in capsys.readouterr().out
    assert grpo.main([*given, "--vllm_mode", "server", "--vllm_server_base_url", "http://gpu:9000"]) == 0
    told = capsys.readouterr().out
    assert "server at http://gpu:9000" in told
    assert f"vllm serve {model}" in told
    assert grpo.main([*given, "--vllm_mode", "server", "--vllm_max_model_length", "20100"]) == 1
    assert "vllm_max_model_length is 20100" in capsys.readouterr().out


def test_a_dry_run_counts_with_the_models_tokenizer_and_refuses_what_does_not_fit(
    model: Path, rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [*arguments(model, rows, tmp_path), "--num_generations", "2", "--dry_run"]
    assert grpo.main([*given, "--max_completion_length", "20000"]) == 0
    assert "the model's tokenizer" in capsys.readouterr().out
    assert grpo.main([*given, "--max_completion_length", "20"]) == 1
    assert "the longest golden run takes" in capsys.readouterr().out
    # the same is refused before training
    assert grpo.main([*given[:-1], "--max_completion_length", "20"]) == 2
    assert "max_completion_length is 20" in capsys.readouterr().err


def test_what_is_wrong_is_said_before_anything_loads(
    model: Path, rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = tmp_path / "odd.yaml"
    odd.write_text("no_such_setting: 1\n")
    base = [*arguments(model, rows, tmp_path / "out"), "--num_generations", "2"]
    cases = {
        "no_such_setting": ["--config", str(odd), *base],
        "share between 0 and 1": [*base, "--max_environment_errors", "3"],
        "no chat template": [*base, "--chat_template", "qwen3_training"],
        "no split validation": [*base, "--eval_strategy", "epoch"],
        "nothing to resume": [*base, "--resume_from_checkpoint", "true"],
        "vllm is not installed": [*base, "--use_vllm", "true"],
        "divisible": [*base, "--num_generations", "3"],
    }
    for words, given in cases.items():
        assert grpo.main(given) == 2, words
        assert words in capsys.readouterr().err.lower()


def _changed(row: Row, **values: Any) -> Any:
    return rows_to_dataset([replace(row, **values)])


@pytest.mark.parametrize(
    ("values", "word"), [({"version": "0.9"}, "version 0.9"), ({"environment": ""}, "names no toolset")]
)
def test_rows_of_another_version_or_without_toolset_are_refused(
    monkeypatch: pytest.MonkeyPatch, values: dict[str, Any], word: str
) -> None:
    monkeypatch.setattr("kopa_hf.train.dataset.load_kopa_bench", lambda: _changed(hard_rows()[0], **values))
    with pytest.raises(DataError, match=word):
        load_rows("embedded", "test")


def test_a_tool_that_the_catalog_lacks_is_refused(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = hard_rows()[0]
    unknown = {"type": "function", "function": {"name": "no_such_tool", "parameters": {"type": "object"}}}
    folder = write_rows(tmp_path / "edge", (replace(row, tools=[*row.tools, unknown]),))
    given = [*arguments(model, folder, tmp_path / "out"), "--num_generations", "2", "--preflight", "false"]
    assert grpo.main([*given, "--max_completion_length", "60000"]) == 2
    assert "no_such_tool" in capsys.readouterr().err


def test_templates_are_known_by_name_or_text() -> None:
    tokenizer = tiny_tokenizer(hard_rows()[:1])
    text = tokenizer.chat_template
    tokenizer.chat_template = f"{text}\n\n"
    assert set_template(tokenizer) == "qwen3"
    assert tokenizer.chat_template == text
    tokenizer.chat_template = "{{ messages }}"
    with pytest.raises(DataError, match="none that TRL knows"):
        set_template(tokenizer)
    assert set_template(tokenizer, "qwen3_5_think") == "qwen3_5_think"
    with pytest.raises(DataError, match="one call a turn"):
        set_template(tokenizer, "llama3_1")


def test_a_checkpoint_that_was_cut_short_is_set_aside(tmp_path: Path) -> None:
    whole, broken = tmp_path / "checkpoint-1", tmp_path / "checkpoint-2"
    for folder in (whole, broken):
        folder.mkdir()
    (whole / "trainer_state.json").write_text("{}")
    assert running.set_aside(tmp_path) == tmp_path / "_incomplete-checkpoint-2"
    assert running.set_aside(tmp_path) is None
    training = type("Training", (), {"output_dir": str(tmp_path), "resume_from_checkpoint": "true"})()
    assert running.last_checkpoint(training) == str(whole)
    # cut short once more at the same step: the newer one takes the place of the older
    for part, name in ((tmp_path / "_incomplete-checkpoint-2", "old"), (broken, "new")):
        part.mkdir(exist_ok=True)
        (part / name).touch()
    assert running.set_aside(tmp_path) == tmp_path / "_incomplete-checkpoint-2"
    assert [path.name for path in (tmp_path / "_incomplete-checkpoint-2").iterdir()] == ["new"]


def test_weights_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(KopaError, match="action_weight"):
        KopaArguments(action_weight=float("nan"))


def test_sft_rows_hold_messages_and_tools_only() -> None:
    row = hard_rows()[0]
    records = sft_records(rows_to_dataset([row]))
    assert records.column_names == ["messages", "tools"]
    assert len(records[0]["messages"]) == len(row.prompt) + len(row.completion)
    assert row_to_dict(row)["tools"] == records[0]["tools"]
