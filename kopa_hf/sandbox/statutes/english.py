"""Laws in English: names with the coined word in the Revised Romanization, and what each article provides."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.statutes.articles import Article, paragraphs_of
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
    ("진흥에 관한 법률", "Act on the Promotion of"),
    ("안전관리 및 지원에 관한 법률", "Act on the Safety Management and Support of"),
    ("이용 촉진에 관한 법률", "Act on the Promotion of the Use of"),
    ("보호에 관한 법률", "Act on the Protection of"),
    ("육성 및 활용에 관한 법률", "Act on the Fostering and Use of"),
    ("설치 및 운영에 관한 법률", "Act on the Establishment and Operation of"),
    ("등록 및 거래에 관한 법률", "Act on the Registration and Trade of"),
    ("재정 지원에 관한 법률", "Act on Financial Support for"),
    (" 기본법", "Framework Act on"),
    (" 관리법", "Management Act on"),
    (" 지원법", "Support Act on"),
    (" 특별법", "Special Act on"),
)
_TITLES: Final = {
    "목적": "Purpose", "정의": "Definitions", "국가와 지방자치단체의 책무": "Duties of the State and Local Governments",
    "기본계획의 수립": "Establishment of Master Plans", "시행계획": "Implementation Plans", "실태조사": "Surveys",
    "심의위원회의 설치": "Establishment of the Deliberative Committee", "등록": "Registration",
    "등록의 취소": "Revocation of Registration", "재정 지원": "Financial Support",
    "전문인력의 양성": "Training of Experts", "정보시스템의 구축": "Information System",
    "표준계약서": "Standard Contracts", "이용자의 보호": "Protection of Users", "안전점검": "Safety Inspections",
    "보고와 검사": "Reports and Inspections", "수수료": "Fees", "포상금": "Rewards",
    "협회의 설립": "Establishment of an Association", "권한의 위임": "Delegation of Authority",
    "벌칙": "Penalty Provisions", "과태료": "Administrative Fines", "기능": "Functions", "구성": "Composition",
    "회의": "Meetings", "간사": "Executive Secretary", "운영세칙": "Detailed Rules of Operation",
}  # fmt: skip


def english_name(law: Law) -> str:
    """ACT ON THE PROMOTION OF NURI LOCAL COMMERCE."""
    name = f"Regulations on {_subject(law)}"
    for ending, words in _ENDINGS:
        if law.act.name.endswith(ending):
            name = f"{words} {_subject(law)}"
    if law.parent is not None and law.level == DECREE:
        name = f"Enforcement Decree of the {name}"
    elif law.level not in (ACT, DECREE):
        name = f"Enforcement Rule of the {name}"
    return name.upper()


def _subject(law: Law) -> str:
    coined = next((word for word in COINED if law.subject.startswith(word)), "")
    return f"{_COINED.get(coined, '')} {_SUBJECTS.get(law.subject.removeprefix(coined), '')}".strip()


def english_articles(edition: Edition, articles: tuple[Article, ...]) -> list[dict[str, str]]:
    """The articles as `Jo` elements: number, branch, and a text that says what the article provides for."""
    return [{"joNo": a.key[:4], "joBrNo": a.key[4:], "joCts": _text(edition, a)} for a in articles]


def _text(edition: Edition, article: Article) -> str:
    head = f"Article {article.number}" + (f"-{article.branch}" if article.branch else "")
    if article.source:
        title = f"Matters Prescribed under Article {int(article.source[:4])} of the Act"
    else:
        title = _TITLES.get(article.title, "General Provisions")
    count = len(paragraphs_of(edition, article)[0])
    closing = f" It has {count} paragraphs." if count > 1 else ""
    return (
        f"{head} ({title}) This Article provides for {title.lower()} with regard to {_subject(edition.law)}.{closing}"
    )
