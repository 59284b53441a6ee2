"""What a column holds, from its signature and the cells that were seen, and how people call it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from kopa_hf.catalog.tool import Field
from kopa_hf.edge.arguments import value_text
from kopa_hf.edge.labels import is_money, is_speakable, plain_value, spoken_label
from kopa_hf.edge.meaning import Kind, meaning_of
from kopa_hf.execution.cells import read_date, read_number

__all__ = ["SAMPLE", "is_additive", "is_money", "is_speakable", "observed_kind", "plain_value", "spoken_label"]

_FIRM: Final[frozenset[Kind]] = frozenset(
    {"code", "category", "term", "ordinal", "year", "month", "time", "link", "prose"}
)
_READABLE: Final = 0.9
SAMPLE: Final = 80
"""Records that are enough to see what a column holds."""
_ADDITIVE: Final[tuple[str, ...]] = (
    "수", "량", "액", "건", "명", "찬성", "반대", "기권", "대금", "인원", "보수",
)  # fmt: skip
"""Endings of measures that may be added up; prices, rates and indices may not."""


def observed_kind(records: Sequence[dict[str, Any]], column: Field) -> Kind:
    """The column's kind; where the label leaves it open, the cells decide between a measure, a date and a name."""
    kind = meaning_of(column).kind
    if kind in _FIRM:
        return kind
    cells = [text for record in records[:SAMPLE] if (text := value_text(record.get(column.name))) is not None]
    if not cells:
        return kind
    if _share(cells, lambda text: read_date(text) is not None) >= _READABLE:
        return "date"
    if _share(cells, _is_amount) >= _READABLE:
        return "measure"
    return "name" if kind in ("measure", "date") else kind


def _is_amount(text: str) -> bool:
    """A number that is no code: codes keep leading zeros."""
    return read_number(text) is not None and not (len(text) > 1 and text[0] == "0" and text.isdigit())


def _share(cells: Sequence[str], holds: Any) -> float:
    return sum(map(bool, map(holds, cells))) / len(cells)


def is_additive(column: Field) -> bool:
    """True where a sum over records means something."""
    return spoken_label(column).endswith(_ADDITIVE)
