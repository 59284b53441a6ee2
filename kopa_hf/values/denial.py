"""Values that a text names only to say that they are not the one: 6이 아니라 7이다."""

from __future__ import annotations

import re
from typing import Final

_DENIED: Final = re.compile(
    r"['\"’”」』)\]*`]*\s?(?:은|는|이|가|도)?\s?아(?:니(?:라|고|며|다|었|지|에요|예요)|닌|님|닙니다)"
)


def is_denied(text: str, end: int) -> bool:
    """Whether what ends at the position is denied by what follows."""
    return _DENIED.match(text, end) is not None
