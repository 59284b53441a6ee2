"""Places to go: parks, sports courses, restaurants for visitors, wifi, shelters, toilets, playrooms, animals to adopt."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Final

from kopa_hf.sandbox.city.answers import contains, table
from kopa_hf.sandbox.city.ground import any_borough, any_neighbourhood, boroughs, plane, point, shares
from kopa_hf.sandbox.city.subway import stops
from kopa_hf.sandbox.city.words import HEADS, latin, names, phone, shop_name
from kopa_hf.sandbox.places import lot_address, street_address
from kopa_hf.sandbox.query import Handler, Query, Record, Rows
from kopa_hf.sandbox.world import LAST_DAY, World

_WIFI: Final = 25_480
_PARKS: Final = 132


def _parks(world: World) -> Iterator[Record]:
    for number, name in enumerate(names(world, "parks", world.count(_PARKS, 25)), 1):
        stream = world.identity("city", "park", number)
        borough = any_borough(stream)
        latitude, longitude = point(stream, borough)
        east, north = plane(latitude, longitude)
        place = any_neighbourhood(stream, borough)
        yield {
            "SN": str(number),
            "PARK_NM": f"{name}공원",
            "PARK_OTLN": f"{borough.name} {place.name}에 있는 공원으로 산책로와 쉼터가 있다.",
            "AREA": f"{stream.octave(9_000, 2_600_000)}㎡",
            "OPEN_YMD": f"{stream.between(1968, 2023)}.{stream.between(1, 12)}.{stream.between(1, 28)}",
            "MAIN_FCLT": ", ".join(
                stream.sample(("산책로", "잔디광장", "연못", "어린이놀이터", "운동장", "식물원"), 3)
            ),
            "MAIN_PLNT": ", ".join(stream.sample(("소나무", "벚나무", "느티나무", "산수유", "철쭉", "단풍나무"), 3)),
            "GD_DOC": f"https://parks.invalid/map/{number}.jpg",
            "VST_ROAD": f"{stream.choice(stops(world)).name}역에서 걸어서 {stream.between(3, 20)}분",
            "UTZTN_REF": "밤 11시 이후 야영 금지",
            "IMG": f"https://parks.invalid/{number}.jpg",
            "RGN": borough.name,
            "PARK_ADDR": lot_address(stream, place),
            "MNG_DEPT": f"{borough.name} 공원녹지과",
            "TELNO": phone(stream),
            "XCRD_G": f"{east:.4f}",
            "YCRD_G": f"{north + 100_000:.4f}",
            "XCRD": f"{longitude:.7f}",
            "YCRD": f"{latitude:.7f}",
            "URL": f"https://parks.invalid/{number}",
        }


def _courses(world: World) -> Iterator[Record]:
    """Sports courses; capacity and fee per course."""
    sports = ("수영", "배드민턴", "탁구", "요가", "농구", "테니스", "필라테스", "헬스")
    for number, name in enumerate(names(world, "sports centres", world.count(1_860, 40))):
        stream = world.identity("city", "course", number)
        borough, sport = any_borough(stream), stream.choice(sports)
        begin = LAST_DAY.replace(day=1) + datetime.timedelta(days=31 * stream.below(2))
        end = begin + datetime.timedelta(days=stream.choice((27, 58, 89)))
        free, hour = stream.chance(0.1), stream.between(6, 20)
        yield {
            "CENTER_NAME": f"{name[:3]}체육센터",
            "GROUND_NAME": f"{sport}장",
            "PROGRAM_NAME": f"{sport}교실",
            "SUBJECT_NAME": sport,
            "PLACE": borough.name,
            "ADDRESS": street_address(stream, any_neighbourhood(stream, borough)),
            "HOMEPAGE": f"https://{latin(stream)}sport.invalid",
            "PARKING_SIDE": str(stream.between(0, 180)),
            "TEL": phone(stream),
            "FAX": "",
            "EMAIL": "",
            "CLASS_NAME": f"{sport} {stream.choice(('기초반', '중급반', '연수반'))} {hour}시",
            "P_LEVEL": stream.choice(("초급", "중급", "상급")),
            "TARGET": stream.choice(("성인", "어린이", "청소년", "어르신")),
            "TERM": f"{begin}~{end}",
            "WEEK": stream.choice(("월,수,금", "화,목", "월~금", "토,일")),
            "CLASS_TIME": f"{hour:02d}:00~{hour:02d}:50",
            "FEE": "0" if free else str(stream.between(20, 120) * 1_000),
            "INTRO": f"{sport} 입문자와 다시 시작하는 사람을 위한 강좌.",
            "CAPACITY": str(stream.between(8, 40)),
            "ENTER_WAY": stream.choice(("인터넷", "방문", "인터넷, 방문")),
            "ENTER_TERM": f"{begin - datetime.timedelta(days=10)}~{begin - datetime.timedelta(days=3)}",
            "SELECT_WAY": stream.choice(("선착순", "추첨")),
            "ONLINE_LINK": f"https://sports.invalid/{number}",
            "USE_YN": "Y",
            "CLASS_S": begin.isoformat(),
            "CLASS_E": end.isoformat(),
            "FEE_FREE": "무료" if free else "유료",
        }


def _restaurants(world: World) -> Iterator[Record]:
    for number in range(world.count(1_120, 40)):
        stream = world.identity("city", "visitor restaurant", number)
        place = any_neighbourhood(stream, any_borough(stream))
        road = street_address(stream, place)
        yield {
            "POST_SN": str(10_001 + number),
            "LANG_CODE_ID": ("ko", "en", "ja")[number % 3] if number % 2 else "ko",
            "POST_SJ": shop_name(stream, ("밥상", "국수", "찻집", "만두", "떡집")),
            "POST_URL": f"https://visit.invalid/eat/{10_001 + number}",
            "ADDRESS": lot_address(stream, place),
            "NEW_ADDRESS": road,
            "CMMN_TELNO": phone(stream),
            "CMMN_HMPG_URL": "",
            "CMMN_USE_TIME": f"{stream.between(9, 12)}:00~{stream.between(19, 22)}:00",
            "SUBWAY_INFO": f"{stream.choice(stops(world)).name}역 {stream.between(1, 9)}번 출구",
            "CMMN_HMPG_LANG": "한국어",
            "FD_REPRSNT_MENU": stream.choice(("칼국수", "만둣국", "비빔밥", "수정과", "시루떡")),
        }


def _wifi(world: World, query: Query) -> Rows:
    """Access points, district by district; too many to keep."""
    total = world.count(_WIFI, 100)
    ends: list[int] = []
    for part in shares(total):
        ends.append(part + (ends[-1] if ends else 0))

    def make(index: int) -> Record:
        borough = next(b for b, end in zip(boroughs(), ends, strict=True) if index < end)
        stream = world.identity("city", "wifi", index)
        latitude, longitude = point(stream, borough)
        kind = stream.weighted((("공원", 3), ("버스정류소", 5), ("주요거리", 4), ("전통시장", 2), ("도서관", 1)))
        return {
            "X_SWIFI_MGR_NO": f"{borough.name[:2]}{10_000 + index}",
            "X_SWIFI_WRDOFC": borough.name,
            "X_SWIFI_MAIN_NM": f"{stream.choice(HEADS)} {kind}",
            "X_SWIFI_ADRES1": street_address(stream, any_neighbourhood(stream, borough)),
            "X_SWIFI_ADRES2": f"{stream.between(1, 9)}번 기둥",
            "X_SWIFI_INSTL_FLOOR": "" if kind != "도서관" else f"{stream.between(1, 4)}층",
            "X_SWIFI_INSTL_TY": kind,
            "X_SWIFI_INSTL_MBY": "서울시" if stream.chance(0.7) else "자치구",
            "LAT": f"{latitude:.6f}",
            "LNT": f"{longitude:.6f}",
        }

    return Rows(total, make)


def _shelters(world: World) -> Iterator[Record]:
    for number in range(world.count(3_920, 60)):
        stream = world.identity("city", "shelter", number)
        borough = any_borough(stream)
        place = any_neighbourhood(stream, borough)
        latitude, longitude = point(stream, borough)
        east, north = plane(latitude, longitude)
        kind = stream.choice((("경로당", "001"), ("주민센터", "002"), ("복지관", "003"), ("금융기관", "004")))
        area = stream.between(18, 400)
        yield {
            "YEAR": "2025",
            "AREA_CD": place.code,
            "FACILITY_TYPE1": "공공시설" if kind[1] in ("002", "003") else "민간시설",
            "FACILITY_TYPE2": kind[1],
            "R_AREA_NM": f"{stream.choice(HEADS)}{kind[0]}",
            "R_DETL_ADD": street_address(stream, place),
            "LOTNO_ADDR": lot_address(stream, place),
            "R_AREA_SQR": str(area),
            "USE_PRNB": area // 3,
            "RMRK": "",
            "LON": longitude,
            "LAT": latitude,
            "MAP_COORD_X": round(east, 3),
            "MAP_COORD_Y": round(north, 3),
        }


def _toilets(world: World) -> Iterator[Record]:
    for number in range(world.count(4_610, 60)):
        stream = world.identity("city", "toilet", number)
        borough = any_borough(stream)
        latitude, longitude = point(stream, borough)
        yield {
            "HNR_NAM": f"{borough.name} {stream.choice(HEADS)}{stream.choice(('공원', '시장', '지하보도', '주유소'))} 화장실",
            "LAT": f"{latitude:.6f}",
            "LNG": f"{longitude:.6f}",
        }


def _playrooms(world: World) -> Iterator[Record]:
    for number, name in enumerate(names(world, "playrooms", world.count(214, 25))):
        stream = world.identity("city", "playroom", number)
        borough = any_borough(stream)
        latitude, longitude = point(stream, borough)
        yield {
            "FCLTY_ID": f"KC{20_001 + number}",
            "FCLTY_NM": f"서울형 키즈카페 {borough.name} {name}점",
            "BASS_ADRES": street_address(stream, any_neighbourhood(stream, borough)),
            "DETAIL_ADRES": f"{stream.between(1, 5)}층",
            "X_CRDNT_VALUE": f"{latitude:.6f}",
            "Y_CRDNT_VALUE": f"{longitude:.6f}",
            "POSBL_AGRDE": stream.choice(("0세~9세", "3세~9세", "2세~6세")),
        }


def _animals(world: World) -> Iterator[Record]:
    breeds = {"DOG": ("믹스견", "푸들", "진도견", "시츄"), "CAT": ("코리안숏헤어", "페르시안", "믹스묘")}
    for number, name in enumerate(names(world, "animals", world.count(74, 12))):
        stream = world.identity("city", "animal", number)
        kind = "DOG" if stream.chance(0.65) else "CAT"
        entered = LAST_DAY - datetime.timedelta(days=stream.octave(3, 700))
        yield {
            "ANIMAL_NO": str(301 + number),
            "NM": name[:2],
            "ENTRNC_DATE": entered.isoformat(),
            "SPCS": kind,
            "BREEDS": stream.choice(breeds[kind]),
            "SEXDSTN": stream.choice(("M", "W")),
            "AGE": f"{stream.between(0, 12)}(세) {stream.between(0, 11)}(개월)",
            "BDWGH": f"{stream.between(12, 280) / 10:.1f}" if kind == "DOG" else f"{stream.between(15, 62) / 10:.1f}",
            "ADP_STTUS": stream.weighted((("N", 7), ("P", 2), ("C", 1))),
            "TMPR_PRTC_STTUS": stream.choice(("N", "C")),
            "INTRCN_MVP_URL": f"https://animals.invalid/{301 + number}",
            "INTRCN_CN": f"이름은 {name[:2]}, 사람을 좋아하고 산책을 즐깁니다.",
            "TMPR_PRTC_CN": "",
        }


def _animal_photos(world: World) -> Iterator[Record]:
    for animal in _animals(world):
        for _ in range(1 + int(animal["ANIMAL_NO"]) % 4):
            yield {"ANIMAL_NO": animal["ANIMAL_NO"]}


HANDLERS: Final[dict[str, Handler]] = {
    "SearchParkInfoService": table("parks", _parks, {"PARK_NM": contains}),
    "ListProgramByPublicSportsFacilitiesService": table("courses", _courses),
    "TbVwRestaurants": table("visitor restaurants", _restaurants),
    "TbPublicWifiInfo": _wifi,
    "TbGtnHwcwP": table("shelters", _shelters),
    "GeoInfoPublicToiletWGS": table("toilets", _toilets),
    "tnFcltySttusInfo1011": table("playrooms", _playrooms),
    "TbAdpWaitAnimalView": table("animals", _animals),
    "TbAdpWaitAnimalPhotoView": table("animal photos", _animal_photos),
}
