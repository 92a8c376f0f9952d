"""How much of each thing the business has, and how much its plan allows."""

from frontdesk.http.responses import Answer
from frontdesk.tenants.quotas import Quota, list_quotas
from frontdesk.tenants.types import Plan
from frontdesk.ui.operator.tenants import PLANS
from frontdesk.ui.shell.context import Visit
from frontdesk.ui.shell.i18n import mark
from frontdesk.ui.shell.permissions import OFFICE
from frontdesk.ui.shell.routing import Pages

pages = Pages()
NAMES = {
    Quota.API_CLIENTS: mark("API clients"),
    Quota.API_KEYS: mark("API keys"),
    Quota.WEBHOOKS: mark("Webhooks"),
    Quota.MEMBERS: mark("Members"),
    Quota.PENDING_INVITATIONS: mark("Open invitations"),
    Quota.IMPORTS: mark("Imports"),
}
FAULTS = (
    mark("the plan allows {n} API clients: delete one first, or ask the operator for another plan"),
    mark("the plan allows {n} API keys: revoke one first, or ask the operator for another plan"),
    mark("the plan allows {n} webhooks: delete one first, or ask the operator for another plan"),
    mark("the plan allows {n} members: remove one first, or ask the operator for another plan"),
    mark("the plan allows {n} open invitations: withdraw one first, or wait until one is over"),
    mark("the plan allows {n} imports: wait until one is done, or ask the operator for another plan"),
)


@pages.get("/settings/limits", OFFICE)
async def show_limits(visit: Visit) -> Answer:
    async with visit.connection() as conn:
        quotas = await list_quotas(conn, visit.tenant_id)
    return visit.show("limits.html", quotas=quotas, names=NAMES, plan=PLANS[Plan(visit.desk.plan)])
