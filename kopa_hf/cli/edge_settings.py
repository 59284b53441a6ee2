"""What every stage of `kopa edge` is told: its folder, its settings, and what it works on."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kopa_hf.cli.edge_folder import hold_folder
from kopa_hf.cli.file_path import FilePath, Name, Source
from kopa_hf.cli.live import Backend
from kopa_hf.cli.output import json_option
from kopa_hf.errors import DataError
from kopa_hf.execution.executor import Executor
from kopa_hf.sandbox.faults import Faults
from kopa_hf.sandbox.world import default_world

if TYPE_CHECKING:
    from kopa_hf.edge.config import EdgeConfig
    from kopa_hf.edge.graph import ToolGraph

GRAPH, CHECKPOINT, ANSWERS, TRAJECTORIES, DATASET, REPORT, PAGE, FIGURE = (
    "graph.json",
    "refine.checkpoint.json",
    "live-answers.sqlite3",
    "trajectories",
    "edge-trajectories",
    "report.json",
    "report.html",
    "pruning.png",
)
"""What a run's folder holds."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What every stage is told: its folder, its settings as given, and whether services may fail."""

    output: Path
    preset: str | None = None
    config_file: Path | None = None
    overrides: tuple[str, ...] = ()
    seed: int | None = None
    no_faults: bool = False
    rephrase: str | None = None
    backend: Backend = field(default_factory=Backend)

    def open(self, config: EdgeConfig) -> Executor:
        """The executor of the stage, with the sandbox's faults unless they are off."""
        return open_executor(config, faults=not self.no_faults, backend=self.backend, output=self.output)

    def config(self, default: EdgeConfig | None = None) -> EdgeConfig:
        """Preset or file, then single settings, then the seed.

        `default` is what a later stage goes on with, the settings of the run's graph: a preset or a file changes what
        it names.
        """
        from kopa_hf.edge.config import EdgeConfig

        given = dict(_setting(pair) for pair in self.overrides)
        if self.seed is not None:
            given["seed"] = self.seed
        if self.rephrase is not None:
            given["rephrase"] = self.rephrase
        if self.config_file is not None:
            named = {"preset": self.preset} if self.preset else {}
            return EdgeConfig.from_yaml(self.config_file, base=default, **named).replace(**given)
        return EdgeConfig.make(self.preset, base=default).replace(**given)


def _setting(pair: str) -> tuple[str, Any]:
    """NAME=VALUE; the value is JSON where it can be read as such, else text."""
    name, equals, value = pair.partition("=")
    if not equals:
        raise click.UsageError(f"--set takes NAME=VALUE, not {pair!r}.")
    try:
        return name.strip(), json.loads(value)
    except (ValueError, RecursionError):
        return name.strip(), value


def read_age(ctx: click.Context | None, param: click.Parameter | None, text: str) -> datetime.timedelta | datetime.date:
    """An option's callback: 30d or 4w as a span, or a day itself, YYYY-MM-DD."""
    found = re.fullmatch(r"(\d{1,4})([dw])", text.strip(), re.ASCII)
    if found:
        return datetime.timedelta(days=int(found[1]) * (7 if found[2] == "w" else 1))
    return read_day(text, "days (30d), weeks (4w) or a day (2026-01-31)")


def read_day(text: str, wanted: str = "a day (2026-01-31)") -> datetime.date:
    """YYYY-MM-DD; a word on what was wanted otherwise."""
    try:
        return datetime.datetime.strptime(text.strip(), "%Y-%m-%d").date()
    except ValueError as error:
        raise click.UsageError(f"{text!r} is not {wanted}.") from error


def stage_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that every stage shares; the command gets them as one `Stage`, and its own beside it."""
    shared = {part.name for part in fields(Stage)}

    @wraps(command)
    def with_stage(as_json: bool, **given: Any) -> None:
        told = {name: given.pop(name) for name in shared & given.keys()}
        stage = Stage(**told)
        with hold_folder(stage.output):
            command(stage, as_json, **given)

    options = (
        click.option("--output", default="edge-run", show_default=True, type=FilePath(), help="The run's folder."),
        click.option(
            "--preset",
            type=Name(),
            help="demo (two minutes, withholds nothing), paper, one-day (live), or own (with --catalog).",
        ),
        click.option("--config", "config_file", type=FilePath(exists=True), help="YAML file of settings."),
        click.option(
            "--set",
            "overrides",
            multiple=True,
            metavar="NAME=VALUE",
            help="One setting, e.g. --set iterations=20, --set updates.timeout=0.2, --set judge=http://127.0.0.1:8000/v1#MODEL.",
        ),
        click.option("--seed", type=int, help="Run seed; also the seed of the injected faults."),
        click.option(
            "--rephrase",
            metavar="URL",
            type=Source(),
            help="Model that puts questions in other words: http://HOST/v1#MODEL or a folder. Its text must keep every literal.",
        ),
        click.option("--no-faults", is_flag=True, help="Refine against a sandbox without faults and defects."),
        json_option,
    )
    wrapped: Callable[..., None] = with_stage
    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped


def open_executor(
    config: EdgeConfig, *, faults: bool, backend: Backend | None = None, output: Path | None = None
) -> Executor:
    """What a run works on. In the sandbox, faults are part of what execution has to find out."""
    return (backend or Backend()).open(
        world=default_world(),
        faults=Faults.default(config.seed) if faults else None,
        answers=None if output is None else output / ANSWERS,
    )


def load_graph(output: Path) -> ToolGraph:
    """The run's graph, or a word on how to get one."""
    from kopa_hf.edge.graph import ToolGraph

    path = output / GRAPH
    if not path.exists():
        raise DataError(f"{path} is not there. `kopa edge build --output {output}` makes it.")
    return ToolGraph.load(path)
