"""Korean labels for the English names of imported descriptions, so that questions can be asked about their columns.

A name is cut into words (`startDate`, `start_date`), each word that is known is put in Korean, and the order
stays: English and Korean both put the head of a compound last. What is not known stays as it is; an overrides
file gives better words, labels and titles.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_PAIRS: Final = """
    id=ID uuid=ID guid=ID identifier=ID key=키 code=코드 ref=참조 slug=슬러그 name=이름 names=이름 title=제목 label=표시
    description=설명 summary=요약 text=본문 note=비고 notes=비고 comment=의견 comments=의견 content=내용 body=본문 message=메시지
    type=종류 kind=종류 category=분류 class=등급 status=상태 state=상태 stage=단계 phase=단계 level=등급 priority=우선순위 role=역할
    reason=사유 result=결과 decision=결정 gender=성별 color=색 colour=색 language=언어 version=버전 tag=태그 tags=태그 date=날짜
    time=시각 datetime=일시 timestamp=일시 at=일시 year=연도 month=월 day=일 week=주 hour=시 minute=분 second=초 start=시작
    started=시작 begin=시작 end=종료 ended=종료 finish=종료 finished=종료 created=생성 create=생성 updated=수정 update=수정
    modified=수정 deleted=삭제 published=발행 last=최근 next=다음 previous=이전 first=첫 latest=최근 current=현재 new=새 old=이전
    original=원래 due=마감 expected=예정 planned=계획 scheduled=예정 actual=실제 estimated=추정 birth=출생 total=전체 count=건수
    number=번호 num=번호 amount=금액 price=가격 cost=비용 fee=수수료 fare=운임 tax=세금 rate=비율 ratio=비율 percent=비율
    percentage=비율 average=평균 mean=평균 min=최소 minimum=최소 max=최대 maximum=최대 sum=합계 size=크기 length=길이 width=너비
    height=높이 weight=무게 distance=거리 duration=소요시간 speed=속도 area=면적 capacity=정원 quantity=수량 stock=재고 score=점수
    rank=순위 order=주문 index=순번 position=위치 rating=평점 votes=표 vote=표결 points=점수 user=사용자 users=사용자 username=사용자명
    person=인물 people=인물 member=회원 members=회원 owner=담당자 owners=담당자 author=저자 authors=저자 creator=작성자 customer=고객
    client=고객 employee=직원 manager=관리자 contact=연락처 sponsor=발의자 teacher=교사 student=학생 patient=환자 doctor=의사
    driver=운전자 passenger=승객 player=선수 team=팀 group=집단 family=가족 company=회사 organization=기관 organisation=기관
    institution=기관 department=부서 agency=기관 office=사무소 branch=지점 school=학교 hospital=병원 library=도서관 museum=박물관
    station=역 airport=공항 hotel=호텔 restaurant=식당 shop=상점 store=상점 market=시장 bank=은행 account=계좌 payment=결제
    invoice=송장 contract=계약 bill=의안 law=법령 party=정당 committee=위원회 parliament=의회 house=의회 meeting=회의 session=회기
    election=선거 district=지역구 constituency=선거구 country=국가 nation=국가 city=도시 region=지역 province=도 county=군
    town=마을 street=거리 address=주소 place=장소 location=위치 site=부지 building=건물 floor=층 room=방 zone=구역 route=노선
    line=노선 stop=정류장 trip=운행 platform=승강장 train=열차 bus=버스 vehicle=차량 flight=항공편 airline=항공사 ship=선박 port=항구
    latitude=위도 longitude=경도 lat=위도 lon=경도 lng=경도 altitude=고도 elevation=고도 phone=전화번호 email=이메일 mail=이메일 fax=팩스
    url=URL uri=URI link=링크 website=홈페이지 image=이미지 photo=사진 file=파일 filename=파일명 path=경로 format=형식 unit=단위
    currency=통화 book=도서 article=기사 news=소식 event=이벤트 project=과제 task=작업 job=작업 run=실행 process=과정 program=프로그램
    course=과정 product=상품 item=항목 service=서비스 model=모델 brand=상표 publisher=출판사 publication=발행물 document=문서
    report=보고서 record=기록 dataset=데이터셋 data=자료 table=표 field=필드 parameter=매개변수 variable=변수 pool=풀 slot=자리
    slots=자리 queue=대기열 worker=작업기 host=호스트 server=서버 node=노드 connection=연결 config=설정 option=선택사항 setting=설정
    plugin=플러그인 provider=제공자 resource=자원 permission=권한 action=동작 error=오류 warning=경고 log=기록 try=시도 attempt=시도
    attempts=시도 retries=재시도 retry=재시도 trigger=시작조건 rule=규칙 schedule=일정 interval=주기 active=활성 paused=중지
    enabled=사용 visible=공개 available=이용가능 open=열림 closed=닫힘 used=사용 running=실행중 queued=대기 deferred=보류 failed=실패
    success=성공 external=외부 internal=내부 public=공개 private=비공개 default=기본 display=표시 short=짧은 long=긴 full=전체
    main=주 parent=상위 child=하위 root=최상위 source=원천 target=대상 related=관련 official=공식 common=일반 season=시즌 game=경기
    match=경기 goal=득점 weather=날씨 temperature=기온 humidity=습도 wind=바람 rain=강수 species=종 animal=동물 plant=식물 crop=작물
    variety=품종 trial=시험 study=연구 sample=시료 disease=질병 drug=의약품 exam=시험 grade=등급 subject=과목 topic=주제 question=질문
    answer=답변 review=후기 search=검색 query=검색어 term=용어 keyword=검색어 filter=조건 sort=정렬 page=쪽 offset=건너뛸 limit=최대
    cursor=다음쪽표시 skip=건너뛸 take=최대 per=당
