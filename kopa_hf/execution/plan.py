"""What a live job is going to ask of each platform, and how many days of quota that is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from kopa_hf.catalog.tool import Tool
from kopa_hf.execution.keys import missing_key
from kopa_hf.execution.limits import Quota
from kopa_hf.execution.live import Live


@dataclass(frozen=True, slots=True)
class PlannedPlatform:
    """One line of a plan."""

    platform: str
    calls: int
    quota: str
    """In words."""
    used: int
    """Requests counted today under this platform's counters."""
    days: int
    documented: bool
    """False: the provider publishes no number, and the quota is our own caution."""


@dataclass(slots=True)
class Plan:
    """Calls by platform and counter. Retries and further pages come on top; the budget counts them too."""

    _calls: dict[tuple[str, str], float] = field(default_factory=dict)
    _quotas: dict[str, Quota] = field(default_factory=dict)
    _keyless: dict[str, str] = field(default_factory=dict)

    def add(self, live: Live, tool: Tool, calls: float = 1.0) -> None:
        """Plan calls of a tool; local tools, and tools that are refused live, ask nobody."""
        unknown = tool.endpoint.code_unresolved and live.codes.known and live.codes.get(tool) is None
        if tool.platform == "local" or not tool.read or unknown:
            return
        quota = live.limits.quota_of(tool)
        self._quotas[quota.counter] = quota
        key = (tool.platform, quota.counter)
        self._calls[key] = self._calls.get(key, 0.0) + calls
        if tool.endpoint.auth is not None and live.keys.key_for(tool) is None:
            self._keyless[f"{tool.platform} ({quota.name})"] = missing_key(tool)

    def spread(self, live: Live, tools: Iterable[Tool], calls: float) -> None:
        """Plan calls that any of the tools may get, in equal shares."""
        chosen = [tool for tool in tools if tool.platform != "local"]
        for tool in chosen:
            self.add(live, tool, calls / len(chosen))

    @property
    def calls(self) -> int:
        """Calls over all platforms."""
        return sum(_whole(calls) for calls in self._calls.values())

    @property
    def keyless(self) -> dict[str, str]:
        """Platforms without a key → what to set."""
        return self._keyless

    def platforms(self, live: Live) -> list[PlannedPlatform]:
        """Line by line, most calls first."""
        lines = []
        for platform in sorted({platform for platform, _ in self._calls}):
            counters = {counter: calls for (name, counter), calls in self._calls.items() if name == platform}
            quotas = [self._quotas[counter] for counter in counters]
            lines.append(
                PlannedPlatform(
                    platform=platform,
                    calls=sum(map(_whole, counters.values())),
                    quota=", ".join(dict.fromkeys(quota.limit.words for quota in quotas)),
                    used=sum(live.ledger.used(counter) for counter in counters),
                    days=max(self._quotas[c].limit.days_for(_whole(calls)) for c, calls in counters.items()),
                    documented=all(quota.limit.documented for quota in quotas),
                )
            )
        return sorted(lines, key=lambda line: (-line.calls, line.platform))


def _whole(calls: float) -> int:
    return max(round(calls), 1)
