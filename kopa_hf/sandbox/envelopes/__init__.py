"""How each wire writes its answers and refusals: one module per wire family."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.envelopes.assembly import AssemblyEnvelope
from kopa_hf.sandbox.envelopes.base import Envelope, Incoming, Outgoing, Trouble
from kopa_hf.sandbox.envelopes.dart import DartEnvelope
from kopa_hf.sandbox.envelopes.krx import KrxEnvelope

ENVELOPES: Final[dict[str, Envelope]] = {
    "dart": DartEnvelope(),
    "krx": KrxEnvelope(),
    "assembly": AssemblyEnvelope(),
}

__all__ = ["ENVELOPES", "Envelope", "Incoming", "Outgoing", "Trouble"]
