"""From the log of a run to a card that others can check: the held-out number first, and how to get it again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kopa_hf._version import __version__
from kopa_hf.bench.failures import first_causes
from kopa_hf.bench.metrics import Metrics
from kopa_hf.bench.reasons import explain
from kopa_hf.bench.rescoring import rescore_log
from kopa_hf.bench.rollouts import PolicyReport
from kopa_hf.bench.rows import Row, is_held_out, row_fingerprint
from kopa_hf.bench.run_log import Line, RunLog, read_run_log
from kopa_hf.errors import DataError
from kopa_hf.hub.loading import HUB_NAMESPACE, embedded_rows
from kopa_hf.hub.run_command import equal_command, is_scripted, run_commands
from kopa_hf.shipped import shipped_path

RESULTS: Final = Path(".eval_results") / "kopa-bench.yaml"
"""Where the Hub looks for a model's results."""
_REASONS: Final = 8


@dataclass(frozen=True, slots=True)
class ResultsCard:
    """One agent's results, ready to be written."""

    agent: str
    markdown: str
    entries: list[dict[str, Any]]
    """What the Hub reads: one entry per config that was scored."""

    def write(self, folder: Path) -> list[Path]:
        """`README.md` and the results file under `folder`; a card that is there already is replaced, nothing else."""
        import yaml

        card, results = folder / "README.md", folder / RESULTS
        if card.exists() and not card.read_text(encoding="utf-8").startswith("# KOPA-Bench"):
            raise DataError(f"{card} is another card, so it is not replaced. Choose another folder.")
        results.parent.mkdir(parents=True, exist_ok=True)
        card.write_text(self.markdown, encoding="utf-8")
        results.write_text(yaml.safe_dump(self.entries, allow_unicode=True, sort_keys=False), encoding="utf-8")
        return [card, results]


def results_card(
    log: Path,
    rows: Sequence[Row],
    *,
    agent: str | None = None,
    revision: str | None = None,
    source: str | None = None,
) -> ResultsCard:
    """The card of one agent of a log, scored again by today's rules.

    agent: needed where the log holds several. revision: Git SHA of the published benchmark that the rows
    came from. source: repository (OWNER/NAME) that the results belong to. Raises DataError where nothing in
    the log compares with `rows`.
    """
    found = read_run_log(log)
    rescoring = rescore_log(found, rows)
    report = _one(rescoring.reports(), agent, log)
    lines = [rescored.line for rescored in rescoring.rollouts if rescored.agent == report.policy]
    parts = {"all tasks": report.metrics, "held-out": report.by_exposure.get("held_out")}
    parts |= {"platforms seen in EDGE": report.by_exposure.get("seen"), **dict(sorted(report.by_domain.items()))}
    sizes = _sizes(rows)
    cells = {name: _cells(name, metrics, sizes[name]) for name, metrics in parts.items() if metrics and sizes[name]}
    if "held-out" not in cells:
        raise DataError(f"{log.name} holds no scored rollout of a held-out task: kopa eval --config held_out.")
    commands, answered = run_commands(lines), _source(found, rows)
    markdown = _render(
        agent=report.policy,
        held_out=cells["held-out"],
        lines=list(cells.values()),
        partial=_partial(cells, report, rows),
        reasons=_reasons(report),
        source=answered,
        settings=_settings(lines),
        commands=commands,
        equal="" if commands else equal_command(lines, rows),
        seeds=sorted({line["seed"] for line in lines}),
        tasks=len(rows),
        task_versions=sorted({row.version for row in rows}),
        digest=_digest(rows),
        log_digest=hashlib.sha256(log.read_bytes()).hexdigest(),
        log=log.name,
    )
    told = f"; as run: {commands[0]}" if len(commands) == 1 else ""
    scored = {name: sizes[part] for name, part in _published_parts(rows).items()}
    return ResultsCard(report.policy, markdown, _entries(report, scored, revision, source, f"source {answered}{told}"))


def check_tasks(rows: Sequence[Row]) -> None:
    """Raise `DataError` where `rows` are not those of a config of the published benchmark, so no score is one of it."""
    if not _published_parts(rows):
        known = set(map(row_fingerprint, embedded_rows()))
        count = sum(row_fingerprint(row) in known for row in rows)
        raise DataError(
            f"{count} of these {len(rows)} tasks are among the {len(embedded_rows())} of {HUB_NAMESPACE}/kopa-bench: a "
            "score over a part of them, or over others, is no result of it and is not published."
        )


def check_claim(agent: str, repository: str, said: str | None = None) -> None:
    """Raise `DataError` where an agent's score is no score of the model in `repository` (OWNER/NAME).

    The agent of a log must bear the repository's name, with or without its owner, or be the one that was `said`
    to be that model; a scripted agent is no model at all.
    """
    if is_scripted(agent):
        raise DataError(f"{agent} is a scripted agent (policy:{agent}), so its score is no model's.")
    if said is not None and said != agent:
        raise DataError(f"The log's agent is {agent}, not {said}.")
    if said is None and agent.rstrip("/").rpartition("/")[2].casefold() != repository.rpartition("/")[2].casefold():
        raise DataError(
            f"The log's agent is {agent}, the repository {repository}. If they are the same model: --model-of-log {agent}"
        )


