"""Calls out of text, by the official rules."""

from __future__ import annotations

from typing import Any

import pytest

from kopa_hf.bench.bfcl.decoding import DecodeError, calls_of_message, calls_of_text


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("[f(x=1)]", [("f", {"x": 1})]),
        ("f(x=1)", [("f", {"x": 1})]),
        ("```[a.b(x=-1, y='z'), c()]```", [("a.b", {"x": -1, "y": "z"}), ("c", {})]),
        ("[f(1, x=[1, {'a': (2, 3)}])]", [("f", {"x": [1, {"a": (2, 3)}]})]),
        ("[f(x=y)]", [("f", {"x": "y"})]),
        ("[f(x=2*3+1)]", [("f", {"x": 7})]),
        ("[f(x=g(y=1))]", [("f", {"x": {"g": {"y": 1}}})]),
        ("[f(x=g())]", [("f", {"x": "g()"})]),
        ("[]", []),
    ],
)
def test_python_calls(text: str, calls: Any) -> None:
    assert calls_of_text(text, "python") == calls


@pytest.mark.parametrize(
    "text", ["", "no call", "[f(x=1]", "[1, 2]", "[f(x=1), 2]", "[f(x=lambda: 1)]", "[f(x=__import__('os').x)]"]
)
def test_what_is_no_list_of_python_calls(text: str) -> None:
    if text == "":
        assert calls_of_text(text, "python") == []
        return
    with pytest.raises(DecodeError):
        calls_of_text(text, "python")


@pytest.mark.parametrize("text", ["[f(x=9**9**9)]", "[f(x='a'*10**9)]", "[f(x=open('/etc/passwd').read() + 'x')]"])
def test_no_text_of_a_model_is_evaluated(text: str) -> None:
    with pytest.raises(DecodeError):
        calls_of_text(text, "python")


@pytest.mark.parametrize("text", ["", "null", "[]", "1", '{"a": 1}{"a": 1}', '{"a": "서', "{'a': 1}", '"{}"'])
def test_broken_argument_text_is_never_an_empty_object(text: str) -> None:
    with pytest.raises(DecodeError):
        calls_of_message([("f", text)])


def test_java_and_javascript_calls() -> None:
    pytest.importorskip("tree_sitter", reason="extra `bfcl` is not installed")
    java = '[Queue.poll(queue=workQueue, names=new String[]{"a", "b"}, wait=50L)]'
    assert calls_of_text(java, "java") == [
        ("Queue.poll", {"queue": "workQueue", "names": 'new String[]{"a","b"}', "wait": "50L"})
    ]
    script = "[f(x='a', y=[1, 2], z=true)]"
    assert calls_of_text(script, "javascript") == [("f", {"x": "a", "y": "[1, 2]", "z": "true"})]
    with pytest.raises(DecodeError):
        calls_of_text("[Queue.poll(queue=]", "java")
