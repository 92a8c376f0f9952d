"""Customers: the list with its search, and one customer."""

from datetime import datetime, timedelta
from typing import Annotated, Literal
from urllib.parse import quote_plus
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.applications.queries.panels import Place
from frontdesk.auth.types import Role
from frontdesk.customers.card_queries import CustomerCard, customer_card
from frontdesk.customers.list_queries import (
    MAX_COUNT,
    CustomerSort,
    CustomerTotals,
    ListedTag,
    ListFilter,
    list_customers,
)
from frontdesk.customers.merge_queries import merged_into
from frontdesk.customers.photo_queries import customer_photos
from frontdesk.customers.search import search_words, split_matches, split_phone_matches
from frontdesk.http.field_types import FilterText, PageNumber
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.messages.log_queries import list_customer_messages
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.problems import or_not_found
from frontdesk.ui.components.message_labels import KINDS, state_of
from frontdesk.ui.customers.labels import CONSENT_CHANNELS, PHOTOS, SORTS, TYPES
from frontdesk.ui.shell.application_panels import allow_frames, find_panels, find_stored_data
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import ANY_ROLE, CASHIERS, RECEPTION
from frontdesk.ui.shell.routing import Pages
from frontdesk.ui.shell.scope_labels import SCOPE_NAMES, SHOWN_FIELDS
from frontdesk.values.birthdays import age_on
from frontdesk.values.clock import current_time
from frontdesk.values.ids import uuid7
from frontdesk.values.pagination import PageRequest
from frontdesk.values.time import get_zone, local_day_start

pages = Pages()
PATH = "/customers"
PER_PAGE = 25
_VISITS_PER_PAGE = 10
_TAGS_IN_BAR = 3
AWAY = timedelta(days=90)
_NOBODY = UUID(int=0)


class CustomerQuery(msgspec.Struct):
    search: FilterText = ""
    tag: UUID | None = None
    show: Literal["blocked", "away"] | None = None
    sort: CustomerSort = CustomerSort.NEWEST
    page: PageNumber = 1

    def link(self, **changes: str | int | None) -> str:
        """A link to this list with changed filters, on the first page unless `page` is given."""
        parameters = {
            "search": self.search,
            "tag": self.tag,
            "show": self.show,
            "sort": self.sort if self.sort is not CustomerSort.NEWEST else None,
            **changes,
        }
        query = "&".join(
            f"{name}={quote_plus(str(value))}" for name, value in parameters.items() if value and value != 1
        )
        return f"{PATH}?{query}" if query else PATH

    def filter(self, context: PageContext) -> ListFilter:
        return ListFilter(
            words=search_words(self.search),
            tag_id=self.tag,
            blocked=self.show == "blocked",
            not_seen_since=current_time() - AWAY if self.show == "away" else None,
            staff_id=restricted_staff_id(context),
        )

    @property
    def has_filters(self) -> bool:
        return bool(self.search or self.tag or self.show)


class CardQuery(msgspec.Struct):
    page: Annotated[int, Meta(ge=1, le=10_000)] = 1  # of the visits until now


def restricted_staff_id(context: PageContext) -> UUID | None:
    """A provider sees only the customers of their own visits: the staff member that they are. None for other roles."""
    if context.role is not Role.PROVIDER:
        return None
    return context.current_tenant.staff_id or _NOBODY


@pages.get(PATH, ANY_ROLE)
async def show_customers(context: PageContext, query: CustomerQuery) -> Response:
    filter_ = query.filter(context)
    listed = list_customers(filter_, query.sort, PageRequest(query.page, PER_PAGE), _month_start(context))
    found = await context.read_late(listed)
    if not found.customers and query.page > 1:
        return context.redirect(query.link())
    return context.render(
        "customers.html",
        found=found,
        totals=None if filter_.staff_id else found.totals,
        tags_in_bar=_tags_in_bar(found.totals, query.tag),
        tag_names={str(tag.id): tag.name for tag in found.totals.tags} if found.totals else {},
        count=format_count,
        query=query,
        first=(query.page - 1) * PER_PAGE + 1,
        first_found=found.customers[0].id if query.search and found.customers else None,
        words=filter_.words,
        marked=split_matches,
        marked_phone=split_phone_matches,
        sorts=SORTS,
        may_edit=context.has_access(CASHIERS),
        typed=split_typed(query.search),
    )


