"""How candidate search grows with the catalog: time to embed, time for the nearest targets, peak memory.

From the built-in catalog to a large one. The large one is read from a file of endpoint facts (JSON lines,
gzipped or not: tool, title, provider, url, params[name, label, type, required], fields[name, label, type]),
the provider taken as the domain; without a file, tools are generated. Every size runs in a process of its own,
so that its peak memory is its own.

Goals: embedding time linear in the tools (at most 1.3 times their ratio), time for the nearest targets at most
1.3 times the ratio of pairs, peak memory at most 1.3 times the ratio of tools. Memory is held against the goal
twice: the whole process, and what stands above the interpreter with its libraries.

    python benchmarks/edge_growth.py [FILE] [--judge]
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.catalog.tool import Endpoint, Field, Parameter, ParameterRole, Tool
from kopa_hf.edge.candidates import Signatures, embed_signatures, nearest_targets
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.embedding import HashedNgrams
from kopa_hf.edge.feasibility import RuleJudge

T = TypeVar("T")

GOAL = 1.3
ROUNDS = 3
LARGE = 11_975
THINGS = [
    "의안",
    "회의",
    "정류장",
    "노선",
    "학교",
    "시설",
    "업체",
    "의료기관",
    "허가",
    "예산",
    "사업",
    "강좌",
    "도서",
    "공원",
    "하천",
    "측정소",
    "주차장",
    "관광지",
    "특허",
    "판례",
]
ASPECTS = ["번호", "코드", "이름", "명칭", "일자", "연도", "구분", "주소", "금액", "건수", "상태", "아이디"]
ROLES: dict[str, ParameterRole] = {
    "serviceKey": "key", "authApiKey": "key", "pageNo": "page", "numOfRows": "size", "type": "format", "_type": "format",
}  # fmt: skip


def main() -> None:
    """Measure the sizes, or one of them where `--only` says so."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, help="endpoint facts; generated tools where none is given")
    parser.add_argument("--judge", action="store_true", help="judge the candidates too (offline judge)")
    parser.add_argument("--only", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only:
        print(json.dumps(measure(options.only, options.file, options.judge)))
        return
    rows = [_in_process(size, options) for size in ("catalog", "0.25", "0.5", "1")]
    _print(rows, options.judge)


def measure(size: str, file: Path | None, judge: bool) -> dict[str, float]:
    """Tools, pairs, seconds and MiB of one size."""
    base = _peak()
    tools = tools_of(size, file)
    config, embedder = EdgeConfig(), HashedNgrams()
    signatures, embedding = _timed(lambda: embed_signatures(tools, embedder))
    assert signatures is not None
    candidates, nearest = _timed(lambda: nearest_targets(signatures, config))
    peak = _peak()
    found = {
        "tools": len(tools),
        "pairs": len(signatures.sources) * len(signatures.targets),
        "characters": sum(map(_characters, tools)),
        "candidates": len(candidates),
        "embedding": embedding,
        "nearest": nearest,
        "peak": peak,
        "above": peak - base,
    }
    return {**found, "judging": _judging(signatures, candidates)} if judge else found


def tools_of(size: str, file: Path | None) -> list[Tool]:
    """Tools with known fields: the catalog's, or a share of the large set drawn evenly."""
    if size == "catalog":
        return [tool for tool in load_catalog() if tool.read and not tool.fields_unknown]
    tools = generated(LARGE) if file is None else list(read_facts(file))
    return random.Random(0).sample(tools, round(float(size) * len(tools)))


def read_facts(path: Path) -> Iterator[Tool]:
    """Tools of a file of endpoint facts."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    for line in data.decode("utf-8").split("\n"):
        if line.strip():
            yield _tool(json.loads(line))


def _tool(facts: dict[str, Any]) -> Tool:
    return Tool(
        name=facts["tool"],
        platform=facts["platform"],
        wire=facts["platform"],
        domain=facts.get("provider") or "unknown",
        title=facts["title"],
        description=facts["title"],
        endpoint=Endpoint(url=facts["url"] or ""),
        parameters=tuple(
            Parameter(p["name"], p["label"], required=bool(p["required"]), role=ROLES.get(p["name"], "input"))
            for p in facts["params"]
        ),
        fields=tuple(Field(f["name"], f["label"]) for f in facts["fields"]),
    )


def generated(count: int) -> list[Tool]:
    """Invented tools of about 700 providers, the same ones every time."""
    rng = random.Random(1)
    return [_invented(number, rng) for number in range(count)]


def _invented(number: int, rng: random.Random) -> Tool:
    things = rng.sample(THINGS, 3)
    columns = [(f"{chr(97 + k)}{rng.randrange(400)}", f"{rng.choice(things)} {rng.choice(ASPECTS)}") for k in range(12)]
    return Tool(
        name=f"get_{number:05}",
        platform="generated",
        wire="generated",
        domain=f"기관 {rng.randrange(700)}",
        title=f"{things[0]} {things[1]} 정보 조회 {number % 97}",
        description="",
        endpoint=Endpoint(url=f"https://example.invalid/{number}"),
        parameters=tuple(Parameter(name, label, required=k == 0) for k, (name, label) in enumerate(columns[:4])),
        fields=tuple(Field(name, label) for name, label in columns[4:]),
    )


def _characters(tool: Tool) -> int:
    columns: tuple[Field | Parameter, ...] = (*tool.fields, *tool.parameters)
    return sum(len(column.label) + len(column.name) for column in columns) + 2 * len(tool.title)


def _judging(signatures: Signatures, candidates: list[Any]) -> float:
    tools = {tool.name: tool for tool in (*signatures.sources, *signatures.targets)}
    judge = RuleJudge()
    start = time.process_time()
    for candidate in candidates:
        judge.judge(tools[candidate.source], tools[candidate.target])
    return time.process_time() - start


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    """The result, and the least processor seconds of several rounds: other work on the machine must not count."""
    best, result = float("inf"), work()
    for _ in range(ROUNDS):
        start = time.process_time()
        result = work()
        best = min(best, time.process_time() - start)
    return result, best


def _peak() -> float:
    """Largest resident size of this process so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _in_process(size: str, options: argparse.Namespace) -> dict[str, Any]:
    command = [sys.executable, __file__, *([str(options.file)] if options.file else []), "--only", size]
    done = subprocess.run([*command, *(["--judge"] if options.judge else [])], stdout=subprocess.PIPE, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return {"set": "catalog" if size == "catalog" else f"large x {size}", **found}


def _print(rows: list[dict[str, Any]], judge: bool) -> None:
    print(
        f"{'set':14} {'tools':>7} {'pairs':>12} {'embed s':>8} {'us/char':>8} {'top-K s':>8} {'ns/pair':>8} {'peak MiB':>9}"
    )
    for row in rows:
        per_character = 1e6 * row["embedding"] / row["characters"]
        per_pair = 1e9 * row["nearest"] / row["pairs"]
        print(
            f"{row['set']:14} {row['tools']:7,} {row['pairs']:12,} {row['embedding']:8.2f} {per_character:8.2f} "
            f"{row['nearest']:8.2f} {per_pair:8.1f} {row['peak']:9.0f}"
            + (f"   judging {row['judging']:.1f} s" if judge else "")
        )
    first, last = rows[0], rows[-1]
    print(f"\nfrom {first['tools']:,} tools to {last['tools']:,}")
    for name, key, against in (
        ("embedding time", "embedding", "tools"),
        ("time for the nearest targets", "nearest", "pairs"),
        ("peak memory", "peak", "tools"),
        ("peak memory above the interpreter", "above", "tools"),
    ):
        grown, size = last[key] / first[key], last[against] / first[against]
        verdict = "met" if grown <= GOAL * size else "missed"
        print(
            f"  {name}: {grown:.2f} times for {size:.2f} times the {against} ({grown / size:.2f}, goal {GOAL}: {verdict})"
        )


if __name__ == "__main__":
    main()
