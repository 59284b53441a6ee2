"""Which premises each of the province's list services shows, and under which columns."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.province import trades as t
from kopa_hf.sandbox.province.amenities import (
    BICYCLE,
    BROKER,
    CAMP,
    EMERGENCY,
    MODEL_FOOD,
    NURSERY,
    PET_PARK,
    SAFE_FOOD,
    SHELTER,
    TOILET,
    YOUTH,
    evaluation,
)
from kopa_hf.sandbox.province.columns import DATA_DAY, IN_BUSINESS, RUNNING, Column, state
from kopa_hf.sandbox.province.details import (
    DENTAL,
    LIBRARY,
    MEDICAL,
    MUSEUM,
    NURSING_GRADE,
    PARKING,
    PHARMACY,
    PLACES,
    VET,
    WIFI,
)
from kopa_hf.sandbox.province.lists import Listing, handler_of
from kopa_hf.sandbox.province.premises import Register
from kopa_hf.sandbox.province.welfare import CARE
from kopa_hf.sandbox.query import Handler

_RUNNING: Final[dict[str, Column]] = {"BSN_STATE_NM": state(RUNNING)}
_IN_BUSINESS: Final[dict[str, Column]] = {"BSN_STATE_NM": state(IN_BUSINESS)}


def _hood(book: Register, number: int, wanted: str) -> bool:
    return book.hoods[number] == wanted


def _course(book: Register, number: int, wanted: str) -> bool:
    return wanted == "학원"


def _this_year(book: Register, number: int, wanted: str) -> bool:
    return wanted == str(DATA_DAY.year)


_RATED: Final = {
    "psychs": "정신과 입원진료 적정성", "ast": "천식 적정성", "pen": "폐렴 적정성", "boldi": "혈액투석 적정성", "lunc": "폐암 적정성",
    "corarby": "관상동맥우회술 적정성", "lgsnc": "대장암 적정성", "mcex": "약처방비용",
}  # fmt: skip
"""Rest of a service's name → what its hospitals are rated for."""

