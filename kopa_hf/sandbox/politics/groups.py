"""Members of a named term with their careers, and the research groups that members form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.sandbox.politics.columns import MEMBER
from kopa_hf.sandbox.politics.handlers import chosen, fits, names_of, term_of
from kopa_hf.sandbox.politics.members import TERMS, Member, members
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.world import World

_GROUPS: Final = 48
_TOPICS: Final = ("정치", "경제", "사회", "문화", "과학기술", "통일외교", "환경")
_AIMS: Final = (
    "미래",
    "상생",
    "혁신",
    "균형발전",
    "민생",
    "안전",
    "탄소중립",
    "인구",
    "돌봄",
    "지방자치",
    "청년",
    "반도체",
)
_FORMS: Final = ("포럼", "연구회", "정책연구모임", "네트워크")


@dataclass(frozen=True, slots=True)
class Group:
    """A research group: one member leads it, others belong to it or follow its work."""

    term: int
    topic: str
    name: str
    aim: str
    lead: Member
    regular: tuple[Member, ...]
    associate: tuple[Member, ...]


def groups(world: World, term: int) -> tuple[Group, ...]:
    """Research groups of a term, by name."""
    return world.table(f"politics.groups.{term}", lambda w: _build(w, term))


def _build(world: World, term: int) -> tuple[Group, ...]:
    people, found = members(world, term), {}
    for index in range(_GROUPS):
        stream = world.identity("politics", "group", term, index)
        aim, form = stream.choice(_AIMS), stream.choice(_FORMS)
        chosen_people = stream.sample(people, stream.between(11, 26))
        regular = stream.between(9, len(chosen_people) - 2)
        name = f"국회 {aim} {form}"
        found[name] = Group(
            term=term,
            topic=stream.choice(_TOPICS),
            name=name,
            aim=f"{aim} 관련 제도의 개선 방안을 연구하고 입법으로 뒷받침",
            lead=chosen_people[0],
            regular=tuple(chosen_people[1 : 1 + regular]),
            associate=tuple(chosen_people[1 + regular :]),
        )
    return tuple(found[name] for name in sorted(found))


GROUP: Final[dict[str, Callable[[Group], Any]]] = {
    "REGDAESU": lambda g: str(g.term),
    "RE_TOPIC_NAME": lambda g: g.topic,
    "RE_NAME": lambda g: g.name,
    "RE_OBJECTIVE": lambda g: g.aim,
    "MAIN_MEM": lambda g: g.lead.name,
    "RE_MEM": lambda g: ", ".join(m.name for m in g.regular),
    "OBJ_MEM": lambda g: ", ".join(m.name for m in g.associate),
    "MEMBER_CNT": lambda g: 1 + len(g.regular) + len(g.associate),
    "LINK_URL": lambda g: "https://sandbox.invalid/groups",
}


def _research_groups(world: World, query: Query) -> Reply:
    term = term_of(query, "REGDAESU")
    if term not in TERMS:
        return NO_ROWS
    kept = list(groups(world, term or 0))
    for name, value in query.parameters.items():
        if name in GROUP and value.strip():
            kept = [g for g in kept if fits(name, GROUP[name](g), value.strip())]
    names = names_of(query)
    return Rows.mapped(kept, lambda g: {name: GROUP[name](g) if name in GROUP else None for name in names})


def _of_term(parameter: str, **own: str) -> Handler:
    """Members of the term that a parameter names, under the operation's columns."""

    def handler(world: World, query: Query) -> Reply:
        term = next((t for t in TERMS if query.get(parameter) == f"1000{t}"), None)
        if term is None:
            return NO_ROWS
        kept = chosen(members(world, term), query, MEMBER, world)
        names = names_of(query)

        def record(member: Member) -> Record:
            return {n: own[n] if n in own else MEMBER[n](world, member) if n in MEMBER else None for n in names}

        return Rows.mapped(kept, record)

    return handler


HANDLERS: dict[str, Handler] = {
    "O78HKE0010099W15881": _research_groups,
    "OBL7NF0011935G18076": _of_term("UNIT_CD"),
    "OD21030011944P19666": _of_term("PROFILE_UNIT_CD"),
    "OXJNQM001195IT17281": _of_term("PROFILE_UNIT_CD", PROFILE_CD="01", PROFILE_NM="위원회 경력"),
}
