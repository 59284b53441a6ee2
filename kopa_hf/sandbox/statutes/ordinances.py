"""Local ordinances of every province, city, county and district, each grounded on an act of parliament."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.sandbox.envelopes.law_layout import one_or_many
from kopa_hf.sandbox.places import municipalities, provinces
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Rows
from kopa_hf.sandbox.rng import mix, permuted
from kopa_hf.sandbox.statutes.annexes import KINDS, Annex, by_scope, draw_annexes
from kopa_hf.sandbox.statutes.laws import ACT, Law, laws
from kopa_hf.sandbox.statutes.listing import (
    Test,
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
from kopa_hf.sandbox.statutes.wording import compact_day, spoken_day, topic
from kopa_hf.sandbox.world import LAST_DAY, World

TOPICS: Final = 210
_ENDINGS: Final = (
    ("지원 조례", "조례"), ("관리 조례", "조례"), ("활성화 조례", "조례"), ("설치 및 운영 조례", "조례"),
    ("지원 조례 시행규칙", "규칙"), ("기금 운용 조례", "조례"), ("위원회 운영 규칙", "규칙"),
)  # fmt: skip
_KINDS: Final = {
    "30001": "조례", "30002": "규칙", "30003": "훈령", "30004": "예규", "30006": "기타", "30010": "고시",
    "30011": "의회규칙",
}  # fmt: skip
_CHANGES: Final = {
    "300201": "제정", "300202": "일부개정", "300203": "전부개정", "300204": "폐지", "300208": "타법개정",
}  # fmt: skip
_FIELDS: Final = ("복지", "산업경제", "도시주택", "환경", "문화관광", "교통", "일반행정", "안전")
_TITLES: Final = ("지원신청서", "위원회 구성표", "사용료 기준", "점검표", "보조금 정산서")
_TODAY: Final = LAST_DAY.toordinal()


@dataclass(frozen=True, slots=True)
class Body:
    """A local government that makes ordinances."""

    name: str
    """As the office is called: 서울특별시 종로구."""
    org: str
    """Seven-digit code of the province's office."""
    sub: str
    """The same of the city, county or district; empty for a province."""

    @property
    def head(self) -> str:
        """Who acts for it: 종로구청장, 수원시장, 양평군수, 경기도지사."""
        own = self.name.rsplit(" ", 1)[-1]
        return own + {"구": "청장", "군": "수", "도": "지사"}.get(own[-1], "장")


@dataclass(frozen=True, slots=True)
class Ordinance:
    """An ordinance or rule in force."""

    index: int
    body: Body
    topic: str
    kind: str
    law: Law
    """The act that it is grounded on."""
    ordinance_id: str
    """자치법규ID: seven digits beginning with 2."""
    serial: str
    """자치법규일련번호 (MST): seven digits beginning with 1."""
    promulgated: str
    number: str
    effective: str
    change: str

    @property
    def name(self) -> str:
        """서울특별시 종로구 누리골목상권 지원 조례."""
        return f"{self.body.name} {self.topic}"

    @property
    def field(self) -> str:
        """Its subject area."""
        return _FIELDS[self.law.index % len(_FIELDS)]


def bodies(world: World) -> tuple[Body, ...]:
    """Provinces and what lies right below them, by name."""

    def build(world: World) -> tuple[Body, ...]:
        found: list[Body] = []
        count = 0
        for province in provinces():
            org = "5690000" if province.code == "36" else f"6{province.code}0000"
            found.append(Body(province.name, org, ""))
            for district in municipalities(province.code):
                if district.name != province.name:
                    found.append(Body(district.full_name, org, str(3_000_000 + count * 10_000)))
                    count += 1
        return tuple(sorted(found, key=lambda b: b.name))

    return world.table("statutes.bodies", build)


def ordinances(world: World) -> tuple[Ordinance, ...]:
    """All ordinances in force, by name."""
    return world.table("statutes.ordinances", _build)


def by_serial(world: World) -> Mapping[str, Ordinance]:
    """자치법규일련번호 → ordinance."""
    return world.table("statutes.ordinance_serials", lambda w: {o.serial: o for o in ordinances(w)})


def by_id(world: World) -> Mapping[str, Ordinance]:
    """자치법규ID → ordinance."""
    return world.table("statutes.ordinance_ids", lambda w: {o.ordinance_id: o for o in ordinances(w)})


