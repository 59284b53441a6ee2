"""Every setting of the synthesis in one frozen record.

Defaults are the published hyperparameters; where the paper is silent the value
is ours. The record is printed with every result and stored in every graph.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

import yaml

from kopa_hf.edge.ranges import RANGES, allowed, in_range
from kopa_hf.errors import DataError

FALLBACKS: Final[tuple[str, ...]] = ("drop", "rules")
STRUCTURES: Final[tuple[str, ...]] = ("SEQ", "FAN", "DRV", "SEM", "CMP", "COND", "MIXED")
RUN_ONLY: Final[frozenset[str]] = frozenset({"concurrency", "model_concurrency", "workers"})
"""Settings that say how a run goes about its work and change no byte of its result; they are saved nowhere."""


@dataclass(frozen=True, slots=True)
class Updates:
    """What one execution adds to an edge's Beta posterior.

    Successes add to alpha, failures to beta. Environmental failures say little about
    the edge, so they weigh little, and the less the more plainly they come from outside.
    """

    semantic: float = 1.0
    """At least one input that is not generic carried a value."""
    generic: float = 0.3
    """Only generic inputs (paging, format, a fixed choice) carried values."""
    bad_param: float = 1.0
    missing_field: float = 1.5
    """The source's records lack the bound field."""
    unknown_operation: float = 1.5
    wrong_shape: float = 1.0
    """A well-formed answer of a shape the service never documents."""
    ignored: float = 1.0
    """The service answers the same to a value that cannot exist, so the link carries nothing."""
    no_data: float = 0.5
    """The service understood the value and knows nothing under it."""
    rate_limit: float = 0.1
    quota: float = 0.1
    maintenance: float = 0.2
    timeout: float = 0.3
    server: float = 0.5
    not_a_response: float = 0.5
    auth: float = 0.8


