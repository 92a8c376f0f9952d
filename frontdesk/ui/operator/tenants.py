"""All tenants, for the operator: change their plan, invite their owners, suspend and resume them."""

from collections.abc import Sequence
from typing import Annotated
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.accounts.invitation_mail import mail_invitation
from frontdesk.accounts.member_queries import list_invitations, list_members
from frontdesk.accounts.members import INVITATION_LIFETIME, invite_owner
from frontdesk.accounts.users import email_problem
from frontdesk.activity.operator_acts import About
from frontdesk.auth.types import Role
from frontdesk.http.field_types import FilterText, PageNumber
from frontdesk.http.responses import Response
from frontdesk.i18n.languages import LANGUAGES
from frontdesk.i18n.texts import N_
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.administration import change_plan, delete_tenant, resume_tenant, suspend_tenant
from frontdesk.tenants.erasure_queries import erase_batch, list_erasures
from frontdesk.tenants.queries import get_tenant, search_tenants
from frontdesk.tenants.register import register_tenant
from frontdesk.tenants.types import Plan
from frontdesk.ui.components.plan_labels import PLANS
from frontdesk.ui.components.role_labels import ROLES
from frontdesk.ui.components.tenant_choices import (
    RegionChoices,
    country_choices,
    currency_choices,
    language_choices,
    language_names,
    new_tenant_in,
    zone_choices,
)
from frontdesk.ui.operator.recorded import record_act, recorded
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import OPERATORS
from frontdesk.ui.shell.routing import Pages
from frontdesk.ui.shell.zone_names import is_current_name
from frontdesk.values.pagination import PageRequest

pages = Pages()
_PATH = "/operator/tenants"
_PER_PAGE = 25
_BATCHES_AT_ONCE = 10


class SearchQuery(msgspec.Struct):
    search: FilterText = ""
    page: PageNumber = 1

    def link(self, page: int) -> str:
        return "?" + urlencode({"search": self.search, "page": page})


class SuspendForm(msgspec.Struct):
    reason: str = ""


class PlanForm(msgspec.Struct):
    plan: Plan
    seen: Plan


class NewTenantForm(msgspec.Struct):
    plan: Plan
    business: FilterText = ""
    email: Annotated[str, Meta(max_length=320)] = ""
    country: str = ""
    slug: Annotated[str, Meta(max_length=60)] = ""
    timezone: FilterText = ""  # this and the following: empty for what is usual in the country
    currency: FilterText = ""
    languages: FilterText = ""  # codes with commas

    @property
    def region(self) -> RegionChoices:
        return RegionChoices(self.timezone, self.currency, self.languages)


class OwnerForm(msgspec.Struct):
    email: Annotated[str, Meta(max_length=320)] = ""


class DeleteForm(msgspec.Struct):
    name: str = ""


@pages.get(_PATH, OPERATORS)
async def show_tenants(context: PageContext, query: SearchQuery) -> Response:
    page = PageRequest(query.page, _PER_PAGE)
    async with context.connection() as conn:
        tenants, total = await search_tenants(conn, query.search, page)
        erasures = await list_erasures(conn)
    return context.render(
        "operator_tenants.html",
        tenants=tenants,
        total=total,
        erasures=erasures,
        query=query,
        page=page,
        plans=PLANS,
    )


@pages.get(f"{_PATH}/new", OPERATORS)
async def show_new_tenant(context: PageContext) -> Response:
    language, usual = context.language, ("", context.translate(N_("Usual in the country")))
    return context.render(
        "operator_tenant_new.html",
        plans=[(plan.value, context.translate(labels[0])) for plan, labels in PLANS.items()],
        countries=country_choices(language),
        zones=[usual, *(zone for zone in zone_choices(language) if zone[0] == "UTC" or is_current_name(zone[0]))],
        currencies=[usual, *currency_choices(language)],
        languages=[usual, *language_choices(language)],
    )


@pages.post(f"{_PATH}/new", OPERATORS, on_error=show_new_tenant)
async def submit_new_tenant(context: PageContext, form: NewTenantForm) -> Response:
    """The link is shown in this response only, like every secret."""
    wrong = email_problem(form.email, "email")
    owner = [] if wrong is None else [wrong]
    new = new_tenant_in(form.country, form.business, form.plan, form.slug, region=form.region, others=owner)
    async with context.connection() as conn, conn.transaction():
        tenant_id = await register_tenant(conn, new, context.actor)
        invited = await _invite(context, conn, tenant_id, form.business, form.email, new.languages)
        await record_act(context, conn, "business.created", About(tenant_id, detail=form.plan))
    return invited


