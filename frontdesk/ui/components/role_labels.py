from frontdesk.auth.types import Role
from frontdesk.i18n.texts import N_

ROLES = {
    Role.OWNER: (N_("Owner"), N_("Everything, including who is an owner or a manager.")),
    Role.MANAGER: (N_("Manager"), N_("Everything except owners and managers.")),
    Role.RECEPTIONIST: (N_("Receptionist"), N_("Bookings, customers, orders and payments.")),
    Role.CASHIER: (
        N_("Cashier"),
        N_("The till, its orders, the drawer and the count at the close of the day, without reports."),
    ),
    Role.PROVIDER: (N_("Provider"), N_("Their own bookings and the customers of these bookings, without amounts.")),
}
