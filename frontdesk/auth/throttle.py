"""Throttles attempts before anything that costs: by network address first, then by account or client."""

import hashlib
import ipaddress

from frontdesk.auth.rate_limit import consume_attempt, reset_attempts
from frontdesk.errors import Code, WireError
from frontdesk.net.email_domains import canonical_email
from frontdesk.postgres.pool import Connection

# A minute. One address may try several accounts (an office behind one router), and an account may be tried from
# several addresses: a stranger who uses up the attempts of an account at one address leaves all other addresses open.
ATTEMPTS_OF_ADDRESS = 30
ATTEMPTS_OF_ACCOUNT_AT_ADDRESS = 10
ATTEMPTS_OF_ACCOUNT = 100
ATTEMPTS_OF_DEVICE = 10
_IPV6_PREFIX = 64  # what a provider gives to one household


async def consume_sign_in(conn: Connection, email: str, address: str, device: bytes | None) -> None:
    """Take one attempt to sign in. A refused attempt counts for nothing that is checked after it.

    A device on which this account has signed in before has attempts of its own, so that no stranger can use up the
    owner's, not even with many addresses.
    """
    if device is not None:
        await consume_attempt_or_raise(conn, device_subject(device), ATTEMPTS_OF_DEVICE)
        return
    await consume_attempt_or_raise(conn, address_subject(address), ATTEMPTS_OF_ADDRESS)
    await consume_attempt_or_raise(conn, account_subject(email, address), ATTEMPTS_OF_ACCOUNT_AT_ADDRESS)
    await consume_attempt_or_raise(conn, account_subject(email), ATTEMPTS_OF_ACCOUNT)


async def refund_sign_in(conn: Connection, email: str, address: str, device: bytes | None) -> None:
    """After a right password."""
    await reset_attempts(conn, device_subject(device) if device else account_subject(email, address))


async def consume_attempt_or_raise(conn: Connection, subject: bytes, limit: int) -> None:
    """Take one try from the subject's minute."""
    raise_if_throttled(await consume_attempt(conn, subject, limit), "Too many attempts.")


def raise_if_throttled(wait: int | None, why: str) -> None:
    """`wait` in seconds; None where nobody has to."""
    if wait is not None:
        raise WireError(
            Code.RATE_LIMIT_EXCEEDED,
            f"{why} Try again in {wait} s.",
            details={"retry_after": wait},
            headers={"retry-after": str(wait)},
        )


def address_subject(address: str) -> bytes:
    return subject("sign-in address", address_prefix(address))


def account_subject(email: str, address: str | None = None) -> bytes:
    """Of one account, as it is tried from one address or from all of them together."""
    prefix = "" if address is None else address_prefix(address)
    return subject("sign-in account", canonical_email(email), prefix)


def device_subject(device: bytes) -> bytes:
    return subject("sign-in device", device.hex())


def subject(kind: str, *names: str) -> bytes:
    return hashlib.sha256("\0".join((kind, *names)).encode("utf-8", "surrogatepass")).digest()


def address_prefix(address: str) -> str:
    """An IPv4 address, or the /64 network of an IPv6 address: one host can use every address of that network."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, _IPV6_PREFIX), strict=False))
