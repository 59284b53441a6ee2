"""Columns of toilets, nurseries, shelters, brokers and chosen restaurants."""

from __future__ import annotations

import datetime
from typing import Final

from kopa_hf.sandbox.province.columns import DATA_DAY, Column, area, digits, figure, person, pick
from kopa_hf.sandbox.province.premises import Premises
from kopa_hf.sandbox.rng import mix


def _count(salt: int, low: int, high: int) -> Column:
    return lambda p: figure(p, salt, low, high)


def _shared(place: Premises) -> bool:
    """One room for men and women; such a place has no bowls for women alone."""
    return mix(place.identity, 200) % 14 == 0


TOILET: Final[dict[str, Column]] = {
    "PUBLFACLT_DIV_NM": lambda p: pick(p, 201, ("공중화장실", "공중화장실", "개방화장실", "간이화장실")),
    "PBCTLT_PLC_NM": lambda p: p.name,
    "MALE_FEMALE_TOILET_YN": lambda p: "Y" if _shared(p) else "N",
    "MALE_WTRCLS_CNT": _count(202, 1, 6),
    "MALE_UIL_CNT": _count(203, 1, 8),
    "MALE_DSPSN_WTRCLS_CNT": _count(204, 0, 2),
    "MALE_DSPSN_UIL_CNT": _count(205, 0, 1),
    "MALE_CHILDUSE_WTRCLS_CNT": _count(206, 0, 1),
    "MALE_CHILDUSE_UIL_CNT": _count(207, 0, 1),
    "FEMALE_WTRCLS_CNT": lambda p: 0 if _shared(p) else figure(p, 208, 1, 10),
    "FEMALE_DSPSN_WTRCLS_CNT": lambda p: 0 if _shared(p) else figure(p, 209, 0, 2),
    "FEMALE_CHILDUSE_WTRCLS_CNT": lambda p: 0 if _shared(p) else figure(p, 210, 0, 1),
    "OPEN_TM_INFO": lambda p: pick(p, 211, ("상시", "09:00~18:00", "06:00~22:00")),
    "INSTL_YY": lambda p: str(p.opened.year),
}


def _nursery(place: Premises) -> str:
    return pick(place, 221, ("가정", "가정", "민간", "민간", "국공립", "직장", "법인·단체"))


def _capacity(place: Premises) -> int:
    """Children; a nursery at home takes at most twenty."""
    return figure(place, 220, 8, 20) if _nursery(place) == "가정" else figure(place, 220, 24, 150)


