"""The tools about days: what is booked, and what is free."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, ClassVar

from msgspec import Meta

from frontdesk.auth.scopes import Scope
from frontdesk.mcp_server.api import Api, Document, decimal
from frontdesk.mcp_server.tool import Date, Id, Page, Tool
from frontdesk_client.request import ApiRequest, post_query

_APPOINTMENTS_ON_A_PAGE = 25  # each needs a request, and a client has 60 a minute
_AT_ONCE = 5
_WITHOUT_A_VISIT = ("canceled", "draft")


class SearchAvailability(Tool):
    """Find free times of a service by day. The `start` of an order is such a day and time: 2026-03-01T09:30:00."""

    scopes: ClassVar = (Scope.ORDERS_WRITE,)
    title: ClassVar = "Find free times"

    service_id: Annotated[Id, Meta(description="From list_catalogue.")]
    date: Annotated[Date, Meta(description="First day, YYYY-MM-DD.")]
    visible_days: Annotated[int, Meta(ge=1, le=30, description="How many days. Default: 7.")] | None = None
    staff_id: Annotated[Id, Meta(description="Only times of this staff member. Default: of anybody.")] | None = None
    option_id: Annotated[Id, Meta(description="Option of the service, which may have its own duration.")] | None = None
    next_availability: (
        Annotated[bool, Meta(description="Look further ahead if these days have no free time.")] | None
    ) = None

    async def run(self, api: Api) -> object:
        request: ApiRequest[Document] = post_query(
            "/availability",
            Document,
            service_id=self.service_id,
            date=self.date,
            visible_days=self.visible_days,
            staff_id=self.staff_id,
            option_id=self.option_id,
            next_availability=self.next_availability,
        )
        return (await api.send(request))["data"]


class ExplainStart(Tool):
    """Say why a service is not offered at a time: for each staff member all reasons, and the nearest free times."""

    scopes: ClassVar = (Scope.ORDERS_WRITE,)
    title: ClassVar = "Say why a time is not free"

    service_id: Annotated[Id, Meta(description="From list_catalogue.")]
    start: Annotated[str, Meta(description="Local day and time, such as 2026-03-01T15:00:00.")]
    staff_id: Annotated[Id, Meta(description="Only this staff member. Default: everybody.")] | None = None
    option_id: Annotated[Id, Meta(description="Option of the service, which may have its own duration.")] | None = None

    async def run(self, api: Api) -> object:
        request: ApiRequest[Document] = post_query(
            "/availability/explain",
            Document,
            service_id=self.service_id,
            start=self.start,
            staff_id=self.staff_id,
            option_id=self.option_id,
        )
        return (await api.send(request))["data"]


class DayOverview(Tool):
    """Sum up a day: its orders by status and payment, what they are worth, and the appointments by time."""

    scopes: ClassVar = (Scope.ORDERS_READ,)
    title: ClassVar = "Sum up a day"

    date: Annotated[Date, Meta(description="The day, YYYY-MM-DD.")]
    branch_id: Annotated[Id, Meta(description="Only this branch. Default: all.")] | None = None
    page: Page | None = None

    async def run(self, api: Api) -> object:
        orders = await api.every("/orders", starts_from=self.date, starts_to=self.date, branch_id=self.branch_id)
        visits = [order for order in orders if order["status"] not in _WITHOUT_A_VISIT]
        first = ((self.page or 1) - 1) * _APPOINTMENTS_ON_A_PAGE
        shown = visits[first : first + _APPOINTMENTS_ON_A_PAGE]
        details = await _details(api, [order["id"] for order in shown])
        return {
            "date": self.date,
            "orders": len(orders),
            "by_status": Counter(order["status"] for order in orders),
            "by_payment_status": Counter(order["payment_status"] for order in visits),
            "total": sum((decimal(order["total"]) for order in visits), decimal(0)),
            "currency": orders[0]["currency"] if orders else None,
            "appointments": _appointments(details, self.date),
            "last_page": max(1, -(-len(visits) // _APPOINTMENTS_ON_A_PAGE)),
        }


async def _details(api: Api, ids: Sequence[str]) -> list[Document]:
    turns = asyncio.Semaphore(_AT_ONCE)

    async def detail(order_id: str) -> Document:
        async with turns:
            order: Document = await api.data("/orders/{}", order_id)
            return order

    return await asyncio.gather(*(detail(order_id) for order_id in ids))


def _appointments(orders: Sequence[Document], date: str) -> list[Document]:
    found = [
        _appointment(order, booking)
        for order in orders
        for booking in order["bookings"]
        if booking["start"].startswith(date)
    ]
    return sorted(found, key=lambda appointment: (appointment["start"], appointment["order_id"]))


def _appointment(order: Document, booking: Document) -> Document:
    names = {line["id"]: line["name"] for line in order["items"]}
    customer = order["customer"] or {}
    return {
        "start": booking["start"],
        "end": booking["end"],
        "service": names.get(booking["service_id"]),
        "staff_id": booking["staff_id"],
        "customer": " ".join(filter(None, (customer.get("first_name"), customer.get("last_name")))) or None,
        "phone": customer.get("phone"),
        "order_id": order["id"],
        "order_number": order["order_number"],
        "status": order["status"],
        "payment_status": order["payment_status"],
        "remaining_amount": order["remaining_amount"],
    }
