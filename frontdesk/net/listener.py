"""Binds the port before anything else is started, so that a port in use fails early with one line."""

import errno
import socket

from frontdesk.errors import StartupError
from frontdesk.runtime.stop_signals import pause

_BIND_ATTEMPTS, _BIND_PAUSE = 6, 0.2


def bind(host: str, port: int, settings: str) -> socket.socket:
    """`settings` are the names of the settings that the error message refers to."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sets TCP_NODELAY only if the protocol is given; without it small responses are delayed.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        _bind_with_retries(listening, host, port)
    except (OSError, UnicodeError) as error:
        listening.close()
        reason = str(getattr(error, "strerror", None) or error).lower()
        remedy = f"set {settings}"
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            remedy = f"stop the process that uses it, or {remedy}"
        raise StartupError(f"cannot listen on {host} port {port} ({reason}): {remedy}") from error
    listening.set_inheritable(True)
    return listening


def _bind_with_retries(listening: socket.socket, host: str, port: int) -> None:
    """The server processes of a killed service release the port within a second."""
    for _ in range(_BIND_ATTEMPTS - 1):
        try:
            return listening.bind((host, port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            pause(_BIND_PAUSE)
    return listening.bind((host, port))
