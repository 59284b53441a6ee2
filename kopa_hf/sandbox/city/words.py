"""Invented names of the city: stations, houses, shops. No real one is meant."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import World

HEADS: Final = (
    "가온", "누리", "다온", "라온", "마루", "바름", "아람", "자람", "차온", "타래", "파랑", "하람", "미르", "도담", "푸름",
    "보담", "시나", "예솔", "윤슬", "초아", "다솜", "가람", "나래", "두레", "이든", "해든", "온새", "늘찬", "새길", "너울",
    "노을", "단미", "여울", "물결", "별하", "산들", "소담", "아리", "은가", "꽃재",
)  # fmt: skip
_TAILS: Final = ("솔", "샘", "들", "별", "울", "담", "봄", "길", "뜰", "숲", "돌", "벗", "내", "재", "골", "터")


def names(world: World, what: str, count: int) -> tuple[str, ...]:
    """`count` different invented names, mixed by the world; they repeat with a number after 640."""

    def build(world: World) -> tuple[str, ...]:
        pool = [h + t for h in HEADS for t in _TAILS]
        pool = world.identity("city", "names", what).sample(pool, len(pool))
        return tuple(pool[i % len(pool)] + (str(i // len(pool) + 1) if i >= len(pool) else "") for i in range(count))

    return world.table(f"city.names.{what}.{count}", build)


def shop_name(stream: Stream, kinds: tuple[str, ...]) -> str:
    """가온식당, 도담김밥."""
    return stream.choice(HEADS) + (stream.choice(_TAILS) if stream.chance(0.4) else "") + stream.choice(kinds)


def phone(stream: Stream) -> str:
    """A city number that nobody has: exchanges do not begin with 0."""
    return f"02-0{stream.between(100, 999)}-{stream.below(10_000):04d}"


def latin(stream: Stream) -> str:
    """A made-up Latin word, for English names and addresses on the web."""
    return "".join(
        stream.choice(("ga", "no", "da", "ra", "mi", "bo", "sol", "an", "ji", "cha", "ta", "ha")) for _ in "xxx"
    )
