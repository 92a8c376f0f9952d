"""Submits an application for review, and returns it to draft."""

from uuid import UUID

from frontdesk.applications.edit import get_developer_application
from frontdesk.applications.queries.applications import lock_application
from frontdesk.applications.queries.reviews import insert_review_action, update_status
from frontdesk.applications.queries.versions import delete_unused_pictures, insert_version, update_submitted
from frontdesk.applications.types import Application, ReviewAction, Status
from frontdesk.errors import Code, WireError, invalid
from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7
from frontdesk.webhooks.event_types import READ_SCOPES, EventType

_REQUIRED_LINKS = ("support", "privacy")


def submission_problems(application: Application) -> dict[str, str]:
    """Why the application cannot be submitted yet, by the part of the record."""
    requested = {scope.scope for scope in application.scopes}
    needed = {scope for name in application.webhook_events for scope in READ_SCOPES[EventType(name)]}
    problems = {
        "about": "It needs a description." if not application.describe("en") else "",
        "links": "It needs links to support and to its privacy policy."
        if not all(application.links.get(name) for name in _REQUIRED_LINKS)
        else "",
        "scopes": "It requests no scope." if not requested else "",
        "webhooks": "It subscribes to events that its scopes cannot read." if needed - requested else "",
        "secret": "Its webhooks need a signing secret." if application.webhook_url and not application.signs else "",
    }
    return {part: text for part, text in problems.items() if text}


async def submit(conn: Connection, developer_id: UUID, application_id: UUID) -> None:
    async with conn.transaction():
        await lock_application(conn, application_id)
        application = await get_developer_application(conn, developer_id, application_id)
        if not application.is_editable:
            raise WireError(Code.VALIDATION_ERROR, "Only a draft can be submitted.")
        problems = submission_problems(application)
        if problems:
            raise invalid({"": list(problems.values())})
        version = await insert_version(conn, application_id)
        await update_submitted(conn, application_id, version)
        await update_status(conn, application_id, Status.IN_REVIEW, None)
        await insert_review_action(conn, uuid7(), application_id, ReviewAction.SUBMITTED, None, developer_id, version)
        await delete_unused_pictures(conn, application_id)


async def withdraw(conn: Connection, developer_id: UUID, application_id: UUID) -> None:
    """Returns it to draft for editing. Businesses still see and install the last approved version."""
    async with conn.transaction():
        await lock_application(conn, application_id)
        application = await get_developer_application(conn, developer_id, application_id)
        if application.status not in (Status.IN_REVIEW, Status.APPROVED):
            raise WireError(Code.VALIDATION_ERROR, "Only applications in review or approved can be returned to draft.")
        await update_submitted(conn, application_id, application.approved_version)
        await update_status(conn, application_id, Status.DRAFT, None)
        await insert_review_action(
            conn, uuid7(), application_id, ReviewAction.WITHDRAWN, None, developer_id, application.submitted_version
        )
        await delete_unused_pictures(conn, application_id)
