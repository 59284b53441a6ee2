"""A Hub on loopback, as far as publishing and pulling need it: repositories, commits, large files, tags, ranges.

The clients' side of the protocol is huggingface_hub's and datasets' own code; only the service is played here.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

import yaml

LARGE_SUFFIXES: Final = (".parquet", ".png", ".zip", ".safetensors", ".gz")


@dataclass(frozen=True)
class Blob:
    """A file's content in one commit."""

    data: bytes
    large: bool

    @property
    def git_oid(self) -> str:
        return hashlib.sha1(b"blob %d\0" % len(self.data) + self.data).hexdigest()

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


@dataclass
class Commit:
    oid: str
    title: str
    tree: dict[str, Blob]
    parent: str | None


@dataclass
class Repository:
    private: bool = False
    gated: bool = False
    commits: dict[str, Commit] = field(default_factory=dict)
    head: str = ""
    tags: dict[str, str] = field(default_factory=dict)

    def add(self, title: str, tree: dict[str, Blob]) -> Commit:
        text = json.dumps([self.head, title, sorted((p, b.git_oid) for p, b in tree.items())])
        oid = hashlib.sha1(text.encode()).hexdigest()
        self.commits[oid] = Commit(oid, title, tree, self.head or None)
        self.head = oid
        return self.commits[oid]

    def at(self, revision: str) -> Commit | None:
        oid = self.head if revision in ("main", "refs/heads/main") else self.tags.get(revision, revision)
        return self.commits.get(oid)


@dataclass
class Fault:
    """What happens to the first `times` requests that match: a status, or a connection cut after `cut` bytes."""

    method: str
    pattern: str
    status: int = 0
    times: int = 1
    cut: int = -1
    headers: dict[str, str] = field(default_factory=dict)


