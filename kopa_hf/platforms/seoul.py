"""서울 열린데이터광장: everything in the path, the key first; rows mostly in `row`.

Three services differ: real-time subway (status in `errorMessage`, rows under a
name of their own), the city data (one object under `CITYDATA`) and its
population part (dotted keys).
"""

from __future__ import annotations

import re
from typing import Any

from kopa_hf.platforms.portal import ENVELOPE, PortalAdapter, Sections
from kopa_hf.platforms.shapes import rows_of

_CODE = re.compile(r"(?:INFO|ERROR)-\d+")


class SeoulAdapter(PortalAdapter):
    """The format is a path segment, so no query parameter asks for it."""

    name = "seoul"
    format_parameter: str | None = None

    def take_more(self, value: dict[str, Any], wrapper: str | None, sections: Sections) -> None:
        """Rows that lie beside the status under another name than `row`, and a status without a wrapper."""
        code = value.get("code")
        if sections.code is None and isinstance(code, str) and _CODE.fullmatch(code.strip()):
            sections.take_result(value)
            return
        if sections.code is None or sections.rows is not None or wrapper is None:
            return
        # in XML one root stands around status and rows
        place: Any = value if ENVELOPE.intersection(value) else value[wrapper]
        if not isinstance(place, dict):
            return
        name = next((n for n in place if n not in ENVELOPE and isinstance(place[n], dict | list)), None)
        if name is None:
            return
        rows = rows_of(place[name])
        if rows is None:
            sections.broken = True
        else:
            sections.rows = rows
