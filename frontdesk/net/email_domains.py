"""E-mail addresses: their syntax, and whether their domain can receive mail."""

import asyncio
import ipaddress
import re
import time
import unicodedata
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Generic, TypeVar

import dns.asyncresolver
import dns.exception
import dns.name
import dns.resolver
from dns.rdtypes.ANY.MX import MX
from email_validator import EmailNotValidError, ValidatedEmail, validate_email

from frontdesk.net.problems import EmailProblem
from frontdesk.postgres.connection_guard import require_no_connection
from frontdesk.problems import Problem
from frontdesk.runtime.time_limits import time_limit

T = TypeVar("T")

_MAX_LENGTH = 254

# Seconds for all queries of one check.
_TIMEOUT = 1.9
# Seconds for one packet, so that a lost one is sent again within the timeout.
_PACKET_TIMEOUT = 0.7

# Seconds. A rejection is cached briefly, because the domain may be repaired; an unknown result even more briefly.
_TTL_ACCEPTED, _TTL_REJECTED, _TTL_UNKNOWN = 300.0, 30.0, 10.0
_MAX_CACHED_DOMAINS = 2000

_RESOLVER = re.compile(r"(?:\[(?P<v6>[^\[\]]+)\]|(?P<v4>[0-9.]+))(?::(?P<port>[0-9]{1,5}))?")


class EmailError(Problem):
    """An address that cannot be stored."""


def normalize_email(text: str) -> str:
    """The form to store: domain in lower case, Unicode composed. The local part keeps its case."""
    return _parse(text).normalized


def canonical_email(text: str) -> str:
    """The form by which accounts are stored, compared and throttled.

    The local part is case-folded and normalized (NFKC); the domain is in the Unicode form of IDNA. Text that is not an
    address is normalized too, because it can be entered in a form.
    """
    composed = unicodedata.normalize("NFKC", text.strip())
    try:
        parsed = _parse(composed)
    except EmailError:
        return _fold(composed)
    return f"{_fold(parsed.local_part)}@{parsed.domain}"


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text.casefold())


class SingleFlightCache(Generic[T]):
    """Caches results for some time. Concurrent calls for one name share one look-up."""

    def __init__(self) -> None:
        self._cache: dict[str, tuple[float, T]] = {}
        self._running: dict[str, asyncio.Task[T]] = {}

    async def get(self, name: str, look_up: Callable[[], Awaitable[tuple[T, float]]]) -> T:
        """`look_up` returns the result and its time to live in seconds."""
        cached = self._cache.get(name)
        if cached is not None and time.monotonic() < cached[0]:
            return cached[1]
        task = self._running.get(name)
        if task is None:
            task = asyncio.create_task(self._store(name, look_up))
            self._running[name] = task
            task.add_done_callback(lambda _: self._running.pop(name, None))
        # Shielded, because other callers may wait for the same result when this one is canceled.
        return await asyncio.shield(task)

    async def _store(self, name: str, look_up: Callable[[], Awaitable[tuple[T, float]]]) -> T:
        result, ttl = await look_up()
        self._cache.pop(name, None)
        while len(self._cache) >= _MAX_CACHED_DOMAINS:
            del self._cache[next(iter(self._cache))]
        self._cache[name] = (time.monotonic() + ttl, result)
        return result


class DomainChecker:
    """Checks in the DNS whether a domain can receive mail. Trusts only a resolver that can resolve the root.

    On a closed network the resolver denies every name, including the root's. Addresses must not be rejected for that,
    so an unknown result is accepted.
    """

    def __init__(self, enabled: bool, resolver: str | None) -> None:
        self._resolver = _make_resolver(resolver) if enabled else None
        self._problems: SingleFlightCache[EmailProblem | None] = SingleFlightCache()
        self._roots: SingleFlightCache[bool] = SingleFlightCache()

    async def check(self, email: str) -> None:
        """Raises EmailError if the domain of the address certainly cannot receive mail."""
        require_no_connection("DNS")
        if self._resolver is None:
            return
        domain = _parse(email).ascii_domain
        problem = await self._problems.get(domain, partial(self._look_up, self._resolver, domain))
        if problem is not None:
            raise EmailError(problem)

    async def _look_up(self, resolver: dns.asyncresolver.Resolver, domain: str) -> tuple[EmailProblem | None, float]:
        try:
            with time_limit(_TIMEOUT):
                problem = await _domain_problem(resolver, dns.name.from_text(domain))
                if problem is None:
                    return None, _TTL_ACCEPTED
                if await self._roots.get(".", partial(_root_answers, resolver)):
                    return problem, _TTL_REJECTED
        except (dns.exception.DNSException, OSError):
            pass
        return None, _TTL_UNKNOWN


