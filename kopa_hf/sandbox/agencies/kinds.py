"""Things that the agencies' codes name; last in `entities`, so that no other platform's answers change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kopa_hf.sandbox.agencies.registers import auction_items, brands, group_members, notices, prepaid_businesses
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
from kopa_hf.sandbox.market.institutions import institutions
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
_PROPERTY_TYPES: Final[tuple[Pair, ...]] = (
    ("0002", "공유재산"), ("0003", "금융권담보재산"), ("0004", "불용품"), ("0005", "기타일반재산"), ("0006", "유입재산"),
    ("0007", "압류재산"), ("0008", "수탁재산"), ("0010", "국유재산"),
)  # fmt: skip
_USES: Final = (
    ("10000", "부동산", "10100", "토지", "10101", "전"), ("10000", "부동산", "10100", "토지", "10102", "답"),
    ("10000", "부동산", "10100", "토지", "10104", "임야"), ("10000", "부동산", "10100", "토지", "10106", "대지"),
    ("10000", "부동산", "10200", "주거용건물", "10201", "단독주택"), ("10000", "부동산", "10200", "주거용건물", "10203", "아파트"),
    ("10000", "부동산", "10300", "상가용및업무용건물", "10301", "근린생활시설"),
    ("10000", "부동산", "10300", "상가용및업무용건물", "10304", "업무시설"), ("12000", "자동차", "12100", "승용차", "12101", "승용차"),
    ("12000", "자동차", "12300", "화물차", "12301", "화물차"), ("13000", "동산", "13100", "기계장비", "13101", "건설기계"),
    ("13000", "동산", "13200", "물품", "13203", "예술품"),
)  # fmt: skip
"""Large, middle and small use: code and name each."""
_GUARANTEES: Final[tuple[Pair, ...]] = (
    ("01", "일반전세자금보증"), ("02", "무주택청년 특례전세자금보증"), ("03", "다자녀가구 특례전세자금보증"), ("04", "정책서민 특례전세자금보증"),
    ("05", "신혼부부 특례전세자금보증"), ("06", "고령자 특례전세자금보증"),
)  # fmt: skip
_BRANCHES: Final = tuple(
    (f"{101 + 3 * i:04d}", f"{name}지점", f"{7001 + 7 * i:04d}", f"{300_011 + 17 * i:07d}")
    for i, name in enumerate(
        (
            "가람",
            "나래동",
            "다솜",
            "라온중앙",
            "마루역",
            "보람공단",
            "새벽시장",
            "아라",
            "은하타운",
            "잔디",
            "초롱",
            "한별",
            "햇살",
            "달빛",
        )
    )
)
"""Branch code, name, code in foreign exchange, giro code."""
_INDUSTRY_CLASSES: Final[tuple[Pair, ...]] = (("10", "외식"), ("20", "도소매"), ("30", "서비스"))


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
    Kind(
        "auction item",
        auction_items,
        {
            "kamco.item_no": lambda i: i.number,
            "kamco.condition_no": lambda i: i.condition,
            "kamco.public_item_no": lambda i: i.printed,
            "region.sido_name": lambda i: i.place.district.province.name,
            "region.sgg_name": lambda i: i.place.district.name,
            "region.dong_name": lambda i: i.place.name,
        },
    ),
    Kind(
        "auction notice",
        notices,
        {
            "kamco.notice_no": lambda n: n.number,
            "kamco.public_notice_no": lambda n: n.printed,
            "kamco.auction_no": lambda n: n.auction,
        },
    ),
    _fixed("property type", _PROPERTY_TYPES, "kamco.property_type", "kamco.property_type_name"),
    Kind(
        "use",
        lambda world: _USES,
        {
            "kamco.use_large": lambda use: use[0],
            "kamco.use_large_name": lambda use: use[1],
            "kamco.use_middle": lambda use: use[2],
            "kamco.use_middle_name": lambda use: use[3],
            "kamco.use_small": lambda use: use[4],
            "kamco.use_small_name": lambda use: use[5],
        },
    ),
    Kind(
        "company of a group",
        group_members,
        {
            "ftc.group_code": lambda m: m.group_code,
            "ftc.group_name": lambda m: m.group_name,
            "company.register_no": lambda m: m.company.jurir_no,
            "company.tax_no": lambda m: m.company.bizr_no,
            "dart.corp_name": lambda m: m.company.name,
        },
    ),
    Kind(
        "franchise brand",
        brands,
        {
            "ftc.brand_no": lambda b: b.number,
            "ftc.brand_name": lambda b: b.name,
            "ftc.franchisor_no": lambda b: b.franchisor_no,
            "company.register_no": lambda b: b.company.jurir_no,
            "company.tax_no": lambda b: b.company.bizr_no,
            "dart.corp_name": lambda b: b.company.name,
        },
    ),
    _fixed("class of franchises", _INDUSTRY_CLASSES, "ftc.industry_code", "ftc.industry_name"),
    Kind(
        "prepaid business",
        prepaid_businesses,
        {
            "ftc.prepaid_licence_no": lambda p: p.licence,
            "ftc.prepaid_registration_no": lambda p: p.registration,
            "ftc.prepaid_serial": lambda p: p.serial,
            "ftc.prepaid_disclosure_serial": lambda p: p.disclosure,
            "company.register_no": lambda p: p.company.jurir_no,
            "company.tax_no": lambda p: p.company.bizr_no,
            "dart.corp_name": lambda p: p.company.name,
        },
    ),
    _fixed("rent guarantee", _GUARANTEES, "hf.guarantee_code", "hf.guarantee_name"),
    Kind("bank", lambda world: institutions(world, "DomeBank"), {"hf.bank_name": lambda bank: bank.name}),
    Kind(
        "bank branch",
        lambda world: _BRANCHES,
        {
            "ibk.branch_code": lambda b: b[0],
            "ibk.branch_name": lambda b: b[1],
            "ibk.foreign_branch_code": lambda b: b[2],
            "ibk.giro_code": lambda b: b[3],
        },
    ),
    _words("currency", ("USD", "JPY", "EUR", "CNY", "GBP", "CHF", "CAD", "AUD", "HKD", "SGD"), "ibk.currency"),
    _words("own currency", ("KRW",), "ibk.base_currency"),
)
