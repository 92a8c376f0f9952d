"""Settings of drawers and shifts."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.day_close.drawer_settings import MAX_DRAWERS, SaveDrawerSettings
from frontdesk.day_close.drawer_settings_queries import DrawerSettings, get_drawer_settings
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.problems import Problem, SharedProblem
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.money import parse_amount

pages = Pages()
PATH = "/settings/drawers"
_MAX_BRANCHES = 1000


class SettingsForm(msgspec.Struct):
    """`branch` and `drawers` have the same order. `seen` is what the page showed."""

    seen: str | None = None
    own_shifts: bool = False
    blind_count: bool = False
    branch: Annotated[list[UUID], Meta(max_length=_MAX_BRANCHES)] = []
    drawers: Annotated[list[Annotated[str, Meta(max_length=20)]], Meta(max_length=_MAX_BRANCHES)] = []


@pages.get(PATH, MANAGERS)
async def show_settings(context: PageContext) -> Response:
    settings = await context.fetch(get_drawer_settings())
    entered = dict(zip(context.form.values.get("branch", []), context.form.values.get("drawers", []), strict=False))
    return context.render(
        "drawer_settings.html", settings=settings, seen=_seen(settings), entered=entered, most=MAX_DRAWERS
    )


@pages.post(PATH, MANAGERS, on_error=show_settings)
async def save_settings(context: PageContext, form: SettingsForm) -> Response:
    if len(form.branch) != len(form.drawers):
        raise page_problem(N_("The rows of the form do not match. Reload the page."))
    if form.seen is not None and form.seen != _seen(await context.fetch(get_drawer_settings())):
        raise Problem(SharedProblem.OUTDATED, subject_id=context.tenant_id, tenant_id=context.tenant_id, version=None)
    drawers = {branch: _number(text) for branch, text in zip(form.branch, form.drawers, strict=True)}
    await context.run(SaveDrawerSettings(form.own_shifts, form.blind_count, drawers))
    return context.redirect(PATH, flash=N_("Saved."))


def _seen(settings: DrawerSettings) -> str:
    return msgspec.json.encode(settings).decode()


def _number(text: str) -> int:
    """In any digits; 0, which the act refuses, if it is no whole number."""
    number = parse_amount(text)
    return int(number) if number is not None and number == int(number) and number <= MAX_DRAWERS else 0
