"""Things that the agencies' codes name; last in `entities`, so that no other platform's answers change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kopa_hf.sandbox.agencies.securities import (
    Paper,
    deposit_certificates,
    foreign_shares_here,
    linked_notes,
    listed,
    receipts_abroad,
    short_term_bonds,
)
from kopa_hf.sandbox.entities import Kind
from kopa_hf.sandbox.market.shares import customer_no
from kopa_hf.sandbox.world import World

Pair = tuple[str, str]

_NATIONS: Final[tuple[Pair, ...]] = (
    ("KR", "대한민국"), ("US", "미국"), ("JP", "일본"), ("CN", "중국"), ("HK", "홍콩"), ("GB", "영국"), ("DE", "독일"),
    ("FR", "프랑스"), ("CA", "캐나다"), ("AU", "호주"), ("SG", "싱가포르"), ("VN", "베트남"), ("ID", "인도네시아"),
    ("IN", "인도"), ("BR", "브라질"), ("CH", "스위스"), ("NL", "네덜란드"), ("LU", "룩셈부르크"), ("TW", "대만"), ("TH", "태국"),
)  # fmt: skip
_INDUSTRIES: Final = (
    ("01110", "곡물 및 기타 식량작물 재배업"), ("10742", "천연 및 혼합 조제 조미료 제조업"), ("20119", "석탄화학계 화합물 제조업"),
    ("21210", "완제 의약품 제조업"), ("24112", "제강업"), ("26110", "메모리용 전자집적회로 제조업"), ("26429", "기타 무선 통신장비 제조업"),
    ("28202", "축전지 제조업"), ("30121", "승용차 제조업"), ("35111", "원자력 발전업"), ("41112", "아파트 건설업"),
    ("46510", "컴퓨터 및 주변장치 도매업"), ("47111", "백화점"), ("50112", "외항 화물 운송업"), ("58221", "시스템 소프트웨어 개발업"),
    ("61220", "무선 및 위성 통신업"), ("64121", "국내은행"), ("65110", "생명 보험업"), ("66121", "증권 중개업"), ("70113", "의학 및 약학 연구개발업"),
)  # fmt: skip
_TERMS: Final = (
    "가산금리", "공매도", "기준금리", "대차거래", "듀레이션", "만기수익률", "무상증자", "배당락", "보호예수", "상장폐지", "선물",
    "신주인수권", "예탁증서", "옵션", "우선주", "유상증자", "의결권", "전환사채", "콜옵션", "파생결합증권", "풋옵션", "환매조건부채권",
)  # fmt: skip
_ASSETS: Final[tuple[Pair, ...]] = (
    ("KRD020021147", "가온200지수"), ("KRD020021154", "누리50지수"), ("KRD020021162", "다온코스닥지수"), ("KRD020021170", "라온배당지수"),
    ("KRD020021188", "마루리츠지수"), ("KRD020021196", "바름채권지수"), ("KRD020021204", "새벽원유지수"), ("KRD020021212", "아라금지수"),
)  # fmt: skip


def _fixed(name: str, pairs: tuple[Pair, ...], first: str, second: str) -> Kind:
    """A short list of (code, name) pairs that is the same in every world."""
    return Kind(name, lambda world: pairs, {first: lambda pair: pair[0], second: lambda pair: pair[1]})


def _words(name: str, words: tuple[str, ...], system: str) -> Kind:
    return Kind(name, lambda world: words, {system: lambda word: word})


def _papers(name: str, items: Callable[[World], tuple[Paper, ...]], code: str, title: str = "") -> Kind:
    systems: dict[str, Callable[[Paper], str]] = {code: lambda paper: paper.isin}
    if title:
        systems[title] = lambda paper: paper.name
    return Kind(name, items, systems)


KINDS: Final = (
    Kind(
        "issuer",
        listed,
        {
            "fsc.ksd_customer_no": customer_no,
            "krx.short_code": lambda c: c.stock_code,
            "krx.isin": lambda c: c.isin,
            "krx.share_name": lambda c: f"{c.name}보통주",
            "dart.corp_name": lambda c: c.name,
            "company.register_no": lambda c: c.jurir_no,
            "company.tax_no": lambda c: c.bizr_no,
        },
    ),
    _papers("linked note", linked_notes, "ksd.derivative_isin", "ksd.derivative_name"),
    _papers("short-term bond", short_term_bonds, "ksd.short_bond_isin"),
    _papers("certificate of deposit", deposit_certificates, "ksd.cd_isin"),
    Kind("receipt abroad", receipts_abroad, {"ksd.dr_isin": lambda p: p.isin, "krx.isin": lambda p: p.base}),
    _papers("receipt here", foreign_shares_here, "ksd.kdr_isin"),
    _fixed("nation", _NATIONS, "ksd.nation_code", "ksd.nation_name"),
    _fixed("industry class", _INDUSTRIES, "ksd.industry_no", "ksd.industry_name"),
    _fixed("underlying asset", _ASSETS, "ksd.underlying_asset", "ksd.underlying_asset_name"),
    _words("financial term", _TERMS, "ksd.financial_term"),
    _words("market", ("유가증권시장", "코스닥시장", "코넥스시장", "K-OTC시장"), "ksd.market_name"),
    _words("kind of share", ("보통주", "우선주"), "ksd.stock_kind"),
)
