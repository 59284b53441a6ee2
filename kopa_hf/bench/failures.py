"""A report on what went wrong, in Korean or English: which causes, how often, and for every failed task why."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Literal

from kopa_hf.bench.overlapping import question_of
from kopa_hf.bench.reasons import TEXTS, explain
from kopa_hf.bench.rollouts import PolicyReport, Rollout
from kopa_hf.bench.rows import Row

Language = Literal["ko", "en"]
_Word = Callable[..., str]

_CLIP: Final = 160
_WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "title": ("# {policy}: 실패 보고서", "# {policy}: failure report"),
    "counts": (
        "채점한 실행 {scored}건 가운데 {passed}건이 통과하고 {failed}건이 실패했습니다. "
        "모델 탓이 아니어서 평균에서 뺀 실행은 {faults}건, 판정하지 못한 실행은 {unscored}건입니다.",
        "Of {scored} scored rollouts {passed} passed and {failed} failed. "
        "{faults} were spoiled by faults that are not the model's and count in no average; {unscored} could not be judged.",
    ),
    "causes": ("## 원인", "## Causes"),
    "head": ("| 원인 | 첫째 원인인 실행 | 언급된 실행 | 뜻 |", "| cause | as the first | named in | meaning |"),
    "tasks": ("## 과제별", "## By task"),
    "spoiled": ("## 평균에서 뺀 실행", "## Left out of the averages"),
    "question": ("질문", "question"),
    "expected": ("정답", "expected"),
    "given": ("답", "answer"),
    "none": ("(없음)", "(none)"),
    "rollouts": ("{failed}/{all}회 실패", "failed {failed} of {all}"),
}


def failure_report(report: PolicyReport, rows: Sequence[Row], language: Language = "ko") -> str:
    """Markdown. A rollout counts once under its first cause, and once under every cause that is named for it."""
    return "\n".join(_lines(report, {row.id: row for row in rows}, language)) + "\n"


def first_causes(rollouts: Sequence[Rollout]) -> dict[str, int]:
    """Reason code → failed rollouts that it is the nearest cause of, most frequent first.

    The nearest cause in the run: what the calls show goes before what the answer shows, for a wrong
    answer follows from a skipped lookup.
    """
    counts: dict[str, int] = {}
    for rollout in rollouts:
        if rollout.score.reward == 0.0 and rollout.score.reasons:
            code = nearest_cause(rollout.score.reasons)
            counts[code] = counts.get(code, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


_OF_THE_ANSWER: Final = ("wrong_answer", "unreadable", "ambiguous", "empty_answer", "no_evidence", "missing_write",
                         "wrong_write", "missing_deciding_value", "decisive_lookup_missing")  # fmt: skip


def nearest_cause(reasons: Sequence[str]) -> str:
    """The code that explains the others: the first about the run, else the first about the answer."""
    codes = [reason.partition(": ")[0] for reason in reasons]
    return next((code for code in codes if code not in _OF_THE_ANSWER), codes[0])


def _lines(report: PolicyReport, rows: Mapping[str, Row], language: Language) -> Iterator[str]:
    def word(key: str, **values: object) -> str:
        return _WORDS[key][0 if language == "ko" else 1].format(**values)

    failed = [rollout for rollout in report.rollouts if rollout.score.reward == 0.0]
    spoiled = [rollout for rollout in report.rollouts if rollout.score.status != "scored"]
    metrics = report.metrics
    yield word("title", policy=report.policy)
    yield ""
    yield word(
        "counts",
        scored=metrics.scored,
        passed=metrics.scored - len(failed),
        failed=len(failed),
        faults=metrics.faults,
        unscored=metrics.unscored,
    )
    if failed:
        first, named = first_causes(failed), _named(failed)
        yield from ("", word("causes"), "", word("head"), "| --- | --- | --- | --- |")
        for code in [*first, *(code for code in named if code not in first)]:
            yield f"| {code} | {first.get(code, 0)} | {named[code]} | {explain(code, language)} |"
        yield from ("", word("tasks"))
        for row_id in dict.fromkeys(rollout.row_id for rollout in failed):
            of_row = [rollout for rollout in report.rollouts if rollout.row_id == row_id]
            yield from _task_lines(rows.get(row_id), row_id, of_row, language, word)
    if spoiled:
        yield from ("", word("spoiled"), "")
        for rollout in spoiled:
            why = "; ".join(explain(reason, language) for reason in rollout.score.reasons) or rollout.score.status
            why += f" ({_clip(rollout.fault)})" if rollout.fault else ""
            yield f"- {_name(rows.get(rollout.row_id), rollout.row_id)}: {why}"


def _task_lines(
    row: Row | None, row_id: str, rollouts: Sequence[Rollout], language: Language, word: _Word
) -> Iterator[str]:
    failed = [rollout for rollout in rollouts if rollout.score.reward == 0.0]
    yield from ("", f"### {_name(row, row_id)} ({word('rollouts', failed=len(failed), all=len(rollouts))})", "")
    if row is not None:
        yield f"- {word('question')}: {_clip(question_of(row))}"
        if row.answer:
            yield f"- {word('expected')}: {_clip(row.answer)}{row.answer_unit}"
    for rollout in failed:
        yield f"- {word('given')} {rollout.number + 1}: {_clip(rollout.answer or '') or word('none')}"
        for reason in rollout.score.reasons:
            yield f"  - {explain(reason, language)}"


def _named(rollouts: Sequence[Rollout]) -> dict[str, int]:
    counts = dict.fromkeys(TEXTS, 0)
    for rollout in rollouts:
        for code in {reason.partition(": ")[0] for reason in rollout.score.reasons}:
            counts[code] += 1
    return {code: count for code, count in counts.items() if count}


def _name(row: Row | None, row_id: str) -> str:
    return str(row.provenance.get("task") or row_id) if row is not None else row_id


def _clip(text: str) -> str:
    plain = " ".join(text.split()).replace("|", "¦")
    return plain if len(plain) <= _CLIP else plain[: _CLIP - 1] + "…"
