"""How the cells of a kept result are read: as a number, as a date, as text, or not at all.

Nothing is guessed: a cell that the grammar does not cover is unreadable, and
who asks must say so rather than take it for 0.
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, Literal

Kind = Literal["number", "date", "text"]

_BLANK: Final = frozenset({"", "-", "–", "—", "N/A", "n/a", "null", "해당없음", "해당사항없음"})
_SCALES: Final = {
    "": 1,
    "십": 10,
    "백": 100,
    "천": 1000,
    "만": 10**4,
    "백만": 10**6,
    "천만": 10**7,
    "억": 10**8,
    "조": 10**12,
}
_NUMBER: Final = re.compile(
    r"(?P<sign>[+\-△▲▽▼]?)(?P<open>\(?)(?P<digits>(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?P<close>\)?)"
    r"(?P<scale>십|백만|백|천만|천|만|억|조|)(?P<unit>%|원|주|명|건|개|배|회|년|일|위|호|달러|[A-Za-z㎡㎥℃%]{1,4}|)"
)
_DATE: Final = re.compile(
    r"(?P<y>\d{4})(?P<s>[-./]?)(?P<m>\d{2})(?P=s)(?P<d>\d{2})(?:[ T]?(?P<h>\d{2}):?(?P<i>\d{2})(?::?\d{2})?)?"
    r"|(?P<y2>\d{4})년 ?(?P<m2>\d{1,2})월 ?(?P<d2>\d{1,2})일"
)


def is_blank(cell: Any) -> bool:
    """True where the service says that there is no value: null, nothing, a dash."""
    return cell is None or (isinstance(cell, str) and cell.strip() in _BLANK)


def cell_text(cell: Any) -> str:
    """A cell as text for comparison: NFC, blanks at the ends dropped."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return unicodedata.normalize("NFC", str(cell)).strip()


def read_number(cell: Any) -> Fraction | None:
    """The exact number in a cell, thousands separators and one unit allowed; None where it holds none."""
    if isinstance(cell, bool) or cell is None:
        return None
    if isinstance(cell, (int, Decimal)):
        return Fraction(cell)
    if isinstance(cell, float):
        return Fraction(str(cell)) if cell - cell == 0 else None
    found = _NUMBER.fullmatch(_plain(str(cell)))
    if found is None or bool(found["open"]) != bool(found["close"]) or (found["open"] and found["sign"]):
        return None
    value = Fraction(found["digits"].replace(",", "")) * _SCALES[found["scale"]]
    return -value if found["open"] or found["sign"] in tuple("-△▽▼") else value


def read_date(cell: Any) -> str | None:
    """A date, with its time where there is one, as text that sorts; None where the cell holds none."""
    found = _DATE.fullmatch(_plain(str(cell))) if isinstance(cell, (str, int)) and not isinstance(cell, bool) else None
    if found is None:
        return None
    year, month, day = (found[name] or found[name + "2"] for name in ("y", "m", "d"))
    try:
        date = datetime.date(int(year), int(month), int(day))
    except ValueError:
        return None
    return date.isoformat() + (f" {found['h']}:{found['i']}" if found["h"] else "")


def column_kind(cells: Sequence[Any]) -> Kind:
    """What most cells of a column can be read as; numbers win where digits could be either."""
    numbers = sum(read_number(cell) is not None for cell in cells)
    dates = sum(read_date(cell) is not None for cell in cells)
    if numbers == dates == 0:
        return "text"
    return "number" if numbers >= dates else "date"


def sort_key(cell: Any, kind: Kind) -> Any:
    """The value by which cells of a kind are ordered; None where the cell cannot be read as it."""
    if kind == "number":
        return read_number(cell)
    return read_date(cell) if kind == "date" else cell_text(cell)


def same_value(cell: Any, wanted: Any) -> bool:
    """Equal as text, as dates in two spellings, or as plain numbers; a code with a leading zero is no number."""
    left, right = cell_text(cell), cell_text(wanted)
    if left == right:
        return True
    if _is_code(left) or _is_code(right):
        return False
    first, second = read_number(cell), read_number(wanted)
    if first is not None and second is not None:
        return first == second
    day, other = read_date(cell), read_date(wanted)
    return day is not None and day == other


def _is_code(text: str) -> bool:
    return len(text) > 1 and text[0] == "0" and text.isdigit()


def _plain(text: str) -> str:
    """Full-width characters in their plain form, blanks at the ends dropped."""
    folded = "".join(chr(ord(c) - 0xFEE0) if 0xFF01 <= ord(c) <= 0xFF5E else c for c in text)
    return folded.replace("−", "-").strip()
