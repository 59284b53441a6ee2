"""Factories, chemical sites, redevelopment and job postings.

Some factories belong to the companies that file disclosures, so their names are those of OpenDART.
"""

from __future__ import annotations

import datetime
from typing import Final

from kopa_hf.sandbox.finance.companies import Company, companies
from kopa_hf.sandbox.province.columns import Column, area, compact, digits, figure, pick
from kopa_hf.sandbox.province.lists import Listing, asked_sigun, handler_of
from kopa_hf.sandbox.province.municipalities import shares, siguns, spot_in
from kopa_hf.sandbox.province.premises import Mixed, Numbers, Premises, Trade
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.world import LAST_DAY, World

_TAILS: Final = ("정밀", "산업", "기계", "전자", "화학", "금속", "포장", "식품", "목재", "섬유", "플라스틱")
FACTORY: Final = Trade("work.factory", "공장", tuple(f"{tail}{end}" for tail in _TAILS for end in ("", "공업")), 78_300)
CHEMICAL: Final = Trade("work.chemical", "유해화학물질", ("화학", "케미칼", "도료", "표면처리"), 5_620)
PROJECTS: Final = 412
POSTINGS: Final = 7_840
_INDUSTRIES: Final = (
    ("29299", "그 외 기타 특수 목적용 기계 제조업", "자동화 장비"), ("25924", "절삭가공 및 유사 처리업", "금속 부품"),
    ("22299", "그 외 기타 플라스틱 제품 제조업", "플라스틱 부품"), ("26299", "그 외 기타 전자 부품 제조업", "전자 부품"),
    ("10799", "그 외 기타 식료품 제조업", "가공 식품"), ("20119", "기타 기초 유기 화학 물질 제조업", "기초 화학 물질"),
    ("17223", "골판지 상자 및 가공제품 제조업", "포장 상자"), ("16103", "목재 및 나무제품 제조업", "목재 가공품"),
)  # fmt: skip
_STEPS: Final = (
    "정비구역지정",
    "추진위원회승인",
    "조합설립인가",
    "사업시행인가",
    "관리처분인가",
    "착공",
    "준공",
    "이전고시",
)


def _owner(world: World, place: Premises) -> Company | None:
    """Every fifth factory is a company's that files reports; the same company may have several."""
    if place.index % 5:
        return None
    owners = companies(world)
    return owners[mix(place.identity, 160) % len(owners)]


def _factories(world: World, query: Query) -> Reply:
    def name(place: Premises) -> str:
        owner = _owner(world, place)
        return place.name if owner is None else owner.name

    columns: dict[str, Column] = {
        "COMPNY_GRP_NM": name,
        "LOT_AR": lambda p: area(p, 161, 2_400),
        "EMPLY_CNT": lambda p: str(figure(p, 162, 2, 240)),
        "FACTRY_SCALE_DIV_NM": lambda p: _scale(figure(p, 162, 2, 240)),
        "FACTRY_REGIST_DE": lambda p: compact(p.opened),
        "PURPOS_REGION_NM": lambda p: pick(p, 163, ("계획관리지역", "일반공업지역", "준공업지역", "자연녹지지역")),
        "LANDCGR_NM": lambda p: pick(p, 164, ("공장용지", "공장용지", "대", "잡종지")),
        "INDUTYPE_DESC_DTCONT": lambda p: pick(p, 165, _INDUSTRIES)[1],
        "PRDT_INFO": lambda p: pick(p, 165, _INDUSTRIES)[2],
        "INDUTYPE_CD_INFO": lambda p: pick(p, 165, _INDUSTRIES)[0],
    }
    return handler_of(Listing((FACTORY,), columns))(world, query)


def _scale(people: int) -> str:
    return "대기업" if people > 200 else "중기업" if people >= 50 else "소기업"


_CHEMICALS: Final[dict[str, Column]] = {
    "INDUTYPE_NM": lambda p: pick(p, 170, ("사용업", "판매업", "제조업", "보관·저장업", "운반업")),
    "PERM_NO": lambda p: f"{p.opened.year}-{digits(p, 171, 4)}",
    "MANFCTR_CHMSTRY_MTTR_NM": lambda p: pick(p, 172, ("염산", "황산", "톨루엔", "메탄올", "수산화나트륨", "질산")),
}


