"""What the columns of member operations hold."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from kopa_hf.sandbox.politics.listing import Columns, alike
from kopa_hf.sandbox.politics.members import Member
from kopa_hf.sandbox.politics.names import draw_name
from kopa_hf.sandbox.politics.terms import eraco, unit_code
from kopa_hf.sandbox.rng import Stream
from kopa_hf.sandbox.world import World

_SCHOOLS: Final = ("가람", "나래", "다솜", "라온", "미리내", "새벽", "온누리", "한결")
_JOBS: Final = (
    "변호사", "시민단체 활동가", "도의회 의원", "대학 교수", "지방자치단체장", "기자", "의사", "노동조합 위원장", "중소기업 대표",
)  # fmt: skip


@lru_cache(maxsize=4096)
def staff(code: str, kind: str, count: int) -> str:
    """Names of a member's aides, separated by comma and blank."""
    stream = Stream("staff", code, kind)
    return ", ".join(draw_name(stream).hangul for _ in range(count))


def biography(member: Member) -> str:
    """Several lines, as the service sends them: with carriage returns."""
    stream = Stream("life", member.code)
    lines = ["[학력]", f"{stream.choice(_SCHOOLS)}고등학교", f"{stream.choice(_SCHOOLS)}대학교", "", "[경력]"]
    seats = f"{member.district}/{member.party}"
    lines += [
        f"{'현' if term == member.term else '전'}) {eraco(term)} 국회의원 ({seats})" for term in reversed(member.terms)
    ]
    lines += [f"현) {eraco(member.term)} 국회 {committee.name} {role}" for committee, role in member.posts]
    lines += [f"전) {job}" for job in stream.sample(_JOBS, 2)]
    return "\r\n".join(lines)


def _homepage(world: World, member: Member) -> str | None:
    return f"https://members.sandbox.invalid/{member.code}" if member.index % 7 else None


MEMBER: Final[Columns] = {
    **alike("HG_NM NAAS_NM", lambda w, m: m.name),
    **alike("HJ_NM NAAS_CH_NM", lambda w, m: m.hanja),
    **alike("ENG_NM NAAS_EN_NM", lambda w, m: m.english),
    **alike("MONA_CD NAAS_CD", lambda w, m: m.code),
    **alike("BTH_GBN_NM BIRDY_DIV_CD", lambda w, m: "음" if m.lunar else "양"),
    **alike("BTH_DATE BIRDY_DT", lambda w, m: m.born.isoformat()),
    **alike("JOB_RES_NM DTY_NM CMIT_DTY_NM", lambda w, m: m.role),
    **alike("POLY_NM PLPT_NM", lambda w, m: m.party),
    **alike("ORIG_NM ELECD_NM", lambda w, m: m.district),
    **alike("ELECT_GBN_NM ELECD_DIV_NM", lambda w, m: m.seat),
    **alike("CMIT_NM CMITS BLNG_CMIT_NM", lambda w, m: m.committee_names),
    **alike("REELE_GBN_NM RLCT_DIV_NM", lambda w, m: m.times),
    **alike("UNITS GTELT_ERACO", lambda w, m: ", ".join(eraco(t) for t in m.terms)),
    "GTELT_TMS": lambda w, m: len(m.terms),
    **alike("SEX_GBN_NM NTR_DIV", lambda w, m: m.sex),
    **alike("TEL_NO NAAS_TEL_NO ASSEM_TEL", lambda w, m: f"02-000-{m.index:04d}"),
    **alike("E_MAIL NAAS_EMAIL_ADDR ASSEM_EMAIL", lambda w, m: f"{m.code.lower()}@sandbox.invalid"),
    **alike("HOMEPAGE NAAS_HP_URL", _homepage),
    "NAAS_PIC": lambda w, m: f"https://members.sandbox.invalid/{m.code}.jpg",
    **alike("STAFF AIDE_NM", lambda w, m: staff(m.code, "보좌관", 2)),
    **alike("SECRETARY CHF_SCRT_NM", lambda w, m: staff(m.code, "선임비서관", 2)),
    **alike("SECRETARY2 SCRT_NM", lambda w, m: staff(m.code, "비서관", 3 + m.index % 3)),
    **alike("MEM_TITLE BRF_HST", lambda w, m: biography(m)),
    **alike("ASSEM_ADDR OFFM_RNUM_NO ROOM_NO", lambda w, m: f"의원회관 {301 + 100 * (m.index // 40) + m.index % 40}호"),
    **alike("UNIT_CD PROFILE_UNIT_CD", lambda w, m: unit_code(m.term)),
    **alike("UNIT_NM PROFILE_UNIT_NM", lambda w, m: eraco(m.term)),
    "T_URL": lambda w, m: f"https://t.sandbox.invalid/{m.code.lower()}" if m.index % 3 else None,
    "F_URL": lambda w, m: f"https://f.sandbox.invalid/{m.code.lower()}",
    "Y_URL": lambda w, m: f"https://y.sandbox.invalid/@{m.code.lower()}" if m.index % 4 else None,
    "B_URL": lambda w, m: f"https://b.sandbox.invalid/{m.code.lower()}" if m.index % 2 else None,
}
"""Column → value. The speaker has no committee."""
