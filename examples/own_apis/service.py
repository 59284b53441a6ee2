"""A stand-in for an Airflow installation on loopback: the reading operations of its public description, over invented data.

    python examples/own_apis/service.py [PORT]

prints its address and answers until it is ended. The key is `reader:open-sesame` (HTTP Basic). Everything is
drawn from a fixed seed, so two runs answer alike.
"""

from __future__ import annotations

import base64
import datetime
import json
import random
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

KEY = "reader:open-sesame"
_BASIC = "Basic " + base64.b64encode(KEY.encode()).decode()
_DAY = datetime.datetime(2026, 11, 1, 3, 0, tzinfo=datetime.UTC)
Row = dict[str, Any]

SUBJECTS = ("매출", "재고", "주문", "반품", "회원", "배송", "정산", "광고", "설비", "전력", "수질", "강우")
DUTIES = ("일일 집계", "주간 보고", "이상 점검")
STEPS = ("원천 수집", "형식 검사", "중복 제거", "단위 환산", "지표 계산", "요약 작성", "결과 전송")
POOLS = ("기본 풀", "대용량 풀", "외부 연계 풀", "야간 풀", "긴급 풀")
PEOPLE = ("가온", "나래", "다솔", "라온", "마루", "바다", "새벽", "아람", "자람", "초롱", "하늘", "한별")
FAMILY = ("김", "이", "박", "최", "정", "강")
ROLES = ("관리자", "운영자", "열람자", "감사자")


