"""Why a time is not offered: for each provider all reasons, and what can be done about each."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Annotated, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.availability.explain import BookingLimits, StartExplanation, explain_start
from frontdesk.availability.explained_facts import StartFacts
from frontdesk.availability.explained_queries import start_facts
from frontdesk.availability.held import Holds
from frontdesk.booking_page.queries import tenant_booking_page
from frontdesk.booking_page.types import BookingRules
from frontdesk.http.field_types import CalendarDate
from frontdesk.http.responses import Response
from frontdesk.orders.lines import CatalogSnapshot, line_problems
from frontdesk.orders.queries.order_context import OrderInputs
from frontdesk.orders.types import LineType, OrderLineRequest, OrderRequest, Source
from frontdesk.postgres.query import fetch
from frontdesk.problems import Problem, raise_all
from frontdesk.scheduling.book import booking_inputs
from frontdesk.scheduling.hold_queries import live_holds, with_holds
from frontdesk.scheduling.online import bookable_days
from frontdesk.ui.booking.form import MAX_SERVICES, id_of
from frontdesk.ui.booking.why_view import ProviderRow, provider_rows
from frontdesk.ui.components.booking_choice_queries import BookingChoices, booking_choices
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import RECEPTION
from frontdesk.ui.shell.problems import problem_text
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.clock import current_time
from frontdesk.values.time import get_zone

pages = Pages()
PATH = "/calendar/why"
_DAY = timedelta(days=1)


class WhyQuery(msgspec.Struct):
    date: CalendarDate | None = None
    time: Annotated[str, Meta(pattern=r"^(([01][0-9]|2[0-3]):[0-5][0-9])?$")] = ""
    service: UUID | None = None
    option: UUID | None = None  # of the first service
    more: Annotated[str, Meta(max_length=400)] = ""  # services after it, comma separated
    branch: UUID | None = None
    staff: UUID | None = None  # who is shown first
    online: Annotated[str, Meta(max_length=3)] = ""  # by the rules of the booking page


class Explained(NamedTuple):
    why: StartExplanation
    rows: list[ProviderRow]
    elsewhere: list[str]  # the names of those who do not perform the service
    names: Mapping[UUID, str]


@pages.get(PATH, RECEPTION)
async def show_why(context: PageContext, query: WhyQuery) -> Response:
    day = query.date.day if query.date else context.format.today
    wanted = booking_choices(query.branch or context.branch_id, query.staff, None)
    async with context.connection() as conn:
        choices = await fetch(conn, context.tenant_id, wanted)
    explained, problem = None, None
    if query.service and query.time:
        start = datetime.combine(day, datetime.strptime(query.time, "%H:%M").time())  # noqa: DTZ007 - a local time
        try:
            explained = await _explain(context, query, choices, start)
        except Problem as refused:
            problem = problem_text(refused, context.language, context.format)
    return context.render(
        "booking_why.html", query=query, day=day, choices=choices, explained=explained, problem=problem, path=PATH
    )


async def _explain(context: PageContext, query: WhyQuery, choices: BookingChoices, start: datetime) -> Explained:
    now, is_online = current_time(), bool(query.online)
    services = [query.service, *filter(None, map(id_of, query.more.split(",")))][:MAX_SERVICES]
    order = OrderRequest(
        branch_id=choices.branch_id,
        customer_id=None,
        start=start,
        lines=[
            OrderLineRequest(
                service, LineType.SERVICE, 1, None, option_ids=(query.option,) if query.option and not index else ()
            )
            for index, service in enumerate(services)
            if service
        ],
        note=None,
        payments=[],
        source=Source.DASHBOARD,
    )
    around = start.replace(tzinfo=get_zone(context.tenant.timezone))
    async with context.connection() as conn:
        inputs: OrderInputs = await fetch(conn, context.tenant_id, booking_inputs(order, now=now))
        catalog = CatalogSnapshot(inputs.context, order)
        raise_all(line_problems(order, catalog))
        scheduled = [catalog.service_to_schedule(line) for line in order.lines]
        longest = timedelta(minutes=sum(max(one.candidates.values(), default=0) for one in scheduled))
        holds = Holds.ALL if is_online else Holds.NONE
        facts: StartFacts = await fetch(
            conn,
            context.tenant_id,
            start_facts(order.lines[0].item_id, None, around - _DAY, around + longest + _DAY, holds),
        )
        schedules = inputs.schedules
        limits = None
        if is_online:
            schedules = with_holds(schedules, await fetch(conn, context.tenant_id, live_holds()))
            limits = _limits(context, (await fetch(conn, context.tenant_id, tenant_booking_page())).rules, now)
    why = explain_start(context.tenant, scheduled, schedules, start, now, facts=facts, limits=limits)
    rows, elsewhere = provider_rows(context, why, facts, query.staff)
    return Explained(why, rows, elsewhere, {member.id: member.name for member in facts.staff})


def _limits(context: PageContext, rules: BookingRules, now: datetime) -> BookingLimits:
    return BookingLimits(timedelta(hours=rules.notice_hours), bookable_days(context.tenant, rules, now)[1])
