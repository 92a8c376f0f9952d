"""Merging two records of one customer, and erasing personal data on request."""

from typing import Literal
from uuid import UUID

import msgspec

from frontdesk.customers.duplicate_queries import MAX_PAIRS, similar_customers
from frontdesk.customers.erase import EraseCustomer
from frontdesk.customers.list_queries import CustomerPage, CustomerSort, ListFilter, list_customers
from frontdesk.customers.merge import FIELDS, MarkDistinctCustomers, MergeCustomers
from frontdesk.customers.search import search_words
from frontdesk.http.field_types import FilterText
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.postgres.query import fetch
from frontdesk.ui.customers.labels import MERGE_FIELDS, TYPES
from frontdesk.ui.customers.pages import PATH, read_card
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import CASHIERS, MANAGERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.pagination import PageRequest

pages = Pages()
_CARD = f"{PATH}/{{customer_id}}"
_MAX_FOUND = 10
Side = Literal["this", "other"]


class OtherQuery(msgspec.Struct):
    search: FilterText = ""


class MergeForm(msgspec.Struct):
    """For each field, the record whose value stays."""

    version: int
    other_version: int
    name: Side = "this"
    phone: Side = "this"
    email: Side = "this"
    type: Side = "this"
    city: Side = "this"
    address: Side = "this"
    tax_registration_number: Side = "this"
    birthday: Side = "this"
    favorite: Side = "this"


class SeparateForm(msgspec.Struct):
    back: Literal["duplicates"] | None = None  # the page that the form was on, unless it was the customer's


class EraseForm(msgspec.Struct):
    version: int


@pages.get(f"{PATH}/duplicates", MANAGERS)
async def show_duplicates(context: PageContext) -> Response:
    pairs = await context.fetch(similar_customers())
    return context.render("customer_duplicates.html", pairs=pairs, is_whole=len(pairs) < MAX_PAIRS)


@pages.get(f"{_CARD}/merge", MANAGERS)
async def choose_other(context: PageContext, customer_id: UUID, query: OtherQuery | None = None) -> Response:
    search = query.search if query else ""
    words = search_words(search)
    async with context.connection() as conn:
        card = await read_card(context, conn, customer_id)
        found = CustomerPage([], 0)
        if words:
            listed = list_customers(ListFilter(words), CustomerSort.NEWEST, PageRequest(1, _MAX_FOUND))
            found = await fetch(conn, context.tenant_id, listed)
    others = [other for other in found.customers if other.id != str(customer_id) and not other.is_erased]
    return context.render("customer_merge_find.html", customer=card, search=search, others=others)


@pages.get(f"{_CARD}/merge/{{other_id}}", MANAGERS)
async def compare(context: PageContext, customer_id: UUID, other_id: UUID) -> Response:
    async with context.connection() as conn:
        card = await read_card(context, conn, customer_id)
        other = await read_card(context, conn, other_id)
    if customer_id == other_id or card.erased_at or other.erased_at:
        return context.redirect(f"{PATH}/{customer_id}")
    return context.render(
        "customer_merge.html",
        customer=card,
        other=other,
        fields=MERGE_FIELDS,
        types={type_.value: label for type_, label in TYPES.items()},
    )


@pages.post(f"{_CARD}/merge/{{other_id}}", MANAGERS, on_error=compare)
async def merge(context: PageContext, customer_id: UUID, other_id: UUID, form: MergeForm) -> Response:
    from_other = frozenset(field for field in FIELDS if getattr(form, field) == "other")
    await context.run(MergeCustomers(customer_id, other_id, from_other, form.version, form.other_version))
    return context.redirect(f"{PATH}/{customer_id}", flash=N_("The two records are now one."))


@pages.post(f"{_CARD}/not-the-same/{{other_id}}", CASHIERS)
async def separate(context: PageContext, customer_id: UUID, other_id: UUID, form: SeparateForm) -> Response:
    await context.run(MarkDistinctCustomers(customer_id, other_id))
    back = form.back or customer_id
    return context.redirect(f"{PATH}/{back}", flash=N_("These two are not compared again."))


@pages.get(f"{_CARD}/erase", MANAGERS)
async def confirm_erase(context: PageContext, customer_id: UUID) -> Response:
    async with context.connection() as conn:
        card = await read_card(context, conn, customer_id)
    return context.render("customer_erase.html", customer=card)


@pages.post(f"{_CARD}/erase", MANAGERS, on_error=confirm_erase)
async def erase(context: PageContext, customer_id: UUID, form: EraseForm) -> Response:
    await context.run(EraseCustomer(customer_id, form.version))
    return context.redirect(f"{PATH}/{customer_id}", flash=N_("The personal data was erased."))
