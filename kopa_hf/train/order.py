"""The order of the rows in each epoch, the same for a run and for its resume.

TRL's sampler shuffles with one generator that goes on from epoch to epoch. A resumed run begins with a new one, so in
every epoch but the first it would see the rows in another order, some of them twice and some not at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class ByEpoch:
    """A sampler of TRL's that shuffles by the number of the epoch, not by how often it was asked."""

    def __init__(self, sampler: Any, trainer: Any) -> None:
        self.sampler, self.trainer = sampler, trainer

    def __iter__(self) -> Iterator[int]:
        if self.sampler.shuffle:
            # the first epoch's order stays TRL's own
            self.sampler.generator.manual_seed(self.sampler.seed + int(self.trainer.state.epoch or 0))
        return iter(self.sampler)

    def __len__(self) -> int:
        return len(self.sampler)


class OrderedEpochs:
    """To put in front of `trl.GRPOTrainer`, whose training rows it orders `ByEpoch`."""

    def _get_train_sampler(self, dataset: Any = None) -> ByEpoch:
        return ByEpoch(super()._get_train_sampler(dataset), self)  # type: ignore[misc]  # TRL's
