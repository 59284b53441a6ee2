"""Answers about how exams are held: subjects, types, supplies, tasks, who may sit them, and what follows."""

from __future__ import annotations

from typing import Any, Final

from kopa_hf.sandbox.query import Handler, Query, Record, Reply
from kopa_hf.sandbox.skills.branches import ExamPlace, exam_places
from kopa_hf.sandbox.skills.fields import GRADES, QUALIFICATION_KINDS, SERIES
from kopa_hf.sandbox.skills.outcomes import ELIGIBILITY
from kopa_hf.sandbox.skills.qualifications import Qualification, by_code, qualifications, technical
from kopa_hf.sandbox.skills.rounds import PLANNED_YEAR, Round, offered
from kopa_hf.sandbox.skills.shaping import day, listed, matching, names_of, table
from kopa_hf.sandbox.world import World

PARTS: Final = ("기초이론", "실무응용", "안전과 법규")
"""What the written subjects of a field are about."""
_OPTIONS: Final = ("공통", "가형", "나형")
_SUPPLIES: Final = (
    ("작업복", "긴소매"),
    ("안전화", "발등 보호형"),
    ("필기구", "흑색"),
    ("계산기", "공학용"),
    ("자", "300mm"),
    ("장갑", "면"),
)
_TASKS: Final = ("설계 과제", "제작 과제", "점검 과제")
_ACCOMMODATIONS: Final = (
    ("01", "시각장애", ("확대 문제지", "시험시간 연장", "점자 문제지")), ("02", "뇌병변장애", ("시험시간 연장", "대필")),
    ("03", "상지지체장애", ("시험시간 연장", "대필")), ("04", "청각장애", ("수어 통역", "필담 안내")), ("05", "임신부", ("별도 좌석",)),
)  # fmt: skip
_REASONS: Final = ("피성년후견인", "파산 선고를 받고 복권되지 않은 사람", "자격이 취소된 날부터 3년이 지나지 않은 사람")
_ITEMS: Final = (
    ("E01", "대학 졸업", "학력", ""), ("E02", "대학 졸업예정", "학력", "E01"), ("E03", "전문대학 졸업", "학력", ""),
    ("E04", "실무경력 2년", "경력", ""), ("E05", "실무경력 4년", "경력", "E04"), ("E06", "동일분야 산업기사", "자격", ""),
    ("E07", "동일분야 기능사", "자격", ""), ("E08", "기술훈련과정 이수", "훈련", ""),
)  # fmt: skip
_CONFIRMATIONS: Final = (
    ("C01", "자격취득사항확인서", "N", "언제나"), ("C02", "최종합격확인서", "N", "합격자 발표일부터 3년"), ("C03", "시험응시확인서", "N", "시험일부터 1년"),
    ("C04", "수험자격확인서", "Y", "원서접수 기간"),
)  # fmt: skip
_SYSTEMS: Final = (
    ("01", "검정형", "T"),
    ("02", "상시검정", "T"),
    ("03", "과정평가형", "C"),
    ("04", "일학습병행", "W"),
    ("05", "전문자격 시험", "S"),
)
_FEES: Final = (("1", "상장형", 0), ("2", "수첩형", 3_100))
_REGISTERED: Final = "2019-03-04 09:00:00"


def _option(q: Qualification) -> str:
    return _OPTIONS[q.index % len(_OPTIONS)] if q.index % 5 == 0 else _OPTIONS[0]


def subjects_of(q: Qualification) -> list[str]:
    """The written subjects of a qualification."""
    return [f"{q.field.name} {part}" for part in PARTS[: 2 if q.grade == "40" else 3]]


def _per_qualification(world: World, query: Query) -> list[Qualification]:
    return matching(qualifications(world), query)


def site_facilities(world: World, query: Query) -> Reply:
    """시험장별 시설: practical exam places and what stands there, by qualification."""
    places = [p for p in exam_places(world) if p.computers]
    rows = [(q, places[(q.index + n) % len(places)]) for q in _per_qualification(world, query) for n in range(4)]

    def known(row: tuple[Qualification, ExamPlace]) -> Record:
        q, place = row
        things = _SUPPLIES[q.index % len(_SUPPLIES)]
        facility = f"{q.field.name} 실습실 {1 + place.rooms % 4}개"
        material = f"{things[0]} ({things[1]})"
        return {
            **names_of(q), "examAreaNm": place.name, "fclty": facility, "fullMtrlNm": material,
            "selfldNm": _option(q),
        }  # fmt: skip

    return listed(query, rows, known)


def detail_types(world: World, query: Query) -> Reply:
    """등급별 종목시험 세부유형: the stages of every qualification."""
    rows = [(q, stage) for q in _per_qualification(world, query) for stage in (1, 2)]

    def known(row: tuple[Qualification, int]) -> Record:
        q, stage = row
        kind = (
            ("필답형" if q.grade != "10" else "논술형") if stage == 1 else ("면접형" if q.grade == "10" else "작업형")
        )
        return {
            **names_of(q), "dtlTypNm": kind, "selfldNm": _option(q), "seqNo": str(stage), "seqNm": f"{stage}차",
            "examRecptTypNm": "일반응시" if stage == 1 else "필기면제 응시",
            "examRecptTypDispNm": "일반" if stage == 1 else "필기면제",
        }  # fmt: skip

    return listed(query, rows, known)


