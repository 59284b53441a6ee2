"""Publishing and pulling through the real huggingface_hub client, against a Hub on loopback."""

from __future__ import annotations

import hashlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from huggingface_hub import constants
from huggingface_hub.utils._http import close_session

from kopa_hf.bench.rows import row_from_dict
from kopa_hf.cli.publish import publish, pull
from kopa_hf.errors import BackendError, DataError, KopaError
from kopa_hf.hub.folder import row_configs, row_table, sft_table, write_folder
from kopa_hf.hub.publishing import compare, folder_files, look_at
from tests.hub.hub_server import Blob, Fault, Hub, hub_on_loopback
from tests.hub.rows import hard_rows

NAME = "kopa/edge-trajectories"
CARD = "---\nconfigs: {configs}\nlicense: cc-by-4.0\n---\n# Card\n"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    """A Hub that this process is signed in to, with the plain upload protocol and a cache of its own."""
    with hub_on_loopback() as served:
        for name, value in (
            ("ENDPOINT", served.endpoint),
            ("HF_HUB_OFFLINE", False),
            ("HF_HUB_DISABLE_XET", True),
            ("HUGGINGFACE_CO_URL_TEMPLATE", served.endpoint + "/{repo_id}/resolve/{revision}/{filename}"),
            ("HF_HUB_CACHE", str(tmp_path / "cache")),
        ):
            monkeypatch.setattr(constants, name, value)
        monkeypatch.setenv("HF_TOKEN", served.token)
        monkeypatch.setattr("huggingface_hub.utils._http.time.sleep", lambda seconds: None)
        for name in [name for name in os.environ if name.startswith("KOPA_") and name.endswith("_KEY")]:
            monkeypatch.delenv(name)
        close_session()
        yield served
        close_session()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "edge-trajectories", 3)


def write_rows(folder: Path, count: int) -> Path:
    rows = hard_rows()[:count]
    tables = [row_table(rows, split="train"), sft_table(rows, split="train")]
    tables += [row_table(rows, config=name, split="train") for name in row_configs(rows)]
    return write_folder(tables, folder, lambda configs: CARD.format(configs=json.dumps(configs)))


def run(*arguments: str, fails: type[Exception] | None = None) -> Result:
    result = CliRunner().invoke(publish, [str(part) for part in arguments])
    if fails is None:
        assert result.exception is None, result.output
    else:
        assert isinstance(result.exception, fails), (result.exception, result.output)
    return result


def test_one_commit_holds_the_folder_byte_for_byte_and_carries_the_version(hub: Hub, folder: Path) -> None:
    printed = run("dataset", str(folder), "--repo", NAME, "--tag", "v1").output
    repository = hub.repository(NAME)
    tree = repository.commits[repository.head].tree
    assert {path: blob.data for path, blob in tree.items() if path != ".gitattributes"} == {
        path: file.read_bytes() for path, file in folder_files(folder).items()
    }
    assert len(repository.commits) == 2  # the Hub's own first one, and this
    assert repository.tags == {"v1": repository.head}
    assert "default/train: 3 rows" in printed
    assert f"commit {repository.head[:8]}, tag v1" in printed


def test_a_second_run_writes_nothing(hub: Hub, folder: Path) -> None:
    run("dataset", str(folder), "--repo", NAME, "--tag", "v1")
    before = hub.repository(NAME).head
    hub.requests.clear()
    printed = run("dataset", str(folder), "--repo", NAME, "--tag", "v1").output
    assert hub.repository(NAME).head == before
    assert [asked for asked in hub.requests if not asked.startswith("GET")] == []
    assert "is up to date" in printed


def test_a_dry_run_compares_and_writes_nothing(hub: Hub, folder: Path, tmp_path: Path) -> None:
    printed = run("dataset", str(folder), "--repo", NAME, "--dry-run").output
    assert hub.repositories == {}
    assert "does not exist yet" in printed
    assert f"{len(folder_files(folder))} new, 0 changed, 0 removed" in printed
    run("dataset", str(folder), "--repo", NAME)
    (folder / "README.md").write_text((folder / "README.md").read_text().replace("# Card", "# Other"))
    head = hub.repository(NAME).head
    printed = run("dataset", str(folder), "--repo", NAME, "--dry-run").output
    assert hub.repository(NAME).head == head
    assert "~ README.md" in printed
    assert "-# Card" in printed
    assert "+# Other" in printed


