"""Submits an application for review, and returns it to draft."""

from uuid import UUID

from frontdesk.applications.edit import IN_FRAMES, get_developer_application
from frontdesk.applications.problems import ReviewProblem
from frontdesk.applications.queries.applications import lock_application
from frontdesk.applications.queries.reviews import insert_review_action, update_status
from frontdesk.applications.queries.versions import delete_unused_pictures, insert_version, update_submitted
from frontdesk.applications.types import Application, ApplicationStatus, ReviewAction
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem, raise_all
from frontdesk.values.ids import uuid7
from frontdesk.webhooks.event_types import READ_SCOPES, EventType

_REQUIRED_LINKS = ("support", "privacy")


def submission_problems(application: Application) -> dict[str, Problem]:
    """Why the application cannot be submitted yet, by the part of the record."""
    requested = {scope.scope for scope in application.scopes}
    needed = {scope for name in application.webhook_events for scope in READ_SCOPES[EventType(name)]}
    has_links = all(application.links.get(name) for name in _REQUIRED_LINKS)
    opens_frames = any(application.links.get(name) for name in IN_FRAMES)
    needs_secret = (application.webhook_url or opens_frames) and not application.signs
    found = {
        "about": None if application.describe("en") else ReviewProblem.NO_DESCRIPTION,
        "links": None if has_links else ReviewProblem.NO_LINKS,
        "scopes": None if requested else ReviewProblem.NO_SCOPES,
        "webhooks": ReviewProblem.UNREADABLE_EVENTS if needed - requested else None,
        "secret": ReviewProblem.NO_SIGNING_SECRET if needs_secret else None,
    }
    return {part: Problem(kind) for part, kind in found.items() if kind is not None}


async def submit(conn: Connection, developer_id: UUID, application_id: UUID) -> None:
    async with conn.transaction():
        await lock_application(conn, application_id)
        application = await get_developer_application(conn, developer_id, application_id)
        if not application.is_editable:
            raise Problem(ReviewProblem.NOT_A_DRAFT)
        raise_all(list(submission_problems(application).values()))
        version = await insert_version(conn, application_id)
        await update_submitted(conn, application_id, version)
        await update_status(conn, application_id, ApplicationStatus.IN_REVIEW, None)
        await insert_review_action(conn, uuid7(), application_id, ReviewAction.SUBMITTED, None, developer_id, version)
        await delete_unused_pictures(conn, application_id)


async def withdraw(conn: Connection, developer_id: UUID, application_id: UUID) -> None:
    """Returns it to draft for editing. Businesses still see and install the last approved version."""
    async with conn.transaction():
        await lock_application(conn, application_id)
        application = await get_developer_application(conn, developer_id, application_id)
        if application.status not in (ApplicationStatus.IN_REVIEW, ApplicationStatus.APPROVED):
            raise Problem(ReviewProblem.NOT_SUBMITTED)
        await update_submitted(conn, application_id, application.approved_version)
        await update_status(conn, application_id, ApplicationStatus.DRAFT, None)
        await insert_review_action(
            conn, uuid7(), application_id, ReviewAction.WITHDRAWN, None, developer_id, application.submitted_version
        )
        await delete_unused_pictures(conn, application_id)