def _topics(world: World) -> tuple[tuple[str, str, Law], ...]:
    """(topic, kind, act): what local governments make ordinances about."""
    acts = [law for law in laws(world) if law.level == ACT and law.current is not None]
    stream = world.identity("statutes", "topics")
    found: dict[str, tuple[str, str, Law]] = {}
    for law in stream.sample(acts, TOPICS):
        ending, kind = stream.choice(_ENDINGS)
        found.setdefault(f"{law.subject} {ending}", (f"{law.subject} {ending}", kind, law))
    return tuple(found[name] for name in sorted(found))


def _build(world: World) -> tuple[Ordinance, ...]:
    seed = world.identity("statutes", "ordinances").u64()
    share = world.scale if world.scale < 1 else 1.0
    topics = _topics(world)
    starts = [datetime.date.fromisoformat(law.editions[0].effective).toordinal() for *_, law in topics]
    found: list[Ordinance] = []
    for place, body in enumerate(bodies(world)):
        for position, (subject, kind, law) in enumerate(topics):
            cell = place * TOPICS + position
            draw = mix(seed, cell)
            if draw % 1000 >= 540 * share:  # not every place has one
                continue
            first = min(starts[position] + 30, _TODAY - 40)
            day = first + (draw >> 12) % max(_TODAY - 10 - first, 1)
            start = day + (0, 0, 0, 0, 30, 90)[(draw >> 44) % 6]
            change = ("제정", "일부개정", "일부개정", "일부개정", "전부개정", "타법개정")[(draw >> 50) % 6]
            number = str(100 + (draw >> 54) % 2900)
            found.append(
                Ordinance(
                    cell, body, subject, kind, law, str(2_000_000 + permuted(cell, 60_000, seed) * 3),
                    str(1_100_000 + permuted(cell, 60_000, seed + 1) * 9), compact_day(day), number, compact_day(start), change,
                )
            )  # fmt: skip
    return tuple(found)


_TESTS: Final[Mapping[str, Test[Ordinance]]] = {
    "query": lambda o, v: contains(o.name, v),
    "org": lambda o, v: o.body.org == v,
    "sborg": lambda o, v: o.body.sub == v,
    "knd": lambda o, v: o.kind == _KINDS.get(v),
    "date": lambda o, v: o.promulgated == v,
    "efYd": lambda o, v: within(o.effective, v),
    "ancYd": lambda o, v: within(o.promulgated, v),
    "ancNo": lambda o, v: within(o.number, v),
    "nb": lambda o, v: within(o.number, v),
    "rrClsCd": lambda o, v: o.change == _CHANGES.get(v),
    "gana": lambda o, v: initial_of(o.name) == v,
    "nw": lambda o, v: v == "1",
}
_SORTS: Final[Mapping[str, Callable[[Ordinance], Any]]] = {
    "l": lambda o: o.name,
    "d": lambda o: o.promulgated,
    "n": lambda o: int(o.number),
    "ef": lambda o: o.effective,
}


def row(ordinance: Ordinance) -> Record:
    """Every column that a list of ordinances may have."""
    return {
        "자치법규일련번호": ordinance.serial,
        "자치법규명": ordinance.name,
        "자치법규ID": ordinance.ordinance_id,
        "공포일자": ordinance.promulgated,
        "공포번호": ordinance.number,
        "제개정구분명": ordinance.change,
        "지자체기관명": ordinance.body.name,
        "자치법규종류": ordinance.kind,
        "시행일자": ordinance.effective,
        "자치법규상세링크": link("lawService", target="ordin", MST=ordinance.serial, type="HTML", mobileYn=""),
        "자치법규분야명": ordinance.field,
        "참조데이터구분": "",
    }


def found(items: Sequence[Ordinance], query: Query) -> Sequence[Ordinance]:
    """The ordinances that a query asks for, in its order."""
    return ordered(chosen(items, query, _TESTS), query, _SORTS)


def _list(world: World, query: Query) -> Rows:
    items = found(ordinances(world), query)
    if query.tool is not None and query.tool.field("id") is not None:
        return numbered(items, lambda o: fitted(row(o), query))
    return Rows.mapped(items, row)


def annexes_of(world: World, ordinance: Ordinance) -> tuple[Annex, ...]:
    """The annexes and forms of an ordinance."""
    return draw_annexes(
        world.identity("statutes", "ordinance annexes", ordinance.index), _TITLES, 20_000_000 + ordinance.index * 4, 2
    )


