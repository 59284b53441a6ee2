"""The command that is running, as text for a run's log: what was typed, without keys."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from kopa_hf.errors import KopaError

TYPED: Final = "kopa_hf.typed"
"""Where `main` leaves the arguments in a context's `meta`."""


def typed_command() -> str | None:
    """`kopa …` as it was typed, keys and numbers of persons masked, the home folder as `~`.

    None where no command line started this (a call from Python), and where the keys of this machine, which are to be
    masked, cannot be read.
    """
    context = click.get_current_context(silent=True)
    typed: Sequence[str] | None = None if context is None else context.meta.get(TYPED)
    if typed is None:
        return None
    from kopa_hf.hub.scanning import redacted

    text = " ".join(["kopa", *map(_quoted, typed)])
    try:
        return redacted(text)
    except KopaError:
        return None


def _quoted(argument: str) -> str:
    """An argument for a shell; the home folder, which names a person, as `~`."""
    home = f"{Path.home()}/"
    if home == "//":  # in containers the root folder may be one's home
        return shlex.quote(argument)
    if argument.startswith(home):
        return "~/" + shlex.quote(argument.removeprefix(home))
    return shlex.quote(argument).replace(home, "~/")
