"""Proof, before the first step, that the trainer's own path pays gold and pays nothing for silence.

TRL's trainer runs with its tokens replaced by a script: prompts, chat template, parsing of
calls, environments, budgets and the reward are the ones of the run. Nothing is trained, the
model is a tiny one on the CPU.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from typing import Any, Final

from kopa_hf.bench.rows import Row, row_from_dict
from kopa_hf.errors import KopaError, MissingExtraError
from kopa_hf.train.reward import Rollout, reward_function
from kopa_hf.train.templates import set_template
from kopa_hf.train.toolsets import build_toolsets, show_schemas

SILENCE: Final = "모르겠습니다."
_OF_A_LAUNCH: Final = ("ACCELERATE_", "FSDP_", "TORCHELASTIC_", "DEEPSPEED_", "MASTER_", "GROUP_", "ROLE_", "LOCAL_")
"""What a launcher sets for its own processes; the preflight is a process of its own."""


class PreflightError(KopaError):
    """The preflight failed; nothing was trained."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was proven, or not."""

    name: str
    passed: bool
    says: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What the preflight needs of a run's settings; plain JSON."""

    dataset: str
    split: str
    config: str | None = None
    tokenizer: str | None = None
    """Folder or Hub name; None: a tiny tokenizer, trained on the rows."""
    template: str | None = None
    template_args: Mapping[str, Any] | None = None
    max_completion_length: int | None = None
    """Tokens of a rollout; None: as long as the golden ones need."""
    rows: int = 4
    max_errors: float = 0.25
    trust_remote_code: bool = False


def run_checks(plan: Plan) -> list[Check]:
    """All checks, in order; the first that fails ends the list."""
    from kopa_hf.train.dataset import load_rows

    dataset = load_rows(plan.dataset, plan.split, config=plan.config)
    checks = [Check("dataset", True, f"{len(dataset)} rows, {len(set(dataset['environment']))} toolsets")]
    rows = sample_rows(dataset, plan.rows)
    tokenizer = _tokenizer(plan, rows)
    try:
        name = set_template(tokenizer, plan.template or (None if plan.tokenizer else "qwen3"))
    except KopaError as error:
        return [*checks, Check("template", False, str(error))]
    checks.append(Check("template", True, f"{name}: calls, results and Hangul come back as they went in"))
    for agent, wanted in (("gold", 1.0), ("null", 0.0)):
        found = play(rows, tokenizer, plan, gold=agent == "gold")
        checks.append(_paid(agent, wanted, rows, found))
        if agent == "gold":
            checks += [_budget(rows, found, plan), _errors(found, plan)]
        if not all(check.passed for check in checks):
            break
    return checks


