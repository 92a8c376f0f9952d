"""How many records an installed application may read in a day, by scope."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.applications.change_scopes import get_install
from frontdesk.applications.types import Install
from frontdesk.auth.budgets import MAX_PER_DAY, ExtendScopeBudget, SaveScopeBudget, is_countable, list_budgets
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.problems import Problem, SharedProblem, not_found
from frontdesk.ui.applications.pages import PATH
from frontdesk.ui.components.application_labels import scope_names
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.routing import Pages

pages = Pages()
_BUDGET = f"{PATH}/installed/{{install_id}}/budget"
Scope = Annotated[str, Meta(max_length=50)]
Records = Annotated[int, Meta(ge=1, le=MAX_PER_DAY)]


class ScopeQuery(msgspec.Struct):
    scope: Scope = ""


class BudgetForm(msgspec.Struct):
    scope: Scope = ""
    per_day: Records | None = None
    seen: Records | None = None  # that the page showed


class ExtendForm(msgspec.Struct):
    more: Records
    scope: Scope = ""


@pages.get(_BUDGET, MANAGERS)
async def show_budget(context: PageContext, install_id: UUID, query: ScopeQuery) -> Response:
    install = await _install(context, install_id, query.scope)
    budgets = await context.fetch(list_budgets(install.client_id))
    return context.render(
        "application_budget.html",
        install=install,
        scope=query.scope,
        name=scope_names([query.scope])[0],
        budget=budgets.get(query.scope),
    )


async def _show_again(context: PageContext, install_id: UUID) -> Response:
    return await show_budget(context, install_id, ScopeQuery(context.form.value("scope")))


@pages.post(_BUDGET, MANAGERS, on_error=_show_again)
async def submit_budget(context: PageContext, install_id: UUID, form: BudgetForm) -> Response:
    install = await _install(context, install_id, form.scope)
    budget = (await context.fetch(list_budgets(install.client_id))).get(form.scope)
    if form.seen != (budget.per_day if budget else None):
        raise Problem(SharedProblem.OUTDATED, subject_id=install.client_id, tenant_id=None, version=None)
    await context.run(SaveScopeBudget(install.client_id, form.scope, form.per_day))
    return context.redirect(f"{PATH}/installed/{install_id}", flash=N_("Saved. It applies from the next request."))


@pages.post(f"{_BUDGET}/more", MANAGERS, on_error=_show_again)
async def submit_extension(context: PageContext, install_id: UUID, form: ExtendForm) -> Response:
    install = await _install(context, install_id, form.scope)
    await context.run(ExtendScopeBudget(install.client_id, form.scope, form.more))
    return context.redirect(f"{PATH}/installed/{install_id}", flash=N_("It may read more today."))


async def _install(context: PageContext, install_id: UUID, scope: str) -> Install:
    install = await context.call(get_install, context.tenant_id, install_id)
    if not is_countable(scope, install.scopes):
        raise not_found("scope")
    return install
