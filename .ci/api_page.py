"""Write docs/api.md: every public name of every package with the first sentence of its docstring.

    python .ci/api_page.py > docs/api.md

A test compares the page with what the packages export.
"""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from typing import Any

PACKAGES = (
    "kopa_hf", "kopa_hf.agent", "kopa_hf.bench", "kopa_hf.catalog", "kopa_hf.edge", "kopa_hf.execution",
    "kopa_hf.hub", "kopa_hf.platforms", "kopa_hf.sandbox", "kopa_hf.train",
)  # fmt: skip
HEAD = """# Public API

What is listed here stays: it changes with an entry in [CHANGELOG.md](../CHANGELOG.md), a removal is announced one version before. Anything else is internal.
Everything loads on first use (`import kopa_hf` takes milliseconds and needs no torch). Shapes, units, errors and sources stand in the
docstrings: `help(kopa_hf.Executor)`.
"""


def page() -> str:
    """The whole page; the same exports give the same text."""
    lines = [HEAD]
    for package in PACKAGES:
        module = import_module(package)
        lines += [f"## `{package}`", "", first_sentence(module), "", "| name | what it is |", "| --- | --- |"]
        lines += [f"| `{name}{signature(value)}` | {described(name, value)} |" for name, value in exports(module)]
        lines.append("")
    return "\n".join(lines)


def exports(module: Any) -> list[tuple[str, Any]]:
    """Public names and what they are, without dunder names."""
    return [
        (name, inspect.unwrap(getattr(module, name))) for name in sorted(module.__all__) if not name.startswith("__")
    ]


def signature(value: Any) -> str:
    """Names of a function's parameters; classes and values have none here."""
    if not inspect.isfunction(value):
        return ""
    return f"({', '.join(inspect.signature(value).parameters)})"


def described(name: str, value: Any) -> str:
    """First sentence of the docstring; of a plain value its type."""
    if inspect.isclass(value) or inspect.isfunction(value):
        return first_sentence(value)
    return f"a {type(value).__name__}"


def first_sentence(value: Any) -> str:
    """First sentence of a docstring, on one line, fit for a table."""
    text = re.sub(r"\s+", " ", (value.__doc__ or "").strip().split("\n\n")[0])
    sentence = re.split(r"(?<=[.!?])\s+(?=[A-Z`])", text)[0]
    return sentence.replace("|", "\\|")


if __name__ == "__main__":
    print(page(), end="")
