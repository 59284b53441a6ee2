"""The published audit is one of these very tasks, and its transcripts replay to what the card claims."""

from __future__ import annotations

import pytest

from kopa_hf.bench.audit_record import AuditedTask, load_audit, load_transcripts
from kopa_hf.bench.task import load_tasks
from kopa_hf.errors import DataError
from kopa_hf.execution.executor import Executor
from kopa_hf.hub.benchmark_card import benchmark_facts
from kopa_hf.hub.loading import embedded_rows


def test_every_task_was_audited_once() -> None:
    audit = load_audit()
    assert sorted(task.task for task in audit.tasks) == sorted(task.name for task in load_tasks())
    assert {t.row for t in load_transcripts()} == {row.id for row in embedded_rows()}
    assert audit.first_pass == sum(task.agreed for task in audit.tasks) < len(audit.tasks)
    assert all(task.correction for task in audit.tasks if task.cause == "task")


@pytest.mark.slow
def test_every_transcript_replays_and_its_answer_agrees_where_the_record_says_so() -> None:
    rows = {row.id: row for row in embedded_rows()}
    agrees = {task.task: task.agrees for task in load_audit().tasks}
    with Executor() as executor:
        for transcript in load_transcripts():
            row = rows[transcript.row]
            name = row.provenance["task"]
            assert transcript.score(row, executor).reward == (1.0 if agrees[name] else 0.0), name


def test_the_card_shows_the_audit_of_its_own_tasks_only() -> None:
    with Executor() as executor:
        assert benchmark_facts(embedded_rows(), executor, scored=False).facts["audit"] == load_audit()
        assert benchmark_facts(embedded_rows()[:5], executor, scored=False).facts["audit"] is None


def test_a_disagreement_without_a_cause_is_refused() -> None:
    with pytest.raises(DataError, match="needs a cause"):
        AuditedTask(task="x", agreed=False)
    with pytest.raises(DataError, match="none of task, solver"):
        AuditedTask(task="x", agreed=False, cause="luck", finding="y")  # type: ignore[arg-type]  # as a file may have it
