"""The city hall's own business: complaints, construction, surveyed prices, good-price shops, its open-data list."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.sandbox.city.answers import contains, equal, table
from kopa_hf.sandbox.city.ground import Borough, any_borough, any_neighbourhood, boroughs, draw, shares, split
from kopa_hf.sandbox.city.words import names, phone, shop_name
from kopa_hf.sandbox.people import person_name
from kopa_hf.sandbox.places import street_address
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Rows
from kopa_hf.sandbox.world import LAST_DAY, World

# complaints: sectors and districts are two ways to cut the same months

_YEARS: Final = tuple(range(2026, 2017, -1))
_SECTORS: Final = (62, 14, 9, 6, 3, 8, 2, 6, 5, 2, 2, 5)
_BOROUGH_CODES: Final = 25


def complaints(world: World, year: int, month: int) -> int:
    """Complaints of a month; none for months still to come."""
    if (year, month) >= (LAST_DAY.year, LAST_DAY.month):
        return 0
    seed = draw(world.measure_seed("city", "complaints"), year, month)
    return 42_000 + (year - 2018) * 6_500 + month * 900 + seed % 9_000


def _months(query: Query) -> list[tuple[int, int]]:
    year, month = query.get("YEAR"), query.get("MONTH")
    for name, text in (("YEAR", year), ("MONTH", month)):
        if text and not text.isdecimal():
            raise RefusedError("value", name)
    return [(y, m) for y in _YEARS if not year or y == int(year) for m in range(1, 13) if not month or m == int(month)]


def _by_sector(world: World, query: Query) -> Rows:
    def make(pair: tuple[int, int]) -> Record:
        total = complaints(world, *pair)
        seed = draw(world.measure_seed("city", "sectors"), *pair)
        parts = split(total, tuple(w * 10 + draw(seed, n) % (w * 3) for n, w in enumerate(_SECTORS)))
        record: Record = {"YEAR": float(pair[0]), "MONTH": float(pair[1])}
        record.update({f"RCPT_CNT_{n:02d}": float(part) for n, part in enumerate(parts, 1)})
        return {**record, "RCPT_CNT_TOTAL": float(total)}

    return Rows.mapped(_months(query), make)


def _by_district(world: World, query: Query) -> Rows:
    def make(pair: tuple[int, int]) -> Record:
        total = complaints(world, *pair)
        seed = draw(world.measure_seed("city", "places"), *pair)
        weights = (*(b.residents + draw(seed, b.number) % 80 for b in boroughs()), 40)
        parts = split(total, weights)
        record: Record = {"YEAR": float(pair[0]), "MONTH": float(pair[1])}
        record.update({f"GU_NM_{n:02d}": float(part) for n, part in enumerate(parts[:_BOROUGH_CODES], 1)})
        return {**record, "GU_NM_ETC": float(parts[-1])}

    return Rows.mapped(_months(query), make)


def _by_month(world: World, query: Query) -> Rows:
    def make(year: int) -> Record:
        months = [complaints(world, year, month) for month in range(1, 13)]
        record: Record = {"YEAR": float(year)}
        record.update({f"MON_{n:02d}": float(count) for n, count in enumerate(months, 1)})
        return {**record, "MON_TOTAL": float(sum(months))}

    years = list(dict.fromkeys(year for year, _ in _months(query)))
    return Rows.mapped(years, make) if years else NO_ROWS


# construction


@dataclass(frozen=True, slots=True)
class Project:
    """A construction project of the city."""

    number: int
    code: str
    """사업코드."""
    name: str
    borough: Borough
    begun: datetime.date
    due: datetime.date
    site: str
    amount: int
    """Won."""

    @property
    def finished(self) -> bool:
        """Due before the world's today."""
        return self.due < LAST_DAY


def projects(world: World) -> tuple[Project, ...]:
    """All of them, the oldest first."""
    return world.table("city.projects", _build_projects)


