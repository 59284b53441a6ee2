r"""Which part of a whole answer counts: \boxed{}, then a final-answer marker, then the last sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_MARKER: Final = re.compile(
    r"(?:최종\s*(?:답변|답안|답|결과)|정답|결론|final\s+answer|answer|(?<![가-힣])답)\s*(?:은|는|:|：|=)+\s*", re.I
)
_SENTENCE: Final = re.compile(r"(?<=[.!?。])\s+|\n+")
_BULLET: Final = re.compile(r"\s*(?:[-*•]|\d{1,2}[.)])\s+\S")
_LATEX_TEXT: Final = re.compile(r"\\(?:text|mathrm|mathbf|textbf|operatorname)\s*\{([^{}]*)\}")
_FRACTION: Final = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")


def boxed_text(text: str) -> str | None:
    r"""What the last complete \boxed{} holds, braces balanced; None where there is none."""
    start = text.rfind("\\boxed")
    while start >= 0:
        opening = re.compile(r"\\boxed\s*\{").match(text, start)
        if opening:
            depth = 1
            for position in range(opening.end(), len(text)):
                char = text[position]
                depth += (char == "{") - (char == "}")
                if depth == 0:
                    return text[opening.end() : position]
        start = text.rfind("\\boxed", 0, start)
    return None


def candidate_texts(text: str) -> Iterator[str]:
    """The part that counts. Only where neither box nor marker stands there, more than one: sentences, the last first."""
    boxed = boxed_text(text)
    if boxed is not None:
        yield boxed.strip()
        return
    markers = list(_MARKER.finditer(text))
    if markers and text[markers[-1].end() :].strip():
        yield text[markers[-1].end() :].strip().strip("*").strip()
        return
    whole = text.strip()
    sentences = [part.strip(" *\t") for part in _SENTENCE.split(whole) if part.strip(" *\t")]
    yield from reversed(sentences)


def final_block(text: str) -> str:
    """The part of an answer that lists items: what `candidate_texts` gives first, or the bullets at its end."""
    first = next(candidate_texts(text), "")
    bullets: list[str] = []
    for line in reversed(text.strip().splitlines()):
        if not _BULLET.match(line):
            break
        bullets.insert(0, line)
    return "\n".join(bullets) if len(bullets) > 1 and first in bullets[-1] else first


def plain_latex(text: str) -> str:
    r"""Text without the LaTeX that models put around values: \text{명}, 1{,}234, \%, \frac{1}{3}."""
    if "\\" not in text and "$" not in text and "{" not in text:
        return text
    text = _FRACTION.sub(r"\1/\2", _LATEX_TEXT.sub(r"\1", text))
    text = text.replace("{,}", ",").replace("\\,", "").replace("\\%", "%").replace("\\ ", " ").replace("\\!", "")
    return text.replace("$", "").replace("\\(", "").replace("\\)", "").strip()
