"""Members of the business, their roles, and invitations to become one."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.auth.member_queries import list_invitations, list_members
from frontdesk.auth.members import (
    INVITATION_LIFETIME,
    change_role,
    get_member,
    invite,
    may_withdraw,
    remove_member,
    roles_below,
    withdraw,
)
from frontdesk.auth.types import Role
from frontdesk.http.responses import Answer
from frontdesk.ui.shell.context import Visit
from frontdesk.ui.shell.i18n import mark
from frontdesk.ui.shell.permissions import OFFICE
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import new_id

pages = Pages()
_HERE = "/settings/members"
ROLES = {
    Role.OWNER: (mark("Owner"), mark("Everything, and decides who else is an owner or a manager.")),
    Role.MANAGER: (mark("Manager"), mark("Everything but owners and managers.")),
    Role.STAFF: (mark("Staff"), mark("The diary and their own work.")),
    Role.CASHIER: (mark("Cashier"), mark("The till and its orders.")),
}


class RoleForm(msgspec.Struct):
    role: Role


class InvitationForm(msgspec.Struct):
    id: UUID
    email: Annotated[str, Meta(min_length=1, max_length=320)]
    role: Role


@pages.get(_HERE, OFFICE)
async def show_members(visit: Visit) -> Answer:
    async with visit.connection() as conn:
        members = await list_members(conn, visit.tenant_id)
        invitations = await list_invitations(conn, visit.tenant_id)
    below = roles_below(visit.role)
    invited = [(invitation, may_withdraw(visit.role, invitation)) for invitation in invitations]
    return visit.show("members.html", members=members, invitations=invited, roles=ROLES, below=below)


async def _show_all_members(visit: Visit, user_id: UUID) -> Answer:  # noqa: ARG001 - whoever it was about
    return await show_members(visit)


@pages.post(f"{_HERE}/{{user_id}}/role", OFFICE, again=_show_all_members)
async def take_role(visit: Visit, user_id: UUID, form: RoleForm) -> Answer:
    async with visit.connection() as conn:
        await change_role(conn, visit.tenant_id, visit.role, user_id, form.role)
    return visit.go(_HERE, done=mark("Role changed."))


@pages.get(f"{_HERE}/{{user_id}}/remove", OFFICE)
async def ask_removal(visit: Visit, user_id: UUID) -> Answer:
    async with visit.connection() as conn:
        member = await get_member(conn, visit.tenant_id, user_id)
    return visit.show("member_remove.html", member=member)


@pages.post(f"{_HERE}/{{user_id}}/remove", OFFICE, again=ask_removal)
async def remove(visit: Visit, user_id: UUID) -> Answer:
    async with visit.connection() as conn:
        await remove_member(conn, visit.tenant_id, visit.role, user_id)
    return visit.go(_HERE, done=mark("Member removed."))


@pages.get(f"{_HERE}/invite", OFFICE)
async def show_invitation_form(visit: Visit) -> Answer:
    return visit.show("invite.html", id=new_id(), roles=ROLES, below=roles_below(visit.role))


@pages.post(f"{_HERE}/invite", OFFICE, again=show_invitation_form)
async def make_invitation(visit: Visit, form: InvitationForm) -> Answer:
    """The link is shown in this answer alone, like every secret."""
    async with visit.connection() as conn:
        token = await invite(conn, visit.tenant_id, visit.person.id, form.id, form.email, form.role)
    if token is None:
        return visit.go(_HERE, done=mark("This invitation was made before. Its link cannot be shown again."))
    link = f"{visit.call.origin}/invitation?token={token}"
    return visit.show("invited.html", link=link, email=form.email, days=INVITATION_LIFETIME.days)


@pages.post(f"{_HERE}/invitations/{{invitation_id}}/withdraw", OFFICE)
async def withdraw_one(visit: Visit, invitation_id: UUID) -> Answer:
    async with visit.connection() as conn:
        await withdraw(conn, visit.tenant_id, visit.role, invitation_id)
    return visit.go(_HERE, done=mark("Invitation withdrawn."))
