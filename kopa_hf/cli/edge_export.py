"""`kopa edge export`: a dataset folder in the form of another trainer."""

from __future__ import annotations

from pathlib import Path

import click

from kopa_hf.cli.file_path import FilePath, Source
from kopa_hf.cli.output import interrupted_says, json_option, print_json
from kopa_hf.errors import DataError
from kopa_hf.user_path import user_path


@click.command()
@click.argument("dataset", type=Source())
@click.option(
    "--format", "form", type=click.Choice(["verl", "messages"]), required=True, help="verl: Parquet; messages: JSONL."
)
@click.option("--output", type=FilePath(), required=True, help="Folder to write to.")
@json_option
def export(dataset: str, form: str, output: Path, as_json: bool) -> None:
    """Write DATASET (a folder or a Hub name) for verl, or as messages + tools for any SFT trainer."""
    from kopa_hf.hub.loading import dataset_rows, edge_splits, load_edge_trajectories
    from kopa_hf.train.formats import export_rows

    _keep_apart(user_path(dataset), output)
    with interrupted_says("Every file that stands there is whole; the same command writes all of them again."):
        names = edge_splits(dataset) or ["train"]
        splits = {split: dataset_rows(load_edge_trajectories(dataset, split=split)) for split in names}
        files = export_rows(splits, form, output)
    if as_json:
        print_json(
            {"format": form, "files": [str(file) for file in files], "rows": {k: len(v) for k, v in splits.items()}}
        )
    else:
        for file, (split, rows) in zip(files, splits.items(), strict=True):
            click.echo(f"{split}: {len(rows)} rows -> {file}")


def _keep_apart(dataset: Path, output: Path) -> None:
    """Raise `DataError` where the output would stand in the dataset's own folder, or among the files beside it."""
    if not dataset.exists():
        return  # on the Hub, or nowhere
    source, target = dataset.resolve(), output.resolve()
    if target == source or source in target.parents:
        raise DataError(f"{output} is the dataset's own folder, or lies in it; name another --output.")
    if target == source.parent:
        raise DataError(f"{output} is the folder that the dataset stands in; name one of its own as --output.")
