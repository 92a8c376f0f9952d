"""Addresses outside that somebody else chose: which of them this service may send to.

A host is judged twice: when its URL is given, and by what it resolves to at the moment of connecting. The address
that was judged is the one that is connected to, so a name that changes its mind in between gains nothing.
"""

import asyncio
import ipaddress
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from urllib.parse import SplitResult, urlsplit

import idna
import msgspec

from frontdesk.postgres.held_connections import require_none_held

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolve = Callable[[str], Awaitable[Sequence[str]]]

MAX_URL_LENGTH = 2000
_LOOKUP_TIMEOUT = 2.0
_PORTS = {"http": 80, "https": 443}
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_NUMERIC = re.compile(r"[0-9]+|0x[0-9a-f]*")
_SENDABLE = re.compile(r"[!-~]*")
_UNSENDABLE = re.compile(r"[\x00-\x20\x7f\\]")
_LOCAL_NAMES = ("localhost", "local", "internal", "localdomain", "home.arpa", "lan")
# Beyond what `is_global` refuses: ways to write another address inside one, and blocks kept for protocols.
_BLOCKED_NETWORKS = [
    ipaddress.ip_network(block)
    for block in ("192.0.0.0/24", "192.88.99.0/24", "2001::/32", "2002::/16", "64:ff9b::/96", "64:ff9b:1::/48")
]
_UNICAST_V6 = ipaddress.ip_network("2000::/3")


class UrlRejected(Exception):
    """An address that is not sent to, and why, in words that can follow the name of the field."""


class HostNotFound(Exception):
    """A host that has no address now."""


class ParsedUrl(msgspec.Struct, frozen=True):
    """A URL taken apart once, so that what was checked is what is sent to."""

    scheme: str
    host: str  # in ASCII, lower case; an IPv6 address without its brackets
    port: int
    path: str  # with the query

    @property
    def authority(self) -> str:
        """As the Host header wants it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


def parse_url(url: str) -> ParsedUrl:
    """Stricter than a browser: what could be read in two ways is refused."""
    if len(url) > MAX_URL_LENGTH:
        raise UrlRejected(f"is longer than {MAX_URL_LENGTH} characters")
    if _UNSENDABLE.search(url):
        raise UrlRejected("holds a space, a backslash or a control character")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as wrong:
        raise UrlRejected("is no URL") from wrong
    if parts.scheme not in _PORTS:
        raise UrlRejected("must begin with https:// or http://")
    if parts.username is not None or parts.password is not None:
        raise UrlRejected("must not hold a user name or password")
    if parts.fragment or url.endswith("#"):
        raise UrlRejected("must not hold a fragment")
    return ParsedUrl(parts.scheme, _read_host(parts), _read_port(parts.scheme, port), _read_path(parts))


def _read_host(parts: SplitResult) -> str:
    host = parts.hostname or ""
    if parts.netloc.startswith("["):
        try:
            return str(ipaddress.IPv6Address(host))
        except ValueError as wrong:
            raise UrlRejected("has a host that is no IPv6 address") from wrong
    try:
        name = idna.encode(host, uts46=True).decode() if not host.isascii() else host.lower()
    except idna.IDNAError as wrong:
        raise UrlRejected("has a host that is no name") from wrong
    labels = name.removesuffix(".").split(".")
    if len(name) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise UrlRejected("has a host that is no name")
    if _NUMERIC.fullmatch(labels[-1]):
        return _read_ipv4(name)
    return name.removesuffix(".")


def _read_ipv4(name: str) -> str:
    """2130706433, 0x7f.1 and 0177.0.0.1 are all taken for 127.0.0.1 by some: only the usual form is."""
    try:
        return str(ipaddress.IPv4Address(name))
    except ValueError as wrong:
        raise UrlRejected("has a host of numbers that is no IPv4 address in its usual form") from wrong


def _read_port(scheme: str, port: int | None) -> int:
    if port is None:
        return _PORTS[scheme]
    if port not in _PORTS.values() and port < 1024:
        raise UrlRejected("has a port that is neither 80, 443 nor 1024 or above")
    return port


def _read_path(parts: SplitResult) -> str:
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not _SENDABLE.fullmatch(path):
        raise UrlRejected("has a path with characters that must be written as %XX")
    return path


def is_public_address(address: Address) -> bool:
    """Whether it is somebody's on the public Internet."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public_address(address.ipv4_mapped)
        if address not in _UNICAST_V6:
            return False
    if any(address in block for block in _BLOCKED_NETWORKS if block.version == address.version):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


async def validate_url(url: str, resolve: Resolve, *, allow_private: bool) -> None:
    """When somebody gives the URL. A name that cannot be resolved now is let pass: sending will look again."""
    require_none_held("DNS")
    target = parse_url(url)
    if not allow_private and _is_local_name(target.host):
        raise UrlRejected("has a host on a private network")
    with suppress(HostNotFound, TimeoutError):
        async with asyncio.timeout(_LOOKUP_TIMEOUT):
            await find_addresses(target, resolve, allow_private=allow_private)


def _is_local_name(host: str) -> bool:
    return any(host == name or host.endswith(f".{name}") for name in _LOCAL_NAMES)


async def find_addresses(target: ParsedUrl, resolve: Resolve, *, allow_private: bool) -> list[str]:
    """What to connect to. One address that is not outside condemns the name, or it would be a matter of luck."""
    try:
        found = [ipaddress.ip_address(target.host)]
    except ValueError:
        found = [ipaddress.ip_address(text.partition("%")[0]) for text in await resolve(target.host)]
    if not found:
        raise HostNotFound
    if any(address.is_multicast for address in found):
        raise UrlRejected("has a host with a multicast address")
    if not allow_private and not all(is_public_address(address) for address in found):
        raise UrlRejected("has a host on a private network")
    return [str(address) for address in found]
