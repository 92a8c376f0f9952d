"""Changing the status of an order on its page and in the calendar."""

from datetime import datetime
from uuid import UUID

from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.orders.change_status import ChangeOrderStatus, SettableStatus
from frontdesk.tenants.cancel_reason_queries import Names
from frontdesk.ui.shell.confirmation import ask_for_confirmation
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.local_paths import local_path
from frontdesk.values.clock import current_time

BEFORE_TIME = N_("This appointment begins later: %(date)s, %(time)s. Continue anyway?")


def ask_before_time(context: PageContext, starts_at: datetime | None, act: str, back: str) -> Response:
    """An appointment that is started or done before its time is usually the wrong one."""
    moment = starts_at or current_time()
    when = {"date": context.format.short_date(moment), "time": context.format.time(moment)}
    return ask_for_confirmation(
        context,
        question=context.translate(BEFORE_TIME) % when,
        yes=context.translate(N_("Start appointment") if act == "in-progress" else N_("Done")),
        no=context.translate(N_("Keep as it is")),
        back=local_path(back),
    )


async def change_status_by_form(
    context: PageContext,
    order_id: UUID,
    target: SettableStatus,
    note: str | None,
    version: int | None,
    *,
    no_show: bool = False,
    notify: bool | None = None,
    reason: Names | None = None,
    may_forgive: bool = False,
) -> None:
    act = ChangeOrderStatus(
        order_id,
        target,
        note,
        None,
        no_show,
        at_desk=True,
        notify=notify,
        version=version,
        reason=reason,
        may_forgive=may_forgive,
    )
    await context.run(act)
