"""Laws in full: basic facts, articles, addenda, annexes; and single articles."""

from __future__ import annotations

from typing import Any, Final

from kopa_hf.sandbox.envelopes.law_layout import one_or_many
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, RefusedError, Rows
from kopa_hf.sandbox.statutes.annexes import annexes_of
from kopa_hf.sandbox.statutes.articles import (
    Article,
    articles_of,
    find_article,
    head_of,
    label_of,
    touched_by,
    unit_of,
)
from kopa_hf.sandbox.statutes.english import english_articles, english_name
from kopa_hf.sandbox.statutes.law_lists import law_of, translated, viewed
from kopa_hf.sandbox.statutes.laws import ACT, DECREE, Edition, edition_by_mst
from kopa_hf.sandbox.statutes.listing import single
from kopa_hf.sandbox.statutes.wording import spoken_day
from kopa_hf.sandbox.world import World

_CODES: Final = {ACT: "A0002", DECREE: "A0007"}
_DIVISIONS: Final = ("정책과", "제도과", "운영과", "지원과", "안전과", "총괄과")


def basics(world: World, edition: Edition) -> Record:
    """The block of basic facts, opened: every column that law, eflaw and the articles' services share."""
    law = edition.law
    division, phone = office_of(world, edition)
    return {
        "법령ID": law.law_id,
        "공포일자": edition.promulgated,
        "공포번호": edition.number,
        "언어": "한글",
        "법종구분": law.kind,
        "법종구분코드": _CODES.get(law.level, "A0009"),
        "법령명_한글": law.name,
        "법령명_한자": law.name,
        "법령명약칭": law.abbreviation,
        "제명변경여부": "N",
        "한글법령여부": "Y",
        "편장절관": "13010000",
        "소관부처": law.ministry.name,
        "소관부처코드": law.ministry.code,
        "전화번호": phone,
        "시행일자": edition.effective,
        "제개정구분": edition.change,
        "별표편집여부": "N",
        "공포법령여부": "Y",
        "연락부서": {
            "부서단위": {
                "부서키": f"{law.ministry.code}{law.index % 90 + 10}",
                "소관부처명": law.ministry.name,
                "소관부처코드": law.ministry.code,
                "부서명": division,
                "부서연락처": phone,
            }
        },
    }


def office_of(world: World, edition: Edition) -> tuple[str, str]:
    """(division, telephone) in charge of a law."""
    stream = world.identity("statutes", "office", edition.law.index)
    return edition.law.subject + stream.choice(_DIVISIONS), f"044-200-{stream.between(1000, 9999)}"


def body(world: World, edition: Edition, only: str = "") -> Record | None:
    """The law in full, or (with a six-digit key) with one article."""
    articles = articles_of(world, edition)
    record = basics(world, edition)
    if only:
        article = find_article(world, edition, only)
        if article is None:
            return None
        unit = unit_of(edition, article)
        return {**_plain(unit), **record, "조문": {"조문단위": unit}}
    record["조문"] = {"조문단위": _units(edition, articles)}
    record["부칙"] = {"부칙단위": one_or_many([_addendum(e) for e in edition.law.editions[: edition.ordinal + 1]])}
    record["별표"] = {"별표단위": one_or_many([annex.unit() for annex in annexes_of(world, edition)])}
    record["개정문"] = {"개정문내용": [_amending_text(world, edition)]}
    record["제개정이유"] = {"제개정이유내용": [_reason(world, edition)]}
    return record


def _plain(unit: dict[str, Any]) -> Record:
    return {name: value for name, value in unit.items() if not isinstance(value, dict | list)}


def _units(edition: Edition, articles: tuple[Article, ...]) -> list[dict[str, Any]]:
    units: list[dict[str, Any]] = []
    if edition.law.level == ACT:
        units.append(_heading("0001000", "1", "제1장 총칙", edition))
    for article in articles:
        if edition.law.level == ACT and article.title == "권한의 위임":
            units.append(_heading(f"{article.key[:4]}000", str(article.number), "제2장 보칙", edition))
        units.append(unit_of(edition, article))
    return units


def _heading(key: str, number: str, text: str, edition: Edition) -> dict[str, Any]:
    return {
        "조문키": key,
        "조문번호": number,
        "조문여부": "전문",
        "조문시행일자": edition.effective,
        "조문이동이전": "",
        "조문이동이후": "",
        "조문변경여부": "N",
        "조문내용": text,
    }


def _addendum(edition: Edition) -> dict[str, Any]:
    day = edition.promulgated
    spoken = f"{day[:4]}.{int(day[4:6])}.{int(day[6:])}"
    started = edition.effective
    when = "공포한 날부터 시행한다." if started == day else f"{spoken_day(started)}부터 시행한다."
    word = {"법률": "이 법은", "대통령령": "이 영은"}.get(edition.law.level, "이 규칙은")
    lines = [f"부칙 <제{edition.number}호,{spoken}>", f"제1조(시행일) {word} {when}"]
    if edition.ordinal and edition.ordinal % 3 == 0:
        lines.append("제2조(경과조치) 종전의 규정에 따라 한 등록은 개정된 규정에 따른 등록으로 본다.")
    return {
        "부칙키": f"{day}{edition.number}",
        "부칙공포일자": day,
        "부칙공포번호": edition.number,
        "부칙내용": [lines],
    }


