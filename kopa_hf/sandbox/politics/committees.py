"""Committees: real names, codes and sizes of the standing committees, and the laws in their charge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import World


@dataclass(frozen=True, slots=True)
class Committee:
    """One committee of the current term."""

    index: int
    code: str
    """Seven digits; the system of CURR_COMMITTEE_ID, COMMITTEE_ID, HR_DEPT_CD and DEPT_CD."""
    name: str
    kind: str
    """상임위원회, 상설특별위원회 or 특별위원회."""
    kind_code: str
    """CMT_DIV_CD: 001, 002, 003."""
    seats: int
    main: bool
    """True where every member sits in exactly one of these; the others are sat in besides."""
    minutes_code: str
    """CMIT_CD of the minutes tools: another system, although labelled the same."""
    laws: tuple[str, ...]
    """Names of the laws in its charge."""
    ministry: str
    """The ministry it watches over."""

    @property
    def short(self) -> str:
        """법제사법: the name without 위원회."""
        return self.name.removesuffix("위원회").rstrip()

    @property
    def chair_title(self) -> str:
        """법제사법위원장: how bills of the committee name their proposer."""
        return f"{self.name.removesuffix('위원회')}위원장"


_STANDING: Final[tuple[tuple[str, str, int, bool, str, str], ...]] = (
    ("9700005", "국회운영위원회", 28, False, "대통령비서실", "국회법 국회사무처법 국가인권위원회법 국회도서관법 국회예산정책처법"),
    ("9700006", "법제사법위원회", 18, True, "법무부", "형법 민법 상법 법원조직법 변호사법 가사소송법 형사소송법 등기사무법 공증법 법률구조법"),
    ("9700008", "정무위원회", 24, True, "금융위원회", "은행법 보험업법 전자금융거래법 예금자보호법 대부업법 소비자기본법 가맹사업법 하도급법 보훈기본법"),
    ("9700300", "기획재정위원회", 26, True, "기획재정부", "소득세법 법인세법 부가가치세법 국가재정법 조세특례제한법 관세법 종합부동산세법 "
     "통계법 국유재산법 협동조합기본법"),
    ("9700512", "교육위원회", 16, True, "교육부", "초ㆍ중등교육법 고등교육법 유아교육법 평생교육법 사립학교법 학교급식법 학교보건법 학자금지원법"),
    ("9700479", "과학기술정보방송통신위원회", 20, True, "과학기술정보통신부", "방송법 전기통신사업법 과학기술기본법 우편법 전파법 정보통신망법 "
     "인공지능산업법 우주개발진흥법"),
    ("9700409", "외교통일위원회", 21, True, "외교부", "재외동포기본법 여권법 남북협력기금법 국제개발협력법 통일교육법"),
    ("9700019", "국방위원회", 17, True, "국방부", "병역법 군인사법 방위사업법 예비군법 군인복지기본법 군사기지법"),
    ("9700480", "행정안전위원회", 22, True, "행정안전부", "지방자치법 도로교통법 경찰법 소방기본법 지방세법 공직선거법 재난안전법 주민등록법 "
     "옥외광고물법 개인정보법"),
    ("9700513", "문화체육관광위원회", 16, True, "문화체육관광부", "관광진흥법 국민체육진흥법 저작권법 도서관법 영화진흥법 게임산업법 문화예술진흥법 "
     "국가유산법"),
    ("9700408", "농림축산식품해양수산위원회", 19, True, "농림축산식품부", "농지법 수산업법 축산법 산림기본법 양곡관리법 농업협동조합법 어촌어항법 "
     "동물보호법 해운법"),
    ("9700481", "산업통상자원중소벤처기업위원회", 30, True, "산업통상자원부", "전기사업법 중소기업기본법 특허법 소상공인기본법 유통산업발전법 벤처기업법 "
     "에너지법 전통시장법 산업집적법"),
    ("9700341", "보건복지위원회", 24, True, "보건복지부", "국민건강보험법 의료법 아동복지법 노인복지법 약사법 국민연금법 장애인복지법 감염병예방법 "
     "기초생활보장법 응급의료법 간호법"),
    ("9700038", "환경노동위원회", 16, True, "환경부", "근로기준법 대기환경보전법 고용보험법 폐기물관리법 최저임금법 산업안전보건법 물환경보전법 "
     "직업능력개발법 남녀고용평등법"),
    ("9700407", "국토교통위원회", 30, True, "국토교통부", "주택법 건축법 철도안전법 도로법 자동차관리법 국토계획법 공동주택관리법 항공안전법 "
     "도시정비법 주차장법"),
    ("9700047", "정보위원회", 12, False, "국가정보원", "국가정보원법 보안업무법"),
    ("9700342", "여성가족위원회", 17, False, "여성가족부", "청소년기본법 아이돌봄지원법 가정폭력방지법 한부모가족지원법 양성평등기본법"),
)  # fmt: skip

_SPECIAL: Final[tuple[tuple[str, str, str, str, int], ...]] = (
    ("9700049", "예산결산특별위원회", "상설특별위원회", "002", 50),
    ("9701301", "윤리특별위원회", "특별위원회", "003", 12),
    ("9701302", "인구위기 특별위원회", "특별위원회", "003", 20),
    ("9701303", "지역균형 특별위원회", "특별위원회", "003", 18),
    ("9701304", "생활안전사고 국정조사특별위원회", "특별위원회", "003", 18),
    ("9701305", "데이터유출 국정조사특별위원회", "특별위원회", "003", 16),
)
"""Special committees; all but the budget committee and its code are invented."""

PLENARY: Final = ("1000000", "본회의")
PLENARY_MINUTES_CODE: Final = "8500001"


def committees(world: World) -> tuple[Committee, ...]:
    """All committees: the standing ones, then the special ones."""
    return world.table("politics.committees", _build)


def standing(world: World) -> tuple[Committee, ...]:
    """The standing committees, to which bills are referred."""
    return committees(world)[: len(_STANDING)]


def committee_named(world: World, name: str) -> Committee:
    """The committee of that name."""
    return next(committee for committee in committees(world) if committee.name == name)


def budget_committee(world: World) -> Committee:
    """예산결산특별위원회."""
    return committee_named(world, "예산결산특별위원회")


def judiciary(world: World) -> Committee:
    """법제사법위원회, which checks every law before the plenary."""
    return committee_named(world, "법제사법위원회")


def investigating(world: World) -> tuple[Committee, ...]:
    """Special committees for state investigations."""
    return tuple(c for c in committees(world) if "국정조사" in c.name)


def committee_for_bill(world: World, stream: Stream) -> Committee:
    """A committee by the share of bills that go to it: those with more laws get more."""
    return stream.weighted([(c, max(len(c.laws), 1) ** 2) for c in standing(world)])


def _build(world: World) -> tuple[Committee, ...]:
    stream = world.identity("politics", "minutes_codes")
    codes = stream.sample([f"85{number:05d}" for number in range(101, 999, 7)], len(_STANDING) + len(_SPECIAL))
    found = [
        Committee(index, code, name, "상임위원회", "001", seats, main, codes[index], tuple(laws.split()), ministry)
        for index, (code, name, seats, main, ministry, laws) in enumerate(_STANDING)
    ]
    for place, (code, name, kind, kind_code, seats) in enumerate(_SPECIAL, len(_STANDING)):
        found.append(Committee(place, code, name, kind, kind_code, seats, False, codes[place], (), "국회사무처"))
    return tuple(found)
