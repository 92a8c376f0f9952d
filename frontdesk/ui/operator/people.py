"""Everybody who can sign in, as the operator sees them: let in or not, operator or not."""

from uuid import UUID

from frontdesk.auth.operators import disable_user, enable_user, end_operator, get_user, make_operator
from frontdesk.auth.session_queries import list_businesses
from frontdesk.auth.user_queries import search_users
from frontdesk.http.responses import Answer
from frontdesk.ui.operator.log import log_act
from frontdesk.ui.operator.tenants import SearchQuery
from frontdesk.ui.settings.members import ROLES
from frontdesk.ui.shell.context import Visit
from frontdesk.ui.shell.i18n import mark
from frontdesk.ui.shell.permissions import OPERATORS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.pagination import PageRequest

pages = Pages()
_HERE = "/operator/users"
_PER_PAGE = 25
FAULTS = (
    mark("is the last operator: make somebody else one first"),
    mark("cannot sign in: let them in first"),
    mark("has not proven their e-mail address yet"),
)


@pages.get(_HERE, OPERATORS)
async def show_users(visit: Visit, query: SearchQuery) -> Answer:
    wanted = PageRequest(query.page, _PER_PAGE)
    async with visit.connection() as conn:
        users, total = await search_users(conn, query.search, wanted)
    return visit.show("operator_users.html", users=users, total=total, query=query, wanted=wanted)


@pages.get(f"{_HERE}/{{user_id}}", OPERATORS)
async def show_user(visit: Visit, user_id: UUID) -> Answer:
    async with visit.connection() as conn:
        user = await get_user(conn, user_id)
        businesses = await list_businesses(conn, user_id)
    return visit.show("operator_user.html", user=user, businesses=businesses, roles=ROLES)


@pages.post(f"{_HERE}/{{user_id}}/disable", OPERATORS, again=show_user)
async def disable(visit: Visit, user_id: UUID) -> Answer:
    async with visit.connection() as conn:
        await disable_user(conn, user_id)
    log_act(visit, "disable", user=user_id)
    return visit.go(f"{_HERE}/{user_id}", done=mark("They are signed out and cannot sign in."))


@pages.post(f"{_HERE}/{{user_id}}/enable", OPERATORS)
async def enable(visit: Visit, user_id: UUID) -> Answer:
    async with visit.connection() as conn:
        await enable_user(conn, user_id)
    log_act(visit, "enable", user=user_id)
    return visit.go(f"{_HERE}/{user_id}", done=mark("They can sign in again."))


@pages.post(f"{_HERE}/{{user_id}}/operator", OPERATORS, again=show_user)
async def make(visit: Visit, user_id: UUID) -> Answer:
    async with visit.connection() as conn:
        await make_operator(conn, user_id)
    log_act(visit, "make_operator", user=user_id)
    return visit.go(f"{_HERE}/{user_id}", done=mark("They are an operator now."))


@pages.post(f"{_HERE}/{{user_id}}/operator/end", OPERATORS, again=show_user)
async def end(visit: Visit, user_id: UUID) -> Answer:
    async with visit.connection() as conn:
        await end_operator(conn, user_id)
    log_act(visit, "end_operator", user=user_id)
    return visit.go(f"{_HERE}/{user_id}", done=mark("They are no operator any more."))
