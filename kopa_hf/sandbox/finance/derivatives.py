"""KRX operations on futures and options: every series hangs on the spot that the other lists print."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.calendar import add_months, trading_days
from kopa_hf.sandbox.finance.companies import listed_on_market
from kopa_hf.sandbox.finance.indices import indices, level
from kopa_hf.sandbox.finance.krxday import on_day, printed_day, quote, walk
from kopa_hf.sandbox.finance.prices import closes
from kopa_hf.sandbox.query import Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.rng import mix
from kopa_hf.sandbox.world import World


def _expiries(position: int, step: int, count: int) -> list[datetime.date]:
    """The next second Thursdays of every `step`-th month."""
    day = trading_days()[position]
    month = day.replace(day=1)
    found: list[datetime.date] = []
    while len(found) < count:
        thursday = month + datetime.timedelta(days=(3 - month.weekday()) % 7 + 7)
        if month.month % step == 0 and thursday >= day:
            found.append(thursday)
        month = add_months(month, 1)
    return found


_FUTURES: Final = (
    ("코스피200 선물", "101", 361.0, 0.011, 2), ("코스닥150 선물", "106", 1370.0, 0.015, 1), ("미국달러 선물", "175", 1300.0, 0.004, 1),
    ("3년국채 선물", "165", 105.0, 0.0012, 2), ("10년국채 선물", "167", 113.0, 0.003, 2),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Contract:
    """One futures or options series on one day."""

    product: str
    code: str
    name: str
    spot: float
    before: float
    digits: int
    night: bool = False


def _contracts(world: World, position: int) -> list[Contract]:
    found = []
    for product, stem, start, noise, digits in _FUTURES:
        if product.startswith("코스"):
            family, name = ("KOSPI", "코스피 200") if "피" in product else ("KOSDAQ", "코스닥 150")
            index = next(i for i in indices(world, family) if i.name == name)
            spot, before = level(world, index, position), level(world, index, max(position - 1, 0))
        else:
            path = walk(world, product, start, noise)
            spot, before = path[position], path[max(position - 1, 0)]
        for expiry in _expiries(position, 3, 3):
            code = f"{stem}{_year_letter(expiry)}{_month_sign(expiry)}000"
            name = f"{product.removesuffix(' 선물')} F {expiry:%Y%m}"
            found.append(Contract(product, code, name, spot, before, digits))
            if stem == "101":
                found.append(Contract(product, code, f"{name} (야간)", spot, before, digits, night=True))
    return found


def _year_letter(day: datetime.date) -> str:
    return "0123456789ABCDEFGHJKLMNPQRSTVW"[(day.year - 2010) % 30]


def _month_sign(day: datetime.date) -> str:
    return "0123456789ABC"[day.month]


def _stock_contracts(world: World, corp_cls: str, position: int) -> list[Contract]:
    pool = world.identity("finance", "stock futures", corp_cls).sample(listed_on_market(world, corp_cls), 30)
    found = []
    for number, company in enumerate(pool):
        path = closes(world, company)
        for expiry in _expiries(position, 1, 3):
            code = f"1{(11 if corp_cls == 'Y' else 61) + number:02d}{_year_letter(expiry)}{_month_sign(expiry)}000"
            name = f"{company.name} F {expiry:%Y%m}"
            found.append(Contract("주식선물", code, name, float(path[position]), float(path[max(position - 1, 0)]), 0))
    return found


def _future_record(world: World, contract: Contract, position: int) -> Record:
    seed = mix(world.measure_seed("finance", "contract", contract.code, contract.night), position)
    basis = 1 + (seed & 0x3F) / 20_000
    close, change, _, opened, high, low = quote(contract.before * basis, contract.spot * basis, seed, contract.digits)
    volume = 0 if contract.night and seed >> 60 < 9 else (seed >> 20) % 120_000
    quiet = volume == 0
    return {
        "BAS_DD": printed_day(position),
        "PROD_NM": contract.product,
        "MKT_NM": "야간" if contract.night else "정규",
        "ISU_CD": contract.code,
        "ISU_NM": contract.name,
        "TDD_CLSPRC": "-" if quiet else close,
        "CMPPREVDD_PRC": "-" if quiet else change,
        "TDD_OPNPRC": "-" if quiet else opened,
        "TDD_HGPRC": "-" if quiet else high,
        "TDD_LWPRC": "-" if quiet else low,
        "SPOT_PRC": f"{contract.spot:.{contract.digits}f}",
        "SETL_PRC": "0.00" if contract.night else close,
        "ACC_TRDVOL": str(volume),
        "ACC_TRDVAL": str(int(volume * contract.spot * 250_000))
        if contract.digits == 2
        else str(int(volume * contract.spot)),
        "ACC_OPNINT_QTY": str((seed >> 36) % 400_000),
    }


def _future_daily(contracts: Callable[[World, int], Sequence[Contract]]) -> Handler:
    return on_day(
        lambda world, _, position: Rows.mapped(
            contracts(world, position), lambda contract: _future_record(world, contract, position)
        )
    )


def _option_daily(contracts: Callable[[World, int], Sequence[Contract]], step: float) -> Handler:
    def answer(world: World, query: Query, position: int) -> Reply:
        series = [c for c in contracts(world, position) if not c.night]
        # eleven strikes around the spot, a call and a put each
        wide = len(series) * 22

        def make(number: int) -> Record:
            contract = series[number // 22]
            return _option_record(world, contract, number % 22, step, position)

        return Rows(wide, make)

    return on_day(answer)


def _option_record(world: World, contract: Contract, number: int, step: float, position: int) -> Record:
    call, rank = number % 2 == 0, number // 2 - 5
    gap = step * (max(contract.spot, 100) / 100 if contract.digits == 0 else 1)
    strike = round(contract.spot / gap) * gap + rank * gap
    seed = mix(world.measure_seed("finance", "option", contract.code, number), position)

    def worth(spot: float) -> float:
        inner = spot - strike if call else strike - spot
        return max(inner, 0.0) + contract.spot * 0.012 / (1 + abs(rank))

    close, change, _, opened, high, low = quote(worth(contract.before), worth(contract.spot), seed, 2)
    volume = (seed >> 20) % 9_000
    product = contract.product.replace("선물", "옵션")
    month = contract.name.rsplit(" ", 1)[-1]
    return {
        "BAS_DD": printed_day(position),
        "PROD_NM": product,
        "RGHT_TP_NM": "CALL" if call else "PUT",
        "ISU_CD": f"{'2' if call else '3'}{contract.code[1:5]}{int(strike) % 1000:03d}",
        "ISU_NM": f"{contract.name.split(' F ')[0]} {'C' if call else 'P'} {month} {strike:.1f}",
        "TDD_CLSPRC": close if volume else "-",
        "CMPPREVDD_PRC": change if volume else "-",
        "TDD_OPNPRC": opened if volume else "-",
        "TDD_HGPRC": high if volume else "-",
        "TDD_LWPRC": low if volume else "-",
        "IMP_VOLT": f"{14 + (seed >> 8 & 0x3F) / 8 + abs(rank):.2f}",
        "NXTDD_BAS_PRC": close,
        "ACC_TRDVOL": str(volume),
        "ACC_TRDVAL": str(int(volume * float(close) * 250_000)),
        "ACC_OPNINT_QTY": str((seed >> 36) % 20_000),
    }


HANDLERS: dict[str, Handler] = {
    "fut_bydd_trd": _future_daily(_contracts),
    "eqsfu_stk_bydd_trd": _future_daily(lambda world, position: _stock_contracts(world, "Y", position)),
    "eqkfu_ksq_bydd_trd": _future_daily(lambda world, position: _stock_contracts(world, "K", position)),
    "opt_bydd_trd": _option_daily(lambda w, p: [c for c in _contracts(w, p) if c.product.startswith("코스")], 2.5),
    "eqsop_bydd_trd": _option_daily(lambda w, p: _stock_contracts(w, "Y", p)[:30], 3.0),
    "eqkop_bydd_trd": _option_daily(lambda w, p: _stock_contracts(w, "K", p)[:30], 3.0),
}
