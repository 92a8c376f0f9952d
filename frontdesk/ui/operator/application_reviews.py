"""The operator's review queue: submitted applications, their use of the sandbox, and the decision."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.activity.operator_acts import About
from frontdesk.applications.queries.reports import close_report, list_open_reports, list_reported
from frontdesk.applications.queries.reviews import find_sandbox_usage, list_applications, list_review_actions
from frontdesk.applications.queries.versions import find_version
from frontdesk.applications.review import approve, get_application, reject, set_commission_note, suspend
from frontdesk.applications.submit import submission_problems
from frontdesk.applications.types import ApplicationStatus
from frontdesk.applications.versions import compare
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.problems import not_found
from frontdesk.ui.components.application_labels import EVENTS, LINKS, PARTS, STATUSES, STEPS, requested_scope_groups
from frontdesk.ui.operator.recorded import recorded
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import OPERATORS
from frontdesk.ui.shell.routing import Pages

pages = Pages()
PATH = "/operator/applications"
_APPLICATION = f"{PATH}/{{application_id}}"
Reason = Annotated[str, Meta(max_length=1000)]


class QueueQuery(msgspec.Struct):
    status: ApplicationStatus | None = None


class DecisionForm(msgspec.Struct):
    version: Annotated[int, Meta(ge=0, le=2**31 - 1)]  # shown on the page
    reason: Reason = ""


class SuspensionForm(msgspec.Struct):
    reason: Reason = ""


class NoteForm(msgspec.Struct):
    note: Annotated[str, Meta(max_length=2000)] = ""


@pages.get(PATH, OPERATORS)
async def show_queue(context: PageContext, query: QueueQuery) -> Response:
    """Applications in review, unless the query has another status."""
    status = query.status or ApplicationStatus.IN_REVIEW
    async with context.connection() as conn:
        applications = await list_applications(conn, status)
        reported = await list_reported(conn)
    return context.render(
        "operator_applications.html",
        applications=applications,
        reported=reported,
        selected=status,
        statuses=STATUSES,
    )


@pages.get(_APPLICATION, OPERATORS)
async def show_review(context: PageContext, application_id: UUID) -> Response:
    async with context.connection() as conn:
        application = await get_application(conn, application_id)
        sandbox_usage = await find_sandbox_usage(conn, application_id)
        steps = await list_review_actions(conn, application_id)
        approved = await find_version(conn, application_id, application.approved_version)
        reports = await list_open_reports(conn, application_id)
    return context.render(
        "operator_application.html",
        application=application,
        reports=reports,
        sandbox_usage=sandbox_usage,
        steps=steps,
        changes=compare(approved, application)
        if approved and application.version != application.approved_version
        else None,
        parts=PARTS,
        missing=submission_problems(application),
        groups=requested_scope_groups(application.scopes),
        labels={"statuses": STATUSES, "steps": STEPS, "events": EVENTS, "links": LINKS},
    )


def _about(application_id: UUID, detail: str) -> About:
    return About(application=application_id, detail=detail)


@pages.post(f"{_APPLICATION}/approve", OPERATORS, on_error=show_review)
async def submit_approval(context: PageContext, application_id: UUID, form: DecisionForm) -> Response:
    async with recorded(context, "application.approved", _about(application_id, form.reason)) as conn:
        await approve(conn, application_id, context.user.id, form.version, form.reason)
    return context.redirect(f"{PATH}/{application_id}", flash=N_("Approved. Businesses can install it."))


@pages.post(f"{_APPLICATION}/reject", OPERATORS, on_error=show_review)
async def submit_rejection(context: PageContext, application_id: UUID, form: DecisionForm) -> Response:
    async with recorded(context, "application.rejected", _about(application_id, form.reason)) as conn:
        await reject(conn, application_id, context.user.id, form.version, form.reason)
    return context.redirect(f"{PATH}/{application_id}", flash=N_("Rejected. The developer sees the reason."))


@pages.post(f"{_APPLICATION}/suspend", OPERATORS, on_error=show_review)
async def submit_suspension(context: PageContext, application_id: UUID, form: SuspensionForm) -> Response:
    async with recorded(context, "application.suspended", _about(application_id, form.reason)) as conn:
        await suspend(conn, application_id, context.user.id, form.reason)
    return context.redirect(f"{PATH}/{application_id}", flash=N_("Suspended at every business."))


@pages.post(f"{_APPLICATION}/note", OPERATORS, on_error=show_review)
async def submit_note(context: PageContext, application_id: UUID, form: NoteForm) -> Response:
    async with recorded(context, "application.noted", _about(application_id, form.note)) as conn:
        await set_commission_note(conn, application_id, form.note)
    return context.redirect(f"{PATH}/{application_id}", flash=N_("Saved."))


@pages.post(f"{_APPLICATION}/reports/{{report_id}}/close", OPERATORS, on_error=show_review)
async def submit_closed_report(context: PageContext, application_id: UUID, report_id: UUID) -> Response:
    async with recorded(context, "application.report_closed", _about(application_id, "")) as conn:
        if not await close_report(conn, application_id, report_id):
            raise not_found("report")
    return context.redirect(f"{PATH}/{application_id}", flash=N_("Closed."))