def _parse(text: str) -> ValidatedEmail:
    bare = text.strip()
    if len(bare) > _MAX_LENGTH:
        raise EmailError(EmailProblem.TOO_LONG, most=_MAX_LENGTH)
    try:
        return validate_email(bare, check_deliverability=False, strict=True)
    except (EmailNotValidError, UnicodeError) as error:
        raise EmailError(EmailProblem.NOT_AN_ADDRESS) from error


async def _domain_problem(resolver: dns.asyncresolver.Resolver, domain: dns.name.Name) -> EmailProblem | None:
    """Why the domain cannot receive mail, or None (RFC 5321, 5.1, and RFC 7505 for the null MX)."""
    try:
        answer = await resolver.resolve(domain, "MX")
    except dns.resolver.NXDOMAIN:
        return EmailProblem.NO_DOMAIN
    except dns.resolver.NoAnswer:
        return None if await _has_address(resolver, domain) else EmailProblem.NO_MAIL
    accepts = any(isinstance(record, MX) and record.exchange != dns.name.root for record in answer)
    return None if accepts else EmailProblem.NO_MAIL


async def _has_address(resolver: dns.asyncresolver.Resolver, domain: dns.name.Name) -> bool:
    """Without an MX record, mail goes to the address of the domain."""
    answers = await asyncio.gather(
        resolver.resolve(domain, "A"), resolver.resolve(domain, "AAAA"), return_exceptions=True
    )
    if any(isinstance(answer, dns.resolver.Answer) for answer in answers):
        return True
    for answer in answers:
        if isinstance(answer, BaseException) and not _is_denial(answer):
            raise answer
    return False


async def _root_answers(resolver: dns.asyncresolver.Resolver) -> tuple[bool, float]:
    try:
        with time_limit(_TIMEOUT):
            await resolver.resolve(dns.name.root, "NS")
    except (dns.exception.DNSException, OSError):
        return False, _TTL_UNKNOWN
    return True, _TTL_ACCEPTED


def _is_denial(error: BaseException) -> bool:
    return isinstance(error, (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer))


def _make_resolver(address: str | None) -> dns.asyncresolver.Resolver | None:
    """None if the system has no resolver."""
    try:
        resolver = dns.asyncresolver.Resolver(configure=address is None)
    except dns.resolver.NoResolverConfiguration:
        return None
    if address is not None:
        host, resolver.port = _parse_resolver(address)
        resolver.nameservers = [host]
    resolver.timeout, resolver.lifetime = _PACKET_TIMEOUT, _TIMEOUT
    return resolver


def _parse_resolver(text: str) -> tuple[str, int]:
    """`ip`, `ip:port` or `[ipv6]:port`. A host name is not accepted, because it would have to be resolved first."""
    try:
        match = _RESOLVER.fullmatch(text)
        if match is None:
            return str(ipaddress.ip_address(text)), 53
        host = ipaddress.IPv6Address(match["v6"]) if match["v6"] else ipaddress.IPv4Address(match["v4"])
        port = int(match["port"] or 53)
    except ValueError as error:
        raise ValueError(f"not a resolver address (ip, ip:port or [ipv6]:port): {text!r}") from error
    if not 1 <= port <= 65535:
        raise ValueError(f"not a valid resolver port: {text!r}")
    return str(host), port
