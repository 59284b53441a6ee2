"""Wire protocols of the platforms: how a request is written, how an answer is understood."""

from kopa_hf.platforms.base import Answer, Record, Wire
from kopa_hf.platforms.wires import WIRES, parse_answer, wire_for

__all__ = ["WIRES", "Answer", "Record", "Wire", "parse_answer", "wire_for"]