def test_a_dry_run_goes_on_where_the_hub_cannot_be_reached(hub: Hub, folder: Path) -> None:
    hub.faults.append(Fault("GET", r"/api/datasets/", status=503, times=99))
    printed = run("dataset", str(folder), "--repo", NAME, "--dry-run").output
    assert "Compared with nothing: The Hub failed (503)" in printed
    assert f"{len(folder_files(folder))} new, 0 changed, 0 removed" in printed
    run("dataset", str(folder), "--repo", NAME, fails=BackendError)
    assert hub.repositories == {}


def test_where_there_is_no_network_each_command_says_what_stands(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{closed.getsockname()[1]}"
    for name, value in (("ENDPOINT", address), ("HF_HUB_OFFLINE", False), ("HF_HUB_CACHE", str(tmp_path / "cache"))):
        monkeypatch.setattr(constants, name, value)
    monkeypatch.setattr("huggingface_hub.utils._http.time.sleep", lambda seconds: None)
    close_session()
    missed = "The Hub could not be reached, or the connection was cut (ConnectError). "
    nothing = missed + "Nothing was sent; run the same command again once it answers."
    arguments = ["dataset", str(folder), "--repo", NAME]
    assert str(run(*arguments, fails=BackendError).exception) == nothing
    assert f"Compared with nothing: {nothing}\n" in run(*arguments, "--dry-run").output
    for kind in ("dataset", "model", "snapshot"):
        result = CliRunner().invoke(pull, [kind, NAME, "--output", str(tmp_path / "out")])
        assert isinstance(result.exception, BackendError)
        assert (
            str(result.exception)
            == missed + "Nothing was fetched or replaced; run the same command again once it answers."
        )
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("status", "says"), [(401, "does not accept this machine's login"), (403, "may not read kopa/")]
)
def test_a_hub_that_refuses_to_be_read_is_not_said_to_refuse_a_change(
    hub: Hub, folder: Path, tmp_path: Path, status: int, says: str
) -> None:
    hub.faults.append(Fault("GET", r"/api/datasets/", status=status, times=99))
    fetched = CliRunner().invoke(pull, ["dataset", NAME, "--output", str(tmp_path / "out")])
    for result in (fetched, run("dataset", str(folder), "--repo", NAME, fails=KopaError)):
        assert says in str(result.exception)
        assert "write" not in str(result.exception)


def test_what_the_folder_no_longer_has_goes_away_in_the_same_commit(hub: Hub, folder: Path) -> None:
    run("dataset", str(folder), "--repo", NAME, "--tag", "v1")
    first = hub.repository(NAME)
    old = [path for path in first.commits[first.head].tree if path.startswith("data/")]
    write_rows(folder, 2)
    run("dataset", str(folder), "--repo", NAME, "--tag", "v2")
    repository = hub.repository(NAME)
    tree = repository.commits[repository.head].tree
    assert len(repository.commits) == 3
    assert not set(old) & set(tree)
    assert ".gitattributes" in tree
    assert set(repository.tags) == {"v1", "v2"}


def test_a_version_is_never_moved(hub: Hub, folder: Path) -> None:
    run("dataset", str(folder), "--repo", NAME, "--tag", "v1")
    head = hub.repository(NAME).head
    write_rows(folder, 2)
    result = run("dataset", str(folder), "--repo", NAME, "--tag", "v1", fails=KopaError)
    assert "never moved" in str(result.exception)
    assert hub.repository(NAME).head == head


def test_content_that_is_there_under_another_version_is_not_taken_for_this_one(hub: Hub, folder: Path) -> None:
    run("dataset", str(folder), "--repo", NAME, "--tag", "v1")
    first = hub.repository(NAME).head
    write_rows(folder, 2)
    run("dataset", str(folder), "--repo", NAME, "--tag", "v2")
    result = run("dataset", str(folder), "--repo", NAME, "--tag", "v1", fails=KopaError)
    assert f"stands on {first[:8]}" in str(result.exception)
    assert hub.repository(NAME).tags["v1"] == first


