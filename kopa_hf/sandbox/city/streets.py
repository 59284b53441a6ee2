"""In the streets: incidents on the roads, lost articles, defibrillators and emergency rooms, toilets, night views."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from functools import partial
from typing import Final

from kopa_hf.sandbox.city.answers import table
from kopa_hf.sandbox.city.ground import any_borough, any_neighbourhood, plane, point
from kopa_hf.sandbox.city.subway import stops
from kopa_hf.sandbox.city.weather import LINKS, link_id
from kopa_hf.sandbox.city.words import HEADS, names, phone
from kopa_hf.sandbox.places import street_address
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Rows
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import LAST_DAY, World

_AED: Final = 9_213
_INCIDENTS: Final = (("A01", "교통사고", "추돌사고"), ("A04", "공사", "시설물보수"), ("A10", "집회및행사", "행사"))
_CARRIERS: Final = {
    "b1": ("버스", 2_140), "b2": ("마을버스", 310), "t1": ("법인택시", 640), "t2": ("개인택시", 720),
    "s1": ("지하철(1~4호선)", 3_300), "s2": ("지하철(5~8호선)", 2_900), "s3": ("코레일", 1_200), "s4": ("지하철(9호선)", 900),
}  # fmt: skip
"""Code of a carrier → its name, articles in store."""
_ARTICLES: Final = ("가방", "배낭", "지갑", "핸드폰", "옷", "쇼핑백", "서류봉투", "책", "파일", "기타")
_FIRST_CASE: Final = datetime.date(2020, 2, 5)
_LAST_CASE: Final = datetime.date(2023, 5, 31)


def _incidents(world: World) -> Iterator[Record]:
    for number in range(world.count(64, 12)):
        stream = world.measure("city", "incident", number)
        begun = datetime.datetime(2026, 1, 30, 9) - datetime.timedelta(minutes=stream.octave(5, 40_000))
        until = datetime.datetime(2026, 1, 30, 9) + datetime.timedelta(minutes=stream.octave(10, 20_000))
        code, kind, detail = stream.choice(_INCIDENTS)
        east, north = plane(*point(stream, any_borough(stream)))
        road = f"{names(world, 'roads', 200)[stream.below(200)]}로"
        yield {
            "acc_id": str(1_080_001 + number),
            "occr_date": f"{begun:%Y%m%d}",
            "occr_time": f"{begun:%H%M%S}",
            "exp_clr_date": f"{until:%Y%m%d}",
            "exp_clr_time": f"{until:%H%M%S}",
            "acc_type": code,
            "acc_dtype": f"{code[1:]}B0{number % 9 + 1}",
            "link_id": link_id(stream.below(LINKS)),
            "grs80tm_x": f"{east:.6f}",
            "grs80tm_y": f"{north:.6f}",
            "acc_info": f"{road} {kind}({detail})로 일부 차로가 통제됩니다.",
            "acc_road_code": f"{stream.between(1, 40):03d}",
        }


def _lost(world: World, query: Query) -> Rows:
    code = query.get("WB_CODE")
    if code not in _CARRIERS:
        return NO_ROWS
    carrier, count = _CARRIERS[code]
    return Rows(world.count(count, 20), partial(_article, world, code, carrier))


def _article(world: World, code: str, carrier: str, index: int) -> Record:
    """The latest finds first."""
    stream = world.identity("city", "lost", code, index)
    thing = stream.choice(_ARTICLES)
    day = LAST_DAY - datetime.timedelta(days=index // 12)
    station = stream.choice(stops(world)).name
    where = f"{station}역" if code.startswith("s") else f"{stream.choice(HEADS)}{carrier}"
    colour = stream.choice(("검정", "파랑", "회색", "빨강", "하양"))
    return {
        "ID": f"{code.upper()}{7_000_001 + index}",
        "GET_NAME": f"{colour} {thing}",
        "URL": "",
        "TITLE": f"{thing} 습득",
        "GET_DATE": day.isoformat(),
        "TAKE_PLACE": f"{station}역 유실물센터" if code.startswith("s") else f"{where} 영업소",
        "CONTACT": phone(stream),
        "CATE": thing,
        "GET_POSITION": carrier,
        "GET_PLACE": where if code.startswith("s") else "",
        "GET_THING": f"{colour} {thing} 1점",
        "STATUS": stream.weighted((("보관", 6), ("수령", 5), ("경찰서이관", 2))),
        "CODE": f"{_ARTICLES.index(thing) + 1:02d}",
        "IMAGE_URL": "",
    }


def _spot(stream: Stream) -> tuple[str, str, str]:
    """(address, latitude, longitude) somewhere in the city."""
    borough = any_borough(stream)
    latitude, longitude = point(stream, borough)
    return street_address(stream, any_neighbourhood(stream, borough)), f"{latitude:.6f}", f"{longitude:.6f}"


def _defibrillator(world: World, index: int) -> Record:
    stream = world.identity("city", "aed", index)
    address, latitude, longitude = _spot(stream)
    place = stream.choice(("1층 안내데스크", "관리사무소", "지하 1층 로비", "경비실 앞"))
    return {"BUILDPLACE": place, "BUILDADDRESS": address, "WGS84LAT": latitude, "WGS84LON": longitude}


def _emergency_rooms(world: World) -> Iterator[Record]:
    for number, name in enumerate(names(world, "emergency rooms", world.count(69, 25))):
        stream = world.identity("city", "emergency room", number)
        address, latitude, longitude = _spot(stream)
        yield {
            "DUTYNAME": f"{name}병원",
            "DUTYADDR": address,
            "DUTYTEL3": phone(stream),
            "WGS84LAT": latitude,
            "WGS84LON": longitude,
        }


def _toilets(world: World) -> Iterator[Record]:
    for number in range(world.count(4_938, 60)):
        stream = world.identity("city", "toilet point", number)
        borough = any_borough(stream)
        latitude, longitude = point(stream, borough)
        east, north = plane(latitude, longitude)
        yield {
            "POI_ID": str(102_001 + number),
            "FNAME": f"{stream.choice(HEADS)}{stream.choice(('빌딩', '공원', '시장', '주차장'))}",
            "ANAME": stream.choice(("공중화장실", "민간개방화장실", "공공개방화장실")),
            "CENTER_X1": round(east, 3),
            "CENTER_Y1": round(north, 3),
            "X_WGS84": longitude,
            "Y_WGS84": latitude,
            "INSERTDATE": f"20{stream.between(12, 20)}{stream.between(1, 12):02d}{stream.between(1, 28):02d}",
            "UPDATEDATE": f"202{stream.between(1, 5)}{stream.between(1, 12):02d}{stream.between(1, 28):02d}",
        }


def _night_views(world: World) -> Iterator[Record]:
    for number, name in enumerate(names(world, "night views", world.count(51, 10)), 1):
        stream = world.identity("city", "night view", number)
        address, latitude, longitude = _spot(stream)
        free = stream.chance(0.8)
        kind = stream.choice(("공원/광장", "문화/체육", "가로/마을"))
        yield {
            "NUM": number,
            "SUBJECT_CD": kind,
            "TITLE": f"{name} {stream.choice(('전망대', '다리', '광장', '성곽길'))}",
            "ADDR": address,
            "LA": latitude,
            "LO": longitude,
            "TEL_NO": phone(stream),
            "URL": f"https://night.invalid/{number}",
            "OPERATING_TIME": stream.choice(("상시", "18:00~23:00", "일몰~22:00")),
            "FREE_YN": "무료" if free else "유료",
            "ENTR_FEE": "" if free else f"{stream.between(2, 9)},000원",
            "CONTENTS": "해가 지면 불빛이 켜지는 곳입니다.",
            "SUBWAY": f"{stream.choice(stops(world)).name}역 {stream.between(1, 9)}번 출구",
            "BUS": "",
            "PARKING_INFO": "",
            "REG_DATE": "2024-05-02 10:00:00.0",
            "MOD_DATE": "2025-11-20 10:00:00.0",
        }


def _cases(world: World) -> Iterator[Record]:
    """Cases of a day and sums since the beginning, the last day first."""
    rows: list[Record] = []
    city = country = dead = dead_all = 0
    for n in range((_LAST_CASE - _FIRST_CASE).days + 1):
        day = _FIRST_CASE + datetime.timedelta(days=n)
        stream = world.measure("city", "cases", n)
        wave = max(1, 60 - abs(n - 760) // 6)
        new = stream.between(1, 9) * wave * wave // 4
        city, country = city + new, country + new * stream.between(4, 6)
        dead, dead_all = dead + new // 900, dead_all + new // 190
        rows.append(
            {
                "S_DT": f"{day:%Y.%m.%d}.00",
                "S_HJ": str(city),
                "SN_HJ": str(new),
                "S_DEATH": str(dead),
                "T_HJ": str(country),
                "DEATH": str(dead_all),
            }
        )
    yield from reversed(rows)


HANDLERS: Final[dict[str, Handler]] = {
    "AccInfo": table("incidents", _incidents),
    "ListLostArticleService": _lost,
    "tbEmgcAedInfo": lambda world, query: Rows(world.count(_AED, 60), partial(_defibrillator, world)),
    "TvEmgcHospitalInfo": table("emergency rooms", _emergency_rooms),
    "SearchPublicToiletPOIService": table("toilet points", _toilets),
    "viewNightSpot": table("night views", _night_views),
    "TbCorona19CountStatus": table("cases", _cases),
}
