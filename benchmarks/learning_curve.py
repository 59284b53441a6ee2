"""Does training on rows of this project teach a model anything? A learning curve, on one CPU core or one GPU.

A model starts from its first weights and goes through SFT and GRPO with the trainers of `kopa_hf.train`, each within a
fixed budget, on the subset `easy-2hop`. The benchmark's own agent and scorer take pass@1 and pass@4 on validation tasks
whose entities no training row has. A second model gets the same budget on demonstrations that are shuffled between
rows: what it reaches, form and guessing alone do.

    python benchmarks/learning_curve.py --config benchmarks/learning_curve.yaml --output benchmarks/learning_curve

Writes OUTPUT.json, .csv (every logged step), .png and .md. Stages that --work holds already are not run again, and the two
arms may run side by side over one folder (`--arms golden`, `--arms shuffled`); whichever ends last writes the report.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import yaml

ARMS: Final = ("golden", "shuffled")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the arms that are missing, and write the report when all are there."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--config", type=Path, default=Path(__file__).with_suffix(".yaml"))
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="e.g. sft.seconds=60")
    parser.add_argument("--scale", type=float, default=1.0, help="Times as many rows and seconds: 0.01 to try it out.")
    parser.add_argument(
        "--scored", choices=("validation", "dev"), default="validation", help="dev: for choosing settings."
    )
    parser.add_argument("--output", type=Path, help="Report without suffix; default: beside the configuration.")
    parser.add_argument("--work", type=Path, help="Rows, models and results so far; default: a temporary folder.")
    parser.add_argument("--arms", nargs="+", choices=ARMS, default=list(ARMS))
    options = parser.parse_args(argv)
    config = scaled(read_config(options.config, options.set), options.scale) | {"scored": options.scored}
    output = options.output or options.config.with_suffix("")
    if options.work is not None:
        return _in(options.work, config, options.arms, output)
    with tempfile.TemporaryDirectory() as folder:
        return _in(Path(folder), config, options.arms, output)


def read_config(path: Path, changes: Sequence[str] = ()) -> dict[str, Any]:
    """The YAML file with `a.b=value` changes; values are YAML themselves."""
    config: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    for change in changes:
        name, _, value = change.partition("=")
        *parents, last = name.split(".")
        place = config
        for parent in parents:
            place = place[parent]
        place[last] = yaml.safe_load(value)
    return config


def scaled(config: dict[str, Any], scale: float) -> dict[str, Any]:
    """The configuration with `scale` times as many rows (of every split at least one of each kind), seconds and steps."""
    from learning.tasks import KINDS

    rows = {split: max(len(KINDS), round(scale * size)) for split, size in config["subset"].items()}
    budgets = {}
    for stage in ("sft", "grpo"):
        settings = dict(config[stage]["settings"])
        if "max_steps" in settings:
            settings["max_steps"] = max(1, round(scale * settings["max_steps"]))
        budgets[stage] = {"seconds": scale * config[stage]["seconds"], "settings": settings}
    return {**config, "subset": rows, **budgets}


def _in(work: Path, config: dict[str, Any], arms: Sequence[str], output: Path) -> int:
    # before anything imports torch
    os.environ["OMP_NUM_THREADS"] = str(config["threads"])
    os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")
    from learning.report import write_report

    work.mkdir(parents=True, exist_ok=True)
    for arm in arms:
        done = work / f"{arm}.json"
        if not done.exists():
            found = run_arm(arm, config, work)
            done.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    if all((work / f"{arm}.json").exists() for arm in ARMS):
        results = {arm: json.loads((work / f"{arm}.json").read_text(encoding="utf-8")) for arm in ARMS}
        print(write_report({"config": config, "machine": machine(config["threads"]), "arms": results}, output))
    return 0


def run_arm(arm: str, config: Mapping[str, Any], work: Path) -> dict[str, Any]:
    """Rows, model, SFT, GRPO, and the scores before, between, after and on the way."""
    import torch
    from learning import stages, tasks
    from learning.model import prepare

    torch.set_num_threads(config["threads"])
    executor = stages.shared_executor()
    rows = tasks.build(config["subset"], executor, config["seed"])
    held_out = rows[config["scored"]]
    base = work / "base"
    if not base.exists():
        prepare(config["model"], rows["train"], base, config["seed"])
    shown = tasks.shuffled(rows["train"], config["seed"]) if arm == "shuffled" else rows["train"]
    folders = {
        # rewards are judged by true rows in both arms; only the demonstrations of one are shuffled
        "sft": stages.write_rows({"train": shown, "validation": rows["dev"]}, work / arm / "rows-sft"),
        "grpo": stages.write_rows({"train": rows["train"], "validation": rows["dev"]}, work / arm / "rows-grpo"),
    }
    score = {"local": config["score"]["local"], "seed": config["seed"]}
    found: dict[str, Any] = {
        "rows": {split: len(made) for split, made in rows.items()},
        "entities": {split: len(tasks.entities(made)) for split, made in rows.items()},
        "parameters": stages.parameters(base),
        "points": [],
        "stages": {},
    }

    def note(stage: str, share: float, model: Path) -> dict[str, Any]:
        whole = share in (0.0, 1.0)
        rollouts = config["score" if whole else "curve"]["rollouts"]
        point = stages.score(model, held_out, executor, rollouts=rollouts, greedy=whole, **score)
        print(f"{arm} {stage} {share:g}: {point['sampled']}", flush=True)
        return {"stage": stage, "share": share, **point}

    # both arms begin with the same model
    before = work / "before.json"
    if not before.exists():
        before.write_text(json.dumps(note("before", 0.0, base)), encoding="utf-8")
    found["points"].append(json.loads(before.read_text(encoding="utf-8")))
    model = base
    for method in stages.METHODS:
        trained, done = work / arm / method, work / arm / f"{method}.json"
        if not done.exists():
            settings = {"seed": config["seed"], **config[method]["settings"]}
            if (arm, method) == ("shuffled", "sft"):
                # it would refuse to train on demonstrations that earn nothing
                settings["preflight"] = False
            spent = stages.train(
                method, model, folders[method], trained, settings,
                seconds=config[method]["seconds"], clock=config["clock"], marks=config["curve"]["marks"],
            )  # fmt: skip
            points = [note(method, share, folder) for share, folder in spent.marks.items()]
            points.append(note(method, 1.0, trained))
            log = {"seconds": round(spent.seconds, 1), "steps": spent.steps, "log": spent.lines}
            done.write_text(json.dumps({"points": points, "log": log}), encoding="utf-8")
        stage = json.loads(done.read_text(encoding="utf-8"))
        found["points"] += stage["points"]
        found["stages"][method] = stage["log"]
        model = trained
    return found


def machine(threads: int) -> dict[str, Any]:
    """What it ran on and with."""
    import torch
    import transformers
    import trl

    device = torch.cuda.get_device_name(0) if torch.cuda.is_available() else f"CPU, threads: {threads}"
    return {
        "device": device,
        "python": platform.python_version(),
        "torch": torch.__version__,
        "transformers": transformers.__version__,
        "trl": trl.__version__,
        "date": time.strftime("%Y-%m-%d"),
    }


if __name__ == "__main__":
    raise SystemExit(main())