def test_a_cut_upload_goes_on_and_sends_no_large_file_twice(hub: Hub, folder: Path) -> None:
    hub.faults.append(Fault("POST", r"/commit/main", times=20))
    result = run("dataset", str(folder), "--repo", NAME, "--tag", "v1", fails=BackendError)
    assert "the same command goes on" in str(result.exception)
    sent = [asked for asked in hub.requests if asked.startswith("PUT")]
    hub.faults.clear()
    hub.requests.clear()
    run("dataset", str(folder), "--repo", NAME, "--tag", "v1")
    assert sent
    assert [asked for asked in hub.requests if asked.startswith("PUT")] == []
    assert hub.repository(NAME).tags == {"v1": hub.repository(NAME).head}


def test_a_cut_between_commit_and_tag_is_made_good_by_the_next_run(hub: Hub, folder: Path) -> None:
    hub.faults.append(Fault("POST", r"/tag/", status=503, times=20))
    cut = run("dataset", str(folder), "--repo", NAME, "--tag", "v1", fails=BackendError)
    assert f"The commit {hub.repository(NAME).head[:8]} is there, its tag v1 is not" in str(cut.exception)
    assert hub.repository(NAME).tags == {}
    hub.faults.clear()
    run("dataset", str(folder), "--repo", NAME, "--tag", "v1")
    assert len(hub.repository(NAME).commits) == 2
    assert hub.repository(NAME).tags == {"v1": hub.repository(NAME).head}


def test_whoever_committed_meanwhile_is_not_overwritten(hub: Hub, folder: Path) -> None:
    run("dataset", str(folder), "--repo", NAME)
    write_rows(folder, 2)
    remote = look_at(NAME, "dataset")
    repository = hub.repository(NAME)
    repository.add("someone else", dict(repository.commits[repository.head].tree))
    files = folder_files(folder)
    from kopa_hf.hub.publishing import publish as send

    with pytest.raises(KopaError, match="changed meanwhile"):
        send(files, NAME, "dataset", message="m", remote=remote, difference=compare(files, remote, remove=True))
    assert repository.commits[repository.head].title == "someone else"


@pytest.mark.parametrize(
    ("status", "kind", "says"),
    [
        (401, KopaError, "login"),
        (403, KopaError, "may not write"),
        (429, BackendError, "wait"),
        (500, BackendError, "failed"),
    ],
)
def test_refusals_say_what_to_do(hub: Hub, folder: Path, status: int, kind: type[Exception], says: str) -> None:
    hub.faults.append(Fault("POST", r"/api/datasets/.*/commit/", status=status, times=20))
    result = run("dataset", str(folder), "--repo", NAME, fails=kind)
    assert says in str(result.exception)
    assert len(hub.repository(NAME).commits) == 1