"""
_WORDS: Final[dict[str, str]] = {
    english: korean for english, _, korean in (pair.partition("=") for pair in _PAIRS.split())
}
_CUT: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z0-9\u0080-\uffff]+")
_VAGUE_WORDS: Final = """
    id uuid identifier key code name title label type kind status state description summary number date time value url
"""
_VAGUE: Final = frozenset(_VAGUE_WORDS.split())
_MARKS: Final = ("is", "has", "can", "was", "should")
_HANGUL: Final = re.compile(r"[가-힣]")
_UNCHANGED: Final = frozenset(
    {"status", "news", "series", "species", "address", "process", "class", "access", "business"}
)


def words_of(name: str) -> list[str]:
    """The words of a name, in lower case: startDate, start_date and Start-Date are two words."""
    return [word.lower() for word in _CUT.split(name) if word]


def singular(word: str) -> str:
    """English singular of a plural noun, by rule: companies, boxes, runs."""
    lower = word.lower()
    if lower in _UNCHANGED or len(word) < 4 or not lower.endswith("s") or lower.endswith(("ss", "us", "is")):
        return word
    if lower.endswith("ies"):
        return word[:-3] + ("Y" if word.isupper() else "y")
    return word[:-2] if lower.endswith(("xes", "ches", "shes", "sses")) else word[:-1]


class Labels:
    """Labels for names, in the words of an imported description or of its overrides."""

    def __init__(self, words: Mapping[str, str] | None = None, labels: Mapping[str, str] | None = None) -> None:
        """`words`: Korean for words of names; `labels`: whole labels by name, which go before all else."""
        self._words = {**_WORDS, **{word.lower(): told for word, told in (words or {}).items()}}
        self._labels = dict(labels or {})

    def noun(self, name: str) -> str:
        """What a thing is called: dagRuns → the words for "dag" and "run"."""
        words = words_of(name)
        return self._told([*words[:-1], singular(words[-1])]) if words else name

    def label(self, name: str, thing: str = "", *, own: Mapping[str, str] | None = None) -> str:
        """The label of a column or an input of a thing (its noun); vague names take the noun along: id → 의안 ID."""
        for given in (own or {}, self._labels):
            if name in given:
                return given[name]
        if _HANGUL.search(name):
            return " ".join(name.replace("_", " ").split())
        path = name.split(".")
        words = words_of(path[-1])
        holder = self.noun(path[-2]) if len(path) > 1 else thing
        if not words:
            return name
        if words[0] in _MARKS and len(words) > 1:
            return f"{self._told(words[1:])} 여부"
        told = self._told(words)
        if holder and ((len(words) == 1 and words[0] in _VAGUE) or len(path) > 1) and not told.startswith(holder):
            told = f"{holder} {told}"
        return told

    def _told(self, words: list[str]) -> str:
        if len(words) > 1 and words[0] in ("num", "number") and words[-1] != words[0]:
            return f"{self._told([word for word in words[1:] if word != 'of'])} 수"
        if "of" in words[1:-1]:
            at = words.index("of", 1)
            words = [*words[at + 1 :], *words[:at]]
        return " ".join(self._words.get(word) or self._words.get(singular(word)) or word for word in words)