def _amending_text(world: World, edition: Edition) -> list[str]:
    law = edition.law
    if edition.ordinal == 0:
        return [f"{law.name}을(를) 다음과 같이 제정한다.".replace("을(를)", "을" if _closed(law.name) else "를")]
    labels = ", ".join(a.label for a in touched_by(world, edition))
    return [
        f"⊙{law.kind} 제{edition.number}호",
        f"{law.name} 일부를 다음과 같이 개정한다.",
        f"{labels}를 다음과 같이 한다.",
    ]


def _reason(world: World, edition: Edition) -> list[str]:
    law = edition.law
    if edition.ordinal == 0:
        return ["◇ 제정이유", f"{law.subject}에 관한 제도의 근거를 마련하려는 것임."]
    titles = ", ".join(a.title for a in touched_by(world, edition)) or "용어"
    return [
        "◇ 개정이유",
        f"{law.subject}의 운영 과정에서 나타난 미비점을 고치기 위하여 {titles}에 관한 사항을 정비하려는 것임.",
    ]


def _closed(word: str) -> bool:
    return (ord(word[-1]) - 0xAC00) % 28 > 0


# handlers


def _law(world: World, query: Query) -> Rows:
    edition = law_of(world, query)
    if edition is None:
        return NO_ROWS
    return _given(body(world, edition, query.get("JO")), query)


def _effective(world: World, query: Query) -> Rows:
    """A serial number wants the very day of effect beside it; else comes the page for data not applied for."""
    edition = edition_by_mst(world).get(query.get("MST"))
    if edition is not None and query.get("efYd") != edition.effective:
        raise RefusedError("no_file", "efYd")
    return _law(world, query)


def _given(record: Record | None, query: Query) -> Rows:
    """A record with the columns that the signature lists; those that the world does not know are empty.

    What the adapter lifts out of a single article is always there.
    """
    if record is None or query.tool is None:
        return single(record)
    unit = record["조문"]["조문단위"]
    lifted = _plain(unit) if isinstance(unit, dict) else {}
    return single({**lifted, **{f.name: record.get(f.name, "") for f in query.tool.fields}})


def _article(world: World, query: Query) -> Rows:
    """One article, cut down to the paragraph or item that is asked for."""
    if query.operation.endswith("eflawjosub") and query.get("MST") and not query.get("efYd"):
        return NO_ROWS
    edition = law_of(world, query)
    record = body(world, edition, query.get("JO")) if edition is not None and query.get("JO") else None
    if record is None:
        return NO_ROWS
    unit = dict(record["조문"]["조문단위"])
    for name, number in (("항", "HANG"), ("호", "HO")):
        if wanted := query.get(number):
            unit = _cut(unit, name, int(wanted[:4]) if wanted.isdigit() else 0)
    record = {**record, "조문": {"조문단위": unit}}
    return _given(record, query)


def _cut(unit: dict[str, Any], name: str, number: int) -> dict[str, Any]:
    """An article with only the n-th 항, or only the n-th 호 of each 항."""
    inside = unit.get("항")
    blocks = inside if isinstance(inside, list) else [inside] if inside else []
    if name == "항":
        kept = blocks[number - 1 : number]
    else:
        kept = []
        for block in blocks:
            items = block.get("호", [])
            items = items if isinstance(items, list) else [items]
            if items[number - 1 : number]:
                kept.append({**block, "호": items[number - 1]})
    rest = {n: v for n, v in unit.items() if n != "항"}
    return {**rest, "항": one_or_many(kept)} if kept else rest


def _english(world: World, query: Query) -> Rows:
    edition = law_of(world, query)
    if edition is None or edition.law.current not in translated(world):
        return NO_ROWS
    return single(
        {
            "lsNmEng": english_name(edition.law),
            "lsNmKor": edition.law.name,
            "ancYd": edition.promulgated,
            "JoSection": {"Jo": english_articles(edition, articles_of(world, edition))},
        }
    )


def _one_view(world: World, query: Query) -> Rows:
    """One row per article that the pictures explain."""
    edition = law_of(world, query)
    if edition is None or edition not in viewed(world):
        return NO_ROWS
    articles = articles_of(world, edition)[1 : 2 + int(edition.law.law_id) % 4]
    wanted = query.get("JO")
    rows = []
    for position, article in enumerate(a for a in articles if not wanted or a.key == wanted):
        rows.append(
            {
                "패턴일련번호": str(700_000 + edition.law.index * 8 + position),
                "법령일련번호": edition.mst,
                "법령명": edition.law.name,
                "공포일자": edition.promulgated,
                "공포번호": edition.number,
                "조문시행일자": edition.effective,
                "최초제공일자": edition.effective,
                "조번호": article.key[:4],
                "조제목": article.title,
                "콘텐츠제목": f"그림으로 보는 {article.title}",
                "링크텍스트": head_of(article),
                "링크URL": f"https://www.law.go.kr/LSW/lsSideInfoP.do?lsiSeq={edition.mst}&joNo={article.key[:4]}",
            }
        )
    return Rows.of(rows)


HANDLERS: Final[dict[str, Handler]] = {
    "lawService/law": _law,
    "lawService/eflaw": _effective,
    "lawService/lawjosub": _article,
    "lawService/eflawjosub": _article,
    "lawService/elaw": _english,
    "lawService/oneview": _one_view,
}

__all__ = ["HANDLERS", "basics", "body", "label_of", "office_of"]
