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


async def test_only_the_password_itself_opens_its_hash() -> None:
    kept = await hash_password("lotus-حناء-8971")
    assert kept.startswith("$argon2id$")
    assert await verify_password("lotus-حناء-8971", kept)
    assert not await verify_password("lotus-حناء-8972", kept)


async def test_the_same_password_is_kept_differently_each_time() -> None:
    first, second = await asyncio.gather(hash_password("lotus"), hash_password("lotus"))
    assert first != second


@pytest.mark.parametrize("kept", [None, "", "plain", "$argon2id$v=19$broken"])
async def test_nothing_opens_what_is_no_hash(kept: str | None) -> None:
    assert not await verify_password("", kept)


async def test_a_broken_character_is_a_wrong_password_and_no_fault() -> None:
    assert not await verify_password("\udcff", await hash_password("lotus"))


async def test_a_guess_costs_as_much_as_rfc_9106_asks_where_memory_is_scarce() -> None:
    cost = extract_parameters(await hash_password("lotus"))
    assert (cost.type, cost.time_cost, cost.memory_cost, cost.parallelism) == (Type.ID, 3, 64 * 1024, 4)
