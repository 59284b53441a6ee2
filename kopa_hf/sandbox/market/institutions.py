"""Banks, insurers, card companies, cooperatives and their like: who they are, by sector, with register numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.finance.banks import BANKS
from kopa_hf.sandbox.market.companies import financial
from kopa_hf.sandbox.places import districts
from kopa_hf.sandbox.world import World

_HEADS: Final = (
    "가온", "누리", "다온", "라온", "마루", "바름", "새결", "한들", "푸른샘", "너울", "윤슬", "해든", "온새", "이든", "늘봄", "다솜",
    "가람", "나래", "두레", "미르",
)  # fmt: skip
_TAILS: Final = ("", "빛", "솔", "결", "샘", "들", "별", "찬", "울", "담", "봄", "길")


@dataclass(frozen=True, slots=True)
class Sector:
    """A kind of financial institution."""

    code: str
    """First three digits of its institutions' codes."""
    suffix: str
    """How its names end."""
    count: int
    size: float
    """Typical assets, in billions of won."""
    line: str = ""
    """Line of business of the companies in `finance` that belong to it."""
    local: bool = False
    """Named after a district: cooperatives."""


SECTORS: Final[dict[str, Sector]] = {
    "DomeBank": Sector("001", "은행", 20, 180_000),
    "ForeBankBran": Sector("002", "은행 서울지점", 35, 9_000),
    "MutuSaviBank": Sector("003", "저축은행", 79, 1_500),
    "MercBank": Sector("004", "종합금융", 1, 6_000),
    "SecuComp": Sector("005", "증권", 48, 14_000, "증권"),
    "FutuComp": Sector("006", "선물", 3, 700),
    "AsseManaComp": Sector("007", "자산운용", 290, 60),
    "InveAdviComp": Sector("008", "투자자문", 210, 6),
    "RealEstaTrusComp": Sector("009", "부동산신탁", 14, 500),
    "LifeInsuComp": Sector("010", "생명보험", 22, 42_000),
    "NonlInsuComp": Sector("011", "손해보험", 31, 11_000),
    "CredCardComp": Sector("012", "카드", 8, 20_000),
    "LeasComp": Sector("013", "리스", 26, 2_500, "캐피탈"),
    "InstFinaComp": Sector("014", "할부금융", 22, 3_800, "캐피탈"),
    "NewTechVentCapiComp": Sector("015", "신기술금융", 110, 120),
    "FinaHoldComp": Sector("016", "금융지주", 10, 330_000, "홀딩스"),
    "CredUnio": Sector("017", "신협", 866, 170, local=True),
    "AgriCoop": Sector("018", "농협", 1_111, 450, local=True),
    "FishCoop": Sector("019", "수협", 90, 400, local=True),
    "ForeCoop": Sector("020", "산림조합", 140, 70, local=True),
}


@dataclass(frozen=True, slots=True)
class Institution:
    """One institution under supervision."""

    code: str
    """The supervisor's code, seven digits."""
    name: str
    register_no: str
    size: float
    """Assets in billions of won, typical for it."""


def institutions(world: World, sector: str) -> tuple[Institution, ...]:
    """The institutions of a sector, by code; listed companies of the line come first."""
    return world.table(f"market.institutions.{sector}", _builder(sector))


def _builder(sector: str) -> Callable[[World], tuple[Institution, ...]]:
    kind = SECTORS[sector]

    def build(world: World) -> tuple[Institution, ...]:
        known = [c for c in financial(world) if kind.line and c.industry == kind.line]
        named = [(c.name, c.jurir_no) for c in known][: kind.count]
        names = _local_names(kind) if kind.local else _names(kind)
        taken = {name for name, _ in named}
        for name in names:
            if len(named) >= kind.count:
                break
            if name not in taken:
                named.append((name, register_no(int(kind.code) * 2_000 + len(named))))
        found = []
        for number, (name, register) in enumerate(named, 1):
            spread = world.identity("market", sector, number).octave(10, 400) / 100
            found.append(Institution(f"{kind.code}{number:04d}", name, register, kind.size * spread))
        return tuple(found)

    return build


def _names(kind: Sector) -> list[str]:
    banks = list(BANKS) if kind.suffix == "은행" else []
    return banks + [f"{head}{tail}{kind.suffix}" for tail in _TAILS for head in _HEADS]


def _local_names(kind: Sector) -> list[str]:
    """Cooperatives of the districts: 종로가온신협, … A place has several."""
    places = [d.name.split()[-1].removesuffix("구").removesuffix("시").removesuffix("군") for d in districts()]
    return [f"{place}{head}{kind.suffix}" for head in _HEADS for place in dict.fromkeys(places)]


def register_no(serial: int) -> str:
    """A corporate register number whose serial is below those of the world's companies."""
    body = f"110111{serial:06d}"
    total = sum(int(char) * (1 + position % 2) for position, char in enumerate(body))
    return body + str(-total % 10)
