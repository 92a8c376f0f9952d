"""Passwords are kept as hashes that only the password itself opens."""

import asyncio

import pytest
from argon2 import PasswordHasher, Type, extract_parameters

from frontdesk.security import passwords
from frontdesk.security.passwords import hash_password, verify_password


@pytest.fixture(autouse=True)
def real_cost(real_hasher: PasswordHasher, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other tests hash quickly."""
    monkeypatch.setattr(passwords, "_HASHER", real_hasher)


async def test_only_the_right_password_matches_its_hash() -> None:
    kept = await hash_password("lotus-حناء-8971")
    assert kept.startswith("$argon2id$")
    assert await verify_password("lotus-حناء-8971", kept)
    assert not await verify_password("lotus-حناء-8972", kept)


async def test_the_same_password_has_a_different_hash_each_time() -> None:
    first, second = await asyncio.gather(hash_password("lotus"), hash_password("lotus"))
    assert first != second


@pytest.mark.parametrize("kept", [None, "", "plain", "$argon2id$v=19$broken"])
async def test_no_password_matches_a_malformed_hash(kept: str | None) -> None:
    assert not await verify_password("", kept)


async def test_a_password_with_a_lone_surrogate_is_wrong_and_no_error() -> None:
    assert not await verify_password("\udcff", await hash_password("lotus"))


async def test_password_hashing_has_the_parameters_of_rfc_9106() -> None:
    cost = extract_parameters(await hash_password("lotus"))
    assert (cost.type, cost.time_cost, cost.memory_cost, cost.parallelism) == (Type.ID, 3, 64 * 1024, 4)
