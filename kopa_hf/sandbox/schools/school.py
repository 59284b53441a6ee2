"""Schools: who they are, where they stand and the four numbers under which four services know them."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.people import person_name
from kopa_hf.sandbox.places import District, Neighbourhood, districts, neighbourhoods
from kopa_hf.sandbox.rng import Stream, mix, permuted
from kopa_hf.sandbox.schools.offices import AREA, CENTRES, SHORT, Office, office_of, support_office
from kopa_hf.sandbox.world import World

ELEMENTARY, MIDDLE, HIGH, SPECIAL, OTHER = "02", "03", "04", "05", "07"
"""학교알리미's codes of levels."""
SIZES: Final = {ELEMENTARY: 6200, MIDDLE: 3270, HIGH: 2380, SPECIAL: 190, OTHER: 60}
_EVERYWHERE: Final = (ELEMENTARY, MIDDLE, HIGH)
LEVEL_NAMES: Final = {
    ELEMENTARY: "초등학교", MIDDLE: "중학교", HIGH: "고등학교", SPECIAL: "특수학교", OTHER: "각종학교",
}  # fmt: skip
COURSES: Final = {
    ELEMENTARY: ("2", "초"), MIDDLE: ("3", "중"), HIGH: ("4", "고"), SPECIAL: ("2-3-4", "초-중-고"), OTHER: ("4", "고"),
}  # fmt: skip
"""Level → (course numbers, course names) as 학교알리미 prints them."""
_LEVEL_CODES: Final = {ELEMENTARY: "14", MIDDLE: "15", HIGH: "16", SPECIAL: "17", OTHER: "18"}
_KEDI: Final = {ELEMENTARY: "1", MIDDLE: "2", HIGH: "3", SPECIAL: "4", OTHER: "5"}

_HEADS: Final = (
    ("가온", "Gaon"), ("누리", "Nuri"), ("다온", "Daon"), ("라온", "Raon"), ("마루", "Maru"), ("바름", "Bareum"),
    ("아람", "Aram"), ("자람", "Jaram"), ("차온", "Chaon"), ("타래", "Tarae"), ("파랑", "Parang"), ("하람", "Haram"),
    ("미르", "Mir"), ("도담", "Dodam"), ("푸름", "Pureum"), ("보담", "Bodam"), ("시나", "Sina"), ("예솔", "Yesol"),
    ("윤슬", "Yunseul"), ("초아", "Choa"), ("다솜", "Dasom"), ("가람", "Garam"), ("나래", "Narae"), ("두레", "Dure"),
    ("이든", "Ideun"), ("해든", "Haedeun"), ("온새", "Onsae"), ("늘찬", "Neulchan"), ("새길", "Saegil"), ("너울", "Neoul"),
    ("노을", "Noeul"), ("단미", "Danmi"), ("여울", "Yeoul"), ("물결", "Mulgyeol"), ("별하", "Byeolha"), ("산들", "Sandeul"),
    ("소담", "Sodam"), ("아리", "Ari"), ("은가", "Eunga"), ("하늬", "Hanui"), ("모람", "Moram"), ("비나", "Bina"),
    ("그린", "Geurin"), ("로운", "Roun"), ("슬온", "Seuron"), ("한결", "Hangyeol"), ("지음", "Jieum"), ("우람", "Uram"),
)  # fmt: skip
_TAILS: Final = (
    ("빛", "bit"), ("솔", "sol"), ("결", "gyeol"), ("샘", "saem"), ("들", "deul"), ("별", "byeol"), ("찬", "chan"),
    ("울", "ul"), ("담", "dam"), ("봄", "bom"), ("길", "gil"), ("뜰", "tteul"), ("숲", "sup"), ("돌", "dol"),
    ("벗", "beot"), ("참", "cham"), ("내", "nae"), ("골", "gol"), ("재", "jae"), ("말", "mal"), ("터", "teo"),
    ("벌", "beol"), ("구름", "gureum"), ("바람", "baram"), ("하늘", "haneul"), ("여름", "yeoreum"), ("가을", "gaeul"),
    ("나무", "namu"), ("언덕", "eondeok"), ("물가", "mulga"), ("꽃", "kkot"), ("달", "dal"), ("잎", "ip"), ("섬", "seom"),
    ("강", "gang"), ("못", "mot"), ("콩", "kong"), ("밭", "bat"), ("씨", "ssi"), ("새", "sae"),
)  # fmt: skip
_PROVINCE_EN: Final = {
    "11": "Seoul", "26": "Busan", "27": "Daegu", "28": "Incheon", "29": "Gwangju", "30": "Daejeon", "31": "Ulsan",
    "36": "Sejong", "41": "Gyeonggi", "51": "Gangwon", "43": "Chungbuk", "44": "Chungnam", "52": "Jeonbuk", "46": "Jeonnam",
    "47": "Gyeongbuk", "48": "Gyeongnam", "50": "Jeju",
}  # fmt: skip
_ENDINGS: Final = {
    ELEMENTARY: ("초등학교", "Elementary School"), MIDDLE: ("중학교", "Middle School"), SPECIAL: ("학교", "School"),
    OTHER: ("대안학교", "Alternative School"),
}  # fmt: skip
_HIGH_KINDS: Final = (
    (("일반고등학교", "고등학교", "High School"), 70), (("특성화고등학교", "공업고등학교", "Technical High School"), 9),
    (("특성화고등학교", "상업고등학교", "Commercial High School"), 6), (("특성화고등학교", "정보고등학교", "Information High School"), 5),
    (("자율고등학교", "고등학교", "High School"), 5), (("특수목적고등학교", "과학고등학교", "Science High School"), 2),
    (("특수목적고등학교", "외국어고등학교", "Foreign Language High School"), 2),
    (("특수목적고등학교", "예술고등학교", "Arts High School"), 1),
)  # fmt: skip
_FOUNDERS: Final = {
    ELEMENTARY: (("공립", 980), ("사립", 15), ("국립", 5)), MIDDLE: (("공립", 800), ("사립", 197), ("국립", 3)),
    HIGH: (("공립", 600), ("사립", 392), ("국립", 8)), SPECIAL: (("공립", 500), ("사립", 470), ("국립", 30)),
    OTHER: (("사립", 700), ("공립", 300)),
}  # fmt: skip
_ROADS: Final = (
    "가람",
    "나래",
    "다솜",
    "라온",
    "마루",
    "보람",
    "새벽",
    "아라",
    "은하",
    "잔디",
    "초롱",
    "한별",
    "해오름",
    "솔숲",
)


