"""Licensed businesses (지방행정 인허가): one population per trade, served for the city and for each district.

Nothing is built: business number n of a trade is made when its row is asked for. Numbers run through the
districts in order, so a district's list is a range; the city's list shows them mixed. The same business
has the same row in both.
"""

from __future__ import annotations

import datetime
from bisect import bisect_right
from functools import lru_cache
from typing import Any, Final

from kopa_hf.catalog.tool import Tool
from kopa_hf.sandbox.city.ground import Borough, any_neighbourhood, boroughs, plane, point, shares
from kopa_hf.sandbox.city.words import phone, shop_name
from kopa_hf.sandbox.places import lot_address, street_address
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Rows
from kopa_hf.sandbox.rng import Stream, permuted, seed_of
from kopa_hf.sandbox.world import LAST_DAY, World

LARGEST: Final = 224_958
"""Restaurants, open and closed: the largest list of the sandbox."""

_TRADES: Final[dict[str, tuple[int, tuple[str, ...], tuple[str, ...]]]] = {
    "010101": (1_430, ("병원", "요양병원", "재활병원"), ("병원", "요양병원(일반요양병원)", "종합병원")),
    "010102": (20_318, ("의원", "내과의원", "치과의원", "한의원"), ("의원", "치과의원", "한의원")),
    "010103": (412, ("부속의원",), ("부속의원",)),
    "010104": (287, ("산후조리원",), ("산후조리업",)),
    "010105": (9_604, ("편의점",), ("안전상비의약품판매업소",)),
    "010106": (14_206, ("약국",), ("약국",)),
    "010110": (655, ("접골원", "안마원", "침술원"), ("안마시술소", "접골", "침술")),
    "010201": (4_120, ("안경", "안경원"), ("안경업",)),
    "010204": (2_903, ("치과기공소",), ("치과기공소",)),
    "020301": (2_004, ("동물병원",), ("동물병원",)),
    "020302": (1_587, ("약국",), ("동물약국",)),
    "020303": (702, ("동물의료기",), ("동물용의료용구판매업",)),
    "020401": (164, ("농장",), ("가축사육업",)),
    "031101": (604, ("호텔",), ("관광호텔업", "호스텔업", "가족호텔업")),
    "031103": (5_903, ("여관", "모텔", "호텔"), ("여관업", "일반호텔", "여인숙업", "숙박업(생활)")),
    "030504": (1_022, ("게임장",), ("복합유통게임제공업",)),
    "030505": (24_803, ("PC방",), ("인터넷컴퓨터게임시설제공업",)),
    "030506": (3_211, ("오락실",), ("일반게임제공업", "청소년게임제공업")),
    "030901": (14_980, ("노래연습장",), ("노래연습장업",)),
    "051801": (66_302, ("미용실", "헤어", "네일", "뷰티"), ("미용업", "일반미용업", "네일미용업", "피부미용업")),
    "051901": (10_411, ("이용원",), ("이용업",)),
    "062001": (17_902, ("세탁소", "세탁"), ("일반세탁업", "운동화전문세탁업", "빨래방업")),
    "072201": (5_012, ("푸드",), ("집단급식소 식품판매업",)),
    "072202": (6_340, ("헬스",), ("건강기능식품유통전문판매업",)),
    "072203": (61_207, ("건강", "약국", "마트"), ("건강기능식품일반판매업", "전자상거래(통신판매업)", "영업장판매")),
    "072204": (30_118, ("정육점", "축산"), ("식육판매업", "식용란수집판매업", "축산물유통전문판매업")),
    "072205": (1_310, ("햄", "유가공"), ("식육가공업", "유가공업")),
    "072206": (2_115, ("미트",), ("식육포장처리업",)),
    "072207": (402, ("냉동",), ("식품냉동냉장업",)),
    "072208": (3_702, ("소분",), ("식품소분업",)),
    "072209": (1_802, ("물류",), ("식품운반업",)),
    "072210": (17_403, ("자판기",), ("식품자동판매기영업",)),
    "072213": (8_120, ("마트",), ("기타식품판매업",)),
    "072215": (903, ("포장",), ("용기·포장류제조업",)),
    "072218": (12_304, ("제과", "빵집", "베이커리"), ("제과점영업",)),
    "072219": (31_806, ("방앗간", "반찬", "떡집"), ("즉석판매제조가공업",)),
    "072224": (208, ("냉장",), ("축산물보관업",)),
    "072225": (611, ("운송",), ("축산물운반업",)),
    "072301": (12_702, ("주점",), ("단란주점",)),
    "072302": (8_904, ("클럽", "룸"), ("룸살롱", "스텐드바", "기타")),
    "072401": (1_804, ("레스토랑",), ("관광식당",)),
    "072402": (96, ("극장식당",), ("관광유흥음식점업",)),
    "072404": (
        LARGEST,
        ("식당", "국수", "김밥", "갈비", "분식", "치킨", "반점", "해장국"),
        ("한식", "분식", "중국식", "일식", "경양식", "호프/통닭", "식육(숯불구이)", "기타"),
    ),
    "072405": (99_204, ("커피", "카페", "다방", "아이스"), ("커피숍", "휴게음식점", "다방", "편의점", "패스트푸드")),
    "082501": (1_203, ("백화점", "쇼핑", "시장"), ("대형마트", "쇼핑센터", "시장", "백화점", "그 밖의 대규모점포")),
    "093011": (1_902, ("방역",), ("소독업",)),
    "103101": (3_605, ("골프",), ("골프연습장업",)),
    "103201": (11_230, ("당구장",), ("당구장업",)),
    "103302": (204, ("무도학원",), ("무도학원업",)),
    "104101": (9_704, ("태권도", "체육관"), ("체육도장업",)),
    "104201": (8_807, ("헬스장", "짐"), ("체력단련장업",)),
    "114302": (61_350, ("슈퍼", "편의점", "상회"), ("담배소매업",)),
    "114401": (4_902, ("사우나", "목욕탕"), ("공동탕업", "찜질시설서비스영업")),
    "082604": (180_420, ("몰", "스토어", "상점"), ("통신판매업",)),
    "093008": (4_310, ("공업", "도장", "금속"), ("대기오염물질배출시설설치사업장",)),
    "092808": (2_406, ("주유소", "석유"), ("주유소", "일반판매소")),
    "092701": (402, ("목재",), ("목재수입유통업",)),
    "092809": (77, ("가스기기",), ("액화석유가스용품제조업체",)),
    "092801": (63, ("계량기",), ("계량기수리업",)),
}
"""Trade code → businesses ever licensed, endings of their names, kinds (업태)."""

