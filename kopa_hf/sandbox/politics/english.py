"""English names of committees, parties and constituencies, as the English site prints them."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.politics.names import romanised

COMMITTEES: Final = {
    "국회운영위원회": "House Steering Committee",
    "법제사법위원회": "Legislation and Judiciary Committee",
    "정무위원회": "National Policy Committee",
    "기획재정위원회": "Strategy and Finance Committee",
    "교육위원회": "Education Committee",
    "과학기술정보방송통신위원회": "Science, ICT, Broadcasting and Communications Committee",
    "외교통일위원회": "Foreign Affairs and Unification Committee",
    "국방위원회": "National Defense Committee",
    "행정안전위원회": "Public Administration and Security Committee",
    "문화체육관광위원회": "Culture, Sports and Tourism Committee",
    "농림축산식품해양수산위원회": "Agriculture, Food, Rural Affairs, Oceans and Fisheries Committee",
    "산업통상자원중소벤처기업위원회": "Trade, Industry, Energy, SMEs and Startups Committee",
    "보건복지위원회": "Health and Welfare Committee",
    "환경노동위원회": "Environment and Labor Committee",
    "국토교통위원회": "Land, Infrastructure and Transport Committee",
    "정보위원회": "Intelligence Committee",
    "여성가족위원회": "Gender Equality and Family Committee",
    "예산결산특별위원회": "Special Committee on Budget and Accounts",
    "윤리특별위원회": "Special Committee on Ethics",
    "인구위기 특별위원회": "Special Committee on Population",
    "지역균형 특별위원회": "Special Committee on Regional Balance",
    "생활안전사고 국정조사특별위원회": "Special Committee for the Investigation of Daily Safety Accidents",
    "데이터유출 국정조사특별위원회": "Special Committee for the Investigation of Data Leaks",
}
PARTIES_ENGLISH: Final = {
    "새봄당": "New Spring Party",
    "한길당": "One Road Party",
    "푸른내일": "Green Tomorrow",
    "민생연대": "Livelihood Alliance",
    "다함께당": "Together Party",
    "무소속": "Independent",
}


def district_english(district: str) -> str:
    """서울 강남구갑 in Latin letters; lists as such."""
    if district == "비례대표":
        return "Proportional Representation"
    return ", ".join(romanised(part).capitalize() for part in reversed(district.split()))
