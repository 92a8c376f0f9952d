"""Passwords of people. Hashing one takes a core and 64 MiB for a while, so at most two are hashed at a time."""

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

_HASHER = PasswordHasher()
# A pool of two threads is the semaphore: it belongs to no event loop, so every loop of the process may use it.
_THREADS = ThreadPoolExecutor(max_workers=2, thread_name_prefix="passwords")


async def hash_password(password: str) -> str:
    return await asyncio.get_running_loop().run_in_executor(_THREADS, _HASHER.hash, _bytes(password))


async def verify_password(password: str, password_hash: str | None) -> bool:
    """Without a hash to compare with (nobody of that name) it takes as long, so that time tells nothing."""
    return await asyncio.get_running_loop().run_in_executor(_THREADS, _verify, password, password_hash)


def _verify(password: str, password_hash: str | None) -> bool:
    try:
        _HASHER.verify(password_hash or _hash_of_nothing(), _bytes(password))
    except (VerificationError, InvalidHashError):
        return False
    return password_hash is not None


@cache
def _hash_of_nothing() -> str:
    return _HASHER.hash(secrets.token_bytes(32))


def _bytes(password: str) -> bytes:
    """A form can carry half of a surrogate pair, which is a wrong password and not a fault."""
    return password.encode("utf-8", "surrogatepass")
