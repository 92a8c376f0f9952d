"""An application holds a time while its customer decides. Those of the public page are placed by `hold_queries`."""

from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

from frontdesk.availability.check import assign_staff, days_to_read
from frontdesk.availability.db_errors import check_failed
from frontdesk.availability.find_slots import AvailabilityQuery, checked, to_schedule
from frontdesk.availability.held import Holds
from frontdesk.availability.queries import ServiceRow, get_service, read_service
from frontdesk.availability.types import Assignment
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem
from frontdesk.scheduling.hold_queries import hold_of_client
from frontdesk.scheduling.problems import HoldProblem
from frontdesk.values.clock import current_time
from frontdesk.values.ids import uuid7
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import get_zone, to_local

# As the database function hold_time has them; the last one is checked here.
HELD_MINUTES = 8
HELD_AT_ONCE = 10  # by one client
HELD_MINUTES_IN_AN_HOUR = 240  # by one client, together
LONGEST_MINUTES = 240  # of the appointment
_ERRORS: dict[str, Callable[[], Problem]] = {
    "FD004": lambda: Problem(HoldProblem.OF_CLIENT),
    "FD005": lambda: Problem(HoldProblem.OF_PROVIDER),
}


class HoldTime(Act[ServiceRow | None], frozen=True):
    """The same checks as for an order of this service. What the public page holds is not free either."""

    service_id: UUID
    start: datetime
    staff_id: UUID | None = None
    option_id: UUID | None = None
    quantity: int = 1

    def load(self) -> Query[ServiceRow | None]:
        days = days_to_read(self.start, current_time())
        return get_service(self.service_id, self.option_id, self.staff_id, self.quantity, days, Holds.ALL)

    def decide(self, context: Context[ServiceRow | None]) -> FunctionCall:
        tenant, hold_id = context.tenant, uuid7()
        time = self._assign(tenant, context.loaded)
        if time.busy_until - time.busy_from > timedelta(minutes=LONGEST_MINUTES):
            raise Problem(HoldProblem.TOO_LONG)
        argument = {
            "id": hold_id,
            "item_id": self.service_id,
            "staff_id": time.staff_id,
            "start": time.start,
            "end": time.end,
            "busy_from": time.busy_from,
            "busy_until": time.busy_until,
            "day": to_local(time.busy_from, get_zone(tenant.timezone)).date(),
        }
        document = ResponseDocument("hold_document", hold_id)
        return FunctionCall("hold_time", argument, document, failure=check_failed, errors=_ERRORS)

    def failure(self) -> Callable[[], Problem]:
        return check_failed

    def _assign(self, tenant: TenantContext, loaded: ServiceRow | None) -> Assignment:
        start = tenant.to_utc(self.start, "start")
        question = AvailabilityQuery(
            self.service_id,
            self.staff_id,
            self.start.date(),
            1,
            self.quantity,
            search_on=False,
            explain=False,
            option_id=self.option_id,
        )
        service = checked(question, read_service(loaded))
        wanted = to_schedule(service, self.quantity)
        schedules = {provider.staff_id: provider for provider in service.providers}
        [time] = assign_staff(tenant, [wanted], schedules, start, current_time())
        return time


class EndHold(Act[UUID], frozen=True):
    """One that has ended already stays as it is."""

    hold_id: UUID

    def load(self) -> Query[UUID]:
        return hold_of_client(self.hold_id)

    def decide(self, context: Context[UUID]) -> FunctionCall:
        return FunctionCall("end_hold", {"id": context.loaded})
