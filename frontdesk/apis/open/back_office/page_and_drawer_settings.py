"""The settings of the booking page and of cash drawers."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import asdict

from frontdesk.apis.open.back_office.settings import SavedVersion, Words, entered_settings
from frontdesk.auth.scopes import Scope
from frontdesk.booking_page.documents import PublishedBookingPage
from frontdesk.booking_page.queries import published_booking_page
from frontdesk.booking_page.settings import MAX_ORIGINS, ChangeBookingPage, read_origins
from frontdesk.day_close.drawer_settings import MAX_DRAWERS, ChangeDrawerSettings
from frontdesk.day_close.drawer_settings_documents import PublishedDrawerSettings
from frontdesk.day_close.drawer_settings_queries import published_drawer_settings
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import ShortText
from frontdesk.http.pagination import DataResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response

operations = Endpoints()


class BookingPageUpdate(msgspec.Struct):
    """Omitted fields keep their values; null clears a text."""

    shown: bool | UnsetType = UNSET
    about: Words | UnsetType | None = UNSET
    asks_for_code: bool | UnsetType = UNSET
    customers_move: bool | UnsetType = UNSET
    customers_cancel: bool | UnsetType = UNSET
    payment_instructions: Words | UnsetType | None = UNSET
    embedding_origins: Annotated[list[ShortText], Meta(max_length=MAX_ORIGINS)] | UnsetType = UNSET
    version: SavedVersion | None = None


class DrawersEntry(msgspec.Struct):
    branch_id: UUID
    drawers: Annotated[int, Meta(ge=1, le=MAX_DRAWERS)]


class DrawerSettingsUpdate(msgspec.Struct):
    """Omitted fields, and branches that are left out, keep their values."""

    own_shifts: bool | None = None
    blind_count: bool | None = None
    branches: Annotated[list[DrawersEntry], Meta(max_length=500)] | None = None


@operations.get("/settings/booking-page", scope=Scope.BRANCHES_READ, response=DataResponse[PublishedBookingPage])
async def get_booking_page(request: Request) -> Response:
    """Retrieve the texts and rules of the booking page."""
    return data_response(await request.fetch(published_booking_page()))


@operations.patch(
    "/settings/booking-page",
    scope=Scope.SETTINGS_WRITE,
    response=DataResponse[PublishedBookingPage],
    fields={"origins": "embedding_origins"},
    errors=[Code.VALIDATION_ERROR, Code.VERSION_CONFLICT],
)
def update_booking_page(body: BookingPageUpdate) -> ChangeBookingPage:
    """Update the texts and rules of the booking page; omitted fields keep their values. Its picture stays."""
    sent = entered_settings(asdict(body))
    version = sent.pop("version")
    if "embedding_origins" in sent:
        sent["embedding_origins"] = read_origins("\n".join(sent["embedding_origins"]))
    return ChangeBookingPage(sent, version)


@operations.get("/settings/drawers", scope=Scope.BRANCHES_READ, response=DataResponse[PublishedDrawerSettings])
async def get_drawer_settings(request: Request) -> Response:
    """Retrieve how cash is counted, and how many drawers each branch has."""
    return data_response(await request.fetch(published_drawer_settings()))


@operations.patch(
    "/settings/drawers",
    scope=Scope.SETTINGS_WRITE,
    response=DataResponse[PublishedDrawerSettings],
    errors=[Code.VALIDATION_ERROR],
)
def update_drawer_settings(body: DrawerSettingsUpdate) -> ChangeDrawerSettings:
    """Update how cash is counted. Several drawers in a branch need shifts of cashiers. Shifts that are open go on."""
    drawers = [(entry.branch_id, entry.drawers) for entry in body.branches or ()]
    return ChangeDrawerSettings(body.own_shifts, body.blind_count, drawers)
