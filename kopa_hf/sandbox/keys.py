"""Self-checking API keys of the sandbox: no list of issued keys, no secret.

A key is text of the length that the real service issues; its last eight
characters are a checksum over platform and rest, so any well-made key opens
its platform and nothing else does. They open nothing but the sandbox.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

_LENGTHS: Final[dict[str, int]] = {"dart": 40, "krx": 40, "assembly": 32, "expressway": 10, "law": 16}
_DEFAULT_LENGTH: Final = 64
_CHECK: Final = 8


def _hex(text: str, length: int) -> str:
    return blake2b(text.encode("utf-8"), digest_size=(length + 1) // 2).hexdigest()[:length]


def sandbox_key(platform: str, seed: str = "") -> str:
    """A valid key of a platform; one per seed (an episode's seed for issued keys)."""
    body_length = max(_LENGTHS.get(platform, _DEFAULT_LENGTH) - _CHECK, 2)
    body = _hex(f"kopa-sandbox-key\x1f{platform}\x1f{seed}", body_length)
    return body + _checksum(platform, body)


def valid_key(platform: str, key: str | None) -> bool:
    """True for any key that `sandbox_key` can make for the platform."""
    if not key or len(key) <= _CHECK:
        return False
    return key[-_CHECK:] == _checksum(platform, key[:-_CHECK])


def _checksum(platform: str, body: str) -> str:
    return _hex(f"kopa-sandbox-check\x1f{platform}\x1f{body}", _CHECK)
