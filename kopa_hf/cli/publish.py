"""`kopa publish` and `kopa pull`: datasets, models, snapshots and results to the Hub and back."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from kopa_hf._version import __version__
from kopa_hf.cli.file_path import FilePath, Name, Source
from kopa_hf.cli.output import interrupted_says, json_option, print_json
from kopa_hf.errors import BackendError, DataError, KopaError
from kopa_hf.hub.publishing import Kind, Published, Remote, check_names, compare, folder_files, look_at

_BESIDES = "Besides dataset folders and a graph.json: kopa-bench, tools."


def _options(function: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(
        (
            click.option("--private", is_flag=True, help="Make a new repository private."),
            click.option("--dry-run", is_flag=True, help="Build, check and compare; write nothing."),
            click.option("--tag", type=Name(), help="Version tag of the commit; 'none' for no tag."),
            click.option("--message", type=Name(), help="Message of the commit."),
            click.option(
                "--accept-personal", is_flag=True, help="Publish although numbers of persons were found; look first."
            ),
            json_option,
        )
    ):
        function = option(function)
    return function


class _Publish(click.Group):
    def invoke(self, ctx: click.Context) -> Any:
        with interrupted_says("The Hub takes a commit whole or not at all; the same command goes on from there."):
            return super().invoke(ctx)


@click.group(cls=_Publish)
def publish() -> None:
    """Put a dataset, a model, a snapshot or results on the Hub: built, checked, compared, in one commit.

    Signed in is who `hf auth login` signed in. A cut upload goes on with the same command.
    """


@publish.command()
@click.argument("source", type=Source())
@click.option(
    "--repo", "repository", type=Name(), help="OWNER/NAME; default: the name of the dataset under this project's owner."
)
@click.option(
    "--accept-unpublishable", is_flag=True, help="Publish rows that say they are not meant to be, as the demo's."
)
@_options
def dataset(source: str, repository: str | None, accept_unpublishable: bool, **options: Any) -> None:
    """Publish SOURCE: `kopa-bench`, `tools`, a graph.json, or a dataset folder of `kopa edge run` or `kopa bench export`."""
    from kopa_hf.hub.loading import HUB_NAMESPACE

    with tempfile.TemporaryDirectory(prefix="kopa-publish-") as work:
        folder, name = _built(source, Path(work))
        target = repository or f"{HUB_NAMESPACE}/{name}"
        _publish_folder(folder, target, unpublishable=accept_unpublishable, **options)


@publish.command()
@click.argument("folder", type=FilePath())
@click.option("--repo", "repository", type=Name(), required=True, help="OWNER/NAME")
@_options
def model(folder: Path, repository: str, **options: Any) -> None:
    """Publish the model in FOLDER (of a training run): weights, tokenizer, settings, and a card made from them."""
    from kopa_hf.hub.trained import model_card
    from kopa_hf.hub.validation import check_model_files, left_out, model_files

    files = model_files(folder)
    check_model_files(files)
    if rest := left_out(folder, files):
        click.echo(f"Left out, as it is no part of the model: {', '.join(rest)}", err=True)
    with tempfile.TemporaryDirectory(prefix="kopa-publish-") as work:
        card = Path(work) / "README.md"
        card.write_text(model_card(folder, repository), encoding="utf-8")
        _go({**files, "README.md": card}, repository, "model", {}, remove=False, **options)


@publish.command()
@click.argument("snapshot", type=FilePath())
@click.option("--repo", "repository", type=Name(), required=True, help="OWNER/NAME")
@click.option("--title", type=Name(), help="What was recorded; default: the file's name.")
@_options
def snapshot(snapshot: Path, repository: str, title: str | None, **options: Any) -> None:
    """Publish the recorded answers of SNAPSHOT: row by row, and as the archive that replays them."""
    from kopa_hf.execution.snapshot import Snapshot
    from kopa_hf.hub.further import write_snapshot

    with tempfile.TemporaryDirectory(prefix="kopa-publish-") as work, Snapshot(snapshot) as recorded:
        folder = write_snapshot(recorded, Path(work) / "snapshot", title=title or snapshot.stem, repository=repository)
        _publish_folder(folder, repository, **options)


@publish.command()
@click.argument("log", type=FilePath())
@click.option("--repo", "repository", type=Name(), required=True, help="OWNER/NAME of the model that was measured.")
@click.option("--data", type=FilePath(), help="The benchmark folder of the run.")
@click.option("--agent", type=Name(), help="Which agent, where LOG holds several.")
@click.option("--revision", type=Name(), help="Git SHA of the published benchmark; default: its newest commit.")
@click.option("--model-of-log", type=Name(), help="The log's agent, where its name is not the repository's.")
@_options
def results(
    log: Path,
    repository: str,
    data: Path | None,
    agent: str | None,
    revision: str | None,
    model_of_log: str | None,
    **options: Any,
) -> None:
    """Publish the scores in LOG (of `kopa eval`) beside the model: a file under .eval_results that the Hub reads."""
    from kopa_hf.cli.evaluate import bench_rows
    from kopa_hf.hub.results_card import RESULTS, check_claim, check_tasks, results_card
    from kopa_hf.hub.validation import check_results

    check_names(repository, None)
    rows = bench_rows(data)
    check_tasks(rows)
    check_claim(results_card(log, rows, agent=agent).agent, repository, model_of_log)
    revision = _benchmark_commit(revision, dry_run=options["dry_run"])
    made = results_card(log, rows, agent=agent, revision=revision, source=repository)
    if not made.entries:
        raise DataError(f"{log} scores no config of the benchmark in full, so there is no result to publish.")
    with tempfile.TemporaryDirectory(prefix="kopa-publish-") as work:
        made.write(Path(work))
        check_results(Path(work) / RESULTS)
        files = {RESULTS.as_posix(): Path(work) / RESULTS}
        _go(files, repository, "model", {}, remove=False, **{**options, "tag": options["tag"] or "none"}, exists=True)


class _Pull(click.Command):
    def invoke(self, ctx: click.Context) -> Any:
        with interrupted_says("Nothing was put in place; the same command fetches what is missing."):
            return super().invoke(ctx)


@click.command(cls=_Pull)
@click.argument("kind", type=click.Choice(["dataset", "model", "snapshot"]))
@click.argument("repository", type=Name())
@click.option("--output", type=FilePath(), required=True, help="Folder; for a snapshot its new file.")
@click.option("--revision", type=Name(), help="Branch, tag or commit; default: main.")
@json_option
def pull(kind: str, repository: str, output: Path, revision: str | None, as_json: bool) -> None:
    """Fetch REPOSITORY from the Hub into a folder and check every file against its hash; a cut fetch goes on."""
    from kopa_hf.hub.pulling import pull as fetch
    from kopa_hf.hub.validation import check_dataset

    if kind == "snapshot":
        answers = _pull_snapshot(repository, output, revision)
        found: dict[str, Any] = {"repository": repository, "output": str(output), "answers": answers}
        line = f"{answers} answers in {output}"
    else:
        rows: dict[tuple[str, str], int] = {}
        if kind == "model":
            files = fetch(repository, "model", output, revision=revision)
        else:
            files = fetch(
                repository,
                "dataset",
                output,
                revision=revision,
                check=lambda folder: rows.update(check_dataset(folder)),
            )
        found = {"repository": repository, "output": str(output), "files": list(files), "rows": _named(rows)}
        line = f"{len(files)} files in {output}, each as its hash says" + "".join(
            f"\n  {name}: {count} rows" for name, count in _named(rows).items()
        )
    if as_json:
        print_json(found)
    else:
        click.echo(line)


def _pull_snapshot(repository: str, output: Path, revision: str | None) -> int:
    """Fetch a snapshot into a new file; one that is there is left as it is, and must hold the same."""
    from kopa_hf.execution.snapshot import Snapshot
    from kopa_hf.execution.snapshot_archive import import_archive
    from kopa_hf.hub.further import ARCHIVE
    from kopa_hf.hub.pulling import pull as fetch

    there: str | None = None
    if output.exists():
        with Snapshot(output) as recorded:
            there = recorded.fingerprint()
    with tempfile.TemporaryDirectory(prefix="kopa-pull-") as work:
        files = fetch(repository, "dataset", Path(work) / "snapshot", revision=revision)
        if ARCHIVE not in files:
            raise DataError(f"{repository} holds no {ARCHIVE}, so it is no published snapshot.")
        if there is None:
            return import_archive(files[ARCHIVE], output).answers
        came = Path(work) / "came.kopa"
        answers = import_archive(files[ARCHIVE], came).answers
        with Snapshot(came) as other:
            if other.fingerprint() != there:
                raise DataError(f"{output} holds other answers than {repository}; name a new file.")
        return answers


def _built(source: str, work: Path) -> tuple[Path, str]:
    """The folder to publish and the dataset's name."""
    from kopa_hf.hub.further import write_graph, write_tools
    from kopa_hf.hub.naming import not_there

    if source in ("kopa-bench", "tools") and Path(source).exists():
        raise DataError(f"{source} names what this program builds, and a folder here. For the folder say ./{source}.")
    if source == "kopa-bench":
        from kopa_hf.cli.bench import write_bench
        from kopa_hf.hub.loading import embedded_rows

        write_bench(embedded_rows(), work / source, scored=True)
        return work / source, source
    if source == "tools":
        from kopa_hf.catalog.registry import load_catalog

        return write_tools(load_catalog(), work / source), source
    path = Path(source)
    if path.is_file() and path.suffix == ".json":
        from kopa_hf.edge.graph import ToolGraph
        from kopa_hf.edge.records import edge_records, graph_facts

        graph = ToolGraph.load(path)
        return write_graph(edge_records(graph), graph_facts(graph), work / "edge-graph"), "edge-graph"
    if not path.exists():
        raise not_there(path, _BESIDES)
    if not path.is_dir():
        raise DataError(f"{source} is no dataset folder. {_BESIDES}")
    return path, path.resolve().name


