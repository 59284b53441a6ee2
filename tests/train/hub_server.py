"""A server on loopback that speaks the Hub's protocol as far as a push needs it, and keeps what it was sent."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class HubServer(ThreadingHTTPServer):
    """Repositories in memory; `token` is the only one that may write."""

    def __init__(self, token: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.token = token
        self.repositories: list[str] = []
        self.files: dict[str, bytes] = {}
        """Path → content, as committed."""
        self.uploads: dict[str, bytes] = {}
        """SHA-256 → content, as uploaded."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: HubServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Silent."""

    def _answer(self, status: int, body: Any = None) -> None:
        content = json.dumps(body if body is not None else {}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def do_GET(self) -> None:
        self._answer(404, {"error": "not found"})

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_PUT(self) -> None:
        self.server.uploads[self.path.rpartition("/")[2]] = self._body()
        self._answer(200)

    def do_POST(self) -> None:
        body = self._body()
        if self.path.endswith("validate-yaml"):
            return self._answer(200, {"errors": [], "warnings": []})
        if self.headers.get("Authorization") != f"Bearer {self.server.token}":
            return self._answer(401, {"error": "Invalid credentials"})
        if self.path.endswith("/repos/create"):
            given = json.loads(body)
            name = "/".join(part for part in (given.get("organization"), given["name"]) if part)
            self.server.repositories.append(name)
            return self._answer(200, {"url": f"{self.server.address}/{name}", "name": name, "id": name})
        if "/preupload/" in self.path:
            modes = [
                {
                    "path": file["path"],
                    "uploadMode": "lfs" if file["path"].endswith((".safetensors", ".bin")) else "regular",
                    "shouldIgnore": False,
                }
                for file in json.loads(body)["files"]
            ]
            return self._answer(200, {"files": modes})
        if self.path.endswith("/info/lfs/objects/batch"):
            objects = [
                {**item, "actions": {"upload": {"href": f"{self.server.address}/store/{item['oid']}"}}}
                for item in json.loads(body)["objects"]
            ]
            return self._answer(200, {"transfer": "basic", "objects": objects})
        if "/commit/" in self.path:
            self._commit(body)
            name = self.path.partition("/api/models/")[2].partition("/commit/")[0]
            url = f"{self.server.address}/{name}/commit/{'0' * 40}"
            return self._answer(200, {"commitUrl": url, "commitOid": "0" * 40, "pullRequestUrl": None})
        return self._answer(404, {"error": f"no such address: {self.path}"})

    def _commit(self, body: bytes) -> None:
        for line in body.splitlines():
            entry = json.loads(line)
            value = entry["value"]
            if entry["key"] == "file":
                self.server.files[value["path"]] = base64.b64decode(value["content"])
            if entry["key"] == "lfsFile":
                self.server.files[value["path"]] = self.server.uploads[value["oid"]]


@contextmanager
def hub_server(token: str) -> Iterator[HubServer]:
    """A running server."""
    server = HubServer(token)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
