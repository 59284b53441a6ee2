"""The trades of the province: how many premises each has and how they are called.

Totals are of the size that the province's registers have.
"""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.province.premises import Trade


def _food(key: str, label: str, names: str, total: int, gone: float = 0.52, since: int = 1988) -> Trade:
    return Trade(f"food.{key}", label, tuple(names.split()), total, gone, since)


KOREAN: Final = _food("korean", "한식", "밥상 식당 국밥 한상 집밥 가든 순대국 칼국수", 112_000)
SNACK: Final = _food("snack", "분식", "분식 떡볶이 라면집", 24_800)
LUNCH: Final = _food("lunch", "김밥(도시락)", "김밥 도시락 주먹밥", 6_480, 0.44, 1998)
CAFE: Final = _food("cafe", "까페", "카페 까페 찻집", 8_930)
CHINESE: Final = _food("chinese", "중국식", "반점 짬뽕 마라탕 각", 13_300)
JAPANESE: Final = _food("japanese", "일식", "초밥 돈카츠 우동 라멘", 7_620)
SOUP: Final = _food("soup", "탕류(보신용)", "탕집 삼계탕 염소탕", 5_140, 0.61)
RAW_FISH: Final = _food("raw_fish", "횟집", "횟집 수산 활어", 5_270)
FAST_FOOD: Final = _food("fast_food", "패스트푸드", "버거 핫도그 샌드위치", 2_690, 0.41, 1996)
BUFFET: Final = _food("buffet", "뷔페식", "뷔페 한식뷔페", 1_330, 0.6, 1996)
FUGU: Final = _food("fugu", "복어취급", "복집 복어", 241, 0.47)
PUB: Final = _food("pub", "호프/통닭", "호프 통닭 치킨", 33_400, 0.56)
WESTERN: Final = _food("western", "경양식", "레스토랑 키친 파스타", 11_900)
GRILL: Final = _food("grill", "식육(숯불구이)", "숯불갈비 고기집 정육식당", 17_100)
MOBILE: Final = _food("mobile", "이동조리", "이동밥차 이동주방", 58, 0.38, 2005)
STANDING: Final = _food("standing", "정종/대포집/소주방", "주막 포차 선술집", 3_470, 0.62)
TEAHOUSE: Final = _food("teahouse", "전통찻집", "다원 전통찻집", 418, 0.5)
VISITING: Final = _food("visiting", "출장조리", "출장뷔페 출장조리", 92, 0.4, 2000)
FAMILY: Final = _food("family", "패밀리레스트랑", "패밀리레스토랑 그릴", 312, 0.55, 1995)
OTHER_FOOD: Final = _food("other", "기타", "식당 주방 키친", 24_600)
RESTAURANTS: Final = (
    KOREAN, SNACK, LUNCH, CAFE, CHINESE, JAPANESE, SOUP, RAW_FISH, FAST_FOOD, BUFFET, FUGU, PUB, WESTERN, GRILL, MOBILE,
    STANDING, TEAHOUSE, VISITING, FAMILY, OTHER_FOOD,
)  # fmt: skip
"""Everything licensed as 일반음식점."""

COFFEE: Final = _food("coffee", "커피숍", "커피 커피로스터스 카페", 24_300, 0.42, 1996)
CONVENIENCE: Final = _food("convenience", "편의점", "편의점 {말}마트 {동}점", 13_900, 0.35, 1998)
TEAROOM: Final = _food("tearoom", "다방", "다방", 5_230, 0.83, 1982)
TRUCK: Final = _food("truck", "푸드트럭", "푸드트럭 이동카페", 1_880, 0.45, 2014)
KIDS_SNACK: Final = _food("kids", "키즈카페", "키즈카페", 423, 0.4, 2008)
OTHER_SNACK: Final = _food("snackother", "기타 휴게음식점", "간식 디저트 쉼터", 11_700, 0.5, 1996)
SNACK_BARS: Final = (COFFEE, CONVENIENCE, TEAROOM, TRUCK, KIDS_SNACK, OTHER_SNACK)
"""Everything licensed as 휴게음식점."""

