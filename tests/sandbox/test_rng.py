from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.sandbox.rng import Stream, bell, mix, permuted, seed_of


def test_draws_are_those_of_splitmix64() -> None:
    # published first outputs of SplitMix64 for seed 0
    assert [mix(0, index) for index in range(3)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_a_stream_walks_the_indexed_draws() -> None:
    stream = Stream("a", 1)
    assert [stream.u64() for _ in range(4)] == [mix(seed_of("a", 1), index) for index in range(4)]


def test_key_parts_do_not_run_together() -> None:
    assert seed_of("ab", "c") != seed_of("a", "bc")
    assert seed_of("a", 1) == seed_of("a", "1")


@given(st.integers(2, 5_000), st.integers(0, 2**64 - 1))
def test_permutation_gives_every_thing_its_own_number(size: int, seed: int) -> None:
    probe = range(min(size, 200))
    image = [permuted(index, size, seed) for index in probe]
    assert len(set(image)) == len(probe)
    assert all(0 <= number < size for number in image)


def test_permutation_covers_a_whole_small_range() -> None:
    assert sorted(permuted(index, 97, 5) for index in range(97)) == list(range(97))


@given(st.integers(1, 10**9), st.integers(0, 10**9), st.text())
def test_octave_stays_between_its_ends(low: int, more: int, key: str) -> None:
    assert low <= Stream(key).octave(low, low + more) <= low + more


@given(st.text(), st.integers(1, 10**12))
def test_below_stays_below(key: str, n: int) -> None:
    assert 0 <= Stream(key).below(n) < n


def test_bell_has_mean_zero_and_deviation_one() -> None:
    draws = [bell(mix(7, index)) for index in range(20_000)]
    mean = sum(draws) / len(draws)
    assert abs(mean) < 0.03
    assert abs(sum((d - mean) ** 2 for d in draws) / len(draws) - 1) < 0.03
    assert max(map(abs, draws)) < 3.5


def test_weights_of_zero_are_never_drawn_and_samples_do_not_repeat() -> None:
    stream = Stream("w")
    assert {stream.weighted((("a", 0), ("b", 3), ("c", 0))) for _ in range(200)} == {"b"}
    assert sorted(Stream("s").sample(range(9), 9)) == list(range(9))
    assert len(Stream("s").sample(range(3), 9)) == 3


@pytest.mark.parametrize("digits", [1, 6, 10])
def test_digit_texts_keep_their_length(digits: int) -> None:
    assert {len(Stream("d", n).digits(digits)) for n in range(300)} == {digits}


@given(st.text(), st.integers(0, 60), st.floats(0, 1))
def test_counted_successes_are_those_of_single_draws_and_the_stream_goes_on_behind_them(
    key: str, count: int, probability: float
) -> None:
    one, other = Stream(key), Stream(key)
    assert one.successes(count, probability) == [other.chance(probability) for _ in range(count)].count(True)
    assert one.u64() == other.u64() == mix(seed_of(key), count)


@given(st.text(), st.integers(1, 2**63))
def test_below_takes_the_upper_part_of_the_product(key: str, n: int) -> None:
    assert Stream(key).below(n) == mix(seed_of(key), 0) * n // 2**64
