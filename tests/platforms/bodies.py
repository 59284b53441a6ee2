"""Small bodies in the shapes that the services send; every value is invented."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any


def as_json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8")


def as_zip(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def portal_json(service: str, rows: list[dict[str, Any]], total: int, code: str = "INFO-000") -> bytes:
    head = {"head": [{"list_total_count": total}, {"RESULT": {"CODE": code, "MESSAGE": "정상 처리되었습니다."}}]}
    return as_json({service: [head, {"row": rows}] if rows else [head]})


def bare_result(code: str, message: str = "알림") -> bytes:
    return as_json({"RESULT": {"CODE": code, "MESSAGE": message}})


def agency_json(code: str, message: str = "NORMAL SERVICE.", **body: Any) -> bytes:
    header = {"resultCode": code, "resultMsg": message}
    return as_json({"response": {"header": header, **({"body": body} if body else {})}})


def gateway_xml(code: str, message: str) -> bytes:
    return (
        "<OpenAPI_ServiceResponse><cmmMsgHeader><errMsg>SERVICE ERROR</errMsg>"
        f"<returnAuthMsg>{message}</returnAuthMsg><returnReasonCode>{code}</returnReasonCode>"
        "</cmmMsgHeader></OpenAPI_ServiceResponse>"
    ).encode()


SUCCESSES: dict[str, bytes] = {
    "dart": as_json(
        {
            "status": "000",
            "message": "정상",
            "page_no": 1,
            "page_count": 10,
            "total_count": 2,
            "total_page": 1,
            "list": [
                {"corp_code": "00999001", "corp_name": "한빛가상"},
                {"corp_code": "00999002", "corp_name": "솔가상"},
            ],
        }
    ),
    "krx": as_json({"OutBlock_1": [{"ISU_CD": "900010", "TDD_CLSPRC": "12,300"}, {"ISU_CD": "900020"}]}),
    "kdic": agency_json("00", items={"item": [{"prdNm": "가상예금"}, {"prdNm": "가상적금"}]}, totalCount=2),
    "expressway": as_json(
        {
            "code": "SUCCESS",
            "message": "인증키가 유효합니다.",
            "count": 2,
            "pageSize": 1,
            "trafficIc": [{"unitCode": "901 ", "unitName": "가상TG"}, {"unitCode": "902"}],
        }
    ),
    "seoul": as_json(
        {
            "GasangService": {
                "list_total_count": 2,
                "RESULT": {"CODE": "INFO-000", "MESSAGE": "정상"},
                "row": [{"NM": "가"}, {"NM": "나"}],
            }
        }
    ),
    "gyeonggi": portal_json("Gasang", [{"SIGUN_NM": "가상시"}, {"SIGUN_NM": "나상시"}], 2),
    "assembly": portal_json("nabcdefghijklmnop", [{"BILL_NO": "2299001"}, {"BILL_NO": "2299002", "CNT": 3}], 2),
    "law": as_json(
        {
            "LawSearch": {
                "target": "law",
                "키워드": "가상",
                "totalCnt": "2",
                "page": "1",
                "resultCode": "00",
                "resultMsg": "success",
                "law": [{"법령ID": "900001"}, {"법령ID": "900002"}],
            }
        }
    ),
    "neis": portal_json("schoolInfo", [{"SCHUL_NM": "가상초등학교"}, {"SCHUL_NM": "나상초등학교"}], 2),
    "schoolinfo": as_json(
        {"resultCode": "success", "resultMsg": "성공", "list": [{"SCHUL_NM": "가상중"}, {"SCHUL_NM": "나"}]}
    ),
    "edss": as_json(
        {"resultData": [{"ctpvNm": "가도"}, {"ctpvNm": "나도"}], "msgCd": "200 (성공)", "msgCn": "[조회건수 : 2 건]"}
    ),
    "hrdk": as_json(
        {
            "header": {"resultCode": "00", "resultMsg": "NORMAL SERVICE"},
            "body": {"items": [{"implSeq": 1}, {"implSeq": 2}], "totalCount": 2},
        }
    ),
    "data_go_kr": agency_json("00", items={"item": [{"id": "A1"}, {"id": "A2"}]}, totalCount=2, pageNo=1, numOfRows=10),
}
"""A success with two records for every wire."""
