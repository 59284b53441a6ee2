"""Committees: real names and codes of the standing committees, invented seats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import World


@dataclass(frozen=True, slots=True)
class Committee:
    """One standing committee."""

    index: int
    code: str
    """Seven digits; the system of CURR_COMMITTEE_ID, COMMITTEE_ID, HR_DEPT_CD and DEPT_CD."""
    name: str
    minutes_code: str
    """CMIT_CD of the minutes tools: another system, although labelled the same."""
    laws: tuple[str, ...]
    """Short names of the laws in its charge."""


_COMMITTEES: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    ("9700005", "국회운영위원회", ("국회법", "국회사무처법", "국가인권위원회법")),
    ("9700006", "법제사법위원회", ("형법", "민법", "상법", "법원조직법", "변호사법", "가사소송법")),
    ("9700008", "정무위원회", ("은행법", "보험업법", "공정거래에 관한 법률", "전자금융거래법", "예금자보호법")),
    ("9700300", "기획재정위원회", ("소득세법", "법인세법", "부가가치세법", "국가재정법", "조세특례제한법", "관세법")),
    ("9700512", "교육위원회", ("초ㆍ중등교육법", "고등교육법", "유아교육법", "평생교육법", "사립학교법")),
    ("9700479", "과학기술정보방송통신위원회", ("방송법", "전기통신사업법", "과학기술기본법", "우편법", "전파법")),
    ("9700409", "외교통일위원회", ("재외동포기본법", "여권법", "남북협력기금법")),
    ("9700019", "국방위원회", ("병역법", "군인사법", "방위사업법", "예비군법")),
    ("9700480", "행정안전위원회", ("지방자치법", "도로교통법", "경찰법", "소방기본법", "지방세법", "공직선거법")),
    ("9700513", "문화체육관광위원회", ("관광진흥법", "국민체육진흥법", "저작권법", "도서관법", "영화진흥법")),
    ("9700408", "농림축산식품해양수산위원회", ("농지법", "수산업법", "축산법", "산림기본법", "양곡관리법")),
    ("9700481", "산업통상자원중소벤처기업위원회", ("전기사업법", "중소기업기본법", "특허법", "소상공인기본법", "유통산업발전법")),
    ("9700341", "보건복지위원회", ("국민건강보험법", "의료법", "아동복지법", "노인복지법", "약사법", "국민연금법")),
    ("9700038", "환경노동위원회", ("근로기준법", "대기환경보전법", "고용보험법", "폐기물관리법", "최저임금법")),
    ("9700407", "국토교통위원회", ("주택법", "건축법", "철도안전법", "도로법", "자동차관리법", "국토계획법")),
    ("9700047", "정보위원회", ("국가정보원법",)),
    ("9700342", "여성가족위원회", ("청소년기본법", "아이돌봄지원법", "가정폭력방지법")),
)  # fmt: skip

PLENARY: Final = ("1000000", "본회의")


def committees(world: World) -> tuple[Committee, ...]:
    """All standing committees."""
    return world.table("politics.committees", _build)


def committee_for_bill(world: World, stream: Stream) -> Committee:
    """A committee by the share of bills that go to it: the larger ones get more."""
    table = committees(world)
    return table[min(stream.below(len(table)), len(table) - 2) if stream.chance(0.97) else stream.below(len(table))]


def _build(world: World) -> tuple[Committee, ...]:
    stream = world.identity("politics", "minutes_codes")
    codes = stream.sample([f"85{number:05d}" for number in range(101, 999, 7)], len(_COMMITTEES))
    return tuple(
        Committee(index, code, name, codes[index], laws) for index, (code, name, laws) in enumerate(_COMMITTEES)
    )
