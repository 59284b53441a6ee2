"""What a learning curve leaves behind: numbers as JSON, every logged step as a table, a figure, and a page."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kopa_hf.bench.metrics import Interval, bootstrap_interval

STAGES: Final = {"before": "before training", "sft": "after SFT", "grpo": "after GRPO"}
_COLORS: Final = {"golden": "#1f6f8b", "shuffled": "#b0562c"}
_COLUMNS: Final = (
    "arm", "stage", "step", "seconds", "loss", "reward", "equal_groups", "entropy", "calls", "completion_tokens",
    "grad_norm",
)  # fmt: skip
_SMOOTH: Final = 10
"""Steps that a point of the reward curve is the mean of."""

Results = Mapping[str, Any]


def write_report(results: Results, output: Path) -> str:
    """Write OUTPUT.json, .csv, .png and .md; returns the page."""
    output.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(_without_logs(results), ensure_ascii=False, indent=1)
    output.with_suffix(".json").write_text(_compact(text) + "\n", encoding="utf-8")
    output.with_suffix(".csv").write_text(table(results), encoding="utf-8")
    draw(results, output.with_suffix(".png"))
    told = page(results, output.name)
    output.with_suffix(".md").write_text(told, encoding="utf-8")
    return told


def point(results: Results, arm: str, stage: str, share: float = 1.0) -> Mapping[str, Any]:
    """The scores of an arm at a place of the curve."""
    at = 0.0 if stage == "before" else share
    points: Sequence[Mapping[str, Any]] = results["arms"][arm]["points"]
    return next(p for p in points if (p["stage"], p["share"]) == (stage, at))


def gain(results: Results, arm: str) -> tuple[float, Interval]:
    """How much GRPO added to an arm's pass@1, and the 95% interval of that over tasks, each against itself."""
    before, after = (point(results, arm, stage)["sampled"]["passed"] for stage in ("sft", "grpo"))
    rollouts = point(results, arm, "grpo")["rollouts"]
    added = [(new - old) / rollouts for old, new in zip(before, after, strict=True)]
    interval = bootstrap_interval(added)
    assert interval is not None
    return sum(added) / len(added), interval


def verdict(results: Results) -> str:
    """One sentence on whether GRPO helped, by the intervals alone."""
    before, after = (point(results, "golden", stage)["sampled"] for stage in ("sft", "grpo"))
    added, interval = gain(results, "golden")
    moved = f"from {_rate(before, 'pass_at_1')} to {_rate(after, 'pass_at_1')}"
    paired = f"task by task {100 * added:+.1f} points, {100 * interval.low:+.1f} to {100 * interval.high:+.1f}"
    if after["pass_at_1_interval"][0] > before["pass_at_1_interval"][1]:
        return f"GRPO raised validation pass@1 beyond the intervals: {moved} ({paired})."
    if interval.low > 0:
        return (
            f"GRPO raised validation pass@1 {moved} ({paired}); the two intervals overlap, that of the gain is above 0."
        )
    return f"GRPO did not raise validation pass@1 beyond chance: {moved} ({paired})."


def greedily(results: Results) -> str:
    """The same of the likeliest answers, which are less a matter of how sharp a model's choices are."""
    before, after = (point(results, "golden", stage)["greedy"] for stage in ("sft", "grpo"))
    apart = after["pass_at_1_interval"][0] > before["pass_at_1_interval"][1]
    how = "do not overlap" if apart else "overlap"
    return f"Greedily decoded it went from {_rate(before, 'pass_at_1')} to {_rate(after, 'pass_at_1')}; the intervals {how}."


def never(results: Results) -> str:
    """Which kinds SFT left without a single success: they pay nothing, so GRPO has nothing to go by."""
    before, after = (point(results, "golden", stage)["sampled"]["by_kind"] for stage in ("sft", "grpo"))
    kinds = [kind for kind, rate in before.items() if rate == 0]
    if not kinds:
        return "After SFT some rollout solved a task of every kind."
    still = sum(after[kind] == 0 for kind in kinds)
    return f"After SFT no rollout solved a task of {len(kinds)} of the {len(before)} kinds ({', '.join(kinds)}); after GRPO none did of {still}."


