"""Handlers of failed savings banks: what happened to them, and the reports of their last quarters.

A report is a list of lines (열코드, 열명). Where a line has figures, this quarter's (금분기) is the next
quarter's last one (전분기), and they get worse towards the day on which business was stopped.
"""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.calendar import compact
from kopa_hf.sandbox.query import Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.rng import bell, mix
from kopa_hf.sandbox.savings.common import equal, month_of, numbered
from kopa_hf.sandbox.savings.institutions import SAVINGS, FailedBank, estates, failed_banks
from kopa_hf.sandbox.world import World

_QUARTERS: Final = 12
"""Quarters before the stop that have reports."""

_AMOUNTS: Final = ("5백만원 이하", "1천만원 이하", "2천만원 이하", "5천만원 이하", "1억원 이하", "1억원 초과", "합계")
_TERMS: Final = ("3개월 이하", "6개월 이하", "1년 이하", "2년 이하", "3년 이하", "3년 초과", "합계")
_GRADES: Final = ("정상", "요주의", "고정", "회수의문", "추정손실", "합계")
_ARREARS: Final = ("1개월 이하", "3개월 이하", "6개월 이하", "1년 이하", "1년 초과", "합계")

_LINES: Final[dict[str, tuple[str, ...]]] = {
    "getAssetsNdDebtExprtnStrctSttus": ("현금과 예치금", "유가증권", "대출금", "자산 합계", "예수금", "차입금", "부채 합계", "만기 차이"),
    "getLqdtyIdx": ("유동성비율", "예대율", "예수금 유동화비율"),
    "getBtdAcmslt": ("기초 충당금", "대손상각액", "상각채권 회수액", "당기 전입액", "기말 충당금"),
    "getIndutyLdmySndClTable": ("제조업", "건설업", "도매와 소매업", "부동산업", "숙박과 음식업", "기타 산업", "가계", "합계"),
    "getAssetsSndClTable": _GRADES,
    "getEntrprsLesseeHouseMrtggLonSndSttus": _GRADES,
    "getIndvdlLesseeHouseMrtggLonSndSttus": _GRADES,
    "getAssetsSndIdx": ("고정이하여신비율", "순고정이하여신비율", "손실위험도가중여신비율", "연체대출비율", "대손충당금 적립률"),
    "getFixingBelowCdtlnResnClIrdsDtls": ("기초 잔액", "신규 발생", "정상화", "회수", "상각", "매각", "기말 잔액"),
    "getArrrgCdtlnSttus": _ARREARS,
    "getArrrgCdtlnMrtggStleCl": ("부동산담보", "예적금담보", "유가증권담보", "보증", "신용", "합계"),
    "getSmlamtLonArrrgSttus": _ARREARS,
    "getDpstAmountClSttus": _AMOUNTS,
    "getDpstNdLonAmountClDealerSttus": _AMOUNTS,
    "getDpstNdLonInrstTrend": ("정기예금 금리", "정기적금 금리", "예금 평균금리", "일반대출 금리", "소액대출 금리", "대출 평균금리", "예대금리차"),
    "getPurityDpstSttus": ("총예금", "예금담보대출", "상계 대상 대출", "순예금"),
    "getPrcureOfficClSttus": ("개인", "중소기업", "대기업", "공공기관", "금융회사", "기타 법인", "합계"),
    "getDpstCntrctpdCLSttus": _TERMS,
    "getLdmyAmountClSttus": _AMOUNTS,
    "getCredtLonSttus": ("임금근로자", "자영업자", "기타 개인", "중소기업", "대기업", "합계"),
    "getLonOpratnOfficClSttus": ("개인", "자영업자", "중소기업", "대기업", "공공기관", "합계"),
    "getLonMrtggClSttus": ("아파트", "단독주택", "상가", "토지", "예적금", "유가증권", "기타 담보", "신용", "합계"),
    "getLdmyCntrctpdClSttus": _TERMS,
    "getFnnrSttusTable": ("현금과 예치금", "유가증권", "대출채권", "유형자산", "기타자산", "자산총계", "예수부채", "차입부채", "기타부채", "부채총계", "자본금", "결손금", "자본총계"),
    "getPlosdoc": ("이자수익", "이자비용", "순이자손익", "대손상각비", "판매비와 관리비", "영업손익", "영업외손익", "당기순손익"),
    "getSecritsHoldStatus": ("국공채", "회사채", "주식", "수익증권", "기타 유가증권", "합계"),
    "getBisStdrEcptlRate": ("기본자본", "보완자본", "공제항목", "자기자본", "위험가중자산", "BIS 기준 자기자본비율"),
    "getCaplExpnSttusTable": ("유상증자", "후순위채 발행", "주주 증여", "합계"),
    "getSimplEcptlRate": ("자기자본", "총자산", "단순자기자본비율"),
    "getRiskAgrvtnAssetsDtls": ("위험가중치 0%", "위험가중치 20%", "위험가중치 50%", "위험가중치 100%", "합계"),
    "getProfitIndex": ("총자산순이익률", "자기자본순이익률", "수지비율", "총자산경비율"),
    "getSecValueProfitLoss": ("취득가액", "장부가액", "평가이익", "평가손실", "순평가손익"),
}  # fmt: skip
"""Operation → names of its lines; the codes are A, B, C …"""

_SCALE: Final = {
    "비율": (900, 600),
    "이익률": (40, 260),
    "경비율": (180, 60),
    "적립률": (4_000, 1_500),
    "예대율": (8_800, 700),
}
"""Ending of a line that is a ratio → usual value and spread, in hundredths of a percent."""


