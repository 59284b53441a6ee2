"""What a model is told in prompting mode, where functions stand in the system prompt and calls are text.

Wording: bfcl-eval 2026.3.23's default format (Apache-2.0), so that scores compare.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from kopa_hf.bench.bfcl.backends import ApiCall

MORE_FUNCTIONS: Final = "I have updated some more functions you can choose from. What about now?"

_SYSTEM: Final = (
    "You are an expert in composing functions."
    "You are given a question and a set of possible functions. Based on the question, you will need to make one or more "
    "function/tool calls to achieve the purpose. If none of the functions can be used, point it out. If the given "
    "question lacks the parameters required by the function, also point it out.\n\n"
    "You should only return the function calls in your response.\n\n"
    "If you decide to invoke any of the function(s), you MUST put it in the format of "
    "[func_name1(params_name1=params_value1, params_name2=params_value2...), func_name2(params)].  "
    "You SHOULD NOT include any other text in the response.\n\n"
    "At each turn, you should try your best to complete the tasks requested by the user within the current turn. "
    "Continue to output functions to call until you have fulfilled the user's request to the best of your ability. "
    "Once you have no more functions to call, the system will consider the current turn complete and proceed to the "
    "next turn or task.\n\n"
    "Here is a list of functions in json format that you can invoke.\n"
)


def system_prompt(functions: Sequence[Mapping[str, Any]]) -> str:
    """The system prompt for (hinted) function documents."""
    return f"{_SYSTEM}{json.dumps(list(functions), indent=4)}\n"


def with_system(messages: Sequence[Mapping[str, Any]], functions: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The first turn's messages behind the system prompt; a system message of the entry follows in the same one."""
    told = system_prompt(functions)
    rest = [dict(message) for message in messages]
    if rest and rest[0]["role"] == "system":
        told = f"{told}\n\n{rest.pop(0)['content']}"
    return [{"role": "system", "content": told}, *rest]


def more_functions(functions: Sequence[Mapping[str, Any]]) -> str:
    """What the user says when functions that were held back are offered."""
    return f"{list(functions)}\n{MORE_FUNCTIONS}"


def results_message(calls: Sequence[ApiCall], results: Sequence[str]) -> str:
    """Results of a step, as the one user message in which they come back."""
    shown = [
        {"role": "tool", "name": written(call), "content": result} for call, result in zip(calls, results, strict=True)
    ]
    return repr(shown)


def written(call: ApiCall) -> str:
    """A call as Python text."""
    return f"{call.name}({', '.join(f'{name}={_written(value)}' for name, value in call.arguments.items())})"


def _written(value: Any) -> str:
    return written(value) if isinstance(value, ApiCall) else repr(value)
