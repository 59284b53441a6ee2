"""The one reward: the benchmark's own verdict on a rollout, as TRL wants it.

Lists in, list of floats out; `None` where a fault of the backend makes a rollout
unscorable, so that an outage never looks like a wrong answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kopa_hf.agent.environment import KopaEnvironment
from kopa_hf.bench.rows import COLUMNS, Row
from kopa_hf.bench.scoring import Score, score_rollout
from kopa_hf.errors import DataError

Messages = Sequence[Mapping[str, Any]]


def kopa_reward(
    prompts: Sequence[Messages],
    completions: Sequence[Messages],
    environments: Sequence[KopaEnvironment] | None = None,
    *,
    log_extra: Callable[[str, list[Any]], None] | None = None,
    log_metric: Callable[[str, float], None] | None = None,
    **columns: Any,
) -> list[float | None]:
    """1.0 where RESPONSE and ENVIRONMENT (as far as a row's `reward_basis` names them) hold, else 0.0.

    prompts, completions: conversations, one per rollout. environments: the rollouts' environments, in
    the same order, as TRL passes them; without them the calls of each transcript are executed again in a
    fresh episode. columns: the dataset's columns, each a list as long as `completions`.
    Returns one float per rollout, or None where a backend fault makes it unscorable.
    """
    scores = [
        rollout_score(row_of(prompts[index], columns, index), completion, environments[index] if environments else None)
        for index, completion in enumerate(completions)
    ]
    if log_extra is not None:
        log_extra("kopa_status", [score.status for score in scores])
        log_extra("kopa_reasons", ["; ".join(score.reasons) for score in scores])
    if log_metric is not None:
        counted = [score for score in scores if score.reward is not None]
        if counted:
            log_metric("kopa/action", sum(score.action or 0.0 for score in counted) / len(counted))
        log_metric("kopa/unscorable", 1 - len(counted) / len(scores) if scores else 0.0)
    return [score.reward for score in scores]


def rollout_score(row: Row, completion: Messages, environment: KopaEnvironment | None = None) -> Score:
    """The benchmark's score of one rollout; without an environment its calls are replayed."""
    if environment is None:
        environment = replay(row, completion)
    session = environment._session
    if session is None:
        raise DataError(f"Row {row.id}: the environment was not reset before scoring.")
    return score_rollout(row, session.calls, session.episode.state_hash(), final_answer(completion))


def replay(row: Row, completion: Messages) -> KopaEnvironment:
    """Execute the calls of a transcript in a fresh episode; one assistant turn is one step."""
    environment = KopaEnvironment()
    environment.reset(**{name: getattr(row, name) for name in COLUMNS if name != "environment"})
    session = environment._session
    if session is None:
        raise DataError(f"Row {row.id}: the environment did not start.")
    step = 0
    for message in completion:
        calls = message.get("tool_calls") or ()
        step += bool(calls)
        for call in calls:
            function = call.get("function") or call
            session.call(function["name"], function.get("arguments", {}), call_id=call.get("id"), step=step)
    return environment


def final_answer(completion: Messages) -> str | None:
    """The text of the last assistant turn, or None where the rollout ends on a tool call."""
    if not completion:
        return None
    last = completion[-1]
    if last.get("role") != "assistant" or last.get("tool_calls"):
        return None
    content = last.get("content")
    if isinstance(content, list):
        content = "".join(part.get("text", "") for part in content if isinstance(part, dict))
    return content or None


def row_of(prompt: Messages, columns: Mapping[str, Any], index: int) -> Row:
    """The row behind one rollout, from the columns that a trainer hands to reward functions."""
    own: dict[str, Any] = {"prompt": list(prompt), "completion": []}
    missing = [name for name in COLUMNS if name not in columns and name not in own]
    if missing:
        raise DataError(
            f"kopa_reward needs the dataset's columns {', '.join(missing)}; "
            "keep them (`remove_unused_columns=False`) and use a dataset of this layout."
        )
    return Row(**own, **{name: columns[name][index] for name in COLUMNS if name not in own})
