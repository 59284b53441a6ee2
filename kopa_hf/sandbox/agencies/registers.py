"""What other agencies register: auctioned property, business groups, franchises, prepaid-instalment businesses.

Companies in these registers are those that file with DART; the agencies' own numbers are theirs alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.finance.companies import Company, companies
from kopa_hf.sandbox.places import Neighbourhood, all_neighbourhoods
from kopa_hf.sandbox.world import World

_ITEMS: Final = 4_000
_NOTICES: Final = 700
_GROUPS: Final = 48
_MEMBERS: Final = 9
"""Companies of a group, the mean."""
_FRANCHISORS: Final = 900
_PREPAID: Final = 75
_SYLLABLES: Final = ("가람", "나래", "다솜", "라온", "마루", "보람", "새벽", "아라", "은하", "잔디", "초롱", "한별")
_DISHES: Final = (
    "국밥",
    "분식",
    "치킨",
    "커피",
    "도시락",
    "베이커리",
    "떡볶이",
    "편의점",
    "세탁",
    "독서실",
    "미용실",
    "피자",
)


@dataclass(frozen=True, slots=True)
class AuctionItem:
    """Something that Onbid auctions, in one of its rounds."""

    number: str
    """물건관리번호."""
    condition: str
    """공매조건번호, seven digits."""
    printed: str
    """온비드물건번호."""
    place: Neighbourhood


@dataclass(frozen=True, slots=True)
class Notice:
    """An auction that was announced."""

    number: str
    """공고관리번호."""
    printed: str
    """온비드공고번호."""
    auction: str
    """공매번호."""


@dataclass(frozen=True, slots=True)
class Member:
    """A company of a business group."""

    group_code: str
    group_name: str
    company: Company


@dataclass(frozen=True, slots=True)
class Brand:
    """A franchise brand and who runs it."""

    number: str
    name: str
    franchisor_no: str
    company: Company


@dataclass(frozen=True, slots=True)
class Prepaid:
    """A business that takes instalments in advance, with the numbers of its registration and its disclosure."""

    licence: str
    registration: str
    serial: str
    disclosure: str
    company: Company


def auction_items(world: World) -> tuple[AuctionItem, ...]:
    """Items by number; places are spread over the whole country."""
    return world.table("agencies.auction_items", _auction_items)


def _auction_items(world: World) -> tuple[AuctionItem, ...]:
    places = all_neighbourhoods()

    def item(index: int) -> AuctionItem:
        stream = world.identity("agencies", "auction item", index)
        year = stream.between(2022, 2025)
        return AuctionItem(
            f"{year}-{10_001 + index * 7}-{stream.between(1, 9):03d}",
            str(3_000_001 + index * 11),
            f"{year}{200_000 + index:06d}",
            places[stream.below(len(places))],
        )

    return tuple(item(index) for index in range(world.count(_ITEMS)))


def notices(world: World) -> tuple[Notice, ...]:
    """Announced auctions by number."""
    return world.table("agencies.notices", _notices)


def _notices(world: World) -> tuple[Notice, ...]:

    def notice(index: int) -> Notice:
        stream = world.identity("agencies", "notice", index)
        month = f"{stream.between(2022, 2025)}{stream.between(1, 12):02d}"
        return Notice(f"{month}-{20_003 + index * 13}-00", f"{month}{30_000 + index * 3}", str(700_001 + index * 5))

    return tuple(notice(index) for index in range(world.count(_NOTICES)))


def group_members(world: World) -> tuple[Member, ...]:
    """The companies of designated groups; a company belongs to one group at most."""
    return world.table("agencies.group_members", _group_members)


def _group_members(world: World) -> tuple[Member, ...]:
    members = []
    stream = world.identity("agencies", "groups")
    names = [f"{first}{second}그룹" for first in _SYLLABLES for second in ("", "해", "솔", "빛")][:_GROUPS]
    chosen = stream.sample(companies(world), min(_GROUPS * _MEMBERS, len(companies(world))))
    for index, company in enumerate(chosen):
        # the first of every group is there, the others fall where they fall
        group = index if index < _GROUPS else stream.below(_GROUPS)
        members.append(Member(f"G{1_001 + group * 17:05d}", names[group], company))
    return tuple(members)


def brands(world: World) -> tuple[Brand, ...]:
    """One or two brands a franchisor."""
    return world.table("agencies.brands", _brands)


def _brands(world: World) -> tuple[Brand, ...]:
    found: list[Brand] = []
    chosen = world.identity("agencies", "franchisors").sample(
        companies(world), min(world.count(_FRANCHISORS), len(companies(world)))
    )
    for index, company in enumerate(chosen):
        stream = world.identity("agencies", "franchisor", index)
        for _ in range(stream.between(1, 2)):
            number = f"BR{2_000_000_001 + len(found) * 3}"
            name = f"{stream.choice(_SYLLABLES)}{stream.choice(_DISHES)} {len(found) + 1}호"
            found.append(Brand(number, name, f"HQ{10_000_007 + index * 9}", company))
    return tuple(found)


def prepaid_businesses(world: World) -> tuple[Prepaid, ...]:
    """Businesses that keep customers' money for a service to come."""
    return world.table("agencies.prepaid", _prepaid)


def _prepaid(world: World) -> tuple[Prepaid, ...]:
    chosen = world.identity("agencies", "prepaid").sample(companies(world), min(_PREPAID, len(companies(world))))
    return tuple(
        Prepaid(
            f"{2011 + index % 12}-서울-{101 + index:04d}",
            f"서울-{2011 + index % 12}-제{51 + index}호",
            str(40_001 + index * 3),
            str(81_001 + index * 7),
            company,
        )
        for index, company in enumerate(chosen)
    )
