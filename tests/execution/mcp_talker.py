"""An MCP server without a library, run as a program: python mcp_talker.py stdio|json|events [endless] [empty] [slow] [TOOLS].

Its one tool answers with a text as long as asked for; of a negative length it never comes to an end. Given a line, it
answers with that, in which ID stands for the request's, HEAD and TAIL for the halves of TALKER_TOKEN. Where told so its list of tools has
no end, its pages are empty or take 0.2 s, or hold these tools (as JSON).
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SCHEMA = {"type": "object", "properties": {"length": {"type": "integer"}, "line": {"type": "string"}}}
TOOL = {"name": "talk", "inputSchema": SCHEMA, "annotations": {"readOnlyHint": True}}


def answer(asked: dict[str, Any]) -> Iterator[str]:
    """A JSON-RPC response in pieces."""
    head = f'{{"jsonrpc":"2.0","id":{json.dumps(asked["id"])},'
    match asked["method"]:
        case "initialize":
            told = {
                "protocolVersion": asked["params"]["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "talker", "version": "1"},
            }
            yield head + f'"result":{json.dumps(told)}}}'
        case "tools/list":
            following = {"nextCursor": str(asked["id"])} if "endless" in sys.argv else {}
            listed = json.loads(sys.argv[-1]) if sys.argv[-1].startswith("[") else [TOOL] * ("empty" not in sys.argv)
            time.sleep(0.2 * ("slow" in sys.argv))
            yield head + f'"result":{json.dumps({"tools": listed, **following})}}}'
        case "tools/call" if (line := asked["params"]["arguments"].get("line")) is not None:
            token = os.environ.get("TALKER_TOKEN", "")
            half = len(token) // 2
            yield (
                line.replace("ID", json.dumps(asked["id"])).replace("HEAD", token[:half]).replace("TAIL", token[half:])
            )
        case "tools/call":
            length = asked["params"]["arguments"]["length"]
            yield head + '"result":{"content":[{"type":"text","text":"'
            yield "x" * length
            while length < 0:
                yield "x" * 65536
            yield '"}]}}'
        case _:
            yield head + '"error":{"code":-32601,"message":"unknown method"}}'


class Handler(BaseHTTPRequestHandler):
    """One answer a connection, as JSON or as an event."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        events = sys.argv[1] == "events"
        self.send_response(200 if "id" in asked else 202)
        self.send_header("content-type", "text/event-stream" if events else "application/json")
        self.end_headers()
        if "id" in asked:
            self.wfile.write(b"data: " if events else b"")
            for piece in answer(asked):
                self.wfile.write(piece.encode())
            self.wfile.write(b"\n\n" if events else b"")

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""


if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        for line in sys.stdin:
            request = json.loads(line)
            if "id" in request:
                for piece in answer(request):
                    sys.stdout.write(piece)
                sys.stdout.write("\n")
                sys.stdout.flush()
    else:
        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        sys.stdout.write(f"http://127.0.0.1:{server.server_port}/mcp\n")
        sys.stdout.flush()
        server.serve_forever()
