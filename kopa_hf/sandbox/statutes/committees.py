"""Decisions of twelve committees. Their columns differ; what a decision says is written once and cut to each."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.finance.companies import companies
from kopa_hf.sandbox.query import Handler, Record
from kopa_hf.sandbox.rng import Stream, permuted, seed_of
from kopa_hf.sandbox.statutes.decisions import DataSet, Decision, cited, day_for, handlers_of, serial_of
from kopa_hf.sandbox.statutes.laws import Law
from kopa_hf.sandbox.statutes.listing import link
from kopa_hf.sandbox.world import World

_COMMITTEES: Final[dict[str, tuple[str, int, int, tuple[str, ...], tuple[str, ...]]]] = {
    "ppc": ("개인정보보호위원회", 1_700, 20_001, ("{s} 운영자의 개인정보 처리에 관한 건", "{s} 개인정보 파일의 제공에 관한 건"),
            ("의결", "시정조치", "과징금")),
    "eiac": ("고용보험심사위원회", 1_300, 30_001, ("{s} 종사자의 실업급여 부지급 처분 취소청구", "육아휴직 급여 부지급 처분 취소청구"),
             ("기각", "취소", "각하")),
    "ftc": ("공정거래위원회", 9_000, 40_001, ("{c}의 부당한 공동행위에 대한 건", "{c}의 불공정거래행위에 대한 건"),
            ("시정명령", "과징금", "무혐의")),
    "acr": ("국민권익위원회", 3_600, 60_001, ("{s} 보상 요구", "{s} 지정 취소에 대한 이의", "{s} 통행 불편의 해소"),
            ("시정권고", "의견표명", "기각")),
    "fsc": ("금융위원회", 1_500, 80_001, ("{c} 관련 조치안", "{c}의 업무 인가안"), ("의결", "조치", "인가")),
    "nlrc": ("노동위원회", 12_000, 90_001, ("{s} 사업장의 부당해고 구제신청", "{s} 사업장의 부당노동행위 구제신청"),
             ("인정", "기각", "각하")),
    "kcc": ("방송미디어통신위원회", 1_100, 120_001, ("{s} 사업자의 이용자 이익 저해에 관한 건", "{s} 서비스의 심의에 관한 건"),
            ("시정명령", "과징금", "기각")),
    "iaciac": ("산업재해보상보험재심사위원회", 1_500, 130_001, ("{s} 종사자의 요양불승인 처분 취소청구", "{s} 종사자의 장해등급 결정 처분 취소청구"),
               ("기각", "취소", "각하")),
    "oclt": ("중앙토지수용위원회", 420, 140_001, ("{s} 시설 부지의 수용", "{s} 사업의 영업손실 보상"), ("재결", "기각", "각하")),
    "ecc": ("중앙환경분쟁조정위원회", 1_900, 150_001, ("{s} 공사장의 소음으로 인한 피해 분쟁", "{s} 시설의 먼지로 인한 피해 분쟁"),
            ("배상", "기각", "중재")),
    "sfc": ("증권선물위원회", 1_800, 160_001, ("{c}의 조사 결과 조치안", "{c}의 공시위반 조치안"), ("조치", "의결", "경고")),
    "nhrck": ("국가인권위원회", 4_200, 170_001, ("{s} 시설의 차별", "{s} 업무의 과도한 정보 수집"), ("권고", "기각", "각하")),
}  # fmt: skip
"""Target → name, number of decisions, first serial, titles, outcomes."""
_MEETINGS: Final = ("전원회의", "소위원회")


def _draw(world: World, data: DataSet, index: int, stream: Stream, law: Law) -> Decision:
    _, _, _, titles, outcomes = _COMMITTEES[data.target]
    title = stream.choice(titles).format(s=law.subject, c=_company(world, data.target, index))
    day = day_for(stream, law, 15)
    number = f"{day[:4]}-{index % 400 + 1:03d}-{1000 + index % 9000}"
    return Decision(
        data.target,
        index,
        serial_of(data, index),
        title,
        number,
        day,
        law,
        stream.choice(outcomes),
        stream.choice(_MEETINGS),
    )


def _company(world: World, target: str, index: int) -> str:
    """Whom the three financial and trade commissions decide about: a company that files reports."""
    if target not in ("ftc", "fsc", "sfc"):
        return ""
    everyone = companies(world)
    return everyone[permuted(index % len(everyone), len(everyone), seed_of("decided about", target))].name


def _row(world: World, decision: Decision) -> Record:
    """Every column that a committee's list may have."""
    name = _COMMITTEES[decision.target][0]
    return {
        "기관명": name,
        "결정문일련번호": decision.serial,
        **dict.fromkeys(("안건명", "사건명", "제목", "사건"), decision.title),
        **dict.fromkeys(("의안번호", "안건번호", "사건번호", "의결번호", "결정번호"), decision.number),
        "회의종류": decision.asker,
        "결정구분": decision.kind,
        "문서유형": "의결서",
        "민원표시명": decision.law.subject,
        **dict.fromkeys(("의결일", "의결일자", "결정일자", "등록일"), decision.day),
        "데이터기준일시": f"{decision.day[:4]}-12-31 00:00:00",
        "결정문상세링크": link("lawService", target=decision.target, ID=decision.serial, type="HTML", mobileYn=""),
    }