def table(results: Results) -> str:
    """Every logged step of every stage, comma-separated."""
    text = io.StringIO()
    writer = csv.DictWriter(text, _COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for arm, found in results["arms"].items():
        for stage, spent in found["stages"].items():
            for line in spent["log"]:
                writer.writerow({"arm": arm, "stage": stage, **{name: f"{value:.6g}" for name, value in line.items()}})
    return text.getvalue()


def page(results: Results, name: str) -> str:
    """The report as Markdown."""
    config, arms = results["config"], results["arms"]
    golden = arms["golden"]
    clock = "processor seconds of one core" if config["clock"] == "cpu" else "seconds"
    rows, entities = golden["rows"], golden["entities"]
    lines = [
        f"# Learning curve: {config['name']}",
        "",
        verdict(results),
        greedily(results),
        never(results),
        "",
        f"- Subset `easy-2hop`, one or two calls a task: {rows['train']} training rows over {entities['train']} entities; "
        f"{rows['validation']} validation tasks over {entities['validation']} entities that no training row has.",
        f"- Model: {config['about']}, {golden['parameters']:,} parameters.",
        f"- Budget of either arm: {_budget(config, 'sft')}, then {_budget(config, 'grpo')} ({clock}).",
        f"- Sampled at temperature 1, {config['score']['rollouts']} rollouts a task; 95% intervals by bootstrap over "
        "tasks and rollouts. Where no rollout passed, a bootstrap gives [0, 0]; by the rule of three the upper bound is then "
        f"about {3 / rows['validation']:.3f}.",
        f"- Ran on {_machine(results['machine'])}.",
        "",
        "| demonstrations | stage | pass@1 | pass@4 | pass@1, greedy |",
        "|---|---|---|---|---|",
        *_rows(results),
        "",
        "pass@1 by kind of task:",
        "",
        "| kind | after SFT | after GRPO | shuffled, at its end |",
        "|---|---|---|---|",
        *_kinds(results),
        "",
        f"![curve]({name}.png)",
        "",
        "Shuffled demonstrations are golden runs of other entities' rows of the same kind: the form is right, what is "
        "asked for and what is done have nothing to do with each other. (The trainer's preflight refuses them and is switched "
        "off for that stage.) Rewards are true in both arms. Settings were chosen on the split `dev`. One seed; the step-by-step log is "
        f"[{name}.csv]({name}.csv), all scores are in [{name}.json]({name}.json).",
        "",
        *(f"Stages: {arm} {_stages(found)}." for arm, found in arms.items()),
        *(
            []
            if "grpo" in arms["shuffled"]["stages"]
            else ["GRPO of the shuffled arm is not in this report: it was not finished."]
        ),
    ]
    return "\n".join(lines) + "\n"


def draw(results: Results, path: Path) -> None:
    """Validation pass@1 and pass@4 over the budget, and the training reward of GRPO."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.2), width_ratios=(3, 2))
    for arm, found in results["arms"].items():
        spans = {stage: spent["seconds"] for stage, spent in found["stages"].items()}
        sft = spans["sft"]
        begins = {"grpo": sft}
        places = [
            (begins.get(p["stage"], 0.0) + p["share"] * spans.get(p["stage"], 0.0), p["sampled"])
            for p in found["points"]
        ]
        at, rates = [x for x, _ in places], [p["pass_at_1"] for _, p in places]
        low, high = zip(*(p["pass_at_1_interval"] for _, p in places), strict=True)
        left.plot(at, rates, marker="o", markersize=4, color=_COLORS[arm], label=f"pass@1, {arm} demonstrations")
        left.fill_between(at, low, high, color=_COLORS[arm], alpha=0.2, linewidth=0)
        four = [(x, p["pass_at_4"]) for x, p in places if "pass_at_4" in p]
        left.plot(*zip(*four, strict=True), linestyle="none", marker="^", color=_COLORS[arm], label=f"pass@4, {arm}")
        log = found["stages"].get("grpo", {"log": []})["log"]
        right.plot(*_smoothed(log), color=_COLORS[arm], label=f"{arm} demonstrations")
        left.axvline(sft, color=_COLORS[arm], linestyle=":", linewidth=1)
    left.set(xlabel="seconds of training (dotted: GRPO begins)", ylabel="validation tasks of unseen entities")
    right.set(xlabel="GRPO step", ylabel=f"training reward, mean of {_SMOOTH} steps")
    for axes in (left, right):
        axes.set_ylim(0, min(1, 1.5 * axes.get_ylim()[1]))
        axes.legend(fontsize=8, loc="upper left")
        axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path, dpi=130, metadata={"Software": None})
    pyplot.close(figure)


def _smoothed(log: Sequence[Mapping[str, float]]) -> tuple[list[float], list[float]]:
    """Steps and the mean reward of each with the ones before it, `_SMOOTH` in all."""
    kept = [line for line in log if "reward" in line]
    rewards = [line["reward"] for line in kept]
    means = [rewards[max(0, at + 1 - _SMOOTH) : at + 1] for at in range(len(rewards))]
    return [line["step"] for line in kept], [sum(part) / len(part) for part in means]


def _rows(results: Results) -> Iterator[str]:
    for arm in results["arms"]:
        for stage in ("before", *results["arms"][arm]["stages"]):
            words, found = STAGES[stage], point(results, arm, stage)
            sampled, greedy = found["sampled"], found["greedy"]
            four = _rate(sampled, "pass_at_4") if "pass_at_4" in sampled else "-"
            yield f"| {arm} | {words} | {_rate(sampled, 'pass_at_1')} | {four} | {_rate(greedy, 'pass_at_1')} |"


def _kinds(results: Results) -> Iterator[str]:
    last = list(results["arms"]["shuffled"]["stages"])[-1]
    columns = [
        point(results, arm, stage)["sampled"]["by_kind"]
        for arm, stage in (("golden", "sft"), ("golden", "grpo"), ("shuffled", last))
    ]
    for kind in columns[0]:
        yield f"| {kind} | " + " | ".join(f"{column[kind]:.3f}" for column in columns) + " |"


def _rate(found: Mapping[str, Any], name: str) -> str:
    low, high = found[f"{name}_interval"]
    return f"{found[name]:.3f} [{low:.3f}, {high:.3f}]"


def _budget(config: Mapping[str, Any], stage: str) -> str:
    steps = config[stage]["settings"].get("max_steps")
    bound = f"{config[stage]['seconds']:g} s"
    return (
        f"{stage.upper()} {bound}" if steps is None else f"{stage.upper()} {steps} steps or {bound}, what comes first"
    )


def _stages(found: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{stage.upper()} {spent['steps']} steps in {spent['seconds']:.0f} s"
        for stage, spent in found["stages"].items()
    )


def _machine(machine: Mapping[str, Any]) -> str:
    return (
        f"{machine['device']}, torch {machine['torch']}, transformers {machine['transformers']}, TRL {machine['trl']}"
    )


def _without_logs(results: Results) -> dict[str, Any]:
    """The logs of single steps are the table's."""
    arms = {}
    for arm, found in results["arms"].items():
        stages = {name: {k: v for k, v in spent.items() if k != "log"} for name, spent in found["stages"].items()}
        arms[arm] = {**found, "stages": stages}
    return {**results, "arms": arms}


def _compact(text: str) -> str:
    """Indented JSON with lists of numbers on one line each."""
    return re.sub(r"\[\s+((?:-?[\d.e+-]+,?\s+)+)\]", lambda found: "[" + " ".join(found[1].split()) + "]", text)