def test_someone_elses_repository_and_nobody_signed_in(hub: Hub, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "write" in str(run("dataset", str(folder), "--repo", "other/x", fails=KopaError).exception)
    monkeypatch.setenv("HF_TOKEN", "hf_" + "x" * 34)
    assert "login" in str(run("dataset", str(folder), "--repo", NAME, fails=KopaError).exception)
    assert hub.repositories == {}


def test_pull_brings_the_same_bytes_and_goes_on_after_a_cut(hub: Hub, folder: Path, tmp_path: Path) -> None:
    run("dataset", str(folder), "--repo", NAME, "--tag", "v1")
    (large,) = [p for p in folder_files(folder) if p.startswith("data/")]
    hub.faults.append(Fault("GET", rf"/resolve/.*/{large}", cut=2000))
    result = CliRunner().invoke(pull, ["dataset", NAME, "--output", str(tmp_path / "out"), "--revision", "v1"])
    assert result.exception is None, result.output
    assert sum(asked.startswith("GET") and asked.endswith(large) for asked in hub.requests) == 2
    for path, file in folder_files(folder).items():
        assert (tmp_path / "out" / path).read_bytes() == file.read_bytes()
    assert "default/train: 3 rows" in result.output


def test_a_file_that_is_not_what_its_hash_says_is_fetched_again(hub: Hub, folder: Path, tmp_path: Path) -> None:
    run("dataset", str(folder), "--repo", NAME)
    out = tmp_path / "out"
    assert CliRunner().invoke(pull, ["dataset", NAME, "--output", str(out)]).exception is None
    (large,) = out.glob("data/*.parquet")
    whole = large.read_bytes()
    damaged = bytearray(whole)
    damaged[len(damaged) // 2] ^= 1
    stamp = large.stat()
    large.write_bytes(bytes(damaged))
    os.utime(large, (stamp.st_atime, stamp.st_mtime))
    assert CliRunner().invoke(pull, ["dataset", NAME, "--output", str(out)]).exception is None
    assert large.read_bytes() == whole


def test_an_interrupted_fetch_says_what_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("kopa_hf.hub.pulling.pull", stop)
    for kind in ("dataset", "snapshot"):
        result = CliRunner().invoke(pull, [kind, NAME, "--output", str(tmp_path / "out")])
        assert result.exit_code == 130
        assert result.output.startswith("Interrupted. Nothing was put in place")
        assert "checkpoint" not in result.output


def test_private_and_gated_repositories_are_refused_with_a_way_out(
    hub: Hub, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("dataset", str(folder), "--repo", NAME, "--private")
    assert hub.repository(NAME).private
    monkeypatch.setenv("HF_TOKEN", "hf_" + "x" * 34)
    unseen = CliRunner().invoke(pull, ["dataset", NAME, "--output", str(tmp_path / "out")])
    assert isinstance(unseen.exception, KopaError)
    assert "not visible" in str(unseen.exception)
    hub.repository(NAME).private, hub.repository(NAME).gated = False, True
    gated = CliRunner().invoke(pull, ["dataset", NAME, "--output", str(tmp_path / "out")])
    assert isinstance(gated.exception, KopaError)
    assert "gated" in str(gated.exception)


_CLEAN = """
import json, sys
import datasets
assert "kopa_hf" not in sys.modules
whole = datasets.load_dataset(sys.argv[1], split="train")
sft = datasets.load_dataset(sys.argv[1], "sft", split="train")
streamed = list(datasets.load_dataset(sys.argv[1], split="train", streaming=True))
print(json.dumps([whole.to_list(), streamed == whole.to_list(), len(sft)]))
"""


@pytest.mark.slow
def test_plain_datasets_loads_and_streams_it_from_a_clean_cache(hub: Hub, folder: Path, tmp_path: Path) -> None:
    run("dataset", str(folder), "--repo", NAME)
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.endswith("_OFFLINE") and name not in ("HF_TOKEN", "PYTHONPATH")
    }
    env |= {"HF_ENDPOINT": hub.endpoint, "HF_HOME": str(tmp_path / "home"), "HF_HUB_DISABLE_XET": "1"}
    done = subprocess.run(
        [sys.executable, "-c", _CLEAN, NAME], env=env, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    rows, same, conversations = json.loads(done.stdout.splitlines()[-1])
    assert [row_from_dict(row) for row in rows] == list(hard_rows())
    assert same
    assert conversations == 3
    assert hub.ranges  # streaming asks for parts


def test_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    first, second = write_rows(tmp_path / "a", 3), write_rows(tmp_path / "b", 3)

    def digests(folder: Path) -> dict[str, str]:
        return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in folder_files(folder).items()}

    assert digests(first) == digests(second)


def test_a_model_goes_up_with_its_card_and_without_its_checkpoints(hub: Hub, tmp_path: Path) -> None:
    from tests.hub.test_further import model_folder

    run("model", str(model_folder(tmp_path / "m")), "--repo", "kopa/edge-4b", "--tag", "none")
    repository = hub.repository("kopa/edge-4b", "model")
    tree = repository.commits[repository.head].tree
    assert sorted(tree) == [".gitattributes", "README.md", "model.safetensors"]
    assert b"org/base-4b after GRPO" in tree["README.md"].data
    (tmp_path / "m" / "model.safetensors").write_bytes(b"cut")
    run("model", str(tmp_path / "m"), "--repo", "kopa/cut", fails=DataError)
    assert list(hub.repositories) == [("model", "kopa/edge-4b")]
    assert repository.tags == {}


def test_a_snapshot_goes_up_and_comes_down_as_it_was(hub: Hub, tmp_path: Path) -> None:
    import datetime

    from kopa_hf.execution.snapshot import Snapshot
    from tests.hub.test_further import recorded_answer

    file, back = tmp_path / "answers.kopa", tmp_path / "back.kopa"
    with Snapshot.create(file, origin="sandbox", day=datetime.date(2026, 1, 30)) as snapshot:
        snapshot.put(recorded_answer())
        fingerprint = snapshot.fingerprint()
    run("snapshot", str(file), "--repo", "kopa/snapshots")
    pulled = CliRunner().invoke(pull, ["snapshot", "kopa/snapshots", "--output", str(back)])
    assert pulled.exception is None, pulled.output
    with Snapshot(back) as again:
        assert again.fingerprint() == fingerprint
    assert "1 answers in" in pulled.output


def test_a_snapshot_that_shows_a_key_stays_here(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import dataclasses
    import datetime

    from kopa_hf.execution.snapshot import Snapshot
    from tests.hub.test_further import recorded_answer

    monkeypatch.setenv("KOPA_DART_KEY", "a1b2c3d4e5f6a7b8c9d0a1b2c3d4e5f6a7b8c9d0")
    shown = dataclasses.replace(recorded_answer(), body=b'{"crtfc_key":"a1b2c3d4e5f6a7b8c9d0a1b2c3d4e5f6a7b8c9d0"}')
    with Snapshot.create(tmp_path / "a.kopa", origin="sandbox", day=datetime.date(2026, 1, 30)) as snapshot:
        snapshot.put(shown)
    result = run("snapshot", str(tmp_path / "a.kopa"), "--repo", "kopa/snapshots", fails=KopaError)
    assert "keys stand in it" in str(result.exception)
    assert "a1b2c3d4e5f6" not in str(result.exception)
    assert hub.repositories == {}


def test_personal_data_stops_a_publication_until_it_was_looked_at(hub: Hub, folder: Path) -> None:
    card = folder / "README.md"
    card.write_text(card.read_text() + "\n연락처 010-1234-5678\n")
    result = run("dataset", str(folder), "--repo", NAME, fails=KopaError)
    assert "README.md, line" in str(result.exception)
    assert "--accept-personal" in str(result.exception)
    assert hub.repositories == {}
    run("dataset", str(folder), "--repo", NAME, "--accept-personal")
    assert hub.repository(NAME).head


def test_rows_that_are_not_meant_to_be_published_stay_here_until_it_is_said(hub: Hub, tmp_path: Path) -> None:
    import dataclasses

    rows = [dataclasses.replace(row, provenance={**row.provenance, "publishable": False}) for row in hard_rows()]
    folder = write_folder(
        [row_table(rows, split="train")], tmp_path / "demo", lambda configs: CARD.format(configs=json.dumps(configs))
    )
    refused = run("dataset", str(folder), "--repo", NAME, fails=DataError)
    assert f"{len(rows)} rows are not meant to be published" in str(refused.exception)
    assert "not meant to be published" in run("dataset", str(folder), "--repo", NAME, "--dry-run").output
    assert hub.repositories == {}
    run("dataset", str(folder), "--repo", NAME, "--accept-unpublishable")
    assert hub.repository(NAME).head


def test_the_card_names_the_repository_that_it_stands_in(hub: Hub, folder: Path) -> None:
    card = folder / "README.md"
    text = card.read_text() + 'load_dataset("kopa/edge-trajectories", "sft")\nload_dataset("kopa/other")\n'
    card.write_text(text)
    run("dataset", str(folder), "--repo", "kopa/mine")
    repository = hub.repository("kopa/mine")
    told = repository.commits[repository.head].tree["README.md"].data.decode()
    assert told == text.replace("kopa/edge-trajectories", "kopa/mine")
    assert card.read_text() == text, "the folder stays as it is"


def test_a_card_there_in_another_encoding_is_replaced_as_well(hub: Hub, folder: Path) -> None:
    run("dataset", str(folder), "--repo", NAME, "--tag", "none")
    repository, text = hub.repository(NAME), (folder / "README.md").read_bytes()
    other = Blob(text.replace(b"# Card", "# 카드".encode("cp949")), large=False)
    repository.add("someone else", {**repository.commits[repository.head].tree, "README.md": other})
    assert "+# Card" in run("dataset", str(folder), "--repo", NAME, "--tag", "none").output
    assert repository.commits[repository.head].tree["README.md"].data == text


def test_a_damaged_folder_is_not_published(hub: Hub, folder: Path) -> None:
    (parquet,) = folder.glob("data/*.parquet")
    parquet.write_bytes(parquet.read_bytes()[:100])
    run("dataset", str(folder), "--repo", NAME, fails=DataError)
    assert hub.repositories == {}


def scored_log(path: Path, agent: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A log of two held-out tasks, which are the whole benchmark here, as `agent` would have failed them."""
    from kopa_hf.bench.policies import NULL
    from kopa_hf.bench.rows import is_held_out
    from kopa_hf.bench.runner import evaluate
    from kopa_hf.execution.executor import Executor
    from kopa_hf.hub.loading import embedded_rows

    rows = [row for row in embedded_rows() if is_held_out(row) and row.domain == "finance"][:2]
    monkeypatch.setattr("kopa_hf.cli.evaluate.bench_rows", lambda data: rows)
    monkeypatch.setattr("kopa_hf.hub.results_card.embedded_rows", lambda: tuple(rows))
    with Executor() as executor:
        evaluate(NULL, rows, executor, log=path)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines = [{**line, "policy": agent} if "policy" in line else line for line in lines]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.slow
def test_scores_of_a_run_stand_beside_the_model_as_the_hub_reads_them(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import yaml
    from huggingface_hub import parse_eval_result_entries

    from tests.hub.test_further import model_folder

    log = scored_log(tmp_path / "log.jsonl", "Edge-4B", monkeypatch)
    missing = run("results", str(log), "--repo", "kopa/edge-4b", "--revision", "0" * 40, fails=KopaError)
    assert "kopa/edge-4b is not on the Hub" in str(missing.exception)
    assert hub.repositories == {}
    run("model", str(model_folder(tmp_path / "m")), "--repo", "kopa/edge-4b")
    repository = hub.repository("kopa/edge-4b", "model")
    unknown = run("results", str(log), "--repo", "kopa/edge-4b", fails=DataError)
    assert "--revision SHA" in str(unknown.exception), "the benchmark is not published on this Hub"
    run("dataset", str(write_rows(tmp_path / "kopa-bench", 1)), "--repo", "kopa/kopa-bench")
    for told, commit in (((), hub.repository("kopa/kopa-bench").head), (("--revision", "0" * 40), "0" * 40)):
        run("results", str(log), "--repo", "kopa/edge-4b", *told)
        tree = repository.commits[repository.head].tree
        entries = parse_eval_result_entries(yaml.safe_load(tree[".eval_results/kopa-bench.yaml"].data))
        assert {entry.task_id for entry in entries} == {"kopa_bench", "kopa_bench_held_out"}
        assert {(entry.value, entry.dataset_revision) for entry in entries} == {(0.0, commit)}
    assert b"No score" not in repository.commits[repository.head].tree["README.md"].data


def test_only_a_models_own_score_is_published_as_its(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = scored_log(tmp_path / "log.jsonl", "org/other-8b", monkeypatch)
    command = ("results", str(log), "--repo", "kopa/edge-4b", "--revision", "0" * 40, "--dry-run")
    assert "--model-of-log org/other-8b" in str(run(*command, fails=DataError).exception)
    assert "not edge-4b" in str(run(*command, "--model-of-log", "edge-4b", fails=DataError).exception)
    said = run(*command, "--model-of-log", "org/other-8b", fails=KopaError)
    assert "is not on the Hub" in str(said.exception), "past the check of the name"
    assert "no Git SHA" in str(
        run("results", str(log), "--repo", "kopa/other-8b", "--revision", "v1", fails=DataError).exception
    )
    for script in ("gold", "null", "most_frequent_answer"):
        log.write_text(log.read_text().replace('"policy": "org/other-8b"', f'"policy": "{script}"'))
        assert "is a scripted agent" in str(run(*command, "--model-of-log", script, fails=DataError).exception)
        log.write_text(log.read_text().replace(f'"policy": "{script}"', '"policy": "org/other-8b"'))


def test_a_score_over_other_tasks_is_not_published(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kopa_hf.hub.loading import embedded_rows

    log = scored_log(tmp_path / "log.jsonl", "edge-4b", monkeypatch)
    monkeypatch.setattr("kopa_hf.hub.results_card.embedded_rows", embedded_rows)
    refused = run("results", str(log), "--repo", "kopa/edge-4b", "--revision", "0" * 40, fails=DataError)
    assert "2 of these 2 tasks are among the" in str(refused.exception)
    assert "is not published" in str(refused.exception)
    assert hub.requests == []


def test_an_unrelated_commit_between_two_runs_changes_nothing(hub: Hub, folder: Path) -> None:
    run("dataset", str(folder), "--repo", NAME, "--tag", "v1")
    repository = hub.repository(NAME)
    tagged = repository.head
    repository.add("someone else", dict(repository.commits[repository.head].tree))
    assert "is up to date" in run("dataset", str(folder), "--repo", NAME, "--tag", "v1").output
    assert repository.tags == {"v1": tagged}


def test_what_is_public_is_not_taken_for_private(hub: Hub, folder: Path) -> None:
    run("dataset", str(folder), "--repo", NAME)
    write_rows(folder, 2)
    head = hub.repository(NAME).head
    result = run("dataset", str(folder), "--repo", NAME, "--private", "--tag", "v2", fails=KopaError)
    assert "public already" in str(result.exception)
    assert hub.repository(NAME).head == head


def test_a_gated_repository_is_there(hub: Hub, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("dataset", str(folder), "--repo", NAME)
    hub.repository(NAME).gated = True
    monkeypatch.setenv("HF_TOKEN", "hf_" + "x" * 34)
    assert "gated" in str(run("dataset", str(folder), "--repo", NAME, "--dry-run", fails=KopaError).exception)


@pytest.mark.parametrize("name", ["foo", "a/b/c", "my org/x", "한글/이름", "../x", "a/..", "-a/b", "a/b.git", "kopa/"])
def test_a_name_that_the_hub_would_refuse_is_refused_before_anything_is_sent(hub: Hub, folder: Path, name: str) -> None:
    assert "OWNER/NAME" in str(run("dataset", str(folder), "--repo", name, "--dry-run", fails=KopaError).exception)
    assert hub.requests == []


@pytest.mark.parametrize("tag", ["v 1", "v1..2", "-x", "HEAD", "main", "refs/heads/x", "v1~2", "v1.lock", "v1:2"])
def test_a_tag_that_git_would_refuse_or_that_is_a_branch_is_refused_before(hub: Hub, folder: Path, tag: str) -> None:
    assert "cannot be a version" in str(
        run("dataset", str(folder), "--repo", NAME, "--tag", tag, fails=KopaError).exception
    )
    assert hub.requests == []


def test_a_folder_of_a_built_datasets_name_is_not_taken_for_it(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools").mkdir()
    assert "./tools" in str(run("dataset", "tools", "--dry-run", fails=DataError).exception)


def test_rows_of_every_config_are_checked(hub: Hub, tmp_path: Path) -> None:
    import dataclasses

    good = hard_rows()
    table = row_table(good, config="finance", split="train")
    bad = [{**record, "answer_type": "nonsense"} for record in table.records]
    tables = [row_table(good, split="train"), dataclasses.replace(table, records=bad)]
    folder = write_folder(tables, tmp_path / "rows", lambda configs: CARD.format(configs=json.dumps(configs)))
    result = run("dataset", str(folder), "--repo", NAME, fails=DataError)
    assert "finance" in str(result.exception)
    assert f"answer_type of id {good[0].id} differ from config default" in str(result.exception)


def test_rows_without_a_column_are_no_rows(hub: Hub, tmp_path: Path) -> None:
    import dataclasses

    table = row_table(hard_rows(), split="train")
    layout = {name: kind for name, kind in table.features.items() if name != "license"}
    less = dataclasses.replace(table, features=type(table.features)(layout))
    folder = write_folder([less], tmp_path / "rows", lambda configs: CARD.format(configs=json.dumps(configs)))
    assert "license" in str(run("dataset", str(folder), "--repo", NAME, fails=DataError).exception)
