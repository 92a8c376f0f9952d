"""The act of becoming a developer: a sandbox of one's own, and its credentials, told once."""

import hashlib
from typing import NamedTuple
from uuid import UUID

from frontdesk.access.users import create_user, name_fault
from frontdesk.applications.queries.records import insert_developer
from frontdesk.errors import Code, WireError, invalid
from frontdesk.kit.db import Connection
from frontdesk.kit.ratelimit import spend_try
from frontdesk.sandbox.make import Sandbox, make_sandbox

TRIES_OF_ADDRESS, TRIES_OF_ALL = 3, 20  # a minute; a sandbox is some thousand rows


class NewDeveloper(NamedTuple):
    email: str
    name: str
    password: str
    company: str  # as businesses read it


async def sign_up_developer(conn: Connection, new: NewDeveloper, address: str) -> tuple[UUID, Sandbox]:
    _require_company(new.company)
    await _spend_sign_up(conn, address)
    async with conn.transaction():
        user_id = await create_user(conn, new.email, new.name, new.password)
        return user_id, await _settle(conn, user_id, new.company)


async def become_developer(conn: Connection, user_id: UUID, company: str, address: str) -> Sandbox:
    """Somebody who can sign in already."""
    _require_company(company)
    await _spend_sign_up(conn, address)
    async with conn.transaction():
        return await _settle(conn, user_id, company)


async def _settle(conn: Connection, user_id: UUID, company: str) -> Sandbox:
    sandbox = await make_sandbox(conn, owner_id=user_id)
    if not await insert_developer(conn, user_id, company.strip(), sandbox.tenant_id):
        raise WireError(Code.VALIDATION_ERROR, "You are a developer already.")
    return sandbox


def _require_company(company: str) -> None:
    fault = name_fault(company)
    if fault:
        raise invalid({"company": [fault]})


async def _spend_sign_up(conn: Connection, address: str) -> None:
    """Of one address, and of the whole service, so that many addresses do not fill the disk either."""
    for kind, most in ((f"address\0{address}", TRIES_OF_ADDRESS), ("all", TRIES_OF_ALL)):
        wait = await spend_try(conn, hashlib.sha256(f"sign-up {kind}".encode()).digest(), most)
        if wait is not None:
            raise WireError(
                Code.RATE_LIMIT_EXCEEDED,
                f"Too many tries. Try again in {wait} s.",
                details={"retry_after": wait},
                headers={"retry-after": str(wait)},
            )
