r"""Which part of a whole answer counts: \boxed{}, then a final-answer marker, then the last sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_ENDS: Final = r"[*_`\s]*(?:은|는|:|：|=|is\b)[\s:：*_`]*"
_MARKER: Final = re.compile(
    rf"(?:최종\s*(?:답변|답안|답|결과|결론)|final\s+answer)[*_`]*(?:{_ENDS}|\s*\n\s*|\s+(?=[0-9\"'“‘\[(]))"
    rf"|(?:(?<![가-힣])정답|(?<![가-힣])결론|(?<![가-힣])답(?:변|안)?|(?<![a-z])answer){_ENDS}",
    re.I,
)
# not behind the dots of 2021. 3. 2.
_SENTENCE: Final = re.compile(r"(?:(?<=[!?。])|(?<=[^0-9\s]\.)|(?<=[0-9]\.)(?!\s*[0-9]))[ \t]+|\s*\n\s*")
_BULLET: Final = re.compile(r"\s*(?:[-*•]|[0-9]{1,2}[.)])\s+\S")
_BOXED: Final = re.compile(r"\\boxed\s*\{|\\?[{}]")
_LATEX_TEXT: Final = re.compile(r"\\(?:text|textbf|mathrm|mathbf|mathsf|operatorname)\s*\{([^{}]*)\}")
_FRACTION: Final = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_SPACES: Final = re.compile(r"\\[,;:! ]|\\quad\b")


def boxed_text(text: str) -> str | None:
    r"""What the last complete \boxed{} holds, braces balanced; None where there is none. Linear in the text."""
    if "\\boxed" not in text:
        return None
    open_braces: list[int | None] = []  # where a box's content begins; None for other braces
    last: tuple[int, int] | None = None
    for match in _BOXED.finditer(text):
        token = match.group()
        if token.endswith("{"):
            open_braces.append(match.end() if token.startswith("\\boxed") else None)
        elif open_braces:
            start = open_braces.pop()
            if start is not None and (last is None or start > last[0]):
                last = (start, match.start() + token.startswith("\\"))
    return text[last[0] : last[1]] if last is not None else None


def candidate_texts(text: str) -> Iterator[str]:
    """The part that counts. Only where neither box nor marker stands there, more than one: sentences, the last first."""
    boxed = boxed_text(text)
    if boxed is not None:
        yield boxed.strip()
        return
    end = None
    for marker in _MARKER.finditer(text):
        end = marker.end()
    if end is not None and text[end:].strip(" \n\t*_`."):
        yield text[end:].strip().strip("*").strip()
        return
    sentences = [part.strip(" *\t") for part in _SENTENCE.split(text.strip()) if part.strip(" *\t")]
    yield from reversed(sentences)


def final_block(text: str) -> str:
    """The part of an answer that lists items: what `candidate_texts` gives first, or the bullets at its end."""
    first = next(candidate_texts(text), "")
    bullets: list[str] = []
    for line in reversed(text.strip().splitlines()):
        if not _BULLET.match(line):
            break
        bullets.append(line)
    return "\n".join(reversed(bullets)) if len(bullets) > 1 and first in bullets[0] else first


def plain_latex(text: str) -> str:
    r"""Text without the LaTeX that models put around values: \text{명}, 1{,}234, \%, \frac{1}{3}, \{…\}."""
    if "\\" not in text and "$" not in text and "{" not in text:
        return text
    text = _FRACTION.sub(r"\1/\2", _LATEX_TEXT.sub(r"\1", text))
    text = (
        text.replace("{,}", ",")
        .replace("\\%", "%")
        .replace("\\_", "_")
        .replace("\\&", "&")
        .replace("\\$", "\ue000")
        .replace("\\times", "×")
    )
    text = _SPACES.sub(" ", text.replace("\\!", "").replace("\\,", ""))
    for mark in ("\\(", "\\)", "\\[", "\\]", "\\left", "\\right", "\\{", "\\}"):
        text = text.replace(mark, "")
    if text.count("$") % 2 == 0:  # a lone one is a dollar
        text = text.replace("$", "")
    return text.replace("\ue000", "$").strip()
