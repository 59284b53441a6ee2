r"""Is a given answer the gold one? Typed comparison of values, not of strings.

What counts in a whole answer: the last \boxed{}, else the text after the last
final-answer marker, else the last sentence that holds a value of the kind. More
than one distinct value there is `ambiguous`, so listing candidates never pays.
"""

from __future__ import annotations

import datetime
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from kopa_hf.bench.claims import compare_boolean, compare_no_data
from kopa_hf.bench.items import compare_items
from kopa_hf.bench.quantities import compare_amount, compare_number
from kopa_hf.bench.segments import candidate_texts, plain_latex
from kopa_hf.bench.verdicts import DIFFERENT, EQUAL, IMPOSSIBLE, Context, Verdict, as_text, decide, first_holding
from kopa_hf.values import ValueFailure
from kopa_hf.values.date import in_korean, read_date, read_month, scan_dates, scan_months
from kopa_hf.values.denial import is_denied, is_doubted
from kopa_hf.values.english import is_denied_in_english, is_hedged_in_english
from kopa_hf.values.hangul import hangul_at
from kopa_hf.values.region import is_known_region, read_region, scan_regions
from kopa_hf.values.text import fold_width, normalize_text, squeezed, strip_closing
from kopa_hf.values.time import read_time, scan_times
from kopa_hf.values.unit import unit_at

__all__ = ["KINDS", "Verdict", "compare"]

# 여섯 시 이십 분: minutes in Hangul behind an hour
_MINUTE_WORD: Final = re.compile(r"(?<=시)\s?(?P<word>[일이삼사오육칠팔구십]{1,3})\s?분(?![가-힣]*간|의)")

Check = Callable[[Any, Any, Context], Verdict]

_QUOTES: Final = " \t\n.\"'“”‘’`*「」『』"
_PARTICLE: Final = re.compile(r"(?<=[가-힣A-Za-z0-9)])(?:은|는|이|가)\s+|[:：]\s+|아니(?:라|고)\s+")
# behind a day, a month or a time: the first of several, or a bound; no single one
_RANGE: Final = re.compile(
    r"\s?(?:[~∼〜～]\s?[0-9]|(?:부터|에서)\s?[0-9][^.\n]{0,15}까지|(?:(?:또는|혹은|이나)\s?(?:그\s?)?)?(?:이전|이후|전후)(?![가-힣]*의)"
    r"|(?:과|와|및|[,·]|또는|혹은|이나)\s?(?:[0-9]{1,2}\s?월\s?)?[0-9]{1,2}\s?(?:일(?![간자])|월(?!간)))"
)
# 2026년 3월 2일부터, 쯤, ?: alone behind it, a bound, a guess or a doubt
_OPEN: Final = re.compile(
    r"\s?(?:부터|까지)\s*[.。]?\s*$|\s?(?:쯤|경(?=\s|입니다|이다|[.,)에]|$)|무렵|정도|으로\s?추정|로\s?추정)|\s*[?？]"
)
# 2026년 1월 8일 다음 날, 14:53에서 10분 뒤: what follows moves it, and the day that is meant is never written
_SPAN: Final = (
    r"(?:하루|이틀|사흘|나흘|닷새|엿새|이레|여드레|아흐레|열흘|보름"
    r"|(?:[0-9]{1,4}|한|두|세|석|네|넉|다섯|여섯|일곱|여덟|아홉|열|몇|수)\s?(?:분|시간|일|영업일|주일?|개월|달|년|해))"
)
_MOVED: Final = re.compile(
    r"[*_`'\"’”]{0,3}(?:\s?\([월화수목금토일](?:요일)?\))?(?:의|으?로부터|에서|부터)?\s?(?:(?:그|바로|딱)\s)?"
    r"(?:다음\s?(?:날|달|해|주|일|월)|이튿날|익[일월년](?![가-힣]*하)|전날|직[전후]|[전후뒤](?=에|까지|부터|입니다|이다|임|인\s|\s*[.)}]|\s*$)"
    r"|전(?:일|월|달|년|해)(?=에|의|입니다|이다|인\s|까지|부터|\s*[.)}]|\s*$)"
    rf"|{_SPAN}\s?(?:전|후|뒤|앞|이전|이후|지나|지난|만에)(?!체|국|원|보|자))"
    rf"|[*_`'\"’”]{{0,3}}보다\s?(?:더\s?|약\s?)?(?:앞|뒤|늦|빠르|빠른|빠릅|빨|이르|이른|이릅|일찍|나중|{_SPAN})"
)
# 22:00까지: alone, the one time that closes or opens what was asked for
_EDGE: Final = re.compile(r"\s?(?:까지|부터)(?:입니다|이다)?[.。]?\s*$")
_ABOUT: Final = re.compile(r"(?<![가-힣])(?:약|대략|아마도?|빨라야|빠르면|이르면|늦으면|늦어도)\s*$")
# 강남구(서울특별시): a place, and in brackets where it lies
_BRACKETED: Final = re.compile(r"([가-힣]{1,12}[시군구])\s?\(([가-힣]{2,12})\)")
_PHONE: Final = re.compile(r"(?:\(?\+82\)?[-.]?)?\(?0?[0-9]{1,3}\)?[-.]?[0-9]{3,4}[-.]?[0-9]{4}")
_ROUTE: Final = re.compile(r"([0-9]{1,4}(?:-[0-9]{1,2})?)(?:번(?:버스|노선)?)?")
_HOURS: Final = {
    "한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10, "열한": 11, "열두": 12,
}  # fmt: skip
_HOUR_WORD: Final = re.compile(
    rf"(?<![가-힣])({'|'.join(sorted(_HOURS, key=len, reverse=True))})\s?시(?![가-힣]*간|적|풍)"
)


