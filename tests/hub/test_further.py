"""The further datasets: the catalog, the graph, recorded answers; and the cards of models."""

from __future__ import annotations

import datetime
import json
import pickle
import re
import struct
from pathlib import Path

import pytest

from kopa_hf.agent.opening import is_path
from kopa_hf.catalog.registry import load_catalog
from kopa_hf.cli.evaluate import evaluate
from kopa_hf.cli.publish import publish, pull
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.feasibility import Binding
from kopa_hf.edge.graph import Edge, Evidence, ToolGraph
from kopa_hf.edge.records import edge_records, graph_facts
from kopa_hf.errors import DataError
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.recorded import Recorded
from kopa_hf.execution.snapshot import Snapshot
from kopa_hf.hub.further import write_graph, write_snapshot, write_tools
from kopa_hf.hub.trained import model_card
from kopa_hf.hub.validation import check_dataset, check_model_files, check_results, left_out, model_files


def test_the_catalog_as_a_dataset_is_the_catalog(tmp_path: Path) -> None:
    import pyarrow.parquet as pq
    from datasets import Dataset

    tools = [tool for tool in load_catalog() if tool.platform in ("kdic", "dart")]
    folder = write_tools(tools, tmp_path / "tools")
    rows = check_dataset(folder)
    assert rows["default", "train"] == len(tools)
    assert sum(count for (config, _), count in rows.items() if config != "default") == len(tools)
    (file,) = (folder / "data").iterdir()
    records = {record["name"]: record for record in Dataset(pq.read_table(file))}
    tool = load_catalog().get("find_dart_corp_code")
    record = records[tool.name]
    assert [p["name"] for p in record["parameters"]] == [p.name for p in tool.parameters]
    assert [f["name"] for f in record["fields"]] == [f.name for f in tool.fields]
    assert record["endpoint"]["url"] == tool.endpoint.url
    assert record["schema"]["function"]["name"] == tool.name
    card = (folder / "README.md").read_text()
    assert f"| rows | {len(tools)} |" in card
    assert "license: cc-by-4.0" in card


