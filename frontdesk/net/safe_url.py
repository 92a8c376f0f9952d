"""Validates URLs that customers chose, to prevent server-side request forgery (SSRF).

A host is checked twice: when its URL is entered, and again when a connection is opened. The connection uses the address
that was checked, so a DNS answer that changes in between has no effect.
"""

import ipaddress
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from urllib.parse import SplitResult, urlsplit

import idna
import msgspec

from frontdesk.net.problems import UrlProblem
from frontdesk.postgres.connection_guard import require_no_connection
from frontdesk.problems import Problem
from frontdesk.runtime.time_limits import time_limit

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
# In addition to those that `is_global` excludes: networks that embed IPv4 addresses, and protocol assignments.
_BLOCKED_NETWORKS = [
    ipaddress.ip_network(block)
    for block in ("192.0.0.0/24", "192.88.99.0/24", "2001::/32", "2002::/16", "64:ff9b::/96", "64:ff9b:1::/48")
]
_UNICAST_V6 = ipaddress.ip_network("2000::/3")


class UrlRejected(Problem):
    """The URL is not allowed."""


class HostNotFound(Exception):
    """The host name does not resolve at the moment."""


class ParsedUrl(msgspec.Struct, frozen=True):
    """A URL parsed once, so that the request goes to what was checked."""

    scheme: str
    host: str  # in ASCII, lower case; an IPv6 address without its brackets
    port: int
    path: str  # with the query

    @property
    def authority(self) -> str:
        """The value of the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


def parse_url(url: str) -> ParsedUrl:
    """Stricter than a browser: ambiguous URLs are rejected."""
    if len(url) > MAX_URL_LENGTH:
        raise UrlRejected(UrlProblem.TOO_LONG, most=MAX_URL_LENGTH)
    if _UNSENDABLE.search(url):
        raise UrlRejected(UrlProblem.UNSENDABLE)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise UrlRejected(UrlProblem.NOT_A_URL) from error
    if parts.scheme not in _PORTS:
        raise UrlRejected(UrlProblem.OTHER_SCHEME)
    if parts.username is not None or parts.password is not None:
        raise UrlRejected(UrlProblem.HAS_CREDENTIALS)
    if parts.fragment or url.endswith("#"):
        raise UrlRejected(UrlProblem.HAS_FRAGMENT)
    return ParsedUrl(parts.scheme, _read_host(parts), _read_port(parts.scheme, port), _read_path(parts))


def _read_host(parts: SplitResult) -> str:
    host = parts.hostname or ""
    if parts.netloc.startswith("["):
        try:
            return str(ipaddress.IPv6Address(host))
        except ValueError as error:
            raise UrlRejected(UrlProblem.WRONG_IPV6) from error
    try:
        name = idna.encode(host, uts46=True).decode() if not host.isascii() else host.lower()
    except idna.IDNAError as error:
        raise UrlRejected(UrlProblem.WRONG_HOST) from error
    labels = name.removesuffix(".").split(".")
    if len(name) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise UrlRejected(UrlProblem.WRONG_HOST)
    if _NUMERIC.fullmatch(labels[-1]):
        return _read_ipv4(name)
    return name.removesuffix(".")


def _read_ipv4(name: str) -> str:
    """Some parsers read 2130706433, 0x7f.1 and 0177.0.0.1 as 127.0.0.1, so only dotted decimal is accepted."""
    try:
        return str(ipaddress.IPv4Address(name))
    except ValueError as error:
        raise UrlRejected(UrlProblem.WRONG_IPV4) from error


def _read_port(scheme: str, port: int | None) -> int:
    if port is None:
        return _PORTS[scheme]
    if port not in _PORTS.values() and port < 1024:
        raise UrlRejected(UrlProblem.WRONG_PORT)
    return port


def _read_path(parts: SplitResult) -> str:
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not _SENDABLE.fullmatch(path):
        raise UrlRejected(UrlProblem.WRONG_PATH)
    return path


def is_public_address(address: Address) -> bool:
    """Whether the address is on the public Internet."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public_address(address.ipv4_mapped)
        if address not in _UNICAST_V6:
            return False
    if any(address in block for block in _BLOCKED_NETWORKS if block.version == address.version):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


async def validate_url(url: str, resolve: Resolve, *, allow_private: bool) -> None:
    """Called when a URL is entered. A name that does not resolve now is accepted, because sending checks it again."""
    require_no_connection("DNS")
    target = parse_url(url)
    if not allow_private and _is_local_name(target.host):
        raise UrlRejected(UrlProblem.PRIVATE_HOST)
    with suppress(HostNotFound, TimeoutError), time_limit(_LOOKUP_TIMEOUT):
        await find_addresses(target, resolve, allow_private=allow_private)


def _is_local_name(host: str) -> bool:
    return any(host == name or host.endswith(f".{name}") for name in _LOCAL_NAMES)


async def find_addresses(target: ParsedUrl, resolve: Resolve, *, allow_private: bool) -> list[str]:
    """The addresses to connect to. Rejects the host if any of its addresses is not public."""
    try:
        found = [ipaddress.ip_address(target.host)]
    except ValueError:
        found = [ipaddress.ip_address(text.partition("%")[0]) for text in await resolve(target.host)]
    if not found:
        raise HostNotFound
    if any(address.is_multicast for address in found):
        raise UrlRejected(UrlProblem.MULTICAST_HOST)
    if not allow_private and not all(is_public_address(address) for address in found):
        raise UrlRejected(UrlProblem.PRIVATE_HOST)
    return [str(address) for address in found]
