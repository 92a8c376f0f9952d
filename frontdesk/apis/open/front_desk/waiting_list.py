"""Who waits for a time that is not free."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.apis.changes import ChangesQuery, read_list
from frontdesk.apis.open.entered_fields import Version
from frontdesk.auth.scopes import Scope
from frontdesk.http.dates import check_period
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import CalendarDate, DateTimeInput, LongText
from frontdesk.http.pagination import DataResponse, PageResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response
from frontdesk.messages.send import OfferWaitingTime
from frontdesk.waiting_list.documents import WaitingListEntry
from frontdesk.waiting_list.entry_queries import published_waiting_list
from frontdesk.waiting_list.join import MAX_SERVICES
from frontdesk.waiting_list.save import AddWaitingEntry, ChangeWaitingEntry, RemoveWaitingEntry
from frontdesk.waiting_list.types import PartOfDay, WaitingRequest

operations = Endpoints()

_FIELDS = {"customer": "customer_id", "service": "service_ids", "provider": "staff_id"}
_SAVES = [Code.NOT_FOUND, Code.VALIDATION_ERROR, Code.VERSION_CONFLICT]


class WaitingListQuery(ChangesQuery, kw_only=True):
    customer_id: UUID | None = None
    staff_id: UUID | None = None
    from_: CalendarDate | None = msgspec.field(name="from", default=None)
    to: CalendarDate | None = None


class WaitingWish(msgspec.Struct, kw_only=True):
    service_ids: Annotated[list[UUID], Meta(min_length=1, max_length=MAX_SERVICES)]
    staff_id: UUID | None = None
    first_day: CalendarDate
    last_day: CalendarDate | None = None
    part_of_day: PartOfDay | None = PartOfDay.ANY
    note: LongText | None = None


class WaitingListCreate(WaitingWish, kw_only=True):
    customer_id: UUID


class WaitingListReplace(WaitingWish, kw_only=True):
    version: Version | None = None


class WaitingListOffer(msgspec.Struct):
    staff_id: UUID
    start: DateTimeInput


@operations.get(
    "/waiting-list",
    scope=Scope.ORDERS_READ,
    response=PageResponse[WaitingListEntry],
    takes_fields=True,
    errors=[Code.VALIDATION_ERROR],
)
async def list_waiting_list(request: Request, query: WaitingListQuery) -> Response:
    """List who waits for a time that is not free, those who wait longest first.

    `from` and `to` leave those who can come on one of these days.
    """
    first, last = check_period(query.from_, query.to)
    who = (query.customer_id, query.staff_id)
    return await read_list(
        request, query, lambda since: published_waiting_list(*who, (first, last), query.request(), since)
    )


@operations.post(
    "/waiting-list",
    scope=Scope.ORDERS_WRITE,
    response=DataResponse[WaitingListEntry],
    status=201,
    creates="waiting_list_entry",
    fields=_FIELDS,
    errors=[Code.VALIDATION_ERROR],
)
def add_to_waiting_list(body: WaitingListCreate) -> AddWaitingEntry:
    """Put a customer on the waiting list.

    A customer who books by themselves leaves it. After another booking, remove the entry.
    """
    return AddWaitingEntry(_wish(body), body.customer_id)


@operations.put(
    "/waiting-list/{uuid}",
    scope=Scope.ORDERS_WRITE,
    response=DataResponse[WaitingListEntry],
    fields=_FIELDS,
    errors=_SAVES,
)
def replace_waiting_list_entry(uuid: UUID, body: WaitingListReplace) -> ChangeWaitingEntry:
    """Replace what a customer waits for."""
    return ChangeWaitingEntry(_wish(body), uuid, body.version)


@operations.delete("/waiting-list/{uuid}", scope=Scope.ORDERS_WRITE, status=204, errors=[Code.NOT_FOUND])
def remove_from_waiting_list(uuid: UUID) -> RemoveWaitingEntry:
    """Remove an entry from the waiting list."""
    return RemoveWaitingEntry(uuid, must_wait=True)


@operations.post(
    "/waiting-list/{uuid}/offer",
    scope=Scope.ORDERS_WRITE,
    response=DataResponse[WaitingListEntry],
    fields={"staff": "staff_id", "starts_at": "start"},
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
def offer_time(uuid: UUID, body: WaitingListOffer) -> OfferWaitingTime:
    """Offer a free time by mail to a customer who waits. The link in it leads to the booking page.

    Nothing is booked, and the time is not held. The same time is offered once, and a customer gets at most five
    offers within 24 hours.
    """
    return OfferWaitingTime(uuid, body.staff_id, body.start.written)


def _wish(body: WaitingWish) -> WaitingRequest:
    first, *more = body.service_ids
    return WaitingRequest(
        first,
        body.staff_id,
        body.first_day.day,
        (body.last_day or body.first_day).day,
        body.part_of_day or PartOfDay.ANY,
        body.note,
        tuple(more),
    )
