"""E-mail addresses: their form, and whether their domain can receive mail at all."""

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

from frontdesk.postgres.held_connections import require_none_held

T = TypeVar("T")

_MAX_LENGTH = 254

# All look-ups of one check together, in seconds: the caller has its answer within two.
_LIMIT = 1.9
# One unanswered packet, so that a lost one is sent again within the limit.
_PACKET_LIMIT = 0.7

# Seconds an answer is reused. A refusal is short, for somebody may be mending the domain; a resolver that
# did not say is asked again soon.
_KEEP_GOOD, _KEEP_REFUSED, _KEEP_UNSURE = 300.0, 30.0, 10.0
_MAX_CACHED_DOMAINS = 2000

_NO_DOMAIN = "has a domain that does not exist"
_NO_MAIL = "has a domain that does not receive e-mail"

_RESOLVER = re.compile(r"(?:\[(?P<v6>[^\[\]]+)\]|(?P<v4>[0-9.]+))(?::(?P<port>[0-9]{1,5}))?")


class EmailError(Exception):
    """An address that cannot be stored."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def normalize_email(text: str) -> str:
    """The one spelling to store: domain in lower case, Unicode composed; the part before @ keeps its case."""
    return _parse(text).normalized


def canonical_email(text: str) -> str:
    """The one spelling by which accounts are stored, compared and throttled.

    The part before @ is folded (NFKC, no case); the domain is in IDNA's Unicode form. Text that is no address gets a
    spelling too, because it can be typed into a form.
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
    """Keeps answers for a while and lets a burst of equal questions wait for one look-up."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[float, T]] = {}
        self._running: dict[str, asyncio.Task[T]] = {}

    async def get(self, name: str, ask: Callable[[], Awaitable[tuple[T, float]]]) -> T:
        """`ask` gives the answer and the seconds it may be kept."""
        kept = self._kept.get(name)
        if kept is not None and time.monotonic() < kept[0]:
            return kept[1]
        task = self._running.get(name)
        if task is None:
            task = asyncio.create_task(self._keep(name, ask))
            self._running[name] = task
            task.add_done_callback(lambda _: self._running.pop(name, None))
        # Shielded, since others may wait for the same answer when this caller gives up.
        return await asyncio.shield(task)

    async def _keep(self, name: str, ask: Callable[[], Awaitable[tuple[T, float]]]) -> T:
        answer, seconds = await ask()
        self._kept.pop(name, None)
        while len(self._kept) >= _MAX_CACHED_DOMAINS:
            del self._kept[next(iter(self._kept))]
        self._kept[name] = (time.monotonic() + seconds, answer)
        return answer


class DomainChecker:
    """Asks the DNS whether mail to a domain could arrive, and believes only a resolver that knows the root.

    On a closed network every name is denied, the root's own servers too; refusing customers there would
    tell them of the network, not of their address. So whatever is unsure is accepted.
    """

    def __init__(self, enabled: bool, resolver: str | None) -> None:
        self._resolver = _make_resolver(resolver) if enabled else None
        self._refusals: SingleFlightCache[str | None] = SingleFlightCache()
        self._roots: SingleFlightCache[bool] = SingleFlightCache()

    async def check(self, email: str) -> None:
        """Raise EmailError where the address's domain certainly takes no mail."""
        require_none_held("DNS")
        if self._resolver is None:
            return
        domain = _parse(email).ascii_domain
        refusal = await self._refusals.get(domain, partial(self._look_up, self._resolver, domain))
        if refusal is not None:
            raise EmailError(refusal)

    async def _look_up(self, resolver: dns.asyncresolver.Resolver, domain: str) -> tuple[str | None, float]:
        try:
            async with asyncio.timeout(_LIMIT):
                refusal = await _domain_problem(resolver, dns.name.from_text(domain))
                if refusal is None:
                    return None, _KEEP_GOOD
                if await self._roots.get(".", partial(_root_answers, resolver)):
                    return refusal, _KEEP_REFUSED
        except (dns.exception.DNSException, OSError):
            pass
        return None, _KEEP_UNSURE


def _parse(text: str) -> ValidatedEmail:
    bare = text.strip()
    if len(bare) > _MAX_LENGTH:
        raise EmailError(f"must have at most {_MAX_LENGTH} characters")
    try:
        return validate_email(bare, check_deliverability=False, strict=True)
    except (EmailNotValidError, UnicodeError) as error:
        raise EmailError("is not a valid e-mail address") from error


async def _domain_problem(resolver: dns.asyncresolver.Resolver, domain: dns.name.Name) -> str | None:
    """Why mail cannot reach the domain, None where it can (RFC 5321, 5.1, and RFC 7505 for the null MX)."""
    try:
        answer = await resolver.resolve(domain, "MX")
    except dns.resolver.NXDOMAIN:
        return _NO_DOMAIN
    except dns.resolver.NoAnswer:
        return None if await _has_address(resolver, domain) else _NO_MAIL
    accepts = any(isinstance(record, MX) and record.exchange != dns.name.root for record in answer)
    return None if accepts else _NO_MAIL


async def _has_address(resolver: dns.asyncresolver.Resolver, domain: dns.name.Name) -> bool:
    """Without an MX the domain's own address takes the mail."""
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
        async with asyncio.timeout(_LIMIT):
            await resolver.resolve(dns.name.root, "NS")
    except (dns.exception.DNSException, OSError):
        return False, _KEEP_UNSURE
    return True, _KEEP_GOOD


def _is_denial(error: BaseException) -> bool:
    return isinstance(error, (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer))


def _make_resolver(address: str | None) -> dns.asyncresolver.Resolver | None:
    """None on a machine without any resolver, where there is nobody to believe."""
    try:
        resolver = dns.asyncresolver.Resolver(configure=address is None)
    except dns.resolver.NoResolverConfiguration:
        return None
    if address is not None:
        host, resolver.port = _parse_resolver(address)
        resolver.nameservers = [host]
    resolver.timeout, resolver.lifetime = _PACKET_LIMIT, _LIMIT
    return resolver


def _parse_resolver(text: str) -> tuple[str, int]:
    """`ip`, `ip:port`, `[ipv6]:port`; a name is refused, for who would resolve it?"""
    try:
        match = _RESOLVER.fullmatch(text)
        if match is None:
            return str(ipaddress.ip_address(text)), 53
        host = ipaddress.IPv6Address(match["v6"]) if match["v6"] else ipaddress.IPv4Address(match["v4"])
        port = int(match["port"] or 53)
    except ValueError as error:
        raise ValueError(f"not a resolver address (ip, ip:port or [ipv6]:port): {text!r}") from error
    if not 1 <= port <= 65535:
        raise ValueError(f"not a port of a resolver: {text!r}")
    return str(host), port