HOTEL: Final = Trade("stay.hotel", "일반호텔", ("호텔", "스테이"), 512, 0.3, 1990)
TOURIST_HOTEL: Final = Trade("stay.tourist", "관광호텔", ("관광호텔",), 176, 0.22, 1988)
INN: Final = Trade("stay.inn", "여관업", ("모텔", "여관"), 4_390, 0.41, 1980)
LODGINGS: Final = (HOTEL, TOURIST_HOTEL, INN)

CLINIC: Final = Trade(
    "health.clinic",
    "의원",
    ("내과의원", "소아청소년과의원", "정형외과의원", "피부과의원", "이비인후과의원", "가정의학과의원"),
    12_460,
    0.38,
)
HOSPITAL: Final = Trade("health.hospital", "병원", ("병원", "정형외과병원", "여성병원"), 742, 0.4)
GENERAL_HOSPITAL: Final = Trade("health.general", "종합병원", ("종합병원",), 76, 0.1, 1980)
NURSING_HOSPITAL: Final = Trade("health.nursing", "요양병원", ("요양병원",), 338, 0.0, 2002)
ELDERLY_HOSPITAL: Final = Trade("health.elderly", "노인전문병원", ("노인전문병원",), 34, 0.0, 2002)
EMERGENCY: Final = Trade("health.emergency", "응급의료기관", ("종합병원 응급의료센터", "병원 응급실"), 74, 0.0, 1990)
PHARMACY: Final = Trade("health.pharmacy", "약국", ("약국", "온누리마을약국"), 5_840, 0.0, 1986)
SCREENING: Final = Trade(
    "health.screening", "선별진료소", ("{시군}{말}보건소 선별진료소", "{말}병원 선별진료소"), 118, 0.0, 2020
)
DEMENTIA: Final = Trade("health.dementia", "치매안심센터", ("{시군}{말}치매안심센터",), 46, 0.0, 2007)

VET: Final = Trade("animal.vet", "동물병원", ("동물병원", "동물의료센터"), 1_920, 0.34)
VET_PHARMACY: Final = Trade("animal.pharmacy", "동물약국", ("약국", "동물약국"), 2_410, 0.36, 1995)
VET_SUPPLY: Final = Trade("animal.supply", "동물용의료용구판매업", ("동물의료기", "펫메디"), 812, 0.31, 1995)
PET_FUNERAL: Final = Trade("animal.funeral", "동물장묘업", ("펫추모관", "반려동물장례식장"), 31, 0.0, 2008)
ANIMAL_SHELTER: Final = Trade(
    "animal.shelter", "유기동물보호시설", ("{시군}{말}유기동물보호센터", "{말}동물병원 보호소"), 62, 0.0, 2003, True
)

GYM: Final = Trade("sport.dojo", "체육도장업", ("태권도", "유도관", "검도관", "합기도"), 5_310, 0.4)
FITNESS: Final = Trade("sport.fitness", "체력단련장업", ("휘트니스", "짐"), 2_870, 0.46, 1992)
DANCE: Final = Trade("sport.dance", "무도학원업", ("무도학원", "댄스스포츠학원"), 128, 0.4, 1990)
SINGING: Final = Trade("fun.singing", "노래연습장업", ("노래연습장", "코인노래방"), 6_420, 0.47, 1992)
CINEMA: Final = Trade("fun.cinema", "영화상영관", ("시네마", "영화관"), 231, 0.0, 1992)
STAGE: Final = Trade("fun.stage", "공연장", ("아트홀", "소극장", "문화회관"), 264, 0.2, 1990)
MUSEUM: Final = Trade("fun.museum", "박물관", ("박물관", "미술관", "기념관"), 281, 0.12, 1985)
KIDS_CAFE: Final = Trade("fun.kids", "키즈카페", ("키즈카페", "놀이터카페"), 688, 0.37, 2010)
DISTRIBUTOR: Final = Trade("food.distributor", "유통전문판매업", ("푸드", "식품유통"), 4_810, 0.0, 2001)
ACADEMY: Final = Trade(
    "school.academy", "학원", ("수학학원", "영어학원", "음악학원", "미술학원", "보습학원"), 33_200, 0.0, 1990
)
CAR_RENTAL: Final = Trade("car.rental", "자동차대여업", ("렌터카",), 476, 0.0, 1995)
LARGE_STORE: Final = Trade("shop.large", "대규모점포", ("시장", "쇼핑센터", "마트"), 655, 0.0, 1990)
KIND_STORE: Final = Trade("shop.kind", "선한영향력가게", ("식당", "안경원", "미용실", "제과점", "학원"), 693, 0.0, 2019)