def test_the_card_of_the_catalog_says_how_many_rows_count_as_tools(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    tools = [tool for tool in load_catalog() if tool.platform == "gyeonggi"]
    folder = write_tools(tools, tmp_path / "tools")
    (file,) = (folder / "data").iterdir()
    fields = pq.read_table(file, columns=["fields"])["fields"].to_pylist()
    counted = sum(len(names) > 0 for names in fields)
    assert 0 < counted < len(fields), "some of this platform's columns are not known"
    card = (folder / "README.md").read_text()
    assert f"| rows | {len(fields)} |\n| counted as tools: with known output columns | {counted} |\n" in card
    assert f"| listed only: output columns not known | {len(fields) - counted} |\n" in card
    assert f"{len(fields)} functions of" in card
    assert f"**{counted} of them count as tools**" in card
    assert f"{counted}건만 도구로 세고" in card


def test_what_counts_on_the_card_is_what_the_catalog_counts() -> None:
    catalog = load_catalog()
    assert catalog.stats()["tools"] == sum(bool(tool.fields) for tool in catalog) < len(catalog)


def edge(source: str, target: str, *, trials: int, semantic: int, alpha: float, beta: float) -> Edge:
    evidence = Evidence(trials=trials, semantic=semantic, failures={"bad_param": trials - semantic}, backend="sandbox")
    return Edge(source, target, 0.8, 0.5, (Binding("corp_code", "corp_code", 0.8),), (), (), alpha, beta, evidence)


def test_the_graph_as_a_dataset_keeps_what_execution_showed(tmp_path: Path) -> None:
    import pyarrow.parquet as pq
    from datasets import Dataset

    graph = ToolGraph(EdgeConfig(), embedder="words", judge="rules")
    tools = load_catalog()
    for name in ("find_dart_corp_code", "get_dart_company_overview", "search_dart_disclosures"):
        graph.add_tool(tools.get(name))
    graph.add_edge(edge("find_dart_corp_code", "get_dart_company_overview", trials=5, semantic=5, alpha=7.6, beta=1.4))
    graph.add_edge(
        edge("search_dart_disclosures", "get_dart_company_overview", trials=4, semantic=0, alpha=2.6, beta=7.4)
    )
    folder = write_graph(edge_records(graph), graph_facts(graph), tmp_path / "graph")
    # Pr[θ > 0.5] of Beta(7.6, 1.4) is about 0.98, of Beta(2.6, 7.4) about 0.05: the second is pruned
    assert check_dataset(folder) == {("default", "train"): 2, ("kept", "train"): 1, ("pruned", "train"): 1}
    (file,) = (folder / "data").iterdir()
    first, second = Dataset(pq.read_table(file))
    assert (first["source"], first["decision"], second["decision"]) == ("find_dart_corp_code", "kept", "pruned")
    assert first["bindings"][0]["field"] == "corp_code"
    assert second["failures"] == {"bad_param": 4}
    assert "| edges | 2 (kept 1, pruned 1) |" in (folder / "README.md").read_text()


def test_a_snapshot_as_a_dataset_replays_from_its_archive(tmp_path: Path) -> None:
    import pyarrow.parquet as pq
    from datasets import Dataset

    from kopa_hf.execution.snapshot_archive import import_archive

    file = tmp_path / "answers.kopa"
    with Executor() as sandbox:
        answer = sandbox.call_sync("find_dart_corp_code", {"corp_name": "전자"})
    with Snapshot.create(file, origin="sandbox", day=datetime.date(2026, 1, 30)) as snapshot:
        snapshot.put(recorded_answer())
        folder = write_snapshot(snapshot, tmp_path / "out", title="한 건", repository="kopa/snapshots")
        fingerprint = snapshot.fingerprint()
    assert answer.records
    assert check_dataset(folder) == {("default", "train"): 1}
    (parquet,) = (folder / "data").iterdir()
    (record,) = Dataset(pq.read_table(parquet))
    assert record["arguments"] == {"corp_name": "전자"}
    assert record["body"] == b'{"status":"013"}'
    assert import_archive(folder / "answers.zip", tmp_path / "again.kopa").answers == 1
    with Snapshot(tmp_path / "again.kopa") as again:
        assert again.fingerprint() == fingerprint
    assert fingerprint in (folder / "README.md").read_text()


def recorded_answer() -> Recorded:
    return Recorded(
        request='["find_dart_corp_code",{"corp_name":"전자"}]', tool="find_dart_corp_code", wire="dart",
        operation="corpCode", signature="0" * 16, outcome="no_data", status=200, content_type="application/json",
        observed="2026-01-30T09:00:00Z", body=b'{"status":"013"}',
    )  # fmt: skip


def weights(count: int, pad: int = 0) -> bytes:
    """A safetensors file of one tensor of `count` bytes, its header filled up with `pad` blanks."""
    header = json.dumps({"w": {"dtype": "U8", "shape": [count], "data_offsets": [0, count]}}).encode() + b" " * pad
    return struct.pack("<Q", len(header)) + header + bytes(count)


def model_folder(folder: Path) -> Path:
    folder.mkdir()
    for name in (
        "model.safetensors",
        "training_args.bin",
        "checkpoint-8/model.safetensors",
        "checkpoint-8/optimizer.pt",
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(weights(4) if name.endswith(".safetensors") else b"x")
    (folder / "checkpoint-8" / "trainer_state.json").write_text(json.dumps({"global_step": 8}))
    (folder / "README.md").write_text(
        "---\nbase_model: org/base-4b\nlibrary_name: transformers\ntags:\n- grpo\n- trl\nlicense: apache-2.0\n---\n# x\n"
    )
    return folder


def test_a_models_card_says_what_the_folder_says(tmp_path: Path) -> None:
    folder = model_folder(tmp_path / "m")
    text = model_card(folder, "kopa/edge-4b")
    assert "org/base-4b after GRPO on EDGE trajectories" in text
    assert "| steps | 8 |" in text
    assert "base_model: org/base-4b" in text
    assert "license: apache-2.0" in text
    assert "No score" not in text, "scores may be attached later, and the card stays"
    assert "`kopa publish results LOG --repo kopa/edge-4b` attaches them" in text


def test_the_commands_on_a_models_card_are_commands(tmp_path: Path) -> None:
    text = model_card(model_folder(tmp_path / "m"), "kopa/edge-4b")
    told = re.findall("`kopa (.+?)`", text)
    assert [line.split()[:2] for line in told] == [["pull", "model"], ["eval", "--model"], ["publish", "results"]]
    for name, command in (("pull", pull), ("eval", evaluate), ("publish results", publish.commands["results"])):
        (line,) = (line for line in told if line.startswith(name))
        command.make_context(name, line.removeprefix(name).split())
    source = evaluate.make_context("eval", told[1].split()[1:]).params["models"]
    assert source == ("./edge-4b",)
    assert is_path(*source), "the folder that pull writes, and no name on the Hub, which eval refuses"
    assert pull.make_context("pull", told[0].split()[1:]).params["output"] == Path("edge-4b")


def test_scores_beside_the_model_stand_on_its_card(tmp_path: Path) -> None:
    folder = model_folder(tmp_path / "m")
    results = folder / ".eval_results" / "kopa-bench.yaml"
    results.parent.mkdir()
    results.write_text(
        "- dataset:\n    id: kopa/kopa-bench\n    task_id: kopa_bench_held_out\n  value: 31.25\n  notes: pass@1 in percent\n"
    )
    assert "| withheld platforms | 0.31 | pass@1 in percent |" in model_card(folder, "kopa/edge-4b")
    assert ".eval_results/kopa-bench.yaml" in model_files(folder)


def test_only_the_model_goes_up(tmp_path: Path) -> None:
    assert sorted(model_files(model_folder(tmp_path / "m"))) == ["README.md", "model.safetensors"]
    run = model_folder(tmp_path / "run")
    parts = ("tokenizer.json", "spiece.model", "vocab.txt", "chat_template.jinja", "LICENSE", "1_Pooling/config.json")
    rest = ("pytorch_model.bin", "a.pt", "b.pkl", "c.pth", "d.ckpt", "global_step8/zero.safetensors", "zero_to_fp32.py")
    rest += ("wandb/run/config.json", "logs/events.json", "logs/a.safetensors", "notes/x.txt")
    for name in (*parts, "adapter/adapter_model.safetensors", "adapter/adapter_config.json", "adapter/o.pt", *rest):
        (run / name).parent.mkdir(parents=True, exist_ok=True)
        (run / name).write_bytes(b"x")
    files = model_files(run)
    kept = {
        "README.md",
        "model.safetensors",
        "adapter/adapter_model.safetensors",
        "adapter/adapter_config.json",
        *parts,
    }
    assert set(files) == kept
    assert left_out(run, files) == [
        "a.pt", "adapter/o.pt", "b.pkl", "c.pth", "checkpoint-8/", "d.ckpt", "global_step8/", "logs/", "notes/",
        "pytorch_model.bin", "training_args.bin", "wandb/", "zero_to_fp32.py",
    ]  # fmt: skip
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "pytorch_model.bin").write_bytes(b"x")
    with pytest.raises(DataError, match="as a pickle only"):
        model_files(bare)


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("model.safetensors", weights(4)[:-1], r"by its header, 3 are there"),
        ("model.safetensors", weights(4) + b"x", r"take 4 bytes by its header, 5 are there"),
        ("model.safetensors", weights(4)[:20], "header cannot be read"),
        ("model.safetensors", b"", "header cannot be read"),
        ("model.safetensors", pickle.dumps({"w": [1]}), "is a pickle by its content"),
        ("config.json", pickle.dumps({"w": [1]}), "is a pickle by its content"),
        ("model.safetensors.index.json", b'{"weight_map": {"w": "model-2-of-2.safetensors"}}', r"names model-2-of-2\."),
        ("model.safetensors.index.json", b"[]", "is no index of weights"),
    ],
)
def test_a_model_that_nobody_could_load_is_refused_by_the_files_name(
    tmp_path: Path, name: str, data: bytes, says: str
) -> None:
    folder = model_folder(tmp_path / "m")
    check_model_files(model_files(folder))
    (folder / name).write_bytes(data)
    with pytest.raises(DataError, match=rf"m/{re.escape(name)} .*{says}"):
        check_model_files(model_files(folder))


