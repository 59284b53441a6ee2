"""What the depository keeps beside shares and bonds: notes linked to prices, short-term paper, receipts abroad."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.finance.companies import Company, companies, isin_of
from kopa_hf.sandbox.market.institutions import institutions
from kopa_hf.sandbox.world import World

_NOTES: Final = 2_400
_PAPERS: Final = 900
_RECEIPTS: Final = 60
_KINDS: Final = ("ELS", "ELB", "DLS", "DLB")
_BASE_36: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Paper:
    """A security with a standard code of its own."""

    isin: str
    name: str
    base: str = ""
    """Standard code of the share that a receipt stands for."""


def listed(world: World) -> tuple[Company, ...]:
    """The issuers of shares that are traded, in order of their index."""
    return world.table("agencies.listed", _listed)


def _listed(world: World) -> tuple[Company, ...]:
    return tuple(c for c in companies(world) if c.stock_code and c.listed)


def _code(head: str, number: int) -> str:
    """Six characters: a letter for the kind of paper and a number to the base 36."""
    digits = ""
    for _ in range(5):
        number, rest = divmod(number, 36)
        digits = _BASE_36[rest] + digits
    return head + digits


def linked_notes(world: World) -> tuple[Paper, ...]:
    """Securities whose payment follows shares, indices or commodities; issued by securities companies."""
    return world.table("agencies.linked_notes", _linked_notes)


def _linked_notes(world: World) -> tuple[Paper, ...]:
    houses = institutions(world, "SecuComp")

    def note(index: int) -> Paper:
        stream = world.identity("agencies", "linked note", index)
        house, kind = stream.choice(houses).name, stream.choice(_KINDS)
        return Paper(isin_of(_code("E", index * 11 + 7), "6"), f"{house}({kind}) {1001 + index}")

    return tuple(note(index) for index in range(world.count(_NOTES)))


def _short_term(head: str, word: str) -> Callable[[World], tuple[Paper, ...]]:
    def build(world: World) -> tuple[Paper, ...]:
        issuers = listed(world)
        found = []
        for index in range(world.count(_PAPERS)):
            issuer = world.identity("agencies", word, index).choice(issuers).name
            found.append(Paper(isin_of(_code(head, index * 13 + 5), "Z"), f"{issuer} {word} {index + 1}"))
        return tuple(found)

    return lambda world: world.table(f"agencies.short_term.{head}", build)


short_term_bonds = _short_term("S", "단기사채")
"""Electronic bonds of less than a year."""
deposit_certificates = _short_term("C", "양도성예금증서")
"""Certificates of deposit."""


def receipts_abroad(world: World) -> tuple[Paper, ...]:
    """Depositary receipts of Korean shares on foreign exchanges."""
    return world.table("agencies.receipts", _receipts)


def _receipts(world: World) -> tuple[Paper, ...]:
    shares = world.identity("agencies", "receipts").sample(listed(world), min(_RECEIPTS, len(listed(world))))
    return tuple(_receipt(index, share) for index, share in enumerate(shares))


def _receipt(index: int, share: Company) -> Paper:
    body = isin_of(_code("D", index * 17 + 3), "9")[2:]
    return Paper(f"US{body[:10]}", f"{share.name} DR", share.isin)


def foreign_shares_here(world: World) -> tuple[Paper, ...]:
    """Korean depositary receipts of foreign companies."""
    return world.table("agencies.foreign_shares", _foreign_shares)


def _foreign_shares(world: World) -> tuple[Paper, ...]:
    names = ("미르홀딩스", "아라테크", "솔바이오", "누리에너지", "바다물산", "한결소재", "가온로지스", "도담게임즈")
    return tuple(Paper(isin_of(_code("9", index * 7 + 1), "8"), f"{name} KDR") for index, name in enumerate(names))
