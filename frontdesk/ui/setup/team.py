"""The third step of the start: who works there. Everyone performs all services, until their own page says otherwise."""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.http.field_types import FilterText
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.staff.edit import SaveStaffMember, StaffFields
from frontdesk.staff.list_queries import get_choices
from frontdesk.tenants.trades import get_trade
from frontdesk.ui.setup.start import PATH, SEVERAL_BRANCHES, TradeQuery, read_state, render_step, step_path, trade_of
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7

pages = Pages()
_MAX_PEOPLE = 3


class TeamForm(msgspec.Struct):
    id: UUID
    kind: str = ""
    own_name: FilterText = ""  # of the person at the screen, if they take bookings too
    own_other: FilterText = ""  # their name in the other language of the business
    name: Annotated[list[FilterText], Meta(max_length=_MAX_PEOPLE)] = []
    other: Annotated[list[FilterText], Meta(max_length=_MAX_PEOPLE)] = []


@pages.get(f"{PATH}/team", MANAGERS)
async def show_team(context: PageContext, query: TradeQuery | None = None) -> Response:
    state = await read_state(context)
    choices = await context.fetch(get_choices(None))
    sent, other = (context.form.values.get(name, []) for name in ("name", "other"))
    return await render_step(
        context,
        "team",
        trade_of(context, query),
        state,
        is_free=any(account.id == context.user.id for account in choices.accounts),
        people=[*zip(_filled(sent), _filled(other), strict=True)],
        other_language=_other_language(context),
        form_id=uuid7(),
    )


def _filled(names: Sequence[str]) -> list[str]:
    """One for each line of the form."""
    return [*names, *[""] * (_MAX_PEOPLE - len(names))]


def _other_language(context: PageContext) -> str | None:
    """The second of the two languages in which names are entered; None if the business has one."""
    languages = context.tenant.languages
    return None if len(languages) == 1 else "en" if languages[0] == "ar" else "ar"


@pages.post(f"{PATH}/team", MANAGERS, on_error=show_team)
async def add_team(context: PageContext, form: TeamForm) -> Response:
    state = await read_state(context)
    code = _other_language(context)
    others = zip(_filled(form.name), _filled(form.other), strict=True)
    people = [(form.own_name, form.own_other, context.user.id), *((name, other, None) for name, other in others)]
    named = [
        (name or other, {code: other} if code and other else {}, user) for name, other, user in people if name or other
    ]
    if not named and not state.providers:
        raise page_problem(N_("Enter at least one name. Without a provider nobody can book."), "own_name")
    if state.branch_id is None:
        return context.redirect(PATH, flash=SEVERAL_BRANCHES)
    services = tuple(service.id for service in (await context.fetch(get_choices(None))).services)
    acts = [
        SaveStaffMember(
            uuid7(),
            StaffFields(name, None, None, None, state.branch_id, None, user_id, names=names, services=services),
            is_new=True,
        )
        for name, names, user_id in named
    ]
    then = step_path("place", get_trade(form.kind))
    if acts:
        await submit(context, acts[0], once=form.id, then=then, also=acts[1:])
    return context.redirect(then)