def compare(kind: str, gold: Any, given: Any, **context: Any) -> Verdict:
    """Compare a given answer with the gold one under a kind.

    kind: number, amount, code, date, month, time, region, text, set, list, boolean, no_data.
    gold, given: text or Python values; `given` may be a whole answer in Korean.
    context: `unit` (the field's unit, e.g. "만원"; an explicit unit beats it), `as_of` (a date or YYYY-MM-DD: a given
    region must bear a name in force that day), `tolerance` (largest difference of numbers, in the field's unit;
    without it they are compared exactly, and what the answer only bounds, guesses or doubts is not equal), `signed`
    (true where the question asks for a negative number if it is the other way: then 3도 낮았습니다 is no 3).
    Of an answer of more than 20,000 characters only the last so many count.
    Never raises: what cannot be read is not equal, with the reason.
    """
    check = _KINDS.get(kind) if isinstance(kind, str) else None
    if check is None:
        return Verdict(False, f"unreadable: unknown kind; there are {', '.join(KINDS)}")
    try:
        return check(gold, given, context)
    except ValueFailure as failure:
        return Verdict(False, _reason(failure))
    except Exception as error:  # noqa: BLE001  # whatever a model wrote or a value's own methods do must end as a verdict
        return Verdict(False, f"unreadable: {type(error).__name__}")


def _reason(failure: ValueFailure) -> str:
    if failure.reason.startswith("ambiguous"):
        return "ambiguous"
    known = ("unreadable", "no_value", "empty")
    return failure.reason if failure.reason.startswith(known) else f"unreadable: {failure.reason}"


def _code(gold: Any, given: Any, context: Context) -> Verdict:
    """Codes are equal sign by sign: 01 is not 1, 1111-0 is not 11110."""
    wanted = fold_width(as_text(gold)).strip()
    if not wanted:
        raise ValueFailure("unreadable: the gold code is empty")
    if not isinstance(given, str):
        return decide(wanted, [fold_width(as_text(given)).strip()])
    shaped = _shape(wanted)
    looks_like_date = any(True for _ in scan_dates(wanted))

    def find(segment: str) -> list[Any]:
        text = fold_width(plain_latex(segment)).strip(_QUOTES)
        if text == wanted or re.fullmatch(r"[A-Za-z0-9_\-./]+", text):
            return [text]
        spans = (
            [] if looks_like_date else [span for _, span in scan_dates(text) if not text[span[0] : span[1]].isdigit()]
        )
        tokens = [m for m in shaped.finditer(text) if not any(start <= m.start() < end for start, end in spans)]
        tokens = [m for m in tokens if not _is_counted(text, m) and not is_denied(text, m.end())]
        tokens = [m for m in tokens if not is_denied_in_english(text, m.start())]
        return [
            IMPOSSIBLE if is_doubted(text, m.end()) or is_hedged_in_english(text, *m.span()) else m.group()
            for m in tokens
        ]

    return decide(wanted, first_holding(given, find), "no code of that shape in the answer")


