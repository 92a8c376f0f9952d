"""A PIN of an owner or a manager, typed at another person's till, allows one act there."""

import math
import re
from datetime import timedelta
from uuid import UUID

from frontdesk.accounts.member_activity import record_for_member
from frontdesk.accounts.pin_queries import (
    Approver,
    PinState,
    count_pin_try,
    find_approver,
    find_pin,
    list_approvers,
    take_pin_failures_back,
    update_pin,
)
from frontdesk.accounts.sessions import Connect
from frontdesk.activity.record import record_activity
from frontdesk.auth.problems import PinProblem
from frontdesk.auth.types import SessionUser
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem
from frontdesk.security.passwords import hash_password, verify_password
from frontdesk.values.actor import Actor
from frontdesk.values.text import ascii_digits

MIN_DIGITS, MAX_DIGITS = 4, 8
FREE_FAILURES, PAUSE = 5, timedelta(minutes=5)  # then each further try waits
MAX_FAILURES = 10  # then only a new PIN works: ten of ten thousand can be tried
_ROWS = "01234567890", "09876543210"
_REPEATED = re.compile(r"(.+)\1+")
_YEAR = re.compile(r"(19|20)\d\d")


async def set_pin(connect: Connect, user: SessionUser, actor: Actor, typed: str) -> None:
    pin = ascii_digits(typed.strip())
    if not (pin.isascii() and pin.isdigit() and MIN_DIGITS <= len(pin) <= MAX_DIGITS):
        raise Problem(PinProblem.NOT_DIGITS, "pin", least=MIN_DIGITS, most=MAX_DIGITS)
    if any(pin in row for row in _ROWS) or _REPEATED.fullmatch(pin) or _YEAR.fullmatch(pin):
        raise Problem(PinProblem.TOO_EASY, "pin")
    pin_hash = await hash_password(pin, known=True)
    async with connect() as conn:
        await _store(conn, user, actor, pin_hash, "member.pin_set")


async def remove_pin(conn: Connection, user: SessionUser, actor: Actor) -> None:
    await _store(conn, user, actor, None, "member.pin_removed")


async def _store(conn: Connection, user: SessionUser, actor: Actor, pin_hash: str | None, action: str) -> None:
    async with conn.transaction():
        await update_pin(conn, user.id, pin_hash)
        await record_for_member(conn, user.id, user.name, actor, action)


async def read_approvers(conn: Connection, tenant_id: UUID) -> list[Approver]:
    return await list_approvers(conn, tenant_id, MAX_FAILURES)


async def check_pin(connect: Connect, tenant_id: UUID, actor: Actor, approver_id: UUID | None, typed: str) -> UUID:
    """Returns who allows it. `actor` is the one who asks; a wrong PIN is recorded with both names."""
    async with connect() as conn:
        name = await find_approver(conn, tenant_id, approver_id) if approver_id else None
        if approver_id is None or name is None:
            raise Problem(PinProblem.NO_APPROVER, "approver")
        if not typed.strip():
            raise Problem(PinProblem.MISSING, "pin")
        counted = await count_pin_try(conn, approver_id, FREE_FAILURES, MAX_FAILURES, PAUSE)
        if counted is None:
            raise _refusal(await find_pin(conn, approver_id, PAUSE))
    is_right = await verify_password(ascii_digits(typed.strip()), counted.hash, known=True)
    async with connect() as conn:
        if is_right:
            await take_pin_failures_back(conn, approver_id, 2)  # this try, and one before it
            return approver_id
        await record_activity(conn, tenant_id, actor, "member.pin_refused", approver_id, name)
    raise _refusal(counted)


def _refusal(pin: PinState) -> Problem:
    if pin.hash is None:
        return Problem(PinProblem.NO_APPROVER, "approver")
    if pin.failures >= MAX_FAILURES:
        return Problem(PinProblem.LOCKED, "pin")
    if pin.failures >= FREE_FAILURES:
        return Problem(PinProblem.PAUSED, "pin", minutes=max(1, math.ceil(pin.seconds_left / 60)))
    return Problem(PinProblem.WRONG, "pin", left=FREE_FAILURES - pin.failures)
