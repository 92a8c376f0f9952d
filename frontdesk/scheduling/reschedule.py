"""Rescheduling an order: the new time is taken and the old one released in one transaction."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.check import CurrentTimes, assign_anyway, assign_staff
from frontdesk.availability.db_errors import check_failed
from frontdesk.availability.types import ServiceToSchedule
from frontdesk.orders.new_order import Booking
from frontdesk.orders.problems import OrderProblem, RescheduleProblem
from frontdesk.orders.queries.order_state import OrderToSchedule, lock_resources, order_to_reschedule
from frontdesk.orders.types import OrderState, ScheduledService, Status
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem, SharedProblem, raise_all
from frontdesk.values.actor import author_of
from frontdesk.values.clock import current_time


class RequestedProvider(NamedTuple):
    """The new provider of a line; None means any free provider of the service.

    `minutes` is how long it takes; None means as before, or as long as another provider needs.
    """

    line_id: UUID
    staff_id: UUID | None
    minutes: int | None = None


class RescheduleOrder(Act[OrderToSchedule], frozen=True):
    """The same checks as for a new order. Other lines keep their provider, and prices do not change.

    `notify` says whether the customer gets a message; None uses the settings of the business.
    """

    order_id: UUID
    start: datetime
    providers: Sequence[RequestedProvider] = ()
    at_desk: bool = False
    notify: bool | None = None
    anyway: bool = False  # on purpose, also if a provider is not free; see BookOrders

    def load(self) -> Query[OrderToSchedule]:
        return order_to_reschedule(self.order_id, self.start, current_time()).locking(lock_resources(self.order_id))

    def decide(self, context: Context[OrderToSchedule]) -> FunctionCall:
        order, services = context.loaded.order, context.loaded.booked
        start = context.tenant.to_utc(self.start, "start")
        _check_order(order)
        providers = _providers_by_line(services, self.providers)
        document = ResponseDocument("order_document", order.id)
        if start == order.starts_at and _changes_nothing(services, providers, self.providers):
            return FunctionCall(None, None, document)
        to_schedule, now = _services(services, providers, self.providers), current_time()
        schedules, current = context.loaded.schedules, current_times(services)
        if self.anyway:
            assigned = assign_anyway(context.tenant, to_schedule, schedules, start, now, current=current)
        else:
            assigned = assign_staff(
                context.tenant, to_schedule, schedules, start, now, current=current, at_desk=self.at_desk
            )
        chosen = [moved.chosen_by(author_of(context.actor, now)) for moved in assigned]
        argument = {
            "order_id": order.id,
            "version": order.version,
            "start": start,
            "bookings": [
                Booking(service.booking_id, service.line_id, item_id=service.item_id, **moved._asdict())
                for service, moved in zip(services, chosen, strict=True)
            ],
            "notify": self.notify,
        }
        return FunctionCall("reschedule_order", argument, document, failure=check_failed)

    def failure(self) -> Callable[[], Problem]:
        return check_failed


def _check_order(order: OrderState) -> None:
    if order.status in (Status.DRAFT, Status.CANCELED, Status.COMPLETED) and order.parent_id is None:
        raise Problem(RescheduleProblem[order.status.name])
    if order.first_booking_at is None:
        raise Problem(RescheduleProblem.NO_APPOINTMENT)


def _changes_nothing(
    services: Sequence[ScheduledService],
    providers: Mapping[UUID, UUID | None],
    requested: Sequence[RequestedProvider],
) -> bool:
    minutes = {line.line_id: line.minutes for line in requested}
    return all(
        providers[s.line_id] in (None, s.staff_id) and minutes.get(s.line_id) in (None, s.minutes) for s in services
    )


def _providers_by_line(
    services: Sequence[ScheduledService], requested: Sequence[RequestedProvider]
) -> Mapping[UUID, UUID | None]:
    providers: dict[UUID, UUID | None] = {service.line_id: service.staff_id for service in services}
    problems, named = [], set()
    for index, provider in enumerate(requested):
        if provider.line_id not in providers:
            problems.append(Problem(OrderProblem.UNKNOWN_SERVICE_LINE, "lines", index, "line_id"))
        elif provider.line_id in named:
            problems.append(Problem(SharedProblem.DUPLICATE, "lines", index, "line_id"))
        named.add(provider.line_id)
    raise_all(problems)
    return providers | {provider.line_id: provider.staff_id for provider in requested}


def _services(
    services: Sequence[ScheduledService], providers: Mapping[UUID, UUID | None], requested: Sequence[RequestedProvider]
) -> list[ServiceToSchedule]:
    """With the same provider a line keeps its duration; with another provider it takes as long as they need."""
    indexes = {provider.line_id: index for index, provider in enumerate(requested)}
    minutes = {provider.line_id: provider.minutes for provider in requested if provider.minutes is not None}
    problems: dict[tuple[str | int, ...], Problem] = {}
    to_schedule = []
    for service in services:
        staff_id = providers[service.line_id]
        candidates = {i: n for i, n in service.candidates.items() if staff_id in (None, i)}
        if service.staff_id in candidates:
            candidates[service.staff_id] = service.minutes
        if service.line_id in minutes:
            candidates = dict.fromkeys(candidates, minutes[service.line_id])
        if not candidates and service.line_id in indexes:
            at = ("lines", indexes[service.line_id], "staff_id")
            problems[at] = Problem(OrderProblem.STAFF_DOES_NOT_PERFORM, *at)
        elif not candidates:
            problems["lines",] = Problem(OrderProblem.NEEDS_OTHER_STAFF, "lines", line_id=service.line_id)
        to_schedule.append(
            ServiceToSchedule(
                candidates, service.buffer_before, service.buffer_after, is_requested=staff_id is not None
            )
        )
    raise_all(list(problems.values()))
    return to_schedule


def current_times(services: Sequence[ScheduledService]) -> CurrentTimes:
    times: dict[UUID, list[tuple[datetime, datetime]]] = {}
    for service in services:
        times.setdefault(service.staff_id, []).extend(service.held)
    return times
