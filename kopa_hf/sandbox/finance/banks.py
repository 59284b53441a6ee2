"""Invented houses that appear in filings: brokers, auditors, appraisers, investors."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.rng import Stream

BROKERS: Final = ("가온투자증권", "누리투자증권", "다온증권", "라온금융투자", "마루증권", "한들투자증권", "새결증권")
AUDITORS: Final = (
    "한빛결회계법인",
    "새길회계법인",
    "바른셈회계법인",
    "온누리빛회계법인",
    "늘봄회계법인",
    "다솔회계법인",
)
FUNDS: Final = ("새결자산운용", "한들자산운용", "푸른샘자산운용", "가람인베스트먼트", "너울벤처투자", "윤슬파트너스")
BANKS: Final = ("가온은행", "누리은행", "다온은행", "마루은행")
COURTS: Final = ("서울중앙지방법원", "수원지방법원", "서울회생법원", "대전지방법원", "부산지방법원")


def broker(stream: Stream) -> str:
    """A securities house."""
    return stream.choice(BROKERS)


def fund_of_series(stream: Stream) -> str:
    """An investor: 새결자산운용 메자닌 3호."""
    return f"{stream.choice(FUNDS)} 메자닌 {stream.between(1, 30)}호"
