"""Which part of an answer counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.bench.segments import boxed_text, candidate_texts, final_block, plain_latex


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        (r"\boxed{5}", "5"), (r"\boxed{4} 그리고 \boxed{5}", "5"), (r"\boxed {a}", "a"), (r"\boxed{1{,}234}", "1{,}234"), (r"\boxed{5", None),
        (r"\boxed{\text{명}}", r"\text{명}"), (r"\boxed{4} \boxed{5", "4"), (r"\boxed{}", ""), ("boxed{5}", None), (r"\boxed{\{가, 나\}}", r"\{가, 나\}"),
        (r"} } \boxed{5}", "5"), (r"\boxed{a \boxed{b} c}", "b"),
    ],
)  # fmt: skip
def test_the_last_complete_box_counts(text: str, inside: str | None) -> None:
    assert boxed_text(text) == inside


@pytest.mark.parametrize(
    ("text", "segments"),
    [
        ("3건이다. 모두 7건이다.", ["모두 7건이다.", "3건이다."]), ("정답: 7. 참고 8", ["7. 참고 8"]), ("**최종 답변**: 7명", ["7명"]), ("최종 답변\n7명", ["7명"]),
        ("Final answer: 7", ["7"]), ("The answer is 7", ["7"]), ("결론은 7이다", ["7이다"]), ("답은 3. 답은 7", ["7"]), ("접수일은 2021. 3. 2.이다", ["접수일은 2021. 3. 2.이다"]),
        ("응답은 없다. 해답은 찾는 중", ["해답은 찾는 중", "응답은 없다."]), (r"정답: 3 \boxed{7}", ["7"]), ("", []), ("정답:", ["정답:"]), ("평균 3.5건. 끝", ["끝", "평균 3.5건."]),
    ],
)  # fmt: skip
def test_box_then_marker_then_sentences_from_the_last(text: str, segments: list[str]) -> None:
    assert list(candidate_texts(text)) == segments


@pytest.mark.parametrize(
    ("text", "segments"),
    [
        ("접수일은 2024. 3. 1. 이고 처리일은 2024. 3. 5. 이다.", ["접수일은 2024. 3. 1. 이고 처리일은 2024. 3. 5. 이다."]),
        ("2024. 3. 1. 접수했다.\n2024. 3. 5. 처리했다.", ["2024. 3. 5. 처리했다.", "2024. 3. 1. 접수했다."]),
        ("2024. 3. 기준 5건. 2024. 4. 기준 6건.", ["2024. 4. 기준 6건.", "2024. 3. 기준 5건."]),
        ("1. 접수 5건 2. 처리 7건", ["1. 접수 5건 2. 처리 7건"]), ("가. 5건 나. 7건", ["가. 5건 나. 7건"]), ("합계는 7. 참고로 8", ["참고로 8", "합계는 7."]),
        ("값은 '신고한다. 접수한다', \"끝. 5\"이다.", ["값은 '신고한다. 접수한다', \"끝. 5\"이다."]), ("그렇다(참고. 5건). 모두 7건.", ["모두 7건.", "그렇다(참고. 5건)."]),
        ("평균 12.5. 끝", ["끝", "평균 12.5."]), ("No. 5 창구에 3명.", ["No. 5 창구에 3명."]),
    ],
)  # fmt: skip
def test_dots_of_days_numbering_and_quotes_end_no_sentence(text: str, segments: list[str]) -> None:
    assert list(candidate_texts(text)) == segments


def test_bullets_at_the_end_are_one_block() -> None:
    assert final_block("다음과 같다.\n- 가\n- 나") == "- 가\n- 나"
    assert final_block("- 가\n- 나\n정답: 다") == "다"
    assert final_block("") == ""


@pytest.mark.parametrize(
    ("text", "plain"),
    [(r"1{,}234\text{명}", "1,234명"), (r"215.79\%", "215.79%"), (r"\frac{1}{3}", "1/3"), (r"$7$", "7"), (r"\$7", "$7"), ("$7", "$7"), (r"\(7\)", "7"),
     (r"\{가, 나\}", "가, 나"), ("그대로", "그대로"), (r"1.5\times 10^3", "1.5× 10^3")],
)  # fmt: skip
def test_latex_around_values_is_taken_off(text: str, plain: str) -> None:
    assert plain_latex(text) == plain


@given(st.text(st.sampled_from("\\{}boxed5 정답:.\n"), max_size=60))
def test_any_text_has_segments_that_are_parts_of_it(text: str) -> None:
    assert all(segment in text for segment in candidate_texts(text))
