"""DART's basic operations (DS001): corporation codes, company overview, disclosure search, original documents."""

from __future__ import annotations

import datetime
from html import escape
from typing import Final

from kopa_hf.sandbox.calendar import compact, parse_compact
from kopa_hf.sandbox.envelopes.base import XML_HEAD, xml_row
from kopa_hf.sandbox.finance.companies import Company, companies
from kopa_hf.sandbox.finance.filings import Filing, filing_by_number, filings_between, filings_of
from kopa_hf.sandbox.finance.forms import asked_company
from kopa_hf.sandbox.query import NO_ROWS, Archive, Handler, Query, Record, RefusedError, Reply, Rows
from kopa_hf.sandbox.world import LAST_DAY, World

_WINDOW: Final = 93
"""Longest search without a company: three months, in days."""
_KINDS: Final = frozenset("ABCDEFGHIJ")


def corp_codes(world: World, query: Query) -> Reply:
    """The ZIP of all corporation codes."""
    return world.table("finance.corp_code_archive", _pack_codes)


def company_order(world: World) -> tuple[Record, ...]:
    """The records of the corporation code list: listed companies by short code first, then all others."""
    ordered = sorted(companies(world), key=lambda c: (not c.listed, c.stock_code, not c.reporting, c.corp_code))
    return tuple(_code_record(company) for company in ordered)


def _pack_codes(world: World) -> Archive:
    rows = "".join(xml_row("list", record) for record in company_order(world))
    return Archive([("CORPCODE.xml", f"{XML_HEAD}\n<result>{rows}</result>".encode())])


def _code_record(company: Company) -> Record:
    return {
        "corp_code": company.corp_code,
        "corp_name": company.name,
        "corp_eng_name": company.english_name,
        # unlisted companies carry one blank, not an empty element
        "stock_code": company.stock_code or " ",
        "modify_date": compact(company.modified_on),
    }


def overview(world: World, query: Query) -> Reply:
    """One company's register data."""
    company = asked_company(world, query)
    if company is None:
        return NO_ROWS
    return Rows.of(
        [
            {
                "corp_code": company.corp_code,
                "corp_name": company.legal_name,
                "corp_name_eng": company.english_name,
                "stock_name": company.name,
                "stock_code": company.stock_code,
                "ceo_nm": company.ceo,
                "corp_cls": company.corp_cls,
                "jurir_no": company.jurir_no,
                "bizr_no": company.bizr_no,
                "adres": company.address,
                "hm_url": company.homepage,
                "ir_url": "",
                "phn_no": company.phone,
                "fax_no": company.fax,
                "induty_code": company.induty_code,
                "est_dt": compact(company.founded),
                "acc_mt": f"{company.closing_month:02d}",
            }
        ]
    )


def search(world: World, query: Query) -> Reply:
    """Disclosure search. Without `bgn_de` only one day is searched, `end_de`; without that, today."""
    last = _day(query, "end_de", LAST_DAY)
    first = _day(query, "bgn_de", last)
    kind = query.get("pblntf_ty")
    if kind and kind not in _KINDS:
        raise RefusedError("value", "pblntf_ty")
    company = None
    if query.get("corp_code"):
        company = asked_company(world, query)
        if company is None:
            return NO_ROWS
        found = tuple(f for f in filings_of(world, company) if first <= f.day <= last)
    elif (last - first).days > _WINDOW:
        raise RefusedError("range", "bgn_de")
    else:
        found = filings_between(world, first, last)
    return Rows.mapped(_sorted(query, [f for f in found if _fits(f, query)]), _search_record)


def _day(query: Query, name: str, default: datetime.date) -> datetime.date:
    text = query.get(name)
    if not text:
        return default
    day = parse_compact(text)
    if day is None:
        raise RefusedError("value", name)
    return day


def _fits(filing: Filing, query: Query) -> bool:
    kind, detail, corp_cls = query.get("pblntf_ty"), query.get("pblntf_detail_ty"), query.get("corp_cls")
    return (
        (not kind or filing.kind == kind)
        and (not detail or filing.detail == detail)
        and (not corp_cls or filing.company.corp_cls == corp_cls)
        and not (filing.superseded and query.get("last_reprt_at") == "Y")
    )


def _sorted(query: Query, filings: list[Filing]) -> list[Filing]:
    order = query.get("sort", "date")
    downward = query.get("sort_mth", "desc") == "desc"
    if order == "crp":
        return sorted(filings, key=lambda f: (f.company.name, f.rcept_no), reverse=downward)
    if order == "rpt":
        return sorted(filings, key=lambda f: (f.title, f.rcept_no), reverse=downward)
    return sorted(filings, key=lambda f: f.rcept_no, reverse=downward)


def _search_record(filing: Filing) -> Record:
    return {
        "corp_code": filing.company.corp_code,
        "corp_name": filing.company.name,
        "stock_code": filing.company.stock_code,
        "corp_cls": filing.company.corp_cls,
        "report_nm": filing.title,
        "rcept_no": filing.rcept_no,
        "flr_nm": filing.filer,
        "rcept_dt": compact(filing.day),
        "rm": filing.remark,
    }


def document(world: World, query: Query) -> Reply:
    """The original document of a filing, or its XBRL: a ZIP with one small file that says what it is."""
    number = query.get("rcept_no")
    filing = filing_by_number(world, number)
    if filing is None or (query.operation == "fnlttXbrl" and filing.kind != "A"):
        raise RefusedError("no_file", "rcept_no")
    title = escape(f"{filing.company.name} {filing.title}")
    body = f"{XML_HEAD}<DOCUMENT><DOCUMENT-NAME>{title}</DOCUMENT-NAME><BODY>샌드박스에서 만든 문서</BODY></DOCUMENT>"
    suffix = "xbrl" if query.operation == "fnlttXbrl" else "xml"
    return Archive([(f"{number}.{suffix}", body.encode())])


HANDLERS: dict[str, Handler] = {
    "corpCode": corp_codes,
    "company": overview,
    "list": search,
    "document": document,
    "fnlttXbrl": document,
}
