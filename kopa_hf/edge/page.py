"""A run's report as one HTML file that needs nothing else: no network, no script, no font.

Everything shown stands in the report (`edge.report`, with what `kopa edge report` adds);
nothing is computed here but shares of given counts.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from kopa_hf._version import __version__
from kopa_hf.edge.charts import draw_charts
from kopa_hf.edge.surroundings import in_words

PAPER_URL: Final = "https://arxiv.org/abs/2609.05395"
PAPER_GRAPH: Final[dict[str, Any]] = {
    "rates": {"skeleton": 0.502, "retained": 0.627, "pruned": 0.148},
    "never_succeeded": {"kept": 0.277, "pruned": 0.705},
    "gain": {"pass_rate": 0.31, "step_rate": 0.28},
}
"""The paper's figures for its graph; other tools, other data."""

TABLE: Final[tuple[tuple[str, str, tuple[str, ...], bool], ...]] = (
    ("rows", "행", ("rows",), False),
    *((name, "", ("structures", name), False) for name in ("MIXED", "DRV", "SEM", "SEQ", "CMP", "COND", "FAN")),
    ("FAN + DRV of single-junction", "단일 연결 중 FAN+DRV", ("single_junction_sequential", "fan_or_drv"), True),
    ("one-to-many junctions", "일대다 연결", ("junctions", "one_to_many"), True),
    ("cardinality, median", "카디널리티 중앙값", ("junctions", "cardinality", "median"), False),
    ("cardinality, largest", "카디널리티 최댓값", ("junctions", "cardinality", "max"), False),
    ("records, median", "레코드 수 중앙값", ("junctions", "records", "median"), False),
    ("records, most", "레코드 수 최댓값", ("junctions", "records", "max"), False),
    ("calls a task", "과제당 호출", ("calls", "mean"), False),
    ("most calls", "최다 호출", ("calls", "max"), False),
    ("hops a task", "과제당 홉", ("hops", "mean"), False),
    ("four hops or more", "4홉 이상", ("hops", "four_or_more"), True),
    ("parallel calls", "병렬 호출", ("parallel",), True),
    ("operations", "기능 수", ("operations",), False),
    ("chains", "사슬 수", ("chains",), False),
)
"""Lines of the table: English, Korean, where the figure stands, whether it is a share."""


def report_page(report: Mapping[str, Any], *, figures: bool = True) -> str:
    """The page. Same report, same text.

    Parts that a run has not reached yet (trajectories before synthesis, truth on live data) say so.
    Raises `MissingExtraError` with `figures` where matplotlib is not installed.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "data"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(share=_share, number=_number, points=_points)
    charts = draw_charts(report, PAPER_GRAPH["rates"]) if figures else {}
    return environment.get_template("report.html").render(
        report=report,
        settings=_settings(report["config"]),
        refined_on=in_words(report.get("surroundings")),
        table=_table(report.get("table")),
        paper=PAPER_GRAPH,
        paper_url=PAPER_URL,
        version=__version__,
        charts={name: base64.b64encode(svg).decode("ascii") for name, svg in charts.items()},
    )


def _settings(config: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Every setting by the name that `--set` takes."""
    found: list[tuple[str, str]] = []
    for name, value in config.items():
        if isinstance(value, Mapping):
            found += [(f"{name}.{part}", str(number)) for part, number in value.items()]
        elif isinstance(value, list | tuple):
            found.append((name, ", ".join(map(str, value)) or "–"))
        else:
            found.append((name, "–" if value is None or value == "" else str(value)))
    return found


def _table(table: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Columns and lines of the paper's table; figures as text."""
    if table is None:
        return None
    columns = [
        ("ours 이 자료", table["ours"]),
        *((f"{name} (file given 주어진 파일)", found) for name, found in table["others"].items()),
        ("EDGE, paper 논문", table["paper"]),
        *((f"{name}, paper 논문", found) for name, found in table["paper_others"].items()),
    ]
    lines = [
        (english, korean, [(_share if is_share else _number)(_at(found, path)) for _, found in columns])
        for english, korean, path, is_share in TABLE
    ]
    return {"columns": [name for name, _ in columns], "lines": lines}


def _at(found: Any, path: tuple[str, ...]) -> Any:
    if path[0] == "structures" and found.get("structures"):
        return found["structures"].get(path[1], 0)  # data sets that do not type their tasks have none at all
    for key in path:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found


def _share(value: float | None) -> str:
    """0 to 1 as a percentage."""
    return "–" if value is None else f"{100 * value:.1f}%"


def _points(value: float | None) -> str:
    """A difference of shares in percentage points."""
    return "–" if value is None else f"{100 * value:+.1f} pp"


def _number(value: float | None) -> str:
    """Whole numbers with commas, others with up to three decimals."""
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.3f}".rstrip("0").rstrip(".")
