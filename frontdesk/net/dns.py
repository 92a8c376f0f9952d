"""Asynchronous DNS resolution, without threads: a name server that hangs must not delay other look-ups."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

import dns.asyncresolver
import dns.exception
import dns.name
import dns.resolver
from dns.rdatatype import RdataType

from frontdesk.net.safe_url import HostNotFound
from frontdesk.postgres.connection_guard import require_no_connection

_HOSTS = Path("/etc/hosts")
_TIMEOUT = 5.0
# Seconds. Addresses are checked before each connection, so a cached answer is not a risk.
_TTL = 30.0
_MAX_CACHED_NAMES = 5000
_MAX_ADDRESSES = 16  # of one name; more are not tried


class DnsResolver:
    """Reads the hosts file first, then queries the name servers of the system."""

    def __init__(self, resolver: dns.asyncresolver.Resolver | None = None, ttl: float = _TTL) -> None:
        self._resolver = resolver or _system_resolver()
        self._ttl = ttl
        self._cache: dict[str, tuple[float, list[str]]] = {}
        self._running: dict[str, asyncio.Task[list[str]]] = {}

    async def resolve(self, host: str) -> Sequence[str]:
        """Raises HostNotFound if there is no address. Concurrent calls for one name share one query."""
        require_no_connection("DNS")
        cached = self._cache.get(host)
        if cached is not None and time.monotonic() < cached[0]:
            return cached[1]
        task = self._running.get(host)
        if task is None:
            task = asyncio.create_task(self._look_up(host))
            self._running[host] = task
            task.add_done_callback(lambda _: self._running.pop(host, None))
        return await asyncio.shield(task)

    async def _look_up(self, host: str) -> list[str]:
        found = (_in_hosts_file(host) or await self._query(host))[:_MAX_ADDRESSES]
        self._cache.pop(host, None)
        while len(self._cache) >= _MAX_CACHED_NAMES:
            del self._cache[next(iter(self._cache))]
        self._cache[host] = (time.monotonic() + self._ttl, found)
        return found

    async def _query(self, host: str) -> list[str]:
        if self._resolver is None:
            raise HostNotFound("no name server is configured")
        answers = await asyncio.gather(
            *(self._query_type(self._resolver, host, record_type) for record_type in (RdataType.A, RdataType.AAAA))
        )
        found = [address for answer in answers if isinstance(answer, list) for address in answer]
        if not found:
            raise HostNotFound(
                next((answer for answer in answers if isinstance(answer, str)), "the name has no address")
            )
        return found

    async def _query_type(
        self, resolver: dns.asyncresolver.Resolver, host: str, record_type: RdataType
    ) -> list[str] | str:
        """The addresses, or why there are none: one record type may fail while the other succeeds."""
        try:
            answer = await resolver.resolve(dns.name.from_text(host), record_type, raise_on_no_answer=False)
        except dns.resolver.NXDOMAIN:
            return "the name does not exist"
        except (dns.exception.DNSException, OSError):
            return "the name servers did not answer"
        return [record.to_text() for record in answer.rrset or []]


def _system_resolver() -> dns.asyncresolver.Resolver | None:
    try:
        resolver = dns.asyncresolver.Resolver()
    except dns.resolver.NoResolverConfiguration:
        return None
    resolver.lifetime = _TIMEOUT
    return resolver


def _in_hosts_file(host: str) -> list[str]:
    try:
        lines = _HOSTS.read_text(errors="replace").splitlines()
    except OSError:
        return []
    rows = [line.partition("#")[0].split() for line in lines]
    return [row[0].partition("%")[0] for row in rows if host in (name.lower() for name in row[1:])]
