"""Why a rollout scored what it did, in Korean and English."""

from __future__ import annotations

from typing import Final, Literal

TEXTS: Final[dict[str, tuple[str, str]]] = {
    # the answer
    "wrong_answer": ("답이 기대한 값과 다릅니다", "the answer differs from the expected value"),
    "unreadable": ("답에서 요구한 형식의 값을 읽을 수 없습니다", "the answer holds no value of the asked kind"),
    "ambiguous": ("답에 서로 다른 값이 여러 개 있습니다", "the answer holds several different values"),
    "empty_answer": ("최종 답이 없습니다", "there is no final answer"),
    "no_evidence": ("성공한 호출 없이 답했습니다", "the answer rests on no successful call"),
    "missing_deciding_value": (
        "예/아니오의 근거가 되는 값이 없거나 다릅니다",
        "the value that decides yes or no is missing or wrong",
    ),
    "decisive_lookup_missing": (
        "자료 없음을 확인하는 조회를 하지 않았습니다",
        "the lookup that shows there is no data was not made",
    ),
    "missing_term": ("빠진 정보가 무엇인지 말하지 않았습니다", "the answer does not name what is missing"),
    "not_asking": ("되묻지 않았습니다", "the answer does not ask for what is missing"),
    "answered_instead_of_asking": ("되물어야 할 질문에 답했습니다", "the answer gives a value where it should ask"),
    "needs_judge": ("판정 모델이 없어 채점하지 않았습니다", "an open answer, and no judge was given"),
    # the state
    "missing_write": ("필요한 쓰기 작업을 하지 않았습니다", "a write that the task needs is missing"),
    "surplus_write": ("필요 없는 쓰기 작업을 했습니다", "a write too many"),
    "wrong_write": ("쓰기 작업의 내용이 다릅니다", "a write with other content than expected"),
    # the calls
    "no_calls": ("도구를 호출하지 않았습니다", "no tool was called"),
    "skipped_lookup": ("선행 조회를 건너뛰었습니다", "a prerequisite lookup was skipped"),
    "first_page_only": ("첫 페이지만 보았습니다", "only the first page was read"),
    "pages_left": ("일부 페이지만 모았습니다", "only some of the pages were collected"),
    "wrong_code": ("코드 값이 잘못되었습니다", "a call was made with a wrong code"),
    "wrong_argument": ("인자 값이 잘못되었습니다", "a call was made with a wrong argument"),
    "bad_arguments": ("호출 인자가 명세에 맞지 않습니다", "a call did not fit its tool's signature"),
    "unknown_tool": ("없는 도구를 호출했습니다", "a tool was called that is not offered"),
    "key_not_issued": ("인증키를 발급받지 않고 호출했습니다", "a service was called before its key was issued"),
    "budget": ("허용된 호출 수를 넘었습니다", "more calls than allowed"),
    "unparsable": ("호출 형식을 해석할 수 없습니다", "a turn held a tool call that cannot be parsed"),
    "wrong_channel": ("호출을 본문에 적었습니다", "a call was written into the content"),
    "empty_turn": ("빈 응답입니다", "an empty turn"),
    "token_budget": ("응답 길이 한도를 넘었습니다", "the turn ran out of tokens"),
    "turn_limit": ("정해진 차례 안에 답하지 않았습니다", "there was no answer within the allowed turns"),
    "context": ("대화가 모델의 문맥 길이를 넘었습니다", "the conversation outgrew the model's context"),
    "duplicate_calls": ("같은 호출을 되풀이했습니다", "the same call was repeated"),
    # faults: not the model's doing
    "tool_fault": ("서비스 장애로 채점하지 않았습니다", "a service failed that the golden calls need too"),
    "backend_fault": ("실행 환경 오류로 채점하지 않았습니다", "the backend failed"),
    "model_fault": ("모델 서버 오류로 채점하지 않았습니다", "the model server failed"),
    "judge_fault": ("판정 모델 오류로 채점하지 않았습니다", "the judge failed"),
}  # fmt: skip


def reason(code: str, detail: str = "") -> str:
    """A finding as scores carry it: a code of `TEXTS`, and what it was found on."""
    if code not in TEXTS:
        raise KeyError(f"{code!r} is no reason; add it to TEXTS with its two sentences.")
    return f"{code}: {detail}" if detail else code


def explain(finding: str, language: Literal["ko", "en"] = "ko") -> str:
    """The sentence of a finding, its detail in brackets."""
    code, _, detail = finding.partition(": ")
    text = TEXTS[code][0 if language == "ko" else 1]
    return f"{text} ({detail})" if detail else text
