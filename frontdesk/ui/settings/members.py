"""Members of the business, their roles, and invitations."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.accounts.invitation_mail import mail_invitation
from frontdesk.accounts.member_queries import list_invitations, list_members
from frontdesk.accounts.members import (
    INVITATION_LIFETIME,
    change_role,
    get_member,
    invite,
    manageable_roles,
    may_withdraw,
    remove_member,
    withdraw,
)
from frontdesk.auth.types import Role
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.tenants.second_factor_rule import change_factor_rule
from frontdesk.ui.components.role_labels import ROLES
from frontdesk.ui.shell.confirmation import Confirmed, ask_for_confirmation
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS, OWNERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7

pages = Pages()
_PATH = "/settings/members"


class FactorRuleForm(msgspec.Struct):
    required: bool = False


class RoleForm(msgspec.Struct):
    role: Role
    seen: Role
    sure: Confirmed = None


class InvitationForm(msgspec.Struct):
    id: UUID
    email: Annotated[str, Meta(min_length=1, max_length=320)]
    role: Role


@pages.get(_PATH, MANAGERS)
async def show_members(context: PageContext) -> Response:
    async with context.connection() as conn:
        members = await list_members(conn, context.tenant_id)
        invitations = await list_invitations(conn, context.tenant_id)
    manageable = manageable_roles(context.role)
    owners = [member.id for member in members if member.role is Role.OWNER]
    invited = [(invitation, may_withdraw(context.role, invitation)) for invitation in invitations]
    return context.render(
        "members.html",
        members=members,
        invitations=invited,
        roles=ROLES,
        manageable=manageable,
        last_owner=owners[0] if len(owners) == 1 else None,
        is_owner=context.has_access(OWNERS),
    )


@pages.post(f"{_PATH}/{{user_id}}/role", MANAGERS, on_error=show_members)
async def submit_role(context: PageContext, user_id: UUID, form: RoleForm) -> Response:
    own = user_id == context.user.id
    if own and form.role is not context.role and form.sure is None:
        return _ask_about_own_role(context, form.role)
    await context.call(change_role, context.tenant_id, context.role, user_id, form.seen, form.role, actor=context.actor)
    keeps_page = not own or form.role in (Role.OWNER, Role.MANAGER)
    return context.redirect(_PATH if keeps_page else "/", flash=N_("Role changed."))


def _ask_about_own_role(context: PageContext, role: Role) -> Response:
    name = {"role": context.translate(ROLES[role][0])}
    return ask_for_confirmation(
        context,
        question=context.translate(
            N_("You cannot undo this yourself: only another owner can make you an owner again.")
        ),
        yes=context.translate(N_("Change your own role to %(role)s")) % name,
        no=context.translate(N_("Keep as it is")),
        back=_PATH,
    )


@pages.post(f"{_PATH}/second-factor", OWNERS)
async def submit_factor_rule(context: PageContext, form: FactorRuleForm) -> Response:
    await context.call(change_factor_rule, context.tenant_id, context.actor, required=form.required)
    return context.redirect(_PATH, flash=N_("Saved."))


@pages.get(f"{_PATH}/{{user_id}}/remove", MANAGERS)
async def confirm_removal(context: PageContext, user_id: UUID) -> Response:
    member = await context.call(get_member, context.tenant_id, user_id)
    return context.render("member_remove.html", member=member)


@pages.post(f"{_PATH}/{{user_id}}/remove", MANAGERS, on_error=confirm_removal)
async def remove(context: PageContext, user_id: UUID) -> Response:
    await context.call(remove_member, context.tenant_id, context.role, user_id, actor=context.actor)
    return context.redirect(_PATH, flash=N_("Member removed."))


@pages.get(f"{_PATH}/invite", MANAGERS)
async def show_invitation_form(context: PageContext) -> Response:
    return context.render("invite.html", id=uuid7(), roles=ROLES, manageable=manageable_roles(context.role))


@pages.post(f"{_PATH}/invite", MANAGERS, on_error=show_invitation_form)
async def submit_invitation(context: PageContext, form: InvitationForm) -> Response:
    """The link is shown in this response only, like every secret."""
    async with context.connection() as conn, conn.transaction():
        token = await invite(
            conn, context.tenant_id, context.user.id, form.id, form.email, form.role, actor=context.actor
        )
        if token is None:
            return context.redirect(_PATH, flash=N_("This invitation already exists. Its link cannot be shown again."))
        mailed = await mail_invitation(
            conn,
            context.request.resources.secret_box,
            token,
            form.email,
            form.role,
            business=context.current_tenant.name,
            language=context.language,
        )
    link = f"{context.request.origin}/invitation?token={token}"
    return context.render(
        "invited.html",
        link=link,
        email=form.email,
        days=INVITATION_LIFETIME.days,
        mailed=mailed,
        has_server=context.request.resources.settings.smtp is not None,
    )


@pages.post(f"{_PATH}/invitations/{{invitation_id}}/withdraw", MANAGERS)
async def submit_withdrawal(context: PageContext, invitation_id: UUID) -> Response:
    await context.call(withdraw, context.tenant_id, context.role, invitation_id, actor=context.actor)
    return context.redirect(_PATH, flash=N_("Invitation withdrawn."))
