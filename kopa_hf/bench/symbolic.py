"""Symbolic equality of two LaTeX expressions, through math-verify."""

from __future__ import annotations

import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context


def symbolically_equal(gold: str, given: str) -> bool:
    """Whether two expressions are the same number or term. Hostile input ends at math-verify's time-outs.

    These time-outs are signals, which only a main thread may set; elsewhere the work is done in a process of its own.
    """
    if threading.current_thread() is threading.main_thread():
        return _verified(gold, given)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_verified, gold, given).result()


def _verified(gold: str, given: str) -> bool:
    from math_verify import parse, verify

    return bool(verify(parse(f"${gold}$"), parse(f"${given}$")))
