"""Password hashing. One hash uses a core and 64 MiB, so two run at a time, and others wait for their turn."""

import asyncio
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from frontdesk.runtime.slow_work import SlowWork
from frontdesk.values.problems import BusyProblem

T = TypeVar("T")
_HASHER = PasswordHasher()
_THREADS = ThreadPoolExecutor(max_workers=2, thread_name_prefix="passwords")
# A hash takes about a third of a second, so a full line drains in about six seconds. The business of a sign-in is not
# known yet: people who are signed in or use a known device have one thread, all others the other one.
MAX_UNKNOWN = MAX_KNOWN = 16
HASHING = SlowWork(
    "hashing",
    slots=2,
    share=1,
    waiting=MAX_UNKNOWN - 1,
    limit=20.0,
    busy=BusyProblem.SIGN_INS,
)


async def hash_password(password: str, *, known: bool = False) -> str:
    """`known`: the request comes from a signed-in user or a known device."""
    return await _run(lambda: _HASHER.hash(_bytes(password)), known=known)


async def verify_password(password: str, password_hash: str | None, *, known: bool = False) -> bool:
    """Takes as long without a hash (unknown account), so that the duration reveals nothing."""
    return await _run(lambda: _verify(password, password_hash), known=known)


async def _run(work: Callable[[], T], *, known: bool) -> T:
    """A canceled request leaves the line; a hash that has begun keeps its turn until it is done."""
    async with HASHING.turn(known):
        hashing = asyncio.wrap_future(_THREADS.submit(work))
        try:
            return await asyncio.shield(hashing)
        except asyncio.CancelledError:
            await asyncio.wait([hashing])
            raise


def _verify(password: str, password_hash: str | None) -> bool:
    try:
        _HASHER.verify(password_hash or _placeholder_hash(), _bytes(password))
    except (VerificationError, InvalidHashError):
        return False
    return password_hash is not None


@cache
def _placeholder_hash() -> str:
    return _HASHER.hash(secrets.token_bytes(32))


def _bytes(password: str) -> bytes:
    """A form can contain an unpaired surrogate; that is a wrong password, not an error."""
    return password.encode("utf-8", "surrogatepass")
