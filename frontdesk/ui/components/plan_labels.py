from frontdesk.i18n.texts import N_
from frontdesk.tenants.types import Plan

PLANS = {
    Plan.STARTER: (N_("Starter"), N_("Dashboard and POS API, without the Open API.")),
    Plan.PROFESSIONAL: (N_("Professional"), N_("Everything, with the Open API.")),
}