NURSERY: Final[dict[str, Column]] = {
    "KIDGARTN_NM": lambda p: p.name,
    "KIDGARTN_DIV_NM": _nursery,
    "PSN_CAPA_CNT": lambda p: str(_capacity(p)),
    "CHLDCARE_SCHLSTAF_CNT": lambda p: str(3 + _capacity(p) // 7),
    "KIDGARTN_TELNO": lambda p: p.telephone,
    "KIDGARTN_FAXNO": lambda p: f"{p.sigun.dialling}-000-{digits(p, 222, 4)}",
    "CHLDCR_ROOM_CNT": lambda p: str(2 + _capacity(p) // 15),
    "PLAYGRND_CNT": lambda p: str(mix(p.identity, 223) % 2),
    "CCTV_INSTL_CNT": lambda p: str(3 + _capacity(p) // 12),
    "ATNDSKL_VEHCLE_OPERT_YN": lambda p: pick(p, 224, ("운영", "미운영")),
    "ADMDONG_NM": lambda p: p.spot.neighbourhood.name,
    "CHILD_PSTPSN_CNT": lambda p: str(_capacity(p) * (70 + mix(p.measure, 226) % 31) // 100),
    "TM_EXTS_TYPE_YN": lambda p: pick(p, 227, "YN"),
    "STD_YM": lambda p: "202512",
    "FOUND_DIV_NM": lambda p: pick(p, 225, ("사립", "사립", "공립(병설)", "공립(단설)")),
}

_UPDATED: Final = datetime.date(2025, 12, 1)


def _updated(place: Premises) -> datetime.date:
    return _UPDATED + datetime.timedelta(days=mix(place.identity, 230) % 28)


SHELTER: Final[dict[str, Column]] = {
    "LOCPLC_ZIPNO": lambda p: None,
    "MANAGE_ID": lambda p: f"{p.sigun.code}00-S{p.opened.year}{p.index % 100000:05d}",
    "LICENSG_DE": lambda p: p.opened.isoformat(),
    "BSN_STATE_NM": lambda p: "사용중",
    "LICENSG_CANCL_DE": lambda p: None,
    "CLSBIZ_DE": lambda p: None,
    "BSN_STATE_DIV": lambda p: "18",
    "SUSPNBIZ_BEGIN_DE": lambda p: None,
    "UNITY_BSN_STATE_DIV_CD": lambda p: "01",
    "UNITY_BSN_STATE_NM": lambda p: "영업/정상",
    "SUSPNBIZ_END_DE": lambda p: None,
    "REOPENBIZ_DE": lambda p: None,
    "RLSE_DE": lambda p: None,
    "LOCPLC_AR_INFO": lambda p: str(figure(p, 231, 400, 24_000)),
    "LAST_UPD_TM": lambda p: f"{_updated(p).isoformat()} 10:00:00",
    "DATA_UPDT_DIV_CD": lambda p: pick(p, 232, "UUI"),
    "DATA_UPDT_TM": lambda p: f"{(_updated(p) + datetime.timedelta(days=2)).isoformat()} 02:40:00",
    "X_CRDNT_VL": lambda p: f"{170000 + mix(p.identity, 233) % 60_000_000 / 1000:.9f}    ",
    "Y_CRDNT_VL": lambda p: f"{400000 + mix(p.identity, 234) % 120_000_000 / 1000:.9f}    ",
    "EMGNCY_FACLT_LOC": lambda p: p.spot.lot,
    "FACLT_DIV_NM": lambda p: pick(p, 235, ("공공용시설", "정부지원시설")),
    "FACLT_NM_BULDNG_NM_INFO": lambda p: p.name,
}

BROKER: Final[dict[str, Column]] = {
    "COPRTN_REG_NO": lambda p: f"{p.sigun.code}-{p.opened.year}-{p.index % 100000:05d}",
    "BIZMAN_CMPNM_INFO": lambda p: p.name,
    "BRKR_NM": person,
    "LEGALDONG_NM": lambda p: p.spot.neighbourhood.district.full_name,
    "STATE_DIV_NM": lambda p: "폐업" if p.closed else "휴업" if p.paused else "영업중",
    "REGIST_DE": lambda p: f"{p.opened:%Y%m%d}",
}

SAFE_FOOD: Final[dict[str, Column]] = {
    "SAFETY_RESTRNT_NO": lambda p: 10_000 + p.index,
    "INDUTYPE_NM": lambda p: "일반음식점",
    "INDUTYPE_DETAIL_NM": lambda p: p.trade.label,
    "SLCTN_YN_DIV": lambda p: "Y",
    "CANCL_DE": lambda p: None,
    "UPD_DAY": lambda p: f"{_updated(p):%Y%m%d}",
}
MODEL_FOOD: Final[dict[str, Column]] = {
    "BIZESTBL_NM": lambda p: p.name,
    "BIZCOND_NM": lambda p: p.trade.label,
    "MAIN_MENU_NM": lambda p: pick(p, 240, ("회정식", "매운탕", "물회", "해물찜", "초밥")),
}
PET_PARK: Final[dict[str, Column]] = {
    "PARK_NM": lambda p: p.name,
    "EMD_NM": lambda p: p.spot.neighbourhood.name,
    "AR": lambda p: area(p, 241, 2_100),
    "CMGPERMSN_TM": lambda p: pick(p, 242, ("09:00~21:00", "10:00~20:00", "상시")),
    "CMGPERMSN_DAY": lambda p: pick(p, 243, ("연중무휴", "월요일 휴장", "화~일")),
    "OPERTINST_NM": lambda p: p.sigun.full_name,
    "REPRSNT_TELNO": lambda p: p.telephone,
    "EXPN": lambda p: "대형견과 소형견이 나누어 쓰는 울타리 놀이터",
    "UTLZ_CHRG": lambda p: "무료",
    "PARTCLR_MATR": lambda p: pick(p, 244, ("목줄 지참", "동물등록 확인", "")) or None,
    "IMAGE_NM": lambda p: f"petpark_{p.index:03d}.jpg",
}

YOUTH: Final[dict[str, Column]] = {
    "SUM_DE": lambda p: f"{DATA_DAY:%Y%m%d}",
    "RESTARER_NM": lambda p: p.name,
    "BYPERD_TYPE": lambda p: pick(p, 245, ("일시", "단기", "중장기")),
    "SEX_TYPE": lambda p: pick(p, 246, ("남", "여", "남녀공용")),
    "INSTL_MAINAGNT_TYPE": lambda p: "지자체",
    "OPERT_FORM_TYPE": lambda p: pick(p, 247, ("위탁", "위탁", "직영")),
    "OPERT_INST_NM": lambda p: pick(p, 248, ("사회복지법인 가온재단", "재단법인 누리청소년재단")),
    "HEADCHF_NM": person,
    "OPNOFC_DE": lambda p: f"{p.opened:%Y%m%d}",
}
BICYCLE: Final[dict[str, Column]] = {
    "BICYCL_LEND_PLC_NM_INST_NM": lambda p: p.name,
    "BICYCL_LEND_PLC_DIV_NM": lambda p: pick(p, 249, ("유인", "무인")),
    "OPERT_BEGIN_TM": lambda p: pick(p, 290, ("09:00", "10:00", "00:00")),
    "OPERT_END_TM": lambda p: pick(p, 290, ("18:00", "19:00", "24:00")),
    "BICYCL_UTLZ_CHRG_INFO": lambda p: pick(p, 291, ("무료", "1시간 1,000원", "30분 500원")),
}
CAMP: Final[dict[str, Column]] = {
    "CONVNCE_FACLT_INFO": lambda p: pick(p, 292, ("전기, 온수, 매점", "전기, 화장실", "온수, 놀이터, 트램펄린")),
}
EMERGENCY: Final[dict[str, Column]] = {
    "DISTRCT_DIV_NM": lambda p: "북부" if p.sigun.latitude > 37.58 else "남부",
    "MEDCARE_INST_NM": lambda p: p.name,
    "EMGNCY_CENTER_TELNO": lambda p: f"{p.sigun.dialling}-000-{digits(p, 293, 4)}",
}


def evaluation(what: str) -> dict[str, Column]:
    """Columns of hospitals rated for one treatment."""
    salt = 250 + len(what)
    return {
        "DIV_NM": lambda p: what,
        "GRAD": lambda p: f"{1 + min(mix(p.measure, salt) % 5, mix(p.measure, salt + 20) % 5)}등급",
    }
