"""Three stages that a trajectory must pass: rules, judgement by two judges, independent solving.

Every dropped trajectory is counted under one reason, and what happened to those that
stay goes into their provenance. Offline, the judges are `edge.opinions` and the solver is
`edge.resolving`; a `Panel` puts models in their places.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from kopa_hf.bench.answers import compare
from kopa_hf.bench.derivation import unreadable
from kopa_hf.bench.expressions import ProgramError, as_decimal, plain_number
from kopa_hf.bench.habits import guessed_by
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.export import row_of
from kopa_hf.edge.mixture import quotas
from kopa_hf.edge.opinions import Opinion, RunReviewer, TextReviewer, passed_values, without_source
from kopa_hf.edge.opinions import row_of as kept_row
from kopa_hf.edge.panel import Attempt, Panel
from kopa_hf.edge.phrasing import largest_share
from kopa_hf.edge.resolving import resolve
from kopa_hf.edge.rules import Memory, broken_rule, over_share
from kopa_hf.edge.trajectory import Funnel, Trajectory
from kopa_hf.errors import DataError
from kopa_hf.execution.executor import Executor

Progress = Callable[[int, int], None]
_BOXED: Final = re.compile(r"\\boxed\{([^{}]+)\}")


def filter_trajectories(
    trajectories: Sequence[Trajectory],
    executor: Executor,
    config: EdgeConfig,
    *,
    funnel: Funnel | None = None,
    progress: Progress | None = None,
    memory: Memory | None = None,
    panel: Panel | None = None,
) -> list[Trajectory]:
    """The trajectories that pass all stages, in order; `funnel` adds up what fell and why.

    `memory` is shared by the rounds of one run, so that nothing comes twice; `panel`
    holds the models that judge and solve instead of the offline forms.
    """
    filtering = _Filtering(executor, config, funnel or Funnel(), memory or Memory(), panel or Panel())
    by_rules = [t for t in trajectories if filtering.passes_rules(t)]
    judged = filtering.judged(by_rules)
    kept = []
    for done, (trajectory, attempt) in enumerate(zip(judged, filtering.attempts(judged), strict=True), 1):
        if (
            filtering.solved(trajectory, attempt)
            and filtering.earned(trajectory)
            and filtering.within_share(trajectory)
        ):
            kept.append(trajectory)
        if progress is not None and (done % 10 == 0 or done == len(judged)):
            progress(done, len(judged))
    filtering.count("rules", len(by_rules))
    filtering.count("static", len(judged))
    filtering.count("solved", len(kept))
    return kept


class _Filtering:
    def __init__(self, executor: Executor, config: EdgeConfig, funnel: Funnel, memory: Memory, panel: Panel) -> None:
        self.executor = executor
        self.config = config
        self.funnel = funnel
        self.memory = memory
        self.panel = panel

    def count(self, stage: str, number: int) -> None:
        """Add to a stage of the funnel."""
        self.funnel.stages[stage] = self.funnel.stages.get(stage, 0) + number

    def drop(self, trajectory: Trajectory, reason: str) -> bool:
        """Count a dropped trajectory; False, so that a stage can return it."""
        self.funnel.drop(reason, trajectory.question)
        return False

    # Stage 1: rules

    def passes_rules(self, trajectory: Trajectory) -> bool:
        reason = broken_rule(trajectory, self.executor, self.config, self.memory)
        if reason is not None:
            return self.drop(trajectory, reason)
        trajectory.decisions = {"rules": "passed"}
        return True

    # Stage 2: two judges

    def judged(self, trajectories: Sequence[Trajectory]) -> list[Trajectory]:
        """Those on which the judges find nothing that they agree about."""
        if self.panel.reviewers:
            opinions = [reviewer.review_all(trajectories) for reviewer in self.panel.reviewers]
            names = [reviewer.name for reviewer in self.panel.reviewers]
        else:
            offline = (TextReviewer(), RunReviewer(self.executor, self.config, passed_values(trajectories)))
            opinions = [[reviewer.review(t) for t in trajectories] for reviewer in offline]
            names = [reviewer.name for reviewer in offline]
        return [t for t, *said in zip(trajectories, *opinions, strict=True) if self._agreed(t, said, names)]

    def _agreed(self, trajectory: Trajectory, opinions: Sequence[Opinion | None], names: Sequence[str]) -> bool:
        if without_source(kept_row(trajectory)):
            return self.drop(trajectory, "under-specified: an argument has no source")
        said = [opinion for opinion in opinions if opinion is not None]
        if len(said) < len(opinions):
            return self.drop(trajectory, "unjudged: a judge gave no usable opinion")
        ungradable = next((o.ungradable for o in said if o.ungradable), "")
        if ungradable:
            return self.drop(trajectory, f"non-gradable: {self._why(ungradable)}")
        for what in ("leak", "decorative"):
            reasons = [getattr(opinion, what) for opinion in said]
            decided = self._decided(what, reasons)
            if decided:
                return self.drop(trajectory, f"{what}: {self._why(decided)}")
            if any(reasons):
                self.funnel.note(f"judges at odds: {what}")
                trajectory.decisions[what] = {n: r or "no" for n, r in zip(names, reasons, strict=True)}
        trajectory.decisions["judges"] = list(names)
        return True

    def _decided(self, what: str, reasons: Sequence[str]) -> str:
        """Models are fallible, so both must say so. Offline, execution shows what is decorative, and any leak is one."""
        if self.panel.reviewers:
            return reasons[0] if all(reasons) else ""
        return reasons[-1] if what == "decorative" else next(filter(None, reasons), "")

    def _why(self, reason: str) -> str:
        """Offline reasons are countable; what models write is not."""
        return "both judges say so" if self.panel.reviewers else reason

    # Stage 3: independent solving

    def attempts(self, trajectories: Sequence[Trajectory]) -> list[Attempt]:
        """What the solver makes of each row."""
        budget = self.config.token_budget
        if self.panel.solver is not None:
            return self.panel.solver.solve_all(map(kept_row, trajectories), self.executor, budget)
        return [self._read(trajectory) for trajectory in trajectories]

    def _read(self, trajectory: Trajectory) -> Attempt:
        limits = {"max_calls": kept_row(trajectory).max_allowed_calls, "token_budget": self.config.token_budget}
        found = resolve(trajectory.question, trajectory.offered, self.executor, **limits)
        if found.answer is None and trajectory.drafted:
            # A model's wording may be more than the reader understands; the template says the same.
            found = resolve(trajectory.drafted, trajectory.offered, self.executor, **limits)
        return Attempt(found.text(), fault="" if found.answer is not None else found.problem)

    def solved(self, trajectory: Trajectory, attempt: Attempt) -> bool:
        """The solver must reach the answer; where it reaches another that is judged right, that one is stored."""
        row = kept_row(trajectory)
        if unreadable(row):
            return self.drop(trajectory, "unsolved: a needed value cannot be read in the trimmed answers")
        if attempt.answer is None:
            server = self.panel.solver is not None and attempt.fault
            return self.drop(trajectory, f"unsolved: the solver {'was not answered' if server else 'gave up'}")
        solver = self.panel.solver.name if self.panel.solver is not None else "reader"
        trajectory.decisions["solver"] = solver
        if not self._right(row.answer, row, attempt.answer):
            return self._arbitrated(trajectory, attempt, solver)
        if row.answer != trajectory.answer:
            # What was stored is neither what the program gives now nor what the solver finds.
            trajectory.decisions["answer"] = f"replaced, was {trajectory.answer}"
            trajectory.answer = row.answer
            self._remade(trajectory)
            self.funnel.note("answers replaced")
        return True

    def _right(self, answer: str, row: Any, given: str) -> bool:
        return bool(compare(row.answer_type, answer, given, unit=row.answer_unit).equal)

    def _arbitrated(self, trajectory: Trajectory, attempt: Attempt, solver: str) -> bool:
        if not self.panel.reviewers or self.panel.solver is None:
            return self.drop(trajectory, "unsolved: the solver finds another answer")
        verdicts = [reviewer.arbitrate([(trajectory, attempt)])[0] for reviewer in self.panel.reviewers]
        if all(verdict in ("stored", "both") for verdict in verdicts):
            self.funnel.note("answers upheld against the solver")
            trajectory.decisions["answer"] = f"upheld against {solver}"
            return True
        if all(verdict == "found" for verdict in verdicts) and self._replaced(trajectory, attempt, solver):
            self.funnel.note("answers replaced")
            return True
        return self.drop(trajectory, "unsolved: the solver finds another answer")

    def _replaced(self, trajectory: Trajectory, attempt: Attempt, solver: str) -> bool:
        """The solver's own calls and answer become the row's, if they stand the first stage's execution."""
        value = boxed(attempt.answer or "", trajectory.answer_type)
        if value is None or not attempt.calls:
            return False
        actions = [
            {"id": f"a{n}", "step": call["step"], "name": call["name"], "arguments": call["arguments"]}
            for n, call in enumerate(attempt.calls, 1)
        ]
        changed = replace(trajectory, program={**trajectory.program, "actions": actions, "answer": value})
        try:
            row = row_of(changed, self.executor, self.config)
        except (ProgramError, DataError):
            return False
        trajectory.decisions["answer"] = f"replaced by {solver}, was {trajectory.answer}"
        trajectory.program, trajectory.golden_actions, trajectory.answer = (
            changed.program,
            row.golden_actions,
            row.answer,
        )
        self._remade(trajectory)
        return True

    def _remade(self, trajectory: Trajectory) -> None:
        """The row anew, with what has changed."""
        trajectory.row = row_of(trajectory, self.executor, self.config)

    def earned(self, trajectory: Trajectory) -> bool:
        """No policy may be paid for calling without reading the question and copying a number of what comes back."""
        habit = guessed_by(kept_row(trajectory), self.executor)
        return habit is None or self.drop(trajectory, f"paid by a habit: {habit}")

    def within_share(self, trajectory: Trajectory) -> bool:
        """No phrasing template may carry more than its share of a structure; the row's provenance is completed."""
        wanted = quotas(self.config).get(trajectory.structure, 0)
        if over_share(trajectory, self.memory, wanted, self.config.template_share):
            return self.drop(trajectory, "redundant: its phrasing template carries its share already")
        self.memory.templates[trajectory.structure, trajectory.phrasing] += 1
        kept_row(trajectory).provenance["filter"] = dict(trajectory.decisions)
        return True


def boxed(text: str, answer_type: str) -> Any:
    """The value of a model's final answer, as a program's answer; None where it has no box."""
    found = _BOXED.findall(text)
    if not found:
        return None
    value = found[-1].strip()
    if answer_type in ("list", "set"):
        return [item.strip() for item in value.split(",") if item.strip()] or None
    number = as_decimal(re.sub(r"[^\d.,+-]", "", value)) if answer_type in ("number", "amount") else None
    return plain_number(number) if number is not None else value


def template_shares(trajectories: Sequence[Trajectory]) -> dict[str, float]:
    """Structure → share of its trajectories that the most frequent phrasing template carries."""
    return largest_share((t.structure, t.phrasing) for t in trajectories)
