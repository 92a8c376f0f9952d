"""The order of items, staff members and payment methods, and what stands first at the till."""

from uuid import UUID

import msgspec

from frontdesk.auth.scopes import Scope
from frontdesk.catalog.documents import ItemDetail, PinnedItem
from frontdesk.catalog.item_acts import PlaceItem
from frontdesk.catalog.pin import PinToTill
from frontdesk.catalog.queries import list_pinned_items
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.pagination import DataResponse, PageQuery, PageResponse, list_response
from frontdesk.http.request import Request
from frontdesk.http.responses import Response
from frontdesk.payments.documents import PaymentMethod
from frontdesk.payments.settings import PlacePaymentMethod
from frontdesk.pictures.addresses import with_origin
from frontdesk.staff.documents import StaffMember
from frontdesk.staff.edit import PlaceStaffMember

operations = Endpoints()


class Move(msgspec.Struct):
    before: UUID | None = None


@operations.post(
    "/items/{uuid}/move",
    scope=Scope.ITEMS_WRITE,
    response=DataResponse[ItemDetail],
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
def move_item(uuid: UUID, body: Move) -> PlaceItem:
    """Move an item before another one of its category, or to the end. `GET /items` lists items in their order."""
    return PlaceItem(uuid, body.before)


@operations.post(
    "/staff/{uuid}/move",
    scope=Scope.STAFF_WRITE,
    response=DataResponse[StaffMember],
    complete=with_origin,
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
def move_staff_member(uuid: UUID, body: Move) -> PlaceStaffMember:
    """Move a staff member before another one, or to the end. Others get another `sort_order` by it."""
    return PlaceStaffMember(uuid, body.before)


@operations.post(
    "/payment-methods/{id}/move",
    scope=Scope.PAYMENT_METHODS_WRITE,
    response=DataResponse[PaymentMethod],
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
def move_payment_method(uuid: UUID, body: Move) -> PlacePaymentMethod:
    """Move a payment method before another one, or to the end. Others get another `sort_order` by it."""
    return PlacePaymentMethod(uuid, body.before)


@operations.get("/pinned-items", scope=Scope.ITEMS_READ, response=PageResponse[PinnedItem])
async def list_pinned(request: Request, query: PageQuery) -> Response:
    """List the items and packages that stand first at the till, in the order in which they were pinned."""
    return list_response(request, query, await request.fetch(list_pinned_items(query.request())))


@operations.put(
    "/pinned-items/{uuid}", scope=Scope.ITEMS_WRITE, response=DataResponse[PinnedItem], errors=[Code.NOT_FOUND]
)
def pin_item(uuid: UUID) -> PinToTill:
    """Pin an item or a package to the top of the till, after those that are pinned."""
    return PinToTill(uuid, pinned=True)


@operations.delete("/pinned-items/{uuid}", scope=Scope.ITEMS_WRITE, status=204, errors=[Code.NOT_FOUND])
def unpin_item(uuid: UUID) -> PinToTill:
    """Take an item or a package from the top of the till. One that is not pinned stays as it is."""
    return PinToTill(uuid, pinned=False)
