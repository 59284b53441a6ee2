"""Laws in English: names spelled by the Revised Romanization of their coined word, bodies by article."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.statutes.articles import Article
from kopa_hf.sandbox.statutes.laws import ACT, DECREE, Edition, Law
from kopa_hf.sandbox.statutes.wording import COINED, SUBJECTS

_COINED: Final = dict(
    zip(
        COINED,
        ("Gaon", "Nuri", "Daon", "Raon", "Maru", "Mirinae", "Bareum", "Saeron", "Aram", "Onsae", "Haram", "Hanbyeol"),
        strict=True,
    )
)
_SUBJECTS: Final = dict(
    zip(
        SUBJECTS,
        (
            "Local Commerce", "Vacant Houses", "Village Buses", "Shared Parking", "Community Sports Facilities",
            "Disused Medicines", "Recycled Timber", "Small Vessels", "Small Libraries", "Traditional Markets",
            "Urban Gardens", "Companion Animals", "Riverside Land", "Pedestrian Safety", "Everyday Noise",
            "Underground Facilities", "Night Tourism", "Home Medical Care", "Youth Housing", "Older Drivers",
            "School Meals", "Lifelong Learning", "Public Networks", "Data Combination", "Unmanned Delivery",
            "Hydrogen Refuelling", "Marine Debris", "Forest Recreation", "Rural Schooling", "Local Food", "Fine Dust",
            "Water Reuse", "Used Batteries", "Online Brokerage", "Subscription Trade", "Small Claims", "Shop Leases",
            "Apartment Houses", "Lift Equipment", "Care Workers", "Mobile Workers", "Skill Transmission",
            "Start-up Space", "Local Currency", "Cultural Rest Areas", "Documentary Heritage", "Disaster Relief",
            "Everyday Quarantine",
        ),
        strict=True,
    )
)  # fmt: skip
_ENDINGS: Final = (
    ("진흥에 관한 법률", "Promotion of"),
    ("안전관리 및 지원에 관한 법률", "Safety Management and Support of"),
    ("이용 촉진에 관한 법률", "Promotion of the Use of"),
    ("보호에 관한 법률", "Protection of"),
    ("육성 및 활용에 관한 법률", "Fostering and Use of"),
    ("설치 및 운영에 관한 법률", "Establishment and Operation of"),
    ("등록 및 거래에 관한 법률", "Registration and Trade of"),
    ("재정 지원에 관한 법률", "Financial Support for"),
)
_SHORT: Final = (
    ("기본법", "Framework Act on"),
    ("관리법", "Management Act on"),
    ("지원법", "Support Act on"),
    ("특별법", "Special Act on"),
)


def english_name(law: Law) -> str:
    """ACT ON THE PROMOTION OF NURI LOCAL COMMERCE."""
    act = law.act.name
    coined = next((word for word in COINED if law.subject.startswith(word)), "")
    subject = f"{_COINED.get(coined, '')} {_SUBJECTS.get(law.subject.removeprefix(coined), '')}".strip()
    name = f"Regulations on {subject}"
    for ending, words in _ENDINGS:
        if act.endswith(ending):
            name = f"Act on the {words} {subject}"
    for ending, words in _SHORT:
        if act.endswith(" " + ending):
            name = f"{words} {subject}"
    if law.parent is not None and law.level == DECREE:
        name = f"Enforcement Decree of the {name}"
    elif law.level not in (ACT, DECREE):
        name = f"Enforcement Rule of the {name}"
    return name.upper()


def english_articles(edition: Edition, articles: tuple[Article, ...]) -> list[dict[str, str]]:
    """The articles as `Jo` elements; the text says which Korean article it renders."""
    return [
        {
            "joNo": a.key[:4],
            "joBrNo": a.key[4:],
            "joCts": f"Article {a.number}{f'-{a.branch}' if a.branch else ''} ({a.title}) Invented text of edition "
            f"{edition.ordinal + 1}.",
        }
        for a in articles
    ]
