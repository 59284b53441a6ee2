"""How each wire writes its answers and refusals: one module per wire family."""

from __future__ import annotations

from functools import cache
from typing import Final

from kopa_hf.sandbox.envelopes.assembly import AssemblyEnvelope
from kopa_hf.sandbox.envelopes.base import Envelope, Incoming, Outgoing, Trouble
from kopa_hf.sandbox.envelopes.dart import DartEnvelope
from kopa_hf.sandbox.envelopes.edss import EdssEnvelope
from kopa_hf.sandbox.envelopes.expressway import ExpresswayEnvelope
from kopa_hf.sandbox.envelopes.gateway import GatewayEnvelope
from kopa_hf.sandbox.envelopes.gyeonggi import GyeonggiEnvelope
from kopa_hf.sandbox.envelopes.kdic import KdicEnvelope
from kopa_hf.sandbox.envelopes.krx import KrxEnvelope
from kopa_hf.sandbox.envelopes.law import LawEnvelope
from kopa_hf.sandbox.envelopes.neis import NeisEnvelope
from kopa_hf.sandbox.envelopes.schoolinfo import SchoolinfoEnvelope
from kopa_hf.sandbox.envelopes.seoul import SeoulEnvelope

ENVELOPES: Final[dict[str, Envelope]] = {
    "dart": DartEnvelope(),
    "krx": KrxEnvelope(),
    "assembly": AssemblyEnvelope(),
    "data_go_kr": GatewayEnvelope(),
    "kdic": KdicEnvelope(),
    "hrdk": GatewayEnvelope(),
    "neis": NeisEnvelope(),
    "schoolinfo": SchoolinfoEnvelope(),
    "edss": EdssEnvelope(),
    "expressway": ExpresswayEnvelope(),
    "seoul": SeoulEnvelope(),
    "gyeonggi": GyeonggiEnvelope(),
    "law": LawEnvelope(),
}


@cache
def wires_of_host(host: str) -> tuple[str, ...]:
    """The wires that answer on a host, in the order above; none for a host outside the sandbox."""
    return tuple(wire for wire, envelope in ENVELOPES.items() if host in envelope.hosts)


__all__ = ["ENVELOPES", "Envelope", "Incoming", "Outgoing", "Trouble", "wires_of_host"]
