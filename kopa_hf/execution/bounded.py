"""Bodies of answers, unpacked while they come and never beyond a size: a small one may unfold to gigabytes."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any, Final

import httpx

from kopa_hf.execution.recorded import LARGEST_BODY

_PIECE: Final = 2**16
"""Bytes that are unpacked at a time."""
_PACKINGS: Final = 4
"""Encodings one over another at most."""


class UnreadableError(httpx.RequestError):
    """An answer that came and cannot be read; whoever asks again gets the same."""


class TooLargeError(UnreadableError):
    """An answer that is longer than any that is read; the rest of it was not fetched."""


class Bound:
    """How long an answer may be, and whether one was longer, for readers that can say so to nobody else."""

    def __init__(self, most: int = LARGEST_BODY) -> None:
        self.most = most
        self.passed = False

    def passes(self, size: int) -> bool:
        """True, and noted, where so many bytes are too many."""
        self.passed = self.passed or size > self.most
        return size > self.most

    @property
    def words(self) -> str:
        """What is said of an answer that passed it."""
        return f"the answer has more than {self.most // 2**20} MiB, the most that is read"


class Body:
    """What a response's raw chunks add up to, unpacked; raises httpx's errors.

    gzip and deflate are understood; no other encoding is ever asked for, and one that comes is left as it is.
    """

    def __init__(self, response: httpx.Response, most: int = LARGEST_BODY) -> None:
        named = response.headers.get("content-encoding", "").lower().split(",")
        names = [name.strip() for name in named if name.strip() not in ("", "identity")]
        if len(names) > _PACKINGS:
            raise httpx.DecodingError("the answer is packed too often")
        known = all(name in ("gzip", "x-gzip", "deflate") for name in names)
        self._layers = [_Layer(name) for name in reversed(names)] if known else []
        self._bound = Bound(most)
        self._body = bytearray()

    def add(self, chunk: bytes) -> None:
        """One more chunk as it came over the connection."""
        self._pass_on(chunk, 0)

    def whole(self) -> bytes:
        """The body, after its last chunk."""
        for depth, layer in enumerate(self._layers):
            self._pass_on(layer.rest(), depth + 1)
        return bytes(self._body)

    def _pass_on(self, data: bytes, depth: int) -> None:
        if depth < len(self._layers):
            for piece in self._layers[depth].pieces(data):
                self._pass_on(piece, depth + 1)
            return
        if self._bound.passes(len(self._body) + len(data)):
            raise TooLargeError(self._bound.words)
        self._body += data


class _Layer:
    """One encoding taken off, a piece at a time."""

    def __init__(self, name: str) -> None:
        self._may_be_raw = name == "deflate"
        self._unpacking: Any = zlib.decompressobj(zlib.MAX_WBITS if self._may_be_raw else zlib.MAX_WBITS | 16)
        self._held = b""

    def pieces(self, data: bytes) -> Iterator[bytes]:
        data, self._held = self._held + data, b""
        if self._may_be_raw and len(data) < 2:  # the header, if there is one, is two bytes
            self._held = data
            return
        while data and not self._unpacking.eof:
            try:
                piece = self._unpacking.decompress(data, _PIECE)
            except zlib.error as error:
                if not self._may_be_raw:
                    raise httpx.DecodingError("the answer cannot be unpacked") from error
                # servers do not agree on whether deflate has a header
                self._unpacking, self._may_be_raw = zlib.decompressobj(-zlib.MAX_WBITS), False
                continue
            self._may_be_raw = False
            data = self._unpacking.unconsumed_tail
            yield piece
            if not data and len(piece) == _PIECE:  # more may be held back than was asked for
                while more := self._unpacking.decompress(b"", _PIECE):
                    yield more

    def rest(self) -> bytes:
        """What is held back at the end: less than a window."""
        try:
            return bytes(self._unpacking.flush())
        except zlib.error as error:
            raise httpx.DecodingError("the answer cannot be unpacked") from error
