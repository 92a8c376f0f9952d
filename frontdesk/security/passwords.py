"""Password hashing. One hash uses a core and 64 MiB, so two run at a time behind a bounded queue."""

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
# Threads and semaphores are not bound to an event loop, so every loop of the process can use them.
_THREADS = ThreadPoolExecutor(max_workers=2, thread_name_prefix="passwords")
# A hash takes about a third of a second, so a full queue drains in about six seconds. Unknown clients cannot fill the
# queue of people who are signed in or who use a known device.
MAX_UNKNOWN, MAX_KNOWN = 16, 16
_UNKNOWN, _KNOWN = BoundedSemaphore(MAX_UNKNOWN), BoundedSemaphore(MAX_KNOWN)
RETRY_AFTER = 5  # seconds


async def hash_password(password: str, *, known: bool = False) -> str:
    """`known`: the request comes from a signed-in user or a known device."""
    return await _run(lambda: _HASHER.hash(_bytes(password)), known=known)


async def verify_password(password: str, password_hash: str | None, *, known: bool = False) -> bool:
    """Takes as long without a hash (unknown account), so that the duration reveals nothing."""
    return await _run(lambda: _verify(password, password_hash), known=known)


async def _run(work: Callable[[], T], *, known: bool) -> T:
    """A canceled request leaves the queue. A full queue is answered with 503."""
    queue = _KNOWN if known else _UNKNOWN
    if not queue.acquire(blocking=False):
        raise WireError(
            Code.SERVICE_UNAVAILABLE,
            f"Too many sign-ins at the moment. Try again in {RETRY_AFTER} s.",
            headers={"retry-after": str(RETRY_AFTER)},
        )
    future: Future[T] = _THREADS.submit(work)
    future.add_done_callback(lambda _: queue.release())
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
    """A form can contain an unpaired surrogate; that is a wrong password, not an error."""
    return password.encode("utf-8", "surrogatepass")
