"""Every shipped launch configuration is one that the installed accelerate understands."""

from __future__ import annotations

import pytest

from kopa_hf.shipped import shipped_path

config_args = pytest.importorskip("accelerate.commands.config.config_args", reason="extra `train` is not installed")

KINDS = {
    "cpu": "NO",
    "single_gpu": "NO",
    "zero1": "DEEPSPEED",
    "zero2": "DEEPSPEED",
    "zero3": "DEEPSPEED",
    "fsdp2": "FSDP",
}


def test_the_shipped_configurations_are_these() -> None:
    assert {path.stem for path in shipped_path("accelerate_configs").glob("*.yaml")} == set(KINDS)


@pytest.mark.parametrize(("name", "kind"), KINDS.items())
def test_accelerate_reads_it_as_what_it_says(name: str, kind: str) -> None:
    config = config_args.load_config_from_file(str(shipped_path(f"accelerate_configs/{name}.yaml")))
    assert config.distributed_type.value == kind
    assert config.use_cpu is (name == "cpu")
    if kind == "DEEPSPEED":
        assert config.deepspeed_config["zero_stage"] == int(name[-1])
    if kind == "FSDP":
        assert config.fsdp_config["fsdp_version"] == 2
