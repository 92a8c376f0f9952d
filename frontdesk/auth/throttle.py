"""Throttles attempts before expensive work: by network address first, then by account or client."""

import hashlib

from frontdesk.auth.problems import ThrottleProblem
from frontdesk.auth.rate_limit import consume_attempt, reset_attempts
from frontdesk.net.addresses import address_prefix
from frontdesk.net.email_domains import canonical_email
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem

# Per minute. Several accounts may share an address (an office behind one router). Attempts of an account are counted by
# address too, so that an attacker who uses them up at one address does not lock the account out at others.
ATTEMPTS_OF_ADDRESS = 30
ATTEMPTS_OF_ACCOUNT_AT_ADDRESS = 10
ATTEMPTS_OF_ACCOUNT = 100
ATTEMPTS_OF_DEVICE = 10


async def consume_sign_in(conn: Connection, email: str, address: str, device: bytes | None) -> None:
    """Counts one sign-in attempt. A rejected attempt is not counted by later checks.

    A device on which this account has signed in before has its own limit, so that an attacker cannot lock out the
    owner, not even from many addresses.
    """
    if device is not None:
        await consume_attempt_or_raise(conn, device_subject(device), ATTEMPTS_OF_DEVICE)
        return
    await consume_attempt_or_raise(conn, address_subject(address), ATTEMPTS_OF_ADDRESS)
    await consume_attempt_or_raise(conn, account_subject(email, address), ATTEMPTS_OF_ACCOUNT_AT_ADDRESS)
    await consume_attempt_or_raise(conn, account_subject(email), ATTEMPTS_OF_ACCOUNT)


async def refund_sign_in(conn: Connection, email: str, address: str, device: bytes | None) -> None:
    """Called after a correct password."""
    await reset_attempts(conn, device_subject(device) if device else account_subject(email, address))


async def consume_attempt_or_raise(
    conn: Connection, subject: bytes, limit: int, why: ThrottleProblem = ThrottleProblem.ATTEMPTS
) -> None:
    """Counts one attempt of the subject."""
    raise_if_throttled(await consume_attempt(conn, subject, limit), why)


def raise_if_throttled(wait: int | None, why: ThrottleProblem = ThrottleProblem.ATTEMPTS) -> None:
    """`wait` is in seconds; None if the attempt is allowed."""
    if wait is not None:
        raise Problem(why, seconds=wait)


def address_subject(address: str) -> bytes:
    return subject("sign-in address", address_prefix(address))


def account_subject(email: str, address: str | None = None) -> bytes:
    """For the attempts of one account from one address, or from all addresses."""
    prefix = "" if address is None else address_prefix(address)
    return subject("sign-in account", canonical_email(email), prefix)


def device_subject(device: bytes) -> bytes:
    return subject("sign-in device", device.hex())


def subject(kind: str, *names: str) -> bytes:
    return hashlib.sha256("\0".join((kind, *names)).encode("utf-8", "surrogatepass")).digest()