_LISTINGS: Final[dict[str, Listing]] = {
    # The whole register leaves the 시군 code empty and does not filter, as the service is known to do.
    "GENRESTRT": Listing(t.RESTAURANTS, {"SIGUN_CD": lambda p: None}, ignores_sigun=True),
    "Genrestrtlunch": Listing((t.LUNCH,), _RUNNING),
    "Genrestrtcate": Listing((t.CAFE,), _RUNNING),
    "Genrestrtchifood": Listing((t.CHINESE,), _RUNNING),
    "Genrestrtjpnfood": Listing((t.JAPANESE,), _RUNNING),
    "Genrestrtsoup": Listing((t.SOUP,), _RUNNING),
    "Genrestrtsash": Listing((t.RAW_FISH,), _RUNNING),
    "Genrestrtfastfood": Listing((t.FAST_FOOD,), _RUNNING),
    "Genrestrtbuff": Listing((t.BUFFET,), _RUNNING),
    "Genrestrtfugu": Listing((t.FUGU,), _RUNNING),
    "Genrestrtmovmntcook": Listing((t.MOBILE,), _RUNNING),
    "Genrestrtstandpub": Listing((t.STANDING,), _RUNNING),
    "Genrestrttratearm": Listing((t.TEAHOUSE,), _RUNNING),
    "Genrestrtbsrpcook": Listing((t.VISITING,), _RUNNING),
    "Familyrstrt": Listing((t.FAMILY,), _RUNNING),
    "RESRESTRT": Listing(t.SNACK_BARS),
    "Resrestrtfodtuck": Listing((t.TRUCK,), _RUNNING),
    "Resrestrtkidscafe": Listing((t.KIDS_SNACK,), _RUNNING),
    "Resrestrtcvnstr": Listing((t.CONVENIENCE,), _RUNNING),
    "Resrestrttearm": Listing((t.TEAROOM,), _RUNNING),
    "Resrestrtdrts": Listing((t.OTHER_SNACK,), _RUNNING),
    "PlaceThatDoATasteyFoodSt": Listing((t.TEAHOUSE, t.FAMILY), PLACES, only_running=True),
    "GGGOODINFLSTOREST": Listing((t.KIND_STORE,), PLACES),
    "Distrbspecltysalebiz": Listing((t.DISTRIBUTOR,)),
    "StayingGeneralHotel": Listing((t.HOTEL,), _RUNNING),
    "StayingTourismHotel": Listing((t.TOURIST_HOTEL,), _RUNNING),
    "Staying": Listing(t.LODGINGS, _RUNNING),
    "PrivateHospital": Listing((t.CLINIC,), {**MEDICAL, **_IN_BUSINESS}),
    "AsembyStus": Listing((t.CLINIC,), only_running=True),
    "GgHosptlM": Listing((t.HOSPITAL, t.GENERAL_HOSPITAL), only_running=True),
    "Hosptlevaltnrcper": Listing((t.NURSING_HOSPITAL,), NURSING_GRADE),
    "OldPersonSpecialityHospital": Listing((t.ELDERLY_HOSPITAL,), MEDICAL),
    "EmgncyMedcareInstStus": Listing((t.EMERGENCY,)),
    **{
        f"Hosptlevaltn{key}": Listing((t.HOSPITAL, t.GENERAL_HOSPITAL), evaluation(what), only_running=True)
        for key, what in _RATED.items()
    },
    "Hospital": Listing((t.HOSPITAL,), {**MEDICAL, **_IN_BUSINESS}),
    "SynthesizeHospital": Listing((t.GENERAL_HOSPITAL,), {**MEDICAL, **_IN_BUSINESS}),
    "DentistryHospital": Listing((t.DENTAL_HOSPITAL,), {**DENTAL, **_IN_BUSINESS}),
    "DentistryPrivateHospital": Listing((t.DENTAL_CLINIC,), {**DENTAL, **_IN_BUSINESS}),
    "AnimalSale": Listing((t.PET_SHOP,), VET),
    "SafetyRestrntInfo": Listing((t.WESTERN,), SAFE_FOOD, only_running=True),
    "ParagonRestaurant": Listing((t.RAW_FISH,), MODEL_FOOD, only_running=True),
    "Rlestatebrkragofc": Listing((t.BROKER,), BROKER),
    "Publtolt": Listing((t.TOILET,), TOILET),
    "OTHERHALFANIENTPARK": Listing((t.PET_PARK,), PET_PARK),
    "CivilDefenseEvacuation": Listing((t.SHELTER,), SHELTER),
    "ChildHouse": Listing((t.DAYCARE, t.INFANT), NURSERY),
    "Age0PrvuuseKidgartn": Listing((t.INFANT,), NURSERY),
    "Kndrgrschoolstus": Listing((t.KINDERGARTEN,), NURSERY),
    "CAMPGRD": Listing((t.CAMP,), CAMP),
    "YoungBoyAndGirsRestArea": Listing((t.YOUTH_SHELTER,), YOUTH),
    "BICYCL": Listing((t.BICYCLE,), BICYCLE),
    "Ggmindmedinst": Listing((t.MIND,)),
    "TourismRestaurant": Listing((t.TOURIST_FOOD,), only_running=True),
    "CHSEMGNCYCENTER": Listing((t.EMERGENCY,), EMERGENCY),
    "CTST": Listing((t.NATURE,)),
    "PubPhstFtM": Listing((t.POOL, t.HALL, t.SHOOTING, t.RIDING, t.SOCCER, t.BASEBALL), PLACES),
    "PublicTrainingFacilitySoccer": Listing((t.SOCCER,)),
    "PublicTrainingFacilityBasebal": Listing((t.BASEBALL,)),
    "ParmacyInfo": Listing((t.PHARMACY,), PHARMACY),
    "Parmacy": Listing((t.PHARMACY,)),
    "TBGGSCREECLSTM": Listing((t.SCREENING,), PLACES),
    "ImbecilityConsultationCenter": Listing((t.DEMENTIA,), tests={"SUM_YY": _this_year}),
    "Animalhosptl": Listing((t.VET,), VET),
    "AnimalPharmacy": Listing((t.VET_PHARMACY,)),
    "AnimalMedicalCareThing": Listing((t.VET_SUPPLY,)),
    "DoanmalfunrlPrmisnentrp": Listing((t.PET_FUNERAL,)),
    "OrganicAnimalProtectionFacilit": Listing((t.ANIMAL_SHELTER,), PLACES, tests={"SUM_YY": _this_year}),
    "PhysicalTraining": Listing((t.GYM,), only_running=True),
    "PhysicaFitnessTrainingPlace": Listing((t.FITNESS,), only_running=True),
    "DanceAcademy": Listing((t.DANCE,), only_running=True),
    "sngrumIndutype": Listing((t.SINGING,), only_running=True),
    "MovieTheater": Listing((t.CINEMA,)),
    "PerformPlace": Listing((t.STAGE,), only_running=True),
    "Museumartglry": Listing((t.MUSEUM,), {**MUSEUM, **_IN_BUSINESS}),
    "Kidscafe": Listing((t.KIDS_CAFE,)),
    "Tbinstutm": Listing((t.ACADEMY,), PLACES, tests={"EMD_NM": _hood, "INDUTYPE_DIV_NM": _course}),
    "Carlendbiz": Listing((t.CAR_RENTAL,)),
    "MrktStoreM": Listing((t.LARGE_STORE,)),
    "Library": Listing((t.LIBRARY,), LIBRARY),
    "TBGGIBLLBR": Listing((t.LIBRARY,)),
    "Tbggibllbrm": Listing((t.LIBRARY,)),
    "SenircentFaclt": Listing((t.SENIOR,), PLACES),
    "OldpsnMedcareWelfac": Listing((t.NURSING, t.GROUP_HOME), CARE),
    "OldPersonRecuperationFacility": Listing((t.NURSING,)),
    "HtygdWelfaclt": Listing((t.HOME_CARE,), CARE),
    "OldpsnJobSportInst": Listing((t.ELDERLY_JOBS,), PLACES),
    "OldpsnHousngWelfaclt": Listing((t.ELDERLY_HOMES,), PLACES),
    "DisablePersonCmwelfct": Listing((t.DISABILITY,), PLACES),
    "YoungBoyAndGirsWelfareConsult": Listing((t.COUNSELING,)),
    "FoodbankStu": Listing((t.FOOD_BANK,)),
    "ChildhouseKndrgrM": Listing((t.DAYCARE, t.INFANT, t.KINDERGARTEN)),
    "ChildPlayFacility": Listing((t.PLAYGROUND,)),
    "ExcellenceChildPlayFaciliti": Listing((t.BEST_PLAYGROUND,)),
    "GyeonggiFireStation": Listing((t.FIRE,)),
    "Polcsttnstus": Listing((t.POLICE,)),
    "FiresttnPolcsttnM": Listing((t.FIRE, t.POLICE), PLACES),
    "CCTV": Listing((t.CCTV,), PLACES),
    "SECRTLGT": Listing((t.LIGHT,)),
    "Heatwaverestarere": Listing((t.HEAT,)),
    "FreeChargeWiFi": Listing((t.WIFI,), WIFI),
    "CityPark": Listing((t.PARK,)),
    "ParkingPlace": Listing((t.PARKING,), PARKING),
    "KitgdnCouout": Listing((t.GARDEN,)),
    "PubPhysTrainFaciltyShootRange": Listing((t.SHOOTING,)),
    "PublicSwimmingPool": Listing((t.POOL,)),
    "PublicLivelihood": Listing((t.HALL,)),
    "PublicHorseridingCenter": Listing((t.RIDING,)),
    "FishingPlaceStatus": Listing((t.FISHING,), PLACES),
    "FISHPLCINFO": Listing((t.FISHING,), PLACES),
    "HotSpringStatus": Listing((t.SPA,), PLACES),
    "TTST": Listing((t.THEME,)),
    "ETST": Listing((t.EXPERIENCE,)),
    "NothgObstclTourInfo": Listing((t.BARRIER_FREE,), PLACES),
    "Templestay": Listing((t.TEMPLE,), PLACES),
    "Citytourinfostus": Listing((t.CITY_TOUR,), PLACES),
    "LogisticsWarehouse": Listing((t.WAREHOUSE,), PLACES),
    "LogisticsHousingComplexFacilit": Listing((t.LOGISTICS,), PLACES),
}

HANDLERS: Final[dict[str, Handler]] = {operation: handler_of(listing) for operation, listing in _LISTINGS.items()}
