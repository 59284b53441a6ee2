"""The options with which a command reaches a backend, and the word that a live job needs before it starts."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kopa_hf.catalog.active import active_catalog, is_own
from kopa_hf.cli.catalog_option import CATALOG
from kopa_hf.cli.file_path import FilePath, Source
from kopa_hf.cli.output import clip, print_table
from kopa_hf.errors import BackendError, BudgetError
from kopa_hf.execution.executor import BACKENDS, Executor

if TYPE_CHECKING:
    from kopa_hf.execution.live import Live
    from kopa_hf.execution.plan import Plan
    from kopa_hf.sandbox.faults import Faults
    from kopa_hf.sandbox.world import World

ONE_DAY = "one-day"


@dataclass(frozen=True, slots=True)
class Backend:
    """Which backend a command works on, as its options say."""

    name: str = "sandbox"
    keys: Path | None = None
    via: str | None = None
    state: Path | None = None
    limits: Path | None = None
    max_calls: str | None = None
    snapshot: Path | None = None

    @property
    def is_live(self) -> bool:
        """True where requests leave the process: live, and when a snapshot is recorded."""
        return self.name in ("live", "record")

    @property
    def is_sandbox(self) -> bool:
        """True where the embedded world answers, so that it can be another one."""
        return self.name == "sandbox"

    def open(
        self, *, world: World | None = None, faults: Faults | None = None, answers: Path | None = None
    ) -> Executor:
        """The executor; a world and its faults belong to the sandbox only, a store of answers to live jobs.

        With a snapshot, what came of it is told on standard error when the command ends.
        """
        if (self.snapshot is None) == (self.name in ("record", "replay")):
            raise click.UsageError(
                "--backend record and --backend replay need --snapshot FILE, and the others do not take it."
            )
        if self.name == "replay":
            return told_at_the_end(Executor("replay", snapshot=self.snapshot), self.snapshot)
        if not self.is_live:
            return Executor(world=world, faults=faults)
        from kopa_hf.execution.keys import Keyring
        from kopa_hf.execution.limits import Limits
        from kopa_hf.execution.live import LiveSettings

        settings = LiveSettings(
            keys=Keyring.load(self.keys, names=active_catalog().services),
            via=self.via,
            state=self.state,
            limits=Limits.load(self.limits),
            max_calls=self._budget(),
            # a snapshot remembers what the job was told itself
            answers=answers if self.name == "live" else None,
        )
        if self.name == "record":
            return told_at_the_end(Executor("record", live=settings, snapshot=self.snapshot), self.snapshot)
        return Executor("live", live=settings)

    def start(self, executor: Executor, planned: Callable[[Live], Plan], *, quiet: bool = False) -> None:
        """Print what a live job is going to ask, and refuse it without a budget or a key."""
        live = executor.live
        if live is None:
            return
        plan = planned(live)
        # on standard error, so that --json stays one document
        if not quiet:
            print_plan(plan, live, via=self.via)
        if self.max_calls is None:
            if quiet:
                print_plan(plan, live, via=self.via)
            raise click.UsageError(
                f"A live run needs --max-calls N, the requests it may send (planned: {plan.calls:,}), "
                f"or --max-calls {ONE_DAY}, which stays within what each service still allows today."
            )
        if plan.keyless:
            raise BackendError("; ".join(f"{name}: {what}" for name, what in plan.keyless.items()))

    def after(self, executor: Executor) -> Backend:
        """The same backend for a job that goes on, with what is left of the requests that it may send."""
        left = None if executor.live is None else executor.live.budget.left
        if left is None:
            return self
        if left < 1:
            raise BudgetError(f"All {self.max_calls} requests of --max-calls are spent. Run the same command again.")
        return dataclasses.replace(self, max_calls=str(left))

    def _budget(self) -> Any:
        if self.max_calls is None or self.max_calls == ONE_DAY:
            return self.max_calls
        if not self.max_calls.isascii() or not self.max_calls.isdigit() or int(self.max_calls) < 1:
            raise click.UsageError(f"--max-calls takes a whole number above 0, or {ONE_DAY}, not {self.max_calls!r}.")
        return int(self.max_calls)


def told_at_the_end(executor: Executor, path: Path | None) -> Executor:
    """The executor; when the command ends, what was recorded or replayed is said in a line."""
    context = click.get_current_context(silent=True)
    if context is not None:
        context.call_on_close(lambda: _tell(executor, path))
    return executor


def _tell(executor: Executor, path: Path | None) -> None:
    recorder, replay = executor.recorder, executor.replay
    if recorder is not None:
        text = f"{recorder.new:,} answers recorded, {recorder.known:,} calls answered from before"
        text += f", {recorder.failed:,} requests noted as failed" if recorder.failed else ""
        text += f", {recorder.left_out:,} answers left out (a key in them, or too long)" if recorder.left_out else ""
        click.echo(f"{text} -> {path}", err=True)
    if replay is not None and replay.unseen:
        first = next(iter(replay.missing), "")
        click.echo(
            f"{replay.unseen:,} of {replay.unseen + replay.answered:,} calls asked what {path} does not hold, "
            f"the first: {clip(first, 90)}",
            err=True,
        )


def print_plan(plan: Plan, live: Live, *, via: str | None) -> None:
    """Planned calls per platform, the quota, and the days they take."""
    lines = plan.platforms(live)
    click.echo(f"live run{f' by way of {via}' if via else ''}: planned calls (retries come on top)", err=True)
    table = [
        (p.platform, f"{p.calls:,}", p.quota + ("" if p.documented else " *"), f"{p.used:,}", p.days) for p in lines
    ]
    print_table(table, ("platform", "calls", "quota", "used today", "days"), indent="  ", err=True)
    if not all(p.documented for p in lines):
        click.echo("  * no number is published; this one is our caution (--limits changes it)", err=True)
    click.echo(
        f"  {plan.calls:,} call{'' if plan.calls == 1 else 's'}, {max((p.days for p in lines), default=0)} day(s) at quota",
        err=True,
    )


def _known(_: click.Context, __: click.Parameter, name: str | None) -> str:
    if name is None:
        return "live" if is_own() else "sandbox"
    if name not in BACKENDS:
        raise click.UsageError(f"Unknown backend {name!r}. This version has: {', '.join(BACKENDS)}.")
    return name


_CONNECTION = (
    CATALOG,
    click.option("--keys", type=FilePath(), help="Key file (mode 0600); else KOPA_<PLATFORM>_KEY."),
    click.option(
        "--via", metavar="URL", type=Source(), help="Send live requests to this address, e.g. of `kopa sandbox serve`."
    ),
    click.option("--state", type=FilePath(file_okay=False), help="Folder of the record of calls."),
    click.option("--limits", type=FilePath(), help="File of quotas that you were granted."),
)
_JOB = (
    click.option(
        "--backend",
        "backend_name",
        show_default="sandbox; live with a catalog of your own",
        callback=_known,
        help=f"Who answers: {', '.join(BACKENDS)}. record is live, and keeps the answers.",
    ),
    click.option(
        "--snapshot",
        type=FilePath(dir_okay=False),
        help="File that --backend record writes and --backend replay answers from.",
    ),
    *_CONNECTION,
    click.option("--max-calls", metavar="N", help=f"Requests that a live run may send, or {ONE_DAY}; live needs it."),
)
_NAMES = ("backend_name", "snapshot", "keys", "via", "state", "limits", "max_calls")


def backend_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a command that runs a job; it gets them as `backend`."""
    return _with_backend(command, _JOB)


def connection_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a command that is live by nature and asks little."""
    return _with_backend(command, _CONNECTION)


def _with_backend(command: Callable[..., Any], options: Sequence[Callable[..., Any]]) -> Callable[..., Any]:
    @wraps(command)
    def with_backend(**given: Any) -> Any:
        told = {name.removeprefix("backend_"): given.pop(name) for name in _NAMES if name in given}
        return command(backend=Backend(**told), **given)

    wrapped: Callable[..., Any] = with_backend
    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped
