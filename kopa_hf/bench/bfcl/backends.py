"""The simulated APIs behind multi-turn entries: bfcl-eval's own classes, loaded from where the user has them.

Their code is not part of this package. Only the eight classes that the multi-turn
categories name are loaded, and only their public methods can be called, with values:
unlike in the official runner, no text of a model is ever evaluated.
"""

from __future__ import annotations

import ast
import copy
import importlib
import inspect
import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from kopa_hf.bench.bfcl.entries import Entry
from kopa_hf.bench.bfcl.source import API_PACKAGE, CODE_VARIABLE, DOCUMENT_FILES
from kopa_hf.errors import DataError

STATELESS: Final = frozenset({"MathAPI"})
FORBIDDEN: Final = frozenset({"kill", "exit", "quit", "remove", "unlink", "popen", "Popen", "run"})
_CALL_NAME: Final = re.compile(r"\b([a-zA-Z_]\w*)\s*(?=\()")


@dataclass(frozen=True, slots=True)
class ApiCall:
    """One call of a simulated API."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    positional: tuple[Any, ...] = ()


def load_class(root: Path, name: str) -> type:
    """The class of a simulated API below `root`, the folder that holds `bfcl_eval`."""
    module_name = ".".join((*API_PACKAGE.parts, DOCUMENT_FILES[name]))
    expected = (root / API_PACKAGE).resolve()
    if module_name not in sys.modules:
        if not (expected / f"{DOCUMENT_FILES[name]}.py").is_file():
            raise DataError(
                f"{expected} is not complete: it lacks {DOCUMENT_FILES[name]}.py, the simulated API {name}. Copy it from the "
                f"same bfcl-eval, or name its wheel with {CODE_VARIABLE}."
            )
        # last, so that nothing else of an environment that bfcl-eval is installed in takes the place of ours
        sys.path.append(str(root))
        try:
            module = importlib.import_module(module_name)
        except ImportError as error:
            raise DataError(f"{expected / DOCUMENT_FILES[name]}.py cannot be loaded: {error}") from error
        finally:
            sys.path.remove(str(root))
    module = sys.modules[module_name]
    found = Path(str(module.__file__)).resolve().parent
    if found != expected:
        raise DataError(f"bfcl_eval is already loaded from {found}, and {expected} was asked for. Use one of them.")
    loaded: type = getattr(module, name)
    return loaded


@dataclass(slots=True)
class Apis:
    """The simulated APIs of one entry, in the state that calls have brought them to."""

    instances: dict[str, Any]
    methods: dict[str, Any]
    """Public methods by name; where two APIs share one, the later API's."""
    marks: dict[str, str] | None = None
    """Strict mode: what is put before the names of methods inside texts, by method, see `_marked`."""

    @classmethod
    def of(cls, entry: Entry, root: Path, *, model: str | None = None) -> Apis:
        """Fresh instances with the entry's initial state. model: strict mode, under that name of a model."""
        instances: dict[str, Any] = {}
        for name in entry.classes:
            instance = load_class(root, name)()
            if name not in STATELESS:
                config = copy.deepcopy(entry.initial_config.get(name, {}))
                instance._load_scenario(config, long_context=entry.long_context)
            instances[name] = instance
        public = [
            (api, name, method)
            for api, instance in instances.items()
            for name, method in inspect.getmembers(instance, inspect.ismethod)
            if not name.startswith("_")
        ]
        marks = {name: re.sub(r"[-./:]", "_", f"{model}_eval_{entry.id}_{api}_instance") for api, name, _ in public}
        return cls(instances, {name: method for _, name, method in public}, None if model is None else marks)

    def execute(self, calls: Sequence[ApiCall]) -> list[str]:
        """Results as text, in the order of the calls; an error is a result, too."""
        return [self._execute(call) for call in calls]

    def _execute(self, call: ApiCall) -> str:
        try:
            return _as_text(self._result(call))
        except Exception as error:  # noqa: BLE001  # whatever a simulated API raises is what it answers
            return f"Error during execution: {error}"

    def _result(self, call: ApiCall) -> Any:
        if call.name in FORBIDDEN:
            raise PermissionError(f"Function call {call.name} is not allowed.")
        method = self.methods.get(call.name)
        if method is None:
            raise NameError(f"name '{call.name}' is not defined")
        # an argument may itself be a call, in the answer key as well
        positional = [self._argument(value) for value in call.positional]
        return method(*positional, **{name: self._argument(value) for name, value in call.arguments.items()})

    def _argument(self, value: Any) -> Any:
        if isinstance(value, ApiCall):
            return self._result(value)
        # a method that keeps what it is given must not share it with the transcript
        return copy.deepcopy(value) if self.marks is None else self._marked(value, self.marks)

    def _marked(self, value: Any, marks: Mapping[str, str]) -> Any:
        """The official runner puts an instance's name before every `method(` in the text of a call, inside strings
        as well: a message that mentions `sort(x)` is stored altered, and never equal to the answer key's. What an API makes of the text may
        hang on the evaluated model's name, which is part of an instance's."""

        def mark(match: re.Match[str]) -> str:
            return f"{marks[match[1]]}.{match[1]}" if match[1] in marks else match[1]

        text = repr(value)
        changed = _CALL_NAME.sub(mark, text)
        return copy.deepcopy(value) if changed == text else ast.literal_eval(changed)


def _as_text(result: Any) -> str:
    if isinstance(result, str):
        return result
    if type(result) is dict:
        try:
            return json.dumps(result)
        except (TypeError, ValueError):
            return str(result)
    return str(result)


def gold_call(text: str) -> ApiCall:
    """A call of the answer key, written in Python."""
    node = ast.parse(text, mode="eval").body
    if not isinstance(node, ast.Call):
        raise DataError(f"{text!r} is no call")
    return _api_call(node)


def _api_call(node: ast.Call) -> ApiCall:
    if not isinstance(node.func, ast.Name):
        raise DataError(f"{ast.unparse(node)!r} names no function")
    arguments = {str(keyword.arg): _literal(keyword.value) for keyword in node.keywords}
    return ApiCall(node.func.id, arguments, tuple(_literal(value) for value in node.args))


def _literal(node: ast.expr) -> Any:
    return _api_call(node) if isinstance(node, ast.Call) else ast.literal_eval(node)
