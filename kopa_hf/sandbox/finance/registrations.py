"""Registration statements (DS006) and the two grouped pay reports: several titled lists, each with its own columns."""

from __future__ import annotations

from typing import Any, Final

from kopa_hf.sandbox.calendar import hangul
from kopa_hf.sandbox.drawing import Place, draw
from kopa_hf.sandbox.finance.banks import broker
from kopa_hf.sandbox.finance.companies import Company
from kopa_hf.sandbox.finance.filings import Filing, filings_of
from kopa_hf.sandbox.finance.forms import NOTHING, asked_company, asked_window, commas, head
from kopa_hf.sandbox.finance.periodic import LINES, periodic
from kopa_hf.sandbox.finance.prices import price_on
from kopa_hf.sandbox.query import NO_ROWS, Groups, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.world import World

_EQUITY: Final = (
    ("일반사항", "sbd pymd sband asand asstd exstk exprc expd rpt_rcpn"),
    ("증권의종류", "stksen stkcnt fv slprc slta slmthn"),
    ("인수인정보", "actsen actnmn stksen udtcnt udtamt udtprc udtmth"),
    ("자금의사용목적", "se amt"),
    ("매출인에관한사항", "hdr rl_cmp bfsl_hdstk slstk atsl_hdstk"),
)
_RESTRUCTURING: Final = (
    (
        "일반사항",
        "stn bddd ctrd gmtsck_shddstd ap_gmtsck aprskh_pd_bgd aprskh_pd_edd aprskh_prc mgdt_etc rt_vl exevl_int grtmn_etc "
        "rpt_rcpn",
    ),
    ("발행증권", "kndn cnt fv slprc slta"),
    ("당사회사에관한사항", "cmpnm sen tast cpt isstk_knd isstk_cnt"),
)
_GROUPS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "estkRs": (*_EQUITY, ("일반청약자환매청구권", "grtrs exavivr grtcnt expd exprc")),
    "stkdpRs": _EQUITY,
    "bdRs": (
        (
            "일반사항",
            "tm bdnmn slmth fta slta isprc intr isrr rpd print_pymint mngt_cmp cdrt_int sbd pymd sband asand asstd dpcrn "
            "dpcr_amt usarn usntn wnexpl_at udtintnm grt_int grt_amt icmg_mgknd icmg_mgamt estk_exstk estk_exrt estk_exprc "
            "estk_expd rpt_rcpn drcb_at drcb_uast drcb_optknd drcb_mtd",
        ),
        ("인수인정보", "tm actsen actnmn stksen udtcnt udtamt udtprc udtmth"),
        ("자금의사용목적", "tm se amt"),
        ("매출인에관한사항", "tm hdr rl_cmp bfsl_hdstk slstk atsl_hdstk"),
    ),
    "mgRs": _RESTRUCTURING,
    "extrRs": _RESTRUCTURING,
    "dvRs": _RESTRUCTURING,
}

_SELDOM: Final = frozenset(
    [
        "rpt_rcpn",
        "sband",
        "asand",
        "asstd",
        "exstk",
        "exprc",
        "expd",
        "dpcrn",
        "dpcr_amt",
        "usarn",
        "usntn",
        "wnexpl_at",
        "grt_int",
        "grt_amt",
        "icmg_mgknd",
        "icmg_mgamt",
        "estk_exstk",
        "estk_exrt",
        "estk_exprc",
        "estk_expd",
        "drcb_uast",
        "drcb_optknd",
        "drcb_mtd",
        "grtmn_etc",
    ]
)
"""Columns that most statements leave empty."""


def _known(world: World, company: Company, filing: Filing, line: int) -> dict[str, Any]:
    """Columns whose values must agree: amount = price × count, the company itself, invented houses."""
    identity = world.identity("finance", filing.ref[0], "statement", company.index, filing.ref[1])
    measure = world.measure("finance", filing.ref[0], "statement", company.index, filing.ref[1])
    price = price_on(world, company, filing.day)
    count = measure.between(2, 90) * 100_000
    face = measure.between(3, 60) * 10_000_000_000
    rate = f"{measure.between(2_800, 5_900) / 1_000:.3f}"
    return dict.fromkeys(_SELDOM, NOTHING) | {
        "stksen": "보통주",
        "stkcnt": commas(count),
        "kndn": "보통주",
        "cnt": commas(count),
        "fv": commas(company.par_value),
        "slprc": commas(price),
        "slta": commas(face if filing.ref[0] == "bdRs" else price * count),
        "slmthn": identity.choice(("일반공모", "주주배정후 실권주 일반공모")),
        "slmth": "공모",
        "fta": commas(face),
        "isprc": commas(face),
        "intr": rate,
        "isrr": rate,
        "tm": str(identity.between(1, 120)),
        "bdnmn": "무보증사채",
        "rpd": hangul(filing.day.replace(year=filing.day.year + 3, day=min(filing.day.day, 28))),
        "mngt_cmp": broker(identity),
        "udtintnm": broker(identity),
        "cdrt_int": f"{identity.choice(('AA-', 'A+', 'A0', 'BBB+'))}(한결신용평가)",
        "drcb_at": "N",
        "actsen": "대표" if line == 0 else "인수",
        "actnmn": broker(identity),
        "cmpnm": company.name,
        "sen": "존속회사",
        "isstk_knd": "보통주",
        "se": ("운영자금", "시설자금", "채무상환자금")[line % 3],
    }


def registrations(world: World, query: Query) -> Reply:
    """A company's registration statements that were filed in the window, group by group."""
    first, last = asked_window(query)
    company = asked_company(world, query)
    if company is None or query.tool is None:
        return NO_ROWS
    filings = [f for f in filings_of(world, company) if f.ref[0] == query.operation and first <= f.day <= last]
    fields = {field.name: field for field in query.tool.fields}
    groups = []
    for title, names in _GROUPS[query.operation]:
        rows: list[Record] = []
        for filing in filings:
            many = 1 if title == "일반사항" else world.identity("finance", title, filing.rcept_no).between(1, 3)
            for line in range(many):
                known = _known(world, company, filing, line)
                place = Place(
                    world.identity("finance", query.operation, filing.rcept_no, title, line).u64(),
                    world.measure_seed("finance", query.operation, filing.rcept_no, title, line),
                    filing.day,
                    dates="hangul",
                    commas=True,
                    serial=line,
                )
                drawn = {n: known[n] if n in known else draw(fields[n], place) for n in names.split() if n in fields}
                rows.append({**head(company, filing.rcept_no), **drawn})
        groups.append((title, Rows.of(rows)))
    return Groups(tuple(groups))


def grouped_pay(world: World, query: Query) -> Reply:
    """The V2 pay reports: the older pair's people in a group. (The service fills them for reports from May 2026 on.)"""
    old = query.operation.removesuffix("V2")
    reply = periodic(world, Query(old, query.parameters, query.tool))
    return Groups((("개인별 보수현황", reply),)) if isinstance(reply, Rows) and old in LINES else NO_ROWS


HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(_GROUPS, registrations),
    "hmvAuditIndvdlBySttusV2": grouped_pay,
    "indvdlByPayV2": grouped_pay,
}
