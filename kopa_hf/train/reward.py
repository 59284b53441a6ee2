"""The one reward: the benchmark's own verdict on a rollout, as TRL wants it.

Lists in, list of floats out; `None` where a fault of the backend makes a rollout
unscorable, so that an outage never looks like a wrong answer. Two parts may be
added by weight, both off by default: ACTION and the form of a rollout.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.agent.environment import KopaEnvironment
from kopa_hf.agent.session import ExecutedCall, Session
from kopa_hf.bench.rows import ANSWER_TYPES, COLUMNS, REWARD_BASES, Row
from kopa_hf.bench.scoring import Score, score_rollout, service_failed
from kopa_hf.errors import DataError, KopaError

Messages = Sequence[Mapping[str, Any]]

_MALFORMED: Final = frozenset({"unknown_tool", "bad_param"})
"""Outcomes of calls that no service ever saw."""


@dataclass(frozen=True, slots=True)
class Rollout:
    """One scored rollout, for those who watch a run."""

    row_id: str
    score: Score
    reward: float | None
    """The score's reward and the weighted parts; None where unscorable."""
    calls: int
    """Calls that reached a tool."""
    environment_errors: int
    """Of these, the ones that failed by fault of the environment."""


Watch = Callable[[Sequence[Rollout]], None]
"""Called once per batch of this process with its rollouts."""


def reward_function(
    *, action_weight: float = 0.0, format_weight: float = 0.0, watch: Watch | None = None
) -> Callable[..., list[float | None]]:
    """`kopa_reward` with weighted parts and a watcher, under the same name in every log."""

    def weighted(prompts: Sequence[Messages], completions: Sequence[Messages], **given: Any) -> list[float | None]:
        return kopa_reward(
            prompts, completions, action_weight=action_weight, format_weight=format_weight, watch=watch, **given
        )

    weighted.__name__ = kopa_reward.__name__
    return weighted


def kopa_reward(
    prompts: Sequence[Messages],
    completions: Sequence[Messages],
    environments: Sequence[KopaEnvironment] | None = None,
    *,
    action_weight: float = 0.0,
    format_weight: float = 0.0,
    watch: Watch | None = None,
    log_extra: Callable[[str, list[Any]], None] | None = None,
    log_metric: Callable[[str, float], None] | None = None,
    **columns: Any,
) -> list[float | None]:
    """1.0 where RESPONSE and ENVIRONMENT (as far as a row's `reward_basis` names them) hold, else 0.0.

    prompts, completions: conversations, one per rollout. environments: the rollouts' environments, in
    the same order, as TRL passes them; without them the calls of each transcript are executed again in a
    fresh episode. columns: the dataset's columns, each a list as long as `completions`.
    action_weight, format_weight: what ACTION and `well_formed` (both 0 to 1) add.
    Returns one float per rollout, or None where a backend fault makes it unscorable.
    Raises KopaError where a reward is no finite number.
    """
    rollouts: list[Rollout] = []
    forms: list[float] = []
    for index, completion in enumerate(completions):
        row = row_of(prompts[index], columns, index)
        completion = _conversation(completion)
        environment = environments[index] if environments else replay(row, completion)
        score = rollout_score(row, completion, environment)
        calls = _calls_of(environment)
        forms.append(well_formed(completion, calls))
        reward = score.reward
        if reward is not None:
            reward += action_weight * (score.action or 0.0) + format_weight * forms[-1]
            if not math.isfinite(reward):
                raise KopaError(
                    f"Row {row.id}: the reward is {reward}. Training on it would ruin the weights; stopped."
                )
        reached = [call for call in calls if call.executed]
        failed = sum(map(service_failed, reached)) + environment._broken
        rollouts.append(Rollout(row.id, score, reward, len(reached) + environment._broken, failed))
    if watch is not None:
        watch(rollouts)
    if log_extra is not None:
        log_extra("kopa_status", [rollout.score.status for rollout in rollouts])
        log_extra("kopa_reasons", ["; ".join(rollout.score.reasons) for rollout in rollouts])
    if log_metric is not None:
        _log_parts(rollouts, forms, log_metric)
    return [rollout.reward for rollout in rollouts]


def well_formed(completion: Messages, calls: Sequence[ExecutedCall]) -> float:
    """Share of calls that a service could have answered, 0 where the rollout ends without an answer."""
    if final_answer(completion) is None:
        return 0.0
    wrong = sum(not call.executed and call.result.outcome in _MALFORMED for call in calls)
    return 1 - wrong / len(calls) if calls else 1.0


def _calls_of(environment: KopaEnvironment) -> Sequence[ExecutedCall]:
    return () if environment._session is None else environment._session.calls


