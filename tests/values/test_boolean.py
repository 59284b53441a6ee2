"""Yes, no, and what is neither."""

from __future__ import annotations

import pytest

from kopa_hf.values import ValueFailure
from kopa_hf.values.boolean import read_boolean, scan_booleans
from kopa_hf.values.text import fold_width, normalize_text, strip_closing


@pytest.mark.parametrize(
    "text",
    ["예", "네", "예.", "예입니다", "맞습니다", "그렇다", "true", "Y", "O", "참", "네, 그렇습니다", "틀림없습니다"],
)
def test_yes(text: str) -> None:
    assert read_boolean(text) is True


@pytest.mark.parametrize(
    "text",
    ["아니오", "아니요", "아닙니다", "그렇지 않다", "맞지 않습니다", "False", "N", "X", "거짓", "해당하지 않습니다"],
)
def test_no(text: str) -> None:
    assert read_boolean(text) is False


@pytest.mark.parametrize(
    "text",
    [
        "",
        "예산",
        "예를 들어",
        "네 개",
        "예/아니오",
        "예 또는 아니오",
        "그렇지 않은 것은 아니다",
        "아니라고 할 수 없다",
        "모른다",
    ],
)
def test_neither_or_both_is_no_truth_value(text: str) -> None:
    with pytest.raises(ValueFailure):
        read_boolean(text)


def test_what_an_answer_says_first_outweighs_the_rest_of_its_sentence() -> None:
    assert scan_booleans("예, 부채가 없습니다.") == {True}
    assert scan_booleans("아니오, 2위가 맞습니다.") == {False}


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("김가온입니다.", "김가온"),
        ("열두 명으로 확인됩니다", "열두 명"),
        ("김가온이다", "김가온"),
        ("김가온", "김가온"),
        ("3위다.", "3위"),
        ("", ""),
    ],
)
def test_endings_of_sentences_are_dropped(text: str, bare: str) -> None:
    assert strip_closing(text) == bare


def test_widths_are_folded_and_signs_are_kept() -> None:
    assert fold_width("１２３，％㎡①½　Ａ") == "123,%㎡①½ A"
    assert normalize_text(" ㎡① ") == "㎡①"
