"""What GRPO asks a model in is what SFT taught it in: the rows' own schemas."""

from __future__ import annotations

from pathlib import Path

import pytest

from kopa_hf.hub.folder import rows_to_dataset
from kopa_hf.hub.loading import embedded_rows
from kopa_hf.train.settings import parse_settings
from tests.train.tiny import tiny_model, tiny_tokenizer

pytest.importorskip("trl", reason="extra `train` is not installed")


@pytest.mark.slow
def test_grpo_prompts_are_token_by_token_those_of_the_rows(tmp_path: Path) -> None:
    from kopa_hf.train.grpo import build_trainer

    rows = embedded_rows()[:3]
    tokenizer = tiny_tokenizer(rows)
    tiny_model(tokenizer).save_pretrained(tmp_path / "model")
    given = {"model_name_or_path": tmp_path / "model", "dataset_name": "embedded", "output_dir": tmp_path / "out"}
    given |= {"use_cpu": True, "bf16": False, "report_to": "none", "num_generations": 2}
    settings = parse_settings("grpo", [part for name, value in given.items() for part in (f"--{name}", str(value))])
    trainer = build_trainer(settings, rows_to_dataset(rows), None, tokenizer)
    trainer._batch_environments = [row.environment for row in rows]
    ids = trainer._tokenize_prompts([row.prompt for row in rows])[0]
    for row, prompt in zip(rows, ids, strict=True):
        text = tokenizer.apply_chat_template(row.prompt, tools=row.tools, add_generation_prompt=True, tokenize=False)
        assert tokenizer.decode(prompt) == text
        assert '"required"' in text