class Hub:
    """State of the service; `requests` notes every request as 'METHOD path'."""

    token = "hf_" + "t" * 34
    user = "kopa"

    def __init__(self) -> None:
        self.repositories: dict[tuple[str, str], Repository] = {}
        self.objects: dict[str, bytes] = {}
        self.requests: list[str] = []
        self.ranges: list[str] = []
        self.faults: list[Fault] = []
        self.lock = threading.RLock()
        self.endpoint = ""

    def repository(self, name: str, kind: str = "dataset") -> Repository:
        return self.repositories[kind, name]

    def fault_for(self, method: str, path: str) -> Fault | None:
        with self.lock:
            for fault in self.faults:
                if fault.times > 0 and fault.method == method and re.search(fault.pattern, path):
                    fault.times -= 1
                    return fault
        return None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: Hub
    cut: int = -1

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("do_"):
            return self._serve
        raise AttributeError(name)

    def _serve(self) -> None:
        url = urlsplit(self.path)
        self.where, self.query = unquote(url.path), parse_qs(url.query)
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with self.hub.lock:
            self.hub.requests.append(f"{self.command} {self.where}")
        fault = self.hub.fault_for(self.command, self.where)
        if fault is not None and fault.status:
            self._json({"error": f"fault {fault.status}"}, fault.status, fault.headers)
            return
        if fault is not None and fault.cut < 0:
            self.close_connection = True
            self.connection.close()
            return
        self.cut = fault.cut if fault is not None else -1
        for method, pattern, name in _ROUTES:
            found = re.fullmatch(pattern, self.where)
            if found and self.command in method.split("|"):
                with self.hub.lock:
                    getattr(self, name)(**{key: value or "" for key, value in found.groupdict().items()})
                return
        self._json({"error": f"no such address: {self.command} {self.where}"}, 404)

    # answers

    def _json(self, value: Any, status: int = 200, headers: dict[str, str] | None = None) -> None:
        self._bytes(json.dumps(value).encode(), status, {"Content-Type": "application/json", **(headers or {})})

    def _bytes(self, data: bytes, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if "Content-Length" not in headers:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data if self.cut < 0 else data[: self.cut])
        if self.cut >= 0:
            self.close_connection = True

    def _refuse(self, code: str, message: str, status: int) -> None:
        self._json({"error": message}, status, {"X-Error-Code": code, "X-Error-Message": message})

    def _signed_in(self) -> bool:
        return self.headers.get("Authorization") == f"Bearer {self.hub.token}"

    def _open(self, kind: str, name: str, *, write: bool = False) -> Repository | None:
        """The repository, or None after the refusal was sent."""
        found = self.hub.repositories.get((kind, name))
        if write and not self._signed_in():
            self._json({"error": "Invalid username or password."}, 401)
        elif found is None or (found.private and not self._signed_in()):
            self._refuse("RepoNotFound", "Repository not found", 404 if self._signed_in() else 401)
        elif write and name.split("/")[0] != self.hub.user:
            self._json({"error": "You don't have the rights to write here."}, 403)
        elif found.gated and not self._signed_in():
            self._refuse("GatedRepo", "Access to this repository is restricted.", 401)
        else:
            return found
        return None

    def _commit_at(self, found: Repository, revision: str) -> Commit | None:
        commit = found.at(revision)
        if commit is None:
            self._refuse("RevisionNotFound", "Invalid rev id", 404)
        return commit

    # addresses

    def who(self) -> None:
        if self._signed_in():
            self._json({"name": self.hub.user, "type": "user", "orgs": [], "auth": {"type": "access_token"}})
        else:
            self._json({"error": "Invalid user token."}, 401)

    def card(self) -> None:
        """Check of a card's YAML header, as the Hub does before a commit."""
        header = re.match(r"---\r?\n(.*?)\r?\n---", json.loads(self.body)["content"], re.DOTALL)
        good = header is not None and isinstance(yaml.safe_load(header[1]), dict)
        self._json({"errors": [] if good else [{"message": "no metadata"}], "warnings": []}, 200 if good else 400)

    def create(self) -> None:
        asked = json.loads(self.body)
        name, kind = f"{asked.get('organization') or self.hub.user}/{asked['name']}", asked.get("type", "model")
        if not self._signed_in():
            return self._json({"error": "Invalid username or password."}, 401)
        if name.split("/")[0] != self.hub.user:
            return self._json({"error": "You don't have the rights to create here."}, 403)
        there = (kind, name) in self.hub.repositories
        if not there:
            private = asked.get("visibility") == "private" or asked.get("private") is True
            made = self.hub.repositories[kind, name] = Repository(private=private)
            made.add("initial commit", {".gitattributes": Blob(b"*.parquet filter=lfs\n", False)})
        url = f"{self.hub.endpoint}/{'datasets/' if kind == 'dataset' else ''}{name}"
        self._json({"url": url, "name": name, "id": name}, 409 if there else 200)

    def info(self, kind: str, name: str, revision: str = "main") -> None:
        if (found := self._open(kind, name)) and (commit := self._commit_at(found, revision)):
            files = [{"rfilename": path, "size": len(blob.data)} for path, blob in sorted(commit.tree.items())]
            self._json(
                {"id": name, "sha": commit.oid, "private": found.private, "gated": found.gated, "disabled": False,
                 "tags": [], "siblings": files, "lastModified": "2026-01-30T00:00:00.000Z", "downloads": 0, "likes": 0}
            )  # fmt: skip

    def tree(self, kind: str, name: str, revision: str, path: str = "") -> None:
        if (found := self._open(kind, name)) and (commit := self._commit_at(found, revision)):
            under = path.strip("/") + "/" if path.strip("/") else ""
            inside = [item for item in sorted(commit.tree.items()) if item[0].startswith(under)]
            if under and not inside:
                return self._refuse("EntryNotFound", "not found", 404)
            deep = "true" in map(str.lower, self.query.get("recursive", ["false"]))
            folders = {
                under + "/".join(rest[:depth])
                for file, _ in inside
                for rest in [file.removeprefix(under).split("/")]
                for depth in range(1, len(rest) if deep else min(2, len(rest)))
            }
            listed = [_entry(file, blob) for file, blob in inside if deep or "/" not in file.removeprefix(under)]
            self._json([{"type": "directory", "oid": "0" * 40, "size": 0, "path": f} for f in sorted(folders)] + listed)

    def paths(self, kind: str, name: str, revision: str) -> None:
        if (found := self._open(kind, name)) and (commit := self._commit_at(found, revision)):
            asked = json.loads(self.body)["paths"] if self.body[:1] == b"{" else parse_qs(self.body.decode())["paths"]
            files = [_entry(path, commit.tree[path]) for path in asked if path in commit.tree]
            folders = [p for p in asked if any(file.startswith(p.rstrip("/") + "/") for file in commit.tree)]
            self._json(files + [{"type": "directory", "oid": "0" * 40, "size": 0, "path": f} for f in folders])

    def modes(self, kind: str, name: str, revision: str) -> None:
        if found := self._open(kind, name, write=True):
            head = found.commits[found.head].tree
            self._json(
                {
                    "files": [
                        {
                            "path": file["path"],
                            "uploadMode": "lfs" if file["path"].endswith(LARGE_SUFFIXES) else "regular",
                            "shouldIgnore": False,
                            "oid": (b.sha256 if b.large else b.git_oid) if (b := head.get(file["path"])) else None,
                        }
                        for file in json.loads(self.body)["files"]
                    ]
                }
            )

    def batch(self, name: str, kind: str) -> None:
        if self._open(kind, name, write=True):
            asked = json.loads(self.body)["objects"]
            answers = []
            for item in asked:
                oid = item["oid"]
                answer: dict[str, Any] = {"oid": oid, "size": item["size"]}
                if oid not in self.hub.objects:
                    actions = {
                        "upload": {"href": f"{self.hub.endpoint}/objects/{oid}"},
                        "verify": {"href": f"{self.hub.endpoint}/verify/{oid}"},
                    }
                    answer["actions"] = actions
                answers.append(answer)
            self._json(
                {"transfer": "basic", "objects": answers}, headers={"Content-Type": "application/vnd.git-lfs+json"}
            )

    def put(self, oid: str) -> None:
        if hashlib.sha256(self.body).hexdigest() != oid:
            return self._json({"error": "hash mismatch"}, 400)
        self.hub.objects[oid] = self.body
        self._json({})

    def verify(self, oid: str) -> None:
        self._json({}, 200 if len(self.hub.objects.get(oid, b"")) == json.loads(self.body)["size"] else 404)

    def commit(self, kind: str, name: str, revision: str) -> None:
        found = self._open(kind, name, write=True)
        if found is None:
            return
        lines = [json.loads(line) for line in self.body.splitlines() if line]
        header = lines[0]["value"]
        if header.get("parentCommit") not in (None, found.head):
            return self._json({"error": "A commit has happened since. Please refresh and try again."}, 412)
        tree = dict(found.commits[found.head].tree)
        for line in lines[1:]:
            value = line["value"]
            if line["key"] == "file":
                tree[value["path"]] = Blob(base64.b64decode(value["content"]), False)
            elif line["key"] == "lfsFile":
                if value["oid"] not in self.hub.objects:
                    return self._json({"error": "LFS pointer pointed to a file that does not exist"}, 400)
                tree[value["path"]] = Blob(self.hub.objects[value["oid"]], True)
            elif line["key"] == "deletedFile":
                tree.pop(value["path"], None)
            else:
                return self._json({"error": f"unknown operation {line['key']}"}, 400)
        made = found.add(header["summary"], tree)
        url = f"{self.hub.endpoint}/{'datasets/' if kind == 'dataset' else ''}{name}/commit/{made.oid}"
        self._json({"success": True, "commitOid": made.oid, "commitUrl": url, "hookOutput": ""})

    def tag(self, kind: str, name: str, revision: str) -> None:
        if (found := self._open(kind, name, write=True)) and (commit := self._commit_at(found, revision)):
            tag = json.loads(self.body)["tag"]
            if tag in found.tags:
                return self._json({"error": "Tag reference exists already"}, 409)
            found.tags[tag] = commit.oid
            self._json({})

    def untag(self, kind: str, name: str, revision: str) -> None:
        if found := self._open(kind, name, write=True):
            self._json({}, 200 if found.tags.pop(revision, None) else 404)

    def refs(self, kind: str, name: str) -> None:
        if found := self._open(kind, name):
            tags = [{"name": t, "ref": f"refs/tags/{t}", "targetCommit": oid} for t, oid in found.tags.items()]
            branches = [{"name": "main", "ref": "refs/heads/main", "targetCommit": found.head}]
            self._json({"branches": branches, "tags": tags, "converts": []})

    def resolve(self, name: str, revision: str, path: str, kind: str) -> None:
        found = self._open(kind, name)
        commit = self._commit_at(found, revision) if found else None
        if commit is None:
            return
        blob = commit.tree.get(path)
        if blob is None:
            return self._json(
                {"error": "Entry not found"}, 404, {"X-Error-Code": "EntryNotFound", "X-Repo-Commit": commit.oid}
            )
        etag = blob.sha256 if blob.large else blob.git_oid
        headers = {"X-Repo-Commit": commit.oid, "ETag": f'"{etag}"', "Accept-Ranges": "bytes"}
        if blob.large:
            headers |= {"X-Linked-Etag": f'"{etag}"', "X-Linked-Size": str(len(blob.data))}
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if not asked:
            return self._bytes(blob.data, 200, {**headers, "Content-Length": str(len(blob.data))})
        start, end = int(asked[1]), min(int(asked[2] or len(blob.data) - 1), len(blob.data) - 1)
        self.hub.ranges.append(f"{path} {start}-{end}")
        if start >= len(blob.data):
            return self._bytes(b"", 416, {"Content-Range": f"bytes */{len(blob.data)}"})
        headers |= {"Content-Range": f"bytes {start}-{end}/{len(blob.data)}", "Content-Length": str(end - start + 1)}
        self._bytes(blob.data[start : end + 1], 206, headers)