def _log_parts(rollouts: Sequence[Rollout], forms: Sequence[float], log_metric: Callable[[str, float], None]) -> None:
    """Means over the scored rollouts; a part that no row is judged by is not logged."""
    counted = [rollout.score for rollout in rollouts if rollout.score.reward is not None]
    for part in ("response", "environment", "action"):
        values = [value for score in counted if (value := getattr(score, part)) is not None]
        if values:
            log_metric(f"kopa/{part}", sum(values) / len(values))
    if rollouts:
        log_metric("kopa/format", sum(forms) / len(forms))
    log_metric("kopa/unscorable", 1 - len(counted) / len(rollouts) if rollouts else 0.0)
    calls = sum(rollout.calls for rollout in rollouts)
    log_metric("kopa/environment_errors", sum(r.environment_errors for r in rollouts) / calls if calls else 0.0)


def rollout_score(row: Row, completion: Messages, environment: KopaEnvironment | None = None) -> Score:
    """The benchmark's score of one rollout; without an environment its calls are replayed."""
    if environment is None:
        environment = replay(row, completion)
    completion, session = _conversation(completion), environment._session
    if session is None:
        raise DataError(f"Row {row.id}: the environment was not reset before scoring.")
    _note_unknown(session, completion)
    return score_rollout(
        row, session.calls, session.episode.state_hash(), final_answer(completion), fault=environment._fault
    )


def _note_unknown(session: Session, completion: Messages) -> None:
    """Calls of tools that are not offered: TRL refuses them itself, but they were issued and count."""
    unknown = [made for message in completion for made in _issued(message) if made[0] not in session.tool_names]
    noted = sum(call.name not in session.tool_names for call in session.calls)
    for name, arguments, _ in unknown[noted:]:
        session.call(name, arguments)


def replay(row: Row, completion: Messages) -> KopaEnvironment:
    """Execute the calls of a transcript in a fresh episode; one assistant turn is one step."""
    environment = KopaEnvironment()
    environment.reset(**{name: getattr(row, name) for name in COLUMNS if name != "environment"})
    step = 0
    for message in _conversation(completion):
        calls = _issued(message)
        step += bool(calls)
        for name, arguments, call_id in calls:
            with suppress(Exception):  # the environment has noted it, as for a trainer that goes on
                environment._issue(name, arguments, call_id=call_id, step=step)
    return environment


def final_answer(completion: Messages) -> str | None:
    """The text of the last assistant turn, or None where the rollout ends on a tool call."""
    messages = _conversation(completion)
    if not messages:
        return None
    last = messages[-1]
    if last.get("role") != "assistant" or last.get("tool_calls"):
        return None
    content = last.get("content")
    if isinstance(content, list):
        texts = (part.get("text") for part in content if isinstance(part, Mapping))
        content = "".join(text for text in texts if isinstance(text, str))
    return content if isinstance(content, str) and content else None


def _conversation(completion: Any) -> Messages:
    """The messages of a completion; what is none stands as an empty one, so that the last stays the last."""
    if isinstance(completion, str):
        raise DataError(
            "kopa_reward got a completion that is plain text; it scores conversations, lists of messages "
            "with role and content. Let the dataset's `prompt` be a list of messages, too."
        )
    return [each if isinstance(each, Mapping) else {} for each in completion or ()]


def _issued(message: Mapping[str, Any]) -> list[tuple[str, Any, str | None]]:
    """Name, arguments and id of a message's calls; what a model left out of a call is empty, and will be refused."""
    given = message.get("tool_calls") or ()
    issued: list[tuple[str, Any, str | None]] = []
    for call in given if isinstance(given, list | tuple) else (given,):
        outer = call if isinstance(call, Mapping) else {}
        inner = outer.get("function") or outer
        function = inner if isinstance(inner, Mapping) else {}
        name, call_id = function.get("name"), outer.get("id")
        known_id = call_id if isinstance(call_id, str) else None
        issued.append((name if isinstance(name, str) else "", function.get("arguments", {}), known_id))
    return issued


def row_of(prompt: Messages, columns: Mapping[str, Any], index: int) -> Row:
    """The row behind one rollout, from the columns that a trainer hands to reward functions."""
    own: dict[str, Any] = {"prompt": list(prompt), "completion": []}
    missing = [name for name in COLUMNS if name not in columns and name not in own]
    if missing:
        raise DataError(
            f"kopa_reward needs the dataset's columns {', '.join(missing)}; "
            "keep them (`remove_unused_columns=False`) and use a dataset of this layout."
        )
    row = Row(**own, **{name: columns[name][index] for name in COLUMNS if name not in own})
    _check_basis(row, index)
    return row


def _check_basis(row: Row, index: int) -> None:
    """What a rollout is judged by must be known, else nothing would be judged and everything be right."""
    basis: Any = row.reward_basis
    if not isinstance(basis, list | tuple) or not basis or any(named not in REWARD_BASES for named in basis):
        raise DataError(
            f"kopa_reward, rollout {index} (row {row.id}): the column reward_basis holds {basis!r}; "
            f"it must be a list of {' and/or '.join(REWARD_BASES)}."
        )
    if row.answer_type not in ANSWER_TYPES:
        raise DataError(
            f"kopa_reward, rollout {index} (row {row.id}): the column answer_type holds {row.answer_type!r}; "
            f"it must be one of {', '.join(ANSWER_TYPES)}."
        )