@dataclass(frozen=True, slots=True)
class School:
    """One school; its pupils, staff and money are drawn elsewhere from its index."""

    index: int
    level: str
    """학교알리미's code: 02, 03, 04, 05, 07."""
    name: str
    english: str
    high_kind: str
    """일반고등학교, 특성화고등학교, …; empty for other levels."""
    district: District
    code: str
    """Standard code of seven digits: NEIS, the ministry's list of schools."""
    disclosure: str
    """학교알리미's own: a letter and nine digits."""
    kedi: str
    """The statistics' own: nine digits."""
    founder: str
    """공립, 사립, 국립."""
    sexes: str
    """남여공학, 남, 여."""
    branch: bool
    seed: int
    """Draws whatever only one place needs."""

    @property
    def office(self) -> Office:
        """The 시도교육청."""
        return office_of(self.district.province.code)

    @property
    def supervisor(self) -> tuple[str, str]:
        """Name and organisation code of the office in charge: the support office below the high schools."""
        if self.level in (ELEMENTARY, MIDDLE):
            return support_office(self.district)
        return self.office.name, self.office.organisation

    @property
    def neighbourhood(self) -> Neighbourhood:
        """Where it stands."""
        places = neighbourhoods(self.district.code)
        return places[mix(self.seed, 1) % len(places)]

    @property
    def road_address(self) -> str:
        """서울특별시 종로구 가람로 12."""
        road = _ROADS[mix(self.seed, 2) % len(_ROADS)]
        return f"{self.district.full_name} {road}로 {mix(self.seed, 3) % 480 + 1}"

    @property
    def postcode(self) -> str:
        """Five digits."""
        return f"{int(self.district.code[:2]) * 1000 % 63000 + mix(self.seed, 4) % 999:05d}"

    @property
    def position(self) -> tuple[float, float]:
        """Latitude and longitude."""
        latitude, longitude = CENTRES[self.district.province.code]
        spread = 0.06 if self.district.name.endswith("구") else 0.35
        east, north = (mix(self.seed, 5) % 20001 - 10000) / 10000, (mix(self.seed, 6) % 20001 - 10000) / 10000
        return round(latitude + spread * north, 6), round(longitude + spread * east, 6)

    @property
    def opened(self) -> datetime.date:
        """A day between 1946 and 2022."""
        return datetime.date(1946, 3, 1) + datetime.timedelta(days=mix(self.seed, 7) % 27700)

    def phone(self, number: int) -> str:
        """Line 0 is the office, 1 the staff room, 2 the administration, 3 the fax."""
        return f"{AREA[self.district.province.code]}-555-{(mix(self.seed, 8) + number * 7) % 10000:04d}"

    @property
    def homepage(self) -> str:
        """An address that no resolver knows."""
        return f"http://s{self.code}.sandbox.invalid"

    @property
    def head(self) -> str:
        """The headteacher."""
        return person_name(Stream(mix(self.seed, 9)))


def schools(world: World) -> tuple[School, ...]:
    """All schools, by level and district."""
    return world.table("schools.schools", _build)