def _time(moment: datetime.datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


class Installation:
    """All rows, drawn once."""

    def __init__(self, seed: int = 7) -> None:
        self.draw = random.Random(seed)
        self.pools = [self._pool(name) for name in POOLS]
        self.users = [self._user(n) for n in range(24)]
        self.dags = [self._dag(n, s, d) for n, (s, d) in enumerate((s, d) for s in SUBJECTS for d in DUTIES)]
        self.tasks = {dag["dag_id"]: self._tasks(dag["dag_id"]) for dag in self.dags}
        self.runs = {dag["dag_id"]: self._runs(dag["dag_id"]) for dag in self.dags}
        self.instances = {
            (dag, run["dag_run_id"]): [self._instance(dag, run, task) for task in self.tasks[dag]]
            for dag, runs in self.runs.items()
            for run in runs
        }
        self.events = [self._event(n) for n in range(160)]
        self.connections = [self._connection(n) for n in range(12)]
        self.variables = [
            {"key": f"{s}-한도", "value": str(self.draw.randint(10, 900)), "description": f"{s} 처리 한도"}
            for s in SUBJECTS
        ]

    def _pool(self, name: str) -> Row:
        slots = self.draw.choice((16, 24, 32, 48, 64, 128))
        running, queued = self.draw.randint(0, slots // 2), self.draw.randint(0, slots // 4)
        return {
            "name": name, "slots": slots, "occupied_slots": running + queued, "running_slots": running,
            "queued_slots": queued, "open_slots": slots - running - queued, "scheduled_slots": self.draw.randint(0, 40),
            "deferred_slots": 0, "description": f"{name}의 자리", "include_deferred": False,
        }  # fmt: skip

    def _user(self, number: int) -> Row:
        return {
            "username": f"user{number + 101}", "first_name": PEOPLE[number % 12], "last_name": FAMILY[number % 6],
            "email": f"user{number + 101}@example.org", "active": number % 5 != 4, "last_login": _time(_DAY),
            "login_count": self.draw.randint(1, 400), "failed_login_count": self.draw.randint(0, 30),
            "roles": [{"name": ROLES[number % 4]}], "created_on": _time(_DAY), "changed_on": _time(_DAY),
        }  # fmt: skip

    def _dag(self, number: int, subject: str, duty: str) -> Row:
        return {
            "dag_id": f"flow-{number + 1:03}", "dag_display_name": f"{subject} {duty}", "root_dag_id": None,
            "is_paused": self.draw.random() < 0.2, "is_active": True, "is_subdag": False,
            "fileloc": f"/flows/flow{number + 1:03}.py", "file_token": f"token-{number + 1:03}",
            "owners": [f"{FAMILY[number % 6]}{PEOPLE[number % 12]}"], "description": f"{subject} 자료의 {duty}",
            "timetable_description": "매일 03시" if "일일" in duty else "매주 월요일 03시", "schedule_interval": None,
            "tags": [{"name": subject}], "max_active_tasks": self.draw.choice((8, 16, 32)),
            "max_active_runs": self.draw.choice((1, 2, 4)), "has_task_concurrency_limits": False,
            "has_import_errors": False, "next_dagrun": None, "max_consecutive_failed_dag_runs": self.draw.randint(0, 5),
        }  # fmt: skip

    def _tasks(self, dag: str) -> list[Row]:
        steps = STEPS[: self.draw.randint(4, 7)]
        return [
            {
                "task_id": f"{dag}-t{n}", "task_display_name": step, "owner": self.draw.choice(FAMILY) + self.draw.choice(PEOPLE),
                "trigger_rule": "all_success", "depends_on_past": False, "is_mapped": False, "wait_for_downstream": False,
                "retries": self.draw.randint(0, 5), "queue": self.draw.choice(("일반 대기열", "우선 대기열")),
                "pool": self.draw.choice(POOLS), "pool_slots": self.draw.randint(1, 4),
                "priority_weight": self.draw.randint(1, 20), "ui_color": "#fff", "ui_fgcolor": "#000",
                "downstream_task_ids": [f"{dag}-t{n + 1}"] if n < len(steps) else [],
            }
            for n, step in enumerate(steps, 1)
        ]  # fmt: skip

    def _runs(self, dag: str) -> list[Row]:
        found = []
        for n in range(self.draw.randint(5, 9)):
            begin = _DAY + datetime.timedelta(days=n, minutes=self.draw.randint(0, 50))
            end = begin + datetime.timedelta(seconds=self.draw.randint(200, 5000))
            found.append({
                "dag_run_id": f"{dag}-run{n + 1:02}", "dag_id": dag, "logical_date": _time(_DAY + datetime.timedelta(days=n)),
                "start_date": _time(begin), "end_date": _time(end), "run_type": self.draw.choice(("scheduled", "manual")),
                "state": self.draw.choices(("success", "failed", "running"), (7, 2, 1))[0],
                "external_trigger": False, "conf": {},
                "note": self.draw.choice(("정상 종료", "재처리함", "자료 지연", "담당자 확인", "점검 뒤 실행")),
            })  # fmt: skip
        return found

    def _instance(self, dag: str, run: Row, task: Row) -> Row:
        return {
            "task_id": task["task_id"], "task_display_name": task["task_display_name"], "dag_id": dag,
            "dag_run_id": run["dag_run_id"], "execution_date": run["logical_date"], "start_date": run["start_date"],
            "end_date": run["end_date"], "duration": round(self.draw.uniform(5, 900), 1),
            "state": self.draw.choices(("success", "failed", "up_for_retry"), (8, 1, 1))[0],
            "try_number": self.draw.randint(1, 4), "map_index": -1, "max_tries": self.draw.randint(4, 6),
            "hostname": f"처리기 {self.draw.randint(1, 9)}호", "unixname": "flow", "pool": task["pool"],
            "pool_slots": task["pool_slots"], "queue": task["queue"], "priority_weight": task["priority_weight"],
            "operator": self.draw.choice(("SQL 연산자", "파일 연산자", "요청 연산자")), "queued_when": run["start_date"],
            "pid": self.draw.randint(1000, 9000), "executor": None, "executor_config": "{}", "rendered_fields": {},
            "note": self.draw.choice(("이상 없음", "느림", "재시도 뒤 성공", "입력 누락")),
        }  # fmt: skip

    def _connection(self, number: int) -> Row:
        return {
            "connection_id": f"conn-{number + 1:02}", "conn_type": self.draw.choice(("postgres", "http", "sftp")),
            "description": f"{SUBJECTS[number]} 원천 연결", "host": f"db{number + 1}.example.org", "login": "flow",
            "schema": SUBJECTS[number], "port": self.draw.choice((5432, 443, 22)),
        }  # fmt: skip

    def _event(self, number: int) -> Row:
        dag = self.draw.choice(self.dags)["dag_id"]
        return {
            "event_log_id": number + 1, "when": _time(_DAY + datetime.timedelta(hours=number)), "dag_id": dag,
            "task_id": self.draw.choice(self.tasks[dag])["task_id"], "run_id": self.draw.choice(self.runs[dag])["dag_run_id"],
            "map_index": None, "try_number": self.draw.randint(1, 4),
            "event": self.draw.choice(("실행 시작", "설정 변경", "중지 요청", "재시도 요청")), "execution_date": None,
            "owner": self.draw.choice(FAMILY) + self.draw.choice(PEOPLE), "extra": None,
        }  # fmt: skip


Found = tuple[str, list[Row]] | Row | None
"""Name and rows of a collection, or one object; None: there is none."""


class Service:
    """Paths to answers."""

    def __init__(self) -> None:
        data = self.data = Installation()
        self.routes: list[tuple[re.Pattern[str], Callable[..., Found]]] = [
            (re.compile("/api/v1" + re.sub(r"\{\w+\}", "([^/]+)", path)), answer)
            for path, answer in (
                ("/pools", lambda: ("pools", data.pools)),
                ("/pools/{pool_name}", lambda name: _one(data.pools, "name", name)),
                ("/users", lambda: ("users", data.users)),
                ("/users/{username}", lambda name: _one(data.users, "username", name)),
                ("/variables", lambda: ("variables", data.variables)),
                ("/variables/{variable_key}", lambda key: _one(data.variables, "key", key)),
                ("/connections", lambda: ("connections", data.connections)),
                ("/connections/{connection_id}", lambda name: _one(data.connections, "connection_id", name)),
                ("/version", lambda: {"version": "2.10.5", "git_version": None}),
                ("/health", lambda: {"metadatabase": {"status": "healthy"}, "scheduler": {"status": "healthy"}}),
                ("/eventLogs", lambda: ("event_logs", data.events)),
                ("/eventLogs/{event_log_id}", lambda number: _one(data.events, "event_log_id", number)),
                ("/dags", lambda: ("dags", data.dags)),
                ("/dags/{dag_id}", lambda dag: _one(data.dags, "dag_id", dag)),
                ("/dags/{dag_id}/details", lambda dag: _one(data.dags, "dag_id", dag)),
                ("/dags/{dag_id}/tasks", lambda dag: _some("tasks", data.tasks.get(dag))),
                ("/dags/{dag_id}/tasks/{task_id}", lambda dag, task: _one(data.tasks.get(dag), "task_id", task)),
                ("/dags/{dag_id}/dagRuns", lambda dag: _some("dag_runs", data.runs.get(dag))),
                ("/dags/{dag_id}/dagRuns/{dag_run_id}", lambda dag, run: _one(data.runs.get(dag), "dag_run_id", run)),
                (
                    "/dags/{dag_id}/dagRuns/{dag_run_id}/taskInstances",
                    lambda dag, run: _some("task_instances", data.instances.get((dag, run))),
                ),
                (
                    "/dags/{dag_id}/dagRuns/{dag_run_id}/taskInstances/{task_id}",
                    lambda dag, run, task: _one(data.instances.get((dag, run)), "task_id", task),
                ),
            )
        ]

    def answer(self, target: str, authorization: str | None) -> tuple[int, Any]:
        """(status, JSON value) of a request."""
        if authorization != _BASIC:
            return 401, _problem(401, "Unauthorized", "The credentials are missing or wrong.")
        parts = urlsplit(target)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        for pattern, found in self.routes:
            match = pattern.fullmatch(parts.path)
            if match is not None:
                made = found(*(unquote(part) for part in match.groups()))
                if made is None:
                    return 404, _problem(404, "Not Found", "No such resource.")
                return (200, made) if isinstance(made, dict) else _page(*made, query)
        return 404, _problem(404, "Not Found", "No such address.")


def _one(rows: Iterable[Row] | None, column: str, value: str) -> Row | None:
    return next((row for row in rows or () if str(row[column]) == value), None)


def _some(name: str, rows: list[Row] | None) -> tuple[str, list[Row]] | None:
    return None if rows is None else (name, rows)


def _page(name: str, rows: list[Row], query: Mapping[str, str]) -> tuple[int, Any]:
    """A collection as the description has it: filtered, ordered, cut by offset and limit, with its total."""
    for bound in ("limit", "offset"):
        if not query.get(bound, "0").isdecimal():
            return 400, _problem(400, "Bad Request", f"{bound} is no number")
    for column in ("state", "dag_id", "task_id", "run_id", "owner", "event", "pool", "queue"):
        if column in query:
            rows = [row for row in rows if str(row.get(column)) == query[column]]
    if "paused" in query:
        rows = [row for row in rows if row.get("is_paused") is (query["paused"] == "true")]
    if "dag_id_pattern" in query:
        rows = [row for row in rows if query["dag_id_pattern"] in row["dag_id"]]
    order = query.get("order_by", "")
    if order:
        column = order.removeprefix("-")
        if not rows or column not in rows[0]:
            return 400, _problem(400, "Bad Request", f"Ordering with '{column}' is disallowed")
        rows = sorted(rows, key=lambda row: str(row[column]), reverse=order.startswith("-"))
    begin = int(query.get("offset", 0))
    size = min(int(query.get("limit", 100)), 100)
    return 200, {name: rows[begin : begin + size], "total_entries": len(rows)}


def _problem(status: int, title: str, detail: str) -> Row:
    return {"type": "about:blank", "title": title, "status": status, "detail": detail}


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    service = Service()

    def do_GET(self) -> None:  # the library's name
        """Answer."""
        status, value = self.service.answer(self.path, self.headers.get("Authorization"))
        body = json.dumps(value, ensure_ascii=False).encode("utf-8")
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # the library's name
        """Nothing is logged."""


def serve(port: int = 0) -> ThreadingHTTPServer:
    """The server, not yet running; port 0 takes a free one."""
    Handler.wbufsize = -1  # head and body in one packet, else small answers wait for an acknowledgement
    return ThreadingHTTPServer(("127.0.0.1", port), Handler)


if __name__ == "__main__":
    server = serve(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    sys.stdout.write(f"http://127.0.0.1:{server.server_port}/api/v1\n")
    sys.stdout.flush()
    server.serve_forever()
