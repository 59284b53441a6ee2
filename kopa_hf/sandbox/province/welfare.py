"""Residents and staff of care homes: parts that add up to what they are parts of."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.province.columns import Column, figure, pick
from kopa_hf.sandbox.province.premises import Premises
from kopa_hf.sandbox.rng import mix


def capacity(place: Premises) -> int:
    """Beds; a shared home has at most nine."""
    return figure(place, 120, 5, 9) if "공동생활" in place.trade.label else figure(place, 120, 10, 120)


def _share(place: Premises, whole: int, salt: int, low: int, high: int) -> int:
    """So many percent of a whole, between two bounds."""
    return whole * (low + mix(place.measure, salt) % (high - low + 1)) // 100


def residents(place: Premises) -> int:
    """Who lives there, never more than there are beds."""
    return _share(place, capacity(place), 121, 62, 100)


def _men(place: Premises) -> int:
    return _share(place, residents(place), 122, 15, 35)


def _graded(place: Premises) -> int:
    """Residents with a care grade."""
    return _share(place, residents(place), 123, 85, 100)


def _on_relief(place: Premises) -> int:
    return _share(place, residents(place), 124, 5, 40)


def workers(place: Premises) -> int:
    """Everybody on the staff."""
    return 3 + residents(place) * 6 // 10


def _male_workers(place: Premises) -> int:
    return _share(place, workers(place), 125, 5, 25)


def _regular(place: Premises) -> int:
    return _share(place, workers(place), 126, 60, 95)


def _yearly(place: Premises) -> int:
    """Users in a year of a place to which people come by day."""
    return residents(place) * (2 + mix(place.measure, 127) % 4)


def _yearly_men(place: Premises) -> int:
    return _share(place, _yearly(place), 128, 20, 40)


def _by_city(place: Premises) -> bool:
    return mix(place.identity, 129) % 12 == 0


_OWNERS: Final[tuple[tuple[str, str | None, str], ...]] = (
    ("법인", "사회복지법인 가온재단", "사회복지법인"),
    ("법인", "사회복지법인 다솜복지회", "사회복지법인"),
    ("법인", "의료법인 누리의료재단", "의료법인"),
    ("개인", None, "개인"),
    ("개인", None, "개인"),
    ("개인", None, "개인"),
)


def _owner(place: Premises) -> tuple[str, str | None, str]:
    """(corporation or person, corporation's name, kind of body); a city's home is run by a corporation."""
    return _OWNERS[mix(place.identity, 132) % (3 if _by_city(place) else len(_OWNERS))]


CARE: Final[dict[str, Column]] = {
    "NO": lambda p: str(p.index + 1),
    "FACLT_KIND_NM": lambda p: p.trade.label if p.trade.key != "welfare.homecare" else _service(p),
    "LNGTR_RECPER_APPONT_INST_YN_NM": lambda p: "Y" if mix(p.identity, 130) % 10 else "N",
    "ENTRNC_PSN_CAPA": lambda p: str(capacity(p)),
    "ENTRNC_PSTPSN_SUM": lambda p: str(residents(p)),
    "ENTRNC_PSTPSN_MALE_CNT": lambda p: str(_men(p)),
    "ENTRNC_PSTPSN_FEMALE_CNT": lambda p: str(residents(p) - _men(p)),
    "ENTRNC_PSTPSN_GRAD_ISE_CNT": lambda p: str(_graded(p)),
    "ENTRNC_PSTPSN_GRAD_ELSE_CNT": lambda p: str(residents(p) - _graded(p)),
    "ENTRNC_PSTPSN_BASE_RECIPNT_CNT": lambda p: str(_on_relief(p)),
    "ENTRNC_PSTPSN_GENRL_CNT": lambda p: str(residents(p) - _on_relief(p)),
    "FYR_USE_PSNNUM_SUM": lambda p: str(_yearly(p)),
    "FYR_USE_PSNNUM_MALE_CNT": lambda p: str(_yearly_men(p)),
    "FYR_USE_PSNNUM_FEMALE_CNT": lambda p: str(_yearly(p) - _yearly_men(p)),
    "ENFLPSN_PSN_CAPA": lambda p: str(workers(p) + mix(p.measure, 131) % 3),
    "ENFLPSN_PSTPSN_SUM": lambda p: str(workers(p)),
    "ENFLPSN_PSTPSN_MALE_CNT": lambda p: str(_male_workers(p)),
    "ENFLPSN_PSTPSN_FEMALE_CNT": lambda p: str(workers(p) - _male_workers(p)),
    "ENFLPSN_PSTPSN_WORK_ACCTO_SUM": lambda p: str(workers(p)),
    "ENFLPSN_PSTPSN_RGLLBR_CNT": lambda p: str(_regular(p)),
    "ENFLPSN_PSTPSN_IRGLLBR_CNT": lambda p: str(workers(p) - _regular(p)),
    "LOCGOV_INSTL_DIV_NM": lambda p: "시군구" if _by_city(p) else None,
    "PRVATE_INSTL_DIV_NM": lambda p: None if _by_city(p) else _owner(p)[0],
    "COPRTN_GRP_NM": lambda p: _owner(p)[1],
    "INSTL_MAINBD_DIV_NM": lambda p: "지자체" if _by_city(p) else _owner(p)[2],
    "PRFTMK_DIV_NM": lambda p: "비영리" if _by_city(p) or _owner(p)[1] else pick(p, 135, ("비영리", "영리", "영리")),
}
"""Columns of 노인의료복지시설 and 재가노인복지시설."""


def _service(place: Premises) -> str:
    return "방문요양서비스" if place.name.split()[0].endswith("방문요양센터") else "주야간보호서비스"