@dataclass(frozen=True, slots=True)
class EdgeConfig:
    """Settings of graph building, refinement and synthesis; immutable, so it can stand in a result."""

    name: str = "default"
    """The preset that the settings began as."""
    seed: int = 0
    """Fixes every random choice: same seed, same bytes, at any concurrency."""

    # Candidates and feasibility
    embedder: str = "ngrams"
    """`ngrams` (offline), `st:FOLDER` (Sentence-Transformers) or http://HOST/v1#MODEL (OpenAI-compatible)."""
    judge: str = "rules"
    """`rules` (offline), http://HOST/v1#MODEL or the folder of a local Transformers model."""
    judge_attempts: int = 3
    """Times a judging model is asked before its answer counts as malformed."""
    judge_tokens: int = 4096
    """Tokens of one answer of a judging model, thinking included."""
    judge_fallback: str = "drop"
    """What becomes of a pair whose answers stayed malformed: `drop` leaves it out, `rules` lets the offline judge say."""
    model_concurrency: int = 16
    """Requests to embedder or judge that are on the way at once; changes no byte of the result."""
    embedding_batch: int = 64
    """Texts in one request to an embedding model."""
    neighbors: int = 15
    """K: candidate targets per source tool within its domain."""
    cross_neighbors: int = 10
    """K_x: candidate targets per source tool in other domains."""
    min_score: float = 0.3
    """s_min: edges that the judge scores lower are not built."""
    platforms: tuple[str, ...] = ()
    """Platforms whose tools are linked; none named: all."""
    withhold: tuple[str, ...] = ()
    """Platforms that enter neither graph nor trajectories."""
    embedding_size: int = 512
    """Slots of the offline embedder's vectors; models have a size of their own."""

    # Prior, refinement, pruning
    kappa: float = 2.0
    """Weight of the judge's score in the prior; deliberately weak."""
    iterations: int = 100
    """T."""
    paths: int = 500
    """M: sampled paths per iteration."""
    max_edges: int = 4
    """Edges a path walks at most."""
    exploration: float = 0.1
    """Probability of a uniform choice among outgoing edges instead of Thompson sampling."""
    updates: Updates = field(default_factory=Updates)
    min_trials: int = 2
    """n_min: edges tried less are never pruned."""
    tau: float = 0.5
    prune_below: float = 0.3
    """Pruned: Pr[theta > tau] is below this."""
    page_rows: int = 20
    """Rows asked of services that page; a link shows on few rows as well as on many."""
    start_attempts: int = 3
    """Tries of a path's first call where the failure is one that another try may cure."""
    cached_values: int = 64
    """Validated values kept per parameter meaning; the newest stay."""
    stop_at_failures: float = 0.9
    """Share of an iteration's calls that may fail environmentally before refinement stops: the backend is down."""
    concurrency: int = 8
    """Calls in flight; changes no byte of the result."""

    # Edge rates
    fresh_executions: int = 5
    """Executions per edge, after refinement, that the posterior has not seen."""
    rate_edges: int | None = None
    """Measure that many edges, drawn evenly; None: all."""

    # Trajectories
    fan_out: int = 5
    """phi: values up to which a junction fans out; above it a reduction is inserted."""
    rows: int = 1781
    """Trajectories wanted, over all structures."""
    structures: tuple[str, ...] = STRUCTURES
    attempts_per_row: int = 12
    """Sketches tried per wanted trajectory before the search gives up."""
    max_calls: int = 36
    max_collect: int = 30
    """Pages that one `collect_pages` may fetch in a golden trajectory."""
    max_rows: int = 6000
    """Rows that one result of a golden trajectory may hold."""
    headroom: float = 2.45
    """`max_allowed_calls` over golden calls."""
    token_budget: int = 2000
    """Tokens of one tool result as the model reads it."""
    distractors: int = 4
    """Tools offered beside those that the golden trajectory needs."""
    validation_share: float = 0.1
    workers: int = 0
    """Processes that refinement and synthesis run on; 0: one a core. Changes no byte of the result."""

    # Questions and filtering
    template_share: float = 0.03
    """Share of a structure's rows that one phrasing template may carry at most."""
    rephrase: str = ""
    """Model that puts questions in other words (`http://HOST/v1#MODEL` or a folder); empty: templates only."""
    filter_judges: tuple[str, ...] = ()
    """Two models that judge rows instead of the offline judges."""
    solver: str = ""
    """Model that solves rows again instead of the offline reader."""

    def __post_init__(self) -> None:
        problems = list(self._problems())
        if problems:
            raise DataError("EDGE settings: " + "; ".join(problems))

    def _problems(self) -> list[str]:
        found = []
        for name in RANGES:
            value = getattr(self, name)
            if value is not None and not in_range(name, value):
                found.append(f"{name} must be {allowed(name)}, not {value}")
        found += [
            f"updates.{name} must be {allowed('updates.' + name)}, not {value}"
            for name, value in dataclasses.asdict(self.updates).items()
            if not in_range(f"updates.{name}", value)
        ]
        if self.judge_fallback not in FALLBACKS:
            found.append(f"judge_fallback must be {' or '.join(FALLBACKS)}, not {self.judge_fallback!r}")
        found += [f"{name} must not be empty" for name in ("embedder", "judge") if not getattr(self, name).strip()]
        unknown = sorted(set(self.structures) - set(STRUCTURES))
        if unknown:
            found.append(f"unknown structures {', '.join(unknown)}; there are {', '.join(STRUCTURES)}")
        if not self.structures or len(set(self.structures)) < len(self.structures):
            told = ",".join(self.structures) or "none"
            found.append(f"structures must name one or more of {', '.join(STRUCTURES)}, each once, not {told}")
        if self.filter_judges and (len(self.filter_judges) != 2 or len(set(self.filter_judges)) != 2):
            told = ", ".join(self.filter_judges)
            found.append(f"filter_judges must name two independent judges, that is two models, not {told}")
        return found

    @classmethod
    def make(cls, preset: str | None = None, *, base: EdgeConfig | None = None, **overrides: Any) -> EdgeConfig:
        """A preset's settings (or those of `base`, or the defaults) with some of them replaced."""
        return (cls.preset(preset, base) if preset else base or cls()).replace(**overrides)

    @classmethod
    def preset(cls, name: str, base: EdgeConfig | None = None) -> EdgeConfig:
        """One of `PRESETS`; what it does not name is as in `base`, else as the defaults have it."""
        if not isinstance(name, str) or name not in PRESETS:
            raise DataError(f"Unknown preset {name!r}. There are: {', '.join(sorted(PRESETS))}.")
        return (base or cls()).replace(name=name, **PRESETS[name])

    @classmethod
    def from_yaml(cls, path: str | Path, *, base: EdgeConfig | None = None, **overrides: Any) -> EdgeConfig:
        """Settings from a YAML mapping, over its `preset`, over `base`."""
        try:
            content = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            raise DataError(f"Cannot read the EDGE settings {path}: {error}") from error
        if not isinstance(content, dict):
            raise DataError(f"{path} must hold a mapping of settings, not {type(content).__name__}.")
        if not all(isinstance(name, str) for name in content):
            raise DataError(
                f"{path} must hold names of settings, not {next(n for n in content if type(n) is not str)!r}."
            )
        named = content.pop("preset", None)
        preset = overrides.pop("preset", None) or named
        try:
            return cls.make(preset, base=base, **{**content, **overrides})
        except DataError as error:
            raise DataError(f"{path}: {error}") from error

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> EdgeConfig:
        """The inverse of `to_dict`; what `to_saved` left out takes its default."""
        return cls().replace(**values)

    def replace(self, **overrides: Any) -> EdgeConfig:
        """A copy with some settings replaced; unknown names and wrong types raise `DataError`.

        A part of a nested setting is named with a dot: `{"updates.timeout": 0.2}`.
        """
        overrides = _gathered(overrides)
        fields = {f.name: f for f in dataclasses.fields(self)}
        unknown = sorted(set(overrides) - set(fields))
        if unknown:
            near = [match for name in unknown for match in get_close_matches(name, fields, 1)]
            hint = f" Did you mean {', '.join(near)}?" if near else ""
            raise DataError(f"Unknown EDGE settings: {', '.join(unknown)}.{hint} There are: {', '.join(fields)}.")
        checked = {name: _checked(name, getattr(self, name), value) for name, value in overrides.items()}
        return dataclasses.replace(self, **checked)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values, in the order of the definition."""
        content = dataclasses.asdict(self)
        content["platforms"] = list(self.platforms)
        content["withhold"] = list(self.withhold)
        content["structures"] = list(self.structures)
        content["filter_judges"] = list(self.filter_judges)
        return content

    def to_saved(self) -> dict[str, Any]:
        """`to_dict` less what is `RUN_ONLY`: the form that stands in files, equal for equal results."""
        return {name: value for name, value in self.to_dict().items() if name not in RUN_ONLY}


def _gathered(overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Dotted names put into a mapping under their first part."""
    plain = {name: value for name, value in overrides.items() if "." not in name}
    for name, value in overrides.items():
        head, dot, part = name.partition(".")
        if dot:
            whole = plain.get(head, {})
            if isinstance(whole, Updates):
                whole = dataclasses.asdict(whole)
            plain[head] = {**whole, part: value} if isinstance(whole, Mapping) else whole
    return plain


