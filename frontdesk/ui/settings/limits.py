"""The quotas of the plan and how much of each is used."""

from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.tenants.quotas import Quota, list_quotas
from frontdesk.tenants.types import Plan
from frontdesk.ui.components.plan_labels import PLANS
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.routing import Pages

pages = Pages()
NAMES = {
    Quota.API_CLIENTS: N_("API clients"),
    Quota.API_KEYS: N_("API keys"),
    Quota.WEBHOOKS: N_("Webhooks"),
    Quota.MEMBERS: N_("Members"),
    Quota.PENDING_INVITATIONS: N_("Open invitations"),
    Quota.IMPORTS: N_("Imports"),
    Quota.MESSAGES: N_("Messages to customers in 24 hours"),
}


@pages.get("/settings/limits", MANAGERS)
async def show_limits(context: PageContext) -> Response:
    quotas = await context.call(list_quotas, context.tenant_id)
    return context.render("limits.html", quotas=quotas, names=NAMES, plan=PLANS[Plan(context.current_tenant.plan)])
