"""Laws and what hangs on them as entities that other domains' records may hang on."""

from __future__ import annotations

from functools import partial
from typing import Final

from kopa_hf.sandbox.entities import Kind
from kopa_hf.sandbox.statutes.laws import current_editions
from kopa_hf.sandbox.statutes.ministries import MINISTRIES, Ministry
from kopa_hf.sandbox.statutes.ordinances import ordinances
from kopa_hf.sandbox.statutes.rulebooks import current_issues
from kopa_hf.sandbox.statutes.terms import terms, words
from kopa_hf.sandbox.statutes.treaties import treaties
from kopa_hf.sandbox.world import World


def _ministries(world: World) -> tuple[Ministry, ...]:
    return MINISTRIES


def _keys(world: World) -> tuple[str, ...]:
    """Keys of the articles that most laws have."""
    return tuple(f"{number:04d}00" for number in range(1, 13))


def _classes(world: World) -> tuple[str, ...]:
    """The last two digits of class codes; each stands for a twentieth of the laws, rules or ordinances."""
    return tuple(f"{number:013d}" for number in range(20))


KINDS: Final = (
    Kind(
        "law",
        current_editions,
        {
            "law.id": lambda e: e.law.law_id,
            "law.mst": lambda e: e.mst,
            "law.name": lambda e: e.law.name,
            "ministry.code": lambda e: e.law.ministry.code,
            "ministry.name": lambda e: e.law.ministry.name,
        },
    ),
    *(
        Kind(
            f"{family} rulebook",
            partial(current_issues, family=family),
            {
                f"law.{word}.serial": lambda i: i.serial,
                f"law.{word}.id": lambda i: i.book.rule_id,
                f"law.{word}.name": lambda i: i.book.name,
            },
        )
        for family, word in (("admrul", "rule"), ("school", "school"), ("public", "public"), ("pi", "pi"))
    ),
    Kind(
        "ordinance",
        ordinances,
        {
            "law.ordinance.serial": lambda o: o.serial,
            "law.ordinance.id": lambda o: o.ordinance_id,
            "law.ordinance.name": lambda o: o.name,
        },
    ),
    Kind("treaty", treaties, {"law.treaty.serial": lambda t: t.serial, "law.treaty.name": lambda t: t.name}),
    Kind("legal term", terms, {"law.term.name": lambda t: t.name, "law.term.id": lambda t: t.term_id}),
    Kind("everyday word", words, {"law.word.name": lambda w: w.name}),
    Kind("article", _keys, {"law.article_key": lambda key: key}),
    Kind(
        "class",
        _classes,
        {
            "law.class_code": lambda digits: f"L{digits}",
            "law.rule.class_code": lambda digits: f"A{digits}",
            "law.ordinance.class_code": lambda digits: f"O{digits}",
        },
    ),
    Kind("ministry", _ministries, {"ministry.code": lambda m: m.code, "ministry.name": lambda m: m.name}),
)
