"""Calls written in Java and JavaScript (prompting mode), read with the official checker's own grammars.

Needs tree_sitter 0.21 with its two grammars (extra `bfcl`): another version reads broken
syntax otherwise. The walk follows bfcl-eval 2026.3.23 (Apache-2.0).
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from kopa_hf.bench.bfcl.js_values import is_quoted
from kopa_hf.bench.bfcl.strict import Call
from kopa_hf.errors import MissingExtraError


@cache
def _parser(language: str) -> Any:
    try:
        from tree_sitter import Language, Parser

        grammar = import_module(f"tree_sitter_{language}")
    except ImportError as error:
        raise MissingExtraError("tree_sitter", "bfcl") from error
    parser = Parser()
    parser.set_language(Language(grammar.language(), language))
    return parser


def _tree(source: str, language: str) -> Any:
    root = _parser(language).parse(source.encode()).root_node
    if "ERROR" in root.sexp():
        raise SyntaxError(f"no {language}")
    return root


def java_call(source: str) -> list[Call]:
    """The first method call in Java text; nothing where there is none."""
    node = _first(_tree(source, "java"), "method_invocation")
    if node is None:
        return []
    # offsets are bytes, and the official reader cuts characters by them: the same here
    text = _Cut(source)
    name, owner = text(node.child_by_field_name("name")), node.child_by_field_name("object")
    arguments = node.child_by_field_name("arguments")
    if arguments is None:
        raise SyntaxError("a call without arguments")
    given: dict[Any, Any] = {}
    for child in arguments.children:
        if child.type == "assignment_expression":
            _put(given, text(child.children[0]), _java_text(child.children[2], text, nested=False))
        elif child.type in ("identifier", "class_literal", "set"):
            _put(given, None, _java_text(child, text, nested=False))
    return [(name if owner is None else f"{text(owner)}.{name}", given)]


def javascript_call(source: str) -> list[Call]:
    """The first call in JavaScript text."""
    root = _tree(source, "javascript")
    for statement in root.children:
        for node in statement.children if statement.type == "expression_statement" else ():
            if node.type == "call_expression":
                given: dict[Any, Any] = {}
                for child in node.children[1].children:
                    if child.type == "assignment_expression":
                        value = child.children[2].text.decode()
                        _put(given, child.children[0].text.decode(), value[1:-1] if is_quoted(value) else value)
                    elif child.type in ("identifier", "true"):
                        _put(given, None, child.text.decode())
                return [(node.children[0].text.decode(), given)]
    raise SyntaxError("no call")


class _Cut:
    def __init__(self, source: str) -> None:
        self._source = source

    def __call__(self, node: Any) -> str:
        return self._source[node.start_byte : node.end_byte]


def _first(node: Any, kind: str) -> Any:
    if node.type == kind:
        return node
    for child in node.children:
        found = _first(child, kind)
        if found is not None:
            return found
    return None


def _put(given: dict[Any, Any], name: str | None, value: str) -> None:
    if name in given:
        raise SyntaxError(f"{name} is given twice")
    given[name] = value


def _java_text(node: Any, text: _Cut, *, nested: bool) -> str:
    """A value as text: strings lose their quotes at the top, layout inside is that of the official reader."""
    if node.type in ("string_literal", "character_literal"):
        return text(node) if nested else text(node)[1:-1]
    if node.type in ("identifier", "class_literal", "type_identifier", "method_invocation"):
        return text(node)
    if node.type == "array_creation_expression":
        kind, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        return f"new {_java_text(kind, text, nested=True)}[]{_java_text(value, text, nested=True)}"
    if node.type == "object_creation_expression":
        kind, arguments = node.child_by_field_name("type"), node.child_by_field_name("arguments")
        shown = arguments.children if arguments is not None else ()
        items = [_java_text(child, text, nested=True) for child in shown if child.type not in (",", "(", ")")]
        return f"new {_java_text(kind, text, nested=True)}({', '.join(items)})"
    if node.type == "set":
        items = [_java_text(child, text, nested=True) for child in node.children if child.type not in (",", "set")]
        return "{" + ", ".join(items) + "}"
    if node.child_count:
        return "".join(_java_text(child, text, nested=True) for child in node.children)
    return text(node)
