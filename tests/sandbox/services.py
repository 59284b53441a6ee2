"""Where the three services live."""

from __future__ import annotations

from collections.abc import Callable

import httpx

DART = "https://opendart.fss.or.kr/api/"
KRX = "https://data-dbg.krx.co.kr/svc/apis/"
ASSEMBLY = "https://open.assembly.go.kr/portal/openapi/"

Ask = Callable[..., httpx.Response]
