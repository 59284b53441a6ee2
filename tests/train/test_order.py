"""A resumed run sees the rows of its epoch in the order in which the whole run saw them."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from kopa_hf.train.order import ByEpoch

torch = pytest.importorskip("torch", reason="extra `train` is not installed")


class Shuffled:
    """As TRL's sampler: one generator, seeded once."""

    def __init__(self, number: int, seed: int, *, shuffle: bool = True) -> None:
        self.number, self.seed, self.shuffle = number, seed, shuffle
        self.generator = torch.Generator()
        self.generator.manual_seed(seed)

    def __iter__(self) -> Iterator[int]:
        if not self.shuffle:
            return iter(range(self.number))
        return iter(torch.randperm(self.number, generator=self.generator).tolist())

    def __len__(self) -> int:
        return self.number


def epochs(sampler: object, trainer: SimpleNamespace, *numbers: float) -> list[list[int]]:
    orders = []
    for number in numbers:
        trainer.state.epoch = number
        orders.append(list(sampler))  # type: ignore[call-overload]
    return orders


def trainer() -> SimpleNamespace:
    return SimpleNamespace(state=SimpleNamespace(epoch=None))


def test_each_epoch_has_its_order_whoever_asks_first() -> None:
    one, two = trainer(), trainer()
    whole = epochs(ByEpoch(Shuffled(50, 7), one), one, 0.0, 1.0, 2.0)
    # resumed at the end of the second epoch, and in the middle of it
    assert epochs(ByEpoch(Shuffled(50, 7), two), two, 2.0) == [whole[2]]
    assert epochs(ByEpoch(Shuffled(50, 7), two), two, 1.5) == [whole[1]]
    assert len({tuple(order) for order in whole}) == 3
    assert all(sorted(order) == list(range(50)) for order in whole)


def test_the_first_epoch_stays_as_it_was() -> None:
    one = trainer()
    by_epoch = ByEpoch(Shuffled(50, 7), one)
    assert list(by_epoch) == list(Shuffled(50, 7))  # before any state
    assert epochs(by_epoch, one, 0.0) == [list(Shuffled(50, 7))]
    assert len(by_epoch) == 50


def test_rows_in_order_stay_in_order() -> None:
    one = trainer()
    assert epochs(ByEpoch(Shuffled(5, 7, shuffle=False), one), one, 0.0, 1.0) == [[0, 1, 2, 3, 4]] * 2