_LETTERS: Final = (
    "JR", "JG", "YS", "SD", "GJ", "DD", "JN", "SB", "GB", "DB", "NW", "EP", "SM", "MP", "YC", "GS", "GR", "GC", "YD",
    "DJ", "GA", "SC", "GN", "SP", "GD",
)  # fmt: skip
"""How services of one district end, in the city's own order of districts."""
_BLANK: Final = "          "
"""What stands for a missing date or post code: blanks, not null."""
_NO_PAUSE: Final = {"TCBIZ_BGNG_YMD": _BLANK, "TCBIZ_END_YMD": _BLANK, "ROBIZ_YMD": _BLANK}
_EMISSIONS: Final = "093008"
_FIRST_YEAR: Final = 1972


@lru_cache(maxsize=256)
def _ends(total: int) -> tuple[int, ...]:
    parts = shares(total)
    return tuple(sum(parts[: i + 1]) for i in range(len(parts)))


def total_of(world: World, trade: str) -> int:
    """Businesses of a trade over all districts."""
    return world.count(_TRADES[trade][0], 25)


def borough_at(world: World, trade: str, number: int) -> Borough:
    """The district of a trade's business."""
    return boroughs()[bisect_right(_ends(total_of(world, trade)), number)]


def business(world: World, trade: str, number: int) -> dict[str, Any]:
    """Everything that is known of a business, under the names of the older columns."""
    stream = world.identity("city", "licence", trade, number)
    borough = borough_at(world, trade, number)
    _, endings, kinds = _TRADES[trade]
    place = any_neighbourhood(stream, borough)
    opened = _day(stream, _FIRST_YEAR + max(stream.below(54), stream.below(54)))
    state, ended = _state(stream, opened)
    touched = ended or opened + datetime.timedelta(days=stream.below(max((LAST_DAY - opened).days, 1)))
    east, north = plane(*point(stream, borough))
    return {
        "OPNSFTEAMCODE": borough.office_code,
        "MGTNO": f"{borough.office_code}-{trade[2:4]}-{opened.year}-{number + 1:05d}",
        "APVPERMYMD": opened.isoformat(),
        **state,
        "DCBYMD": ended.isoformat() if ended is not None else _BLANK,
        "SITETEL": phone(stream) if stream.chance(0.6) else "",
        "SITEPOSTNO": f"{stream.between(110, 158)}{stream.between(10, 890):03d}" if stream.chance(0.7) else "      ",
        "SITEWHLADDR": lot_address(stream, place),
        "RDNWHLADDR": street_address(stream, place),
        "RDNPOSTNO": f"0{1000 + borough.number * 280 + stream.below(280)}",
        "BPLCNM": f"{shop_name(stream, endings)}{f' {place.name}점' if stream.chance(0.2) else ''}",
        "LASTMODTS": f"{touched.isoformat()} {stream.between(9, 18):02d}:{stream.below(60):02d}:{stream.below(60):02d}",
        "UPDATEGBN": "U" if ended is not None or stream.chance(0.5) else "I",
        "UPDATEDT": f"{(touched + datetime.timedelta(days=2)).isoformat()} 00:40:00.0",
        "UPTAENM": stream.choice(kinds),
        "X": f"{east:.6f}    ",
        "Y": f"{north:.6f}    ",
        "SITEAREA": f"{world.measure('city', 'licence', trade, number).between(12, 480) + 0.5:.2f}",
        **(_environment(stream, kinds) if trade == _EMISSIONS else _NO_PAUSE),
    }


