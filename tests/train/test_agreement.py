"""kopa_reward and the benchmark's scorer say the same of a rollout: on both kinds of rows, also where calls fail."""

from __future__ import annotations

from typing import Any

import pytest

from kopa_hf.agent.environment import KopaEnvironment
from kopa_hf.bench.model_policy import transcript
from kopa_hf.bench.policies import POLICIES
from kopa_hf.bench.rows import COLUMNS, Row, row_to_dict
from kopa_hf.bench.scoring import Score, score_rollout
from kopa_hf.execution.executor import Executor
from kopa_hf.hub.loading import embedded_rows
from kopa_hf.sandbox.faults import Faults
from kopa_hf.train.reward import kopa_reward
from tests.train.runs import edge_rows

pytestmark = pytest.mark.slow


def both(
    row: Row, policy: str, executor: type[KopaEnvironment]
) -> tuple[Score, list[float | None], list[float | None]]:
    """The scorer's verdict on a policy's run, and the reward with the environment and by replay."""
    environment = executor()
    environment.reset(**{name: value for name, value in row_to_dict(row).items() if name != "environment"})
    session = environment._session
    assert session is not None
    answer = POLICIES[policy].run(row, session)
    direct = score_rollout(row, session.calls, session.episode.state_hash(), answer)
    said: Any = transcript(session, answer)
    columns = {name: [getattr(row, name)] for name in COLUMNS if name not in ("prompt", "completion")}
    lived = kopa_reward([row.prompt], [said], environments=[environment], **columns)
    return direct, lived, kopa_reward([row.prompt], [said], **columns)


@pytest.mark.parametrize("factor", [0, 60], ids=["no faults", "sixty times the faults"])
def test_the_reward_is_the_scorers_with_environments_and_by_replay(
    factor: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = Faults.scaled(5, factor) if factor else Faults.none()
    statuses: set[tuple[str, float | None]] = set()
    # a task that needs no call is right however often services fail
    asking = next(row for row in embedded_rows() if row.answer_type == "ask")
    with Executor(faults=faults) as executor:
        monkeypatch.setattr(KopaEnvironment, "_executor", executor)
        for row in (*edge_rows(), *embedded_rows()[::15], asking):
            for policy in ("gold", "first_page_only", "every_tool_once", "wrong_number"):
                direct, lived, replayed = both(row, policy, KopaEnvironment)
                assert lived == replayed == [direct.reward], (row.id, policy, direct)
                statuses.add((direct.status, direct.reward))
    assert statuses == {("scored", 1.0), ("scored", 0.0)} | ({("tool_fault", None)} if factor else set())
