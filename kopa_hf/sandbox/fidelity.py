"""How faithfully the sandbox answers: its bytes beside recorded ones of the same operations.

Three things are compared per recording. *Envelope*: everything around the records, as paths of
names with the JSON kind at their end. *Fields*: every column and nested element that the recorded
records have, by name and kind. *Code*: the service's own, and the outcome that the adapter reads.
What a condensed recording lacks counts for nothing; what it has must be sent. The sandbox is asked for the situation that was recorded: rows, none, a refusal, an outage.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import httpx

from kopa_hf.catalog.tool import Tool
from kopa_hf.platforms.base import Answer
from kopa_hf.platforms.body import read_document
from kopa_hf.platforms.failures import Outcome
from kopa_hf.platforms.wires import parse_answer, wire_for
from kopa_hf.sandbox.faults import FaultKind, Faults
from kopa_hf.sandbox.keys import sandbox_key
from kopa_hf.sandbox.probing import Prober, nonsense
from kopa_hf.sandbox.recordings import Matcher, Recording
from kopa_hf.sandbox.server import SandboxTransport
from kopa_hf.sandbox.world import World, default_world

_FAULT_OF: Final[dict[Outcome, FaultKind]] = {"quota": "quota", "rate_limit": "rate_limit", "server": "server"}
_ALIKE: Final = 0.5
"""Share of a record's names that an object must hold to be taken for the record in the raw body."""
_MANY_TRIES: Final = 2000
_MANY: Final = "100000"

Shape = dict[str, set[str]]
"""Path → JSON kinds seen at its end."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One recording beside the sandbox's answer."""

    recording: Recording
    tool: str
    platform: str
    envelope: tuple[str, ...]
    """What differs around the records; empty: nothing."""
    code: tuple[str, ...]
    agreeing: int
    """Recorded fields that the sandbox sends under the same name and in the same kind."""
    recorded: int
    differing: tuple[str, ...]
    """The recorded fields that do not agree."""
    unrecorded: tuple[str, ...]
    """Fields that the sandbox sends and the recording lacks."""

    @property
    def same_envelope(self) -> bool:
        """Envelope, code and outcome agree."""
        return not self.envelope and not self.code


class Fidelity:
    """Compares recordings with what one sandbox sends."""

    def __init__(self, tools: Iterable[Tool], world: World | None = None) -> None:
        self._tools = tuple(tools)
        self._world = world if world is not None else default_world()
        self._matcher = Matcher(self._tools)
        self._prober = Prober(self._world, self._tools)
        self._patient = Prober(self._world, self._tools, _MANY_TRIES)
        self._transports: dict[FaultKind | None, SandboxTransport] = {}

    def compare(self, recording: Recording) -> Comparison | None:
        """The comparison; None for a service that the catalog does not have."""
        tool = self._matcher.tool_of(recording)
        if tool is None:
            return None
        kind = recording.content_type
        said = parse_answer(
            tool.wire,
            recording.body,
            http_status=recording.http_status,
            content_type=kind,
            operation=tool.endpoint.operation,
        )
        best: tuple[int, httpx.Response, Answer] | None = None
        for response in self._situations(tool, recording, said):
            answer = self._read(tool, response)
            rank = 2 * (answer.outcome == said.outcome) + (answer.code == said.code)
            if best is None or rank > best[0]:
                best = (rank, response, answer)
            if rank == 3:
                break
        assert best is not None  # at least one situation is tried
        return _compared(recording, tool, said, best[1], best[2])

    def _read(self, tool: Tool, response: httpx.Response) -> Answer:
        return parse_answer(
            tool.wire,
            response.content,
            http_status=response.status_code,
            content_type=response.headers.get("content-type"),
            operation=tool.endpoint.operation,
        )

    def _situations(self, tool: Tool, recording: Recording, said: Answer) -> Iterator[httpx.Response]:
        """Requests that may end as the recorded one did, the likeliest first."""
        asking = _asking_for(tool, recording.written_in)
        given = self._arguments(tool)
        key = sandbox_key(tool.platform)
        fault = _FAULT_OF.get(said.outcome)
        if said.outcome in ("maintenance", "not_a_response", "timeout"):
            fault = "server"
        if fault is not None:
            yield self._send(asking, given, key, fault)
        if said.outcome == "auth":
            yield self._send(asking, given, "x" + key[1:])
            yield self._send(asking, given, None)
            return
        if said.outcome == "no_data":
            for nothing in self._nothing(tool, given):
                yield self._send(asking, nothing, key)
        if said.outcome in ("bad_param", "unknown_operation"):
            for broken in _broken(tool, given):
                yield self._send(asking, broken, key)
        yield self._send(asking, given, key)

    def _arguments(self, tool: Tool) -> dict[str, str]:
        # a recording may be of a rare thing, such as an issue that few companies have made
        answers = self._prober.answers(tool) or self._patient.answers(tool)
        return (
            dict(answers[0][0]) if answers else {p.name: "1" for p in tool.inputs if p.required and p.role == "input"}
        )

    def _nothing(self, tool: Tool, given: dict[str, str]) -> Iterator[dict[str, str]]:
        """Arguments that nothing in the world answers to."""
        paging = tool.paging
        if paging is not None and paging.style == "page":
            yield {**given, paging.page: "9999"}
        if paging is not None and paging.style == "range":
            yield {**given, paging.page: "900001", paging.size: "900005"}
        for parameter in tool.inputs:
            if parameter.role == "input" and parameter.location != "client":
                yield {**given, parameter.name: nonsense(parameter)}

    def _send(
        self, tool: Tool, arguments: dict[str, str], key: str | None, fault: FaultKind | None = None
    ) -> httpx.Response:
        if fault not in self._transports:
            faults = Faults.none() if fault is None else Faults(transient=((fault, 1.0),))
            self._transports[fault] = SandboxTransport(self._world, faults, self._tools)
        client = {p.name for p in tool.parameters if p.location == "client"}
        sent = {name: value for name, value in arguments.items() if name not in client}
        return self._transports[fault].handle_request(wire_for(tool.wire).build_request(tool, sent, key))