def _hazards(world: World, query: Query) -> Reply:
    """시군별 위험물 제조소 수: one row a 시군."""
    possible, asked = asked_sigun(query)
    if not possible:
        return NO_ROWS
    chosen = siguns() if asked is None else (asked,)

    def record(position: int) -> Record:
        place = chosen[position]
        stream = world.measure("province", "hazards", place.position)
        scale = place.inhabitants + 150
        counts = {
            "MANFCTR_CNT": stream.between(0, scale // 90),
            "STORAGEPLC_CNT": stream.between(scale // 4, scale),
            "SALE_TRTMNTPLC_CNT": stream.between(0, scale // 60),
            "LUBRCTN_TRTMNTPLC_CNT": stream.between(scale // 9, scale // 3),
        }
        return {"SIGUN_NM": place.name, **{name: str(count) for name, count in counts.items()}}

    return Rows(len(chosen), record)


def _project(world: World, number: int) -> Record:
    place = shares(world.count(PROJECTS, 31)).sigun_at(number)
    stream, figures = world.identity("province", "project", number), world.measure("province", "project", number)
    spot = spot_in(stream, place)
    day = datetime.date(2006, 1, 1) + datetime.timedelta(days=stream.below(5200))
    reached = stream.below(len(_STEPS))
    days: list[str | None] = []
    for step in range(2, len(_STEPS)):
        day += datetime.timedelta(days=180 + stream.below(500))
        if day >= LAST_DAY:
            reached = min(reached, step - 1)
        days.append(f"{day:%Y%m%d}" if step <= reached else None)
    homes = figures.octave(80, 2400)
    kind = stream.choice(("재개발", "재건축", "재건축", "도시환경정비"))
    return {
        "SIGUN_NM": place.name,
        "SIGUN_CD": place.code,
        "IMPRV_ZONE_NM": f"{spot.neighbourhood.name} {number % 9 + 1}구역",
        "BIZ_TYPE_NM": kind,
        "BIZ_IMPLMNTR_NM": f"{spot.neighbourhood.name}{number % 9 + 1}구역 {kind}조합" if reached >= 2 else None,
        "BIZ_STEP_NM": _STEPS[reached],
        "LOCPLC_ADDR": spot.lot,
        "ZONE_AR": str(homes * figures.between(38, 95)),
        "EXISTNG_HOUSNG_HSHLD_CNT": str(homes),
        "ASOCNTMB_CNT": str(homes * figures.between(60, 98) // 100) if reached >= 2 else None,
        **dict(zip(_DATES, days, strict=True)),
    }


_DATES: Final = (
    "ASSOCTN_FOUND_CONFMTN_DE", "BIZ_IMPLMTN_CONFMTN_DE", "MANAGE_DISPOSIT_CONFMTN_DE", "STRCONTR_DE", "COMPLTN_DE",
    "TRANSFR_NOTIFC_DE",
)  # fmt: skip


def _projects(world: World, query: Query) -> Reply:
    possible, asked = asked_sigun(query)
    if not possible:
        return NO_ROWS
    share = shares(world.count(PROJECTS, 31))
    numbers: Numbers = Mixed(range(share.total)) if asked is None else share.span(asked)
    return Rows(len(numbers), lambda index: _project(world, numbers[index]))


def _posting(world: World, number: int) -> Record:
    place = shares(world.count(POSTINGS, 31)).sigun_at(number)
    stream = world.identity("province", "posting", number)
    owners = companies(world)
    name = owners[stream.below(len(owners))].name
    job = stream.choice(
        ("생산직", "사무보조", "조리원", "요양보호사", "물류 담당", "품질 관리", "경비원", "간호조무사")
    )
    registered = LAST_DAY - datetime.timedelta(days=stream.below(60))
    monthly = stream.chance(0.6)
    pay = world.measure("province", "posting", number)
    amount = pay.between(210, 420) * 10_000 if monthly else 10_030 + 100 * pay.below(40)
    return {
        "REGIST_DE": f"{registered:%Y%m%d}",
        "SIGUN_NM": place.name,
        "COMPNY_NM": name,
        "EMPLMNT_TITLE": f"[{place.name}] {job} 모집",
        "WAGE_FORM": "월급" if monthly else "시급",
        "SALARY_INFO": f"{amount:,}원",
        "WORK_REGION_LOC": f"{place.full_name} {spot_in(stream, place).neighbourhood.name}",
        "WORK_FORM": stream.choice(("정규직", "계약직", "시간제")),
        "MIN_ACDMCR": stream.choice(("학력무관", "고졸", "초대졸", "대졸")),
        "CAREER_INFO": stream.choice(("경력무관", "신입", "경력 1년 이상")),
        "CLOS_DE_INFO": f"{registered + datetime.timedelta(days=14 + stream.below(46)):%Y-%m-%d}",
        "EMPLMNT_INFO_URL": f"https://sandbox.invalid/gg/jobs/{number:06d}",
    }


def _postings(world: World, query: Query) -> Reply:
    possible, asked = asked_sigun(query)
    if not possible:
        return NO_ROWS
    share = shares(world.count(POSTINGS, 31))
    numbers: Numbers = Mixed(range(share.total)) if asked is None else share.span(asked)
    return Rows(len(numbers), lambda index: _posting(world, numbers[index]))


HANDLERS: Final[dict[str, Handler]] = {
    "FACTRYREGISTTM": _factories,
    "ChmstryMttrBizplc": handler_of(Listing((CHEMICAL,), _CHEMICALS)),
    "DangerousArticleManufactory": _hazards,
    "GenrlimprvBizpropls": _projects,
    "EmplmntInfoStus": _postings,
}