def _document(world: World, query: Query) -> Rows:
    ordinance = by_serial(world).get(query.get("MST")) if query.get("MST") else by_id(world).get(query.get("ID"))
    if ordinance is None:
        return NO_ROWS
    stream = world.identity("statutes", "ordinance office", ordinance.index)
    texts = (
        (
            "목적",
            f"이 조례는 「{ordinance.law.name}」에서 위임된 사항과 그 시행에 필요한 사항을 규정함을 목적으로 한다.",
        ),
        (
            "책무",
            f"{ordinance.body.head}{topic(ordinance.body.head)} {ordinance.law.subject}에 관한 시책을 마련하여야 한다.",
        ),
        ("지원", f"예산의 범위에서 {stream.between(1, 20) * 100}만원까지 지원할 수 있다."),
        ("위원회", f"위원회는 {stream.choice((7, 9, 11, 15))}명 이내의 위원으로 구성한다."),
        ("시행규칙", "이 조례의 시행에 필요한 사항은 규칙으로 정한다."),
    )
    articles = [
        {
            "조문번호": f"{number:04d}00",
            "조문여부": "Y",
            "조제목": title,
            "조내용": f"제{number}조({title}) {text}",
        }
        for number, (title, text) in enumerate(texts, start=1)
    ]
    annexes = annexes_of(world, ordinance)
    record: Record = {
        **row(ordinance),
        "자치법규발의종류": stream.choice(("지자체장", "의원", "주민")),
        "담당부서명": f"{ordinance.law.subject}과",
        "전화번호": f"0{stream.between(31, 64)}-{stream.between(200, 899)}-{stream.between(1000, 9999)}",
        "제개정정보": ordinance.change,
        "조문": {"조": articles},
        "부칙": {
            "부칙공포일자": ordinance.promulgated,
            "부칙공포번호": ordinance.number,
            "부칙내용": f"부칙 <제{ordinance.number}호> 이 {ordinance.kind}{topic(ordinance.kind)} "
            f"{spoken_day(ordinance.effective)}부터 시행한다.",
        },
        "별표": {"별표단위": one_or_many([_annex_unit(a) for a in annexes])} if annexes else {},
        "개정문": {"개정문내용": f"{ordinance.name}를 다음과 같이 한다.".replace("규칙를", "규칙을")},
        "제개정이유": {"제개정이유내용": f"{ordinance.law.subject}에 관한 지역의 시책을 정하려는 것임."},
    }
    return single(fitted(record, query))


def _annex_unit(annex: Annex) -> Record:
    return {
        "별표번호": f"{annex.number:04d}",
        "별표가지번호": f"{annex.branch:02d}",
        "별표구분": annex.kind,
        "별표제목": annex.title,
        "별표첨부파일명": annex.file,
        "별표내용": annex.title,
    }


def _annexes(world: World, query: Query) -> Rows:
    def build(world: World) -> tuple[tuple[Ordinance, Annex], ...]:
        pairs = [(o, a) for o in ordinances(world) for a in annexes_of(world, o)]
        return tuple(sorted(pairs, key=lambda p: p[1].title))

    tests = {
        **by_scope(query, lambda p: p[1].title, lambda p: p[0].name),
        "org": lambda p, v: p[0].body.org == v,
        "sborg": lambda p, v: p[0].body.sub == v,
        "knd": lambda p, v: p[1].kind == (KINDS | {"3": "별도", "4": "별지"}).get(v),
    }

    def make(pair: tuple[Ordinance, Annex]) -> Record:
        ordinance, annex = pair
        return {
            "별표일련번호": annex.serial,
            "관련자치법규일련번호": ordinance.serial,
            "별표명": annex.title,
            "관련자치법규명": ordinance.name,
            "별표번호": f"{annex.number:04d}{annex.branch:02d}",
            "별표종류": annex.kind,
            "지자체기관명": ordinance.body.name,
            "전체기관명": ordinance.body.name,
            "자치법규시행일자": ordinance.effective,
            "공포일자": ordinance.promulgated,
            "공포번호": ordinance.number,
            "제개정구분명": ordinance.change,
            "별표서식파일링크": annex.file,
            "별표자치법규상세링크": link("lawService", target="ordin", MST=ordinance.serial, type="HTML"),
        }

    return numbered(chosen(world.table("statutes.ordinance_annexes", build), query, tests), make)


def _custom(world: World, query: Query) -> Rows:
    """Ordinances of a class code: O and 13 digits whose last two choose one part of twenty."""
    vcode = query.get("vcode")
    if len(vcode) != 14 or not vcode.startswith("O") or not vcode[1:].isdigit():
        return NO_ROWS
    items = [o for o in ordinances(world) if o.law.index % 20 == int(vcode[-2:]) % 20]
    return numbered(items, lambda o: fitted(row(o), query))


HANDLERS: Final[dict[str, Handler]] = {
    "lawSearch/ordin": _list,
    "lawSearch/ordin/mobile": _list,
    "lawService/ordin": _document,
    "lawSearch/ordinbyl": _annexes,
    "lawSearch/couseOrdin": _custom,
}
