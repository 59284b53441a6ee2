"""A tiny leaderboard in the official layout: two entries a category at most, and one simulated API. All invented here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

WEATHER = {
    "name": "weather.get",
    "description": "The weather of a city.",
    "parameters": {
        "type": "dict",
        "properties": {
            "city": {"type": "string", "description": "The city."},
            "days": {"type": "integer", "description": "How many days."},
            "scale": {"type": "float", "description": "A factor."},
        },
        "required": ["city"],
    },
}
QUEUE = {
    "name": "Queue.poll",
    "description": "Polls a queue.",
    "parameters": {
        "type": "dict",
        "properties": {
            "queue": {"type": "any", "description": "The queue."},
            "names": {"type": "Array", "description": "Names.", "items": {"type": "String"}},
            "wait": {"type": "long", "description": "Milliseconds."},
        },
        "required": ["queue"],
    },
}
NOTES = [
    {
        "name": "add_note",
        "description": "Adds a note.",
        "parameters": {
            "type": "dict",
            "properties": {"text": {"type": "string", "description": "Its text."}},
            "required": ["text"],
        },
    },
    {
        "name": "count_notes",
        "description": "Counts notes.",
        "parameters": {"type": "dict", "properties": {}, "required": []},
    },
]
MESSAGE_API = '''
class MessageAPI:
    """Notes by text, under the name that the layout wants."""

    def __init__(self):
        self.notes = []

    def _load_scenario(self, config, long_context=False):
        self.notes = config.get("notes", [])

    def add_note(self, text):
        if not text:
            raise ValueError("a note needs text")
        self.notes.append(text)
        return {"notes": len(self.notes)}

    def count_notes(self):
        return {"count": len(self.notes)}
'''


def entry(identity: str, function: list[dict[str, Any]], text: str = "How is the weather?") -> dict[str, Any]:
    return {"id": identity, "question": [[{"role": "user", "content": text}]], "function": function}


def turns(identity: str, **more: Any) -> dict[str, Any]:
    return {
        "id": identity,
        "question": [
            [{"role": "user", "content": "Note milk."}],
            *([[]] if "missed_function" in more else []),
            [{"role": "user", "content": "How many notes are there?"}],
        ],
        "initial_config": {"MessageAPI": {"notes": ["eggs"]}},
        "involved_classes": ["MessageAPI"],
        **more,
    }


GOLD_WEATHER = {"weather.get": {"city": ["Seoul"], "days": [3, ""], "scale": [1.5, ""]}}
GOLD_QUEUE = {"Queue.poll": {"queue": ["workQueue"], "names": [["a", "b"], ""], "wait": [50]}}
GOLD_TURNS = [["add_note('milk')"], ["count_notes()"]]

QUESTIONS: dict[str, list[dict[str, Any]]] = {
    "simple_python": [entry("simple_python_0", [WEATHER])],
    "simple_java": [entry("simple_java_0", [QUEUE])],
    "parallel": [entry("parallel_0", [WEATHER])],
    "irrelevance": [entry("irrelevance_0", [WEATHER], "Tell me a joke.")],
    "live_simple": [entry("live_simple_0-0-0", [WEATHER])],
    "live_relevance": [entry("live_relevance_0-0-0", [WEATHER])],
    "multi_turn_base": [turns("multi_turn_base_0")],
    "multi_turn_miss_func": [turns("multi_turn_miss_func_0", missed_function={"1": ["add_note"]})],
}
ANSWERS: dict[str, list[Any]] = {
    "simple_python": [[GOLD_WEATHER]],
    "simple_java": [[GOLD_QUEUE]],
    "parallel": [[GOLD_WEATHER, {"weather.get": {"city": ["Busan"]}}]],
    "live_simple": [[GOLD_WEATHER]],
    "multi_turn_base": [GOLD_TURNS],
    "multi_turn_miss_func": [[[], ["add_note('milk')"], ["count_notes()"]]],
}


def write(root: Path) -> Path:
    """The layout of an unpacked bfcl-eval below `root`; the folder of its data."""
    data = root / "bfcl_eval" / "data"
    (data / "possible_answer").mkdir(parents=True)
    (data / "multi_turn_func_doc").mkdir()
    for category, questions in QUESTIONS.items():
        _write(data / f"BFCL_v4_{category}.json", questions)
    for category, answers in ANSWERS.items():
        lines = [{"id": q["id"], "ground_truth": a} for q, a in zip(QUESTIONS[category], answers, strict=True)]
        _write(data / "possible_answer" / f"BFCL_v4_{category}.json", lines)
    names = (
        "gorilla_file_system", "math_api", "message_api", "posting_api", "ticket_api", "trading_bot", "travel_booking",
        "vehicle_control",
    )  # fmt: skip
    for name in names:
        _write(data / "multi_turn_func_doc" / f"{name}.json", NOTES if name == "message_api" else [])
    code = root / "bfcl_eval" / "eval_checker" / "multi_turn_eval" / "func_source_code"
    code.mkdir(parents=True)
    for folder in (code, *list(code.parents)[:3]):
        (folder / "__init__.py").touch()
    for name in names:
        (code / f"{name}.py").write_text(MESSAGE_API if name == "message_api" else "", encoding="utf-8")
    return data


def _write(path: Path, lines: list[Any]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def write_live(data: Path, folder: Path) -> Path:
    """`data` with a second entry of live_simple, and every other live category that makes the number."""
    (folder / "possible_answer").mkdir(parents=True)
    for category in ("live_simple", "live_multiple", "live_parallel", "live_parallel_multiple"):
        for place in (folder, folder / "possible_answer"):
            old = (data / place.relative_to(folder) / "BFCL_v4_live_simple.json").read_text(encoding="utf-8")
            first = old.replace("live_simple_0-0-0", f"{category}_0-0-0")
            text = first + (first.replace("_0-0-0", "_1-0-0") if category == "live_simple" else "")
            (place / f"BFCL_v4_{category}.json").write_text(text, encoding="utf-8")
    return folder
