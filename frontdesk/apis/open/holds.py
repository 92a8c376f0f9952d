from uuid import UUID

import msgspec

from frontdesk.auth.scopes import Scope
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import Count, DateTimeInput
from frontdesk.http.pagination import DataResponse
from frontdesk.scheduling.documents import Hold
from frontdesk.scheduling.hold import EndHold, HoldTime

operations = Endpoints()


class HoldCreate(msgspec.Struct):
    service_id: UUID
    start: DateTimeInput
    staff_id: UUID | None = None
    option_id: UUID | None = None
    quantity: Count | None = 1


@operations.post(
    "/holds",
    scope=Scope.ORDERS_WRITE,
    response=DataResponse[Hold],
    status=201,
    creates="hold",
    errors=[
        Code.VALIDATION_ERROR,
        Code.TIMESLOT_UNAVAILABLE,
        Code.HOLD_LIMIT_REACHED,
        Code.AVAILABILITY_CHECK_FAILED,
    ],
)
def create_hold(body: HoldCreate) -> HoldTime:
    """Hold a time slot for eight minutes while a customer decides.

    Other clients and the booking page do not offer it meanwhile. Send the `id` as `hold_id` of the order that takes it.
    """
    return HoldTime(body.service_id, body.start.written, body.staff_id, body.option_id, body.quantity or 1)


@operations.delete("/holds/{id}", scope=Scope.ORDERS_WRITE, status=204, errors=[Code.NOT_FOUND])
def delete_hold(uuid: UUID) -> EndHold:
    """Release a time slot that this client holds."""
    return EndHold(uuid)