LIBRARY: Final = Trade(
    "culture.library", "공공도서관", ("{동}{말}도서관", "{말}도서관", "{시군}{말}작은도서관"), 319, 0.0, 1988
)
SENIOR: Final = Trade(
    "welfare.senior", "경로당", ("{동} {말}경로당", "{말}마을 경로당", "{동} {말}아파트 경로당"), 10_420, 0.0, 1985
)
NURSING: Final = Trade("welfare.nursing", "노인요양시설", ("요양원", "노인요양원"), 1_756, 0.0, 2000)
GROUP_HOME: Final = Trade("welfare.grouphome", "노인요양공동생활가정", ("공동생활가정", "실버홈"), 612, 0.0, 2005)
HOME_CARE: Final = Trade("welfare.homecare", "재가노인복지시설", ("주야간보호센터", "방문요양센터"), 2_640, 0.0, 2004)
ELDERLY_JOBS: Final = Trade(
    "welfare.jobs", "노인일자리지원기관", ("{시군}{말}시니어클럽", "{시군}{말}노인복지관"), 66, 0.0, 2004
)
ELDERLY_HOMES: Final = Trade("welfare.homes", "노인주거복지시설", ("실버타운", "양로원"), 112, 0.0, 1992)
DISABILITY: Final = Trade("welfare.disability", "장애인복지관", ("{시군}{말}장애인복지관",), 39, 0.0, 1992, True)
COUNSELING: Final = Trade(
    "welfare.counseling", "청소년상담복지센터", ("{시군}{말}청소년상담복지센터",), 32, 0.0, 1995, True
)
FOOD_BANK: Final = Trade("welfare.foodbank", "푸드뱅크", ("{시군}{말}푸드뱅크", "{말}푸드마켓"), 97, 0.0, 1999)
DAYCARE: Final = Trade("child.daycare", "어린이집", ("어린이집",), 9_460, 0.0, 1990)
KINDERGARTEN: Final = Trade("child.kindergarten", "유치원", ("유치원",), 1_938, 0.0, 1985)
PLAYGROUND: Final = Trade(
    "child.playground",
    "어린이놀이시설",
    ("{동} {말}어린이공원 놀이터", "{말}아파트 놀이터", "{말}어린이집 놀이터"),
    21_460,
    0.0,
    2008,
)
BEST_PLAYGROUND: Final = Trade("child.bestplayground", "우수어린이놀이시설", ("{동} {말}놀이터",), 54, 0.0, 2010)

