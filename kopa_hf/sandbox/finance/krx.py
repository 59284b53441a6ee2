"""KRX operations on stocks: daily trading, master lists, warrants and rights on the listed companies."""

from __future__ import annotations

import datetime
from typing import Final

from kopa_hf.sandbox.calendar import compact, trading_days
from kopa_hf.sandbox.finance.companies import MARKETS, Company, listed_on_market
from kopa_hf.sandbox.finance.instruments import HANDLERS as INSTRUMENTS
from kopa_hf.sandbox.finance.krxday import asked_position
from kopa_hf.sandbox.finance.prices import bar, market_value, shares
from kopa_hf.sandbox.query import NO_ROWS, Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.world import World

_PREFIXES: Final = {"stk": "Y", "ksq": "K", "knx": "N"}


def _on_market(world: World, corp_cls: str, day: datetime.date) -> tuple[Company, ...]:
    """Companies of a market that were listed on a day."""
    return tuple(c for c in listed_on_market(world, corp_cls) if c.listed_on is None or c.listed_on <= day)


def stock_daily(world: World, query: Query) -> Reply:
    """All stocks of one market on one trading day."""
    position = asked_position(query)
    if position is None:
        return NO_ROWS
    corp_cls = _PREFIXES[query.operation[:3]]
    listed = _on_market(world, corp_cls, trading_days()[position])
    return Rows.mapped(listed, lambda company: daily_record(world, company, position))


def daily_record(world: World, company: Company, position: int) -> Record:
    """One line of the daily trading list."""
    day = bar(world, company, position)
    return {
        "BAS_DD": compact(trading_days()[position]),
        "ISU_CD": company.stock_code,
        "ISU_NM": company.name,
        "MKT_NM": MARKETS[company.corp_cls],
        "SECT_TP_NM": company.board,
        "TDD_CLSPRC": str(day.close),
        "CMPPREVDD_PRC": str(day.change),
        "FLUC_RT": f"{day.rate:.2f}",
        "TDD_OPNPRC": str(day.open),
        "TDD_HGPRC": str(day.high),
        "TDD_LWPRC": str(day.low),
        "ACC_TRDVOL": str(day.volume),
        "ACC_TRDVAL": str(day.value),
        "MKTCAP": str(day.close * shares(world, company)),
        "LIST_SHRS": str(shares(world, company)),
    }


def stock_master(world: World, query: Query) -> Reply:
    """The master list of one market: standard codes beside short codes."""
    position = asked_position(query)
    if position is None:
        return NO_ROWS
    listed = _on_market(world, _PREFIXES[query.operation[:3]], trading_days()[position])
    return Rows.mapped(listed, lambda company: _master_record(world, company))


def _master_record(world: World, company: Company) -> Record:
    assert company.listed_on is not None  # only listed companies are in a market
    return {
        "ISU_CD": company.isin,
        "ISU_SRT_CD": company.stock_code,
        "ISU_NM": f"{company.name}보통주",
        "ISU_ABBRV": company.name,
        "ISU_ENG_NM": company.english_name,
        "LIST_DD": compact(company.listed_on),
        "MKT_TP_NM": MARKETS[company.corp_cls],
        "SECUGRP_NM": "주권",
        "SECT_TP_NM": company.board,
        "KIND_STKCERT_TP_NM": "보통주",
        "PARVAL": str(company.par_value),
        "LIST_SHRS": str(shares(world, company)),
    }


def _derived(world: World, query: Query, count: int, right: bool) -> Reply:
    """Warrants (신주인수권증권) or subscription rights (신주인수권증서) on shares of KOSPI and KOSDAQ."""
    position = asked_position(query)
    if position is None:
        return NO_ROWS
    pool = listed_on_market(world, "Y") + listed_on_market(world, "K")
    chosen = world.identity("finance", "rights" if right else "warrants").sample(pool, count)
    day = trading_days()[position]
    alive = [c for c in chosen if _life(world, c, right)[0] <= day <= _life(world, c, right)[1]]
    return Rows.mapped(alive, lambda company: _right_record(world, company, position, right))


def _life(world: World, company: Company, right: bool) -> tuple[datetime.date, datetime.date]:
    stream = world.identity("finance", "right life" if right else "warrant life", company.index)
    start = trading_days()[stream.below(len(trading_days()) - 30)]
    return start, start + datetime.timedelta(days=14 if right else 1095)


def _right_record(world: World, company: Company, position: int, right: bool) -> Record:
    stream = world.measure("finance", "exercise", company.index, right)
    day, strike = bar(world, company, position), stream.between(70, 95)
    exercise = market_value(world, company, 0) // shares(world, company) * strike // 100
    close = max((day.close - exercise) // 2, 15 + stream.below(200))
    change = day.change // 3
    start, end = _life(world, company, right)
    volume = day.volume // 40
    issued = shares(world, company) // 12
    record: Record = {
        "BAS_DD": compact(trading_days()[position]),
        "MKT_NM": MARKETS[company.corp_cls],
        "ISU_CD": f"{company.stock_code[:5]}{'R' if right else 'W'}",
        "ISU_NM": f"{company.name} {'1R' if right else '1WR'}",
        "TDD_CLSPRC": str(close),
        "CMPPREVDD_PRC": str(change),
        "FLUC_RT": f"{change * 100 / max(close - change, 1):.2f}",
        "TDD_OPNPRC": str(max(close - change, 1)),
        "TDD_HGPRC": str(max(close, close - change) + 5),
        "TDD_LWPRC": str(max(min(close, close - change) - 5, 1)),
        "ACC_TRDVOL": str(volume),
        "ACC_TRDVAL": str(volume * close),
        "MKTCAP": str(issued * close),
        "LIST_SHRS": str(issued),
    }
    if right:
        record |= {"ISU_PRC": str(exercise), "DELIST_DD": compact(end)}
    else:
        record |= {"EXER_PRC": str(exercise), "EXST_STRT_DD": compact(start), "EXST_END_DD": compact(end)}
    return record | {
        "TARSTK_ISU_SRT_CD": company.stock_code,
        "TARSTK_ISU_NM": company.name,
        "TARSTK_ISU_PRSNT_PRC": str(day.close),
    }


HANDLERS: dict[str, Handler] = {
    **{f"{prefix}_bydd_trd": stock_daily for prefix in _PREFIXES},
    **{f"{prefix}_isu_base_info": stock_master for prefix in _PREFIXES},
    "sw_bydd_trd": lambda world, query: _derived(world, query, 40, right=False),
    "sr_bydd_trd": lambda world, query: _derived(world, query, 120, right=True),
    **INSTRUMENTS,
}