def _shape(code: str) -> re.Pattern[str]:
    """Codes built alike: as long, digits where digits are, Hangul where Hangul is."""
    classes = "".join(
        "[0-9]"
        if c.isdigit()
        else "[A-Za-z]"
        if c.isascii() and c.isalpha()
        else "[가-힣]"
        if "가" <= c <= "힣"
        else re.escape(c)
        for c in code[:200]
    )
    return re.compile(rf"(?<![A-Za-z0-9_])(?<![A-Za-z0-9][-.,]){classes}(?![A-Za-z0-9_]|[-.,][A-Za-z0-9])")


def _is_counted(text: str, match: re.Match[str]) -> bool:
    """11110명 is a number of people, and 2026년 a year; 호 and 번 may follow a code."""
    unit = (
        unit_at(text, match.end())
        if match.group().isdigit() and not text[match.end() : match.end() + 1].isspace()
        else None
    )
    return unit is not None and unit.base not in ("호", "회", "조", "항")


def _dated(read: Callable[[str], Any], scan: Callable[[str], Iterable[tuple[Any, Any]]]) -> Check:
    def check(gold: Any, given: Any, context: Context) -> Verdict:
        wanted = read(as_text(gold))

        def find(segment: str) -> list[Any]:
            text = in_korean(plain_latex(segment))
            try:
                return [read(text)]
            except ValueFailure:
                folded = fold_width(text)
                found = []
                for value, (start, end) in scan(folded):
                    if is_denied(folded, end) or is_denied_in_english(folded, start):
                        continue
                    found.append(IMPOSSIBLE if value is None else value)
                    if _is_open(folded, start, end):
                        found.append(IMPOSSIBLE)
                return found

        return decide(wanted, first_holding(given, find))

    return check


def _is_open(text: str, start: int, end: int) -> bool:
    """Whether the day or time at [start, end) is the first of several, a bound, a guess or only where one counts from."""
    behind = any(pattern.match(text, end) for pattern in (_RANGE, _OPEN, _MOVED))
    if behind or is_hedged_in_english(text, start, end, moment=True):
        return True
    return is_doubted(text, end) or bool(_ABOUT.search(text[max(0, start - 8) : start]))


Moment = tuple[datetime.date | None, datetime.time]


def _time(gold: Any, given: Any, context: Context) -> Verdict:
    """Times of day; where both sides name the day it must be the same, so 4월 23일 24:00 is 4월 24일 00:00."""
    golden = _moments(_clock_text(gold))
    if len(golden) != 1 or golden[0] is IMPOSSIBLE:
        raise ValueFailure("unreadable: the gold value is no time")
    day, clock = golden[0]

    def find(segment: str) -> list[Any]:
        text = _HOUR_WORD.sub(lambda word: f"{_HOURS[word[1]]}시", plain_latex(segment))
        text = _MINUTE_WORD.sub(_minute, text)
        moments = _moments(text)
        return [m if m is IMPOSSIBLE or (day is not None and m[0] is not None) else (day, m[1]) for m in moments]

    text = given if isinstance(given, str) else _clock_text(given)
    return decide((day, clock), first_holding(text, find))


def _minute(match: re.Match[str]) -> str:
    """이십 분 as 20분."""
    numeral = hangul_at(match["word"], 0)
    return f" {numeral[0]}분" if numeral and numeral[1] == len(match["word"]) else match[0]


def _clock_text(value: Any) -> str:
    """An int of a HHMM field has lost its leading zeros: 400 is 04:00."""
    return (
        str(value).zfill(4)
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2400
        else as_text(value)
    )


