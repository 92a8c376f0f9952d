"""Host names to addresses, without a thread for each: one name server that hangs must not hold up other names."""

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
from frontdesk.postgres.held_connections import require_none_held

_HOSTS = Path("/etc/hosts")
_LIMIT = 5.0
# Seconds for which an answer is used again: what was found has been checked, so reusing it is no risk.
_TTL = 30.0
_MAX_CACHED_NAMES = 5000
_MAX_ADDRESSES = 16  # of one name; more are never tried


class DnsResolver:
    """The machine's hosts file, then its name servers."""

    def __init__(self, resolver: dns.asyncresolver.Resolver | None = None, keep: float = _TTL) -> None:
        self._resolver = resolver or _system_resolver()
        self._keep = keep
        self._kept: dict[str, tuple[float, list[str]]] = {}
        self._running: dict[str, asyncio.Task[list[str]]] = {}

    async def resolve(self, host: str) -> Sequence[str]:
        """Raise NotFound where there is no address. Many who ask for one name at once wait for one question."""
        require_none_held("DNS")
        kept = self._kept.get(host)
        if kept is not None and time.monotonic() < kept[0]:
            return kept[1]
        task = self._running.get(host)
        if task is None:
            task = asyncio.create_task(self._look_up(host))
            self._running[host] = task
            task.add_done_callback(lambda _: self._running.pop(host, None))
        return await asyncio.shield(task)

    async def _look_up(self, host: str) -> list[str]:
        found = (_in_hosts_file(host) or await self._ask(host))[:_MAX_ADDRESSES]
        self._kept.pop(host, None)
        while len(self._kept) >= _MAX_CACHED_NAMES:
            del self._kept[next(iter(self._kept))]
        self._kept[host] = (time.monotonic() + self._keep, found)
        return found

    async def _ask(self, host: str) -> list[str]:
        if self._resolver is None:
            raise HostNotFound("no name server is known here")
        answers = await asyncio.gather(
            *(self._ask_kind(self._resolver, host, kind) for kind in (RdataType.A, RdataType.AAAA))
        )
        found = [address for answer in answers if isinstance(answer, list) for address in answer]
        if not found:
            raise HostNotFound(
                next((answer for answer in answers if isinstance(answer, str)), "the name has no address")
            )
        return found

    async def _ask_kind(self, resolver: dns.asyncresolver.Resolver, host: str, kind: RdataType) -> list[str] | str:
        """The addresses, or why there are none: one kind may fail while the other is there."""
        try:
            answer = await resolver.resolve(dns.name.from_text(host), kind, raise_on_no_answer=False)
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
    resolver.lifetime = _LIMIT
    return resolver


def _in_hosts_file(host: str) -> list[str]:
    try:
        lines = _HOSTS.read_text(errors="replace").splitlines()
    except OSError:
        return []
    rows = [line.partition("#")[0].split() for line in lines]
    return [row[0].partition("%")[0] for row in rows if host in (name.lower() for name in row[1:])]