def test_whole_weights_pass(tmp_path: Path) -> None:
    folder = model_folder(tmp_path / "m")
    pad = 0x80 - struct.unpack("<Q", weights(4)[:8])[0]
    (folder / "model.safetensors").write_bytes(weights(4, pad))
    assert (folder / "model.safetensors").read_bytes()[:1] == b"\x80", "as a pickle begins, and yet none"
    (folder / "model.safetensors.index.json").write_text('{"weight_map": {"w": "model.safetensors"}}')
    (folder / "pytorch_model.bin.index.json").write_text('{"weight_map": {"w": "left_out.bin"}}')
    check_model_files(model_files(folder))


def test_a_folder_of_this_machine_is_no_model_that_others_know(tmp_path: Path) -> None:
    folder = model_folder(tmp_path / "m")
    (folder / "README.md").unlink()
    (folder / "config.json").write_text(json.dumps({"_name_or_path": "/home/kim/models/Qwen3"}))
    with pytest.raises(DataError, match="OWNER/NAME"):
        model_card(folder, "kopa/x")


@pytest.mark.parametrize(
    "header", [b"base_model: [org/base", b"- base_model", b"base_model: org/b\ntags: {a: b: c}", b"base_model: \xb0"]
)
def test_a_header_that_cannot_be_read_is_said_in_one_line(tmp_path: Path, header: bytes) -> None:
    folder = model_folder(tmp_path / "m")
    (folder / "README.md").write_bytes(b"---\n" + header + b"\n---\n# x\n")
    with pytest.raises(DataError, match=r"m/README\.md has a header that cannot be read \(.+\); mend") as refused:
        model_card(folder, "kopa/x")
    assert "\n" not in str(refused.value)