def exam_subjects(world: World, query: Query) -> Reply:
    """시험교시 과목: twenty questions a subject, five points each."""
    rows = [(q, n, name) for q in _per_qualification(world, query) for n, name in enumerate(subjects_of(q), 1)]

    def known(row: tuple[Qualification, int, str]) -> Record:
        q, number, name = row
        return {
            **names_of(q), "dtlTypNm": "필답형", "kmNm": name, "kmYn": "Y", "lssnNo": str(number),
            "omrQitemCnt": "0", "omrStdPnt": "100", "qitemCnt": "20",
        }  # fmt: skip

    return listed(query, rows, known)


def duties(world: World, query: Query) -> Reply:
    """종목별 직무."""

    def known(q: Qualification) -> Record:
        return {**names_of(q), "jmMdobligNm": f"{q.field.name} 직무", "jmObligNm": q.field.name}

    return listed(query, _per_qualification(world, query), known)


def changes(world: World, query: Query) -> Reply:
    """종목 변천: a qualification that took the place of another one of its field and grade."""
    held = technical(world)
    rows = []
    for q in held:
        others = [o for o in held if o.field is q.field and o.grade == q.grade and o.since < q.since]
        if others and q.index % 3 == 0:
            rows.append((others[q.index % len(others)], q))
    code = query.get("jmCd")

    def known(row: tuple[Qualification, Qualification]) -> Record:
        old, new = row
        return {
            "parentJmCd": old.code, "parentJmNm": old.name, "chldJmCd": new.code, "chldJmNm": new.name,
            "convJmCd": new.code, "convJmNm": new.name, "currJmCd": old.code, "currJmNm": old.name,
            "chldJmVer": str(1 + new.index % 3), "comCdNm": "통합" if new.index % 2 else "명칭변경", "creatGbCcd": "변천",
            "lawAplyStartDt": f"{new.since}0101", "lawAplyEndDt": "20991231",
        }  # fmt: skip

    return listed(query, [row for row in rows if code in ("", row[0].code, row[1].code)], known)


def supplies(world: World, query: Query) -> Reply:
    """실기시험 지참물 of a round."""
    year, number, code = query.get("implYY") or str(PLANNED_YEAR), query.get("implSeq"), query.get("jmCd")
    q = by_code(world, code) if code else None
    held = (q,) if q is not None else () if code else technical(world)
    rows = [
        (q, exam, place)
        for q in held
        if year.isdecimal()
        for exam in offered(world, q, int(year))
        if number in ("", str(exam.seq))
        for place in range(3)
    ]

    def known(row: tuple[Qualification, Round, int]) -> dict[str, Any]:
        q, exam, place = row
        name, form = _SUPPLIES[(q.index + place) % len(_SUPPLIES)]
        return {
            **names_of(q), "implPlanNm": f"{exam.year}년 {q.grade_name} 제{exam.seq}회 실기", "mtrlNm": name,
            "mtrlExpl": form,
            "comuseQty": str(1 + place), "dwgYnCcd": "Y" if q.field.large_code in ("14", "16") else "N",
            "examDt": day(exam.prac_exam_start), "myn": "Y" if q.index % 4 == 0 else "N",
        }  # fmt: skip

    return listed(query, rows, known)


def tasks(world: World, query: Query) -> Reply:
    """실기 과제."""
    rows = [(q, task) for q in technical(world) for task in _TASKS[: 1 + q.index % 3]]
    return listed(
        query,
        rows,
        lambda row: {**names_of(row[0]), "prblNm": f"{row[0].name} {row[1]}", "selfldNm": _option(row[0])},
    )


def exemptions(world: World, query: Query) -> Reply:
    """전문자격 면제과목: what experience spares a candidate."""
    licences = [q for q in qualifications(world) if q.kind == "S"]
    rows = [(q, name) for q in licences for name in subjects_of(q)[:2]]
    return listed(
        query, rows, lambda row: {**names_of(row[0]), "emqualDispNm": "경력에 따른 면제", "kmNm": row[1], "seqNo": "1"}
    )


def disqualifications(world: World, query: Query) -> Reply:
    """결격사유 of licences."""
    licences = [q for q in qualifications(world) if q.kind == "S"]
    rows = [(q, n, text) for q in licences for n, text in enumerate(_REASONS, 1)]
    return listed(query, rows, lambda row: {**names_of(row[0]), "seq": str(row[1]), "disqRsn": row[2]})


def _likes(world: World) -> list[Qualification]:
    return [q for q in technical(world) if q.grade != "10"]


def _alike(world: World, q: Qualification) -> Record:
    return {**names_of(q), "alikeGrupNm": f"{q.field.name} {q.series_name} 종목군"}


