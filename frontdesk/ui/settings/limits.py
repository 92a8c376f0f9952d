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
# Its name, what counts, and what to do when all are used.
WORDS = {
    Quota.MESSAGES: (
        N_("Messages to customers in 24 hours"),
        N_("Confirmations, reminders, receipts and offers by mail."),
        N_(
            "The others wait. They are sent within an hour once the number is below the limit. What is too late by "
            "then is not sent."
        ),
    ),
    Quota.MEMBERS: (
        N_("Members"),
        N_("People who sign in to this business."),
        N_("Remove a person who has left."),
    ),
    Quota.PENDING_INVITATIONS: (
        N_("Open invitations"),
        N_("Invitations that are not accepted yet."),
        N_("Withdraw one, or wait until one is accepted or expires."),
    ),
    Quota.IMPORTS: (
        N_("Open imports"),
        N_("Files of the last 24 hours that are not imported or stopped yet."),
        N_("Finish or stop one. After 24 hours it no longer counts."),
    ),
    Quota.API_CLIENTS: (
        N_("API clients"),
        N_("Programs that use the Open API, also those of applications."),
        N_("Delete one that is no longer used."),
    ),
    Quota.API_KEYS: (
        N_("API keys"),
        N_("Tills and devices that use the POS API."),
        N_("Revoke one that is no longer used."),
    ),
    Quota.WEBHOOKS: (
        N_("Webhooks"),
        N_("Addresses of programs that receive events."),
        N_("Delete one that is no longer used."),
    ),
}


@pages.get("/settings/limits", MANAGERS)
async def show_limits(context: PageContext) -> Response:
    quotas = await context.fetch(list_quotas())
    quotas.sort(key=lambda usage: list(WORDS).index(usage.quota))
    return context.render("limits.html", quotas=quotas, words=WORDS, plan=PLANS[Plan(context.current_tenant.plan)])
