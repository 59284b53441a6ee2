"""Universities and their majors: who they are and where."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.places import District, districts
from kopa_hf.sandbox.rng import Stream, mix, permuted
from kopa_hf.sandbox.schools.offices import AREA, SHORT
from kopa_hf.sandbox.universities.fields import Field, fields
from kopa_hf.sandbox.world import World

# Every list of codes has a range of its own, so that a code of one list means nothing in another.
JUNIOR, SENIOR, GRADUATE = "200001", "200002", "200003"
"""학교종류: 전문대학, 대학, 대학원대학."""
DIVISIONS: Final = {JUNIOR: "전문대학", SENIOR: "대학", GRADUATE: "대학원대학"}
KINDS_OF: Final = {
    "190001": ("대학교", SENIOR, 190, "대학교", "University"), "190002": ("교육대학", SENIOR, 10, "교육대학교", "University of Education"),
    "190003": ("산업대학", SENIOR, 2, "산업대학교", "Industrial University"),
    "190004": ("사이버대학(대학)", SENIOR, 19, "사이버대학교", "Cyber University"), "190005": ("전문대학", JUNIOR, 133, "대학교", "College"),
    "190006": ("대학원대학", GRADUATE, 46, "대학원대학교", "Graduate University"),
}  # fmt: skip
"""학교유형 → (name, 학교종류, how many, ending of names, English ending)."""
NATIONAL, PRIVATE, EDUCATION = "180001", "180003", "190002"
FOUNDERS: Final = {"180001": "국립", "180002": "공립", "180003": "사립", "180004": "국립대법인"}
CAMPUSES: Final = {"100001": "본교", "100002": "분교", "100003": "캠퍼스"}
ZONES: Final = {f"2100{number:02d}": (code, SHORT[code]) for number, code in enumerate(sorted(SHORT), start=1)}
"""지역 as the disclosure numbers them → (two digits of the province, short name)."""
_ZONE_OF: Final = {province: zone for zone, (province, _) in ZONES.items()}
_STEMS: Final = (
    ("가온", "Gaon"), ("누리", "Nuri"), ("다온", "Daon"), ("라온", "Raon"), ("마루", "Maru"), ("바름", "Bareum"),
    ("아람", "Aram"), ("자람", "Jaram"), ("차온", "Chaon"), ("파랑", "Parang"), ("하람", "Haram"), ("미르", "Mir"),
    ("도담", "Dodam"), ("푸름", "Pureum"), ("보담", "Bodam"), ("예솔", "Yesol"), ("윤슬", "Yunseul"), ("초아", "Choa"),
    ("다솜", "Dasom"), ("나래", "Narae"), ("두레", "Dure"), ("이든", "Ideun"), ("해든", "Haedeun"), ("온새", "Onsae"),
    ("늘찬", "Neulchan"), ("너울", "Neoul"), ("노을", "Noeul"), ("단미", "Danmi"), ("여울", "Yeoul"), ("별하", "Byeolha"),
)  # fmt: skip
_TAILS: Final = (
    ("빛", "bit"), ("솔", "sol"), ("결", "gyeol"), ("샘", "saem"), ("들", "deul"), ("찬", "chan"), ("울", "ul"), ("담", "dam"),
    ("길", "gil"), ("뜰", "tteul"), ("숲", "sup"), ("참", "cham"), ("내", "nae"), ("재", "jae"), ("터", "teo"), ("벗", "beot"),
)  # fmt: skip
_COLLEGES: Final = {
    "01": "인문대학", "02": "사회과학대학", "03": "사범대학", "04": "공과대학", "05": "자연과학대학", "06": "보건의료대학",
    "07": "예술체육대학",
}  # fmt: skip
COLLEGES: Final = tuple(_COLLEGES.values())


@dataclass(frozen=True, slots=True)
class University:
    """One university."""

    index: int
    code: str
    """학교아이디, seven digits."""
    name: str
    english: str
    kind: str
    founder: str
    district: District
    founded: datetime.date
    size: int
    """Places for new students a year."""
    seed: int

    @property
    def kind_name(self) -> str:
        """대학교, 교육대학, 전문대학, …"""
        return KINDS_OF[self.kind][0]

    @property
    def division(self) -> str:
        """The code of 전문대학, 대학 or 대학원대학."""
        return KINDS_OF[self.kind][1]

    @property
    def division_name(self) -> str:
        """전문대학, 대학, 대학원대학."""
        return DIVISIONS[self.division]

    @property
    def founder_name(self) -> str:
        """국립, 공립, 사립, 국립대법인."""
        return FOUNDERS[self.founder]

    @property
    def zone(self) -> str:
        """The disclosure's own number of the province."""
        return _ZONE_OF[self.district.province.code]

    @property
    def zone_name(self) -> str:
        """서울."""
        return ZONES[self.zone][1]

    @property
    def years(self) -> int:
        """How long studies take."""
        return {JUNIOR: 2, SENIOR: 4, GRADUATE: 2}[self.division]

    @property
    def address(self) -> str:
        """An invented street in the district."""
        return f"{self.district.full_name} 대학로{mix(self.seed, 1) % 80 + 1}길 {mix(self.seed, 2) % 200 + 1}"

    @property
    def postcode(self) -> str:
        """Five digits."""
        return f"{int(self.district.code[:2]) * 1000 % 63000 + mix(self.seed, 3) % 999:05d}"

    def phone(self, number: int) -> str:
        """Line 0 is the office, 1 the fax."""
        return f"{AREA[self.district.province.code]}-555-{(mix(self.seed, 4) + number * 11) % 10000:04d}"

    @property
    def homepage(self) -> str:
        """An address that no resolver knows."""
        return f"https://u{self.code}.sandbox.invalid"


