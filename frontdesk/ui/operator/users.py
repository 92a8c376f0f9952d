"""All users, for the operator: disable and enable them, grant and revoke operator rights."""

from uuid import UUID

from frontdesk.accounts.operators import disable_user, enable_user, get_user, grant_operator, revoke_operator
from frontdesk.accounts.password_reset import create_reset
from frontdesk.accounts.second_factors import remove_all_factors
from frontdesk.accounts.session_queries import list_tenants
from frontdesk.accounts.user_queries import search_users
from frontdesk.activity.operator_acts import About
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.ui.components.role_labels import ROLES
from frontdesk.ui.operator.recorded import recorded
from frontdesk.ui.operator.tenants import SearchQuery
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import OPERATORS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.pagination import PageRequest

pages = Pages()
_PATH = "/operator/users"
_PER_PAGE = 25


@pages.get(_PATH, OPERATORS)
async def show_users(context: PageContext, query: SearchQuery) -> Response:
    page = PageRequest(query.page, _PER_PAGE)
    users, total = await context.call(search_users, query.search, page)
    return context.render("operator_users.html", users=users, total=total, query=query, page=page)


@pages.get(f"{_PATH}/{{user_id}}", OPERATORS)
async def show_user(context: PageContext, user_id: UUID) -> Response:
    async with context.connection() as conn:
        user = await get_user(conn, user_id)
        businesses = await list_tenants(conn, user_id)
    return context.render("operator_user.html", user=user, businesses=businesses, roles=ROLES)


@pages.post(f"{_PATH}/{{user_id}}/disable", OPERATORS, on_error=show_user)
async def disable(context: PageContext, user_id: UUID) -> Response:
    async with recorded(context, "user.disabled", About(user=user_id)) as conn:
        await disable_user(conn, user_id, context.actor)
    return context.redirect(f"{_PATH}/{user_id}", flash=N_("The user is signed out and cannot sign in."))


@pages.post(f"{_PATH}/{{user_id}}/enable", OPERATORS)
async def enable(context: PageContext, user_id: UUID) -> Response:
    async with recorded(context, "user.enabled", About(user=user_id)) as conn:
        await enable_user(conn, user_id, context.actor)
    return context.redirect(f"{_PATH}/{user_id}", flash=N_("The user can sign in again."))


@pages.post(f"{_PATH}/{{user_id}}/operator", OPERATORS, on_error=show_user)
async def grant(context: PageContext, user_id: UUID) -> Response:
    async with recorded(context, "operator.granted", About(user=user_id)) as conn:
        await grant_operator(conn, user_id)
    return context.redirect(f"{_PATH}/{user_id}", flash=N_("The user is now an operator."))


@pages.post(f"{_PATH}/{{user_id}}/operator/end", OPERATORS, on_error=show_user)
async def revoke(context: PageContext, user_id: UUID) -> Response:
    async with recorded(context, "operator.revoked", About(user=user_id)) as conn:
        await revoke_operator(conn, user_id)
    return context.redirect(f"{_PATH}/{user_id}", flash=N_("The user is no longer an operator."))


@pages.get(f"{_PATH}/{{user_id}}/second-factor", OPERATORS)
async def confirm_factor_removal(context: PageContext, user_id: UUID) -> Response:
    user = await context.call(get_user, user_id)
    return context.render("operator_second_factor.html", user=user)


@pages.post(f"{_PATH}/{{user_id}}/second-factor", OPERATORS, on_error=show_user)
async def remove_second_factor(context: PageContext, user_id: UUID) -> Response:
    async with recorded(context, "user.second_factor_removed", About(user=user_id)) as conn:
        await remove_all_factors(conn, user_id, context.actor)
    return context.redirect(f"{_PATH}/{user_id}", flash=N_("The second factor is removed."))


@pages.post(f"{_PATH}/{{user_id}}/reset-password", OPERATORS)
async def submit_reset(context: PageContext, user_id: UUID) -> Response:
    """The link is shown in this response only, like every secret."""
    async with recorded(context, "user.reset_link_created", About(user=user_id)) as conn:
        user = await get_user(conn, user_id)
        token = await create_reset(conn, user_id, context.actor)
    link = f"{context.request.origin}/reset-password?token={token}"
    return context.render("operator_reset.html", user=user, link=link)
