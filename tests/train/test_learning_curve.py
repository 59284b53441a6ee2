"""The learning curve's tasks, its control, and its whole path at a hundredth of its size."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from kopa_hf.bench.rows import Row
from kopa_hf.execution.executor import Executor
from kopa_hf.train.reward import rollout_score
from tests.train.tiny import tiny_model, tiny_tokenizer

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def benchmark() -> Iterator[Any]:
    """Names of the benchmark's modules, as the script imports them."""
    sys.path.insert(0, str(BENCHMARKS))
    import learning.model
    import learning.report
    import learning.tasks
    import learning_curve

    parts = ModuleType("parts")
    vars(parts).update(tasks=learning.tasks, model=learning.model, report=learning.report, script=learning_curve)
    yield parts
    sys.path.remove(str(BENCHMARKS))


@pytest.fixture(scope="module")
def rows(benchmark: Any) -> dict[str, list[Row]]:
    made: dict[str, list[Row]] = benchmark.tasks.build({"train": 42, "dev": 7, "validation": 14}, Executor())
    return made


def kinds(rows: list[Row]) -> dict[str, int]:
    names = [row.provenance["kind"] for row in rows]
    return {name: names.count(name) for name in names}


def test_every_split_has_as_many_tasks_of_each_kind_and_at_most_two_hops(
    benchmark: Any, rows: dict[str, list[Row]]
) -> None:
    assert {split: set(kinds(made).values()) for split, made in rows.items()} == {
        "train": {6}, "dev": {1}, "validation": {2},
    }  # fmt: skip
    assert len(kinds(rows["train"])) == 7
    assert {row.hops for row in rows["train"]} == {1, 2}


def test_no_entity_of_one_split_occurs_in_another(benchmark: Any, rows: dict[str, list[Row]]) -> None:
    named = {split: {row.provenance["entity"] for row in made} for split, made in rows.items()}
    assert not named["train"] & named["validation"]
    assert not named["train"] & named["dev"]
    assert not named["dev"] & named["validation"]
    # and what rows say is what their questions ask about
    assert all(f"'{row.provenance['entity']}'" in row.prompt[-1]["content"] for row in rows["validation"])


def test_questions_tell_neither_answers_nor_what_leads_to_them(rows: dict[str, list[Row]]) -> None:
    for row in (*rows["train"], *rows["validation"]):
        question = row.prompt[-1]["content"]
        passed_on = [value for action in row.golden_actions[1:] for value in action["arguments"].values()]
        assert not any(value in question for value in (row.answer, *passed_on))


def test_golden_runs_earn_one_and_shuffled_ones_nothing(benchmark: Any, rows: dict[str, list[Row]]) -> None:
    assert [rollout_score(row, row.completion).reward for row in rows["train"]] == [1.0] * 42
    lies = benchmark.tasks.shuffled(rows["train"])
    assert [row.id for row in lies] == [row.id for row in rows["train"]]
    asked = [row.provenance["entity"] for row in lies]
    done = [next(iter(row.golden_actions[0]["arguments"].values())) for row in lies]
    assert not any(entity == other for entity, other in zip(asked, done, strict=True))
    # all runs are there, each once, and of the kind that the question is of
    assert sorted(str(row.completion) for row in lies) == sorted(str(row.completion) for row in rows["train"])
    assert [[a["name"] for a in row.golden_actions] for row in lies] == [
        [a["name"] for a in row.golden_actions] for row in rows["train"]
    ]
    # two entities may share a value (a route has many tollgates), most do not
    rewards = [rollout_score(row, row.completion).reward for row in lies]
    assert sum(reward == 1.0 for reward in rewards) < 6


@pytest.mark.slow
def test_digits_are_tokens_of_their_own_and_values_are_spelled_alike_everywhere(
    benchmark: Any, rows: dict[str, list[Row]]
) -> None:
    pytest.importorskip("trl", reason="extra `train` is not installed")
    tokenizer = benchmark.model.train_tokenizer(rows["train"], vocabulary=2000, least=4)
    for row in rows["validation"]:
        text = benchmark.model.conversation_text(tokenizer, row)
        ids = tokenizer(text)["input_ids"]
        assert tokenizer.decode(ids) == text
        pieces = [tokenizer.decode([token]) for token in ids]
        assert all(len(piece) == 1 for piece in pieces if any(sign.isdigit() for sign in piece))
        value = tokenizer(row.answer)["input_ids"]
        starts = [at for at in range(len(ids)) if ids[at : at + len(value)] == value]
        # in the result and in the box
        assert len(starts) >= 2


