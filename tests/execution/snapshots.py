"""Answers and snapshots for tests."""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kopa_hf.catalog.canonical import canonical_request
from kopa_hf.execution.recorded import Failed, Recorded
from kopa_hf.execution.snapshot import Snapshot

DAY = datetime.date(2026, 1, 30)
ROOT = Path(__file__).resolve().parents[2]


def body_of(rows: int, word: str = "가상") -> bytes:
    """A body as the Assembly's portal sends one, with invented rows."""
    rows_ = [{"BILL_ID": f"PRC_{n}", "BILL_NAME": f"{word} 법률안 {n}"} for n in range(rows)]
    head = [{"list_total_count": rows}, {"RESULT": {"CODE": "INFO-000", "MESSAGE": "정상 처리되었습니다."}}]
    return json.dumps({"TVBPMBILL11": [{"head": head}, {"row": rows_}]}, ensure_ascii=False).encode()


def answer(number: int = 1, body: bytes | None = None, **given: Any) -> Recorded:
    """An answer to the number-th page of a search."""
    parts: dict[str, Any] = {
        "request": canonical_request("search_assembly_bills", {"AGE": "22", "pIndex": number + 1}),
        "tool": "search_assembly_bills", "wire": "assembly", "operation": "TVBPMBILL11", "signature": "0" * 16,
        "outcome": "ok", "status": 200, "content_type": "application/json;charset=UTF-8",
        "observed": "2026-01-30T00:00:00Z", "body": body_of(number % 7 + 1) if body is None else body,
    }  # fmt: skip
    return Recorded(**{**parts, **given})


def failed(number: int = 1, **given: Any) -> Failed:
    """A note that the number-th page was refused."""
    parts: dict[str, Any] = {
        "request": answer(number).request, "tool": "search_assembly_bills", "outcome": "bad_param",
        "failure": "structural", "message": "필수 값이 없습니다.", "observed": "2026-01-30T00:00:00Z",
    }  # fmt: skip
    return Failed(**{**parts, **given})


def make(path: Path, answers: Iterable[Recorded], failures: Iterable[Failed] = (), origin: Any = "sandbox") -> Path:
    """A snapshot file."""
    with Snapshot.create(path, origin=origin, day=DAY) as snapshot:
        snapshot.put_all(answers, failures)
    return path


def held(path: Path) -> dict[str, bytes]:
    """Request → body of everything in a snapshot."""
    with Snapshot(path) as snapshot:
        return {found.request: found.body for found in snapshot}


def start(script: str, *arguments: object) -> subprocess.Popen[str]:
    """A process that runs a script with the helpers of this module at hand."""
    text = "import sys\nfrom tests.execution.snapshots import *\n" + textwrap.dedent(script)
    command = [sys.executable, "-u", "-c", text, *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
