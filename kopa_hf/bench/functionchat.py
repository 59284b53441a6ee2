"""FunctionChat-Bench (Korean tool-use dialogs, Kakao) from a folder, scored without a hosted judge.

Only what can be decided is scored: a call by its values, and, where a question back or a
refusal is due, that the model answers in words and calls nothing. How good such words are is the
part for which the original asks a judge; it is not scored here, nor are answers that only report
a result (`completion`). So these are scores of our own, not the original's.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from kopa_hf.agent.models import Message
from kopa_hf.agent.turns import Turn, classify_turn
from kopa_hf.bench.asking import AskedModel, Solved
from kopa_hf.bench.bfcl.scoring import has_words
from kopa_hf.bench.bfcl.typed import check_values
from kopa_hf.errors import DataError

FILES: Final = ("FunctionChat-Singlecall.jsonl", "FunctionChat-CallDecision.jsonl", "FunctionChat-Dialog.jsonl")


@dataclass(frozen=True, slots=True)
class Item:
    """One message that a model has to give."""

    id: str
    group: str
    """Part of the benchmark, and in Singlecall how many tools of which closeness are offered."""
    kind: str
    """call, slot (a question back is due) or relevance (nothing on offer fits)."""
    messages: tuple[Message, ...]
    tools: tuple[Mapping[str, Any], ...]
    gold: tuple[Mapping[str, Mapping[str, Sequence[Any]]], ...] = ()
    """Calls that are due: name → parameter → accepted values."""

    @property
    def category(self) -> str:
        """Its group, under the name that results files have for it."""
        return self.group


def load_items(folder: Path) -> list[Item]:
    """The items of the files that a folder (or its `data`) holds, in their order."""
    found, system = _files(folder)
    prompt = [{"role": "system", "content": system.read_text(encoding="utf-8-sig").strip()}] if system.is_file() else []
    readers = {FILES[0]: _single_call, FILES[1]: _call_decision, FILES[2]: _dialog}
    items: list[Item] = []
    for path in found:
        for number, line in enumerate(path.read_text(encoding="utf-8-sig").split("\n"), start=1):
            try:
                items += readers[path.name](json.loads(line), prompt) if line.strip() else []
            except (KeyError, TypeError, ValueError, IndexError) as error:
                raise DataError(f"{path.name}, line {number}: {type(error).__name__}: {error}") from error
    return _told_apart(items)


def fingerprint(folder: Path) -> str:
    """12 hex digits over the files that items are made from, so that answers can say what they were given to."""
    found, system = _files(folder)
    digest = hashlib.sha256()
    for path in [*found, *([system] if system.is_file() else [])]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def _files(folder: Path) -> tuple[list[Path], Path]:
    """The benchmark's files that are there, and where its system prompt is if there is one."""
    place = folder / "data" if (folder / "data").is_dir() else folder
    found = [place / name for name in FILES if (place / name).is_file()]
    if not found:
        raise DataError(f"{folder} holds none of {', '.join(FILES)}. Name the data folder of FunctionChat-Bench.")
    return found, place / "system_prompt.txt"


def _told_apart(items: Sequence[Item]) -> list[Item]:
    """Items with ids of their own: a second one of the same number is that number's `#2`."""
    seen: Counter[str] = Counter()
    found = []
    for item in items:
        seen[item.id] += 1
        found.append(item if seen[item.id] == 1 else replace(item, id=f"{item.id} #{seen[item.id]}"))
    return found


def _single_call(record: Mapping[str, Any], prompt: list[Message]) -> list[Item]:
    golds = {one["serial_num"]: json.loads(one["content"]) for one in record["ground_truth"]}
    accepted = {one["serial_num"]: one["content"] for one in record["acceptable_arguments"]}
    items = []
    for offered in record["tools"]:
        for query in record["query"]:
            number = query["serial_num"]
            gold = (_gold(golds[number], accepted.get(number)),)
            messages = (*prompt, {"role": "user", "content": query["content"]})
            group = f"singlecall {offered['type']}"
            items.append(Item(f"{group} {number}", group, "call", messages, tuple(offered["content"]), gold))
    return items


