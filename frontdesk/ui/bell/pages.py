"""The bell: what happened to bookings, for the member who reads it, and what this member wants to learn."""

from typing import Literal
from uuid import UUID

import msgspec

from frontdesk.auth.types import Role
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.messages.notification_queries import (
    KINDS,
    PAGE_SIZE,
    WAYS,
    get_notification_settings,
    list_notifications,
    read_notification,
    read_notifications,
    see_notifications,
)
from frontdesk.messages.notification_settings import SaveNotificationSettings
from frontdesk.postgres.query import fetch
from frontdesk.problems import not_found
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import ANY_ROLE
from frontdesk.ui.shell.routing import Pages

pages = Pages()
_SETTINGS = "/settings/account/notifications"
Choice = Literal["none", "online", "all"]
KIND_NAMES = {"new": N_("New bookings"), "moved": N_("Moved or changed"), "canceled": N_("Canceled bookings")}
WAY_NAMES = {"bell": N_("On the bell"), "mail": N_("By mail")}
CHOICES = {"none": N_("None"), "online": N_("Online"), "all": N_("All")}


class BellQuery(msgspec.Struct):
    before: UUID | None = None


class NotificationForm(msgspec.Struct):
    bell_new: Choice
    bell_moved: Choice
    bell_canceled: Choice
    mail_new: Choice
    mail_moved: Choice
    mail_canceled: Choice
    own_only: Literal["yes"] | None = None


@pages.get("/bell", ANY_ROLE)
async def show_bell(context: PageContext, query: BellQuery) -> Response:
    """What it lists counts as seen: the count on the bell falls, and the next time its rows are not marked as new."""
    unseen = context.current_tenant.unseen
    async with context.connection() as conn:
        listed = await fetch(conn, context.tenant_id, list_notifications(context.user.id, query.before))
        if unseen:
            await see_notifications(conn, context.tenant_id, context.user.id)
    return context.render(
        "bell.html",
        listed=listed[:PAGE_SIZE],
        older=listed[PAGE_SIZE - 1].id if len(listed) > PAGE_SIZE else None,
        unseen=unseen,
        is_paged=query.before is not None,
    )


@pages.get("/bell/count", ANY_ROLE)
async def show_count(context: PageContext) -> Response:
    """The mark on the bell alone, for pages that stay open."""
    return context.render("bell_mark.html")


@pages.post("/bell/read", ANY_ROLE)
async def submit_read(context: PageContext) -> Response:
    await context.call(read_notifications, context.tenant_id, context.user.id)
    return context.redirect("/bell")


@pages.get("/bell/{notification_id}", ANY_ROLE)
async def open_notification(context: PageContext, notification_id: UUID) -> Response:
    """Leads to the booking: those who may not open orders see it in the calendar."""
    order_id = await context.call(read_notification, context.tenant_id, context.user.id, notification_id)
    if order_id is None:
        raise not_found("notification")
    return context.redirect(f"/calendar?order={order_id}" if context.role is Role.PROVIDER else f"/orders/{order_id}")


@pages.get(_SETTINGS, ANY_ROLE)
async def show_notification_settings(context: PageContext) -> Response:
    settings = await context.fetch(get_notification_settings(context.user.id))
    return context.render(
        "notification_settings.html",
        settings=settings,
        kinds=[(kind, KIND_NAMES[kind]) for kind in KINDS],
        ways=[(way, WAY_NAMES[way]) for way in WAYS],
        choices=CHOICES,
    )


@pages.post(_SETTINGS, ANY_ROLE, on_error=show_notification_settings)
async def submit_notification_settings(context: PageContext, form: NotificationForm) -> Response:
    choices = {f"{way}_{kind}": getattr(form, f"{way}_{kind}") for way in WAYS for kind in KINDS}
    await context.run(SaveNotificationSettings(context.user.id, choices, own_only=form.own_only is not None))
    return context.redirect(_SETTINGS, flash=N_("Saved."))
