"""Events around the house: seminars of members' offices, press conferences, the speakers' days."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.calendar import is_business_day
from kopa_hf.sandbox.politics.members import PARTIES, Member, members, speaker_seat
from kopa_hf.sandbox.politics.names import draw_name
from kopa_hf.sandbox.politics.terms import SPAN, term_on
from kopa_hf.sandbox.rng import Stream, mix
from kopa_hf.sandbox.world import LAST_DAY, World

TOPICS: Final = (
    "국가 화재안전 체계", "지역의료 인력 확보", "청년 주거 지원", "인공지능 기본질서", "기후적응 농업", "공공데이터 활용", "지방소멸 대응", "돌봄 서비스 확대",
    "전기차 충전시설 안전", "중소기업 상생협력", "군 복무 여건", "학교폭력 예방", "해양쓰레기 관리", "문화유산 활용", "플랫폼 노동", "수도권 교통망",
    "재난 심리회복", "반도체 인력 양성", "소상공인 금융지원", "빈집 정비",
)  # fmt: skip
_FORMS: Final = ("개선방안 토론회", "정책 세미나", "입법 공청회", "현장 간담회", "국제 심포지엄", "대책 마련 토론회")
PLACES: Final = (
    "의원회관 제1소회의실", "의원회관 제2소회의실", "의원회관 제1세미나실", "의원회관 제8간담회의실", "의원회관 대회의실", "국회도서관 대강당", "국회도서관 소회의실",
)  # fmt: skip
_PRESS: Final = (
    "개정안 발의 기자회견", "진상규명 촉구 기자회견", "현안 관련 입장 발표", "예산 확보 촉구 기자회견", "국정감사 결과 보고",
)  # fmt: skip
_CHAIR_DAYS: Final = (
    "본회의 주재", "{} 대사 접견", "{} 의회 대표단 접견", "{} 현장 방문", "국회도서관 행사 축사", "여야 원내대표 회동", "{} 관련 간담회",
)  # fmt: skip
CHAIRS: Final = ("의장", "부의장")


@dataclass(frozen=True, slots=True)
class Event:
    """One seminar of members' offices."""

    day: datetime.date
    seed: int
    title: str

    @property
    def begins(self) -> int:
        """Minutes after midnight."""
        return (10 * 60, 13 * 60 + 30, 14 * 60, 15 * 60)[self.seed % 4]

    @property
    def ends(self) -> int:
        """Minutes after midnight."""
        return self.begins + (90, 120, 150, 210)[self.seed // 4 % 4]

    @property
    def place(self) -> str:
        """The hall."""
        return PLACES[self.seed // 16 % len(PLACES)]


@dataclass(frozen=True, slots=True)
class Press:
    """One press conference."""

    day: datetime.date
    minutes: int
    speaker: Member
    title: str
    seconds: int


@dataclass(frozen=True, slots=True)
class ChairDay:
    """An entry in the diary of the speaker or the vice speakers."""

    day: datetime.date
    minutes: int
    chair: str
    text: str


def working_days(first: datetime.date, last: datetime.date = LAST_DAY) -> list[datetime.date]:
    """Working days of a span, the latest first."""
    span = (last - datetime.timedelta(days=n) for n in range((last - first).days + 1))
    return [day for day in span if is_business_day(day)]


def seminars(world: World) -> tuple[Event, ...]:
    """All seminars, the latest first."""
    return world.table("politics.seminars", _seminars)


def _seminars(world: World) -> tuple[Event, ...]:
    found = []
    for day in working_days(SPAN[21][0]):
        stream = world.identity("politics", "seminars", day.toordinal())
        for _ in range(world.count(stream.octave(2, 15))):
            seed = stream.u64()
            topic, form = TOPICS[seed % len(TOPICS)], _FORMS[mix(seed, 1) % len(_FORMS)]
            found.append(Event(day, seed, f"{topic} {form}"))
    return tuple(found)


def hosts(world: World, event: Event) -> list[Member]:
    """The members whose offices hold it."""
    stream = Stream(event.seed, "hosts")
    return stream.sample(members(world, term_on(event.day)), stream.octave(1, 6))


def speakers(event: Event, part: str, count: int) -> str:
    """Invented guests with their posts: 홍길동(가람대 교수), …"""
    stream = Stream(event.seed, part)
    posts = ("가람대 교수", "나래연구원 연구위원", "다솜협회 이사", "라온포럼 대표", "법무법인 마루 변호사")
    return ", ".join(f"{draw_name(stream).hangul}({stream.choice(posts)})" for _ in range(count))


def press_conferences(world: World) -> tuple[Press, ...]:
    """All press conferences of the sitting term, the latest first."""
    return world.table("politics.press", _press)


def _press(world: World) -> tuple[Press, ...]:
    found = []
    for day in working_days(SPAN[22][0]):
        stream = world.identity("politics", "press", day.toordinal())
        people = members(world, 22)
        for place in range(world.count(stream.octave(1, 12))):
            title = f"{stream.choice(TOPICS)} {stream.choice(_PRESS)}"
            found.append(Press(day, 9 * 60 + 20 * place, stream.choice(people), title, stream.between(120, 1500)))
    return tuple(found)


def chair_days(world: World) -> tuple[ChairDay, ...]:
    """The diaries of the speaker and the vice speakers, the latest day first."""
    return world.table("politics.chair_days", _chair_days)


def _chair_days(world: World) -> tuple[ChairDay, ...]:
    found = []
    for day in working_days(SPAN[22][0]):
        stream = world.identity("politics", "chair_days", day.toordinal())
        for chair in CHAIRS:
            for place in range(stream.between(0, 3) if chair == "의장" else stream.between(0, 2)):
                text = stream.choice(_CHAIR_DAYS)
                guest = (
                    stream.choice(TOPICS)
                    if "현장" in text or "관련" in text
                    else stream.choice(("가온", "나래", "다온"))
                )
                found.append(ChairDay(day, 10 * 60 + 90 * place, chair, text.format(guest)))
    return tuple(found)


def speaker(world: World, term: int) -> Member:
    """The member who presides."""
    seat = speaker_seat(world, term)
    return next(member for member in members(world, term) if member.index == seat)


def vice_speakers(world: World, term: int) -> list[Member]:
    """Two veterans, one from each large party."""
    presiding = speaker_seat(world, term)
    people = [m for m in members(world, term) if m.index != presiding]
    return [max((m for m in people if m.party == p), key=lambda m: (len(m.terms), m.code)) for p in PARTIES[:2]]
