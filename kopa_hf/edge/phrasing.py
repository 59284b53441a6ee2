"""Korean questions for executed paths, from parts that combine freely.

A question is an opening (where to look and under which conditions), links (what
is taken on to which further source) and a closing (what is asked). Each part has
several forms; particles follow the last sound of the word before them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kopa_hf.bench.korean import with_particle
from kopa_hf.edge.asking import Ask
from kopa_hf.edge.columns import spoken_label
from kopa_hf.edge.junctions import Narrowing
from kopa_hf.edge.mentions import Mention, spoken_date, spoken_platform, spoken_title
from kopa_hf.edge.workshop import Hop, Start, Story

P = with_particle

_SOURCES: Final[tuple[str, ...]] = (
    "{platform}의 '{title}' 자료에서",
    "'{title}'({platform}) 자료를 기준으로",
    "{platform}에 올라온 '{title}' 자료를 보면",
    "{platform} '{title}' 자료 가운데",
    "'{title}' 자료({platform})에서",
    "{platform}가 공개한 '{title}' 자료로 보았을 때",
)
_LINKS_ONE: Final[tuple[str, ...]] = (
    "{entity:을/를} 찾아 '{title}' 자료에서 확인하면",
    "{entity:을/를} 찾은 다음, 그 {noun}에 대한 '{title}' 자료에서",
    "{entity:이/가} 무엇인지 보고, 이어서 '{title}' 자료를 조회하여",
    "{entity:을/를} 확인한 뒤 '{title}' 자료를 찾아보고",
    "{entity:에 대하여} '{title}' 자료까지 조회해서",
    "{entity:을/를} 고른 다음 '{title}' 자료에서",
)
_LINKS_EACH: Final[tuple[str, ...]] = (
    "{entity:을/를} 모두 찾아 각각의 '{title}' 자료에서",
    "{entity} 하나하나에 대해 '{title}' 자료를 조회하여",
    "{entity:을/를} 빠짐없이 찾고, 각각 '{title}' 자료를 확인해",
    "{entity} 전부의 '{title}' 자료를 찾아보고",
    "{entity:을/를} 모두 고른 뒤 '{title}' 자료에서 각각 살펴보고",
    "{entity} 각각에 대한 '{title}' 자료를 모아",
)
_THERE: Final[tuple[str, ...]] = ("거기에 나온", "그 자료에 있는", "그 결과에 나오는")
_MOST: Final[tuple[str, ...]] = ("가장 자주 나오는", "가장 많이 등장하는", "건수가 가장 많은")
_BRANCHES: Final[tuple[str, ...]] = (
    "{what:을/를} 확인하여 {label:이/가} {bound} 이상이면 {left:을/를}, 아니면 {right:을/를} 알려 주세요.",
    "{what}의 {label:이/가} {bound} 이상인 경우에는 {left:을/를}, 아닌 경우에는 {right:을/를} 찾아 줘.",
    "{what}의 {label:을/를} 보고, {bound} 이상이면 {left:을/를} 미만이면 {right:을/를} 답해 주십시오.",
    "{what}의 {label:이/가} {bound}보다 작으면 {right:을/를}, 그 밖에는 {left:을/를} 확인해 주세요.",
    "{what}의 {label:이/가} {bound} 이상인지 보고, 이상이면 {left}, 미만이면 {right:을/를} 알려 주십시오.",
    "{what:을/를} 찾은 뒤 {label} 값이 {bound} 이상이면 {left}, 미만이면 {right:이/가} 무엇인지 답해 주세요.",
)
_VALUE_ENDS: Final[tuple[str, ...]] = (
    "{what:을/를} 알려 주세요.",
    "{what:은/는} {how}?",
    "{what:을/를} 확인해 주십시오.",
    "{what:이/가} {whether} 알고 싶습니다.",
    "{what:을/를} 찾아 줘.",
    "{what:이/가} {whether} 알려 줄래?",
    "{what:을/를} 답해 주세요.",
    "{what:이/가} {whether} 조사해 주십시오.",
)


@dataclass(frozen=True, slots=True)
class Phrased:
    """A question with the parts it was made of."""

    text: str
    template: str
    """Which forms were combined, for counting."""


def phrase(story: Story, rng: random.Random) -> Phrased:
    """The question of a story."""
    writer = _Writer(rng)
    text = {
        "chain": writer.chain,
        "shared": writer.shared,
        "compare": writer.compare,
        "compare_days": writer.compare_days,
        "branch": writer.branch,
    }[story.form](story)
    return Phrased(" ".join(text.split()), f"{story.form}/{'.'.join(map(str, writer.picked))}")


class _Writer:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.picked: list[int] = []

    def pick(self, forms: Sequence[str]) -> str:
        index = self.rng.randrange(len(forms))
        self.picked.append(index)
        return forms[index]

    def chain(self, story: Story) -> str:
        parts = [self.opening(story.starts[0])]
        said = conditions(story.starts[0].mentions)
        for hop in story.hops:
            parts.append(self.link(hop, said))
            said = f"{conditions(hop.mentions)} {self.pick(_THERE) if hop is not story.hops[-1] else ''}".strip()
        parts.append(self.closing(story.asks[0], said))
        return " ".join(parts)

    def opening(self, start: Start) -> str:
        form = self.pick(_SOURCES)
        platform = spoken_platform(start.tool)
        form = form.replace("{platform}가", P(platform, "이/가"))
        return form.format(platform=platform, title=spoken_title(start.tool))

    def link(self, hop: Hop, said: str) -> str:
        entity = self.entity(hop, said)
        several = hop.junction.kind == "FAN" or (hop.narrowing is not None and len(hop.narrowing.values) > 1)
        form = self.pick(_LINKS_EACH if several else _LINKS_ONE)
        return _fill(form, entity=entity, noun=hop.entity, title=spoken_title(hop.tool))

    def entity(self, hop: Hop, said: str) -> str:
        """The connecting thing with everything that sets it apart."""
        if hop.narrowing is None:
            words = f"{said} {hop.entity}"
        elif hop.narrowing.as_value:
            among = f"{said} 자료 가운데" if said else ""
            words = f"{among} {self.pick(_MOST)} {hop.entity}"
        else:
            # one condition goes on in the next: …이고 …인
            joined = f"{said[:-1]}이고" if said.endswith("인") else said
            words = f"{joined} {attribute(hop.narrowing)} {hop.entity}"
        return " ".join(words.split())

    def closing(self, ask: Ask, said: str) -> str:
        what, how = asked(ask)
        return _fill(self.pick(_VALUE_ENDS), what=f"{said} {what}".strip(), how=how, whether=f"{how[:-2]}지")

    def shared(self, story: Story) -> str:
        left, right = story.hops
        first, second = story.asks
        said = conditions(story.starts[0].mentions)
        entity = self.entity(left, said)
        pair = (
            f"'{spoken_title(left.tool)}' 자료의 {conditions(left.mentions)} {P(asked(first)[0], '과/와')} "
            f"'{spoken_title(right.tool)}' 자료의 {conditions(right.mentions)} {asked(second)[0]}"
        )
        form = self.pick(
            (
                "{entity:을/를} 찾아 {pair:을/를} 차례로 알려 주세요.",
                "{entity:에 대하여} {pair:을/를} 이 순서대로 확인해 주십시오.",
                "{entity:을/를} 고른 뒤 {pair:을/를} 순서대로 답해 줘.",
                "{entity}의 경우 {pair:은/는} 각각 무엇인가요? 이 순서로 적어 주세요.",
                "{entity:을/를} 확인하고 {pair:을/를} 차례대로 찾아 주세요.",
                "{entity}에 관해 {pair:이/가} 각각 무엇인지 순서대로 알고 싶습니다.",
            )
        )
        return f"{self.opening(story.starts[0])} {_fill(form, entity=entity, pair=' '.join(pair.split()))}"

    def compare(self, story: Story) -> str:
        first, second = story.details["sides"]
        hop, ask = story.hops[0], story.asks[0]
        said = conditions(story.starts[0].mentions)
        pair = f"{first.label} 기준 '{first.text}'{P(first.text, '과/와')[len(first.text) :]} '{second.text}'"
        form = self.pick(
            (
                "{said} {pair} 두 {noun:을/를} 찾아, '{title}' 자료의 {terms} {label} 차이가 얼마인지 알려 주세요.",
                "{said} {pair} 두 {noun}의 '{title}' 자료를 비교하면 {terms} {label} 차이는 얼마인가요?",
                "{said} {pair:을/를} 각각 찾고, '{title}' 자료에서 {terms} {label:이/가} 얼마나 차이 나는지 답해 줘.",
                "{said} {pair} 각각에 대해 '{title}' 자료의 {terms} {label:을/를} 확인하고 그 차이를 구해 주십시오.",
                "{said} {pair}의 {terms} {label:은/는} '{title}' 자료에서 얼마나 다른가요? 차이만 알려 주세요.",
                "{said} {pair} 두 {noun:을/를} '{title}' 자료로 견주어 {terms} {label} 격차를 계산해 주세요.",
            )
        )
        body = _fill(
            form,
            said=said,
            pair=pair,
            noun=hop.entity,
            title=spoken_title(hop.tool),
            terms=conditions(hop.mentions),
            label=ask.label,
        )
        return f"{self.opening(story.starts[0])} {body}"

    def compare_days(self, story: Story) -> str:
        first, second = (m.text for m in story.starts[0].mentions)
        name, ask = story.details["name"], story.asks[0]
        form = self.pick(
            (
                "{column:이/가} '{name}'인 것의 {label:은/는} {first:과/와} {second} 사이에 얼마나 차이가 나나요?",
                "{first:과/와} {second}의 '{name}' {label} 차이를 알려 주세요.",
                "{column} '{name}'의 {label:을/를} {first:과/와} {second}에 대해 비교하여 차이를 구해 주십시오.",
                "{first} 값과 {second} 값을 놓고 볼 때 '{name}'의 {label} 차이는 얼마인지 답해 줘.",
                "'{name}'의 {label:이/가} {first:과/와} {second}에 각각 얼마였는지 보고 그 차이를 계산해 주세요.",
                "{column} 기준 '{name}'의 {label:은/는} 두 날짜({first}, {second}) 사이에 얼마나 다른가요?",
            )
        )
        body = _fill(form, column=story.details["column"], name=name, label=ask.label, first=first, second=second)
        return f"{self.opening(story.starts[0])} {body}"

    def branch(self, story: Story) -> str:
        (yes, no), (first, second) = story.hops, story.asks
        details = story.details
        left = f"'{spoken_title(yes.tool)}' 자료의 {conditions(yes.mentions)} {first.label}"
        right = f"'{spoken_title(no.tool)}' 자료의 {conditions(no.mentions)} {second.label}"
        form = self.pick(_BRANCHES)
        judging: Hop | None = details["judging"]
        label = details["label"]
        if judging is not None:
            label = " ".join(f"'{spoken_title(judging.tool)}' 자료의 {conditions(judging.mentions)} {label}".split())
        what = f"{conditions(story.starts[0].mentions)} {yes.entity}".strip()
        body = _fill(
            form,
            what=what,
            label=label,
            bound=f"{grouped(details['bound'])}{details['unit']}",
            left=" ".join(left.split()),
            right=" ".join(right.split()),
        )
        return f"{self.opening(story.starts[0])} {body}"


def conditions(mentions: Sequence[Mention]) -> str:
    """Attributive conditions: 사업연도가 2025년이고 의안명이 '가법'인."""
    begin = next((m for m in mentions if m.bound == "begin"), None)
    end = next((m for m in mentions if m.bound == "end"), None)
    parts = [f"{begin.text}부터 {end.text}까지"] if begin is not None and end is not None else []
    single = [m for m in mentions if not parts or m.bound is None]
    said = []
    for index, mention in enumerate(single):
        text = mention.text if mention.kind in ("date", "month", "year", "term") else f"'{mention.text}'"
        said.append(f"{P(mention.label, '이/가')} {text}{'인' if index == len(single) - 1 else '이고'}")
    return " ".join([*parts, " ".join(said)]).strip()


def attribute(narrowing: Narrowing | None) -> str:
    """What sets the chosen records apart: 거래량이 가장 큰, 제안일이 2026년 1월 5일보다 늦은."""
    if narrowing is None or narrowing.as_value:
        return ""
    label = P(spoken_label(narrowing.column), "이/가")
    if narrowing.operation in ("max", "min"):
        return f"{label} {superlative(narrowing.operation, narrowing.kind)}"
    pivot = narrowing.pivot or ""
    operator = narrowing.arguments["where_op"]
    if operator == "eq":
        return f"{label} '{pivot}'인"
    if narrowing.kind == "date":
        return f"{label} {spoken_date(pivot) or pivot}보다 늦은"
    return f"{label} {grouped(pivot)} {'이상' if operator == 'ge' else '이하'}인"


def superlative(operation: str, kind: str) -> str:
    """가장 큰, 가장 이른, …"""
    if kind == "date":
        return "가장 늦은" if operation == "max" else "가장 이른"
    return "가장 큰" if operation == "max" else "가장 작은"


def grouped(number: str) -> str:
    """A number with separated thousands, as people write it; other texts as they are."""
    text = number.replace(",", "")
    whole, point, rest = text.partition(".")
    sign, digits = (whole[0], whole[1:]) if whole[:1] in "+-" and whole else ("", whole)
    if not digits.isdigit() or len(digits) < 4 or digits[0] == "0":
        return number
    return f"{sign}{int(digits):,}{point}{rest}"


def asked(ask: Ask) -> tuple[str, str]:
    """(what is asked for, the interrogative that fits it)."""
    how = {"date": "언제인가요", "number": "얼마인가요", "amount": "얼마인가요"}.get(ask.type, "무엇인가요")
    if ask.kind == "count":
        return "전체 건수", "몇 건인가요"
    if ask.kind == "count_where":
        return f"{P(ask.by, '이/가')} '{ask.pivot}'인 행의 건수", "몇 건인가요"
    if ask.kind == "each_count":
        return "건수를 모두 더한 값", "몇 건인가요"
    if ask.kind in ("max", "min"):
        if ask.by == ask.label:
            return f"{superlative(ask.kind, ask.by_kind)} {ask.label}", how
        return f"{P(ask.by, '이/가')} {superlative(ask.kind, ask.by_kind)} 행의 {ask.label}", how
    if ask.kind == "each_best":
        return f"그중 {P(ask.by, '이/가')} 가장 큰 행의 {ask.label}", how
    if ask.kind in ("sum", "each_sum"):
        return f"{ask.label}의 합계", how
    if ask.kind == "most_frequent":
        return f"가장 자주 나오는 {ask.label}", how
    if ask.kind == "each_set":
        return f"각각의 {ask.label} 전부", "무엇인가요"
    return ask.label, how


def reply_for(ask: Ask) -> str:
    """The golden final sentence, `{answer}` in it."""
    what, _ = asked(ask)
    if ask.kind == "difference":
        what = f"{ask.label} 차이"
    if ask.kind in ("list", "branch"):
        what = "조회한 값"
    what = what.replace("{", "").replace("}", "")
    return f"{P(what, '은/는')} {{answer}}입니다."


def _fill(form: str, **words: str) -> str:
    """Put words in, each with the particle that its place names."""

    def put(found: re.Match[str]) -> str:
        word, pair = words[found[1]], found[2]
        if not pair:
            return word
        return P(word, pair) if "/" in pair else word + pair

    return re.sub(r"\{(\w+)(?::([^}]+))?\}", put, form)