def _publish_folder(folder: Path, repository: str, *, unpublishable: bool = False, **options: Any) -> None:
    """Check a dataset folder and publish it; `unpublishable`: also rows that say they are not meant to be."""
    from kopa_hf.hub.cards import card_for
    from kopa_hf.hub.validation import check_dataset, check_publishable

    rows, files = _named(check_dataset(folder)), folder_files(folder)
    try:
        check_publishable(folder)
    except DataError as error:
        if not (unpublishable or options["dry_run"]):
            raise
        click.echo(f"Note: {error}", err=True)
    with tempfile.TemporaryDirectory(prefix="kopa-card-") as work:
        text = files["README.md"].read_text(encoding="utf-8")
        named = card_for(text, repository)
        if named != text:
            files["README.md"] = Path(work) / "README.md"
            files["README.md"].write_text(named, encoding="utf-8")
        _go(files, repository, "dataset", rows, remove=True, **options)


def _go(
    files: Mapping[str, Path],
    repository: str,
    kind: Kind,
    rows: Mapping[str, int],
    *,
    remove: bool,
    private: bool,
    dry_run: bool,
    tag: str | None,
    message: str | None,
    accept_personal: bool,
    as_json: bool,
    exists: bool = False,
) -> None:
    """Search for what must not go up, compare, and commit; with `exists` no repository is made."""
    from kopa_hf.hub.publishing import card_changes
    from kopa_hf.hub.publishing import publish as send
    from kopa_hf.hub.scanning import searched

    check_names(repository, None if tag == "none" else tag)
    personal = searched(files, accept_personal=accept_personal, texts={"--message": message or ""})
    remote = _looked_at(repository, kind, dry_run=dry_run)
    if exists and remote.reached and remote.commit is None:
        raise KopaError(
            f"The {kind} {repository} is not on the Hub, or this login does not see it. Results belong to a model that is "
            "there: check its name, or publish it first (`kopa publish model`)."
        )
    difference = compare(files, remote, remove=remove)
    wanted = None if tag == "none" else tag or f"v{__version__}"
    changes = card_changes(files["README.md"], repository, kind, remote) if "README.md" in difference.changed else []
    done: Published | None = None
    if not dry_run:
        done = send(
            files, repository, kind, message=message or f"kopa_hf {__version__}", remote=remote, difference=difference,
            tag=wanted, private=private,
        )  # fmt: skip
    if as_json:
        told = {"repository": repository, "kind": kind, "rows": dict(rows), "files": sorted(files), "dry_run": dry_run}
        told |= {"added": dict(difference.added), "changed": list(difference.changed), "personal": len(personal)}
        told |= {"removed": list(difference.removed), "compared": remote.reached, "tag": wanted}
        print_json(told | ({"address": done.address, "commit": done.commit} if done else {}))
        return
    for name, count in rows.items():
        click.echo(f"{name}: {count} rows")
    _print_difference(repository, remote.reached, remote.commit, [*difference.lines()], changes)
    if done is None:
        click.echo(f"Dry run: nothing was written. Tag would be {wanted or 'none'}.")
    elif done.commit is None:
        click.echo(f"{done.address} is up to date{f'; tagged {done.tag}' if done.tag else ''}.")
    else:
        click.echo(f"{done.address}  commit {done.commit[:8]}{f', tag {done.tag}' if done.tag else ''}")


