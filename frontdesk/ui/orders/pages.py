"""One order with its history, and changes of its status."""

from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.applications.queries.panels import Place
from frontdesk.http.field_types import LongText
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.messages.log_queries import list_order_messages
from frontdesk.orders.change_status import SettableStatus, find_cancel_problem
from frontdesk.orders.edit import find_edit_problem
from frontdesk.orders.types import Status
from frontdesk.problems import Problem, check_version
from frontdesk.refunds.give_up import GiveUpAppointment, can_give_up
from frontdesk.scheduling.share_booking import CreateBookingLink
from frontdesk.ui.components.approval import ApprovalFields, approvers_for, require_approval
from frontdesk.ui.components.calendar_queries import calendar_order
from frontdesk.ui.components.cancel_reason import read_reason, reason_choices
from frontdesk.ui.components.message_labels import KINDS, state_of
from frontdesk.ui.components.order_labels import AUTHORS, SOURCES, STATUSES, TRANSACTIONS
from frontdesk.ui.components.order_queries import DashboardOrder, get_dashboard_order
from frontdesk.ui.components.order_status import ask_before_time, change_status_by_form
from frontdesk.ui.shell.application_panels import allow_frames, find_panels, find_stored_data
from frontdesk.ui.shell.confirmation import Confirmed
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.local_paths import local_path
from frontdesk.ui.shell.notify import NotifyChoice, chosen_notice
from frontdesk.ui.shell.permissions import CASHIERS, RECEPTION
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7

pages = Pages()
PATH = "/orders"


class StatusForm(msgspec.Struct):
    status: Literal["confirmed", "in-progress", "completed"]
    version: int | None = None
    note: LongText | None = None
    sure: Confirmed = None  # that it is started or done before its time


class CancelForm(ApprovalFields, kw_only=True):
    version: int | None = None
    note: LongText | None = None
    reason: Annotated[str, Meta(max_length=255)] = ""
    no_show: bool = False
    notify: NotifyChoice = ""
    back: Annotated[str, Meta(max_length=2000)] = ""  # the page that asked; without it the order's


class CancelQuery(msgspec.Struct):
    back: Annotated[str, Meta(max_length=2000)] = ""


@pages.get(f"{PATH}/{{order_id}}", CASHIERS)
async def show_order(context: PageContext, order_id: UUID) -> Response:
    async with context.connection() as conn:
        order = await get_dashboard_order(conn, context.tenant_id, order_id, context.names_language)
        messages = await list_order_messages(conn, context.tenant_id, order_id)
        panels = await find_panels(context, conn, Place.ORDER, order_id)
        stored_data = await find_stored_data(context, conn, "order", order_id)
    page = context.render(
        "order.html",
        panels=panels,
        stored_data=stored_data,
        messages=messages if context.has_access(RECEPTION) else [],
        message_kinds=KINDS,
        message_state=state_of,
        order=order,
        next_statuses=_next_statuses(order),
        can_edit=_edit_problem(order) is None,
        cancel_problem=None if _is_given_up(order) else _cancel_problem(order),
        form_id=uuid7(),
        is_cashier=context.has_access(CASHIERS),
        statuses=STATUSES,
        sources=SOURCES,
        authors=AUTHORS,
        transactions=TRANSACTIONS,
    )
    return allow_frames(page, panels)


def _next_statuses(order: DashboardOrder) -> list[Status]:
    """The statuses that the order can change to. Cancellation has its own page; refunds do not change."""
    settable = (Status.CONFIRMED, Status.IN_PROGRESS, Status.COMPLETED)
    is_over = order.status == Status.CANCELED and (order.refunded_amount > 0 or order.invoice is not None)
    is_final = order.sale is not None or is_over
    return [] if is_final else [status for status in settable if status != order.status]


def _edit_problem(order: DashboardOrder) -> Problem | None:
    return find_edit_problem(
        status=Status(order.status),
        is_refund=order.sale is not None,
        invoiced=order.invoice is not None,
        refunded=bool(order.refunds),
    )


def _cancel_problem(order: DashboardOrder) -> Problem | None:
    return find_cancel_problem(
        invoiced=order.invoice is not None,
        is_refund=order.sale is not None,
        refunded=bool(order.refunds),
    )


def _is_given_up(order: DashboardOrder) -> bool:
    """Whether canceling it means that its appointment is given up and its invoice credited."""
    return _cancel_problem(order) is not None and can_give_up(
        status=Status(order.status), has_appointment=order.appointment is not None, invoiced=order.invoice is not None
    )


@pages.post(f"{PATH}/{{order_id}}/link", CASHIERS, on_error=show_order)
async def make_link(context: PageContext, order_id: UUID) -> Response:
    await context.run(CreateBookingLink(order_id))
    return context.redirect(f"{PATH}/{order_id}", flash=N_("The booking has a link now."))


@pages.post(f"{PATH}/{{order_id}}/status", CASHIERS, on_error=show_order)
async def submit_status(context: PageContext, order_id: UUID, form: StatusForm) -> Response:
    order = await context.fetch(calendar_order(order_id, None))
    if order.is_early(form.status) and form.sure is None:
        return ask_before_time(context, order.starts_at, form.status, f"{PATH}/{order_id}")
    await change_status_by_form(context, order_id, SettableStatus(form.status), form.note, form.version)
    return context.redirect(f"{PATH}/{order_id}", flash=N_("Status changed."))


@pages.get(f"{PATH}/{{order_id}}/cancel", CASHIERS)
async def confirm_cancel(context: PageContext, order_id: UUID, query: CancelQuery | None = None) -> Response:
    order = await context.call(get_dashboard_order, context.tenant_id, order_id)
    back = query.back if query else context.form.value("back", "")
    return context.render(
        "order_cancel.html",
        order=order,
        is_given_up=_is_given_up(order),
        problem=_cancel_problem(order),
        back=local_path(back) if back else "",
        reasons=await reason_choices(context),
        approvers=await approvers_for(context) if order.is_owed else None,
    )


async def _may_forgive(context: PageContext, order_id: UUID, form: CancelForm) -> bool:
    """What is canceled is no longer owed: owners and managers decide that, or allow it by their PIN."""
    order = await context.call(get_dashboard_order, context.tenant_id, order_id)
    if order.is_owed:
        check_version(form.version, order.version, order_id)  # before a PIN is tried
        await require_approval(context, form)
    return context.is_manager or context.approval is not None


@pages.post(f"{PATH}/{{order_id}}/cancel", CASHIERS, on_error=confirm_cancel)
async def cancel(context: PageContext, order_id: UUID, form: CancelForm) -> Response:
    await change_status_by_form(
        context,
        order_id,
        SettableStatus.CANCELED,
        form.note,
        form.version,
        no_show=form.no_show,
        notify=None if form.no_show else chosen_notice(form.notify),
        reason=await read_reason(context, form.reason),
        may_forgive=await _may_forgive(context, order_id, form),
    )
    return context.redirect(local_path(form.back or f"{PATH}/{order_id}"), flash=N_("Order canceled."))


@pages.post(f"{PATH}/{{order_id}}/give-up", CASHIERS, on_error=confirm_cancel)
async def give_up(context: PageContext, order_id: UUID, form: CancelForm) -> Response:
    notify = None if form.no_show else chosen_notice(form.notify)
    reason, may_forgive = await read_reason(context, form.reason), await _may_forgive(context, order_id, form)
    await context.run(GiveUpAppointment(order_id, form.note, form.no_show, notify, form.version, reason, may_forgive))
    return context.redirect(local_path(form.back or f"{PATH}/{order_id}"), flash=N_("Order canceled."))
