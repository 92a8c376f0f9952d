"""A new customer who is made at the till; the cart stays."""

from uuid import UUID

from frontdesk.customers.create import CreateCustomer
from frontdesk.http.field_types import ShortText
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.ui.components.customer_fields import CustomerFields, check_fields
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import CASHIERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.ui.till.changes import TillFields, apply_fields, without_person
from frontdesk.ui.till.pages import show_till
from frontdesk.ui.till.state import FIELDS, PATH, read_state

pages = Pages()


class TillCustomerForm(TillFields, kw_only=True):
    id: UUID
    first_name: ShortText | None = None
    last_name: ShortText | None = None
    phone: ShortText | None = None


@pages.post(f"{PATH}/customer", CASHIERS, on_error=show_till, fields=FIELDS)
async def create(context: PageContext, form: TillCustomerForm) -> Response:
    state = apply_fields(read_state(form.state), form)
    new = await check_fields(
        context, CustomerFields(first_name=form.first_name, last_name=form.last_name, phone=form.phone)
    )
    act = CreateCustomer(new)
    chosen = without_person(state)._replace(customer=act.customer_id)
    path = await submit(context, act, once=form.id, then=chosen.url)
    return context.redirect(path, flash=N_("Customer created."))