def _entry(path: str, blob: Blob) -> dict[str, Any]:
    entry: dict[str, Any] = {"type": "file", "oid": blob.git_oid, "size": len(blob.data), "path": path}
    if blob.large:
        entry["lfs"] = {"oid": blob.sha256, "size": len(blob.data), "pointerSize": 130}
    return entry


_NAME: Final = r"(?P<name>[^/]+/[^/]+)"


def _routes() -> Iterator[tuple[str, str, str]]:
    yield "GET", "/api/whoami-v2", "who"
    yield "POST", "/api/validate-yaml", "card"
    yield "POST", "/api/repos/create", "create"
    yield "PUT", "/objects/(?P<oid>[0-9a-f]{64})", "put"
    yield "POST", "/verify/(?P<oid>[0-9a-f]{64})", "verify"
    api = rf"/api/(?P<kind>dataset|model)s/{_NAME}"
    yield "GET", api, "info"
    yield "GET", rf"{api}/revision/(?P<revision>.+)", "info"
    yield "GET", rf"{api}/tree/(?P<revision>[^/]+)(?P<path>/.*)?", "tree"
    yield "POST", rf"{api}/paths-info/(?P<revision>.+)", "paths"
    yield "POST", rf"{api}/preupload/(?P<revision>.+)", "modes"
    yield "POST", rf"{api}/commit/(?P<revision>.+)", "commit"
    yield "POST", rf"{api}/tag/(?P<revision>.+)", "tag"
    yield "DELETE", rf"{api}/tag/(?P<revision>.+)", "untag"
    yield "GET", rf"{api}/refs", "refs"
    yield "POST", rf"/datasets/{_NAME}\.git/info/lfs/objects/batch", "batch_dataset"
    yield "POST", rf"/{_NAME}\.git/info/lfs/objects/batch", "batch_model"
    yield "GET|HEAD", rf"/datasets/{_NAME}/resolve/(?P<revision>[^/]+)/(?P<path>.+)", "resolve_dataset"
    yield "GET|HEAD", rf"/{_NAME}/resolve/(?P<revision>[^/]+)/(?P<path>.+)", "resolve_model"


_ROUTES: Final = tuple(_routes())


def _of_kind(method: Callable[..., None], kind: str) -> Callable[..., None]:
    def call(self: _Handler, **parts: str) -> None:
        method(self, kind=kind, **parts)

    return call


for _kind in ("dataset", "model"):
    for _method in ("batch", "resolve"):
        setattr(_Handler, f"{_method}_{_kind}", _of_kind(getattr(_Handler, _method), _kind))


@contextmanager
def hub_on_loopback() -> Iterator[Hub]:
    """A Hub that listens until the block ends; `Hub.endpoint` is what HF_ENDPOINT wants."""
    hub = Hub()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"hub": hub}))
    server.daemon_threads = True
    hub.endpoint = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
