"""Names of files and folders on the command line: an empty one is a slip, never the folder one stands in."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

_EMPTY = "the name is empty (a variable without a value?). For the folder that you stand in, say `.`"


class FilePath(click.Path):
    """A path as a `Path`, refused where it is empty: `Path("")` would be the working folder."""

    def __init__(self, *, exists: bool = False, file_okay: bool = True, dir_okay: bool = True) -> None:
        super().__init__(exists=exists, file_okay=file_okay, dir_okay=dir_okay, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path; a word on it where there is none."""
        if not os.fspath(value):
            self.fail(_EMPTY, param, ctx)
        return super().convert(value, param, ctx)


class Name(click.types.StringParamType):
    """A name, as of a repository or a revision, refused where it is empty: nothing would stand in its place.

    `kind`: what it is in the message where it is no name.
    """

    def __init__(self, kind: str = "name") -> None:
        self._kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The text as it is; a word on it where there is none."""
        if not str(value).strip():
            self.fail(
                f"the {self._kind} is empty (a variable without a value?). Leave the option out for its default",
                param,
                ctx,
            )
        return super().convert(value, param, ctx)


class Source(click.types.StringParamType):
    """A text that may name a file or folder, or something else (a Hub name, a model's address): not empty."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The text as it is; a word on it where there is none."""
        if not str(value).strip():
            self.fail(_EMPTY, param, ctx)
        return super().convert(value, param, ctx)
