"""One click that mends what does not work, on the overview and on the page of the record."""

from typing import Any, Literal
from uuid import UUID

import msgspec

from frontdesk.attention.mend import AnswerNoTax, DismissSetupStep, LetAllPerform, LinkMember, RetryMessages
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.postgres.act import Act
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.local_paths import local_path
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
    return await _mend(context, form, LetAllPerform(item_id), N_("All providers of its branch perform it now."))


@pages.post("/attention/staff/{staff_id}/member", MANAGERS)
async def link_member(context: PageContext, staff_id: UUID, form: MemberForm) -> Response:
    return await _mend(context, form, LinkMember(form.user, staff_id), N_("Linked."))


@pages.post("/attention/no-tax", MANAGERS)
async def answer_no_tax(context: PageContext, form: BackForm) -> Response:
    return await _mend(context, form, AnswerNoTax(), N_("No tax is charged. Tax classes are in the settings."))


@pages.post("/attention/mail", MANAGERS)
async def retry_mail(context: PageContext, form: BackForm) -> Response:
    return await _mend(context, form, RetryMessages(), N_("The messages are tried again now."))


@pages.post("/attention/dismiss", MANAGERS)
async def dismiss_step(context: PageContext, form: StepForm) -> Response:
    return await _mend(context, form, DismissSetupStep(form.step), N_("Hidden. It stays in the settings."))


async def _mend(context: PageContext, form: BackForm, act: Act[Any], flash: str) -> Response:
    await context.run(act)
    return context.redirect(local_path(form.back), flash=flash)