def _build_projects(world: World) -> tuple[Project, ...]:
    works = ("보도 정비공사", "도서관 건립", "하수관로 정비", "공원 조성", "교량 보수", "도로 확장", "체육센터 건립")
    found = []
    for number, name in enumerate(names(world, "projects", world.count(486, 20))):
        stream = world.identity("city", "project", number)
        borough = any_borough(stream)
        begun = datetime.date(2019, 1, 7) + datetime.timedelta(days=number * 5 + stream.below(4))
        due = begun + datetime.timedelta(days=stream.between(120, 1_400))
        site = street_address(stream, any_neighbourhood(stream, borough))
        code = f"P{begun.year}{number + 1:05d}"
        amount = stream.octave(300, 90_000) * 1_000_000
        found.append(Project(number, code, f"{name} {stream.choice(works)}", borough, begun, due, site, amount))
    return tuple(found)


def _project_list(world: World) -> Iterable[Record]:
    for project in projects(world):
        yield {
            "PJT_CD": project.code,
            "PJT_NAME": project.name,
            "GU_NAME": project.borough.name,
            "OFFICE_ADDR": project.site,
            "PJT_BGN1_DATE": project.begun.isoformat(),
            "PJT_COMPL_PREARR_DATE": project.due.isoformat(),
            "TOT_CNTRT_AMT": str(project.amount),
            "PJT_FIN_YN_NM": "준공" if project.finished else "진행",
        }


def _works(world: World) -> Iterable[Record]:
    for project in projects(world):
        yield {
            "BIZ_CD": project.code,
            "BIZ_NM": project.name,
            "SGG_NM": project.borough.name,
            "BIZ_BGNG_YMD": project.begun.isoformat(),
            "BIZ_PRD": f"{project.begun}~{project.due}",
            "PRJC_END_YN": "1" if project.finished else "0",
            "OFC_ADDR": project.site,
            "SITE_ADDR": project.site,
            "TOT_PJT_AMT": str(project.amount),
        }


def _progress(world: World) -> Iterable[Record]:
    """Plan and work done of the projects under way."""
    for project in projects(world):
        if project.finished or project.begun > LAST_DAY:
            continue
        days, gone = (project.due - project.begun).days, (LAST_DAY - project.begun).days
        plan = gone * 1000 // days
        done = plan * world.measure("city", "progress", project.number).between(78, 106) // 100
        yield {
            "BIZ_CD": project.code,
            "BIZ_NM": project.name,
            "GU_NM": project.borough.name,
            "CMCN_YN2": "진행",
            "PROCS_PLAN": f"{plan / 10:.1f}",
            "PROCS_PRFMNC": f"{min(done, 1000) / 10:.1f}",
            "PER_RT": f"{min(done, 1000) * 100 / plan:.1f}" if plan else "0.0",
            "CRTR_YMD": f"{LAST_DAY:%Y%m%d}",
            "DAY_TOT": str(days),
            "DAY_ELPS": str(gone),
            "DAY_JOB": str(days - gone),
            "AMT_CTRT": str(project.amount),
            "INST_NM": "도시기반시설본부",
        }


def _photos(world: World, query: Query) -> Rows:
    project = next((p for p in projects(world) if p.code == query.get("PJT_CD")), None)
    if project is None:
        return NO_ROWS
    count = world.identity("city", "photos", project.number).between(1, 12)

    def make(index: int) -> Record:
        day = min(project.begun + datetime.timedelta(days=30 * (index + 1)), LAST_DAY)
        return {
            "PJT_NAME": project.name,
            "CONST_NAME": f"{project.name} 현장",
            "PHTGRP_DATE": day.isoformat(),
            "PIC_URL": f"https://construction.invalid/{project.code}/{index + 1}.jpg",
        }

    return Rows(count, make)


# prices