FIRE: Final = Trade("safety.fire", "소방서", ("{시군}{말}소방서",), 31, 0.0, 1978, True)
POLICE: Final = Trade("safety.police", "경찰서", ("{시군}{말}경찰서",), 31, 0.0, 1978, True)
CCTV: Final = Trade("safety.cctv", "CCTV", ("{동} {말}길 CCTV",), 88_200, 0.0, 2010)
LIGHT: Final = Trade("safety.light", "보안등", ("{동} {말}길 보안등",), 162_000, 0.0, 1995)
HEAT: Final = Trade("safety.heat", "무더위쉼터", ("{동} {말}경로당", "{동} {말}주민센터"), 8_230, 0.0, 2012)
WIFI: Final = Trade(
    "city.wifi",
    "무료와이파이",
    ("{동} {말}주민센터", "{동} {말}공원", "{동} {말}도서관", "{말}전통시장"),
    11_060,
    0.0,
    2014,
)
PARK: Final = Trade("city.park", "도시공원", ("{동} {말}공원", "{말}어린이공원", "{말}근린공원"), 6_930, 0.0, 1985)
PARKING: Final = Trade(
    "city.parking", "주차장", ("{동} {말}공영주차장", "{말} 노상주차장", "{동} {말}주차장"), 8_140, 0.0, 1995
)
GARDEN: Final = Trade("city.garden", "텃밭", ("{말}텃밭",), 208, 0.0, 2010)
SHOOTING: Final = Trade("sport.shooting", "사격장", ("{시군}{말}사격장",), 9, 0.0, 1990)
POOL: Final = Trade("sport.pool", "수영장", ("{시군}{말}수영장", "{동}{말}체육센터 수영장"), 121, 0.0, 1995)
HALL: Final = Trade("sport.hall", "생활체육관", ("{동}{말}생활체육관", "{말}국민체육센터"), 214, 0.0, 1995)
RIDING: Final = Trade("sport.riding", "승마장", ("{시군}{말}승마장",), 8, 0.0, 2005)
FISHING: Final = Trade("leisure.fishing", "낚시터", ("{말}낚시터", "{동}{말}낚시터"), 428, 0.0, 1990)
SPA: Final = Trade("leisure.spa", "온천", ("{말}온천",), 58, 0.0, 1985)
THEME: Final = Trade("leisure.theme", "테마관광지", ("{말}테마파크", "{말}정원", "{시군}{말}마을"), 64, 0.0, 2000)
EXPERIENCE: Final = Trade("leisure.experience", "체험관광지", ("{말}체험마을", "{말}농원"), 131, 0.0, 2003)
BARRIER_FREE: Final = Trade("leisure.open", "무장애관광", ("{말}공원", "{시군}{말}박물관", "{말}호텔"), 412, 0.0, 2016)
TEMPLE: Final = Trade("leisure.temple", "템플스테이", ("사", "암"), 12, 0.0, 2004)
CITY_TOUR: Final = Trade("leisure.citytour", "시티투어", ("{시군} {말}코스",), 44, 0.0, 2010)
WAREHOUSE: Final = Trade("work.warehouse", "물류창고업", ("물류", "로지스"), 1_352, 0.0, 2000)
LOGISTICS: Final = Trade("work.logistics", "물류단지", ("{시군}{말}물류단지",), 18, 0.0, 2006)

DENTAL_CLINIC: Final = Trade("health.dental", "치과의원", ("치과의원",), 5_960, 0.3)
DENTAL_HOSPITAL: Final = Trade("health.dentalhospital", "치과병원", ("치과병원",), 71, 0.34, 1995)
PET_SHOP: Final = Trade("animal.sale", "동물판매업", ("펫샵", "애견", "아쿠아"), 7_640, 0.55, 2008)
TOILET: Final = Trade(
    "city.toilet", "공중화장실", ("{동} {말}공원 화장실", "{말}시장 화장실", "{말}주유소 화장실"), 10_640, 0.0, 1990
)
PET_PARK: Final = Trade("city.petpark", "반려동물 놀이터", ("{시군}{말} 반려동물 놀이터",), 47, 0.0, 2014)
SHELTER: Final = Trade(
    "safety.shelter", "민방위대피소", ("{말}마을 지하주차장 1층", "{동} {말}아파트 지하주차장"), 5_749, 0.0, 1985
)
BROKER: Final = Trade("shop.broker", "부동산중개업", ("공인중개사사무소", "부동산"), 30_430, 0.3, 1995)
NATURE: Final = Trade("leisure.nature", "자연관광지", ("{말}호수", "{말}계곡", "{말}산"), 481, 0.0, 1985)
SOCCER: Final = Trade("sport.soccer", "축구장", ("{시군}{말}축구장",), 168, 0.0, 1995)
BASEBALL: Final = Trade("sport.baseball", "야구장", ("{시군}{말}야구장",), 74, 0.0, 2000)
INFANT: Final = Trade("child.infant", "0세전용 어린이집", ("어린이집",), 287, 0.0, 2005)
CAMP: Final = Trade("leisure.camp", "캠핑장", ("{말}캠핑장", "{말}오토캠핑장"), 642, 0.0, 2008)
YOUTH_SHELTER: Final = Trade("welfare.youthshelter", "청소년쉼터", ("{시군}{말}청소년쉼터",), 33, 0.0, 1998, True)
BICYCLE: Final = Trade(
    "city.bicycle", "자전거대여소", ("{동} {말}자전거대여소", "{말}공원 자전거대여소"), 318, 0.0, 2009
)
MIND: Final = Trade("health.mind", "정신의료기관", ("정신건강의학과의원", "마음병원"), 468, 0.0, 1990)
TOURIST_FOOD: Final = Trade("food.tourist", "관광식당업", ("관광식당", "가든"), 92, 0.3, 1992)
