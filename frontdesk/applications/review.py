"""The operator's decisions. `actor` is None for a decision made with a command."""

from collections.abc import Collection, Sequence
from uuid import UUID

from frontdesk.activity.record import record_activity
from frontdesk.applications.problems import ReviewProblem
from frontdesk.applications.queries.applications import find_application, lock_application
from frontdesk.applications.queries.reviews import (
    insert_review_action,
    resume_installs,
    suspend_installs,
    update_commission_note,
    update_status,
)
from frontdesk.applications.queries.versions import delete_unused_pictures, is_unchanged_since, update_approved
from frontdesk.applications.types import Application, ApplicationStatus, ReviewAction
from frontdesk.applications.versions import require_version
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem, not_found, or_not_found
from frontdesk.values.actor import COMMAND, Actor
from frontdesk.values.ids import uuid7


async def get_application(conn: Connection, application_id: UUID) -> Application:
    return or_not_found(await find_application(conn, application_id), "application")


async def approve(
    conn: Connection, application_id: UUID, actor: UUID | None, version: int, reason: str | None = None
) -> None:
    """Publishes the version that the reviewer saw. A suspended application works again where it is still installed.

    If the developer has edited the application since, the edited record becomes a draft.
    """
    async with conn.transaction():
        before = await _lock(conn, application_id, {ApplicationStatus.IN_REVIEW, ApplicationStatus.SUSPENDED}, version)
        status = (
            ApplicationStatus.APPROVED
            if await is_unchanged_since(conn, application_id, version)
            else ApplicationStatus.DRAFT
        )
        if before.version is not None:
            await update_approved(conn, application_id, version)
        await _decide(conn, before, status, ReviewAction.APPROVED, actor, reason)
        if before.status is ApplicationStatus.SUSPENDED:
            await _record(conn, before, "application.resumed", await resume_installs(conn, application_id), actor)


async def reject(conn: Connection, application_id: UUID, actor: UUID | None, version: int, reason: str) -> None:
    _require_reason(reason)
    async with conn.transaction():
        before = await _lock(conn, application_id, {ApplicationStatus.IN_REVIEW}, version)
        await _decide(conn, before, ApplicationStatus.REJECTED, ReviewAction.REJECTED, actor, reason)


async def suspend(conn: Connection, application_id: UUID, actor: UUID | None, reason: str) -> None:
    """Suspends all versions, whatever the status. The application stops at every business until it is approved."""
    _require_reason(reason)
    async with conn.transaction():
        before = await _lock(conn, application_id, set(ApplicationStatus) - {ApplicationStatus.SUSPENDED})
        await _decide(conn, before, ApplicationStatus.SUSPENDED, ReviewAction.SUSPENDED, actor, reason)
        await _record(conn, before, "application.suspended", await suspend_installs(conn, application_id), actor)


async def set_commission_note(conn: Connection, application_id: UUID, note: str) -> None:
    if not await update_commission_note(conn, application_id, note or None):
        raise not_found("application")


async def _lock(
    conn: Connection, application_id: UUID, allowed: Collection[ApplicationStatus], version: int | None = None
) -> Application:
    """`version` is the one that the reviewer saw; None for a decision about all versions."""
    await lock_application(conn, application_id)
    application = await get_application(conn, application_id)
    if application.status not in allowed:
        raise Problem(ReviewProblem.OTHER_STATUS, status=application.status)
    if version is not None:
        require_version(version, application.version)
    return application


async def _decide(
    conn: Connection,
    application: Application,
    status: ApplicationStatus,
    step: ReviewAction,
    actor: UUID | None,
    reason: str | None,
) -> None:
    await update_status(conn, application.id, status, reason or None, approved=step is ReviewAction.APPROVED)
    await insert_review_action(conn, uuid7(), application.id, step, reason or None, actor, application.version)
    await delete_unused_pictures(conn, application.id)


async def _record(
    conn: Connection, application: Application, action: str, installs: Sequence[tuple[UUID, UUID]], actor: UUID | None
) -> None:
    """In the activity of every business that has installed the application."""
    by = COMMAND if actor is None else Actor("user", actor)
    for tenant_id, install_id in installs:
        await record_activity(conn, tenant_id, by, action, install_id, application.name)


def _require_reason(reason: str) -> None:
    if not reason.strip():
        raise Problem(ReviewProblem.REASON_REQUIRED, "reason")