_GOODS: Final = (
    ("사과(부사, 300g)", "1개", 2_600), ("배(신고, 600g)", "1개", 3_900), ("배추(2.5~3kg)", "1포기", 4_200), ("무(세척무)", "1개", 2_100),
    ("양파(1.5kg망)", "1망", 4_300), ("상추(100g)", "100g", 1_500), ("오이(다다기)", "1개", 1_100), ("애호박", "1개", 1_900),
    ("쇠고기(한우, 불고기)", "600g", 26_900), ("돼지고기(생삼겹살)", "600g", 16_400), ("닭고기(육계)", "1마리", 8_300), ("달걀(30개)", "1판", 7_400),
    ("조기(냉동, 수입산)", "1마리", 4_800), ("명태(러시아, 냉동)", "1마리", 3_700), ("고등어(30cm, 국산)", "1마리", 4_900), ("오징어(생물)", "1마리", 6_200),
)  # fmt: skip


def _markets(world: World) -> list[tuple[int, str, Borough, str]]:
    pool = iter(names(world, "markets", 75))
    found: list[tuple[int, str, Borough, str]] = []
    for borough in boroughs():
        for kind in ("전통시장", "전통시장", "대형마트"):
            found.append((len(found) + 1, f"{next(pool)}{'시장' if kind == '전통시장' else '마트'}", borough, kind))
    return found


