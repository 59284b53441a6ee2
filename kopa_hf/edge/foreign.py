"""Other projects' tool-use data, read for the table: ToolBench's answers and conversations, APIGen-MT's dialogues.

Their files do not say what led from one call to the next, so links are found in
what was observed: an argument that nobody typed before and that stands as a value
in an earlier result is taken from there.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from kopa_hf.edge.census import Link, Observed
from kopa_hf.errors import DataError

_FINISH: Final = "Finish"
"""ToolBench's call that ends a task; it reaches no service."""
_ACTION: Final = re.compile(r"\nAction: *(?P<name>[^\n]+)\nAction Input: *(?P<input>.*)", re.DOTALL)
_WORD: Final = re.compile(r"\w[\w.@:/+-]*")


@dataclass(slots=True)
class Call:
    """One call of a conversation with what came back."""

    name: str
    arguments: Any
    turn: int
    """Calls of one turn were issued together."""
    result: Any = None


@dataclass(slots=True)
class Conversation:
    """What people said before each turn, and the calls."""

    calls: list[Call] = field(default_factory=list)
    said: list[tuple[int, str]] = field(default_factory=list)
    """(turn before which it was said, text)."""


def read_toolbench(path: str | Path) -> list[Observed]:
    """ToolBench: a `toolllama_*.json` file, an answer file, or a folder of answers (`data/answer/G1_answer`).

    A task is stored once per step; only its longest conversation is counted. Answers
    that are not `valid_data` are left out. Raises `DataError` for another format.
    """
    source = Path(path)
    files = sorted(source.rglob("*.json")) if source.is_dir() else [source]
    if not files:
        raise DataError(f"{source} holds no .json file; give a folder of ToolBench answers or a toolllama_*.json file.")
    found: list[Observed] = []
    for file in files:
        content = _content(file)
        if isinstance(content, list):
            found += [_observed(conversation) for conversation in _toolllama(content, file)]
        elif isinstance(content, dict) and isinstance(content.get("answer_generation"), dict):
            answer = content["answer_generation"]
            if answer.get("valid_data"):
                told = answer.get("train_messages") or [[]]
                steps = [_turns(part, f"{file}, train_messages {n}") for n, part in enumerate(_list(told, file), 1)]
                found.append(_observed(_from_messages(max(steps, key=len))))
        else:
            raise DataError(f"{file} is neither a ToolLLaMA conversation file nor a ToolBench answer.")
    return _some(found, source, "ToolBench task" + (" with valid_data" if source.is_dir() else ""))


def read_apigen_mt(path: str | Path) -> list[Observed]:
    """APIGen-MT-5k: a list (or JSON lines) of ShareGPT dialogues with function_call and observation turns."""
    source = Path(path)
    items = enumerate(_list(_content(source), source), 1)
    found = [_observed(_sharegpt(_conversation(item, f"{source}, item {number}"))) for number, item in items]
    return _some(found, source, "dialogue")


def _content(path: Path) -> Any:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"Cannot read {path}: {error}") from error
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        whole = error
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            found += [json.loads(line)] if line.strip() else []
        except (ValueError, RecursionError) as error:
            # of a document over several lines the parser knows better where it breaks than its first line does
            lineno = number if found else getattr(whole, "lineno", number)
            why = getattr(error if found else whole, "msg", "nested too deep")
            raise DataError(f"{path}, line {lineno}: neither JSON nor JSON lines ({why}).") from error
    return found


def _list(content: Any, where: object) -> list[Any]:
    if not isinstance(content, list):
        raise DataError(f"{where} holds no list but {type(content).__name__}.")
    return content


def _some(found: list[Observed], source: Path, what: str) -> list[Observed]:
    """A column of zeros would look like a finding."""
    if not found:
        raise DataError(f"{source} holds no {what}, so there is nothing to put beside the table.")
    return found


def _conversation(item: Any, where: str) -> list[dict[str, Any]]:
    if not isinstance(item, dict) or "conversations" not in item:
        raise DataError(f"{where} has no conversations.")
    return _turns(item["conversations"], where)


def _turns(turns: Any, where: str) -> list[dict[str, Any]]:
    if not isinstance(turns, list) or not all(isinstance(turn, dict) for turn in turns):
        raise DataError(f"{where} holds no list of turns.")
    return turns


def _toolllama(items: Sequence[Any], file: Path) -> Iterator[Conversation]:
    """The longest conversation of each query; ids read `Step N: QUERY`."""
    longest: dict[str, list[dict[str, Any]]] = {}
    for number, item in enumerate(items, 1):
        turns = _conversation(item, f"{file}, item {number}")
        query = re.sub(r"^Step \d+: ", "", str(item.get("id", "")))
        if len(turns) > len(longest.get(query, ())):
            longest[query] = turns
    for turns in longest.values():
        conversation = Conversation()
        for number, turn in enumerate(turns):
            role, value = turn.get("from"), str(turn.get("value") or "")
            action = _ACTION.search(value) if role == "assistant" else None
            if action is not None:
                conversation.calls.append(Call(action["name"].strip(), _parsed(action["input"]), number))
            elif role == "function" and conversation.calls:
                conversation.calls[-1].result = _toolbench_result(value)
            elif role == "user":
                conversation.said.append((number, value))
        yield conversation


