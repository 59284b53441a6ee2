"""What stops a run that learns nothing: a broken environment, and rewards that never differ.

Seen elsewhere: most calls of a run failed because its sandbox was dead, and it trained on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.errors import KopaError
from kopa_hf.train.reward import Rollout

_WINDOW: Final = 10
"""Steps over which the rate of errors is taken."""
_ENOUGH: Final = 20
"""Calls, or rollouts, below which a rate says nothing."""


class StoppedError(KopaError):
    """A run was stopped on purpose; `cause` is environment, equal_rewards or disk."""

    def __init__(self, cause: str, message: str) -> None:
        self.cause = cause
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class StepCount:
    """One step's rollouts in numbers, over all processes."""

    calls: int
    errors: int
    rollouts: int
    unscorable: int
    rewards: frozenset[float]


def count(rollouts: Sequence[Rollout]) -> StepCount:
    """The numbers of one process's rollouts of a step."""
    return StepCount(
        sum(rollout.calls for rollout in rollouts),
        sum(rollout.environment_errors for rollout in rollouts),
        len(rollouts),
        sum(rollout.reward is None for rollout in rollouts),
        frozenset(rollout.reward for rollout in rollouts if rollout.reward is not None),
    )


def together(counts: Sequence[StepCount]) -> StepCount:
    """The step over all processes."""
    rewards: frozenset[float] = frozenset().union(*(c.rewards for c in counts))
    return StepCount(
        sum(c.calls for c in counts),
        sum(c.errors for c in counts),
        sum(c.rollouts for c in counts),
        sum(c.unscorable for c in counts),
        rewards,
    )


class Guard:
    """Collects rollouts step by step and says when to stop.

    max_errors: share of calls (and of rollouts left unscorable) over the last ten steps above which
    the environment counts as broken; max_equal_steps: steps in a row in which all rewards may be
    equal, 0 for any number.
    """

    def __init__(self, *, max_errors: float, max_equal_steps: int) -> None:
        self.max_errors = max_errors
        self.max_equal_steps = max_equal_steps
        self.stopped: StoppedError | None = None
        self.pending: list[Rollout] = []
        """This process's rollouts since the last step."""
        self._steps: deque[StepCount] = deque(maxlen=_WINDOW)
        self._equal = 0

    def watch(self, rollouts: Sequence[Rollout]) -> None:
        """For `reward_function(watch=…)`."""
        self.pending.extend(rollouts)

    def judge(self, step: StepCount, number: int) -> StoppedError | None:
        """Take one step's numbers; the reason to stop, if there is one now."""
        if not step.rollouts:
            return None
        self._steps.append(step)
        if len(step.rewards) > 1:
            self._equal = 0
        elif step.rewards:
            self._equal += 1
        self.stopped = self._broken(number) or self._stuck(step, number)
        return self.stopped

    def _broken(self, number: int) -> StoppedError | None:
        window = together(self._steps)
        pairs = (
            (window.errors, window.calls, "calls failed by fault of the environment"),
            (window.unscorable, window.rollouts, "rollouts could not be scored"),
        )
        for bad, of, what in pairs:
            if of >= _ENOUGH and bad / of > self.max_errors:
                return StoppedError(
                    "environment",
                    f"Training stopped at step {number}: {bad} of {of} {what} over the last {len(self._steps)} steps "
                    f"({bad / of:.0%}, at most {self.max_errors:.0%}). The weights of this step were not saved; "
                    "mend the backend (`kopa doctor`, `kopa train doctor`) and go on with --resume_from_checkpoint.",
                )
        return None

    def _stuck(self, step: StepCount, number: int) -> StoppedError | None:
        if not self.max_equal_steps or self._equal < self.max_equal_steps:
            return None
        value = next(iter(step.rewards))
        return StoppedError(
            "equal_rewards",
            f"Training stopped at step {number}: all rewards were {value:g} for {self._equal} steps in a row, so "
            "nothing can be learned. Raise num_generations or the temperature, start from an SFT checkpoint or from "
            "easier rows, or allow more with --max_equal_steps.",
        )


def guard_callback(guard: Guard) -> Any:
    """A `TrainerCallback` that asks the guard after every step; all processes decide alike."""
    from accelerate.utils import gather_object
    from transformers import TrainerCallback

    class GuardCallback(TrainerCallback):
        """Stops without saving: what was learned from a broken environment is not worth keeping."""

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> Any:
            own, guard.pending = count(guard.pending), []
            if guard.judge(together(gather_object([own])), state.global_step) is not None:
                control.should_training_stop = True
                control.should_save = control.should_evaluate = False
            return control

        def on_evaluate(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            guard.pending = []

    return GuardCallback()
