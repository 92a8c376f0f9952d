"""A new customer, and changes of one."""

from typing import Any
from uuid import UUID

import msgspec

from frontdesk.customers.card_queries import customer_with_phone
from frontdesk.customers.change import UpdateCustomer
from frontdesk.customers.create import CreateCustomer
from frontdesk.customers.favorite_queries import list_providers
from frontdesk.customers.queries import customer_to_change
from frontdesk.customers.types import NewCustomer
from frontdesk.http.field_types import FilterText
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.ui.components.customer_fields import CustomerFields, check_fields, parse_entered_phone
from frontdesk.ui.customers.labels import TYPES
from frontdesk.ui.customers.pages import PATH
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import CASHIERS
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.birthdays import split_birthday
from frontdesk.values.ids import uuid7
from frontdesk.values.phones import digits_of

pages = Pages()


class NewCustomerQuery(msgspec.Struct):
    """What was typed in the search."""

    name: FilterText = ""
    phone: FilterText = ""


class NewCustomerForm(CustomerFields, kw_only=True):
    id: UUID


class CustomerForm(CustomerFields, kw_only=True):
    version: int


@pages.get(f"{PATH}/new", CASHIERS)
async def show_new_customer(context: PageContext, query: NewCustomerQuery | None = None) -> Response:
    first, _, last = (query.name if query else "").strip().partition(" ")
    return context.render(
        "customer_form.html",
        customer=None,
        entered=dict.fromkeys(CustomerFields.__struct_fields__)
        | {"first_name": first, "last_name": last, "phone": query.phone if query else ""},
        types=_types(context),
        months=_months(context),
        providers=await _providers(context),
        taken_by=await _find_taken(context, None),
        form_id=uuid7(),
    )


@pages.post(f"{PATH}/new", CASHIERS, on_error=show_new_customer)
async def create(context: PageContext, form: NewCustomerForm) -> Response:
    act = CreateCustomer(await _checked(context, form))
    path = await submit(context, act, once=form.id, then=f"{PATH}/{act.customer_id}")
    return context.redirect(path, flash=N_("Customer created."))


@pages.get(f"{PATH}/{{customer_id}}/edit", CASHIERS)
async def show_edit(context: PageContext, customer_id: UUID) -> Response:
    stored = await context.fetch(customer_to_change(customer_id))
    if stored.is_erased:
        return context.redirect(f"{PATH}/{customer_id}")
    return context.render(
        "customer_form.html",
        customer=stored,
        entered=_entered(stored.customer),
        types=_types(context),
        months=_months(context),
        providers=await _providers(context),
        taken_by=await _find_taken(context, customer_id),
    )


@pages.post(f"{PATH}/{{customer_id}}/edit", CASHIERS, on_error=show_edit)
async def change(context: PageContext, customer_id: UUID, form: CustomerForm) -> Response:
    new = await _checked(context, form)
    await context.run(UpdateCustomer(customer_id, msgspec.structs.asdict(new), form.version))
    return context.redirect(f"{PATH}/{customer_id}", flash=N_("Saved."))


async def _checked(context: PageContext, form: CustomerFields) -> NewCustomer:
    if form.favorite and str(form.favorite) not in dict(await _providers(context)):
        raise page_problem(N_("Choose a person who works here."), "favorite")
    return await check_fields(context, form)


def _entered(customer: NewCustomer) -> dict[str, Any]:
    """The fields of the form."""
    day, month, year = split_birthday(customer.birthday) if customer.birthday else ("", "", "")
    birthday = {"birth_day": day, "birth_month": month, "birth_year": year or ""}
    return msgspec.structs.asdict(customer) | birthday | {"favorite": customer.favorite_staff_id or ""}


def _months(context: PageContext) -> list[tuple[int | str, str]]:
    return [("", "—"), *((month, context.format.month_of_year(month)) for month in range(1, 13))]


async def _providers(context: PageContext) -> list[tuple[str, str]]:
    nobody = ("", context.translate(N_("Seen from the visits")))
    return [nobody, *((str(member.id), member.name) for member in await context.fetch(list_providers()))]


def _types(context: PageContext) -> list[tuple[str, str]]:
    return [(type_.value, context.translate(label)) for type_, label in TYPES.items()]


async def _find_taken(context: PageContext, customer_id: UUID | None) -> tuple[UUID, str] | None:
    """Who has the phone number that was entered, if it is refused."""
    if "phone" not in context.form.errors:
        return None
    phone = await parse_entered_phone(context, context.form.value("phone"))
    if phone is None:
        return None
    owner = await context.fetch(customer_with_phone(digits_of(phone)))
    return owner if owner and owner[0] != customer_id else None