@pages.get(f"{_PATH}/{{tenant_id}}", OPERATORS)
async def show_tenant(context: PageContext, tenant_id: UUID) -> Response:
    async with context.connection() as conn:
        tenant, stats = await get_tenant(conn, tenant_id)
        members = await list_members(conn, tenant_id)
        invitations = await list_invitations(conn, tenant_id)
    return context.render(
        "operator_tenant.html",
        tenant=tenant,
        country=dict(country_choices(context.language)).get(tenant.country or ""),
        stats=stats,
        members=members,
        invitations=invitations,
        plans=PLANS,
        roles=ROLES,
        language_names=language_names(context.language),
    )


@pages.post(f"{_PATH}/{{tenant_id}}/invite", OPERATORS, on_error=show_tenant)
async def submit_owner(context: PageContext, tenant_id: UUID, form: OwnerForm) -> Response:
    """For a business whose owner has lost the link or left."""
    async with recorded(context, "business.owner_invited", About(tenant_id, detail=form.email)) as conn:
        tenant, _ = await get_tenant(conn, tenant_id)
        return await _invite(context, conn, tenant_id, tenant.name, form.email, tenant.languages)


async def _invite(
    context: PageContext, conn: Connection, tenant_id: UUID, business: str, email: str, languages: Sequence[str]
) -> Response:
    """Mailed in the first language of the business."""
    token = await invite_owner(conn, tenant_id, context.user.id, email, actor=context.actor)
    mailed = await mail_invitation(
        conn,
        context.request.resources.secret_box,
        token,
        email,
        Role.OWNER,
        business=business,
        language=next((code for code in languages if code in LANGUAGES), context.language),
    )
    return context.render(
        "operator_tenant_created.html",
        name=business,
        tenant_id=tenant_id,
        email=email,
        link=f"{context.request.origin}/invitation?token={token}",
        days=INVITATION_LIFETIME.days,
        mailed=mailed,
        has_server=context.request.resources.settings.smtp is not None,
    )


@pages.post(f"{_PATH}/{{tenant_id}}/plan", OPERATORS, on_error=show_tenant)
async def submit_plan(context: PageContext, tenant_id: UUID, form: PlanForm) -> Response:
    async with recorded(context, "business.plan_changed", About(tenant_id, detail=form.plan)) as conn:
        await change_plan(conn, tenant_id, form.plan, context.actor, seen=form.seen)
    return context.redirect(f"{_PATH}/{tenant_id}", flash=N_("Plan changed. It applies from the next request."))


@pages.get(f"{_PATH}/{{tenant_id}}/suspend", OPERATORS)
async def confirm_suspension(context: PageContext, tenant_id: UUID) -> Response:
    tenant, _ = await context.call(get_tenant, tenant_id)
    return context.render("operator_tenant_suspend.html", tenant=tenant)


@pages.post(f"{_PATH}/{{tenant_id}}/suspend", OPERATORS, on_error=confirm_suspension)
async def submit_suspension(context: PageContext, tenant_id: UUID, form: SuspendForm) -> Response:
    async with recorded(context, "business.suspended", About(tenant_id, detail=form.reason)) as conn:
        await suspend_tenant(conn, tenant_id, form.reason, context.actor)
    return context.redirect(f"{_PATH}/{tenant_id}", flash=N_("The business is suspended."))


@pages.get(f"{_PATH}/{{tenant_id}}/delete", OPERATORS)
async def confirm_deletion(context: PageContext, tenant_id: UUID) -> Response:
    tenant, stats = await context.call(get_tenant, tenant_id)
    return context.render("operator_tenant_delete.html", tenant=tenant, stats=stats)


@pages.post(f"{_PATH}/{{tenant_id}}/delete", OPERATORS, on_error=confirm_deletion)
async def submit_deletion(context: PageContext, tenant_id: UUID, form: DeleteForm) -> Response:
    async with recorded(context, "business.deleted", About(tenant_id, subject=form.name)) as conn:
        await delete_tenant(conn, tenant_id, form.name, context.actor)
    if await _erase(context, tenant_id):
        return context.redirect(_PATH, flash=N_("The business is deleted. Its records are being erased."))
    return context.redirect(_PATH, flash=N_("The business is deleted."))


async def _erase(context: PageContext, tenant_id: UUID) -> bool:
    """A small business is erased at once. Whether more is left, which the background goes on with."""
    for _ in range(_BATCHES_AT_ONCE):
        async with context.request.slow_connection(tenant_id) as conn:
            if not await erase_batch(conn, tenant_id):
                return False
    return True


@pages.post(f"{_PATH}/{{tenant_id}}/resume", OPERATORS)
async def resume(context: PageContext, tenant_id: UUID) -> Response:
    async with recorded(context, "business.resumed", About(tenant_id)) as conn:
        await resume_tenant(conn, tenant_id, context.actor)
    return context.redirect(f"{_PATH}/{tenant_id}", flash=N_("The business is active again."))
