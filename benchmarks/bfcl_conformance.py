"""The official BFCL scorer and ours on the same outputs: do they agree, and where does the typed score differ?

    make env-bfcl
    python benchmarks/bfcl_conformance.py --python .venv-bfcl/bin/python --output benchmarks/bfcl_conformance.json

The official side runs in its own environment (`bfcl_official.py`), on the data of that
environment's bfcl-eval; our side reads the same files. Prints one line per category,
every disagreement, and the differences of the typed score by kind of change. Exit code 1
on any disagreement.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from bfcl_outputs import MODES, outputs

from kopa_hf.bench.bfcl.categories import CATEGORIES, categories_of
from kopa_hf.bench.bfcl.docs import hinted, tool_schemas
from kopa_hf.bench.bfcl.prompts import with_system
from kopa_hf.bench.bfcl.scoring import Score, score
from kopa_hf.bench.bfcl.source import code_root, fingerprint, load_entries, open_source

VERSION = "2026.3.23"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", required=True, help="interpreter of the environment that has bfcl-eval")
    parser.add_argument("--category", action="append", help="a category or group; default: all")
    parser.add_argument("--changes", type=int, default=4, help="changed outputs per entry and mode")
    parser.add_argument("--every", type=int, default=1, help="take every n-th entry only")
    parser.add_argument("--output", type=Path, help="where to write the figures as JSON")
    asked = parser.parse_args()
    start = time.monotonic()
    categories = categories_of(asked.category) if asked.category else CATEGORIES
    home = Path(_run([asked.python, "-c", "import bfcl_eval; print(bfcl_eval.__file__)"]).strip()).parent
    data = open_source(home)
    root = code_root(data)
    cases, ours = _our_side(data, root, categories, asked.changes, asked.every)
    theirs = _official_side(asked.python, cases)
    figures = _compare(cases, ours, theirs)
    figures["shown alike"] = _shown_alike(asked.python, data, categories)
    figures |= {"bfcl_eval": VERSION, "data": fingerprint(data), "seconds": round(time.monotonic() - start, 1)}
    _show(figures)
    if asked.output:
        asked.output.write_text(json.dumps(figures, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return 1 if figures["disagreements"] or figures["shown alike"]["differ"] else 0


def _our_side(
    data: Path, root: Path, categories: tuple[str, ...], changes: int, every: int
) -> tuple[list[dict[str, Any]], list[Score]]:
    cases, scores = [], []
    for category in categories:
        for entry in list(load_entries(data, (category,)))[::every]:
            for mode in MODES:
                for kind, result in outputs(entry, mode, changes):
                    cases.append({"id": entry.id, "category": category, "mode": mode, "kind": kind, "result": result})
                    name = f"{mode}{len(scores)}"  # as the official side calls the model of this case
                    scores.append(score(entry, mode, result, root, model=name))  # type: ignore[arg-type]
    return cases, scores


def _shown_alike(python: str, data: Path, categories: tuple[str, ...]) -> dict[str, Any]:
    """Whether a model sees the same tools and the same prompt here and there, for every entry."""
    with tempfile.TemporaryDirectory() as work:
        found = Path(work) / "shown.jsonl"
        _run([python, str(Path(__file__).with_name("bfcl_official.py")), "--shown", str(found)])
        theirs = {one["id"]: one for one in map(json.loads, found.read_text(encoding="utf-8").splitlines())}
    differ, alike = [], 0
    for entry in load_entries(data, categories):
        ours = {
            "id": entry.id,
            "tools": tool_schemas(entry.functions, entry.language),
            "held_back": {
                str(turn): tool_schemas(functions, entry.language, hints=False)
                for turn, functions in entry.held_back.items()
            },
            "messages": with_system(entry.turns[0], hinted(entry.functions, entry.language)),
        }
        if ours == theirs[entry.id]:
            alike += 1
        else:
            differ.append(entry.id)
    return {"alike": alike, "differ": differ}


def _official_side(python: str, cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as work:
        given, found = Path(work) / "cases.jsonl", Path(work) / "verdicts.jsonl"
        given.write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
        _run([python, str(Path(__file__).with_name("bfcl_official.py")), str(given), str(found)])
        return [json.loads(line) for line in found.read_text(encoding="utf-8").splitlines()]


def _run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{command[0]} failed:\n{done.stderr[-2000:]}")
    return done.stdout


def _compare(cases: list[dict[str, Any]], ours: list[Score], theirs: list[dict[str, Any]]) -> dict[str, Any]:
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    kinds: Counter[str] = Counter()
    typed: dict[str, Counter[str]] = defaultdict(Counter)
    disagreements, examples, impossible = [], defaultdict(list), defaultdict(set)
    for case, mine, official in zip(cases, ours, theirs, strict=True):
        row = rows[case["category"]]
        group = "key" if case["kind"] == "key" else "changed"
        row[group] += 1
        row[f"{group} right"] += official["valid"]
        row["same kind of error"] += mine.strict.error == official["error"]
        kinds[case["kind"]] += 1
        if mine.strict.valid != official["valid"]:
            disagreements.append({**case, "official": official, "ours": mine.strict.error or "valid"})
        if group == "key":
            impossible[case["id"]].add(official["valid"] or case["mode"])
        if mine.typed.valid != official["valid"]:
            way = "official only" if official["valid"] else "typed only"
            typed[way][f"{case['kind']}: {mine.typed.error or official['error']}"] += 1
            if len(examples[way]) < 400:
                examples[way].append({**case, "official": official["error"], "typed": mine.typed.error})
    never = sorted(name for name, found in impossible.items() if found == set(MODES))
    return {
        "categories": {name: dict(row) for name, row in rows.items()},
        "outputs": len(cases),
        "changed": sum(number for kind, number in kinds.items() if kind != "key"),
        "by kind": dict(kinds.most_common()),
        "disagreements": disagreements,
        "keys refused in both modes": never,
        "typed differs": {way: dict(found.most_common()) for way, found in typed.items()},
        "examples": {way: _spread(found) for way, found in examples.items()},
    }


def _spread(found: list[dict[str, Any]], each: int = 2) -> list[dict[str, Any]]:
    """A few of each kind, short ones."""
    kept: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for one in sorted(found, key=lambda one: len(json.dumps(one))):
        place = kept[one["kind"], one["typed"] or one["official"]]
        if len(place) < each and len(json.dumps(one)) < 600:
            place.append(one)
    return [one for place in kept.values() for one in place]


def _show(figures: dict[str, Any]) -> None:
    print(f"{'category':26}{'key':>7}{'right':>7}{'changed':>9}{'right':>7}{'same error':>12}")
    for name, row in figures["categories"].items():
        outputs_ = row["key"] + row["changed"]
        print(
            f"{name:26}{row['key']:7}{row['key right']:7}{row['changed']:9}{row['changed right']:7}"
            f"{row['same kind of error'] / outputs_:12.1%}"
        )
    print(f"\n{figures['outputs']} outputs, {figures['changed']} of them changed ones; the verdicts disagree on "
          f"{len(figures['disagreements'])}")  # fmt: skip
    for one in figures["disagreements"][:20]:
        print("  ", json.dumps(one, ensure_ascii=False)[:600])
    print(
        f"answer keys that the official scorer refuses as written: {', '.join(figures['keys refused in both modes']) or 'none'}"
    )
    shown = figures["shown alike"]
    print(f"tools and prompts equal to the official ones: {shown['alike']} entries, {len(shown['differ'])} differ")
    for way, found in figures["typed differs"].items():
        print(f"typed score, {way}: {sum(found.values())}")
        for kind, number in list(found.items())[:12]:
            print(f"   {number:6} {kind}")
    print(f"{figures['seconds']} s")


if __name__ == "__main__":
    raise SystemExit(main())
