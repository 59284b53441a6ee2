"""Handlers of rest areas and petrol stations."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

from kopa_hf.sandbox.calendar import compact
from kopa_hf.sandbox.highway.cities import CENTERS
from kopa_hf.sandbox.highway.common import chosen, degrees
from kopa_hf.sandbox.highway.stalls import (
    Dish,
    Happening,
    Offer,
    brands,
    conveniences,
    dishes,
    dishes_of,
    founders,
    happenings,
    price_of,
    themes,
)
from kopa_hf.sandbox.highway.stops import RestArea, prices, rest_areas, stations, won
from kopa_hf.sandbox.query import Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.world import LAST_DAY, World

T = TypeVar("T")

_EDITOR: Final = "SYSTEM"


def _picked(items: Iterable[T], query: Query, area_of: Callable[[T], RestArea], *, station: bool = False) -> list[T]:
    """Items whose rest area (or station) fits the query; names by containment, everything else as a whole."""

    def code(area: RestArea) -> str:
        return area.station_code if station else area.code

    def facility(area: RestArea) -> str:
        return area.station_facility if station else area.facility

    def name(area: RestArea) -> str:
        return area.station_name if station else area.name

    found = chosen(
        items,
        query,
        routeNo=lambda i: area_of(i).route.number,
        routeCd=lambda i: area_of(i).route.number,
        routeCode=lambda i: area_of(i).route.number,
        routeNm=lambda i: area_of(i).route.name,
        routeName=lambda i: area_of(i).route.name,
        direction=lambda i: area_of(i).towards,
        unitCode=lambda i: area_of(i).unit_code,
        stdRestCd=lambda i: code(area_of(i)),
        svarCd=lambda i: code(area_of(i)),
        serviceAreaCode=lambda i: facility(area_of(i)),
        serviceAreaCode2=lambda i: code(area_of(i)),
        oilCompany=lambda i: area_of(i).oil_company,
    )
    for parameter in ("stdRestNm", "serviceAreaName", "svarNm"):
        wanted = query.get(parameter)
        if wanted:
            found = [item for item in found if wanted in name(area_of(item))]
    return found


def _self(area: RestArea) -> RestArea:
    return area


def _area_of(item: Dish | Offer) -> RestArea:
    return item.area


def _locations(world: World, query: Query) -> Reply:
    return Rows.mapped(_picked(rest_areas(world), query, _self), _location_row)


def _location_row(area: RestArea) -> Record:
    return {
        "unitCode": area.unit_code,
        "unitName": area.name,
        "routeNo": area.route.number,
        "routeName": area.route.name,
        "xValue": degrees(area.x),
        "yValue": degrees(area.y),
        "stdRestCd": area.code,
        "serviceAreaCode": area.facility,
    }


def _facility_cells(area: RestArea, *, station: bool = False) -> Record:
    return {
        "routeCode": area.route.number,
        "routeName": area.route.name,
        "direction": area.towards,
        "serviceAreaCode": area.station_facility if station else area.facility,
        "serviceAreaCode2": area.station_code if station else area.code,
        "serviceAreaName": area.station_name if station else area.name,
    }


def _amenity_row(world: World, area: RestArea) -> Record:
    by_area = world.table("highway.offers_by_area", _offers_by_area)
    shops, facilities = by_area[area.index]
    return _facility_cells(area) | {
        "telNo": area.telephone,
        "svarAddr": area.address,
        "brand": "|".join(shops),
        "convenience": "|".join(facilities),
        "maintenanceYn": "O" if area.repairs else "X",
        "truckSaYn": "O" if area.for_trucks else "X",
    }


def _offers_by_area(world: World) -> dict[int, tuple[list[str], list[str]]]:
    found: dict[int, tuple[list[str], list[str]]] = {area.index: ([], []) for area in rest_areas(world)}
    for place, offers in enumerate((brands(world), conveniences(world))):
        for offer in offers:
            found[offer.area.index][place].append(offer.name)
    return found


def _amenities(world: World, query: Query) -> Reply:
    return Rows.mapped(_picked(rest_areas(world), query, _self), lambda area: _amenity_row(world, area))


def _by_route(world: World, query: Query) -> Reply:
    def row(area: RestArea) -> Record:
        return _amenity_row(world, area) | {"batchMenu": dishes_of(world, area)[0].name}

    return Rows.mapped(_picked(rest_areas(world), query, _self), row)


def _signature_foods(world: World, query: Query) -> Reply:
    def row(area: RestArea) -> Record:
        dish = dishes_of(world, area)[0]
        return _facility_cells(area) | {"batchMenu": dish.name, "salePrice": f"{price_of(world, dish)}"}

    return Rows.mapped(_picked(rest_areas(world), query, _self), row)


def _station_prices(world: World, query: Query) -> Reply:
    def row(area: RestArea) -> Record:
        now = prices(world, area)
        return _facility_cells(area, station=True) | {
            "oilCompany": area.oil_company,
            "lpgYn": "Y" if area.sells_lpg else "N",
            "telNo": area.telephone,
            "svarAddr": area.address,
            "gasolinePrice": won(now.petrol),
            "diselPrice": won(now.diesel),
            "lpgPrice": won(now.lpg),
        }

    return Rows.mapped(_picked(stations(world), query, _self, station=True), row)


def _stations_where(keep: Callable[[RestArea], bool]) -> Handler:
    def handler(world: World, query: Query) -> Reply:
        found = _picked([area for area in stations(world) if keep(area)], query, _self, station=True)
        return Rows.mapped(found, _station_row)

    return handler


def _station_row(area: RestArea) -> Record:
    return {
        "location": area.address,
        "serviceAreaName": area.station_name,
        "oilCompany": area.oil_company,
        "routeCode": area.route.number,
        "routeName": area.route.name,
        "serviceAreaCode": area.station_facility,
    }


def _master(world: World, query: Query) -> Reply:
    """Rest areas (0) and stations (1) in one list."""
    wanted = query.get("svarGsstClssCd")
    found: list[tuple[RestArea, bool]] = []
    if wanted in ("", "0"):
        found += [(area, False) for area in _picked(rest_areas(world), query, _self)]
    if wanted in ("", "1"):
        found += [(area, True) for area in _picked(stations(world), query, _self, station=True)]
    return Rows.mapped(found, lambda pair: _master_row(*pair))


def _master_row(area: RestArea, station: bool) -> Record:
    center, _, office, _ = CENTERS[area.office]
    return {
        "svarCd": area.station_code if station else area.code,
        "svarNm": area.station_name if station else area.name,
        "routeCd": area.route.number,
        "routeNm": area.route.name,
        "hdqrCd": f"N{center}000",
        "hdqrNm": office,
        "mtnofCd": f"N{area.index // 5 + 1:05d}",
        "mtnofNm": f"{area.route.nearest_city(area.km)}지사",
        "svarGsstClssCd": "1" if station else "0",
        "svarGsstClssNm": "주유소" if station else "휴게소",
        "gudClssCd": "0" if area.direction == "E" else "1",
        "gudClssNm": "상행" if area.direction == "E" else "하행",
        "pstnoCd": f"{10_000 + area.index * 211 % 50_000:05d}",
        "svarAddr": area.address,
        "cocrPrkgTrcn": str(area.parking[0]),
        "fscarPrkgTrcn": str(area.parking[1]),
        "dspnPrkgTrcn": str(area.parking[2]),
        "bsopAdtnlFcltCd": area.station_facility if station else area.facility,
        "rprsTelNo": area.telephone,
    }


def _place_cells(area: RestArea, *, station: bool = False) -> Record:
    return {
        "stdRestCd": area.station_code if station else area.code,
        "stdRestNm": area.station_name if station else area.name,
        "svarAddr": area.address,
        "routeCd": area.route.number,
        "routeNm": area.route.name,
    }


def _edited(area: RestArea, salt: int) -> datetime.date:
    return LAST_DAY - datetime.timedelta(days=(area.index * 7 + salt) % 400)


def _offers(
    source: Callable[[World], Sequence[Offer]], code: str, name: str, text: str, *, station: bool = False
) -> Handler:
    """A list of facilities or brands under the column names of its service."""

    def row(offer: Offer) -> Record:
        edited = _edited(offer.area, len(offer.name))
        return _place_cells(offer.area, station=station) | {
            "stime": offer.opens,
            "etime": offer.closes,
            "redId": "ex0000",
            "redDtime": f"{edited:%y/%m/%d}",
            "lsttmAltrUser": _EDITOR,
            "lsttmAltrDttm": edited.isoformat(),
            code: offer.code,
            name: offer.name,
            text: offer.text,
        }

    return lambda world, query: Rows.mapped(_picked(source(world), query, _area_of, station=station), row)


def _founder_row(offer: Offer) -> Record:
    edited = _edited(offer.area, 11)
    return _place_cells(offer.area) | {
        "stime": offer.opens,
        "etime": offer.closes,
        "seq": offer.code,
        "regId": "ex0000",
        "regDtime": f"{edited:%m/%d/%Y} 09:00:00.",
        "bzNm": offer.name,
        "lsttmAltrUser": _EDITOR,
        "lsttmAltrDttm": edited.isoformat(),
    }


def _themes(world: World, query: Query) -> Reply:
    def row(theme: tuple[RestArea, str, str]) -> Record:
        area, name, text = theme
        edited = _edited(area, 3)
        return _place_cells(area) | {
            "itemNm": name,
            "detail": text,
            "regId": "ex0000",
            "regDtime": f"{edited:%m/%d/%Y} {9 + area.index % 9:02d}:{area.index % 60:02d}:31.",
            "lsttmAltrUser": _EDITOR,
            "lsttmAltrDttm": edited.isoformat(),
        }

    return Rows.mapped(world.table("highway.themes", themes), row)


def _events(world: World, query: Query) -> Reply:
    def row(event: Happening) -> Record:
        edited = event.first - datetime.timedelta(days=3)
        return _place_cells(event.area) | {
            "eventSeq": str(event.serial),
            "eventNm": event.name,
            "eventDetail": event.text,
            "stime": event.first.isoformat(),
            "etime": event.last.isoformat(),
            "stdRestGubun": "S",
            "lastId": "user00000",
            "lastDtime": f"{compact(edited)}150549",
            "lsttmAltrUser": _EDITOR,
            "lsttmAltrDttm": edited.isoformat(),
        }

    return Rows.mapped(happenings(world), row)


def _menus(world: World, query: Query) -> Reply:
    found = _picked(dishes(world), query, _area_of)
    found = chosen(
        found,
        query,
        recommendyn=lambda d: _yes(d.recommended),
        bestfoodyn=lambda d: _yes(d.best),
        premiumyn=lambda d: _yes(d.premium),
    )
    return Rows.mapped(found, lambda dish: _menu_row(world, dish))


def _menu_row(world: World, dish: Dish) -> Record:
    edited = _edited(dish.area, dish.number)
    return _place_cells(dish.area) | {
        "restCd": dish.area.kitchen,
        "seq": str(dish.number + 1),
        "foodNm": dish.name,
        "foodCost": str(price_of(world, dish)),
        "etc": f"{dish.area.place_name}에서 끓이고 부쳐 내는 {dish.name}.",
        "foodMaterial": dish.material,
        "recommendyn": _yes(dish.recommended),
        "bestfoodyn": _yes(dish.best),
        "premiumyn": _yes(dish.premium),
        "seasonMenu": dish.season,
        "app": "Y",
        "lsttmAltrUser": _EDITOR,
        "lsttmAltrDttm": edited.isoformat(),
        "lastId": "user00000",
        "lastDtime": edited.isoformat(),
    }


def _yes(value: bool) -> str:
    return "Y" if value else "N"


HANDLERS: Final[dict[str, Handler]] = {
    "locationinfoRest": _locations,
    "serviceAreaRoute": _by_route,
    "conveniServiceArea": _amenities,
    "curStateStation": _station_prices,
    "representFoodServiceArea": _signature_foods,
    "lpgServiceAreaInfo": _stations_where(lambda area: area.sells_lpg),
    "frugalStationInfo": _stations_where(lambda area: area.oil_company == "AD"),
    "hiwaySvarInfoList": _master,
    "restConvList": _offers(conveniences, "psCode", "psName", "psDesc"),
    "restOilList": _offers(lambda w: conveniences(w, station=True), "psCode", "psName", "psDesc", station=True),
    "restBrandList": _offers(brands, "brdCode", "brdName", "brdDesc"),
    "restVentureList": lambda world, query: Rows.mapped(_picked(founders(world), query, _area_of), _founder_row),
    "restThemeList": _themes,
    "restEventList": _events,
    "restBestfoodList": _menus,
}