def _tags_in_bar(totals: CustomerTotals | None, chosen: UUID | None) -> list[ListedTag]:
    """The tags that most customers have, and the chosen one."""
    tags = totals.tags if totals else []
    return [tag for index, tag in enumerate(tags) if index < _TAGS_IN_BAR or tag.id == chosen]


def format_count(number: int) -> str:
    return str(number) if number < MAX_COUNT else f"{MAX_COUNT - 1}+"


def _month_start(context: PageContext) -> datetime:
    return local_day_start(context.format.today.replace(day=1), get_zone(context.tenant.timezone))


def split_typed(text: str) -> tuple[str, str]:
    """The name and the phone number in a search text, for a new customer."""
    words = text.split()
    digits = [word for word in words if any(letter.isdigit() for letter in word)]
    return " ".join(word for word in words if word not in digits), " ".join(digits)


async def read_card(context: PageContext, conn: Connection, customer_id: UUID, page: int = 1) -> CustomerCard:
    """The customer, if the user may see them."""
    return or_not_found(await _find_card(context, conn, customer_id, page), "customer")


async def _find_card(context: PageContext, conn: Connection, customer_id: UUID, page: int) -> CustomerCard | None:
    visits, staff_id = PageRequest(page, _VISITS_PER_PAGE), restricted_staff_id(context)
    card = await fetch(conn, context.tenant_id, customer_card(customer_id, visits, context.names_language, staff_id))
    return None if card is None or (staff_id and not card.is_own) else card


@pages.get(f"{PATH}/{{customer_id}}", ANY_ROLE)
async def show_customer(context: PageContext, customer_id: UUID, query: CardQuery | None = None) -> Response:
    page = query.page if query else 1
    async with context.connection() as conn:
        card = await _find_card(context, conn, customer_id, page)
        if card is None:
            remaining = or_not_found(await fetch(conn, context.tenant_id, merged_into(customer_id)), "customer")
            return context.redirect(f"{PATH}/{remaining}")
        sees_messages = context.has_access(RECEPTION)
        messages = await list_customer_messages(conn, context.tenant_id, customer_id) if sees_messages else []
        photos = await fetch(conn, context.tenant_id, customer_photos(customer_id))
        panels = await find_panels(context, conn, Place.CUSTOMER, customer_id)
        stored_data = await find_stored_data(context, conn, "customer", customer_id)
    first = (page - 1) * _VISITS_PER_PAGE + 1
    page_of_card = context.render(
        "customer.html",
        panels=panels,
        stored_data=stored_data,
        customer=card,
        messages=messages,
        photos=photos,
        photo_form_id=uuid7(),
        photo_labels={shows.value: context.translate(label) for shows, label in PHOTOS.items()},
        message_kinds=KINDS,
        message_state=state_of,
        page=page,
        first=first,
        is_last=first + len(card.past) > card.past_total,
        channels=CONSENT_CHANNELS,
        types=TYPES,
        may_edit=context.has_access(CASHIERS),
        may_book=context.has_access(RECEPTION) and not card.blocked,
        scope_names=SCOPE_NAMES,
        shown_fields=SHOWN_FIELDS,
        birthday=_birthday(context, card.birthday),
        form_id=uuid7(),
    )
    return allow_frames(page_of_card, panels)


def _birthday(context: PageContext, birthday: str | None) -> str | None:
    """With the age, if the year is known."""
    if birthday is None:
        return None
    age = age_on(birthday, context.format.today)
    shown = context.format.birthday(birthday)
    return shown if age is None else context.translate(N_("%(date)s (%(age)s)")) % {"date": shown, "age": age}
