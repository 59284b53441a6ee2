"""Errors that processes send each other arrive as they were."""

from __future__ import annotations

import pickle

import pytest

from kopa_hf.errors import ArgumentError, KopaError, MissingExtraError, UnknownToolError


@pytest.mark.parametrize(
    "error",
    [
        UnknownToolError("find_corp", ["find_dart_corp_code"]),
        ArgumentError("search_assembly_bills", ["AGE is missing", "pSize is no number"]),
        MissingExtraError("torch", "train"),
        KopaError("plain"),
    ],
)
def test_an_error_survives_the_journey_between_processes(error: KopaError) -> None:
    arrived = pickle.loads(pickle.dumps(error))
    assert type(arrived) is type(error)
    assert str(arrived) == str(error)
    assert vars(arrived) == vars(error)
