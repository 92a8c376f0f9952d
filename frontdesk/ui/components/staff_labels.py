"""Words of the staff pages, marked for translation."""

from frontdesk.i18n.texts import N_

WEEKDAYS = (
    N_("Sunday"),
    N_("Monday"),
    N_("Tuesday"),
    N_("Wednesday"),
    N_("Thursday"),
    N_("Friday"),
    N_("Saturday"),
)
ACCOUNT_ROLES = {
    "owner": N_("Owner"),
    "manager": N_("Manager"),
    "receptionist": N_("Receptionist"),
    "cashier": N_("Cashier"),
    "provider": N_("Provider, own diary only"),
}
