"""One click that mends what does not work, on the overview and on the page of the record."""

from collections.abc import Callable
from typing import Literal
from uuid import UUID

import msgspec

from frontdesk.attention.mend import (
    look_at_business,
    look_at_link,
    look_at_service,
    plan_all_perform,
    plan_dismissal,
    plan_link,
    plan_no_tax,
    plan_retry,
)
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.postgres.act import FunctionCall
from frontdesk.postgres.write import write
from frontdesk.ui.auth.sign_in import local_path
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.routing import Pages

pages = Pages()


class BackForm(msgspec.Struct):
    back: str = "/#needs"


class MemberForm(BackForm, kw_only=True):
    user: UUID


class StepForm(BackForm):
    """An optional step of the set-up."""

    step: Literal["team", "share"] = "team"


@pages.post("/attention/services/{item_id}/perform", MANAGERS)
async def let_all_perform(context: PageContext, item_id: UUID, form: BackForm) -> Response:
    async with context.connection() as conn:
        await write(
            conn,
            context.tenant_id,
            look_at_service(item_id),
            lambda seen: plan_all_perform(seen, item_id),
            actor=context.actor,
        )
    return context.redirect(local_path(form.back), flash=N_("All providers of its branch perform it now."))


@pages.post("/attention/staff/{staff_id}/member", MANAGERS)
async def link_member(context: PageContext, staff_id: UUID, form: MemberForm) -> Response:
    async with context.connection() as conn:
        await write(
            conn,
            context.tenant_id,
            look_at_link(form.user, staff_id),
            lambda seen: plan_link(seen, form.user, staff_id),
            actor=context.actor,
        )
    return context.redirect(local_path(form.back), flash=N_("They are linked."))


@pages.post("/attention/no-tax", MANAGERS)
async def answer_no_tax(context: PageContext, form: BackForm) -> Response:
    return await _mend(context, form, plan_no_tax, N_("No tax is charged. Tax classes are in the settings."))


@pages.post("/attention/mail", MANAGERS)
async def retry_mail(context: PageContext, form: BackForm) -> Response:
    return await _mend(context, form, plan_retry, N_("The messages are tried again now."))


@pages.post("/attention/dismiss", MANAGERS)
async def dismiss_step(context: PageContext, form: StepForm) -> Response:
    flash = N_("Put away. It stays in the settings.")
    return await _mend(context, form, lambda seen: plan_dismissal(seen, form.step), flash)


async def _mend(context: PageContext, form: BackForm, plan: Callable[[None], FunctionCall], flash: str) -> Response:
    async with context.connection() as conn:
        await write(conn, context.tenant_id, look_at_business(), plan, actor=context.actor)
    return context.redirect(local_path(form.back), flash=flash)