def school_by_code(world: World, code: str) -> School | None:
    """The school of a standard code."""
    return world.table("schools.by_code", lambda w: {s.code: s for s in schools(w)}).get(code)


def schools_of(world: World, province: str) -> tuple[School, ...]:
    """The schools of a province (two digits)."""

    def build(world: World) -> dict[str, tuple[School, ...]]:
        found: dict[str, list[School]] = {}
        for school in schools(world):
            found.setdefault(school.district.province.code, []).append(school)
        return {code: tuple(items) for code, items in found.items()}

    return world.table("schools.by_province", build).get(province, ())


def schools_in(world: World, district: str, level: str) -> tuple[School, ...]:
    """The schools of one level in a district (five digits)."""

    def build(world: World) -> dict[tuple[str, str], tuple[School, ...]]:
        found: dict[tuple[str, str], list[School]] = {}
        for school in schools(world):
            found.setdefault((school.district.code, school.level), []).append(school)
        return {key: tuple(items) for key, items in found.items()}

    return world.table("schools.by_district", build).get((district, level), ())


def _build(world: World) -> tuple[School, ...]:
    places = districts()
    homes: list[tuple[str, District]] = []
    for level, size in SIZES.items():
        least = len(places) if level in _EVERYWHERE else 5
        homes.extend((level, place) for place in _spread(world, level, world.count(size, least), places))
    seeds = {"code": world.identity("schools", "codes").u64(), "own": world.identity("schools", "own").u64()}
    stems = _Stems(world)
    found: list[School] = []
    for index, (level, place) in enumerate(homes):
        found.append(_school(world, index, level, place, len(homes), seeds, stems))
    return tuple(found)


def weight_of(place: District) -> int:
    """How many schools a district has beside others."""
    if place.name.endswith("군"):
        return 3
    if " " in place.name or place.name.endswith("구"):
        return 8
    return 14 if place.province.code in ("41", "36") else 10


def _spread(world: World, level: str, total: int, places: tuple[District, ...]) -> list[District]:
    """`total` homes: one in every district first (special schools: wherever drawn), the others by weight."""
    stream = world.identity("schools", "spread", level)
    counts = [1 if level in _EVERYWHERE else 0 for _ in places]
    weights = [(number, weight_of(place) * (60 + stream.below(80))) for number, place in enumerate(places)]
    left = total - sum(counts)
    whole = sum(weight for _, weight in weights)
    for number, weight in weights:
        counts[number] += left * weight // whole
    for _ in range(total - sum(counts)):
        counts[stream.weighted(weights)] += 1
    return [place for place, count in zip(places, counts, strict=True) for _ in range(count)]


def _school(
    world: World,
    index: int,
    level: str,
    place: District,
    total: int,
    seeds: dict[str, int],
    stems: _Stems,
) -> School:
    stream = world.identity("schools", "school", index)
    province = place.province.code
    kind = stream.weighted(_HIGH_KINDS) if level == HIGH else ("", *_ENDINGS[level])
    stem, english = stems.next(province, level)
    name = f"{SHORT[province]}{stem}{kind[1]}"
    branch = level == ELEMENTARY and place.name.endswith("군") and stream.chance(0.08)
    if branch:
        name += f" {stream.choice(_HEADS)[0]}분교장"
    mixed = 1.0 if level in (ELEMENTARY, SPECIAL, OTHER) or "특수목적" in kind[0] else 0.8 if level == MIDDLE else 0.66
    sexes = "남여공학" if stream.chance(mixed) else stream.choice(("남", "여"))
    own = permuted(index, total, seeds["own"])
    return School(
        index,
        level,
        name,
        f"{_PROVINCE_EN[province]} {english} {kind[2]}",
        kind[0],
        place,
        str(7_000_000 + permuted(index, 2_900_000, seeds["code"])),
        f"{office_of(province).code[0]}{_LEVEL_CODES[level]}{own + 1:07d}",
        f"{province}{_KEDI[level]}{own + 100001:06d}",
        stream.weighted(_FOUNDERS[level]),
        sexes,
        branch,
        stream.u64(),
    )


class _Stems:
    """Unused names by province and level: 별하샘; a crowded world counts on: 별하샘제2."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._pools: dict[tuple[str, str], list[tuple[str, str]]] = {}
        self._turns: dict[tuple[str, str], int] = {}

    def next(self, province: str, level: str) -> tuple[str, str]:
        """The next name and its English spelling."""
        key = province, level
        if not self._pools.get(key):
            turn = self._turns[key] = self._turns.get(key, 0) + 1
            more, more_english = ("", "") if turn == 1 else (f"제{turn}", str(turn))
            options = [(h + t + more, h_en + t_en + more_english) for h, h_en in _HEADS for t, t_en in _TAILS]
            stream = self._world.identity("schools", "stems", province, level)
            self._pools[key] = stream.sample(options, len(options))
        return self._pools[key].pop()
