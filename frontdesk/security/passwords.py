"""Passwords of people. One hash takes a core and 64 MiB for a while: two run at a time, and a bounded queue waits."""

import asyncio
import secrets
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from threading import BoundedSemaphore
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from frontdesk.errors import Code, WireError

T = TypeVar("T")
_HASHER = PasswordHasher()
# Neither the threads nor the semaphores belong to an event loop, so every loop of the process may use them.
_THREADS = ThreadPoolExecutor(max_workers=2, thread_name_prefix="passwords")
# A hash takes about a third of a second, so a full queue is empty again after some six seconds. Strangers cannot fill
# the places of people who are signed in or who use a device that has signed in before.
MAX_STRANGERS, MAX_KNOWN = 16, 16
_STRANGERS, _KNOWN = BoundedSemaphore(MAX_STRANGERS), BoundedSemaphore(MAX_KNOWN)
RETRY_AFTER = 5  # seconds


async def hash_password(password: str, *, known: bool = False) -> str:
    """`known`: the request comes from a signed-in person or a known device."""
    return await _run(lambda: _HASHER.hash(_bytes(password)), known=known)


async def verify_password(password: str, password_hash: str | None, *, known: bool = False) -> bool:
    """Without a hash to compare with (nobody of that name) it takes as long, so that time tells nothing."""
    return await _run(lambda: _verify(password, password_hash), known=known)


async def _run(work: Callable[[], T], *, known: bool) -> T:
    """A request that is canceled leaves the queue. Beyond the queue's limit: 503."""
    places = _KNOWN if known else _STRANGERS
    if not places.acquire(blocking=False):
        raise WireError(
            Code.SERVICE_UNAVAILABLE,
            f"Too many people are signing in at the moment. Try again in {RETRY_AFTER} s.",
            headers={"retry-after": str(RETRY_AFTER)},
        )
    future: Future[T] = _THREADS.submit(work)
    future.add_done_callback(lambda _: places.release())
    return await asyncio.wrap_future(future)


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
    """A form can carry half of a surrogate pair, which is a wrong password and not a fault."""
    return password.encode("utf-8", "surrogatepass")
