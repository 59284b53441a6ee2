"""The command that is running, as text for a run's log: what was typed, without keys."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from kopa_hf.errors import KopaError
from kopa_hf.platforms.keys import MASK
from kopa_hf.values.open_address import open_address

TYPED: Final = "kopa_hf.typed"
"""Where `main` leaves the arguments in a context's `meta`."""
_SECRET: Final = re.compile(
    r"(?i)[\w.-]*(?:key|token|secret|password|passwd|pwd|pass|credentials?|authorization|auth|signature|sig)="
)
"""A name and its equals sign where what follows is for nobody else; max_tokens and the like are numbers."""
_ADDRESS: Final = re.compile(r"(?is)[a-z][a-z0-9+.-]*://(?:(?![\s,;|][a-z][a-z0-9+.-]*://).)*")
"""An address up to the argument's end, or to the next one of a list; one that is asked with is a value as any other."""


def typed_command() -> str | None:
    """`kopa …` as it was typed, keys and numbers of persons masked, the home folder as `~` or `$HOME`.

    A shell runs it again, but for what is masked. None where no command line started this (a call from Python),
    and where the keys of this machine, which are to be masked, cannot be read.
    """
    context = click.get_current_context(silent=True)
    typed: Sequence[str] | None = None if context is None else context.meta.get(TYPED)
    if typed is None:
        return None
    from kopa_hf.hub.scanning import redacted

    text = " ".join(["kopa", *(quoted(without_secrets(argument)) for argument in typed)])
    try:
        return redacted(text)
    except KopaError:
        return None


def without_secrets(argument: str) -> str:
    """An argument with `***` for what names itself a key, and for every value that an address asks with.

    Who logs in at an address is left out.
    """
    secret, address = _SECRET.search(argument), _ADDRESS.search(argument)
    if secret is not None and (address is None or secret.start() < address.start()):
        return argument[: secret.end()] + MASK
    return _ADDRESS.sub(lambda found: open_address(found[0]), argument)


def quoted(argument: str) -> str:
    """An argument for a shell; the home folder, which names a person, as `~` at its beginning and `$HOME` in it."""
    try:
        home = str(Path.home())
    except RuntimeError:  # a user without one
        return shlex.quote(argument)
    if home == "/":  # in containers the root folder may be one's home
        return shlex.quote(argument)
    first, *others = re.split(rf"(?:(?<![\w./~-])|(?<=://)){re.escape(home)}(?![\w.-])", argument)
    if not others:
        return shlex.quote(argument)
    if not first and others[0][:1] in ("", "/"):  # behind a quoted slash a shell would leave ~ as it is
        rest, others = others[0], others[1:]
        start = "~" + rest[:1] + (shlex.quote(rest[1:]) if rest[1:] else "")
    else:
        start = shlex.quote(first) if first else ""
    return start + "".join('"$HOME"' + (shlex.quote(part) if part else "") for part in others)
