"""The ministries and agencies that laws belong to: real names, seven-digit codes of institutions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final


@dataclass(frozen=True, slots=True)
class Ministry:
    """A central administrative agency."""

    code: str
    name: str
    short: str
    """Its abbreviation in the names of data sets: moel."""
    weight: int
    """How many laws it has, relatively; 0: none of its own."""

    @property
    def head(self) -> str:
        """Who acts for it: 고용노동부장관, 국세청장, 법제처장."""
        return self.name + ("장관" if self.name.endswith("부") else "장")


MINISTRIES: Final = tuple(
    Ministry(*row)
    for row in (
        ("1492000", "고용노동부", "moel", 9),
        ("1613000", "국토교통부", "molit", 16),
        ("1053000", "재정경제부", "moef", 10),
        ("1192000", "해양수산부", "mof", 10),
        ("1741000", "행정안전부", "mois", 12),
        ("1482000", "기후에너지환경부", "me", 12),
        ("1220000", "관세청", "kcs", 0),
        ("1210000", "국세청", "nts", 0),
        ("1342000", "교육부", "moe", 9),
        ("1721000", "과학기술정보통신부", "msit", 9),
        ("1181000", "국가보훈부", "mpva", 4),
        ("1290000", "국방부", "mnd", 6),
        ("1543000", "농림축산식품부", "mafra", 9),
        ("1371000", "문화체육관광부", "mcst", 9),
        ("1270000", "법무부", "moj", 8),
        ("1352000", "보건복지부", "mohw", 14),
        ("1451000", "산업통상부", "motie", 9),
        ("1384000", "성평등가족부", "mogef", 3),
        ("1262000", "외교부", "mofa", 3),
        ("1421000", "중소벤처기업부", "mss", 5),
        ("1250000", "통일부", "mou", 2),
        ("1170000", "법제처", "moleg", 1),
        ("1471000", "식품의약품안전처", "mfds", 5),
        ("1760000", "인사혁신처", "mpm", 3),
        ("1360000", "기상청", "kma", 0),
        ("1550000", "국가유산청", "khs", 0),
        ("1390000", "농촌진흥청", "rda", 0),
        ("1320000", "경찰청", "npa", 0),
        ("1690000", "방위사업청", "dapa", 0),
        ("1300000", "병무청", "mma", 0),
        ("1400000", "산림청", "kfs", 0),
        ("1661000", "소방청", "nfa", 0),
        ("1260100", "재외동포청", "oka", 0),
        ("1230000", "조달청", "pps", 0),
        ("1790000", "질병관리청", "kdca", 0),
        ("1240000", "국가데이터처", "kostat", 1),
        ("1430000", "지식재산처", "kipo", 2),
        ("1532000", "해양경찰청", "kcg", 0),
        ("1600000", "행정중심복합도시건설청", "naacc", 0),
    )
)


@cache
def ministry_of(short: str) -> Ministry:
    """The agency of an abbreviation; `KeyError` for one that does not exist."""
    return {m.short: m for m in MINISTRIES}[short]


@cache
def lawmaking() -> tuple[tuple[Ministry, int], ...]:
    """Those with laws of their own, with their weights."""
    return tuple((m, m.weight) for m in MINISTRIES if m.weight)
