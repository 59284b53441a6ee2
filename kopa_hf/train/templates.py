"""The chat template that a run trains with: one that TRL can read calls from, proven on a probe."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from kopa_hf.agent.chat_format import find_format
from kopa_hf.errors import DataError

_TRAINING = "_training"


def template_names() -> list[str]:
    """Templates that TRL ships and whose calls it reads, by name."""
    return [name for name in sorted(path.stem for path in _folder().glob("*.jinja")) if _is_known(_text(name))]


def set_template(tokenizer: Any, name: str | None = None, *, method: Literal["grpo", "sft"] = "grpo") -> str:
    """Give the tokenizer a template that TRL knows, and prove that it carries calls. Returns its name.

    TRL knows templates by their exact text. Without `name` the tokenizer's own must be one of them;
    one that differs in blanks at its ends only is set to TRL's spelling.
    Raises DataError for a template that is unknown or cannot hold the rows as they are, and TemplateError
    for one that loses calls.
    """
    if name is not None:
        if name.endswith(_TRAINING) or name not in template_names():
            raise DataError(
                f"No chat template {name!r}. TRL reads calls of: {', '.join(template_names())}. "
                "(Their training variants are put in by TRL itself.)"
            )
        tokenizer.chat_template = _text(name)
    elif tokenizer.chat_template:
        own = str(tokenizer.chat_template).strip()
        name = next((known for known in template_names() if _text(known).strip() == own), None)
        if name is not None:
            tokenizer.chat_template = _text(name)
    if name is None and not (method == "grpo" and getattr(tokenizer, "response_template", None)):
        what = "is none that TRL knows" if tokenizer.chat_template else "is missing"
        raise DataError(
            f"The tokenizer's chat template {what}, so calls could not be read or masked. "
            f"Pass --chat_template with the one of the model's family: {', '.join(template_names())}."
        )
    called = f"Chat template {name or 'of the tokenizer'}"
    form = find_format(tokenizer, name=called)
    # trainers render the rows as they are
    lacks = [
        what
        for fits, what in (
            (form.at_once, "takes one call a turn, and golden runs make several at once"),
            (form.arguments == "object", "wants arguments as text, and rows hold objects"),
            (form.system, "takes no system message, and prompts have one"),
        )
        if not fits
    ]
    if lacks:
        raise DataError(f"{called} cannot train on these rows: it {'; it '.join(lacks)}. Use another model's template.")
    return name or "of the tokenizer"


def _folder() -> Path:
    import trl

    return Path(trl.__file__).parent / "chat_templates"


def _text(name: str) -> str:
    return (_folder() / f"{name}.jinja").read_text(encoding="utf-8")


class _Bare:
    """What `add_response_schema` looks at."""

    def __init__(self, template: str) -> None:
        self.chat_template = template
        self.response_template: Any = None


def _is_known(template: str) -> bool:
    from trl.chat_template_utils import add_response_schema

    try:
        add_response_schema(_Bare(template))
    except ValueError:
        return False
    return True
