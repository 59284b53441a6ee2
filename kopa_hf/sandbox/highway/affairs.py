"""Handlers of what happens on and to the road: incidents, building sites, contracts, help in emergencies."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.calendar import add_months, compact
from kopa_hf.sandbox.finance.companies import Company, companies
from kopa_hf.sandbox.highway.common import chosen, day_of
from kopa_hf.sandbox.highway.flows import NOW_HOUR
from kopa_hf.sandbox.highway.network import Interchange, interchanges, interchanges_of, routes
from kopa_hf.sandbox.highway.sections import Conzone, conzones
from kopa_hf.sandbox.places import street_address
from kopa_hf.sandbox.query import Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.world import LAST_DAY, World

_INCIDENTS: Final = 270
_CONTRACTS: Final = 2400
_KINDS: Final = (
    ("1", "사고", "추돌사고", 5), ("2", "공사", "포장 보수 작업", 9), ("3", "기상", "짙은 안개", 2), ("4", "재난", "낙석", 1),
    ("5", "기타돌발", "고장 차량", 4),
)  # fmt: skip
"""Code, kind, what it is about, weight."""
_STATES: Final = (("1", "발생"), ("2", "진행"), ("3", "종료"))
_WORKS: Final = ("확장", "개량", "신설", "교량 보강", "터널 보수", "나들목 설치")
_TITLES: Final = {
    "1": ("포장 보수공사", "방음벽 설치공사", "터널 조명 교체공사", "교통안전시설 정비공사", "비탈면 보강공사"),
    "2": ("조경 유지관리 용역", "구조물 안전점검 용역", "교통량 조사 용역", "휴게소 청소 용역"),
    "3": ("제설 자재 구매", "하이패스 장비 구매", "가드레일 구매", "도로 표지판 구매"),
}
"""What contracts are about, by the code of their notice."""
_NOTICES: Final = (("1", "공사", 4), ("2", "용역", 3), ("3", "물품", 3))
_METHODS: Final = ("제한경쟁", "일반경쟁", "수의계약")
_OFFICES: Final = ("시설계획처", "도로관리처", "교통안전처", "재난관리처", "구매계약처")


@dataclass(frozen=True, slots=True)
class Incident:
    """One report; the number of blocked lanes is part of the text."""

    serial: int
    at: datetime.datetime
    zone: Conzone
    kind: tuple[str, str, str, int]
    state: tuple[str, str]
    queue: int
    """Length of the tail-back in kilometres."""
    lanes: tuple[bool, ...]
    shoulder: bool
    located: bool


def incidents(world: World) -> tuple[Incident, ...]:
    """Reports of the last days, the newest first."""
    return world.table("highway.incidents", _build_incidents)


def _build_incidents(world: World) -> tuple[Incident, ...]:
    zones = conzones(world)
    now = datetime.datetime.combine(LAST_DAY, datetime.time(NOW_HOUR))
    found = []
    for number in range(world.count(_INCIDENTS, 20)):
        stream = world.identity("highway", "incident", number)
        zone = stream.choice(zones)
        kind = stream.weighted([(kind, kind[3]) for kind in _KINDS])
        at = now - datetime.timedelta(minutes=stream.between(2, 2600), seconds=stream.below(60))
        state = _STATES[2] if (now - at).total_seconds() > 14_000 else stream.choice(_STATES[:2])
        lanes = tuple(lane < zone.lanes and stream.chance(0.3) for lane in range(6))
        queue = 0 if state == _STATES[2] else stream.weighted(((0, 5), (1, 3), (2, 2), (5, 1)))
        found.append(Incident(number, at, zone, kind, state, queue, lanes, stream.chance(0.25), stream.chance(0.71)))
    found.sort(key=lambda i: (i.at, i.serial), reverse=True)
    return tuple(found)


def _incident_row(place: int, incident: Incident) -> Record:
    zone, (code, kind, what, _) = incident.zone, incident.kind
    x, y = zone.route.point((zone.origin.km + zone.target.km) / 2)
    blocked = ", ".join(f"{i + 1}차로" for i, shut in enumerate(incident.lanes) if shut)
    text = f"[{zone.route.name}] {zone.name} {zone.route.towards(zone.direction)}방향 {what}"
    text += f" {blocked} 차단" if blocked else ""
    text += f", 정체 {incident.queue}km" if incident.queue else ""
    record: Record = {
        "accDate": f"{incident.at:%Y.%m.%d}",
        "accHour": f"{incident.at:%H:%M:%S}",
        "accType": kind,
        "accTypeCode": code,
        "startEndTypeCode": zone.direction,
        "smsText": text,
        "accProcessCode": incident.state[0],
        "accProcessNM": incident.state[1],
        "accPointNM": zone.name,
        "nosunNM": zone.route.number,
        "roadNM": zone.route.name,
        "latitude": round(y, 6) if incident.located else None,
        "altitude": round(x, 6) if incident.located else None,
        "lateLength": str(incident.queue),
        "seriesNM": place + 1,
    }
    record |= {f"laneYn{i + 1}": "Y" if shut else "N" for i, shut in enumerate(incident.lanes)}
    return record | {"shldroadYn": "Y" if incident.shoulder else "N"}


def _incidents(world: World, query: Query) -> Reply:
    found = chosen(incidents(world), query, accTypeCode=lambda i: i.kind[0])
    return Rows(len(found), lambda place: _incident_row(place, found[place]))


def _works(world: World, query: Query) -> Reply:
    def build(world: World) -> list[Record]:
        found = []
        for route in routes(world):
            junctions = interchanges_of(world, route)
            stream = world.identity("highway", "works", route.number)
            for _ in range(stream.between(1, 5)):
                start = stream.below(max(1, len(junctions) - 2))
                one, other = junctions[start], junctions[min(start + stream.between(1, 4), len(junctions) - 1)]
                begun = datetime.date(stream.between(2017, 2024), stream.between(1, 12), 1)
                ends = add_months(begun, stream.between(24, 84))
                work = stream.choice(_WORKS)
                done = ends <= LAST_DAY
                found.append(
                    {
                        "routeName": route.name,
                        "sectionName": f"{one.name}-{other.name}",
                        "bizMgmtName": f"{route.name} {one.name}-{other.name} {work} 사업",
                        "cnstnExtns": f"{abs(other.km - one.km):.2f}",
                        "cnstnTerm": f"{begun:%Y.%m}~{ends:%Y.%m}",
                        "cmcnDate": f"{ends:%Y-%m-%d}",
                        "cnstnStpntAddr": one.place.full_name,
                        "cnstnEnpntAddr": other.place.full_name,
                        "cmcnCstrClss": "준공" if done else "시공",
                        "cnsof": f"{route.nearest_city(one.km)}건설사업단",
                        "cmcnCstrClssCd": "C03" if done else "C02",
                    }
                )
        return found

    return Rows.of(chosen(world.table("highway.works", build), query, cmcnCstrClssCd=lambda w: w["cmcnCstrClssCd"]))


@dataclass(frozen=True, slots=True)
class Contract:
    """One contract of the corporation with a company of the world."""

    number: int
    day: datetime.date
    notice: tuple[str, str]
    company: Company


def contracts(world: World) -> tuple[Contract, ...]:
    """All contracts, the newest first."""

    def build(world: World) -> tuple[Contract, ...]:
        found = []
        for number in range(world.count(_CONTRACTS, 40)):
            stream = world.identity("highway", "contract", number)
            notice = stream.weighted([((code, name), weight) for code, name, weight in _NOTICES])
            day = LAST_DAY - datetime.timedelta(days=stream.below(1400))
            found.append(Contract(number, day, notice, stream.choice(companies(world))))
        return tuple(sorted(found, key=lambda c: (c.day, c.number), reverse=True))

    return world.table("highway.contracts", build)


def _contract_row(world: World, contract: Contract) -> Record:
    stream = world.identity("highway", "contract words", contract.number)
    amount = world.measure("highway", "contract", contract.number).octave(8_000, 12_000_000) * 1_000
    return {
        "pbanClssCd": contract.notice[0],
        "pbanClssNm": contract.notice[1],
        "scbdPbanNo": f"{contract.day:%Y%m}-{contract.number:05d}",
        "cntrtNm": f"{stream.choice(routes(world)).name} {stream.choice(_TITLES[contract.notice[0]])}",
        "cmpttMthd": stream.choice(_METHODS),
        "crno": contract.company.bizr_no,
        "cntrtCrprNm": contract.company.name,
        "cntrtAmt": str(amount),
        "cntrtDptnm": "구매계약처",
        "sprvDptnm": stream.choice(_OFFICES),
        "cntrtCntgDates": compact(contract.day),
    }


def _contracts(world: World, query: Query) -> Reply:
    first = day_of(query, "sCntrtCntgDates", datetime.date.min)
    last = day_of(query, "eCntrtCntgDates", LAST_DAY)
    found = [contract for contract in contracts(world) if first <= contract.day <= last]
    found = chosen(found, query, pbanClssCd=lambda c: c.notice[0])
    return Rows.mapped(found, lambda contract: _contract_row(world, contract))


def _ramps(world: World, query: Query) -> Reply:
    def build(world: World) -> list[Record]:
        found: list[Record] = []
        for zone in conzones(world):
            stream = world.identity("highway", "ramp", zone.id)
            if zone.length < 6 or not stream.chance(0.28):
                continue
            back, front = (zone.origin, zone.target) if zone.direction == "E" else (zone.target, zone.origin)
            found.append(
                {
                    "routeNm": zone.route.name,
                    "drveDrctNm": zone.route.towards(zone.direction),
                    "bgwdIc": f"{back.name}IC",
                    "frwdIc": f"{front.name}IC",
                    "shift": f"{zone.start_km + zone.length / 2:.1f}",
                    "bypsRoad": f"지방도 {stream.between(301, 1099)}호선",
                }
            )
        return found

    return Rows.of(world.table("highway.ramps", build))


def _helpers(world: World, query: Query) -> Reply:
    wanted = query.get("nsCode")
    posts: list[Interchange] = [
        junction
        for junction in interchanges(world)
        if junction.position % 3 == 0 and wanted in ("", junction.route.number)
    ]

    def row(junction: Interchange) -> Record:
        return {"addr": street_address(world.identity("highway", "helper", junction.index), junction.place)}

    return Rows.mapped(posts, row)


HANDLERS: Final[dict[str, Handler]] = {
    "realTimeSms": _incidents,
    "hiwayCnstnPrss": _works,
    "elctPrcmCntrtOppubPrss": _contracts,
    "emrgRamp": _ramps,
    "prmpHelpOrg": _helpers,
}
