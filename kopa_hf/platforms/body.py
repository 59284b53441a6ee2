"""From bytes to a document: which shape a body has, before anybody asks what it means.

Content types lie (JSON travels as text/html, XML where JSON was asked), so the
first characters decide. XML becomes the same nested dicts as JSON: repeated
elements a list, attributes sibling keys, text beside them under `content`.
"""

from __future__ import annotations

import json
import math
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from typing import Any, Final, Literal

import defusedxml.ElementTree
from defusedxml.common import DefusedXmlException

DocumentKind = Literal["json", "xml", "html", "text", "zip", "empty", "broken"]

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"^\s*<\?xml[^>]*?encoding\s*=\s*[\"']([\w.:-]+)", re.IGNORECASE)
_HTML = re.compile(
    # atomic: comments must not be re-split when the match fails
    r"\A(?:\s|(?><\?xml[^>]*\?>)|(?><!--.*?-->))*+<(?:!doctype\s+html|html|head|body|script|meta|title|center|h[1-6]|p|div)\b",
    re.IGNORECASE | re.DOTALL,
)
_KOREAN: Final = frozenset({"euc-kr", "euckr", "ks_c_5601-1987", "ksc5601", "cp949", "ms949", "x-windows-949", "uhc"})
_HANGUL = re.compile("[가-힣]")
_MAX_DEPTH: Final = 200


@dataclass(frozen=True, slots=True)
class Document:
    """One body, decoded; `value` only for `json` and `xml` (there: one key, the root's name)."""

    kind: DocumentKind
    value: Any = None
    text: str = ""


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


# Raw control characters inside strings are common; NaN and infinities have no place in a record.
_JSON = json.JSONDecoder(strict=False, parse_constant=lambda name: None, parse_float=_finite)


def read_document(body: bytes, content_type: str | None = None) -> Document:
    """Decode a body and find its shape. Never raises: what cannot be read is `broken`."""
    if not body.strip(b"\x00 \t\r\n"):
        return Document("empty")
    if body[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return Document("zip")
    text = decode(body, content_type).strip("\ufeff\x00 \t\r\n")
    if not text:
        return Document("empty")
    if text[0] == "<":
        return _read_markup(text)
    try:
        value = _JSON.decode(text)
        # one character is searched ten times faster than two, and most bodies hold no escape at all
        if "\\" in text and ("\\ud" in text or "\\uD" in text):
            value = _mend_surrogates(value)
    except (ValueError, RecursionError):
        return Document("broken" if text[0] in '{["' else "text", text=text)
    return Document("json", value)


def decode(body: bytes, content_type: str | None = None) -> str:
    """Text of a body. UTF-8 is tried first, because declarations are often left over from elsewhere."""
    if body[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return body.decode("utf-16", "replace")
    declared = None
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        text = None
    if text is not None:
        if body.isascii() or _HANGUL.search(text):
            return text
        # A few Korean letters in EUC-KR happen to be valid UTF-8 as well; then the declaration counts.
        declared = _declared_charset(body, content_type)
        if declared not in _KOREAN:
            return text
    declared = declared or _declared_charset(body, content_type)
    for charset in (declared, "cp949"):
        if charset is None or charset in ("iso-8859-1", "latin-1", "us-ascii", "utf-8"):
            continue
        try:
            return body.decode("cp949" if charset in _KOREAN else charset)
        except (UnicodeDecodeError, LookupError):
            continue
    return text if text is not None else body.decode("utf-8", "replace")


def _declared_charset(body: bytes, content_type: str | None) -> str | None:
    if content_type and (match := _CHARSET.search(content_type)):
        return match.group(1).lower()
    if xml := _XML_ENCODING.match(body[:200]):
        return xml.group(1).decode("ascii").lower()
    if meta := _CHARSET.search(body[:1000].decode("latin-1")):
        return meta.group(1).lower()
    return None


def _read_markup(text: str) -> Document:
    if _HTML.match(text):
        return Document("html", text=text)
    try:
        root = defusedxml.ElementTree.fromstring(text)
        return Document("xml", {_name(root.tag): element_value(root)})
    except (ElementTree.ParseError, ValueError, RecursionError) as error:
        # Well formed, but with entities of its own: no service documents that.
        if isinstance(error, DefusedXmlException):
            return Document("xml")
        return Document("html" if "<html" in text[:2000].lower() else "broken", text=text)


def element_value(element: ElementTree.Element, depth: int = 0) -> Any:
    """The dict, list or text that an element stands for."""
    if depth > _MAX_DEPTH:
        raise RecursionError("XML is nested too deep")
    own = (element.text or "").strip()
    if not len(element) and not element.attrib:
        return own
    value: dict[str, Any] = {_name(name): text for name, text in element.attrib.items()}
    seen: set[str] = set()
    for child in element:
        name = _name(child.tag)
        item = element_value(child, depth + 1) if len(child) or child.attrib else (child.text or "").strip()
        if name not in seen:
            seen.add(name)
            value[name] = item
        else:
            first = value[name]
            # a child's value is never a list itself, so a list here is the repetition
            value[name] = [*first, item] if isinstance(first, list) else [first, item]
        own += (child.tail or "").strip()
    if own:
        value["content"] = own
    return value


def _name(tag: str) -> str:
    return tag.rpartition("}")[2]


def _mend_surrogates(value: Any) -> Any:
    """Replace lone surrogates: text that holds one cannot be written anywhere."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_mend_surrogates(name): _mend_surrogates(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_mend_surrogates(item) for item in value]
    return value