def _from_messages(messages: Sequence[dict[str, Any]]) -> Conversation:
    """An OpenAI-style message list with `function_call` and role `function`, as ToolBench's answers hold it."""
    conversation = Conversation()
    for number, message in enumerate(messages):
        called = message.get("function_call")
        if isinstance(called, dict) and "name" in called:
            conversation.calls.append(Call(str(called["name"]), _parsed(str(called.get("arguments") or "{}")), number))
        elif message.get("role") == "function" and conversation.calls:
            conversation.calls[-1].result = _toolbench_result(str(message.get("content") or ""))
        elif message.get("role") == "user":
            conversation.said.append((number, str(message.get("content") or "")))
    return conversation


def _sharegpt(turns: Sequence[dict[str, Any]]) -> Conversation:
    """human, gpt, function_call, observation; calls in a row are answered in a row."""
    conversation = Conversation()
    waiting: list[Call] = []
    turn = 0
    for number, item in enumerate(turns):
        role, value = item.get("from"), str(item.get("value") or "")
        if role == "function_call":
            if not waiting:
                turn = number
            called = _parsed(value)
            for one in called if isinstance(called, list) else [called]:
                if isinstance(one, dict) and "name" in one:
                    waiting.append(Call(str(one["name"]), one.get("arguments") or {}, turn))
                    conversation.calls.append(waiting[-1])
        elif role == "observation" and waiting:
            waiting.pop(0).result = _parsed(value)
        elif role == "human":
            conversation.said.append((number, value))
    return conversation


def _toolbench_result(text: str) -> Any:
    """The `response` of a result, which is itself JSON or a Python literal, cut off where it was too long."""
    outer = _parsed(text)
    return _parsed(str(outer["response"])) if isinstance(outer, dict) and "response" in outer else outer


def _parsed(text: str) -> Any:
    """JSON, else a Python literal, else the text."""
    for read in (json.loads, ast.literal_eval):
        try:
            return read(text.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
    return text


# Links


def _observed(conversation: Conversation) -> Observed:
    calls = [call for call in conversation.calls if call.name != _FINISH]
    depth: list[int] = []
    links: list[Link] = []
    for index, call in enumerate(calls):
        own, behind = [], 0
        said = " ".join(text for turn, text in conversation.said if turn < call.turn)
        for name, value in _scalars(call.arguments):
            source = _source_of(name, value, calls[:index], call.turn, said)
            if source is not None:
                own.append(source[1])
                behind = max(behind, depth[source[0]])
        links += own
        depth.append(behind + 1)
    return Observed(
        calls=len(calls),
        hops=max(depth, default=0),
        parallel=len({call.turn for call in calls}) < len(calls),
        tools=tuple(call.name for call in calls),
        links=tuple(links),
    )


def _source_of(name: str, value: str, before: Sequence[Call], turn: int, said: str) -> tuple[int, Link] | None:
    """(index of the latest earlier call whose result holds the value, the link); None where people said it.

    Of several fields that hold it, one named like the argument is taken, else the first.
    """
    if not _telling(value) or value in _WORD.findall(said) or (" " in value and value in said):
        return None
    for index in range(len(before) - 1, -1, -1):
        if before[index].turn >= turn:
            continue
        fields: dict[tuple[str, ...], list[str]] = {}
        for path, cell in _cells(before[index].result):
            fields.setdefault(path, []).append(cell)
        holding = [path for path, cells in fields.items() if value in cells]
        if holding:
            path = min(holding, key=lambda found: (found[-1:] != (name,), holding.index(found)))
            return index, Link(len(set(fields[path])), len(fields[path]))
    return None


def _telling(value: str) -> bool:
    """False for what stands anywhere by chance: flags, digits, single letters."""
    return len(value) >= 3 and value.lower() not in ("true", "false", "none", "null", "yes")


def _scalars(arguments: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """(name of the argument, value as text) of every scalar in a call's arguments."""
    if isinstance(arguments, dict):
        for key, item in arguments.items():
            yield from _scalars(item, str(key))
    elif isinstance(arguments, list):
        for item in arguments:
            yield from _scalars(item, name)
    elif arguments is not None and not isinstance(arguments, bool):
        yield name, str(arguments)


def _cells(result: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """(path without positions, value as text) of every scalar in a result; keys of a map of alike objects count, too."""
    if isinstance(result, dict):
        alike = len(result) > 1 and all(isinstance(item, dict) for item in result.values())
        for key, item in result.items():
            if alike:
                yield (*path, "*"), str(key)
            yield from _cells(item, (*path, "*" if alike else str(key)))
    elif isinstance(result, list):
        for item in result:
            yield from _cells(item, path)
    elif result is not None and not isinstance(result, bool):
        yield path, str(result)