def _moments(text: str) -> list[Any]:
    try:
        return [(None, read_time(_EDGE.sub("", text) if len(text) <= 40 else text))]
    except ValueFailure:
        folded = fold_width(text)
    found: list[Any] = []
    covered: list[tuple[int, int]] = []
    dates = list(scan_dates(folded))
    for day, (start, end) in dates:
        covered.append((start, end))
        if is_denied(folded, end):
            continue
        times = [time for time, _ in scan_times(folded[start + 8 : end])]
        if times:
            found.append(IMPOSSIBLE if day is None or times[-1] is None else (day, times[-1]))
            if _MOVED.match(folded, end) or is_doubted(folded, end):
                found.append(IMPOSSIBLE)
    for time, (start, stop) in scan_times(folded):
        before = bisect_right(covered, (start, len(folded))) - 1  # the last date that begins no later
        last = covered[before][1] if before >= 0 else 0
        if start < last or is_denied(folded, stop) or is_denied_in_english(folded, start):
            continue
        if _is_open(folded, start, stop):
            found.append(IMPOSSIBLE)
        day = dates[before][0] if before >= 0 and not folded[last:start].strip() else None
        found.append(IMPOSSIBLE if time is None else (day, time))
    return found


def _region(gold: Any, given: Any, context: Context) -> Verdict:
    as_of = context.get("as_of")
    if isinstance(as_of, datetime.datetime):
        as_of = as_of.date()
    elif as_of is not None and not isinstance(as_of, datetime.date):
        as_of = read_date(as_text(as_of))
    golden = as_text(gold)
    wanted = read_region(golden)
    if not is_known_region(golden):
        return _plain_text(gold, given, context)

    def find(segment: str) -> list[Any]:
        text = _BRACKETED.sub(_outer_first, plain_latex(segment))
        if is_known_region(strip_closing(text).strip(_QUOTES)):
            return [read_region(text, as_of)]
        return list(scan_regions(text, as_of))

    found = first_holding(given, find)
    failures = [value for value in found if isinstance(value, ValueFailure)]
    if failures:
        raise failures[0]
    return decide(wanted, found, "no known region in the answer")


def _outer_first(match: re.Match[str]) -> str:
    """강남구(서울특별시) as 서울특별시 강남구, where there is such a place."""
    turned = f"{match[2]} {match[1]}"
    return turned if is_known_region(turned) else match[0]


def _plain_text(gold: Any, given: Any, context: Context) -> Verdict:
    wanted = squeezed(as_text(gold))
    if not wanted:
        raise ValueFailure("unreadable: the gold text is empty")
    segment = next(candidate_texts(as_text(given)), "")
    if not segment.strip():
        return Verdict(False, "empty")
    said = {squeezed(statement) for statement in _statements(segment)}
    return EQUAL if wanted in said or _same_number(wanted, said) else DIFFERENT


def _same_number(wanted: str, said: Iterable[str]) -> bool:
    """02)2133-1234 for 02-2133-1234, 273번 for 273: a telephone or a route, as people write them."""
    if _PHONE.fullmatch(wanted) and wanted.strip("(").startswith("0") and re.search(r"[-)]", wanted):
        digits = _digits(wanted)
        return any(_PHONE.fullmatch(text) and _digits(text) == digits for text in map(fold_width, said))
    route = _ROUTE.fullmatch(wanted)
    return route is not None and any(
        found is not None and found[1] == route[1] for found in (_ROUTE.fullmatch(fold_width(text)) for text in said)
    )


def _digits(phone: str) -> str:
    """The digits of a telephone number, with 0 for the country's +82."""
    return re.sub(r"[^0-9]", "", re.sub(r"^\(?\+82\)?[-.]?\(?0?", "0", phone))


def _statements(segment: str) -> Iterator[str]:
    """A segment as it stands, without its ending, and what it says of its topic: 대표자는 김가온입니다 → 김가온."""
    for form in dict.fromkeys((segment, plain_latex(segment))):
        text = normalize_text(form).strip(_QUOTES)
        bare = strip_closing(text).strip(_QUOTES)
        yield from (form, text, bare)
        for particle in list(_PARTICLE.finditer(bare[:2000]))[:20]:
            yield bare[particle.end() :].strip(_QUOTES)


_KINDS: Final[dict[str, Check]] = {
    "number": compare_number,
    "amount": compare_amount,
    "code": _code,
    "date": _dated(read_date, scan_dates),
    "month": _dated(read_month, scan_months),
    "time": _time,
    "region": _region,
    "text": _plain_text,
    "set": compare_items(ordered=False),
    "list": compare_items(ordered=True),
    "boolean": compare_boolean,
    "no_data": compare_no_data,
}
KINDS: Final[tuple[str, ...]] = tuple(_KINDS)
"""Every kind of comparison."""
