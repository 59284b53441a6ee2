"""Trade areas (상권분석): sales, shops, passers-by, residents and spending by quarter.

Figures hang together: weekdays, hours of the day and sexes each add up to the whole, and a district's
sales and shops are the sums of its neighbourhoods'. Numbers leave as JSON floats, as in the real services.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.sandbox.city.answers import quarters, table
from kopa_hf.sandbox.city.ground import Borough, boroughs, dongs, dongs_in, draw, plane, point, shares, split
from kopa_hf.sandbox.city.words import names
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Rows
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import World

AREAS: Final = 1_650
_LARGEST: Final = 200_000
"""Rows beyond which a request without a quarter gets the latest quarters only."""
INDUSTRIES: Final = (
    ("CS100001", "한식음식점", 60), ("CS100002", "중식음식점", 12), ("CS100003", "일식음식점", 12), ("CS100004", "양식음식점", 14),
    ("CS100005", "제과점", 10), ("CS100006", "패스트푸드점", 8), ("CS100007", "치킨전문점", 12), ("CS100008", "분식전문점", 14),
    ("CS100009", "호프-간이주점", 20), ("CS100010", "커피-음료", 34), ("CS200001", "일반교습학원", 16), ("CS200005", "스포츠 강습", 8),
    ("CS200006", "일반의원", 14), ("CS200007", "치과의원", 10), ("CS200008", "한의원", 8), ("CS200019", "PC방", 4),
    ("CS200025", "자동차수리", 6), ("CS200028", "미용실", 26), ("CS200029", "네일숍", 10), ("CS200030", "피부관리실", 9),
    ("CS200031", "세탁소", 8), ("CS200033", "부동산중개업", 24), ("CS200037", "노래방", 8), ("CS300001", "슈퍼마켓", 12),
    ("CS300002", "편의점", 16), ("CS300006", "미곡판매", 3), ("CS300007", "육류판매", 8), ("CS300008", "수산물판매", 6),
    ("CS300009", "청과상", 7), ("CS300010", "반찬가게", 7), ("CS300011", "일반의류", 30), ("CS300014", "신발", 4),
    ("CS300016", "안경", 5), ("CS300018", "의약품", 12), ("CS300020", "서적", 3), ("CS300021", "문구", 4),
    ("CS300022", "화장품", 8), ("CS300026", "화초", 5), ("CS300028", "가구", 4), ("CS300031", "가전제품", 5),
)  # fmt: skip
"""Service industries: official code, name, weight."""
_KINDS: Final = (("A", "골목상권", 66), ("D", "발달상권", 15), ("R", "전통시장", 18), ("U", "관광특구", 1))
_TRENDS: Final = (("HH", "정체"), ("HL", "상권축소"), ("LH", "상권확장"), ("LL", "다이나믹"))
_PARTS: Final[dict[str, tuple[tuple[str, int], ...]]] = {
    "week": (("MON", 13), ("TUES", 14), ("WED", 14), ("THUR", 14), ("FRI", 17), ("SAT", 16), ("SUN", 12)),
    "hours": (
        ("TMZON_00_06", 6), ("TMZON_06_11", 14), ("TMZON_11_14", 24), ("TMZON_14_17", 18), ("TMZON_17_21", 29),
        ("TMZON_21_24", 9),
    ),
    "sex": (("ML", 51), ("FML", 49)),
    "ages": (
        ("AGRDE_10", 3), ("AGRDE_20", 21), ("AGRDE_30", 24), ("AGRDE_40", 22), ("AGRDE_50", 18),
        ("AGRDE_60_ABOVE", 12),
    ),
}  # fmt: skip
_SPENDING: Final = (
    ("FDSTFFS", 30), ("CLTHS_FTWR", 9), ("MCP", 12), ("LVSPL", 6), ("TRNSPORT", 13), ("LSR", 5), ("CLTUR", 4), ("EDC", 14),
    ("PLESR", 7),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Area:
    """A trade area."""

    index: int
    code: str
    """Seven digits."""
    name: str
    kind: tuple[str, str]
    borough: Borough
    weight: int


def areas(world: World) -> tuple[Area, ...]:
    """All trade areas, district by district."""
    return world.table("city.trade.areas", _build_areas)


def _build_areas(world: World) -> tuple[Area, ...]:
    count = world.count(AREAS, 50)
    pool = names(world, "trade areas", count)
    found: list[Area] = []
    for borough, part in zip(boroughs(), shares(count), strict=True):
        for _ in range(part):
            index = len(found)
            stream = world.identity("city", "trade area", index)
            kind = stream.weighted([((k, n), w) for k, n, w in _KINDS])
            ending = {"A": "골목", "D": "역 상권", "R": "시장", "U": "관광특구"}[kind[0]]
            name = f"{pool[index]}{ending}"
            found.append(Area(index, f"{3_110_001 + index}", name, kind, borough, stream.octave(2, 240)))
    return tuple(found)


def breakdown(total: int, seed: int, ending: str) -> dict[str, float]:
    """A whole in its parts by weekday, hours, sex and age; each kind of parts adds up to it."""
    found: dict[str, float] = {}
    for turn, parts in enumerate(_PARTS.values()):
        weights = tuple(w * 10 + draw(seed, turn, n) % (w * 4 + 3) for n, (_, w) in enumerate(parts))
        for (name, _), value in zip(parts, split(total, weights), strict=True):
            found[f"{name}_{ending}"] = float(value)
    return found


def sales(world: World, place: Borough, industry: int, quarter: str) -> int:
    """Won that an industry of a district takes in a quarter."""
    seed = draw(world.measure_seed("city", "sales", place.code, industry), int(quarter))
    return place.residents * INDUSTRIES[industry][2] * (800_000 + seed % 420_000)


def sales_in_dongs(world: World, place: Borough, industry: int, quarter: str) -> list[int]:
    """The same by neighbourhood, in their order; they add up to the district's."""
    seed = world.measure_seed("city", "sales dongs", place.code, industry)
    weights = tuple(d.weight + draw(seed, n) % 90 for n, d in enumerate(dongs_in(world, place.code)))
    return split(sales(world, place, industry, quarter), weights)