def _one(reports: dict[str, PolicyReport], agent: str | None, log: Path) -> PolicyReport:
    scored = {name: report for name, report in reports.items() if report.metrics.scored}
    if not scored:
        raise DataError(f"{log.name} holds no scored run of these tasks. Name their folder with --data.")
    if agent is None and len(scored) == 1:
        return next(iter(scored.values()))
    if agent not in scored:
        raise DataError(f"{log.name} holds {', '.join(scored)}; choose one with --agent.")
    return scored[agent]


def _sizes(rows: Sequence[Row]) -> dict[str, int]:
    """How many tasks each line of the table is about."""
    held_out = sum(map(is_held_out, rows))
    sizes = {"all tasks": len(rows), "held-out": held_out, "platforms seen in EDGE": len(rows) - held_out}
    return sizes | {domain: sum(row.domain == domain for row in rows) for domain in {row.domain for row in rows}}


def _published_parts(rows: Sequence[Row]) -> dict[str, str]:
    """Config of the published benchmark that `rows` hold whole and unchanged → its line of the table.

    By fingerprint, which is made from the content: a row that bears a published id over another program is another.
    """
    found = {}
    published = embedded_rows()
    for name, part, belongs in (
        ("kopa_bench", "all tasks", lambda row: True),
        ("kopa_bench_held_out", "held-out", is_held_out),
    ):
        ours, theirs = ({row_fingerprint(row) for row in group if belongs(row)} for group in (rows, published))
        if ours == theirs:
            found[name] = part
    return found


def _cells(name: str, metrics: Metrics, of: int) -> dict[str, Any]:
    interval = metrics.interval
    return {
        "name": name,
        "rate": _rate(metrics.pass_at_1),
        "interval": f"{interval.low:.2f}-{interval.high:.2f}" if interval else "-",
        "pass_at_4": _rate(metrics.pass_at_4),
        "pass_hat_4": _rate(metrics.pass_hat_4),
        "action": _rate(metrics.action),
        "tasks": metrics.tasks,
        "of": of,
        "rollouts": metrics.scored,
        "unscored": metrics.faults + metrics.unscored,
    }


def _rate(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _partial(cells: dict[str, dict[str, Any]], report: PolicyReport, rows: Sequence[Row]) -> str:
    """What keeps the number from being a full result."""
    found = []
    if not _published_parts(rows):
        found.append("These tasks are not those of the published benchmark, so this is no result of it.")
    held_out = cells["held-out"]
    if held_out["tasks"] < held_out["of"]:
        found.append(f"{held_out['of'] - held_out['tasks']} held-out tasks have no scored rollout.")
    if report.metrics.pass_at_4 is None:
        found.append("Fewer than four rollouts a task: pass@1 is the mean of what there is, pass@4 is not known.")
    return " ".join(found)


def _reasons(report: PolicyReport) -> list[dict[str, Any]]:
    causes = list(first_causes(report.rollouts).items())[:_REASONS]
    return [{"count": count, "text": f"{explain(code, 'en')} ({explain(code, 'ko')})"} for code, count in causes]


def _source(log: RunLog, rows: Sequence[Row]) -> str:
    """What answered the calls, as the rows that were run say."""
    ran = list(log.rows().values()) or list(rows)
    return ", ".join(sorted({str(row.provenance.get("backend", "unknown")) for row in ran}))


def _settings(lines: Sequence[Line]) -> dict[str, str]:
    first = dict(lines[0].get("settings") or {}) if lines else {}
    return {
        key: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for key, value in first.items()
    }


def _digest(rows: Sequence[Row]) -> str:
    """One short digest of all that the tasks' scores hang on."""
    prints = "".join(sorted(row_fingerprint(row) for row in rows))
    return hashlib.sha256(prints.encode()).hexdigest()[:16]


def _entries(
    report: PolicyReport, sizes: dict[str, int], revision: str | None, source: str | None, how: str
) -> list[dict[str, Any]]:
    """Results as the Hub reads them; a config that was not scored in full is left out.

    sizes: config of the published benchmark that was run → number of its tasks.
    """
    from huggingface_hub import EvalResultEntry, constants, eval_result_entries_to_yaml

    scored = {"kopa_bench": report.metrics, "kopa_bench_held_out": report.by_exposure.get("held_out")}
    entries = [
        EvalResultEntry(
            dataset_id=f"{HUB_NAMESPACE}/kopa-bench",
            task_id=name,
            value=round(100 * metrics.pass_at_1, 2),
            dataset_revision=revision,
            source_url=f"{constants.ENDPOINT}/{source}" if source else None,
            source_name="kopa_hf" if source else None,
            notes=f"pass@1 in percent, {metrics.scored} rollouts, kopa_hf {__version__}, {how}",
        )
        for name, metrics in scored.items()
        if metrics is not None and metrics.pass_at_1 is not None and metrics.tasks == sizes.get(name)
    ]
    return eval_result_entries_to_yaml(entries)


def _render(**values: Any) -> str:
    from jinja2 import Environment, StrictUndefined

    template = shipped_path("hub_cards/results.md").read_text(encoding="utf-8")
    return (
        Environment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True)
        .from_string(template)
        .render(version=__version__, **values)
    )