def _prices(world: World) -> Iterator[Record]:
    """Twelve months, market by market, good by good."""
    serial = 1_500_000
    for back in range(12):
        month = f"2025-{12 - back:02d}"
        for number, market, borough, kind in _markets(world):
            for item, (name, unit, price) in enumerate(_GOODS, 1):
                seed = draw(world.measure_seed("city", "prices", number, item), back)
                serial += 1
                yield {
                    "P_SEQ": str(serial),
                    "M_SEQ": str(number),
                    "M_NAME": market,
                    "A_SEQ": str(item),
                    "A_NAME": name,
                    "A_UNIT": unit,
                    "A_PRICE": str(price * (78 + seed % 45) // 1000 * 10),
                    "P_YEAR_MONTH": month,
                    "ADD_COL": "",
                    "P_DATE": f"{month}-{10 + seed % 9:02d}",
                    "M_TYPE_CODE": "001" if kind == "전통시장" else "002",
                    "M_TYPE_NAME": kind,
                    "M_GU_CODE": f"{borough.number * 10_000 + 100_000}",
                    "M_GU_NAME": borough.name,
                }


_SHOPS: Final = (
    ("001", "한식", ("식당", "밥상")), ("002", "중식", ("반점",)), ("003", "경양식, 일식", ("돈가스", "초밥")), ("004", "기타외식업", ("분식", "찻집")),
    ("005", "이미용업", ("미용실", "이발관")), ("006", "세탁업", ("세탁소",)), ("007", "숙박업", ("여관",)), ("008", "기타 개인서비스업", ("목욕탕",)),
)  # fmt: skip


def _good_shops(world: World) -> Iterator[Record]:
    number = 0
    for borough, count in zip(boroughs(), shares(world.count(1_240, 40)), strict=True):
        for _ in range(count):
            stream = world.identity("city", "good shop", number)
            code, kind, endings = stream.weighted([(shop, 9 if shop[0] == "001" else 2) for shop in _SHOPS])
            yield {
                "SH_ID": str(2_001 + number),
                "SH_NAME": shop_name(stream, endings),
                "INDUTY_CODE_SE": code,
                "INDUTY_CODE_SE_NAME": kind,
                "SH_ADDR": street_address(stream, any_neighbourhood(stream, borough)),
                "SH_PHONE": phone(stream),
                "SH_WAY": "",
                "SH_INFO": f"{kind}: {stream.between(3, 12)},{stream.choice(('000', '500'))}원",
                "SH_PRIDE": "값을 올리지 않은 가게",
                "SH_RCMN": str(world.measure("city", "good shop", number).below(60)),
                "SH_PHOTO": f"https://goodprice.invalid/{number}.jpg",
                "BASE_YM": "202512",
            }
            number += 1


# the portal about itself


def _services(world: World) -> tuple[tuple[str, str, str, str], ...]:
    """(id, operation, title, description) of the portal's services, from the signatures themselves."""

    def build(world: World) -> tuple[tuple[str, str, str, str], ...]:
        tools = [tool for tool in load_catalog() if tool.wire == "seoul"]
        return tuple(
            (f"OA-{101 + 13 * n}", tool.endpoint.operation, tool.title, tool.description)
            for n, tool in enumerate(tools)
        )

    return world.table("city.services", build)


def open_data_ids(world: World) -> tuple[str, ...]:
    """Ids of the data sets that the portal lists."""
    return tuple(service[0] for service in _services(world))


def _catalog(world: World) -> Iterable[Record]:
    classes = ("교통", "환경", "문화/관광", "보건", "산업/경제", "주택/건설", "복지", "일반행정")
    for number, (key, _, title, _) in enumerate(_services(world)):
        stream = world.identity("city", "catalog", number)
        theme = stream.choice(classes)
        yield {
            "INF_ID": key,
            "INF_NM": f"서울시 {title}",
            "CATE_NM": theme,
            "DITC_NM": theme,
            "MAP_CATE_NM": theme,
            "MNG_ORGAN_NAME": "서울특별시",
            "MNG_STATION_NAME": stream.choice(("데이터정책과", "교통정책과", "문화정책과", "기후환경정책과")),
            "LINK_DESC": "행정정보시스템",
            "MANAGER_NAME": person_name(stream),
            "MANAGER_PHONE": phone(stream),
            "CHNG_LOAD_NM": stream.choice(("매일", "매월", "실시간", "수시(1회성 데이터)")),
            "DATA_LT_NM": f"2026.01.{stream.between(2, 29):02d}",
            "LINK_INFO": "열린데이터광장",
            "SRV_TYPE": stream.choice(("OpenAPI", "Sheet, OpenAPI", "File, OpenAPI")),
            "SHORT_URL": f"https://data.invalid/{key}",
        }


def _service_list(world: World) -> Iterable[Record]:
    for _, _, title, text in _services(world):
        yield {"INF_NM": f"서울시 {title}", "INF_EXP": text}


def _arguments(world: World, query: Query) -> Rows:
    """Inputs and outputs of one service."""
    found = next((s for s in _services(world) if s[0] == query.get("INF_ID")), None)
    if found is None:
        return NO_ROWS
    key, operation, title, _ = found
    tool = next(t for t in load_catalog() if t.wire == "seoul" and t.endpoint.operation == operation)
    rows: list[Record] = []
    for kind, columns in (("요청인자", tool.parameters), ("출력값", tool.fields)):
        for column in columns:
            needed = "(필수)" if kind == "요청인자" and getattr(column, "required", False) else "(선택)"
            rows.append(
                {
                    "INF_ID": key,
                    "INF_NM": f"서울시 {title}",
                    "API_SERVICE_NM": operation,
                    "PTYPE_NM": kind,
                    "COL_ENG_NM": column.name,
                    "COL_KOR_NM": column.label,
                    "REQ_VALTYPE": f"STRING{needed}" if kind == "요청인자" else "",
                    "COL_EXP": getattr(column, "description", "") or column.label,
                }
            )
    return Rows.of(rows)


HANDLERS: Final[dict[str, Handler]] = {
    "SmartUncomfStatSector": _by_sector,
    "SmartUncomfStatLocale": _by_district,
    "SmartUncomfStatMonth": _by_month,
    "pmisPjtList": table("projects", _project_list),
    "pmisPjtPhoto": _photos,
    "ListConstructionWorkService": table("works", _works),
    "ListOnePMISBizInfo": table("progress", _progress),
    "ListNecessariesPricesService": table(
        "prices", _prices, {"M_NAME": contains, "A_NAME": contains, "P_YEAR_MONTH": equal}
    ),
    "ListPriceModelStoreService": table("good shops", _good_shops, {"INDUTY_CODE_SE": equal}),
    "SearchCatalogService": table("catalog", _catalog),
    "SearchOpenDataServiceList": table("services", _service_list),
    "SearchOpenAPIIOValueService": _arguments,
}
