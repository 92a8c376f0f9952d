"""The operator's decisions. Nobody is named (`by` is None) where a decision is taken by command."""

from collections.abc import Collection
from uuid import UUID

from frontdesk.applications.queries.records import find_application, lock_application
from frontdesk.applications.queries.reviewing import (
    insert_step,
    lock_businesses,
    resume_installs,
    suspend_installs,
    update_commission_note,
    update_status,
)
from frontdesk.applications.types import Application, Status, Step
from frontdesk.errors import Code, WireError, invalid, not_found
from frontdesk.kit.db import Connection
from frontdesk.kit.ids import new_id


async def get_application(conn: Connection, application_id: UUID) -> Application:
    application = await find_application(conn, application_id)
    if application is None:
        raise not_found("application")
    return application


async def approve(conn: Connection, application_id: UUID, by: UUID | None, reason: str | None = None) -> None:
    """One that was suspended works again at every business that did not disconnect it meanwhile."""
    async with conn.transaction():
        before = await _lock(conn, application_id, {Status.IN_REVIEW, Status.SUSPENDED})
        await _decide(conn, application_id, Status.APPROVED, Step.APPROVED, by, reason)
        if before.status is Status.SUSPENDED:
            await resume_installs(conn, application_id)
            await lock_businesses(conn, application_id)


async def reject(conn: Connection, application_id: UUID, by: UUID | None, reason: str) -> None:
    _require_reason(reason)
    async with conn.transaction():
        await _lock(conn, application_id, {Status.IN_REVIEW})
        await _decide(conn, application_id, Status.REJECTED, Step.REJECTED, by, reason)


async def suspend(conn: Connection, application_id: UUID, by: UUID | None, reason: str) -> None:
    """Whatever it is now. At every business it stops as if disconnected, until it is approved again."""
    _require_reason(reason)
    async with conn.transaction():
        await _lock(conn, application_id, set(Status) - {Status.SUSPENDED})
        await _decide(conn, application_id, Status.SUSPENDED, Step.SUSPENDED, by, reason)
        await suspend_installs(conn, application_id)
        await lock_businesses(conn, application_id)


async def note_commission(conn: Connection, application_id: UUID, note: str) -> None:
    if not await update_commission_note(conn, application_id, note or None):
        raise not_found("application")


async def _lock(conn: Connection, application_id: UUID, allowed: Collection[Status]) -> Application:
    await lock_application(conn, application_id)
    application = await get_application(conn, application_id)
    if application.status not in allowed:
        raise WireError(
            Code.VALIDATION_ERROR, f"This cannot be decided about an application that is {application.status.value!r}."
        )
    return application


async def _decide(
    conn: Connection, application_id: UUID, status: Status, step: Step, by: UUID | None, reason: str | None
) -> None:
    await update_status(conn, application_id, status, reason or None)
    await insert_step(conn, new_id(), application_id, step, reason or None, by)


def _require_reason(reason: str) -> None:
    if not reason.strip():
        raise invalid({"reason": ["is required"]})