def test_the_verdict_follows_the_intervals(benchmark: Any) -> None:
    def results(before: list[int], after: list[int]) -> dict[str, Any]:
        def at(stage: str, passed: list[int]) -> dict[str, Any]:
            rate = sum(passed) / (4 * len(passed))
            interval = [rate - 0.05, rate + 0.05]
            sampled = {"pass_at_1": rate, "pass_at_1_interval": interval, "passed": passed}
            return {"stage": stage, "share": 1.0, "rollouts": 4, "sampled": sampled}

        return {"arms": {"golden": {"points": [at("sft", before), at("grpo", after)]}}}

    verdict = benchmark.report.verdict
    assert verdict(results([0, 1, 2, 1] * 20, [3, 4, 4, 2] * 20)).startswith("GRPO raised validation pass@1 beyond")
    assert "intervals overlap" in verdict(results([1] * 80, [1] * 60 + [2] * 20))
    assert verdict(results([2] * 80, [2] * 80)).startswith("GRPO did not raise")
    assert verdict(results([2] * 80, [1] * 80)).startswith("GRPO did not raise")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["learning_curve", "learning_curve_gpu"])
def test_the_whole_path_at_a_hundredth_of_its_size(
    benchmark: Any, rows: dict[str, list[Row]], tmp_path: Path, name: str
) -> None:
    pytest.importorskip("trl", reason="extra `train` is not installed")
    changes = ["sft.settings.use_cpu=true", "grpo.settings.use_cpu=true", "grpo.settings.preflight=false"]
    # one arm's demonstrations pass the preflight, the other's never could
    changes += ["sft.settings.preflight_rows=1"]
    changes += [
        "sft.settings.bf16=false",
        "grpo.settings.bf16=false",
        "grpo.settings.per_device_train_batch_size=8",
        "grpo.settings.gradient_accumulation_steps=1",
    ]
    changes += ["score.local.max_new_tokens=24", "threads=1", "curve.marks=[0.5]"]
    if name == "learning_curve_gpu":
        tokenizer = tiny_tokenizer(rows["train"])
        tokenizer.eos_token = "<|endoftext|>"  # as base models have it
        benchmark.model.save(tokenizer, tiny_model(tokenizer), tmp_path / "tiny")
        changes += [f"model.name={tmp_path / 'tiny'}", "score.local.device=cpu"]
    else:
        changes += ["model.tokenizer_rows=40", "model.least=4"]
    given = [part for change in changes for part in ("--set", change)]
    output, work = tmp_path / "curve", tmp_path / "work"
    config = ["--config", str(BENCHMARKS / f"{name}.yaml"), "--output", str(output), "--work", str(work)]
    assert benchmark.script.main([*config, "--scale", "0.01", *given]) == 0

    from transformers import AutoModelForCausalLM, AutoTokenizer

    # generation stops where a turn ends
    begun = AutoModelForCausalLM.from_pretrained(work / "base")
    assert AutoTokenizer.from_pretrained(work / "base").decode([begun.generation_config.eos_token_id]) == "<|im_end|>"
    found = json.loads(output.with_suffix(".json").read_text(encoding="utf-8"))
    for arm in ("golden", "shuffled"):
        places = [(point["stage"], point["share"]) for point in found["arms"][arm]["points"]]
        assert places == [("before", 0), ("sft", 0.5), ("sft", 1), ("grpo", 0.5), ("grpo", 1)]
        assert all(point["sampled"]["faults"] == 0 for point in found["arms"][arm]["points"])
        assert all(stage["steps"] >= 1 for stage in found["arms"][arm]["stages"].values())
    assert found["arms"]["golden"]["parameters"] <= 10_000_000
    with output.with_suffix(".csv").open(encoding="utf-8") as file:
        logged = list(csv.DictReader(file))
    assert {(line["arm"], line["stage"]) for line in logged} == {
        (arm, stage) for arm in ("golden", "shuffled") for stage in ("sft", "grpo")
    }
    assert all(line["reward"] for line in logged if line["stage"] == "grpo")
    page = output.with_suffix(".md").read_text(encoding="utf-8")
    assert page.count("| golden |") == page.count("| shuffled |") == 3
    assert output.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
