"""Constituencies: real cities, counties and districts, cut into seats."""

from __future__ import annotations

from functools import cache
from typing import Final

_REGIONS: Final[tuple[tuple[str, int, str], ...]] = (
    ("서울", 48, "종로구 중구성동구 용산구 광진구 동대문구 중랑구 성북구 강북구 도봉구 노원구 은평구 서대문구 마포구 양천구 강서구 "
     "구로구 금천구 영등포구 동작구 관악구 서초구 강남구 송파구 강동구"),
    ("부산", 18, "중구영도구 서구동구 부산진구 동래구 남구 북구 해운대구 사하구 금정구 강서구 연제구 수영구 사상구 기장군"),
    ("대구", 12, "중구남구 동구군위군 서구 북구 수성구 달서구 달성군"),
    ("인천", 14, "중구강화군옹진군 동구미추홀구 연수구 남동구 부평구 계양구 서구"),
    ("광주", 8, "동구남구 서구 북구 광산구"),
    ("대전", 7, "동구 중구 서구 유성구 대덕구"),
    ("울산", 6, "중구 남구 동구 북구 울주군"),
    ("세종", 2, "세종특별자치시"),
    ("경기", 60, "수원시 성남시수정구 성남시중원구 성남시분당구 의정부시 안양시만안구 안양시동안구 부천시 광명시 평택시 동두천시양주시연천군 "
     "안산시 고양시 과천시의왕시 구리시 남양주시 오산시 시흥시 군포시 하남시 용인시 파주시 이천시 안성시 김포시 화성시 광주시 포천시가평군 여주시양평군"),
    ("강원", 8, "춘천시철원군화천군양구군 원주시 강릉시 동해시태백시삼척시정선군 속초시인제군고성군양양군 홍천군횡성군영월군평창군"),
    ("충북", 8, "청주시상당구 청주시서원구 청주시흥덕구 청주시청원구 충주시 제천시단양군 보은군옥천군영동군괴산군 증평군진천군음성군"),
    ("충남", 11, "천안시 공주시부여군청양군 보령시서천군 아산시 서산시태안군 논산시계룡시금산군 당진시 홍성군예산군"),
    ("전북", 10, "전주시 군산시김제시부안군 익산시 정읍시고창군 남원시장수군임실군순창군 완주군진안군무주군"),
    ("전남", 10, "목포시 여수시 순천시광양시곡성군구례군 나주시화순군 담양군함평군영광군장성군 고흥군보성군장흥군강진군 해남군완도군진도군 영암군무안군신안군"),
    ("경북", 13, "포항시북구 포항시남구울릉군 경주시 김천시 안동시예천군 구미시 영주시영양군봉화군 영천시청도군 상주시문경시 경산시 의성군청송군영덕군울진군 "
     "고령군성주군칠곡군"),
    ("경남", 16, "창원시의창구 창원시성산구 창원시마산합포구 창원시마산회원구 창원시진해구 진주시 통영시고성군 사천시남해군하동군 김해시 밀양시의령군함안군창녕군 "
     "거제시 양산시 산청군함양군거창군합천군"),
    ("제주", 3, "제주시 서귀포시"),
)  # fmt: skip
_LETTERS: Final = "갑을병정무"

REGIONS: Final = tuple(name for name, _, _ in _REGIONS)
"""Provinces as constituencies print them."""


@cache
def districts() -> tuple[str, ...]:
    """All 254 constituencies: 서울 강남구갑, 대구 달성군, …"""
    found: list[str] = []
    for region, seats, text in _REGIONS:
        places = text.split()
        each, rest = divmod(seats, len(places))
        # a province's remaining seats go to single towns first, then in the printed order
        order = sorted(range(len(places)), key=lambda i: (len(places[i]) > 5, i))
        shares = {places[i]: each + (rank < rest) for rank, i in enumerate(order)}
        for place in places:
            share = shares[place]
            names = [place] if share == 1 else [place + _LETTERS[k] for k in range(share)]
            found.extend(f"{region} {name}" for name in names)
    return tuple(found)