def test_one_tag_alone_is_one_tag_and_an_unknown_method_has_no_name(tmp_path: Path) -> None:
    folder = model_folder(tmp_path / "m")
    (folder / "README.md").write_text("---\nbase_model: org/base-4b\ntags: trl\n---\n# x\n")
    text = model_card(folder, "kopa/x")
    assert "tags:\n- kopa_hf\n- korean\n- tool-use\n- trl\n" in text
    assert "궤적으로 학습한 것이다." in text
    (folder / "README.md").write_text("---\nbase_model: org/base-4b\ntags: sft\n---\n# x\n")
    assert "궤적으로 SFT 학습한 것이다." in model_card(folder, "kopa/x")


def test_a_model_of_unknown_origin_has_no_card(tmp_path: Path) -> None:
    folder = model_folder(tmp_path / "m")
    (folder / "README.md").unlink()
    with pytest.raises(DataError, match="from which model"):
        model_card(folder, "kopa/x")


@pytest.mark.parametrize("text", ["[1, 2]", "- value: 3", "{", "- dataset: {id: a}"])
def test_results_that_the_hub_cannot_read_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "r.yaml").write_text(text)
    with pytest.raises(DataError, match="no results file"):
        check_results(tmp_path / "r.yaml")


def test_a_file_that_no_config_names_and_a_missing_one_are_found(tmp_path: Path) -> None:
    folder = write_tools([tool for tool in load_catalog() if tool.platform == "kdic"], tmp_path / "t")
    stray = folder / "data" / "more.parquet"
    stray.write_bytes((next((folder / "data").iterdir())).read_bytes())
    with pytest.raises(DataError, match="in no config"):
        check_dataset(folder)
    stray.unlink()
    next((folder / "finance").iterdir()).unlink()
    with pytest.raises(DataError, match="which is not there"):
        check_dataset(folder)