def shops_in_dongs(world: World, place: Borough, industry: int, quarter: str) -> list[int]:
    """Shops of an industry by neighbourhood."""
    seed = draw(world.measure_seed("city", "shops", place.code, industry), int(quarter))
    whole = place.residents * INDUSTRIES[industry][2] * (90 + seed % 20) // 1_000
    return split(whole, tuple(d.weight for d in dongs_in(world, place.code)))


def _shop_columns(shops: int, seed: int) -> Record:
    opened, closed = shops * (seed % 7) // 100, shops * ((seed >> 8) % 7) // 100
    chain = shops * ((seed >> 16) % 40) // 100
    return {
        "STOR_CO": float(shops - chain),
        "SIMILR_INDUTY_STOR_CO": float(shops),
        "OPBIZ_RT": float(round(opened * 100 / shops)) if shops else 0.0,
        "OPBIZ_STOR_CO": float(opened),
        "CLSBIZ_RT": float(round(closed * 100 / shops)) if shops else 0.0,
        "CLSBIZ_STOR_CO": float(closed),
        "FRC_STOR_CO": float(chain),
    }


def _at(area: Area) -> Record:
    return {
        "TRDAR_SE_CD": area.kind[0],
        "TRDAR_SE_CD_NM": area.kind[1],
        "TRDAR_CD": area.code,
        "TRDAR_CD_NM": area.name,
    }


def _industry(number: int) -> Record:
    return {"SVC_INDUTY_CD": INDUSTRIES[number][0], "SVC_INDUTY_CD_NM": INDUSTRIES[number][1]}


Make = Callable[[World, Any, int, str], Record]
"""(world, place, industry, quarter) → the row's columns after the quarter."""


