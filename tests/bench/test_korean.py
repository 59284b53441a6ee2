"""Particles follow the last sound, whatever the value ends with."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kopa_hf.bench.korean import fill, particle, placeholders, with_particle
from kopa_hf.errors import TaskError


@pytest.mark.parametrize(
    ("word", "pair", "whole"),
    [
        ("라온", "이/가", "라온이"), ("누리", "이/가", "누리가"), ("가나전자", "은/는", "가나전자는"),
        ("한빛", "을/를", "한빛을"), ("서울", "으로/로", "서울로"), ("부산", "으로/로", "부산으로"),
        ("1,680", "은/는", "1,680은"), ("2", "이/가", "2가"), ("7", "으로/로", "7로"), ("3", "으로/로", "3으로"),
        ("6", "과/와", "6과"), ("35%", "을/를", "35%를"), ("KT", "이/가", "KT가"), ("LGM", "은/는", "LGM은"),
        ("가온(주)", "이/가", "가온(주)가"), ("국회법 (대안)", "을/를", "국회법 (대안)을"), ("", "은/는", "는"),
    ],
)  # fmt: skip
def test_the_particle_fits(word: str, pair: str, whole: str) -> None:
    assert with_particle(word, pair) == whole


def test_templates_reach_into_records_and_lists() -> None:
    values = {"c": {"name": "라온", "codes": ["1", "2"]}, "n": Decimal("1500"), "names": ["가", "나"]}
    assert fill("{c.name:이/가} {n}원, {c.codes.1}번, {names:을/를}", values) == "라온이 1500원, 2번, 가, 나를"
    assert placeholders("{c.name:이/가} {n}") == ("c.name", "n")


@pytest.mark.parametrize("template", ["{absent}", "{c.absent}", "{c.codes.9}"])
def test_an_unfilled_place_is_an_error(template: str) -> None:
    with pytest.raises(TaskError, match="Nothing fills"):
        fill(template, {"c": {"codes": []}})


def test_an_unknown_pair_is_an_error() -> None:
    with pytest.raises(TaskError, match="Unknown pair"):
        particle("말", "이/은")
