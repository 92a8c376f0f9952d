"""Everybody who can sign in, as the operator sees them: let in or not, operator or not."""

from uuid import UUID

from frontdesk.auth.operators import disable_user, enable_user, get_user, grant_operator, revoke_operator
from frontdesk.auth.session_queries import list_tenants
from frontdesk.auth.user_queries import search_users
from frontdesk.http.responses import Response
from frontdesk.ui.operator.log import log_act
from frontdesk.ui.operator.tenants import SearchQuery
from frontdesk.ui.settings.members import ROLES
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.i18n import N_
from frontdesk.ui.shell.permissions import OPERATORS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.pagination import PageRequest

pages = Pages()
_HERE = "/operator/users"
_PER_PAGE = 25
ERRORS = (
    N_("is the last operator: make somebody else one first"),
    N_("cannot sign in: let them in first"),
    N_("has not proven their e-mail address yet"),
)


@pages.get(_HERE, OPERATORS)
async def show_users(context: PageContext, query: SearchQuery) -> Response:
    wanted = PageRequest(query.page, _PER_PAGE)
    async with context.connection() as conn:
        users, total = await search_users(conn, query.search, wanted)
    return context.render("operator_users.html", users=users, total=total, query=query, wanted=wanted)


@pages.get(f"{_HERE}/{{user_id}}", OPERATORS)
async def show_user(context: PageContext, user_id: UUID) -> Response:
    async with context.connection() as conn:
        user = await get_user(conn, user_id)
        businesses = await list_tenants(conn, user_id)
    return context.render("operator_user.html", user=user, businesses=businesses, roles=ROLES)


@pages.post(f"{_HERE}/{{user_id}}/disable", OPERATORS, on_error=show_user)
async def disable(context: PageContext, user_id: UUID) -> Response:
    async with context.connection() as conn:
        await disable_user(conn, user_id)
    log_act(context, "disable", user=user_id)
    return context.redirect(f"{_HERE}/{user_id}", flash=N_("They are signed out and cannot sign in."))


@pages.post(f"{_HERE}/{{user_id}}/enable", OPERATORS)
async def enable(context: PageContext, user_id: UUID) -> Response:
    async with context.connection() as conn:
        await enable_user(conn, user_id)
    log_act(context, "enable", user=user_id)
    return context.redirect(f"{_HERE}/{user_id}", flash=N_("They can sign in again."))


@pages.post(f"{_HERE}/{{user_id}}/operator", OPERATORS, on_error=show_user)
async def make(context: PageContext, user_id: UUID) -> Response:
    async with context.connection() as conn:
        await grant_operator(conn, user_id)
    log_act(context, "make_operator", user=user_id)
    return context.redirect(f"{_HERE}/{user_id}", flash=N_("They are an operator now."))


@pages.post(f"{_HERE}/{{user_id}}/operator/end", OPERATORS, on_error=show_user)
async def end(context: PageContext, user_id: UUID) -> Response:
    async with context.connection() as conn:
        await revoke_operator(conn, user_id)
    log_act(context, "end_operator", user=user_id)
    return context.redirect(f"{_HERE}/{user_id}", flash=N_("They are no operator any more."))