def _day(stream: Stream, year: int) -> datetime.date:
    day = datetime.date(min(year, 2025), stream.between(1, 12), stream.between(1, 28))
    return min(day, LAST_DAY)


def _state(stream: Stream, opened: datetime.date) -> tuple[dict[str, str], datetime.date | None]:
    """State columns, and the day of closing for the closed: the older the likelier."""
    years = (LAST_DAY - opened).days / 365
    if stream.chance(min(0.12 + years / 45, 0.86)):
        ended = opened + datetime.timedelta(days=30 + stream.below(max((LAST_DAY - opened).days - 40, 1)))
        return _named("03", "폐업", "02", "폐업"), min(ended, LAST_DAY)
    if stream.chance(0.02):
        return _named("02", "휴업", "03", "휴업"), None
    return _named("01", "영업/정상", "01", "영업"), None


def _named(code: str, name: str, detail: str, detail_name: str) -> dict[str, str]:
    return {"TRDSTATEGBN": code, "TRDSTATENM": name, "DTLSTATEGBN": detail, "DTLSTATENM": detail_name}


def _environment(stream: Stream, kinds: tuple[str, ...]) -> dict[str, str]:
    """Columns that only the emission sites have."""
    hours, days = stream.choice(("8", "10", "24")), str(stream.choice((250, 280, 300, 365)))
    return {
        "ENVM_TASK_SE_NM": "대기",
        "TPBIZ_SE_NM": stream.choice(("자동차종합수리업", "인쇄업", "보일러", "금속가공업", "세탁업")),
        "CTGRY_NM": f"{stream.weighted(((5, 8), (4, 4), (3, 1), (2, 1)))}종",
        "MAIN_PRDT_NM": stream.choice(("도장", "인쇄물", "증기", "금속부품", "-")),
        "EMS_FCLT_OPER_HRM": hours,
        "EMS_FCLT_ANL_OPRTNG_DCNT": days,
        "PVT_FCLT_OPER_HRM": hours,
        **_NO_PAUSE,
    }


