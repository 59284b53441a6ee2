"""Nested values as the XML of 국가법령정보: some keys are attributes, free text stands in CDATA."""

from __future__ import annotations

from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

_ATTRIBUTES: Final = frozenset({"id", "no", "num", "법종구분코드", "조문키", "부칙키", "별표키", "법령키", "부서키"})
"""Keys that XML writes as attributes of the element around them."""
_TEXTS: Final = (
    "명",
    "명한글",
    "내용",
    "요지",
    "이유",
    "전문",
    "제목",
    "주문",
    "회답",
    "취지",
    "텍스트",
    "정의",
    "약칭명",
)


def xml_element(name: str, value: Any) -> str:
    """One element; a list becomes as many elements."""
    if isinstance(value, list):
        if value and not any(isinstance(item, dict) for item in value):
            nested = [item for item in value if isinstance(item, list)]
            if nested:  # lines of one text
                return xml_element(name, "\n".join(str(line) for lines in nested for line in lines))
        return "".join(xml_element(name, item) for item in value)
    if isinstance(value, dict):
        plain = "소관부처코드" in value and "content" in value
        named = {n: v for n, v in value.items() if (n in _ATTRIBUTES or (plain and n != "content"))}
        attributes = "".join(f" {n}={quoteattr(str(v))}" for n, v in named.items() if not isinstance(v, dict | list))
        inner = "".join(
            _text("내용", v) if n == "content" else xml_element(n, v) for n, v in value.items() if n not in named
        )
        return f"<{name}{attributes}>{inner}</{name}>"
    return f"<{name}>{_text(name, value)}</{name}>"


def _text(name: str, value: Any) -> str:
    text = "" if value is None else str(value)
    if name.endswith(_TEXTS) and "]]>" not in text:
        return f"<![CDATA[{text}]]>"
    return escape(text)
