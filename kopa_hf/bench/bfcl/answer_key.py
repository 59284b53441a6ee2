"""The answer key as outputs: what a model that knows it would have written."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from typing import Any

from kopa_hf.bench.bfcl.backends import ApiCall, gold_call
from kopa_hf.bench.bfcl.categories import is_relevance
from kopa_hf.bench.bfcl.entries import Entry
from kopa_hf.bench.bfcl.scoring import Mode
from kopa_hf.bench.bfcl.strict import Call, offered_name

Turns = list[list[list[Call]]]


def key_result(entry: Entry, mode: Mode) -> Any:
    """A result that the key accepts; where no call is due, a refusal, and where any is, one of the first function."""
    if entry.classes:
        return render_turns(entry, mode, key_turns(entry))
    if not is_relevance(entry.category):
        return render(entry, mode, key_calls(entry))
    if entry.category.endswith("irrelevance"):
        return "None of the functions can do that."
    function = entry.functions[0]
    return render(entry, mode, [(function["name"], {name: "x" for name in function["parameters"]["required"]})])


def key_calls(entry: Entry, choice: int = 0, *, optional: bool = True) -> list[Call]:
    """Calls that the key accepts: the `choice`-th accepted value of each parameter; optional ones given or not."""
    calls = []
    for gold in entry.gold:
        name, key = next(iter(gold.items()))
        arguments = {
            parameter: _pick(accepted, choice)
            for parameter, accepted in key.items()
            if any(one != "" for one in accepted) and (optional or "" not in accepted)
        }
        calls.append((name, arguments))
    return calls


def _pick(accepted: Sequence[Any], choice: int) -> Any:
    values = [one for one in accepted if one != ""]
    return _plain(values[choice % len(values)], choice) if values else ""


def _plain(value: Any, choice: int) -> Any:
    """An accepted value without the key's lists of accepted values inside objects."""
    if isinstance(value, Mapping) and all(isinstance(accepted, list) for accepted in value.values()):
        return {name: _pick(accepted, choice) for name, accepted in value.items() if any(a != "" for a in accepted)}
    if isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
        return [_plain(item, choice) for item in value]
    return copy.deepcopy(value)


def render(entry: Entry, mode: Mode, calls: Sequence[Call]) -> Any:
    """Calls in the shape that a mode's results have."""
    if mode == "fc":
        shown = [_foreign(entry, call) for call in calls] if entry.language != "python" else calls
        return [{offered_name(name, True): json.dumps(arguments, ensure_ascii=False)} for name, arguments in shown]
    if entry.language == "python":
        return "[" + ", ".join(f"{n}({', '.join(f'{k}={v!r}' for k, v in a.items())})" for n, a in calls) + "]"
    texts = []
    for call in calls:
        name, arguments = _foreign(entry, call, quoted=True)
        texts.append(f"{name}({', '.join(f'{k}={v}' for k, v in arguments.items())})")
    return "[" + ", ".join(texts) + "]"


def _foreign(entry: Entry, call: Call, *, quoted: bool = False) -> Call:
    """A call whose values are texts in the entry's language; with `quoted`, texts have quotes as in source code."""
    name, arguments = call
    properties: Mapping[str, Any] = next(
        (f["parameters"]["properties"] for f in entry.functions if f["name"] == name), {}
    )
    write = _java if entry.language == "java" else _javascript
    shown: dict[str, Any] = {}
    for parameter, value in arguments.items():
        detail = properties.get(parameter, {"type": "any"})
        kind, inner = detail["type"], detail.get("items", {}).get("type", "")
        if isinstance(value, str):
            bare = not quoted or (kind not in ("String", "char") and value.isidentifier())
            shown[parameter] = value if bare else json.dumps(value, ensure_ascii=False)
        else:
            shown[parameter] = write(value, kind, inner)
    return name, shown


def _java(value: Any, kind: str, inner: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        items = ", ".join(_java(item, inner, "") for item in value)
        return (
            f"new ArrayList<>(Arrays.asList({items}))"
            if kind == "ArrayList"
            else f"new {inner or 'Object'}[]{{{items}}}"
        )
    if isinstance(value, dict):
        puts = " ".join(f'put("{name}", {_java(one, "", "")});' for name, one in value.items())
        return f"new HashMap<String, Object>() {{{{ {puts} }}}}"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return f"{value}{ {'long': 'L', 'float': 'f'}.get(kind, '') }"


def _javascript(value: Any, kind: str, inner: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(_javascript(item, inner, "") for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{name}": {_javascript(one, "", "")}' for name, one in value.items()) + "}"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return f"{value}{'n' if kind == 'Bigint' else ''}"


def key_turns(entry: Entry) -> Turns:
    """The key's calls by turn and step: one call a step; a turn with nothing to do has no step."""
    return [[[_named(entry, gold_call(text))] for text in turn] for turn in entry.gold]


def _named(entry: Entry, call: ApiCall) -> Call:
    """Positional arguments under their names, by the function's document."""
    documents = [*entry.functions, *(d for held in entry.held_back.values() for d in held)]
    document = next((d for d in documents if d["name"] == call.name), None)
    names = list(document["parameters"]["properties"]) if document is not None else []
    values = [*zip(names, call.positional, strict=False), *call.arguments.items()]
    return call.name, {name: _named(entry, v)[1] if isinstance(v, ApiCall) else v for name, v in values}


def render_turns(entry: Entry, mode: Mode, turns: Turns) -> list[list[Any]]:
    """A turn ends with words, as a model's turn does."""
    return [[*(render(entry, mode, step) for step in turn), "Done."] for turn in turns]