_NEWER: Final = {
    "OGDP_INST_CD": "OPNSFTEAMCODE", "MNG_NO": "MGTNO", "LCPMT_YMD": "APVPERMYMD", "SALS_STTS_CD": "TRDSTATEGBN",
    "SALS_STTS_NM": "TRDSTATENM", "DTL_SALS_STTS_CD": "DTLSTATEGBN", "DTL_SALS_STTS_NM": "DTLSTATENM",
    "CLSBIZ_YMD": "DCBYMD", "TELNO": "SITETEL", "LCTN_ZIP": "SITEPOSTNO", "LOTNO_ADDR": "SITEWHLADDR",
    "ROAD_NM_ADDR": "RDNWHLADDR", "ROAD_NM_ZIP": "RDNPOSTNO", "BPLC_NM": "BPLCNM", "LAST_MDFCN_YMD": "LASTMODTS",
    "DATA_UPDT_SE": "UPDATEGBN", "DATA_UPDT_YMD": "UPDATEDT", "BZSTAT_SE_NM": "UPTAENM", "XCRD": "X", "YCRD": "Y",
    "LCTN_AREA": "SITEAREA",
}  # fmt: skip
"""Newer column names → older ones."""


def _columns(tool: Tool | None) -> tuple[tuple[str, str], ...]:
    return tuple((f.name, _NEWER.get(f.name, f.name)) for f in tool.fields) if tool is not None else ()


def _city(trade: str) -> Handler:
    """The trade's businesses of all districts, mixed."""

    def handle(world: World, query: Query) -> Rows:
        total = total_of(world, trade)
        seed = seed_of("city", "licence", "order", trade, world.identity_seed)
        columns = _columns(query.tool)
        return Rows(total, lambda index: _row(world, trade, permuted(index, total, seed), columns))

    return handle


def _district(trade: str, letters: str) -> Handler:
    """The trade's businesses of one district."""
    place = _LETTERS.index(letters)

    def handle(world: World, query: Query) -> Rows:
        ends = (0, *_ends(total_of(world, trade)))
        first, count = ends[place], ends[place + 1] - ends[place]
        columns = _columns(query.tool)
        return Rows(count, lambda index: _row(world, trade, first + index, columns)) if count else NO_ROWS

    return handle


def _row(world: World, trade: str, number: int, columns: tuple[tuple[str, str], ...]) -> Record:
    known = business(world, trade, number)
    return {name: known[source] for name, source in columns}


_EVERYWHERE: Final = tuple(letters for letters in _LETTERS if letters != "SD")
_OF_DISTRICTS: Final[dict[str, tuple[str, ...]]] = {
    "072405": _EVERYWHERE,
    "114302": tuple(letters for letters in _EVERYWHERE if letters != "SM"),
    "072404": ("YD", "GD"),
    "031103": ("NW", "DB", "GJ", "JR"),
    "082501": ("GJ",),
    "020301": ("GN",),
    "010101": ("GN",),
}
"""Trades that some districts serve themselves."""

HANDLERS: Final[dict[str, Handler]] = {
    **{f"LOCALDATA_{trade}": _city(trade) for trade in _TRADES if trade != "092801"},
    "repair092801": _city("092801"),
    **{f"LOCALDATA_{t}_{letters}": _district(t, letters) for t, places in _OF_DISTRICTS.items() for letters in places},
}
