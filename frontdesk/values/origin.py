"""The address of this installation as the caller of a request knows it."""

import re

_HOST = re.compile(rb"[A-Za-z0-9._\-]+(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?")
_DEFAULT_SERVER = ("127.0.0.1", 8000)


def sent_origin(scheme: str, host: bytes, server: tuple[str, int | None] | None) -> str:
    """From the Host header, else from the address that was called."""
    if _HOST.fullmatch(host):
        return f"{scheme}://{host.decode()}"
    name, port = server or _DEFAULT_SERVER
    return f"{scheme}://{f'[{name}]' if ':' in name else name}:{port}"
