"""The official scorer of bfcl-eval, fed with outputs: one JSON line in, one verdict out.

Run by the interpreter of an environment of its own (`make env-bfcl`), since bfcl-eval's
pins clash with those of lighteval. Only the parts that choose and price models are stood
in for; decoders, checkers and the functions that put them together are the package's own.

    python bfcl_official.py CASES.jsonl VERDICTS.jsonl
    python bfcl_official.py --shown SHOWN.jsonl      what a model is shown: tools and first messages of every entry
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import types
from pathlib import Path
from typing import Any

# the package makes result folders where it is told to
os.environ.setdefault("BFCL_PROJECT_ROOT", tempfile.mkdtemp(prefix="bfcl-"))


class _Config:
    def __init__(self, underscore_to_dot: bool) -> None:
        self.underscore_to_dot = underscore_to_dot


class _Configs(dict[str, Any]):
    """Every model name is known: in function-calling mode names are offered with "_" for "."."""

    def __missing__(self, name: str) -> _Config:
        return _Config(name.startswith("fc"))


def _stand_in(name: str, **content: Any) -> None:
    module: Any = types.ModuleType(name)
    vars(module).update(content)
    sys.modules[name] = module


_stand_in("bfcl_eval.constants.model_config", MODEL_CONFIG_MAPPING=_Configs())
_stand_in("bfcl_eval.eval_checker.eval_runner_helper")
_stand_in("bfcl_eval.model_handler.base_handler", BaseHandler=object)
_stand_in("dotenv", load_dotenv=None)
_stand_in("tqdm", tqdm=None)

from bfcl_eval.constants.category_mapping import (  # type: ignore[import-not-found]  # noqa: E402
    MULTI_TURN_CATEGORY,
    SINGLE_TURN_CATEGORY,
)
from bfcl_eval.eval_checker import eval_runner  # type: ignore[import-not-found]  # noqa: E402
from bfcl_eval.eval_checker.multi_turn_eval import multi_turn_utils  # type: ignore[import-not-found]  # noqa: E402
from bfcl_eval.model_handler import utils as handlers  # type: ignore[import-not-found]  # noqa: E402
from bfcl_eval.utils import (  # type: ignore[import-not-found]  # noqa: E402
    is_java,
    is_js,
    is_multi_turn,
    is_relevance_or_irrelevance,
    load_dataset_entry,
    load_ground_truth_entry,
)

Language, Format = eval_runner.Language, eval_runner.ReturnFormat


class FunctionCalling:
    """Decodes as the package's OpenAI handler does; that one needs the openai package."""

    def decode_ast(self, result: Any, language: Any, has_tool_call_tag: bool) -> list[Any]:
        decoded = []
        for call in result:
            name = next(iter(call.keys()))
            decoded.append({name: json.loads(call[name])})
        return decoded

    def decode_execute(self, result: Any, has_tool_call_tag: bool) -> Any:
        return handlers.convert_to_function_call(result)


class Prompting:
    def decode_ast(self, result: Any, language: Any, has_tool_call_tag: bool) -> Any:
        return handlers.default_decode_ast_prompting(result, language, has_tool_call_tag)

    def decode_execute(self, result: Any, has_tool_call_tag: bool) -> Any:
        return handlers.default_decode_execute_prompting(result, has_tool_call_tag)


HANDLERS = {"fc": FunctionCalling(), "prompt": Prompting()}


def verdict(case: dict[str, Any], entry: dict[str, Any], gold: Any, number: int) -> dict[str, Any]:
    """Valid or not with the official error kind; a scorer that stops with an error is reported as such."""
    category, mode, result = case["category"], case["mode"], case["result"]
    handler, model = HANDLERS[mode], f"{mode}{number}"
    try:
        if is_multi_turn(category):
            found = eval_runner._evaluate_single_multi_turn_entry(
                handler, entry["id"], result, gold, dict(entry), model, category
            )
        elif is_relevance_or_irrelevance(category):
            found = eval_runner._evaluate_single_relevance_entry(handler, entry["id"], result, entry, model, category)
        else:
            language, form = Language.PYTHON, Format.PYTHON
            if is_java(category):
                language, form = Language.JAVA, Format.JAVA
            elif is_js(category):
                language, form = Language.JAVASCRIPT, Format.JAVASCRIPT
            found = eval_runner._evaluate_single_ast_entry(
                handler, entry["id"], result, gold, entry, model, category, language=language, return_format=form
            )
    except Exception as error:  # noqa: BLE001  # the whole run would have ended here
        return {"valid": False, "error": "checker_error", "stopped": f"{type(error).__name__}: {error}"[:200]}
    finally:
        # instances are kept in the module's globals for ever
        for name in [name for name in vars(multi_turn_utils) if name.endswith("_instance")]:
            delattr(multi_turn_utils, name)
    error = found.get("error_type") or (found.get("error") or {})
    kind = error if isinstance(error, str) else error.get("error_type", "")
    return {"valid": bool(found["valid"]), "error": kind}


def show(target: str) -> None:
    """Tools for function calling, also of functions held back, and the first messages of prompting mode."""

    def tools(functions: list[Any]) -> Any:
        return handlers.convert_to_tool(functions, handlers.GORILLA_TO_OPENAPI, handlers.ModelStyle.OPENAI_COMPLETIONS)

    with Path(target).open("w", encoding="utf-8") as out:
        for category in (*SINGLE_TURN_CATEGORY, *MULTI_TURN_CATEGORY):
            for entry in load_dataset_entry(category):
                held_back = {turn: tools(functions) for turn, functions in entry.get("missed_function", {}).items()}
                offered = tools(entry["function"])
                messages = handlers.system_prompt_pre_processing_chat_model(
                    entry["question"][0], entry["function"], entry["id"]
                )
                line = {"id": entry["id"], "tools": offered, "held_back": held_back, "messages": messages}
                out.write(json.dumps(line) + "\n")


def main(cases: str, verdicts: str) -> None:
    if cases == "--shown":
        return show(verdicts)
    entries: dict[str, dict[str, tuple[dict[str, Any], Any]]] = {}
    with Path(cases).open(encoding="utf-8") as lines, Path(verdicts).open("w", encoding="utf-8") as out:
        for number, line in enumerate(lines):
            case = json.loads(line)
            category = case["category"]
            if category not in entries:
                records = load_dataset_entry(category, include_language_specific_hint=False)
                golds = [None] * len(records)
                if not is_relevance_or_irrelevance(category):
                    golds = [one["ground_truth"] for one in load_ground_truth_entry(category)]
                entries[category] = {r["id"]: (r, g) for r, g in zip(records, golds, strict=True)}
            entry, gold = entries[category][case["id"]]
            out.write(json.dumps(verdict(case, entry, gold, number)) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