def _eligibility(world: World, row: tuple[str, int]) -> Record:
    code, name, _ = ELIGIBILITY[row[1]]
    return {
        "grdCd": row[0], "grdNm": GRADES[row[0]], "emqualCd": code, "emqualDispNm": name,
        "qualgbCd": "T", "qualgbNm": QUALIFICATION_KINDS["T"],
    }  # fmt: skip


def _item(world: World, row: tuple[str, str, str, str]) -> Record:
    code, name, kind, above = row
    return {
        "emqitemCd": code, "emqitemDispNm": name, "emqitemDivNm": kind, "upperEmqitemCd": above or code,
        "qualgbCd": "T", "qualgbNm": QUALIFICATION_KINDS["T"],
    }  # fmt: skip


def _accommodation(world: World, row: tuple[str, str, int, str, str]) -> Record:
    code, name, number, wish, series = row
    return {
        "dsdrGbCcd": code, "dsdrGbNm": name, "dsdrReqCcd": f"{code}{number:02d}", "dsdrReqNm": wish,
        "seriesCd": series, "seriesNm": SERIES[series],
    }  # fmt: skip


def _confirmation(world: World, row: tuple[str, str, str, str]) -> Record:
    code, name, fee, term = row
    allowed = {f"issuAprvYnCcd{n}": "Y" if n < 3 else "N" for n in (1, 2, 3)}
    text = f"{name}는 누리집에서 바로 발급받을 수 있다."
    return {"cfmnCd": code, "cfmnNm": name, "feeYnCcd": fee, "issuGid": text, "issuPosbtTerm": term, **allowed}


def _system(world: World, row: tuple[str, str, str]) -> Record:
    code, name, kind = row
    return {
        "implsysCd": code, "implsysNm": name, "qualgbCd": kind, "qualgbNm": QUALIFICATION_KINDS[kind],
        "creatGbCcd": "기본", "endDt": "20991231", "modifyDttm": _REGISTERED, "regDttm": _REGISTERED,
    }  # fmt: skip


def _fee(world: World, row: tuple[str, tuple[str, str, int]]) -> Record:
    code, name, fee = row[1]
    return {
        "grdCd": row[0], "grdNm": GRADES[row[0]], "fee": str(fee), "goodsGb": name, "qualGiveGoodsGbCcd": code
    }  # fmt: skip


def _elective(world: World, number: int) -> Record:
    return {
        "selfldCd": f"{number + 1:02d}", "selfldNm": _OPTIONS[number], "creatGbCcd": "기본", "startDt": "20190304",
        "endDt": "20991231", "modifyDttm": _REGISTERED, "regDttm": _REGISTERED,
    }  # fmt: skip


def _recommended(world: World, q: Qualification) -> Record:
    around = [o for o in technical(world) if o.field is q.field and o is not q]
    first, second = around[q.index % len(around)], around[(q.index + 1) % len(around)]
    return {
        "attenJmCd": q.code, "jmNm": q.name, "recomJmCd1": first.code, "recomJmNm1": first.name,
        "recomJmCd2": second.code, "recomJmNm2": second.name, "modifyDttm": _REGISTERED, "regDttm": _REGISTERED,
    }  # fmt: skip


HANDLERS: Final[dict[str, Handler]] = {
    "InquiryExamAreaFclSVC/getList": site_facilities,
    "InquiryJmDtlTypSVC/getList": detail_types,
    "InquiryJmRecptTypSVC/getList": detail_types,
    "InquiryExamKmInfo/getList": exam_subjects,
    "InquiryJmObligSVC/getList": duties,
    "InquiryJmTransSVC/getList": changes,
    "InquiryTechChangSVC/getList": changes,
    "InquiryPractExamCarrySVC/getList": supplies,
    "InquiryPrblInfoSVC/getList": tasks,
    "InquiryExemKmInfoSVC/getList": exemptions,
    "InquiryJmcdInfoSVC/getDisqList": disqualifications,
    "InquiryJmcdInfoSVC/getGrupList": table(_likes, _alike),
    "InquiryExamQualItemSVC/getList": table(
        lambda world: [(grade, n) for grade in GRADES for n in range(len(ELIGIBILITY))], _eligibility
    ),
    "InquiryExamQualItemSVC/getItemList": table(lambda world: _ITEMS, _item),
    "InquiryDsdrReqSVC/getList": table(
        lambda world: [
            (code, name, number, wish, series)
            for code, name, wishes in _ACCOMMODATIONS
            for number, wish in enumerate(wishes, 1)
            for series in SERIES
        ],
        _accommodation,
    ),
    "InquiryCfmnPolicySVC/getList": table(lambda world: _CONFIRMATIONS, _confirmation),
    "InquiryImplGbSVC/getList": table(lambda world: _SYSTEMS, _system),
    "InquiryQualFeeSVC/getList": table(lambda world: [(grade, fee) for grade in GRADES for fee in _FEES], _fee),
    "InquirySelFldSVC/getList": table(lambda world: range(len(_OPTIONS)), _elective),
    "InquiryAttenQualSVC/getList": table(technical, _recommended),
}
