"""Answers of operations that nobody modelled by hand, generated from their signature.

Each operation has a base entity and a time axis: DART's hang on companies and their filings,
KRX's on instruments and trading days, the others are lists whose parameters filter as their
type says (`sandbox.listing`). How many records there are follows a long-tailed distribution.
"""

from __future__ import annotations

import datetime
from typing import Any

from kopa_hf.catalog.tool import Tool
from kopa_hf.sandbox.calendar import parse_compact, trading_index
from kopa_hf.sandbox.drawing import Place, day_between, draw, kind_of
from kopa_hf.sandbox.finance.companies import Company, company_by_code
from kopa_hf.sandbox.finance.events import EVENT_KINDS, events_of
from kopa_hf.sandbox.finance.filings import receipt_of
from kopa_hf.sandbox.listing import answer_listing
from kopa_hf.sandbox.query import NO_ROWS, Groups, Query, Record, RefusedError, Reply, Rows
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.world import World


def answer_from_signature(world: World, query: Query) -> Reply:
    """Rows for `query.tool`; none for a tool whose fields are unknown."""
    tool = query.tool
    if tool is None or not tool.fields:
        return NO_ROWS
    if tool.wire == "dart":
        return _dart(world, query, tool)
    if tool.wire == "krx":
        return _krx(world, query, tool)
    return answer_listing(world, query, tool)


# DART


def _dart(world: World, query: Query, tool: Tool) -> Reply:
    code = query.get("corp_code")
    if not code:
        return answer_listing(world, query, tool)
    company = company_by_code(world, code)
    if company is None:
        return NO_ROWS
    if query.get("bgn_de") or query.get("end_de"):
        return _reported_events(world, query, tool, company)
    return _reported_rows(world, query, tool, company)


def _reported_events(world: World, query: Query, tool: Tool, company: Company) -> Reply:
    first, last = parse_compact(query.get("bgn_de")), parse_compact(query.get("end_de"))
    if first is None or last is None:
        raise RefusedError("value", "bgn_de" if first is None else "end_de")
    found: list[Record] = []
    for event in _events(world, tool, company):
        if first <= event[1] <= last:
            found.append(_record(world, tool, company, *event, dates="hangul"))
    if tool.endpoint.response_kind != "group":
        return Rows.of(found)
    return Groups(tuple((title, Rows.of(found)) for title in ("일반사항", "증권의종류"))) if found else NO_ROWS


def _events(world: World, tool: Tool, company: Company) -> list[tuple[int, datetime.date, str]]:
    """(number, day, receipt number) of what a company reported under an operation."""
    operation = tool.endpoint.operation
    if operation in EVENT_KINDS:
        events = [e for e in events_of(world, company) if e.operation == operation]
        return [(e.number, e.decided_on, receipt_of(world, company, (operation, e.number, "")) or "-") for e in events]
    stream = world.identity("tail", operation, company.index)
    if not company.reporting or not stream.chance(0.2):
        return []
    day = day_between(stream, datetime.date(2023, 6, 1))
    return [(0, day, f"{day:%Y%m%d}{stream.between(100000, 899999)}")]


def _reported_rows(world: World, query: Query, tool: Tool, company: Company) -> Reply:
    if not company.reporting:
        return NO_ROWS
    year, report = query.get("bsns_year"), query.get("reprt_code")
    stream = world.identity("tail", tool.endpoint.operation, company.index)
    if year:
        if not year.isdigit():
            raise RefusedError("value", "bsns_year")
        receipt = receipt_of(world, company, ("report", int(year), report))
        if receipt is None:
            return NO_ROWS
        stream = world.identity("tail", tool.endpoint.operation, company.index, year, report)
    else:
        receipt = "-"
    if not stream.chance(0.8):
        return NO_ROWS
    count = stream.octave(1, 12)
    days = [day_between(stream, datetime.date(2023, 1, 2)) for _ in range(count)]
    if receipt != "-":
        days = [parse_compact(receipt[:8]) or days[0]] * count
    rows = [_record(world, tool, company, i, days[i], receipt, year=year, report=report) for i in range(count)]
    return Rows.of(rows)


def _record(
    world: World,
    tool: Tool,
    company: Company,
    number: int,
    day: datetime.date,
    receipt: str,
    *,
    year: str = "",
    report: str = "",
    dates: Any = "dashed",
) -> Record:
    known = {
        "corp_code": company.corp_code,
        "corp_name": company.name,
        "corp_cls": company.corp_cls,
        "stock_code": company.stock_code,
        "rcept_no": receipt if receipt != "-" else f"{day:%Y%m%d}{100001 + number + company.index % 9000}",
        "bsns_year": year,
        "reprt_code": report,
        "stlm_dt": f"{year or day.year}-12-31",
        "rcept_dt": day.isoformat(),
    }
    operation = tool.endpoint.operation
    place = Place(
        world.identity("tail", operation, company.index, number, year, report).u64(),
        world.measure_seed("tail", operation, company.index, number, year, report),
        day,
        dates=dates,
        commas=True,
        serial=number,
    )
    return {f.name: known[f.name] if known.get(f.name) else draw(f, place) for f in tool.fields}


# KRX


def _krx(world: World, query: Query, tool: Tool) -> Reply:
    day = query.get("basDd")
    if parse_compact(day) is None:
        raise RefusedError("value", "basDd")
    position = trading_index().get(day)
    if position is None:
        return NO_ROWS
    operation = tool.endpoint.operation
    count = world.count(world.identity("tail", operation, "size").octave(4, 400), 2)
    return Rows(count, lambda index: _instrument(world, tool, index, position, day))


def _instrument(world: World, tool: Tool, index: int, position: int, day: str) -> Record:
    operation = tool.endpoint.operation
    identity = world.identity("tail", operation, index)
    base = 1000 + identity.below(90_000)
    measures = world.measure_seed("tail", operation, index)
    close = max(base + (mix(measures, position) % 2001 - 1000) * base // 20_000, 10)
    before = max(base + (mix(measures, position - 1) % 2001 - 1000) * base // 20_000, 10)
    when = parse_compact(day)
    assert when is not None  # trading_index holds dates only
    place = Place(identity.u64(), mix(measures, position), when, dates="compact", serial=index)
    prices = {
        "OPN": before,
        "HGP": max(close, before) + base // 200,
        "LWP": max(min(close, before) - base // 200, 1),
        "CLS": close,
        "SPOT_PRC": close,
    }
    record: Record = {}
    for field in tool.fields:
        name = field.name
        if name == "BAS_DD":
            record[name] = day
        elif name.startswith("CMPPREVDD"):
            record[name] = str(close - before)
        elif name == "FLUC_RT":
            record[name] = f"{(close - before) * 100 / before:.2f}"
        elif name in ("ISU_CD", "ISU_SRT_CD"):
            record[name] = f"{operation[:2].upper()}{100001 + index}"
        else:
            price = next((value for part, value in prices.items() if part in name), None)
            record[name] = str(price) if price is not None and kind_of(field) == "amount" else str(draw(field, place))
    return record
