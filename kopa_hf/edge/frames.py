"""Frames of Korean questions: openings, links, bodies and closings, by register, as data.

A frame of a question is one opening with one body and one closing; places in braces
are filled by `edge.phrasing`, `{x:을/를}` with the particle that fits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

REGISTERS: Final[tuple[str, ...]] = ("formal", "polite", "plain", "written")
"""하십시오, 해요, 해, 하시오: what a closing is written in."""


@dataclass(frozen=True, slots=True)
class Form:
    """One wording of one part."""

    text: str
    register: str = ""
    """Empty: fits any register."""


def _forms(register: str, *texts: str) -> tuple[Form, ...]:
    return tuple(Form(text, register) for text in texts)


OPENINGS: Final[tuple[Form, ...]] = (
    *_forms(
        "",
        "{platform}의 {source}에서 {rest}",
        "{source}({platform})에서 {rest}",
        "{platform} {source}에서 {rest}",
        "{platform:이/가} 공개한 {source}에서 {rest}",
        "{platform}에서 제공하는 {source:을/를} 토대로 {rest}",
        "{platform}에 나와 있는 {source}에서 {rest}",
        "{platform}에 올라온 {source:을/를} 바탕으로 {rest}",
        "{platform}에 있는 {source:으로/로} 볼 때 {rest}",
        "{platform:이/가} 내놓은 {source}에서 {rest}",
        "{platform}의 {source:을/를} 살펴보고 {rest}",
    ),
    *_forms(
        "formal",
        "문의드립니다. {platform}의 {source}에서 {rest}",
        "{platform} 자료를 조사하고 있습니다. {source}에서 {rest}",
    ),
    *_forms(
        "polite",
        "{platform} 자료를 보고 있는데요, {source}에서 {rest}",
        "궁금한 게 있어요. {platform}의 {source}에서 {rest}",
    ),
    *_forms(
        "plain", "{platform} 자료를 보는 중인데, {source}에서 {rest}", "{platform} {source} 좀 봐 줘. 거기서 {rest}"
    ),
    *_forms(
        "written", "{platform}의 {source:을/를} 이용하여 {rest}", "{platform}의 {source:을/를} 보고 답하시오. {rest}"
    ),
)
"""Where to look first. The last of them end a sentence, so what follows must stand alone."""

LINKS_ONE: Final[tuple[str, ...]] = (
    "{entity:을/를} 찾아 그 {noun}의 {source}에서",
    "{entity:을/를} 찾은 다음 그 {noun}에 대한 {source}에서",
    "{entity:을/를} 확인하고, 이어서 그 {noun}에 관한 {source}에서",
    "{entity}에 대해 {source}에서",
    "{entity:을/를} 고르고 그 {noun}에 관한 {source}에서",
    "{entity:을/를} 찾고 그 {noun}의 {source}에서",
)
"""On to the next data, and that it is about what was just found: without that a question has a second reading."""
LINKS_FOUND: Final[tuple[str, ...]] = (
    *LINKS_ONE,
    "{entity:이/가} {which}인지 확인한 뒤 그 {noun}의 {source}에서",
    "{entity:을/를} 알아낸 뒤 그 {noun}의 {source}에서",
)
"""The same where the question does not call the thing by its name already."""
LINKS_EACH: Final[tuple[str, ...]] = (
    "{entity:을/를} 모두 찾아 {noun}별로 {source}에서 확인한",
    "{entity:을/를} 빠짐없이 찾고 각 {noun}의 {source}에 나온",
    "{entity:을/를} 모두 고른 뒤 {noun}마다 {source}에서 찾은",
    "{entity} 전부에 대해 {noun}별로 {source}에서 확인한",
    "{entity:을/를} 모두 확인하고 {noun}별로 {source}에 나온",
    "{entity:을/를} 하나도 빠짐없이 찾아 각 {noun}의 {source}에서 본",
)
THERE: Final[tuple[str, ...]] = ("거기에 나온", "그 자료에 있는", "그 결과에 나오는", "조회된")
MOST: Final[tuple[str, ...]] = ("가장 자주 나오는", "가장 많이 나오는", "가장 여러 번 나오는")

VERBS: Final[tuple[Form, ...]] = (
    *_forms(
        "formal", "알려 주십시오.", "확인해 주십시오.", "찾아 주시기 바랍니다.", "답해 주십시오.", "알고 싶습니다."
    ),
    *_forms("polite", "알려 주세요.", "확인해 주세요.", "찾아 주세요.", "알려 주시겠어요?", "알고 싶어요."),
    *_forms("plain", "알려 줘.", "찾아 줘.", "확인해 줘.", "알려 줄래?", "알고 싶어."),
    *_forms("written", "구하시오.", "쓰시오.", "밝히시오.", "답하시오."),
)
QUESTIONS: Final[tuple[Form, ...]] = (
    *_forms("formal", "{what:은/는} {wh}입니까?", "{what:이/가} {wh}인지 궁금합니다.", "{what:은/는} {wh}인지요?"),
    *_forms("polite", "{what:은/는} {wh}인가요?", "{what:이/가} {wh}인지 궁금해요.", "{what:은/는} {wh}일까요?"),
    *_forms("plain", "{what:은/는} {wh_plain}?", "{what:이/가} {wh}인지 궁금해.", "{what:은/는} {wh}인지 말해 줘."),
    *_forms("written", "{what:은/는} {wh}인가?", "{what:은/는} {wh}인지 적으시오."),
)

CLOSINGS: Final[tuple[Form, ...]] = (
    *(Form(f"{{what:을/를}} {verb.text}", verb.register) for verb in VERBS),
    *(Form(f"{{what:이/가}} {{wh}}인지 {verb.text}", verb.register) for verb in VERBS),
    *QUESTIONS,
)
"""What is asked; `{wh}` is its question word."""

PAIRS: Final[tuple[str, ...]] = (
    "{pair:을/를} 차례로 {verb}",
    "{pair:을/를} 이 순서대로 {verb}",
    "{pair:을/를} 순서대로 {verb}",
    "{pair:이/가} 각각 {wh}인지 순서대로 {verb}",
    "{pair:이/가} {wh}인지 차례대로 {verb}",
)
SHARED: Final[tuple[str, ...]] = (
    "{entity:을/를} 찾아 그 {noun}의 {pair}",
    "{entity}에 대해 {pair}",
    "{entity:을/를} 확인한 뒤 그 {noun}에 관한 {pair}",
    "{entity:을/를} 고르고, 그 {noun}에 대한 {pair}",
)
COMPARED: Final[tuple[str, ...]] = (
    "{said} {pair} 두 {noun:을/를} 찾아 {source}에서 비교할 때 {terms} {label} 차이",
    "{said} {pair} 두 {noun}의 {source}에서 {terms} {label} 차이",
    "{said} {pair:을/를} 각각 찾고 {source}에서 확인한 {terms} {label}의 차이",
    "{said} {pair} 각각에 대해 {source}에서 본 {terms} {label} 차이",
)
DAYS: Final[tuple[str, ...]] = (
    "{column:이/가} '{name}'인 {noun}의 {first:과/와} {second} 사이 {label} 차이",
    "{first:과/와} {second}의 {column} '{name}' {label} 차이",
    "{column} '{name}'의 {label:을/를} {first:과/와} {second}에 대해 비교했을 때 그 차이",
    "{first:과/와} {second} 두 날짜를 비교했을 때 {column:이/가} '{name}'인 {noun}의 {label} 차이",
)
BRANCHES: Final[tuple[str, ...]] = (
    "{what}의 {label:이/가} {bound} 이상이면 {left:을/를}, 그렇지 않으면 {right:을/를} {verb}",
    "{what:을/를} 찾아 {label:이/가} {bound} 이상이면 {left:을/를}, 미만이면 {right:을/를} {verb}",
    "{what}의 {label:이/가} {bound} 미만이면 {right:을/를}, 그 이상이면 {left:을/를} {verb}",
    "{what}의 {label:이/가} {bound} 이상인 경우에는 {left:을/를}, 그 밖의 경우에는 {right:을/를} {verb}",
    "{what:을/를} 확인해서 {label:이/가} {bound}에 못 미치면 {right:을/를}, 그 이상이면 {left:을/를} {verb}",
    "{what}의 {label:이/가} {bound} 이상인지 보고, 맞으면 {left:을/를}, 아니면 {right:을/를} {verb}",
)
FORKS: Final[tuple[str, ...]] = (
    "{what:이/가} {bound} 이상이면 {left:을/를}, 그렇지 않으면 {right:을/를} {verb}",
    "{what:을/를} 보고, 그 값이 {bound} 이상이면 {left:을/를}, 미만이면 {right:을/를} {verb}",
    "{what:이/가} {bound} 미만이면 {right:을/를}, 그 이상이면 {left:을/를} {verb}",
    "{what:이/가} {bound} 이상인 경우에는 {left:을/를}, 그 밖의 경우에는 {right:을/를} {verb}",
    "{what:이/가} {bound}에 못 미치면 {right:을/를}, 그 이상이면 {left:을/를} {verb}",
    "{what:이/가} {bound} 이상인지 보고, 맞으면 {left:을/를}, 아니면 {right:을/를} {verb}",
)
CONTRASTS: Final[tuple[str, ...]] = (
    "{said} {pair}의 {asked} 차이",
    "{said} {pair:을/를} 비교했을 때 {asked}의 차이",
    "{said} {pair} 사이의 {asked} 차이",
)
LARGER: Final[tuple[str, ...]] = (
    "{said} {pair}의 {asked} 가운데 더 큰 값",
    "{said} {pair:을/를} 비교했을 때 {asked} 중 더 큰 값",
    "{said} {pair} 각각의 {asked} 중 더 큰 값",
)
SUMS: Final[tuple[str, ...]] = ("{pair:을/를} 더한 값", "{pair:을/를} 합친 값")
GAPS: Final[tuple[str, ...]] = ("{pair}의 차이", "{pair:을/를} 비교했을 때 그 차이", "{pair} 사이의 차이")

FOR_ALL: Final[dict[str, str]] = {
    "formal": "{all} 자료 모두 {shared} 자료만 대상으로 합니다.",
    "polite": "{all} 자료 모두 {shared} 자료만 봐 주세요.",
    "plain": "{all} 자료 모두 {shared} 자료만 봐 줘.",
    "written": "단, {all} 자료 모두 {shared} 자료만 대상으로 한다.",
}
"""What holds for all data of a question, by register; a sentence of its own, so that nobody reads it of one alone."""
REPLIES: Final[tuple[str, ...]] = (
    "{what:은/는} {answer}입니다.",
    "조회한 결과 {what:은/는} {answer}입니다.",
    "확인해 보니 {what:은/는} {answer}입니다.",
    "{what:은/는} {answer:으로/로} 나옵니다.",
    "{what:은/는} {answer:으로/로} 확인됩니다.",
    "자료에 따르면 {what:은/는} {answer}입니다.",
    "찾으신 {what:은/는} {answer}입니다.",
    "답은 {answer}입니다.",
)
"""Golden final sentences; `{answer}` is filled when a row is made."""