@dataclass(frozen=True, slots=True)
class Major:
    """One major of a university."""

    university: University
    number: int
    field: Field
    name: str
    night: bool
    closed: bool
    places: int

    @property
    def code(self) -> str:
        """학교학과ID: the university's number and the major's."""
        return f"{self.university.code}{self.number + 1:03d}"

    @property
    def kedi(self) -> str:
        """The statistics' own number."""
        return f"U{mix(self.university.seed, 300 + self.number) % 10**9:09d}"

    @property
    def college(self) -> str:
        """The college it belongs to; junior colleges have none."""
        return _COLLEGES[self.field.large] if self.university.division == SENIOR else "단과대구분없음"


def universities(world: World) -> tuple[University, ...]:
    """All universities, by kind."""
    return world.table("universities.all", _build)


def university_by_code(world: World, code: str) -> University | None:
    """The university of a 학교아이디."""
    return world.table("universities.by_code", lambda w: {u.code: u for u in universities(w)}).get(code)


def _build(world: World) -> tuple[University, ...]:
    stream = world.identity("universities", "names")
    stems = [(a + t, a_en + t_en) for a, a_en in _STEMS for t, t_en in _TAILS]
    stems = stream.sample(stems, len(stems))
    kinds = [kind for kind, entry in KINDS_OF.items() for _ in range(world.count(entry[2]))]
    places = [(place, _pull(place)) for place in districts()]
    seed = stream.u64()
    found = []
    for index, kind in enumerate(kinds):
        draws = world.identity("universities", "university", index)
        stem, english = stems[index % len(stems)]
        ending, english_ending = KINDS_OF[kind][3:]
        turn = f"제{index // len(stems) + 1}" if index >= len(stems) else ""
        name = f"{stem}{turn}{'전문' if kind == '190005' and draws.chance(0.3) else ''}{ending}"
        founder = draws.weighted(((PRIVATE, 84), (NATIONAL, 12), ("180004", 2), ("180002", 2)))
        found.append(
            University(
                index,
                f"{1000 + permuted(index, max(len(kinds), 8) * 2, seed):07d}",
                name,
                f"{english} {english_ending}",
                kind,
                NATIONAL if kind == EDUCATION else founder,
                draws.weighted(places),
                datetime.date(1946, 3, 1) + datetime.timedelta(days=draws.below(25000)),
                _size(kind, draws),
                draws.u64(),
            )
        )
    return tuple(found)


def _pull(place: District) -> int:
    """How many universities a district draws beside others."""
    return 1 if place.name.endswith("군") else 9 if place.province.code == "11" else 4


_PLACES: Final = {
    "190001": (300, 4200), "190002": (240, 420), "190003": (900, 2400), "190004": (400, 2200), "190005": (200, 2600),
}  # fmt: skip
"""학교유형 → fewest and most places a year."""


def _size(kind: str, stream: Stream) -> int:
    """Places a year: a long tail for universities, small for graduate schools."""
    low, high = _PLACES.get(kind, (20, 160))
    return stream.octave(low, high) // 10 * 10


def majors(world: World, university: University) -> tuple[Major, ...]:
    """A university's majors; their places add up to the university's."""
    return world.table(f"universities.majors.{university.index}", lambda w: _majors(w, university))


def _majors(world: World, university: University) -> tuple[Major, ...]:
    stream = world.identity("universities", "majors", university.index)
    pool = fields()
    if university.kind == EDUCATION:
        pool = tuple(f for f in pool if f.small_name == "초등교육학")
    count = max(1, min(university.size // 45, 70))
    chosen = sorted(stream.sample(pool, count), key=lambda f: f.small) if len(pool) > 1 else [pool[0]]
    left, found = university.size, []
    for number, field in enumerate(chosen):
        rest = len(chosen) - number
        places = left if rest == 1 else max(5, left // rest * stream.between(70, 130) // 100)
        left -= places
        name = field.small_name.replace("·", "").removesuffix("학") + (
            "과" if university.division == JUNIOR else "학과"
        )
        closed = stream.chance(0.04) and len(chosen) > 3
        found.append(Major(university, number, field, name, stream.chance(0.03), closed, places))
    return tuple(found)
