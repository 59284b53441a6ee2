"""Treaties between the Republic and real states; every treaty is invented."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.query import Handler, Query, Record, Rows
from kopa_hf.sandbox.statutes.listing import (
    chosen,
    contains,
    fitted,
    initial_of,
    link,
    numbered,
    ordered,
    single,
    within,
)
from kopa_hf.sandbox.statutes.wording import compact_day, spoken_day
from kopa_hf.sandbox.world import LAST_DAY, World

COUNT: Final = 3_400
_TODAY: Final = LAST_DAY.toordinal()
_STATES: Final = (
    ("대한민국", "Korea", 0), ("몽골국", "Mongolia", 203), ("베트남사회주의공화국", "Viet Nam", 215), ("칠레공화국", "Chile", 522),
    ("핀란드공화국", "Finland", 327), ("케냐공화국", "Kenya", 433), ("캐나다", "Canada", 512), ("뉴질랜드", "New Zealand", 602),
    ("인도공화국", "India", 208), ("페루공화국", "Peru", 541), ("체코공화국", "Czech Republic", 349), ("가나공화국", "Ghana", 424),
    ("호주", "Australia", 601), ("노르웨이왕국", "Norway", 319), ("요르단왕국", "Jordan", 217), ("멕시코합중국", "Mexico", 528),
)  # fmt: skip
_MATTERS: Final = (
    ("경제협력", "Economic Cooperation", "통상"), ("문화교류", "Cultural Exchange", "문화"), ("항공운항", "Air Services", "항공"),
    ("과학기술 협력", "Scientific Cooperation", "과학기술"), ("이중과세의 방지", "Avoidance of Double Taxation", "조세"),
    ("형사사법공조", "Mutual Legal Assistance", "사법"), ("사회보장", "Social Security", "사회보장"),
    ("어업협력", "Fisheries Cooperation", "수산"),
)  # fmt: skip
_COINED: Final = ("가온", "누리", "다온", "라온", "아람", "하람", "새론", "한별")
_ROMAN: Final = ("Gaon", "Nuri", "Daon", "Raon", "Aram", "Haram", "Saeron", "Hanbyeol")


@dataclass(frozen=True, slots=True)
class Treaty:
    """One treaty, bilateral or multilateral."""

    index: int
    serial: str
    name: str
    english: str
    number: str
    bilateral: bool
    state: tuple[str, str, int]
    field: str
    signed: str
    in_force: str


def treaties(world: World) -> tuple[Treaty, ...]:
    """All treaties, by name."""

    def build(world: World) -> tuple[Treaty, ...]:
        return tuple(
            sorted((_treaty(world, i) for i in range(world.count(COUNT, 3))), key=lambda t: (t.name, t.serial))
        )

    return world.table("statutes.treaties", build)


def _treaty(world: World, index: int) -> Treaty:
    stream = world.identity("statutes", "treaty", index)
    bilateral = stream.chance(0.74)
    matter, english, field = stream.choice(_MATTERS)
    state = stream.choice(_STATES[1:])
    coined = stream.below(len(_COINED))
    if bilateral:
        name = f"대한민국 정부와 {state[0]} 정부 간의 {_COINED[coined]} {matter}에 관한 협정"
        latin = f"{_ROMAN[coined]} Agreement between Korea and {state[1]} on {english}"
    else:
        name = f"{_COINED[coined]} {matter}에 관한 국제협약"
        latin = f"{_ROMAN[coined]} International Convention on {english}"
    signed = stream.between(datetime.date(1972, 1, 1).toordinal(), _TODAY - 400)
    in_force = signed + stream.between(20, 380)
    return Treaty(
        index, str(1_001 + index * 2), name, latin, str(100 + index * 24 // 10), bilateral,
        state if bilateral else ("다수국", "Parties", 999), field, compact_day(signed), compact_day(in_force),
    )  # fmt: skip


def _before(day: str, days: int) -> str:
    return compact_day(datetime.date.fromisoformat(day).toordinal() - days)


def _row(treaty: Treaty) -> Record:
    gazette = _before(treaty.in_force, 5)
    return {
        "조약일련번호": treaty.serial,
        "조약명": treaty.name,
        "조약구분코드": "440101" if treaty.bilateral else "440102",
        "조약구분명": "양자조약" if treaty.bilateral else "다자조약",
        "발효일자": treaty.in_force,
        "서명일자": treaty.signed,
        "관보게제일자": gazette,
        "관보게재일자": gazette,
        "조약번호": treaty.number,
        "국가번호": str(treaty.state[2]),
        "조약상세링크": link("lawService", target="trty", ID=treaty.serial, type="HTML", mobileYn=""),
    }


def _list(world: World, query: Query) -> Rows:
    tests = {
        "query": lambda t, v: contains(t.name, v),
        "gana": lambda t, v: initial_of(t.name) == v,
        "cls": lambda t, v: t.bilateral == (v == "1"),
        "natCd": lambda t, v: str(t.state[2]) == v,
        "eftYd": lambda t, v: within(t.in_force, v),
        "concYd": lambda t, v: within(t.signed, v),
    }
    keys = {"l": lambda t: t.name, "d": lambda t: t.in_force, "n": lambda t: int(t.number)}
    items = ordered(chosen(treaties(world), query, tests), query, keys)
    return numbered(items, lambda t: fitted(_row(t), query))


def _document(world: World, query: Query) -> Rows:
    by_serial = world.table("statutes.treaty_serials", lambda w: {t.serial: t for t in treaties(w)})
    treaty = by_serial.get(query.get("ID"))
    if treaty is None:
        return single(None)
    stream = world.identity("statutes", "treaty text", treaty.index)
    place = stream.choice(("서울", "제네바", "뉴욕", "부산"))
    consent = stream.chance(0.3)
    record: Record = {
        **_row(treaty),
        "조약명_한글": treaty.name,
        "조약명_영문": treaty.english,
        "대통령재가일자": _before(treaty.in_force, 12),
        "국무회의심의일자": _before(treaty.signed, 14),
        "국무회의심의회차": str(stream.between(1, 54)),
        "국회비준동의여부": "Y" if consent else "N",
        "국회비준동의일자": _before(treaty.in_force, 20 if consent else 0) if consent else "",
        "서명장소": place,
        "비고": "",
        "체결대상국가": treaty.state[1],
        "체결대상국가한글": treaty.state[0],
        "우리측국내절차완료통보": _before(treaty.in_force, 9),
        "상대국측국내절차완료통보": _before(treaty.in_force, 8),
        "양자조약분야코드": "420101" if treaty.bilateral else "",
        "양자조약분야명": treaty.field if treaty.bilateral else "",
        "제2외국어종류": "",
        "국가코드": str(treaty.state[2]),
        "조약내용": {
            "조약내용": f"제1조 당사자는 {treaty.field} 분야에서 협력한다. 제2조 이 조약은 {spoken_day(treaty.in_force)}에 발효한다."
        },
        "체결일자": treaty.signed,
        "체결장소": place,
        "기탁처": "" if treaty.bilateral else "국제연합 사무총장",
        "다자조약분야코드": "" if treaty.bilateral else "430101",
        "다자조약분야명": "" if treaty.bilateral else treaty.field,
        "수락서기탁일자": "" if treaty.bilateral else _before(treaty.in_force, 9),
        "국내발효일자": treaty.in_force,
    }
    return single(fitted(record, query))


HANDLERS: Final[dict[str, Handler]] = {
    "lawSearch/trty": _list,
    "lawSearch/trty/mobile": _list,
    "lawService/trty": _document,
}
