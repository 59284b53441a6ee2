"""One entry of BFCL, as a record of our own, and as a row of a dataset."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kopa_hf.bench.bfcl.categories import Language, is_multi_turn, language_of
from kopa_hf.errors import DataError

Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Entry:
    """A question, the functions on offer, and what is right."""

    id: str
    category: str
    turns: tuple[tuple[Message, ...], ...]
    """Messages by turn; a single-turn entry has one turn. A turn without messages only brings held-back functions."""
    functions: tuple[Mapping[str, Any], ...]
    """Function documents in BFCL's own type words, without those held back."""
    gold: tuple[Any, ...] = ()
    """Single turn: one mapping per call, name → parameter → accepted values. Multi-turn: the calls as text, by turn."""
    initial_config: Mapping[str, Any] = field(default_factory=dict)
    """State that each simulated API starts from, by class."""
    classes: tuple[str, ...] = ()
    """Simulated APIs of a multi-turn entry."""
    held_back: Mapping[int, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    """Turn → documents of functions that are offered from that turn on only."""

    @property
    def language(self) -> Language:
        return language_of(self.category)

    @property
    def long_context(self) -> bool:
        """Whether the simulated APIs answer at length."""
        return "long_context" in self.category

    def to_row(self) -> dict[str, str]:
        """A row of flat texts; entries are too different from each other for typed columns."""
        rest = {
            "turns": self.turns,
            "functions": self.functions,
            "gold": self.gold,
            "initial_config": self.initial_config,
            "classes": self.classes,
            "held_back": self.held_back,
        }
        return {"id": self.id, "category": self.category, "entry": json.dumps(rest, ensure_ascii=False)}

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Entry:
        """The entry of a row that `to_row` made."""
        try:
            rest = json.loads(row["entry"])
            return cls(
                row["id"],
                row["category"],
                tuple(tuple(turn) for turn in rest["turns"]),
                tuple(rest["functions"]),
                tuple(rest["gold"]),
                rest["initial_config"],
                tuple(rest["classes"]),
                {int(turn): tuple(documents) for turn, documents in rest["held_back"].items()},
            )
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"This row is no BFCL entry ({type(error).__name__}: {error}).") from error


def entry_of(
    category: str, record: Mapping[str, Any], gold: Any, documents: Mapping[str, tuple[Mapping[str, Any], ...]]
) -> Entry:
    """The entry of one line of the data; `documents` holds the function documents by simulated API."""
    turns = tuple(tuple(turn) for turn in record["question"])
    if not is_multi_turn(category):
        return Entry(record["id"], category, turns, tuple(record["function"]), tuple(gold or ()))
    offered = [document for name in record["involved_classes"] for document in documents[name]]
    held_back: dict[int, tuple[Mapping[str, Any], ...]] = {}
    for turn, names in record.get("missed_function", {}).items():
        missing = []
        for name in names:
            document = next((one for one in offered if one["name"] == name), None)
            if document is not None:
                missing.append(document)
                offered.remove(document)
        held_back[int(turn)] = tuple(missing)
    return Entry(
        record["id"],
        category,
        turns,
        tuple(offered),
        tuple(gold),
        record["initial_config"],
        tuple(record["involved_classes"]),
        held_back,
    )