def _call_decision(record: Mapping[str, Any], prompt: list[Message]) -> list[Item]:
    item = _turn(
        f"calldecision {record['serial_num']}", "calldecision", record, record["input_messages"], record["input_tools"]
    )
    return [item] if item is not None else []


def _dialog(record: Mapping[str, Any], prompt: list[Message]) -> list[Item]:
    items = []
    for turn in record["turns"]:
        item = _turn(f"dialog {turn['serial_num']}", "dialog", turn, [*prompt, *turn["query"]], record["tools"])
        items += [item] if item is not None else []
    return items


def _turn(
    identity: str, part: str, record: Mapping[str, Any], messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]
) -> Item | None:
    """None for turns that only report a result."""
    kind = record["type_of_output"]
    if kind == "completion":
        return None
    calls = (record["ground_truth"].get("tool_calls") or []) if kind == "call" else []
    gold = tuple(_gold(call["function"], record["acceptable_arguments"]) for call in calls)
    return Item(identity, f"{part} {kind}", kind, tuple(messages), tuple(tools), gold)


def _gold(function: Mapping[str, Any], accepted: Any) -> dict[str, dict[str, list[Any]]]:
    """The call that is due with the values that its author accepts beside it."""
    arguments = json.loads(function["arguments"]) if isinstance(function["arguments"], str) else function["arguments"]
    if isinstance(accepted, str):
        try:
            accepted = json.loads(accepted)
        except ValueError:
            accepted = None  # a remark in words: only the gold call, why another would be wrong
    more = accepted if isinstance(accepted, Mapping) else {}
    key = {}
    for name, value in arguments.items():
        key[name] = [value]
        if name in more:
            others = more[name]
            key[name] += others if isinstance(others, list) and not isinstance(value, list) else [others]
    for name, others in more.items():
        # accepted beside the gold call, so it may be left out
        key.setdefault(name, [*(others if isinstance(others, list) else [others]), ""])
    return {function["name"]: key}


def is_right(item: Item, turn: Turn) -> bool:
    """Whether a turn is what is due."""
    if item.kind != "call":
        return turn.outcome == "abstained" and has_words(turn.text)
    functions = [_complete(tool["function"]) for tool in item.tools]
    offered = {function["name"] for function in functions}
    if turn.outcome != "called" or not all(next(iter(gold)) in offered for gold in item.gold):
        return False
    return check_values(functions, turn.calls, item.gold, "python", underscored=False).valid


def _complete(function: Mapping[str, Any]) -> dict[str, Any]:
    return {**function, "parameters": {"properties": {}, "required": [], **(function.get("parameters") or {})}}


@dataclass(slots=True)
class ItemAgent(AskedModel):
    """A chat model that gives the message an item is due."""

    async def answer(self, item: Item) -> Solved:
        reply = await self.model.complete(item.messages, item.tools)
        return Solved(reply, ("token_budget",) if reply.get("finish_reason") == "length" else ())


@dataclass(frozen=True, slots=True)
class Tally:
    """Right turns of a group."""

    right: int
    total: int
    faults: int = 0
    """The model could not be asked; in no rate."""


def tally(items: Iterable[Item], messages: Mapping[str, Message], faults: Container[str] = ()) -> dict[str, Tally]:
    """Right messages by group, in the order of the items. `messages`: by id; `faults`: ids that have none."""
    found: dict[str, Tally] = {}
    for item in items:
        before = found.get(item.group, Tally(0, 0))
        if item.id in messages:
            right = is_right(item, classify_turn(messages[item.id], item.tools))
            found[item.group] = replace(before, right=before.right + right, total=before.total + 1)
        else:
            found[item.group] = replace(before, faults=before.faults + (item.id in faults))
    return found