def line_value(world: World, operation: str, bank: FailedBank, line: str, quarter: int) -> str:
    """A line's figure `quarter` quarters before the stop: ratios with two decimals, amounts in 백만원."""
    if operation in ("getBisStdrEcptlRate", "getSimplEcptlRate"):
        return capital(world, bank, quarter)[line]
    seed = world.measure_seed("savings", "line", operation, bank.index, line)
    scale = next((value for ending, value in _SCALE.items() if line.endswith(ending)), None)
    wear = (_QUARTERS - quarter) / _QUARTERS
    if scale is not None:
        usual, spread = scale
        falls = -1 if any(word in line for word in ("자기자본비율", "유동성", "순이익률", "적립률")) else 1
        value = usual + spread * (falls * wear + 0.25 * bell(mix(seed, quarter)))
        return f"{value / 100:.2f}"
    size = 10 ** (3 + seed % 4) * (20 + seed % 70) // 10
    return str(int(size * (1 - 0.3 * wear + 0.04 * bell(mix(seed, quarter)))))


def capital(world: World, bank: FailedBank, quarter: int) -> dict[str, str]:
    """The lines of both capital reports, which agree: own capital is core and supplement less deductions."""
    seed = world.measure_seed("savings", "capital", bank.index)
    weighted = (120_000 + seed % 2_400_000) * (100 + mix(seed, quarter) % 9) // 100
    wear = _QUARTERS - quarter
    own = weighted * max(40, 980 - 62 * wear + mix(seed, quarter + 50) % 60) // 10_000
    extra, deducted = own * 28 // 100, weighted * 3 // 1000
    assets = weighted * 13 // 10
    return {
        "기본자본": str(own - extra + deducted),
        "보완자본": str(extra),
        "공제항목": str(deducted),
        "자기자본": str(own),
        "위험가중자산": str(weighted),
        "BIS 기준 자기자본비율": f"{own * 100 / weighted:.2f}",
        "총자산": str(assets),
        "단순자기자본비율": f"{own * 100 / assets:.2f}",
    }


def _quarters(bank: FailedBank) -> list[str]:
    """Ends of the quarters before the stop, the latest first."""
    month = bank.stopped_on.year * 12 + bank.stopped_on.month - 2
    month -= (month % 12 + 1) % 3
    return [f"{(month - 3 * n) // 12}{(month - 3 * n) % 12 + 1:02d}" for n in range(_QUARTERS)]


def _report(operation: str, lines: tuple[str, ...]) -> Handler:
    def handler(world: World, query: Query) -> Reply:
        wanted = month_of(query, "baseYm")
        banks = equal(failed_banks(world), query, fnccmpNm=lambda b: b.name)
        places = [
            (bank, quarter, month)
            for bank in banks
            for quarter, month in enumerate(_quarters(bank))
            if wanted in ("", month)
        ]
        columns = {field.name for field in query.tool.fields} if query.tool is not None else {"thyrQteHist"}

        def row(index: int) -> Record:
            place, line = divmod(index, len(lines))
            bank, quarter, month = places[place]
            record = {"num": str(index + 1), "baseYm": month, "fnccmpNm": bank.name}
            record |= {"colnCd": chr(ord("A") + line), "colnNm": lines[line]}
            if "thyrQteHist" in columns:
                record["lsqtedHis"] = line_value(world, operation, bank, lines[line], quarter + 1)
                record["thyrQteHist"] = line_value(world, operation, bank, lines[line], quarter)
            return record

        return Rows(len(places) * len(lines), row)

    return handler


def _bankrupt(world: World, query: Query) -> Reply:
    found = equal(estates(world), query, bkrpFnccmpNm=lambda b: b.name)

    def row(bank: FailedBank) -> Record:
        assert bank.bankrupt_on is not None  # estates() holds no others
        return {
            "fncRegnDscdNm": SAVINGS,
            "fndDscdNm": "예보기금",
            "spraccYn": "Y" if bank.special_account else "N",
            "bkrpFnccmpNm": bank.name,
            "bkrpTrspnPrxyNmp": bank.trustee,
            "bkrpAdjdDt": compact(bank.bankrupt_on),
            "concDscdNm": "종결" if bank.closed else "파산",
        }

    return numbered(found, row)


def _accidents(world: World, query: Query) -> Reply:
    """Insurance accidents; a month chooses those that had happened by then."""
    month = month_of(query, "baseYm")
    found = equal(failed_banks(world), query, fnccmpNm=lambda b: b.name)
    found = [bank for bank in found if not month or f"{bank.stopped_on:%Y%m}" <= month]

    def row(bank: FailedBank) -> Record:
        stopped, moved = bank.stopped_on, bank.transferred_on
        return {
            "fnccmpNm": bank.name,
            "stsNm": "완료" if bank.closed or bank.bankrupt_on is None else "진행",
            "insacdDyVal": f"{stopped.year}.{stopped.month}.{stopped.day}",
            "telnoKindCont": "재단" if bank.bankrupt_on is not None else "본점",
            "rsluMthoCont": bank.resolution,
            "ctrcBfrDcsnDyVal": f"{moved.year}.{moved.month}.{moved.day}",
        }

    return numbered(found, row)


HANDLERS: Final[dict[str, Handler]] = {
    **{operation: _report(operation, lines) for operation, lines in _LINES.items()},
    "getBnrpcFnltInfoList": _bankrupt,
    "getPrlinsOccrrncFnncCmpnySttusList1": _accidents,
}