def _asking_for(tool: Tool, written_in: str) -> Tool:
    """The same tool, asking for the format that was recorded."""
    if written_in not in ("json", "xml") or tool.endpoint.response_format == "zip":
        return tool
    parameters = tuple(dataclasses.replace(p, default=None) if p.role == "format" else p for p in tool.parameters)
    url = tool.endpoint.url
    for other in ("json", "xml"):
        url = url.replace(f"={other.upper()}", f"={written_in.upper()}").replace(f"={other}", f"={written_in}")
        if url.endswith(f".{other}"):
            url = url[: -len(other)] + written_in
    endpoint = dataclasses.replace(tool.endpoint, url=url, response_format="json" if written_in == "json" else "xml")
    return dataclasses.replace(tool, endpoint=endpoint, parameters=parameters)


def _broken(tool: Tool, given: dict[str, str]) -> Iterator[dict[str, str]]:
    """Arguments that a service refuses: something missing, a page too large, a page that is none, a value of no form."""
    for parameter in tool.inputs:
        if parameter.required and parameter.role == "input":
            yield {name: value for name, value in given.items() if name != parameter.name}
    if tool.paging is not None:
        yield {**given, tool.paging.page: "1", tool.paging.size: _MANY}
        yield {**given, tool.paging.page: "x"}
    for parameter in tool.inputs:
        if parameter.role == "input" and parameter.location != "client":
            yield {**given, parameter.name: "x!"}


def _compared(recording: Recording, tool: Tool, said: Answer, response: httpx.Response, answer: Answer) -> Comparison:
    theirs, their_fields = _shapes(recording.body, recording.content_type, said)
    ours, our_fields = _shapes(response.content, response.headers.get("content-type"), answer)
    unsaid = recording.condensed and said.code is None
    code = [] if said.code == answer.code or unsaid else [f"code {said.code} recorded, {answer.code} sent"]
    if said.outcome != answer.outcome:
        code.append(f"outcome {said.outcome} recorded, {answer.outcome} sent")
    if (said.total_count is None) != (answer.total_count is None) and not (
        recording.condensed and said.total_count is None
    ):
        code.append("a total is stated by one of them only")
    differing = tuple(path for path, kinds in their_fields.items() if not _meets(kinds, our_fields.get(path)))
    return Comparison(
        recording,
        tool.name,
        tool.platform,
        envelope=tuple(_differences(theirs, ours, recording.condensed)),
        code=tuple(code),
        agreeing=len(their_fields) - len(differing),
        recorded=len(their_fields),
        differing=differing,
        unrecorded=tuple(path for path in our_fields if path not in their_fields) if their_fields else (),
    )


def _differences(theirs: Shape, ours: Shape, condensed: bool) -> Iterator[str]:
    for path in sorted(theirs.keys() | ours.keys()):
        if path not in ours:
            yield f"{path} is not sent"
        elif path not in theirs:
            if not condensed:
                yield f"{path} is sent and was not recorded"
        elif not _meets(theirs[path], ours[path]):
            yield f"{path}: {'/'.join(sorted(theirs[path]))} recorded, {'/'.join(sorted(ours[path]))} sent"


def _meets(theirs: set[str], ours: set[str] | None) -> bool:
    """Whether kinds agree; an empty value says nothing about a column's kind."""
    if ours is None:
        return False
    told_theirs, told_ours = theirs - {"null"}, ours - {"null"}
    return not told_theirs or not told_ours or bool(told_theirs & told_ours)


def _shapes(body: bytes, content_type: str | None, answer: Answer) -> tuple[Shape, Shape]:
    """(what stands around the records, what the records hold)."""
    document = read_document(body, content_type)
    around: Shape = {}
    if document.kind not in ("json", "xml"):
        around["(body)"] = {document.kind}
        return around, {}
    names: set[str] = {name for record in answer.records for name in record}
    _walk(document.value, "", names, around)
    inside: Shape = {}
    for record in answer.records:
        for name, value in record.items():
            _leaves(value, name, inside)
    return around, inside


def _walk(value: Any, path: str, names: set[str], around: Shape) -> None:
    if isinstance(value, dict):
        if names and len(names & value.keys()) >= _ALIKE * len(value) and len(names & value.keys()) > 0:
            around.setdefault(f"{path} (records)", set()).add("records")
            # what lies beside the columns of a record that is merged into the envelope belongs to the envelope
            for name, item in value.items():
                if name not in names:
                    _walk(item, f"{path}.{name}", set(), around)
            return
        if not value:
            around.setdefault(path, set()).add("null")
        for name, item in value.items():
            _walk(item, f"{path}.{name}" if path else name, names, around)
    elif isinstance(value, list):
        if not value:
            around.setdefault(path, set()).add("null")
        for item in value:
            _walk(item, path, names, around)
    else:
        around.setdefault(path, set()).add(_kind(value))


def _leaves(value: Any, path: str, found: Shape) -> None:
    if isinstance(value, dict) and value:
        for name, item in value.items():
            _leaves(item, f"{path}.{name}", found)
    elif isinstance(value, list) and value:
        for item in value:
            _leaves(item, path, found)
    else:
        found.setdefault(path, set()).add(_kind(value))


def _kind(value: Any) -> str:
    if value is None or value == "" or value == [] or value == {}:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return "text"