def _benchmark_commit(revision: str | None, *, dry_run: bool) -> str | None:
    """The commit of the published benchmark that results are for; None in a dry run that could not ask."""
    from kopa_hf.hub.loading import HUB_NAMESPACE

    if revision is not None:
        if not re.fullmatch("[0-9a-f]{40}", revision):
            raise DataError(f"{revision!r} is no Git SHA (40 hexadecimal digits), so it names no commit for good.")
        return revision
    benchmark = f"{HUB_NAMESPACE}/kopa-bench"
    remote = _looked_at(benchmark, "dataset", dry_run=dry_run)
    if remote.commit is None and (remote.reached or not dry_run):
        raise DataError(
            f"{benchmark} was not found on the Hub; say with --revision SHA from which commit the tasks came."
        )
    return remote.commit


def _looked_at(repository: str, kind: Kind, *, dry_run: bool) -> Remote:
    """What is there; a dry run goes on where the Hub cannot be reached, and says so."""
    try:
        return look_at(repository, kind)
    except BackendError as error:
        if not dry_run:
            raise
        click.echo(f"Compared with nothing: {error}", err=True)
        return Remote(None, {}, reached=False)


def _print_difference(repository: str, reached: bool, commit: str | None, lines: list[str], changes: list[str]) -> None:
    state = (
        f"at {commit[:8]}"
        if commit
        else "does not exist yet"
        if reached
        else "not asked or not reached; compared with nothing"
    )
    click.echo(f"{repository} ({state})")
    for line in lines:
        click.echo(f"  {line}")
    if changes:
        from kopa_hf.hub.scanning import some

        click.echo(some(changes))


def _named(rows: Mapping[tuple[str, str], int]) -> dict[str, int]:
    return {f"{config}/{split}": count for (config, split), count in rows.items()}
