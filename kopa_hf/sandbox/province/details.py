"""Columns that only one kind of facility has: a library's books, a car park's fees, a pharmacy's hours."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.province.columns import Column, digits, figure, person, pick
from kopa_hf.sandbox.province.premises import Premises
from kopa_hf.sandbox.rng import mix

_SUBJECTS: Final = (
    ("11", "내과"), ("01", "내과, 소아청소년과"), ("05", "정형외과"), ("14", "피부과"),
    ("13", "이비인후과"), ("23", "가정의학과"), ("10", "산부인과"),
)  # fmt: skip


def _subject(place: Premises) -> tuple[str, str]:
    """As the name says (…이비인후과의원), else any."""
    for code, subject in _SUBJECTS:
        if code != "11" and subject.rpartition(", ")[2] in place.name:
            return code, subject
    if "여성" in place.name:
        return "10", "산부인과"
    return ("11", "내과") if "내과" in place.name else pick(place, 40, _SUBJECTS)


def _operator(place: Premises) -> str:
    return pick(place, 88, ("사회복지법인 가온재단", "사회복지법인 다솜복지회", "학교법인 누리학원"))


_DISHES: Final = (
    ("함박스테이크", "돈가스", "갈비", "파스타", "쌀밥정식", "장어구이"),
    ("대추차", "쌍화차", "오미자차", "수정과", "연잎차", "팥빙수"),
)
_STORES: Final = {
    "식당": ("음식점", "식사 1인분"), "안경원": ("안경", "안경테 1개"), "미용실": ("미용", "커트 1회"),
    "제과점": ("제과", "빵 2개"), "학원": ("학원", "수강료 면제"),
}  # fmt: skip


def _store(place: Premises) -> tuple[str, str]:
    """(line of business, what it gives to children) of a kind store."""
    return next((kind for word, kind in _STORES.items() if word in place.name), ("기타", "이용료 절반"))


MEDICAL: Final[dict[str, Column]] = {
    "SICKBD_CNT": lambda p: str(figure(p, 41, 0, 9) if p.trade.label.endswith("의원") else figure(p, 41, 40, 320)),
    "MEDSTAF_CNT": lambda p: str(figure(p, 42, 1, 6) if p.trade.label.endswith("의원") else figure(p, 42, 8, 64)),
    "TREAT_SBJECT_CD_INFO": lambda p: _subject(p)[0],
    "TREAT_SBJECT_CONT": lambda p: _subject(p)[1],
    "TREAT_SBJECT_CNT": lambda p: str(3 + mix(p.identity, 43) % 4),
    "TREAT_SBJECT_DTLS": lambda p: ", ".join(
        ("내과", "신경과", "재활의학과", "한방내과", "가정의학과", "정신건강의학과")[: 3 + mix(p.identity, 43) % 4]
    ),
}

DENTAL: Final[dict[str, Column]] = {
    **MEDICAL,
    "TREAT_SBJECT_CD_INFO": lambda p: "49",
    "TREAT_SBJECT_CONT": lambda p: "치과",
}

NURSING_GRADE: Final[dict[str, Column]] = {
    "DIV_NM": lambda p: "요양병원 입원급여 적정성",
    "GRAD": lambda p: f"{1 + min(mix(p.measure, 44) % 5, mix(p.measure, 45) % 5)}등급",
}

VET: Final[dict[str, Column]] = {
    "BSN_STATE_DIV_CD": lambda p: "03" if p.closed else "02" if p.paused else "01",
    "LICENSG_CANCL_DE": lambda p: None,
    "X_CRDNT_VL": lambda p: f"{190000 + mix(p.identity, 46) % 4_000_000 / 100:.4f}",
    "Y_CRDNT_VL": lambda p: f"{390000 + mix(p.identity, 47) % 12_000_000 / 100:.4f}",
    "STOCKRS_DUTY_DIV_NM": lambda p: None,
    "SFRMPROD_PROCSBIZ_DIV_NM": lambda p: None,
    "STOCKRS_IDNTFY_NO": lambda p: digits(p, 48, 6),
    "RIGHT_MAINBD_IDNTFY_NO": lambda p: digits(p, 49, 6),
}

_OPENING: Final = ("09:00~22:00", "09:00~20:00", "09:00~18:00")
LIBRARY: Final[dict[str, Column]] = {
    "RECSROOM_OPEN_TM_INFO": lambda p: pick(p, 50, _OPENING),
    "RECSROOM_REST_DE_INFO": lambda p: pick(p, 51, ("매주 월요일", "매주 금요일", "매월 둘째·넷째 월요일")),
    "DMSTC_BOOK_DATA_CNT": lambda p: str(figure(p, 52, 8_000, 240_000)),
}


def _weekday(begins: bool) -> Column:
    return lambda p: pick(p, 60, ("0830", "0900", "0930")) if begins else pick(p, 61, ("1830", "1900", "2000", "2200"))


def _weekend(begins: bool, salt: int, chance: int) -> Column:
    """Hours of a day on which only some open; nothing where they do not."""

    def column(place: Premises) -> str | None:
        if mix(place.identity, salt) % 100 >= chance:
            return None
        return pick(place, salt + 10, ("0900", "1000")) if begins else pick(place, salt + 11, ("1300", "1400", "1800"))

    return column


_DAYS: Final = ("MON", "TUES", "WED", "THUR", "FRI")
PHARMACY: Final[dict[str, Column]] = {
    **{f"{day}_{end}_TREAT_TM": _weekday(end == "BEGIN") for day in _DAYS for end in ("BEGIN", "END")},
    **{
        f"{day}_{end}_TREAT_TM": _weekend(end == "BEGIN", salt, chance)
        for day, salt, chance in (("SAT", 62, 86), ("SUN", 63, 21), ("HOLIDAY", 64, 14))
        for end in ("BEGIN", "END")
    },
}

_UNIT: Final = (10, 15, 30)


def _free(place: Premises) -> bool:
    return mix(place.identity, 70) % 3 == 0


def _fee(salt: int, options: tuple[int, ...]) -> Column:
    return lambda p: 0 if _free(p) else pick(p, salt, options)


PARKING: Final[dict[str, Column]] = {
    "PARKPLC_MANAGE_NO": lambda p: f"{p.sigun.code}-{1 + ('노상' not in p.name)}-{p.index:06d}",
    "PARKPLC_DIV_NM": lambda p: "공영" if "공영" in p.name or "노상" in p.name else pick(p, 71, ("공영", "민영")),
    "PARKPLC_TYPE": lambda p: "노상" if "노상" in p.name else pick(p, 72, ("노외", "부설")),
    "PARKNG_COMPRT_PLANE_CNT": lambda p: figure(p, 73, 8, 420),
    "WKDAY_OPERT_BEGIN_TM": lambda p: pick(p, 74, ("00:00", "08:00", "09:00")),
    "WKDAY_OPERT_END_TM": lambda p: pick(p, 74, ("23:59", "20:00", "22:00")),
    "SAT_OPERT_BEGIN_TM": lambda p: pick(p, 75, ("00:00", "09:00")),
    "SAT_OPERT_END_TM": lambda p: pick(p, 75, ("23:59", "18:00")),
    "HOLIDAY_OPERT_BEGIN_TM": lambda p: pick(p, 76, ("00:00", "09:00")),
    "HOLIDAY_OPERT_END_TM": lambda p: pick(p, 76, ("23:59", "18:00")),
    "CHRG_INFO": lambda p: "무료" if _free(p) else "유료",
    "PARKNG_BASIS_TM": lambda p: 0 if _free(p) else 30,
    "PARKNG_BASIS_USE_CHRG": _fee(77, (400, 500, 600, 700, 1000)),
    "ADD_UNIT_TM": lambda p: 0 if _free(p) else pick(p, 78, _UNIT),
    "ADD_UNIT_TM2_WITHIN_USE_CHRG": _fee(79, (200, 250, 300, 500)),
    "DAY1_PARKTK_USE_CHRG": _fee(80, (5000, 6000, 8000, 10000)),
}

MUSEUM: Final[dict[str, Column]] = {
    "MUSEUM_ARTGLRY_TYPE_NM": lambda p: "미술관" if p.name.endswith("미술관") else "박물관",
}
WIFI: Final[dict[str, Column]] = {
    "INSTL_PLC_DETAIL_DTLS": lambda p: f"{p.name} {1 + p.index % 3}층",
    "WIFI_SSID_INFO": lambda p: pick(p, 81, ("G_Public_WiFi_Free", "Public WiFi Free", "Public WiFi Secure")),
}
PLACES: Final[dict[str, Column]] = {
    "INSTL_PUPRS_DIV_NM": lambda p: pick(
        p, 82, ("생활방범", "생활방범", "교통단속", "어린이보호", "쓰레기단속", "시설물관리")
    ),
    "USE_MBER_CNT": lambda p: str(figure(p, 83, 12, 96)),
    "UTLZ_CHRG": lambda p: f"{pick(p, 84, (15, 20, 25, 30))},000원",
    "INGRDNT_NM": lambda p: pick(p, 85, ("단순천", "탄산수소나트륨천", "유황천", "식염천")),
    "FACLT_DIV_NM": lambda p: p.trade.label,
    "COMPLTN_YN": lambda p: "Y" if p.opened.year < 2022 else "N",
    "CUSTODY_TARIFF_RT": lambda p: f"{figure(p, 86, 2, 40) / 10:.1f}",
    "BIZCOND_CUSTODY_ND_WAREHS_NM": lambda p: pick(p, 87, ("일반창고업", "냉장·냉동창고업", "위험물품보관업")),
    "OPERT_INSTT_NM": _operator,
    "CRSE_CLASS_NM": lambda p: {"음악": "음악", "미술": "미술"}.get(p.name.split()[0][-4:-2], "보습"),
    "INDUTYPE_DIV_NM": lambda p: "학원",
    "OPR_CONT": lambda p: "평일 09:00~18:00",
    "SAT_OPR_CONT": lambda p: pick(p, 89, ("09:00~13:00", "운영안함")),
    "HOLDY_OPR_CONT": lambda p: pick(p, 90, ("운영안함", "09:00~13:00")),
    "JURISD_NM": lambda p: f"{p.sigun.name} 보건소",
    "CONTRACT_PERD": lambda p: "2026-01-01 ~ 2026-12-31",
    "ACEPTNC_ABLTY_CNT": lambda p: str(figure(p, 91, 20, 260)),
    "MNTN_NM": lambda p: f"{pick(p, 92, ('가온', '다솜', '마루', '한울'))}산",
    "PROG_TYPE": lambda p: pick(p, 93, ("휴식형", "체험형", "당일형")),
    "CITYTOUR_BRDNG_PLC_INFO": lambda p: f"{p.sigun.name} {p.spot.neighbourhood.name} 광장",
    "CITYTOUR_COURSE_INFO": lambda p: (
        f"{p.spot.neighbourhood.name} 광장 - 박물관 - 전통시장 - {p.spot.neighbourhood.name} 광장"
    ),
    "REPRSNT_FOOD_NM": lambda p: pick(p, 94, _DISHES[p.trade.key == "food.teahouse"]),
    "INDUTYPE_NM": lambda p: _store(p)[0],
    "BSN_TM_NM": lambda p: pick(p, 95, ("10:00~21:00", "11:00~20:00", "09:00~18:00")),
    "PROVSN_PRODLST_NM": lambda p: _store(p)[1],
    "PROVSN_TRGT_NM1": lambda p: "아동급식카드 소지자",
    "PROVSN_TRGT_NM2": lambda p: pick(p, 97, ("소방관", "", "한부모가정")) or None,
    "TURSM_TYPE_CD_INFO": lambda p: pick(p, 98, ("12", "14", "32")),
    "LGCLAS_CD_NM": lambda p: {"12": "자연", "14": "인문(문화/예술/역사)", "32": "숙박"}[
        pick(p, 98, ("12", "14", "32"))
    ],
    "MDCLASS_CD_NM": lambda p: {"12": "관광자원", "14": "문화시설", "32": "숙박시설"}[pick(p, 98, ("12", "14", "32"))],
    "SMCLAS_CD_NM": lambda p: {"12": "공원", "14": "박물관", "32": "관광호텔"}[pick(p, 98, ("12", "14", "32"))],
    "CNTNTS_UPD_TM": lambda p: f"202512{1 + mix(p.identity, 99) % 28:02d}093000",
    "LOTOUT_TYPE": lambda p: pick(p, 100, ("임대", "분양", "")) or None,
    "EXPA_HSHLD_CNT_SUM": lambda p: str(figure(p, 101, 20, 220)),
    "ENTRNC_PSTPSN_SUM": lambda p: str(figure(p, 101, 20, 220) * (60 + mix(p.measure, 102) % 40) // 100),
    "ENFLPSN_PSN_CAPA": lambda p: str(figure(p, 103, 4, 38)),
    "PRVATE_INSTL_DIV_NM": lambda p: pick(p, 104, ("법인", "")) or None,
    "INSTL_MAINBD_DIV_NM": lambda p: _operator(p).split()[0],
    "REPRSNTV_NM": person,
}
"""Single columns of small lists."""
