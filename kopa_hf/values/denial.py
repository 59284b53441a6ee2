"""Values that a text names only to say that they are not the one, or may not be: 6이 아니라 7이다."""

from __future__ import annotations

import re
from typing import Final

_MARKS: Final = r"['\"’”」』)\]*`]{0,4}"
_DENIED: Final = re.compile(
    rf"{_MARKS}(?:\s?(?:은|는|이|가|도)?\s?아(?:니(?:라|고|며|다|었|지|에요|예요)|닌|님|닙니다)"
    # 71명은 오답, 71명은 틀린 값입니다; but 71명이 틀렸습니다 may count who was wrong
    r"|\s?(?:은|는|도)?\s?\(?(?:오답(?![률자])(?!\s?[:：])|(?:틀린|잘못된|그릇된)\s?(?:값|답|수|숫자|날짜|시각|정보|것))"
    r"|\s?(?:은|는)\s?(?:틀렸|틀립|틀리|틀림(?!없)|옳지\s?않|맞지\s?않|거짓))"
)
_DOUBTED: Final = re.compile(
    rf"{_MARKS}\s?(?:"
    r"(?:인지|일지|(?:이?라는\s?것)?(?:은|는|도))\s?(?:확실|분명|명확|정확)(?:하지|치)(?:는|가)?\s?(?:않|못)"
    r"|(?:인지|일지)?(?:은|는|도)?\s?(?:불확실|불분명|미확인|확실치)"
    r"|(?:이|가|은|는)?\s?(?:맞는지|사실인지|정확한지)"
    r"|(?:인지|일지)(?:은|는|도)?\s?(?:모르|모릅|모름|알\s?수|확인)"
    r"|이?라고(?:는|도)?\s?(?:말|단정|단언|확신|장담|답|확언|보기|할|볼)[가-힣\s]{0,8}(?:없|어렵|못|않|힘들)"
    r")"
)


def is_denied(text: str, end: int) -> bool:
    """Whether what ends at the position is denied by what follows: 6이 아니라 7, 71명은 오답, 71명은 틀린 값."""
    return _DENIED.match(text, end) is not None


def is_doubted(text: str, end: int) -> bool:
    """Whether what follows says that it may not be so: 71명은 확실하지 않습니다, 71명이라고 말할 수 없습니다."""
    return _DOUBTED.match(text, end) is not None
