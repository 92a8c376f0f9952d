"""A port of our own, bound before anything else is started: one that is taken costs nothing but a line."""

import errno
import socket

from frontdesk.errors import StartupError
from frontdesk.stop_signals import pause

_BIND_TRIES, _BIND_PAUSE = 6, 0.2


def bind(host: str, port: int, settings: str) -> socket.socket:
    """`settings` names what the operator can set."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named because asyncio sets TCP_NODELAY only where it is, and without it small answers wait.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        _bind_patiently(listening, host, port)
    except (OSError, UnicodeError) as failure:
        listening.close()
        reason = str(getattr(failure, "strerror", None) or failure).lower()
        remedy = f"set {settings}"
        if getattr(failure, "errno", None) == errno.EADDRINUSE:
            remedy = f"stop what is there, or {remedy}"
        raise StartupError(f"cannot listen on {host} port {port} ({reason}): {remedy}") from failure
    listening.set_inheritable(True)
    return listening


def _bind_patiently(listening: socket.socket, host: str, port: int) -> None:
    """The server processes of a service that was killed notice it and let go of the port within a second."""
    for _ in range(_BIND_TRIES - 1):
        try:
            return listening.bind((host, port))
        except OSError as failure:
            if failure.errno != errno.EADDRINUSE:
                raise
            pause(_BIND_PAUSE)
    return listening.bind((host, port))
