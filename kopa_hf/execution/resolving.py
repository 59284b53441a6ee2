"""열린국회정보's callable codes, looked up at run time for services that are public by their id only.

The portal's own list of services (`OPENSRVAPI`) is asked once, and what it tells is kept on disk.
Where it does not name an address, a service stays uncallable and says so.
"""

from __future__ import annotations

import dataclasses
import json
import re
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from kopa_hf.catalog.tool import Tool
from kopa_hf.whole_file import write_whole

LISTING: Final = "OPENSRVAPI"
"""Operation of the list."""
_ADDRESS: Final = re.compile(r"/portal/openapi/([A-Za-z0-9_]+)")
_KEPT: Final = 30 * 86_400
"""Seconds after which the list is asked again."""
_POSTPONED: Final = 600
"""Seconds after which it is asked again where it could not be had."""


class Codes:
    """Service id → callable code, as the portal told."""

    def __init__(self, folder: Path, realm: str) -> None:
        self.path = folder / f"assembly-codes.{realm}.json"
        self.lock = threading.Lock()
        """Held by whoever asks the portal, so that it is asked once."""
        self._tools: dict[str, Tool] = {}
        self._codes, self._until = self._read()

    @property
    def known(self) -> bool:
        """True where the list was asked lately, whatever came of it."""
        return time.time() < self._until

    def postpone(self) -> None:
        """The list could not be had; calls in the meantime do not ask again."""
        self._until = time.time() + _POSTPONED

    def get(self, tool: Tool) -> Tool | None:
        """The tool at its callable address, or None where that is not known."""
        code = self._codes.get(tool.endpoint.operation)
        if code is None:
            return None
        if tool.name not in self._tools:
            url = tool.endpoint.url.rpartition("/")[0] + f"/{code}"
            endpoint = dataclasses.replace(tool.endpoint, url=url, operation=code, code_unresolved=False)
            self._tools[tool.name] = dataclasses.replace(tool, endpoint=endpoint)
        return self._tools[tool.name]

    def learn(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Take codes from rows of the list."""
        for row in rows:
            found = _ADDRESS.search(f"{row.get('SRV_URL')} {row.get('DDC_URL')}")
            if found and isinstance(row.get("INF_ID"), str):
                self._codes[row["INF_ID"]] = found[1]
        self._until = time.time() + _KEPT
        with suppress(OSError):  # where it cannot be kept, the next process asks the portal again
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, json.dumps({"until": self._until, "codes": self._codes}))

    def _read(self) -> tuple[dict[str, str], float]:
        try:
            kept = json.loads(self.path.read_text(encoding="utf-8"))
            return {str(name): str(code) for name, code in kept["codes"].items()}, float(kept["until"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}, 0.0  # absent or damaged: the portal is asked again
