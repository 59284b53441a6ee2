"""One rollout becomes one `Score`: RESPONSE and ENVIRONMENT decide, ACTION says how well.

A rollout ends in one status. `scored`: it has a reward. `unscored`: its answer is
open and no judge was given. The faults are not the model's doing and stay out of
every average: a service that the golden calls need as well failed and was not
recovered, the backend broke, the model server broke, the judge broke. A snapshot
that lacks a request is a fault only where the golden calls make that request too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from kopa_hf.bench.actions import (
    ActionQuality,
    RunCall,
    argument_slips,
    read_run,
    tool_schemas,
    writing_tools,
)
from kopa_hf.bench.golden import LOCAL_NAMES, GoldenPath, golden_path
from kopa_hf.bench.reasons import reason
from kopa_hf.bench.response import Judge, response_reasons
from kopa_hf.bench.rows import Row
from kopa_hf.catalog.active import active_catalog
from kopa_hf.errors import UnknownToolError

Status = Literal["scored", "unscored", "tool_fault", "backend_fault", "model_fault", "judge_fault"]
Fault = Literal["backend_fault", "model_fault"]

_NO_SERVICE: Final = frozenset({"not_a_response", "unknown_operation"})
"""Outcomes of answers that no service gives whose tool exists, whatever it was asked."""


@dataclass(frozen=True, slots=True)
class Score:
    """What one rollout earned, and why."""

    status: Status
    reward: float | None
    """1.0 where every basis of the row holds, else 0.0; None unless `scored`."""
    response: float | None
    """None where RESPONSE is no basis of the row, or could not be decided."""
    environment: float | None
    action: float | None
    """(Corr + Eff)/2 of a run with reward 1; 0 of a run without."""
    corr: float
    cr: float
    mpc: float
    eff: float
    reasons: tuple[str, ...] = ()
    """Why the reward is 0 (or absent), the nearest cause first, each as `reasons.reason` writes it."""

    def to_dict(self) -> dict[str, Any]:
        """For logs: plain JSON; `reasons.explain` turns a reason into a sentence."""
        return {**asdict(self), "reasons": list(self.reasons)}


def score_rollout(
    row: Row,
    calls: Sequence[RunCall],
    state_hash: str,
    answer: str | None,
    *,
    judge: Judge | None = None,
    fault: Fault | None = None,
    notes: Sequence[str] = (),
) -> Score:
    """Score a finished rollout.

    `calls` are the session's, failed and refused ones included; `state_hash` is the
    episode's at the end; `answer` the final text. `fault` is set by a runner whose
    backend or model server failed; `notes` are codes of `reasons.TEXTS` that only
    the agent can know (`unparsable`, `token_budget`, …).
    """
    quality, keys, repeats = read_run(row, calls)
    if fault is not None:
        return _no_reward(fault, quality, [reason(fault)])
    found: list[str] = []
    response: float | None = None
    environment: float | None = None
    if "RESPONSE" in row.reward_basis:
        if row.answer_type == "judge":
            verdict = _judged(row, answer, judge)
            if isinstance(verdict, str):
                status: Status = "unscored" if verdict == "needs_judge" else "judge_fault"
                return _no_reward(status, quality, [verdict])
            wrong = [] if verdict else [reason("wrong_answer")]
        else:
            wrong = response_reasons(row, calls, answer)
        response = 0.0 if wrong else 1.0
        found += wrong
    if "ENVIRONMENT" in row.reward_basis:
        wrong = [] if state_hash == row.program.get("state_hash") else _state_reasons(row, calls)
        environment = 0.0 if wrong else 1.0
        found += wrong
    if not found:
        return Score("scored", 1.0, response, environment, quality.action, *_parts(quality))
    broken = _unrecovered(row, calls, keys)
    if broken is not None:
        return _no_reward("tool_fault", quality, [reason("tool_fault", broken)])
    of_calls = _call_reasons(row, calls, quality, repeats)
    codes = {finding.partition(": ")[0] for finding in of_calls}  # the calls tell more of it than a note
    reasons = [*found, *(reason(note) for note in notes if note not in codes), *of_calls]
    return Score("scored", 0.0, response, environment, 0.0, *_parts(quality), tuple(reasons))


def _parts(quality: ActionQuality) -> tuple[float, float, float, float]:
    return quality.corr, quality.cr, quality.mpc, quality.eff


def _no_reward(status: Status, quality: ActionQuality, reasons: Sequence[str]) -> Score:
    return Score(status, None, None, None, None, *_parts(quality), tuple(reasons))


def _judged(row: Row, answer: str | None, judge: Judge | None) -> bool | str:
    if judge is None:
        return reason("needs_judge")
    if not (answer or "").strip():
        return False
    try:
        return bool(judge(row, answer or ""))
    except Exception as error:  # noqa: BLE001 - a judge is foreign code; its failure must not score the model
        return reason("judge_fault", type(error).__name__)


def _unrecovered(row: Row, calls: Sequence[RunCall], keys: Sequence[Hashable]) -> str | None:
    """A tool of the golden path that the world, not the model, made fail, and that no later call repaired."""
    path = golden_path(row)
    golden = path.names
    broken: dict[Hashable, str] = {}
    for call, request in zip(calls, keys, strict=True):
        if not call.executed or call.name not in golden:
            continue
        if call.result.unseen and not _is_golden(path, calls, keys, call, request):
            continue
        if service_failed(call) and not _own_doing(row, call):
            broken[request] = f"{call.name}: {call.result.outcome}"
        else:
            broken.pop(request, None)
    return next(iter(broken.values()), None)


def service_failed(call: RunCall) -> bool:
    """Whether a call failed by fault of the service, of benchmark runs and training rollouts alike.

    A task is proved: the tools that it offers exist and answer. So an executed call that comes back
    as no such operation, or in a shape that the service never documents, says that the service is
    down, although `failure` calls both structural, as they are where a tool is still on trial. Refused
    calls and what only arguments can cause (`bad_param`, `no_data`) are the run's own. Local tools end
    in neither outcome but for `collect_pages`, which passes on what a service said.
    """
    return call.executed and (call.result.failure == "environmental" or call.result.outcome in _NO_SERVICE)


def _is_golden(
    path: GoldenPath, calls: Sequence[RunCall], keys: Sequence[Hashable], call: RunCall, request: Hashable
) -> bool:
    """Whether a call that a snapshot did not answer asks what the golden path asks: else it lacks nothing that was due.

    Further pages are golden where the request was whose pages they are.
    """
    wanted = {action.key for action in path.actions}
    source = call.arguments.get("result_id") if isinstance(call.arguments, dict) else None
    if source is None or call.name not in LOCAL_NAMES:
        return request in wanted
    return any(made.result_id == source and key in wanted for made, key in zip(calls, keys, strict=True))


def _own_doing(row: Row, call: RunCall) -> bool:
    """An `auth` answer is the run's own where the task leaves issuing that platform's key to it."""
    required = row.system_state.get("keys_required") or ()
    if call.result.outcome != "auth" or not required:
        return False
    try:
        return active_catalog().get(call.name).platform in required
    except UnknownToolError:
        return True


def _state_reasons(row: Row, calls: Sequence[RunCall]) -> list[str]:
    """Which write is missing, too many, or of other content. Never empty: the hashes do differ."""
    writers = writing_tools(row)
    wanted = Counter(action["name"] for action in row.golden_actions if action["name"] in writers)
    made = Counter(call.name for call in calls if call.executed and call.name in writers and call.result.ok)
    missing, surplus = wanted - made, made - wanted
    reasons = [reason("missing_write", name) for name in missing] + [reason("surplus_write", name) for name in surplus]
    return reasons or [reason("wrong_write", ", ".join(sorted(made)))]


def _call_reasons(row: Row, calls: Sequence[RunCall], quality: ActionQuality, repeats: int) -> list[str]:
    """What in the calls explains a failure, the likeliest cause first."""
    if not row.golden_actions:
        return []
    if not calls:
        return [reason("no_calls")]
    reasons = [reason("skipped_lookup", name) for name in _skipped(row, calls)]
    reasons += [reason("key_not_issued", c.name) for c in calls if c.result.outcome == "auth" and _own_doing(row, c)][
        :1
    ]
    page = _first_page(row, calls)
    if page:
        reasons.append(reason("first_page_only", page))
    if _pages_left(row, calls):
        reasons.append(reason("pages_left"))
    if len(calls) > row.max_allowed_calls:
        reasons.append(reason("budget", f"{len(calls)} > {row.max_allowed_calls}"))
    reasons += _argument_reasons(row, calls, quality)
    offered = tool_schemas(row)
    unknown = dict.fromkeys(call.name for call in calls if call.name not in offered)
    reasons += [reason("unknown_tool", name) for name in unknown]
    refused = dict.fromkeys(c.name for c in calls if c.result.outcome == "bad_param" and c.name in offered)
    reasons += [reason("bad_arguments", name) for name in refused]
    if repeats:
        reasons.append(reason("duplicate_calls"))
    return reasons


def prerequisites(row: Row) -> tuple[str, ...]:
    """Tools that must come first: lookups whose results feed other service calls, and keys to be issued."""
    return golden_path(row).prerequisites


def needs_all_pages(row: Row) -> bool:
    """True where the golden path collects further pages of a result."""
    return golden_path(row).needs_all_pages


def _skipped(row: Row, calls: Sequence[RunCall]) -> list[str]:
    made = {call.name for call in calls if call.executed}
    return [name for name in prerequisites(row) if name not in made]


def _first_page(row: Row, calls: Sequence[RunCall]) -> str:
    """The paged tool that was left at page 1 although its answer said that there is more."""
    if not needs_all_pages(row) or any(call.name == "collect_pages" and call.executed for call in calls):
        return ""
    pages: dict[str, int] = {}
    cut: dict[str, bool] = {}
    for call in calls:
        if call.result.page is not None:
            pages[call.name] = max(pages.get(call.name, 0), call.result.page)
            more = call.result.next_page is not None or call.result.cursor is not None
            cut[call.name] = cut.get(call.name, False) or more
    return next((name for name, page in pages.items() if page == 1 and cut[name]), "")


def _pages_left(row: Row, calls: Sequence[RunCall]) -> bool:
    """Pages were collected, but never all of them: such a result says how many rows it holds."""
    collected = [call.result for call in calls if call.name == "collect_pages" and call.executed and call.result.ok]
    return needs_all_pages(row) and bool(collected) and all(result.message for result in collected)


def _argument_reasons(row: Row, calls: Sequence[RunCall], quality: ActionQuality) -> list[str]:
    """Golden actions that the run tried with other values."""
    schemas = tool_schemas(row)
    used = {index for index in quality.matched if index is not None}
    spare = [call for index, call in enumerate(calls) if index not in used and isinstance(call.arguments, dict)]
    reasons: dict[str, str] = {}
    for action, match in zip(row.golden_actions, quality.matched, strict=True):
        tried = next((call for call in spare if call.name == action["name"]), None)
        if match is not None or tried is None:
            continue
        for slip in argument_slips(action, tried.arguments, schemas.get(tried.name)):
            kind, _, arg = slip.partition(" ")
            if kind == "value":
                code = "wrong_code" if _is_code(action["arguments"].get(arg)) else "wrong_argument"
                reasons.setdefault(f"{action['name']}.{arg}", reason(code, f"{action['name']}.{arg}"))
    return list(reasons.values())


def _is_code(value: Any) -> bool:
    """Letters and digits with at least one digit: an identifier rather than a word."""
    text = str(value).replace("-", "").replace("_", "")
    return text.isascii() and text.isalnum() and any(char.isdigit() for char in text)
