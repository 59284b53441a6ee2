"""Where no network namespace can be made: refuse every connection beyond loopback, from any Python process."""

import ipaddress
import socket

_connect = socket.socket.connect


def _guarded(self: socket.socket, address: object) -> None:
    if self.family in (socket.AF_INET, socket.AF_INET6) and isinstance(address, tuple):
        host = str(address[0])
        try:
            inside = ipaddress.ip_address(host).is_loopback
        except ValueError:
            inside = host == "localhost"
        if not inside:
            raise OSError(f"network is blocked in this run: {host}")
    _connect(self, address)


socket.socket.connect = _guarded  # type: ignore[method-assign]