def _cube(places: Callable[[World], Sequence[Any]], make: Make, *, industries: bool = False) -> Handler:
    """Quarters (the latest first) × places × industries, with the columns of the signature."""

    def handle(world: World, query: Query) -> Rows:
        asked = query.get("STDR_YYQU_CD")
        if asked and not (asked.isdecimal() and len(asked) == 5):
            raise RefusedError("value", "STDR_YYQU_CD")
        times = [q for q in reversed(quarters()) if not asked or q == asked]
        found = places(world)
        wanted = query.get("TRDAR_CD")
        if wanted:
            found = [place for place in found if place.code == wanted]
        trades = len(INDUSTRIES) if industries else 1
        if not times or not found:
            return NO_ROWS
        times = times[: max(1, _LARGEST // (len(found) * trades))]
        columns = [f.name for f in query.tool.fields] if query.tool is not None else []

        def row(index: int) -> Record:
            rest, industry = divmod(index, trades)
            quarter, place = times[rest // len(found)], found[rest % len(found)]
            values = {"STDR_YYQU_CD": quarter, **make(world, place, industry, quarter)}
            return {name: values[name] for name in columns} if columns else values

        return Rows(len(times) * len(found) * trades, row)

    return handle


def _area_sales(world: World, area: Area, industry: int, quarter: str) -> Record:
    seed = draw(world.measure_seed("city", "area sales", area.code, industry), int(quarter))
    amount = area.weight * INDUSTRIES[industry][2] * (60_000 + seed % 50_000)
    count = amount // (9_000 + (seed >> 20) % 21_000)
    return {
        **_at(area),
        **_industry(industry),
        "THSMON_SELNG_AMT": float(amount),
        **breakdown(amount, seed, "SELNG_AMT"),
        "THSMON_SELNG_CO": float(count),
        **breakdown(count, seed, "SELNG_CO"),
    }


def _area_shops(world: World, area: Area, industry: int, quarter: str) -> Record:
    seed = draw(world.measure_seed("city", "area shops", area.code, industry), int(quarter))
    shops = area.weight * INDUSTRIES[industry][2] * (80 + seed % 40) // 16_000
    return {**_at(area), **_industry(industry), **_shop_columns(shops, seed >> 8)}


def _area_people(ending: str, factor: int) -> Make:
    def make(world: World, area: Area, industry: int, quarter: str) -> Record:
        seed = draw(world.measure_seed("city", ending, area.code), int(quarter))
        total = area.weight * (factor + seed % factor)
        return {**_at(area), f"TOT_{ending}": float(total), **breakdown(total, seed, ending)}

    return make


def _area_trend(world: World, area: Area, industry: int, quarter: str) -> Record:
    seed = draw(world.measure_seed("city", "area trend", area.code), int(quarter))
    return {**_at(area), "TRDAR_CHNGE_IX": _TRENDS[seed % 4][0]}


def _area_facilities(world: World, area: Area, industry: int, quarter: str) -> Record:
    stream = Stream(world.identity("city", "area facilities", area.code).u64())
    counts: Record = {
        "ELESCH_CO": stream.below(3),
        "MSKUL_CO": stream.below(2),
        "HGSCHL_CO": stream.below(2),
        "UNIV_CO": int(stream.chance(0.05)),
        "SUBWAY_STATN_CO": stream.below(3),
        "BUS_STTN_CO": stream.between(2, 30),
    }
    whole = sum(counts.values()) + stream.below(20)
    return {**_at(area), "VIATR_FCLTY_CO": float(whole), **{name: float(value) for name, value in counts.items()}}


def _area_spending(world: World, area: Area, industry: int, quarter: str) -> Record:
    seed = draw(world.measure_seed("city", "area spending", area.code), int(quarter))
    total = area.weight * (40_000_000 + seed % 30_000_000)
    parts = split(total, tuple(w * 8 + draw(seed, n) % (w * 4) for n, (_, w) in enumerate(_SPENDING)))
    named = {f"{name}_EXPNDTR_TOTAMT": float(v) for (name, _), v in zip(_SPENDING, parts, strict=True)}
    return {**_at(area), "EXPNDTR_TOTAMT": float(total), **named}


def _borough(place: Borough) -> Record:
    return {"SIGNGU_CD": place.code, "SIGNGU_CD_NM": place.name}


def _borough_sales(world: World, place: Borough, industry: int, quarter: str) -> Record:
    total = sales(world, place, industry, quarter)
    seed = world.measure_seed("city", "sales parts", place.code, industry, quarter)
    return {
        **_borough(place),
        **_industry(industry),
        "THSMON_SELNG_AMT": float(total),
        **breakdown(total, seed, "SELNG_AMT"),
    }


def _borough_shops(world: World, place: Borough, industry: int, quarter: str) -> Record:
    seed = world.measure_seed("city", "shop parts", place.code, industry, quarter)
    shops = sum(shops_in_dongs(world, place, industry, quarter))
    return {**_borough(place), **_industry(industry), **_shop_columns(shops, seed)}


def _borough_walkers(world: World, place: Borough, industry: int, quarter: str) -> Record:
    seed = draw(world.measure_seed("city", "walkers", place.code), int(quarter))
    total = place.residents * (160_000 + seed % 90_000)
    return {**_borough(place), "TOT_FLPOP_CO": float(total), **breakdown(total, seed, "FLPOP_CO")}


def _spent(world: World, place: Borough, quarter: str) -> list[int]:
    """Won that a district's neighbourhoods spend in a quarter."""
    seed = draw(world.measure_seed("city", "spending", place.code), int(quarter))
    weights = tuple(d.weight for d in dongs_in(world, place.code))
    return split(place.residents * (900_000_000 + seed % 300_000_000), weights)


def _borough_spending(world: World, place: Borough, industry: int, quarter: str) -> Record:
    return {**_borough(place), "EXPNDTR_TOTAMT": float(sum(_spent(world, place, quarter)))}


def _borough_trend(world: World, place: Borough, industry: int, quarter: str) -> Record:
    seed = draw(world.measure_seed("city", "trend", place.code), int(quarter))
    code, name = _TRENDS[seed % 4]
    return {
        **_borough(place),
        "TRDAR_CHNGE_IX": code,
        "TRDAR_CHNGE_IX_NM": name,
        "OPR_SALE_MT_AVRG": float(95 + (seed >> 8) % 40),
        "CLS_SALE_MT_AVRG": float(45 + (seed >> 16) % 20),
    }


def _dong_place(world: World, place: Any) -> tuple[Record, int]:
    return {"ADSTRD_CD": place.code, "ADSTRD_CD_NM": place.name}, dongs_in(world, place.borough.code).index(place)


def _dong_sales(world: World, place: Any, industry: int, quarter: str) -> Record:
    named, order = _dong_place(world, place)
    total = sales_in_dongs(world, place.borough, industry, quarter)[order]
    seed = world.measure_seed("city", "dong week", place.code, industry, quarter)
    working, resting = split(total, (60 + seed % 20, 40 - seed % 20))
    return {
        **named,
        **_industry(industry),
        "THSMON_SELNG_AMT": float(total),
        "MDWK_SELNG_AMT": float(working),
        "WKEND_SELNG_AMT": float(resting),
    }


def _dong_shops(world: World, place: Any, industry: int, quarter: str) -> Record:
    named, order = _dong_place(world, place)
    seed = world.measure_seed("city", "dong shops", place.code, industry, quarter)
    shops = shops_in_dongs(world, place.borough, industry, quarter)[order]
    return {**named, **_industry(industry), **_shop_columns(shops, seed)}


def _dong_spending(world: World, place: Any, industry: int, quarter: str) -> Record:
    named, order = _dong_place(world, place)
    return {**named, "EXPNDTR_TOTAMT": float(_spent(world, place.borough, quarter)[order])}


def _all_boroughs(world: World) -> Sequence[Borough]:
    return boroughs()


def _boundaries(world: World) -> Iterator[Record]:
    """Where each trade area lies; one row an area."""
    for area in areas(world):
        stream = world.identity("city", "trade area place", area.index)
        place = stream.choice(dongs_in(world, area.borough.code))
        east, north = plane(*point(stream, area.borough))
        yield {
            **_at(area),
            "XCNTS_VALUE": float(round(east)),
            "YDNTS_VALUE": float(round(north)),
            **_borough(area.borough),
            "ADSTRD_CD": place.code,
            "ADSTRD_CD_NM": place.name,
            "RELM_AR": float(area.weight * 900 + stream.below(9_000)),
        }


HANDLERS: Final[dict[str, Handler]] = {
    "TbgisTrdarRelm": table("trade areas", _boundaries),
    "VwsmTrdarSelngQq": _cube(areas, _area_sales, industries=True),
    "VwsmTrdarStorQq": _cube(areas, _area_shops, industries=True),
    "VwsmTrdarFlpopQq": _cube(areas, _area_people("FLPOP_CO", 9_000)),
    "VwsmTrdarRepopQq": _cube(areas, _area_people("REPOP_CO", 60)),
    "VwsmTrdarIxQq": _cube(areas, _area_trend),
    "VwsmTrdarFcltyQq": _cube(areas, _area_facilities),
    "VwsmTrdarWrcPopltnQq": _cube(areas, lambda world, area, industry, quarter: _at(area)),
    "VwsmTrdhlNcmCnsmpQq": _cube(areas, _area_spending),
    "VwsmSignguSelngW": _cube(_all_boroughs, _borough_sales, industries=True),
    "VwsmSignguStorW": _cube(_all_boroughs, _borough_shops, industries=True),
    "VwsmSignguFlpopW": _cube(_all_boroughs, _borough_walkers),
    "VwsmSignguNcmCnsmpW": _cube(_all_boroughs, _borough_spending),
    "VwsmSignguIxQq": _cube(_all_boroughs, _borough_trend),
    "VwsmAdstrdSelngW": _cube(dongs, _dong_sales, industries=True),
    "VwsmAdstrdStorW": _cube(dongs, _dong_shops, industries=True),
    "VwsmAdstrdNcmCnsmpW": _cube(dongs, _dong_spending),
}