def _checked(name: str, current: Any, value: Any) -> Any:
    """The value in the type of the setting it replaces."""
    if isinstance(current, Updates):
        return _checked_updates(name, current, value)
    if isinstance(current, tuple):
        items = value.split(",") if isinstance(value, str) else value
        if not isinstance(items, list | tuple):
            raise DataError(f"{name} must be a list of names, not {value!r}.")
        return tuple(str(item).strip() for item in items if str(item).strip())
    if name == "rate_edges" and value is None:
        return None
    return _checked_scalar(name, int if name == "rate_edges" else type(current), value)


def _checked_updates(name: str, current: Updates, value: Any) -> Updates:
    if isinstance(value, Updates):
        return value
    known = [f.name for f in dataclasses.fields(Updates)]
    if not isinstance(value, Mapping):
        raise DataError(f"{name} must be a mapping of {', '.join(known)}.")
    unknown = [str(key) for key in value if key not in known]
    if unknown:
        raise DataError(f"{name} must be a mapping of {', '.join(known)}; there is no {', '.join(unknown)}.")
    checked = {key: _checked_scalar(f"{name}.{key}", float, item) for key, item in value.items()}
    return dataclasses.replace(current, **checked)


def _checked_scalar(name: str, kind: type, value: Any) -> Any:
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value) if abs(value) < 10**300 else math.inf
    endless = isinstance(value, float) and not math.isfinite(value)
    if not isinstance(value, kind) or isinstance(value, bool) or endless:
        raise DataError(f"{name} must be {allowed(name)}, not {value!r}.")
    return value


PRESETS: Final[dict[str, dict[str, Any]]] = {
    "demo": {
        "platforms": ["dart", "assembly", "expressway", "gyeonggi"],
        "iterations": 30,
        "paths": 500,
        "rate_edges": 400,
        "rows": 120,
        "max_rows": 1500,
    },
    "paper": {"withhold": ["seoul", "dart", "krx"], "rate_edges": 5000, "max_rows": 600},
    "own": {
        "iterations": 12,
        "paths": 150,
        "fresh_executions": 2,
        "rate_edges": 60,
        "rows": 90,
        "attempts_per_row": 30,
        "max_collect": 5,
    },
    "one-day": {"iterations": 5, "paths": 30, "fresh_executions": 2, "rate_edges": 80, "rows": 12, "max_collect": 5},
}
"""`one-day` is for live runs: it fits the quotas that the platforms give one key for one day.

`own` is for catalogs of one's own, tens of tools whose service may be asked some thousand times.

`demo` withholds nothing and is small enough for two minutes on two cores; its rows are never published."""