def sample_rows(dataset: Any, number: int) -> list[Row]:
    """Rows spread over the shorter three quarters of the dataset, by the length of their golden runs; or all there are.

    Rows for a judge are left out: no script can prove what only a judge decides.
    """
    lengths = [
        # a task that needs no call proves nothing about calls: such rows come only where there are no others
        (not actions, len(str(completion)), at)
        for at, (actions, completion, kind) in enumerate(
            zip(dataset["golden_actions"], dataset["completion"], dataset["answer_type"], strict=True)
        )
        if kind != "judge"
    ]
    if not lengths:
        raise PreflightError("All rows are for a judge; a reward cannot be proven on them.")
    lengths = [entry for entry in lengths if not entry[0]] or lengths
    by_length = [at for _, _, at in sorted(lengths)]
    upper = max(1, len(by_length) * 3 // 4) if number < len(by_length) else len(by_length)
    picked = sorted({by_length[at * upper // number] for at in range(number)})
    return [row_from_dict(dataset[at]) for at in picked]


def play(rows: Sequence[Row], tokenizer: Any, plan: Plan, *, gold: bool) -> list[Rollout]:
    """Each row as one group of two rollouts through `GRPOTrainer`'s generation and scoring, spoken by a script."""
    from trl import GRPOConfig

    from kopa_hf.hub.folder import rows_to_dataset
    from kopa_hf.train.tiny import tiny_model

    seen: list[Rollout] = []
    dataset = rows_to_dataset(rows)
    with tempfile.TemporaryDirectory() as folder:
        arguments = GRPOConfig(
            folder, use_cpu=True, bf16=False, report_to="none", save_strategy="no", max_steps=1, beta=0.0,
            per_device_train_batch_size=2, num_generations=2, disable_tqdm=True, logging_strategy="no",
            max_completion_length=plan.max_completion_length or 10**6,
            chat_template_kwargs=dict(plan.template_args or {}),
        )  # fmt: skip
        trainer = _scripted(rows, gold=gold)(
            model=tiny_model(tokenizer),
            args=arguments,
            reward_funcs=reward_function(watch=seen.extend),
            train_dataset=dataset,
            environment_factory=build_toolsets(dataset),
            processing_class=tokenizer,
        )
        show_schemas(trainer, dataset)
        trainer.model.train()
        for record in dataset:
            trainer._generate_and_score_completions([record, record])
    return seen


def _scripted(rows: Sequence[Row], *, gold: bool) -> Any:
    """TRL's trainer with the model's tokens replaced by a script."""
    from trl import GRPOTrainer

    script = {row.id: row for row in rows}

    class ScriptedTrainer(GRPOTrainer):
        """Speaks the golden turns of the batch's row one after the other, or says at once that it does not know."""

        def _generate_and_score_completions(self, inputs: Any) -> Any:
            row = script[inputs[0]["id"]]
            said = row.completion if gold else [{"role": "assistant", "content": SILENCE}]
            turns = spoken_turns(self.processing_class, row, said, self.chat_template, self.chat_template_kwargs)
            self._turns = iter(turns)
            return super()._generate_and_score_completions(inputs)

        def _generate_single_turn(self, prompt_ids: Any, *_: Any, **__: Any) -> Any:
            # both rollouts of a group say the same, so they stay in step
            text = next(self._turns)
            ids = list(self.processing_class(text, add_special_tokens=False)["input_ids"])
            return [list(ids) for _ in prompt_ids], None

    return ScriptedTrainer


def spoken_turns(
    tokenizer: Any,
    row: Row,
    completion: Sequence[Mapping[str, Any]],
    template: str | None,
    template_args: Mapping[str, Any],
) -> list[str]:
    """The assistant's turns of a conversation as its model would write them, up to the token that ends a turn."""

    def render(messages: Sequence[Mapping[str, Any]], *, open_turn: bool) -> str:
        return str(
            tokenizer.apply_chat_template(
                list(messages),
                tools=row.tools,
                chat_template=template,
                add_generation_prompt=open_turn,
                tokenize=False,
                **template_args,
            )
        )

    turns = []
    for at, message in enumerate(completion):
        if message["role"] != "assistant":
            continue
        before = [*row.prompt, *completion[:at]]
        closed = render(before, open_turn=False)
        head = render(before, open_turn=True)[len(closed) :]
        # what the template puts in front for the model (a turn's head, an empty thought) is not spoken
        tail = render([*before, message], open_turn=False)[len(closed) :]
        shared = next((i for i, (own, other) in enumerate(zip(head, tail, strict=False)) if own != other), len(head))
        text = tail[shared:]
        end = text.rfind(tokenizer.eos_token)
        turns.append(text if end < 0 else text[: end + len(tokenizer.eos_token)])
    return turns


def _tokenizer(plan: Plan, rows: Sequence[Row]) -> Any:
    if plan.tokenizer is None:
        from kopa_hf.train.tiny import tiny_tokenizer

        return tiny_tokenizer(rows)
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(plan.tokenizer, trust_remote_code=plan.trust_remote_code)
    except (OSError, ValueError) as error:
        raise PreflightError(f"No tokenizer in {plan.tokenizer}: {str(error).splitlines()[0]}") from error


def _paid(agent: str, wanted: float, rows: Sequence[Row], found: Sequence[Rollout]) -> Check:
    wrong = [rollout for rollout in found if rollout.reward != wanted]
    if not wrong:
        return Check(f"{agent} agent", True, f"reward {wanted:g} on {len(rows)} rows, two rollouts each")
    first = wrong[0]
    why = "; ".join(first.score.reasons) or first.score.status
    return Check(
        f"{agent} agent",
        False,
        f"row {first.row_id} got {first.reward} instead of {wanted:g} ({why}); {len(wrong)} of {len(found)} rollouts",
    )


def _budget(rows: Sequence[Row], found: Sequence[Rollout], plan: Plan) -> Check:
    golden = {row.id: (len(row.golden_actions), row.max_allowed_calls) for row in rows}
    other = [rollout for rollout in found if rollout.calls != golden[rollout.row_id][0]]
    if other:
        row_id, made = other[0].row_id, other[0].calls
        limit = f" within {plan.max_completion_length} tokens" if plan.max_completion_length else ""
        return Check("budget", False, f"row {row_id}: {made} of {golden[row_id][0]} golden calls were made{limit}")
    most = max(golden.values())
    return Check("budget", True, f"golden runs fit; the longest makes {most[0]} of {most[1]} allowed calls")


def _errors(found: Sequence[Rollout], plan: Plan) -> Check:
    calls = sum(rollout.calls for rollout in found)
    failed = sum(rollout.environment_errors for rollout in found)
    rate = failed / calls if calls else 0.0
    says = f"{failed} of {calls} calls failed by fault of the environment ({rate:.0%}, at most {plan.max_errors:.0%})"
    return Check("environment", rate <= plan.max_errors, says)


def check_apart(plan: Plan) -> list[Check]:
    """`run_checks` in a process of its own, on the CPU, outside of any launch."""
    if find_spec("trl") is None:
        raise MissingExtraError("trl", "train")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OF_A_LAUNCH)}
    for name in ("RANK", "WORLD_SIZE"):
        kept.pop(name, None)
    kept["CUDA_VISIBLE_DEVICES"] = ""
    done = subprocess.run(
        [sys.executable, "-m", "kopa_hf.train.preflight"],
        input=json.dumps(asdict(plan)), capture_output=True, text=True, env=kept, check=False,
    )  # fmt: skip
    lines = done.stdout.strip().splitlines()
    if done.returncode or not lines:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise PreflightError(f"The preflight could not run: {last}")
    return [Check(**check) for check in json.loads(lines[-1])]


def demand(checks: Sequence[Check]) -> None:
    """Raise PreflightError where a check failed."""
    failed = [check for check in checks if not check.passed]
    if failed:
        told = "; ".join(f"{check.name}: {check.says}" for check in failed)
        raise PreflightError(f"Training refused, the preflight failed. {told}")


def main() -> None:
    """A plan as JSON on standard input, the checks as JSON in the last line of standard output."""
    plan = Plan(**json.load(sys.stdin))
    try:
        checks = run_checks(plan)
    except KopaError as error:
        checks = [Check("preflight", False, str(error))]
    sys.stdout.write("\n" + json.dumps([asdict(check) for check in checks], ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