def _document(world: World, decision: Decision) -> Record:
    """Every column that a committee's document may have."""
    place, text = cited(world, decision)
    amount = world.measure("statutes", "penalty", decision.target, decision.index).between(1, 80) * 50
    order = {
        "시정명령": "피심인은 위반행위를 다시 하여서는 아니 된다.",
        "과징금": f"피심인에게 과징금 {amount}만원을 부과한다.",
        "배상": f"피신청인은 신청인에게 {amount}만원을 지급하라.",
        "취소": "원처분기관의 처분을 취소한다.",
        "인정": "이 사건 신청을 인정한다.",
    }.get(
        decision.kind,
        f"이 사건은 {decision.kind}(으)로 의결한다.".replace("(으)로", "로" if _open(decision.kind) else "으로"),
    )
    parties = dict.fromkeys(
        ("신청인", "청구인", "재해근로자", "재해자", "피재근로자", "진폐근로자", "수진자", "피해자", "참고인"), "갑"
    )
    others = dict.fromkeys(
        ("피신청인", "피청구인", "피심인", "피심의인", "피조사자", "원처분기관", "조치대상", "피심정보명"),
        _company(world, decision.target, decision.index) or "을",
    )
    texts = dict.fromkeys(
        ("이유", "판단", "내용", "조치이유", "당사자주장", "사실조사결과", "결정례전문", "판정요지"), text
    )
    briefs = dict.fromkeys(
        (
            "결정요지",
            "판단요지",
            "주문요지",
            "개요",
            "사건의개요",
            "배경",
            "주요내용",
            "쟁점",
            "판정사항",
            "관련법리",
            "평가의견",
            "근거",
        ),
        f"{place}의 적용 여부",
    )
    orders = dict.fromkeys(("주문", "의결문", "조치내용", "결정", "판정결과", "청구취지", "신청취지"), order)
    return {
        **_row(world, decision),
        **_particulars(decision, place, others["조치대상"]),
        **parties,
        **others,
        **texts,
        **briefs,
        **orders,
    }


def _particulars(decision: Decision, place: str, party: str) -> Record:
    """Columns that are the same words in every decision of a committee, or nothing."""
    name = _COMMITTEES[decision.target][0]
    return {
        "민원표시": decision.law.subject,
        "의결연월일": decision.day,
        "관련규정": place,
        "주해": "",
        "별지": "",
        "각주번호": "",
        "각주내용": "",
        "대리인": "",
        "이해관계인": "",
        "관계기관": "",
        "위원서명": "위원장과 위원 4명",
        "위원정보": "위원장과 위원 4명",
        "위원회명": f"{name} {decision.asker}",
        "사건의분류": "심사",
        "의결서종류": "의결서",
        "의결서유형": "의결서",
        "결정유형": decision.kind,
        "분류명": decision.law.subject,
        "자료구분": "판정서",
        "담당부서": "심판과",
        "사건대분류": "보험급여",
        "사건중분류": "요양",
        "사건소분류": decision.law.subject,
        "조치대상자의인적사항": f"{party} 대표자",
        "피심정보내용": f"{party} 대표자",
        "심의정보명": decision.asker,
        "심의정보내용": decision.asker,
        "분쟁의경과": f"신청인은 {decision.law.subject}의 운영으로 피해를 입었다고 주장한다.",
        "이의제기방법및기간": "의결서를 받은 날부터 90일 이내",
        "심사결정심사관": "심사관",
        "문서제공구분": "전체",
        "원심결": "",
        "재산정심결": "",
        "후속심결": "",
        "원심결정": "",
        "원본다운로드URL": f"https://www.law.go.kr/LSW/flDownload.do?flSeq={decision.serial}",
        "바로보기URL": f"https://www.law.go.kr/LSW/viewFile.do?flSeq={decision.serial}",
    }


def _open(word: str) -> bool:
    """Whether a word ends in a vowel or ㄹ, so that 로 follows it."""
    return (ord(word[-1]) - 0xAC00) % 28 in (0, 8)


HANDLERS: Final[dict[str, Handler]] = {}
for _target, _facts in _COMMITTEES.items():
    HANDLERS.update(handlers_of(DataSet(_target, _facts[1], _facts[2], _draw, _row, _document, {})))
