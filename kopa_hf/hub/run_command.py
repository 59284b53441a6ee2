"""Which command makes a run again: the one that its log names, or one that comes to the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kopa_hf.bench.policies import LADDER, POLICIES
from kopa_hf.bench.rows import Row
from kopa_hf.bench.run_log import Line
from kopa_hf.hub.loading import CONFIGS, in_config
from kopa_hf.values.printable import printable

_LONGEST: Final = 2000
"""Characters of a command that a card shows."""


def run_commands(lines: Sequence[Line]) -> list[str]:
    """The commands that wrote these rollouts, each once, in the log's order; none in logs of before they were kept."""
    told = (" ".join(printable(str(line.get("command") or "")).split()) for line in lines)
    # a log is a file from anywhere: what is shown as a command is one of ours
    return [text[:_LONGEST] for text in dict.fromkeys(told) if text.startswith("kopa ")]


def is_scripted(agent: str) -> bool:
    """Whether an agent of a log is a script of this package (`--model policy:…`), which uses no model."""
    return agent in POLICIES or agent in {policy.name for policy in LADDER} or agent == "most_frequent_answer"


def equal_command(lines: Sequence[Line], rows: Sequence[Row]) -> str:
    """`kopa eval …` with what the log tells of one agent's run: who, which tasks, how many rollouts, which seed.

    `rows`: the benchmark's. Where a model is served no log says, and how it sampled stands among the settings.
    """
    policy = lines[0]["policy"] if lines else "gold"
    who = f"policy:{policy}" if is_scripted(policy) else f"http://HOST:PORT/v1#{policy}"
    ran = {line["row"] for line in lines}
    fitting = [name for name in CONFIGS if ran and ran == {row.id for row in rows if in_config(row, name)}]
    config = f" --config {fitting[0]}" if fitting and fitting[0] != "default" else ""
    rollouts = max((line["rollout"] for line in lines), default=0) + 1
    seeds = sorted({line["seed"] for line in lines})
    return f"kopa eval --model {who}{config} --rollouts {rollouts} --seed {seeds[0] if seeds else 0}"
