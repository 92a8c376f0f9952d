"""A faster server that answers something else would be no reference: both must say the same."""

import socket
from typing import Any

import msgspec

from bench.processes import Server
from bench.rounds import Endpoint

_OWN = ("id", "order_number", "created_at", "date")  # what two orders placed one after the other cannot share


def assert_same_response(endpoint: Endpoint, service: Server, reference: Server) -> None:
    ours, bare = (_ask(server, endpoint) for server in (service, reference))
    if endpoint.once:
        ours, bare = _without_own(ours), _without_own(bare)
    if ours != bare:
        raise SystemExit(f"bench: {endpoint.name}: the reference answers something else:\n{ours}\n{bare}")


def _ask(server: Server, endpoint: Endpoint) -> Any:
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as wire:
        wire.sendall(endpoint.requests(1)[0].replace(b"accept:", b"connection: close\r\naccept:"))
        answer = b"".join(iter(lambda: wire.recv(65536), b""))
    return msgspec.json.decode(answer.partition(b"\r\n\r\n")[2])


def _without_own(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_own(entry) for name, entry in value.items() if name not in _OWN}
    return value
