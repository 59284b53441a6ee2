"""How DART prints things: Korean dates, thousands separators, a dash for nothing."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Final

from kopa_hf.catalog.tool import Tool
from kopa_hf.sandbox.calendar import parse_compact
from kopa_hf.sandbox.finance.companies import Company, company_by_code
from kopa_hf.sandbox.finance.filings import REPORTS, receipt_of
from kopa_hf.sandbox.query import Query, Record, RefusedError
from kopa_hf.sandbox.world import World

NOTHING: Final = "-"


def commas(number: int) -> str:
    """1,234,567."""
    return f"{number:,}"


def dash_if_zero(number: int) -> str:
    """An amount, or a dash where there is none."""
    return f"{number:,}" if number else NOTHING


def percent(part: int, whole: int) -> str:
    """A share in percent with two decimals."""
    return f"{part * 100 / whole:.2f}" if whole else "0.00"


def asked_company(world: World, query: Query) -> Company | None:
    """The company of `corp_code`; None for a number that nobody has."""
    return company_by_code(world, query.get("corp_code"))


def asked_window(query: Query) -> tuple[datetime.date, datetime.date]:
    """`bgn_de` and `end_de` of a material-event query; both are required there."""
    first, last = parse_compact(query.get("bgn_de")), parse_compact(query.get("end_de"))
    if first is None or last is None:
        raise RefusedError("value", "bgn_de" if first is None else "end_de")
    return first, last


def asked_report(query: Query) -> tuple[int, str]:
    """`bsns_year` and `reprt_code`."""
    year, code = query.get("bsns_year"), query.get("reprt_code")
    if len(year) != 4 or not year.isascii() or not year.isdigit():
        raise RefusedError("value", "bsns_year")
    if code not in REPORTS:
        raise RefusedError("value", "reprt_code")
    return int(year), code


def closing_day(year: int, code: str) -> datetime.date:
    """Last day of the period that a report covers."""
    month = REPORTS[code][1]
    return datetime.date(year, month, 30 if month in (6, 9) else 31)


def report_receipt(world: World, company: Company, year: int, code: str) -> str | None:
    """Receipt number of a periodic report; None where it was not filed."""
    return receipt_of(world, company, ("report", year, code))


def head(company: Company, rcept_no: str) -> Record:
    """The four columns that open most records."""
    return {
        "rcept_no": rcept_no,
        "corp_cls": company.corp_cls,
        "corp_code": company.corp_code,
        "corp_name": company.name,
    }


def in_order(tool: Tool | None, values: Mapping[str, Any]) -> Record:
    """A record in the order of the signature; documented columns without a value print a dash."""
    if tool is None:
        return dict(values)
    return {field.name: values.get(field.name, NOTHING) for field in tool.fields}
